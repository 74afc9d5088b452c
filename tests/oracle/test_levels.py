"""The level a count is published with: what was listed makes it, not what was asked for."""

from itertools import pairwise, product
from pathlib import Path

import cpmpy as cp
import numpy as np
import pytest
from conformance.spaces import marks, reference_marks
from contest_kakuro import K4, K7
from scripts import load_script

import gatesolve
from gatesolve.circuit import Planes, count_cx, run_ops
from gatesolve.encodings import Space, make_spaces, make_table, unenforced_constraints
from gatesolve.errors import DoesNotFitError
from gatesolve.formats import from_cpmpy
from gatesolve.model import AllDifferent, Linear, Model, NotEqual, Table, Variable, presolve, tuples_of
from gatesolve.oracle import assemble, conditions_at, levels
from gatesolve.oracle.levels import block_level, constraint_level, find_level
from gatesolve.puzzles import load

ROOT = Path(__file__).resolve().parents[2]
BOARDS = sorted(p for p in (ROOT / "examples").glob("*/*") if p.suffix in {".txt", ".param", ".json", ".dzn"})
DEAR = {
    "hakank-10x10",
    "linkedin-11x11",
    "linkedin-18x18",
    "region-ranges-6x6",
    "tolleson-10x10-2",
    "torus-regions-6x6",
}
"""Boards that take 20 to 90 s each; of each family smaller ones are left."""
BOARDS = [p for p in BOARDS if p.parent.name != "qubo" and p.stem not in DEAR]
SMALL = 1 << 16
"""Codewords up to which conditions are compiled and minimised while they are watched."""


def model_of(names, *constraints, size=4):
    return Model(tuple(Variable(name, tuple(range(size))) for name in names), constraints)


def total(names, bound):
    return Linear(tuple((1, name) for name in names), "==", bound)


def table_of(model, *names, constraints=None):
    inside = model.constraints if constraints is None else constraints
    return make_table(names, tuples_of(names, model.domains, inside, 10**6))


RUN = AllDifferent(tuple("abc")), total("abc", 4)
REST = AllDifferent(tuple("def"))


def test_a_run_is_merged_and_each_of_its_rules_alone_is_literal():
    model = model_of("abcdef", *RUN, REST)
    assert block_level(table_of(model, "a", "b", "c", constraints=RUN), model) == "merged"
    assert [block_level(table_of(model, "a", "b", "c", constraints=[one]), model) for one in RUN] == ["literal"] * 2
    joined, rest = unenforced_constraints(model, make_spaces(model, "binary")[0])
    assert (constraint_level(joined, model), constraint_level(rest, model)) == ("merged", "literal")
    assert joined.parts == RUN
    assert unenforced_constraints(model, make_spaces(model, "binary")[0], "literal") == model.constraints


def test_a_table_of_several_constraints_that_was_left_alone_is_told():
    """By itself it is classical, and inside a constraint that it could have been joined to it still is."""
    names = [f"x{k}" for k in range(12)]
    wide = Linear(tuple((1, name) for name in names[:5]), "!=", 4)
    parts = Linear(((-1, "x0"), (-1, "x1")), "<=", -1), Linear(((1, "x1"), (1, "x2")), "<=", 1)
    rows = [row for row in product((0, 1), repeat=3) if row[0] + row[1] >= 1 and row[1] + row[2] <= 1]
    table = Table(("x0", "x1", "x2"), tuple(rows)).join(parts)
    model = model_of(names, table, wide, size=2)
    space = make_spaces(model, "binary")[0]
    conditions = conditions_at("merged", model, space, 6)
    assert [condition.label for condition in conditions] == [str(table), str(wide)]
    level, notes = find_level("merged", model, space, conditions)
    assert level == "classical"
    assert notes


def test_a_line_with_its_triples_is_merged():
    bits = tuple(Variable(f"x{k}", (0, 1)) for k in range(12))
    names = [v.name for v in bits[:6]]
    triples = [Linear(tuple((1, f"x{k + j}") for j in range(3)), "<=", 2) for k in range(4)]
    model = Model(bits, (total(names, 3), *triples))
    block = table_of(model, *names)
    assert block_level(block, model) == "merged"
    assert block in make_spaces(model, "table")[0].blocks
    assert len(unenforced_constraints(model, make_spaces(model, "binary")[0])) == 1
    narrow = Model(bits[:11], model.constraints)  # six are more than half of eleven
    assert block_level(block, narrow) == "classical"
    assert len(unenforced_constraints(narrow, make_spaces(narrow, "binary")[0])) == 5


def test_a_scope_of_more_than_half_of_the_variables_is_not_merged():
    model = model_of("abcde", *RUN, NotEqual("d", "e"))
    assert unenforced_constraints(model, make_spaces(model, "binary")[0]) == model.constraints
    assert block_level(table_of(model, "a", "b", "c", constraints=RUN), model) == "classical"
    assert max(block_level(block, model) for block in make_spaces(model, "table")[0].blocks) == "literal"


def test_more_than_512_tuples_are_not_merged():
    model = model_of("abcdefgh", AllDifferent(tuple("abcd")), NotEqual("a", "b", 1), size=8)
    assert unenforced_constraints(model, make_spaces(model, "binary")[0]) == model.constraints
    wide = table_of(model, "a", "b", "c", "d")
    assert wide.size > 512
    assert block_level(wide, model) == "classical"


def test_one_constraint_over_all_variables_is_one_constraint():
    model = model_of("abcd", AllDifferent(tuple("abcd")))
    assert block_level(table_of(model, *"abcd"), model) == "literal"
    assert {space.size for space in make_spaces(model, "table", level="literal")} == {24}


def test_two_constraints_over_all_variables_are_classical_where_they_are_listed():
    model = model_of("abcd", AllDifferent(tuple("abcd")), total("abcd", 6))
    assert block_level(table_of(model, *"abcd", constraints=model.constraints[:1]), model) == "literal"
    shifted = model_of("abcd", AllDifferent(tuple("abcd")), NotEqual("a", "b", 1))
    block = table_of(shifted, *"abcd")
    assert block_level(block, shifted) == "classical"
    level, notes = find_level("merged", shifted, Space((block,)))
    assert level == "classical"
    assert notes == ("1 table of the encoding holds 18 tuples that satisfy several constraints at once: "
                     "the level is classical",)  # fmt: skip


def test_a_window_that_holds_the_whole_model_is_classical():
    binary, table = make_spaces(K4, "binary")[0], make_spaces(K4, "table")[0]
    for space, window, level in ((binary, 6, "minimised"), (binary, 8, "classical"), (table, 6, "classical")):
        conditions = conditions_at("minimised", K4, space, window)
        found, notes = find_level("minimised", K4, space, conditions, window)
        assert found == level
        assert any("holds the whole model" in note for note in notes) == (level == "classical")
        assert find_level("merged", K4, space, conditions_at("merged", K4, space, 6), 6) == ("merged", ())


def test_tables_that_presolve_joined_keep_their_parts():
    x = cp.intvar(0, 3, shape=4, name="x")
    model = from_cpmpy(cp.Model(cp.AllDifferent(x), x[0] < x[1], cp.sum(x[:3]) == 4))
    smaller, _ = presolve(model, "affine")
    joined = [c for c in smaller.constraints if isinstance(c, Table) and c.joins]
    assert joined
    assert {constraint_level(c, smaller) for c in joined} == {"classical"}
    plain = cp.Model(cp.AllDifferent(x), x[0] < x[1])
    for setting, level, size in (("none", "literal", 24), ("affine", "classical", 12)):
        compiled = gatesolve.compile(plain, presolve=setting, encoding="table", level="literal")
        assert (compiled.level, compiled.program.space.size, compiled.certificate.marked) == (level, size, 12)


# What is walked: every block, condition and window of all examples.


def check_block(block, model, level):
    """By the definitions, with counts of tuples."""
    names = block.variables
    if len(names) == 1:
        assert block.size == len(model.domains[names[0]])
        return
    inside = [c for c in dict.fromkeys(model.constraints) if set(c.scope) <= set(names)]
    alone = [c for c in inside if len(tuples_of(names, model.domains, [c], block.size, 10**7) or ()) == block.size]
    if any(not isinstance(c, Table) or not c.joins for c in alone):
        return
    assert level != "literal"
    assert 2 * len(names) <= len(model.variables)
    assert block.size <= 512
    assert any(set(c.scope) == set(names) for c in inside)
    assert len(tuples_of(names, model.domains, inside, block.size, 10**7)) == block.size


def check_rule(rule, model, level):
    if rule in model.constraints and not (isinstance(rule, Table) and len(rule.parts) > 1):
        return
    parts = {part for member in rule.parts for part in (member.parts if isinstance(member, Table) else (member,))}
    assert level != "literal"
    assert 2 * len(rule.variables) <= len(model.variables)
    assert len(rule.tuples) <= 512
    assert parts <= set(model.constraints)
    assert any(set(part.scope) == set(rule.variables) for part in parts)
    assert len(tuples_of(rule.variables, model.domains, parts, 512, 10**7)) == len(rule.tuples)


def walk(model, monkeypatch):
    """Every space that ``auto`` is offered at each level, every condition, and of small ones every window."""
    for level, kind in product(("literal", "merged", "minimised"), ("one-hot", "binary", "domain-wall", "table")):
        for space in make_spaces(model, kind, level=level):
            for block in space.blocks:
                check_block(block, model, level)
            rules = unenforced_constraints(model, space, level)
            for rule in rules:
                check_rule(rule, model, level)
            assert find_level(level, model, space)[0] == level
            if level == "minimised" and space.size <= SMALL:
                walk_windows(model, space, len(rules), monkeypatch)


def walk_windows(model, space, rules, monkeypatch, window=6):
    seen = []
    real = levels._simplify

    def watch(inside, qubits, rows):
        seen.append(frozenset(qubits))
        assert len(rows) <= 2**window
        return real(inside, qubits, rows)

    with monkeypatch.context() as patched:
        patched.setattr(levels, "_simplify", watch)
        conditions = levels.minimised_conditions(model, space, window)
    read = frozenset(q for one in conditions for q in one.qubits)
    if rules > 1 and any(read <= one for one in seen):
        assert find_level("minimised", model, space, conditions, window)[0] == "classical"


@pytest.mark.sampled(10)
@pytest.mark.quick("kakuro/small*", "tents/weak*")
@pytest.mark.parametrize("path", BOARDS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_no_table_of_an_example_is_wider_than_its_level_allows(path, monkeypatch):
    walk(from_cpmpy(load(path).to_cpmpy()), monkeypatch)


def cpmpy_examples():
    modules = [load_script(ROOT / "examples" / f"{name}.py") for name in ("colouring", "cpmpy_model")]
    return [value for module in modules for value in vars(module).values() if isinstance(value, cp.Model)]


@pytest.mark.sampled(1)
@pytest.mark.quick("affine")
@pytest.mark.parametrize("setting", ["none", "propagate", "affine"])
def test_no_table_of_a_presolved_model_is_wider(setting, monkeypatch):
    for model in (K7, from_cpmpy(queens(4)), from_cpmpy(magic_square()), *map(from_cpmpy, cpmpy_examples())):
        smaller, _ = presolve(model, setting)
        for space in make_spaces(smaller, "table"):
            level, _ = find_level("merged", smaller, space)
            if level == "merged" and not any(isinstance(c, Table) and c.joins for c in smaller.constraints):
                walk(smaller, monkeypatch)


# Through the public calls.


def magic_square():
    cells = cp.intvar(1, 9, shape=(3, 3), name="cell")
    lines = [*cells, *cells.T, cells.diagonal(), cells[:, ::-1].diagonal()]
    return cp.Model(cp.AllDifferent(cells), *[cp.sum(line) == 15 for line in lines])


def queens(size):
    columns = cp.intvar(0, size - 1, shape=size, name="q")
    return cp.Model([cp.AllDifferent([columns[i] + k * i for i in range(size)]) for k in (0, 1, -1)])


@pytest.mark.sampled(1)
@pytest.mark.parametrize("encoding", ["binary", "one-hot"])
def test_a_magic_square_is_searched_among_all_squares(encoding):
    compiled = gatesolve.compile(magic_square(), presolve="none", level="literal", encoding=encoding)
    assert (compiled.level, compiled.program.space.size) == ("literal", 9**9)
    assert compiled.program.resources("oracle").cx <= 1256
    space, oracle = compiled.program.space, compiled.program.oracle
    permutations = np.array(tuples_of(space.variables, compiled.model.domains, [AllDifferent(space.variables)], 10**6))
    numbers = (permutations - 1) @ 9 ** np.arange(9)
    planes = Planes.from_bits(space.inputs(numbers, oracle.num_qubits))
    run_ops(oracle.ops, planes)
    assert int(planes.unpack(planes.phase, len(numbers))[1].sum()) == 8


@pytest.mark.quick(1)
@pytest.mark.parametrize("level", ["literal", "merged"])
def test_queens_search_more_than_their_solutions(level):
    compiled = gatesolve.compile(queens(4), presolve="none", level=level)
    assert compiled.level == level
    assert compiled.certificate.marked == 2 < compiled.program.space.size


@pytest.mark.sampled(0.3)
def test_a_level_is_a_ceiling_for_auto_and_an_encoding_beyond_it_is_told():
    names = [f"x{k}" for k in range(8)]
    chain = model_of(names, *(NotEqual(a, b) for a, b in pairwise(names)), size=3)
    asked = {"presolve": "none", "max_space": 600}
    for level in ("literal", "merged", "minimised"):
        with pytest.raises(DoesNotFitError, match="max_space=2048"):
            gatesolve.solve(chain, **asked, level=level)
        assert gatesolve.solve(chain, **{**asked, "max_space": 2048}, level=level).level == level
    compiled = gatesolve.compile(chain, **asked, encoding="table")
    assert compiled.level == "classical"
    assert [note for note in compiled.notes if "joint table" in note and "the level is classical" in note]
    assert gatesolve.compile(chain, **asked, oracle="classical").level == "classical"


@pytest.mark.quick(2)
@pytest.mark.parametrize("level", ["literal", "merged", "minimised"])
@pytest.mark.parametrize("pipeline", ["grover", "gas"])
def test_what_is_asked_for_is_what_is_told(level, pipeline):
    compiled = gatesolve.compile(K4, pipeline=pipeline, presolve="none", encoding="binary", level=level)
    assert compiled.level == compiled.program.search.level == compiled.as_dict()["level"] == level
    assert f"// made by gatesolve, level {level}; " in compiled.program.qasm3("oracle")


@pytest.mark.sampled(0.3)
def test_an_oracle_that_costs_no_more_than_the_solutions_says_so():
    settings = {"presolve": "none", "encoding": "binary"}
    by_level = {level: gatesolve.compile(K7, **settings, level=level) for level in ("literal", "merged", "minimised")}
    said = {level: [n for n in one.notes if "marking the known solution" in n] for level, one in by_level.items()}
    known = gatesolve.compile(K7, **settings, oracle="classical")
    counts, ours = known.program.resources("oracle"), by_level["minimised"].program.resources("oracle")
    assert ours.cx <= counts.cx
    assert ours.depth <= counts.depth
    assert said == {"literal": [], "merged": [], "minimised": [
        f"checking the constraints takes {ours.cx} CX at depth {ours.depth}; "
        f"marking the known solution directly takes {counts.cx} CX at depth {counts.depth} (oracle='classical')"
    ]}  # fmt: skip
    assert known.notes == ()


# --- What each level compiles: never dearer than the level below, and no constraint twice or not at all ---


@pytest.mark.quick(1)
@pytest.mark.parametrize("board", ["takuzu/small.txt", "kakuro/contest.txt", "tents/sgt-4x4de-1.txt"])
def test_a_higher_level_never_takes_more_cx(board):
    """Joining the lines of the small Takuzu takes 799 CX; its constraints alone 476."""
    model = from_cpmpy(load(ROOT / "examples" / board).to_cpmpy())
    space = make_spaces(model, "binary")[0]
    cx = []
    for level in ("literal", "merged", "minimised"):
        conditions = conditions_at(level, model, space, 6)
        cx.append(count_cx(assemble(conditions, space.num_qubits, alone=level == "literal").ops))
    assert cx == sorted(cx, reverse=True)


def test_a_model_that_windows_would_make_dearer_stays_as_it_was_merged(monkeypatch):
    model = K7
    space = make_spaces(model, "binary")[0]
    merged = conditions_at("merged", model, space, 6)
    monkeypatch.setattr(
        levels, "minimise", lambda conditions, *_: [*conditions, *conditions_at("literal", model, space, 6)]
    )
    assert conditions_at("minimised", model, space, 6) == merged


def test_constraints_whose_table_does_not_compile_are_compiled_one_by_one(monkeypatch):
    def synthesise(constraint, space):
        if isinstance(constraint, Table):
            raise DoesNotFitError("too large")
        return levels_synthesise(constraint, space)

    levels_synthesise = levels.synthesise
    model = model_of("abcdef", *RUN, REST)
    space = make_spaces(model, "binary")[0]
    monkeypatch.setattr(levels, "synthesise", synthesise)
    for level in ("merged", "minimised"):
        conditions = conditions_at(level, model, space, 6)
        assert marks(assemble(conditions, space.num_qubits), space) == reference_marks(model, space)


def test_constraints_that_are_cheaper_alone_stay_beside_a_wider_one_that_was_not_joined():
    pair = NotEqual("a", "b"), Linear(((1, "a"), (1, "b")), "<=", 8)
    model = model_of("abcd", *pair, total("abcd", 14), size=8)
    space = make_spaces(model, "binary")[0]
    conditions = conditions_at("merged", model, space, 6)
    assert len(conditions) == 3, "each alone"
    assert marks(assemble(conditions, space.num_qubits), space) == reference_marks(model, space)


def test_a_constraint_inside_a_joined_one_is_not_compiled_again():
    model = model_of("abcdef", *RUN, REST, NotEqual("a", "b"))
    labels = [condition.label for condition in conditions_at("merged", model, make_spaces(model, "binary")[0], 6)]
    assert len(labels) == 2
    assert all(str(rule) in labels[0] for rule in RUN)
