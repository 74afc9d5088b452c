"""FlatZinc: its grammar, the variables that are seen, and what is refused; what constraints mean is tested beside."""

import contextlib
import random

import pytest
from flatzinc_draw import Draw
from test_flatzinc_meaning import MEANINGS, assignments, holds, inner

from gatesolve.errors import InfeasibleError, InputError, UnsupportedError
from gatesolve.formats import broken_constraints, from_cpmpy, read_foreign
from gatesolve.model import find_optimum, find_solutions

# as MiniZinc 2.6.4 writes it: minizinc -c --solver org.minizinc.mzn-fzn
COMPILED = """predicate fzn_all_different_int(array [int] of var int: x);
array [1..2] of int: X_INTRODUCED_5_ = [1,-1];
array [1..2] of int: X_INTRODUCED_8_ = [-1,1];
array [1..3] of int: X_INTRODUCED_25_ = [1,-1,-1];
var 1..4: X_INTRODUCED_0_;
var 1..4: X_INTRODUCED_1_;
var 1..4: X_INTRODUCED_2_;
var 0..3: x:: output_var:: is_defined_var;
var 2..11: X_INTRODUCED_3_:: is_defined_var;
var 0..12: X_INTRODUCED_6_ ::var_is_introduced :: is_defined_var;
var bool: X_INTRODUCED_7_ ::var_is_introduced :: is_defined_var;
var bool: X_INTRODUCED_9_ ::var_is_introduced :: is_defined_var;
var 1..4: X_INTRODUCED_15_ ::var_is_introduced :: is_defined_var;
var 1..4: X_INTRODUCED_16_ ::var_is_introduced :: is_defined_var;
var 1..4: X_INTRODUCED_22_ ::var_is_introduced :: is_defined_var;
var 1..4: X_INTRODUCED_23_ ::var_is_introduced :: is_defined_var;
array [1..3] of var int: q:: output_array([1..3]) = [X_INTRODUCED_0_,X_INTRODUCED_1_,X_INTRODUCED_2_];
constraint int_lin_ne(X_INTRODUCED_5_,[X_INTRODUCED_0_,X_INTRODUCED_1_],0);
constraint int_lin_ne(X_INTRODUCED_5_,[X_INTRODUCED_1_,X_INTRODUCED_2_],0);
constraint array_bool_or([X_INTRODUCED_7_,X_INTRODUCED_9_],true);
constraint int_min(X_INTRODUCED_1_,X_INTRODUCED_0_,X_INTRODUCED_15_):: defines_var(X_INTRODUCED_15_);
constraint int_min(X_INTRODUCED_2_,X_INTRODUCED_15_,X_INTRODUCED_16_):: defines_var(X_INTRODUCED_16_);
constraint int_max(X_INTRODUCED_1_,X_INTRODUCED_0_,X_INTRODUCED_22_):: defines_var(X_INTRODUCED_22_);
constraint int_max(X_INTRODUCED_2_,X_INTRODUCED_22_,X_INTRODUCED_23_):: defines_var(X_INTRODUCED_23_);
constraint int_lin_eq(X_INTRODUCED_25_,[X_INTRODUCED_23_,X_INTRODUCED_16_,x],0):: defines_var(x);
constraint int_lin_eq([1,2,-1],[x,X_INTRODUCED_1_,X_INTRODUCED_3_],0):: ctx_pos:: defines_var(X_INTRODUCED_3_);
constraint int_times(x,X_INTRODUCED_0_,X_INTRODUCED_6_):: defines_var(X_INTRODUCED_6_);
constraint int_eq_reif(X_INTRODUCED_6_,6,X_INTRODUCED_7_):: defines_var(X_INTRODUCED_7_);
constraint int_lin_le_reif(X_INTRODUCED_8_,[X_INTRODUCED_2_,x],-1,X_INTRODUCED_9_):: defines_var(X_INTRODUCED_9_);
solve :: int_search(q, first_fail, indomain_min, complete) maximize X_INTRODUCED_3_;
"""
X = "var 0..3: x;\n"
ANY = "solve satisfy;\n"


def read(text):
    original, declared = read_foreign(text, "fzn", "f.fzn")
    return from_cpmpy(original, declared=declared)


def solutions(text):
    return [tuple(one.values()) for one in find_solutions(read(text))]


def test_what_minizinc_compiled():
    """Of 12 variables those are left that its model prints, by the names that they have there."""
    model = read(COMPILED)
    found = {
        (a, b, c, max(a, b, c) - min(a, b, c))
        for a in range(1, 5)
        for b in range(1, 5)
        for c in range(1, 5)
        if a != b != c
        if (max(a, b, c) - min(a, b, c)) * a == 6 or c > max(a, b, c) - min(a, b, c)
    }
    names = ("q[1]", "q[2]", "q[3]", "x")
    assert {v.name for v in model.variables} == set(names)
    assert {tuple(one[name] for name in names) for one in find_solutions(model)} == found
    assert find_optimum(model)[1] == max(x + 2 * b for _, b, _, x in found)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"{X}constraint int_le(x,1);{ANY}", [(0,), (1,)]),
        ("var {1,3}: x; solve satisfy;", [(1,), (3,)]),
        ("var bool: b; constraint bool_eq(b,true); solve satisfy", None),
        (
            "int: n = 2; bool: t = true; set of int: s = {1,2}; var 0..3: x = n; constraint set_in_reif(x,s,t); " + ANY,
            [(2,)],
        ),
        ("array [1..2] of var 0..1: a = [x, 1];\n", None),
        (f"{X}array [1..2] of var 0..1: a = [x, 1]; constraint int_ne(a[1], a[2]); {ANY}", [(0,)]),
        (f'{X}constraint int_eq(x, 0x2); % a comment; "with" this\n{ANY}', [(2,)]),
        (
            f'{X}constraint int_le(1, x) :: a("; %b] (");constraint int_lt(x, 0o3) :: f([{{1}}], g(1.5e3, "x"));{ANY}',
            [(1,), (2,)],
        ),
        (f"{X}constraint int_lin_eq([-1, 2], [x, x], 3.0);\r\n{ANY}", [(3,)]),
        (f"var 1..1: y :: output_var;\n{ANY}", [(1,)]),
        (f"array [1..0] of int: none = [];\nvar bool: b;\nconstraint array_bool_or(none, b);\n{ANY}", [(0,)]),
        (f"{X}constraint set_in(x, {{}});\n{ANY}", []),
    ],
)
def test_grammar(text, found):
    if found is None:
        with pytest.raises(InputError):
            read(text)
    else:
        assert solutions(text) == found


def test_the_objective_of_files_that_scip_writes():
    text = "var 0..9: x; % not 1.5\nvar 0..9: y;\nconstraint int_lin_eq([1, 1], [x, y], 5);\n"
    model = read(text + "solve maximize int_float_lin([2.0, 1.0], [], [y, x], []);\n")
    assert find_optimum(model) == ({"x": 0, "y": 5}, 10)


@pytest.mark.parametrize("goal", ["minimize x", "maximize x", "minimize 3", "minimize xs[2]"])
def test_objectives(goal):
    text = f"{X}var 2..5: y;\narray [1..2] of var int: xs = [x, y];\nconstraint int_lt(x, y);\nsolve {goal};\n"
    assert find_optimum(read(text))[1] == {"minimize x": 0, "maximize x": 3, "minimize 3": 3, "minimize xs[2]": 2}[goal]


def test_an_objective_that_is_defined_needs_no_bounds_and_no_variable():
    text = f"{X}var int: cost :: output_var :: is_defined_var;\n"
    model = read(
        text + "constraint int_lin_eq([-1, 70000], [cost, x], 0) :: defines_var(cost);\nsolve maximize cost;\n"
    )
    assert find_optimum(model) == ({"x": 3}, 210000)
    with pytest.raises(
        UnsupportedError, match=r"^f.fzn, row 2: variable cost has no bounds: declare it as 'var 0..9: cost'$"
    ):
        read(text + "constraint int_lin_eq([-1, 70000], [cost, x], 0);\nsolve maximize cost;\n")


DEFINED = {
    "int_plus": "nnr",
    "int_times": "nnr",
    "int_div": "nnr",
    "int_mod": "nnr",
    "int_pow": "nnr",
    "int_max": "nnr",
    "int_abs": "nr",
    "bool2int": "br",
    "array_var_int_element": "nNr",
    "int_lin_eq": "WRc",
    "bool_and": "bbt",
    "bool_not": "bt",
    "array_bool_or": "Bt",
    "array_var_bool_element": "nBt",
    "int_le_reif": "nnt",
    "int_div_reif": "nnnt",
    "set_in_reif": "nst",
}
"""Kinds of the arguments; ``r`` is the number and ``t`` the Boolean that is defined."""


def defined_model(seed):
    """Variables that are seen, others that are defined by these and one another, and constraints on them."""
    draw = Draw(seed)
    pick = draw.random
    names = {"n": [draw.number() for _ in "ab"], "b": [draw.boolean() for _ in "ab"]}
    seen, calls = list(draw.domains), []
    for k in range(pick.randint(1, 4)):
        name = pick.choice(list(DEFINED))
        kind = "b" if "t" in DEFINED[name] else "n"
        one = f"X_INTRODUCED_{k}_"
        low = pick.randint(-3, 0)
        draw.domains[one] = [0, 1] if kind == "b" else list(range(low, low + pick.randint(1, 6)))
        span = "bool" if kind == "b" else f"{draw.domains[one][0]}..{draw.domains[one][-1]}"
        draw.rows.append(f"var {span}: {one} :: var_is_introduced :: is_defined_var;")
        args = [argument(letter, draw, names, one) for letter in DEFINED[name]]
        calls.append((name, args, f":: defines_var({one})"))
        names[kind].append(one)
    pairs = [("int_lt", pick.sample(names["n"], 2), ""), ("bool_le", pick.sample(names["b"], 2), "")]
    calls += pick.sample(pairs, pick.randint(1, 2))
    pick.shuffle(calls)
    rows = [f"constraint {name}({', '.join(args)}) {said};" for name, args, said in calls]
    return draw, seen, calls, "\n".join([*draw.rows, *rows, "solve satisfy;"])


def argument(letter, draw, names, defined):
    """By the kinds in ``DEFINED``."""
    pick = draw.random
    numbers, booleans = pick.choices(names["n"], k=2), pick.choices(names["b"], k=2)
    return {
        "n": numbers[0],
        "b": booleans[0],
        "r": defined,
        "t": defined,
        "c": draw.constant(),
        "s": draw.set(),
        "N": f"[{', '.join(numbers)}]",
        "B": f"[{', '.join(booleans)}]",
        "W": f"[{draw.constant()}, {pick.choice([-1, 1, 1, 2])}]",
        "R": f"[{numbers[0]}, {defined}]",
    }[letter]


def meaning_of(name):
    base = name.removesuffix("_reif")
    meaning = MEANINGS[base][0]
    return meaning if base == name else lambda *args: inner(meaning, args[:-1]) == args[-1]


@pytest.mark.quick(20)
@pytest.mark.parametrize("seed", range(60))
def test_what_is_put_in_loses_no_solution_and_makes_none(seed):
    draw, seen, calls, text = defined_model(seed)
    wanted = {
        tuple(one[name] for name in seen)
        for one in assignments(draw.domains)
        if all(holds(meaning_of(name), args, one) for name, args, _ in calls)
    }
    original, declared = read_foreign(text, "fzn", "f.fzn")
    assert {one.name for one in declared} == set(seen), text
    try:
        model = from_cpmpy(original, declared=declared)
    except InfeasibleError:
        assert not wanted, text
        return
    left = {v.name: draw.domains[v.name] for v in model.variables}
    assert set(seen) <= set(left), text
    judged = [one for one in assignments(left) if not broken_constraints(original, one)]
    assert [one for one in assignments(left) if model.check(one)] == judged, text
    assert {tuple(one[name] for name in seen) for one in judged} == wanted, text


def test_a_boolean_that_is_defined_as_a_number_stays_a_boolean():
    text = """var 1..3: x;
        var bool: X_INTRODUCED_0_ :: is_defined_var;
        constraint array_bool_element(x, [false, true], X_INTRODUCED_0_) :: defines_var(X_INTRODUCED_0_);
        constraint array_bool_or([X_INTRODUCED_0_, false], true);"""
    assert solutions(text + ANY) == [(2,)]


def test_long_chains_and_rounds_of_definitions_are_read():
    rows = [f"var 0..1: X_INTRODUCED_{k}_;" for k in range(400)]
    rows += [
        f"constraint int_abs(X_INTRODUCED_{k}_, X_INTRODUCED_{k + 1}_) :: defines_var(X_INTRODUCED_{k + 1}_);"
        for k in range(399)
    ]
    assert 20 < len(read("\n".join([*rows, ANY])).variables) < 30
    text = "var 0..3: X_INTRODUCED_0_;\nvar 0..3: X_INTRODUCED_1_;\n"
    rows = [
        f"constraint int_plus(X_INTRODUCED_{k}_, 1, X_INTRODUCED_{1 - k}_) :: defines_var(X_INTRODUCED_{1 - k}_);"
        for k in (0, 1)
    ]
    assert solutions("\n".join([text, *rows, ANY])) == []


@pytest.mark.parametrize("seed", range(60))
def test_texts_with_parts_taken_out_are_read_or_refused(seed):
    pick = random.Random(seed)
    text = COMPILED if seed % 3 else defined_model(seed)[-1]
    for _ in range(pick.randint(1, 3)):
        start = pick.randrange(len(text))
        piece = pick.choice(["", "", "", pick.choice('[](){}:;,.=-%"9x')])
        text = text[:start] + piece + text[start + pick.randint(0, pick.choice([1, 3, 30])) :]
    with contextlib.suppress(InputError, InfeasibleError):
        read(text)
