"""Files of Qubos: back with the same energies, read by dimod, and one clear line for whatever is wrong."""

import json
import os
from itertools import product
from pathlib import Path

import dimod
import numpy as np
import pytest
from dimod.serialization import coo as dimod_coo
from hypothesis import given, settings
from hypothesis import strategies as st
from random_qubos import energies, qubos, same
from test_format_faults import npy

from gatesolve.api import is_qubo_path, parse_problem, read_problem, read_qubo, write_qubo
from gatesolve.encodings import Space, make_binary, make_domain_wall, make_one_hot, make_table, make_unary
from gatesolve.errors import GatesolveError, InfeasibleError, InputError, UnsupportedError
from gatesolve.formats import program_of_model, read_lp
from gatesolve.model import Model, Objective, Variable
from gatesolve.qubo import Qubo

EXAMPLES = Path(__file__).parents[2] / "examples" / "qubo"
TEXT = [".qubo", ".coo", ".lp"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("files")


@pytest.mark.parametrize("suffix", [*TEXT, ".json"])
@pytest.mark.more_examples(60)
@settings(max_examples=25)
@given(qubo=qubos())
def test_written_and_read_again(folder, suffix, qubo):
    path = folder / f"some{suffix}"
    files = write_qubo(qubo, path)
    assert files == ((path,) if suffix == ".json" else (path, folder / f"some{suffix}.json"))
    assert is_qubo_path(path)
    again = read_qubo(path)
    assert again == qubo
    assert same(again, qubo)


@settings(max_examples=60)
@given(qubo=qubos(degree=4))
def test_json_of_any_degree(folder, qubo):
    write_qubo(qubo, folder / "hubo.json")
    assert read_qubo(folder / "hubo.json") == qubo


@pytest.mark.parametrize("suffix", TEXT)
@pytest.mark.more_examples(40)
@settings(max_examples=20)
@given(qubo=qubos())
def test_without_its_sidecar_energies_are_the_same(folder, suffix, qubo):
    path = folder / f"alone{suffix}"
    for file in write_qubo(qubo, path)[1:]:
        file.unlink()
    again = read_qubo(path)
    assert len(again.names) == len(qubo.names)
    assert energies(again) == energies(qubo)
    assert again.meanings == ()


@pytest.mark.parametrize("suffix", TEXT)
def test_no_format_but_json_takes_cubic_terms(tmp_path, suffix):
    cubic = Qubo(("a", "b", "c"), {(0, 1, 2): 1})
    with pytest.raises(UnsupportedError, match=f"a term has 3 variables, and {suffix} allows at most 2: write .json"):
        write_qubo(cubic, tmp_path / f"cubic{suffix}")
    assert list(tmp_path.iterdir()) == []


def test_fractions_stay_exact_in_json(tmp_path):
    from fractions import Fraction

    qubo = Qubo(("a", "b"), {(0,): Fraction(1, 3), (0, 1): Fraction(-1, 4)}, Fraction(22, 7))
    write_qubo(qubo, tmp_path / "f.json")
    again = read_qubo(tmp_path / "f.json")
    assert again == qubo
    assert '"1/3"' in (tmp_path / "f.json").read_text()


@settings(max_examples=60)
@given(qubo=qubos())
def test_dimod_reads_our_coo(folder, qubo):
    path = folder / "ours.coo"
    write_qubo(qubo, path)
    bqm = dimod_coo.loads(path.read_text())
    bqm.offset = float(qubo.offset)
    found = {m: float(c) for m, c in qubo.terms.items()}
    seen = {(v,): b for v, b in bqm.iter_linear() if b}
    seen |= {tuple(sorted(pair)): b for *pair, b in bqm.iter_quadratic()}
    assert seen == found


@settings(max_examples=60)
@given(qubo=qubos())
def test_dimod_reads_our_lp(folder, qubo):
    path = folder / "ours.lp"
    write_qubo(qubo, path)
    written = json.loads((folder / "ours.lp.json").read_text())["written_as"]
    cqm = dimod.lp.load(str(path))
    assert set(cqm.variables) == set(written)
    objective = cqm.objective
    for monomial, coefficient in qubo.terms.items():
        names = [written[k] for k in monomial]
        seen = objective.linear[names[0]] if len(names) == 1 else objective.get_quadratic(*names)
        assert seen == float(coefficient)
    assert objective.offset == float(qubo.offset)


@settings(max_examples=60)
@given(qubo=qubos())
def test_we_read_what_dimod_writes(folder, qubo):
    from gatesolve.formats import to_cqm

    names = tuple(f"v{k}" for k in range(qubo.num_variables))
    plain = Qubo(names, {m: float(c) for m, c in qubo.terms.items()}, float(qubo.offset))
    model = Model(tuple(Variable(name, (0, 1)) for name in names))
    (folder / "theirs.lp").write_text(dimod.lp.dumps(to_cqm(model, plain)))
    again = read_qubo(folder / "theirs.lp")
    order = [again.names.index(name) for name in names]
    assert {tuple(b[k] for k in order): e for b, e in energies(again).items()} == energies(plain)
    assert program_of_model(model, plain).domains == dict.fromkeys(names, (0, 1))


def test_we_read_dimods_coo(tmp_path):
    bqm = dimod.BinaryQuadraticModel({0: 0.5, 1: -1, 2: 0.25}, {(0, 1): 2, (1, 2): -0.75}, 0, "SPIN")
    (tmp_path / "spins.coo").write_text(dimod_coo.dumps(bqm, vartype_header=True))
    qubo = read_qubo(tmp_path / "spins.coo")
    for bits in product((0, 1), repeat=3):
        assert qubo.energy(bits) == bqm.energy({k: 2 * bit - 1 for k, bit in enumerate(bits)})


SPACES = [
    Space(
        (
            make_one_hot(Variable("a", (1, 2, 3))),
            make_binary(Variable("b", (0, 5, 7))),
            make_domain_wall(Variable("c", (2, 4, 9))),
        )
    ),
    Space((make_table(("a", "b"), [(1, 2), (2, 1), (3, 3)]), make_unary(make_table(("c", "d"), [(0, 1), (1, 0)])))),
    Space((make_one_hot(Variable("fixed", (4,))), make_one_hot(Variable("a", (0, 1))))),
]


@pytest.mark.parametrize("suffix", [*TEXT, ".json"])
@pytest.mark.parametrize("space", SPACES, ids=["single", "tables", "fixed"])
def test_samples_decode_after_reading(tmp_path, suffix, space):
    names = tuple(f"q{k}" for k in range(space.num_qubits))
    qubo = Qubo(names, {(0,): 1}, 2, tuple(f"bit {k}" for k in range(len(names))), space)
    write_qubo(qubo, tmp_path / f"s{suffix}")
    again = read_qubo(tmp_path / f"s{suffix}")
    assert again == qubo
    problem = read_problem(tmp_path / f"s{suffix}")
    assert (problem.qubo.space, problem.space) == (None, space)
    for bits in product((0, 1), repeat=len(names)):
        assert again.decode(bits) == qubo.decode(bits)


def text(tmp_path, content, name="p.qubo"):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


GOOD = [("p.coo", "0 0 -1\n0 1 2.5\n1 1 -1\n", Qubo(("x0", "x1"), {(0,): -1, (1,): -1, (0, 1): 2.5})),
    ("p.coo", "# vartype=BINARY\n# offset = -2\n# variables = 3\n0 1 1e-2\n",
     Qubo(("x0", "x1", "x2"), {(0, 1): 0.01}, -2)),
    ("p.coo", "# vartype=SPIN\n0 0 1\n0 1 1\n", Qubo(("x0", "x1"), {(1,): -2, (0, 1): 4})),
    ("p.coo", "a a 1\nb a .5\nc c -1.\n", Qubo(("a", "b", "c"), {(0,): 1, (2,): -1, (0, 1): 0.5})),
    ("p.qubo", "c by hand\nc offset = 4\np qubo 0 4 2 1\n0 0 1\n3 3 -2\nc couplers\n0 3 0.1\n",
     Qubo(("x0", "x1", "x2", "x3"), {(0,): 1, (3,): -2, (0, 3): 0.1}, 4)),
    ("p.qubo", "0 0 0.1\n0 0 0.2\n", Qubo(("x0",), {(0,): 0.3})),
    ("p.qubo", "c c 5\nc d 1\n", Qubo(("c", "d"), {(0,): 5, (0, 1): 1})),
    ("p.json", '{"terms": [[["a", "b"], 1], [["b", "a", "a"], 2], [[], 3], [["c", "b", "a"], -1]], "offset": 1}',
     Qubo(("a", "b", "c"), {(0, 1): 3, (0, 1, 2): -1}, 4)),
    ("p.csv", "1,2\n0,-3.5\n", Qubo(("x0", "x1"), {(0,): 1, (1,): -3.5, (0, 1): 2})),
    ("p.lp", "min\n 2 a - b + [ 3 a*b - a ^ 2 ]/2 + 1\nst\nbin\n a b c\nend",
     Qubo(("a", "b", "c"), {(0,): 1.5, (1,): -1, (0, 1): 1.5}, 1)),
    ("p.lp", "\\ said\nMaximize obj: - - 2 a + + 3 b - 0.5\nSubject To\nBinaries\na\nb\nEnd\n",
     Qubo(("a", "b"), {(0,): -2, (1,): -3}, 0.5)),]  # fmt: skip


@pytest.mark.parametrize(("name", "content", "qubo"), GOOD, ids=range(len(GOOD)))
def test_what_is_read(tmp_path, name, content, qubo):
    assert read_qubo(text(tmp_path, content, name)) == qubo


def test_files_are_told_by_their_text(tmp_path):
    assert is_qubo_path(text(tmp_path, "c a\nc b\np qubo 0 1 1 0\n0 0 1\n", "p.txt"))
    assert is_qubo_path(text(tmp_path, "\\ c\n\nMinimize\n x\nBinary\n x\nEnd", "p.txt"))
    assert is_qubo_path(text(tmp_path, "# vartype=SPIN\n0 0 1\n", "p.txt"))
    assert is_qubo_path(text(tmp_path, '{"terms": []}', "p.json"))
    assert not is_qubo_path(text(tmp_path, '{"family": "sudoku", "size": 4}', "s.json"))
    assert not is_qubo_path(text(tmp_path, "1 2 3\n", "p.txt"))
    assert not is_qubo_path(tmp_path / "missing.txt")
    assert not is_qubo_path(tmp_path)
    for board in Path(EXAMPLES.parent).glob("*/*.txt"):
        assert not is_qubo_path(board), board


def test_matrices_of_numpy(tmp_path):
    np.save(tmp_path / "m.npy", np.array([[1, 2.5], [0, -1]]))
    assert read_qubo(tmp_path / "m.npy") == Qubo(("x0", "x1"), {(0,): 1, (1,): -1, (0, 1): 2.5})


KNAPSACK = """Maximize
 obj: 4 a + 2 b + 1.5 i
Subject To
 weight: 12 a + 2 b + 0.5 i <= 15
 1 <= a + b <= 2
 even: i - 2 k = 0
Bounds
 i <= 4
 -1 <= k <= 3
Binary
 a b
General
 i k
End
"""


def test_lp_with_constraints_is_a_model(tmp_path):
    problem = read_problem(text(tmp_path, KNAPSACK, "k.lp"))
    assert problem.qubo is None
    assert problem.model.domains == {"a": (0, 1), "b": (0, 1), "i": (0, 1, 2, 3, 4), "k": (-1, 0, 1, 2, 3)}
    assert problem.model.objective == Objective(((8, "a"), (4, "b"), (3, "i")), 0, "max")
    assert problem.scale == 2
    assert [str(c) for c in problem.model.constraints] == [
        "24*a + 4*b + i <= 30", "-1*a + -1*b <= -1", "a + b <= 2", "i + -2*k == 0",
    ]  # fmt: skip
    with pytest.raises(InputError, match=r"k\.lp: has constraints or integer variables"):
        read_qubo(tmp_path / "k.lp")


@pytest.mark.parametrize(("row", "kept"), [("-inf <= x + y <= 2", ["<="]), ("1 <= x + y <= Infinity", [">="])])
def test_an_infinite_side_of_an_lp_row_bounds_nothing(row, kept):
    text = f"Minimize\n x\nSubject To\n r: {row}\n s: x - y <= 7\nBinary\n x y\nEnd\n"
    assert [one.relation for one in read_lp(text, "t.lp").rows] == [*kept, "<="]


@pytest.mark.parametrize("row", ["x + y <= inf", "- infinity <= x + y", "x = 1 -> y <= +inf"])
def test_a_row_that_bounds_nothing_is_named_as_its_variables_would_be_lost(row):
    with pytest.raises(InputError, match=r"t\.lp, row 4, column 2: row 'r' bounds nothing: leave it out"):
        read_lp(f"Minimize\n x\nSubject To\n r: {row}\n s: x - y <= 7\nBinary\n x y\nEnd\n", "t.lp")


DOCPLEX = r"""\ This file has been generated by DOcplex
\ ENCODING=ISO-8859-1
\Problem name: by hand

Maximize
 obj: - 0.100000000000 a + 2 b + [ - 4.500000000000 a*b + 2 b^2 ]/2 +
      1.500000000000
Subject To
 need: a + 2 i >= 1.500000000000
 tie: b - 2 j = -1

Bounds
 0 <= a <= 1
 0 <= b <= 1
 -2 <= i <= 7
       j <= 3

Binaries
 a b

Generals
 i j
End
"""


def test_what_docplex_writes(tmp_path):
    problem = read_problem(text(tmp_path, DOCPLEX, "d.lp"))
    assert problem.qubo == Qubo(("a", "b"), {(0,): 0.1, (1,): -3, (0, 1): 2.25}, -1.5)
    assert problem.sense == "max"
    assert {name: (d[0], d[-1]) for name, d in problem.model.domains.items()} == {
        "a": (0, 1), "b": (0, 1), "i": (-2, 7), "j": (0, 3),
    }  # fmt: skip
    assert [str(c) for c in problem.model.constraints] == ["-1*a + -2*i <= -2", "b + -2*j == -1"]


def test_constraints_that_cannot_hold(tmp_path):
    head, tail = "Minimize\n a\nSubject To\n", "\nBinary\n a b\nEnd"
    with pytest.raises(InfeasibleError, match="c1 never holds: whole numbers do not add up to 1/2"):
        read_problem(text(tmp_path, f"{head} a + b = 0.5{tail}", "p.lp"))
    with pytest.raises(InfeasibleError, match="constraint no reads no variable and does not hold: 0 >= 1"):
        read_problem(text(tmp_path, f"{head} no: 0 a >= 1{tail}", "p.lp"))


def test_files_that_cannot_be_opened(tmp_path):
    with pytest.raises(InputError, match=r"missing\.qubo: no such file"):
        read_problem(tmp_path / "missing.qubo")
    with pytest.raises(InputError, match="a directory"):
        read_problem(tmp_path)
    with (tmp_path / "large.qubo").open("wb") as file:
        os.truncate(file.fileno(), (1 << 26) + 1)
    with pytest.raises(InputError, match=r"large\.qubo: more than 64 MiB"):
        read_problem(tmp_path / "large.qubo")


def test_large_matrices_are_refused_by_their_header(tmp_path):
    path = tmp_path / "large.npy"
    with path.open("wb") as file:
        np.lib.format.write_array_header_1_0(file, {"descr": "<f8", "fortran_order": False, "shape": (10**6, 10**6)})
    with pytest.raises(InputError, match="1000000 variables, and at most 65536"):
        read_problem(path)
    np.save(path, np.eye(3))
    path.write_bytes(path.read_bytes()[:-8])
    with pytest.raises(InputError, match="not a numpy file, or cut short"):
        read_problem(path)
    np.save(path, np.array([["a"]]))
    with pytest.raises(InputError, match="an array of <U1, not of numbers"):
        read_problem(path)


def test_a_matrix_of_python_2_is_read_without_a_warning(tmp_path):
    path = text(tmp_path, npy("{'descr': '<f8', 'fortran_order': True, 'shape': (2L, 2L), }"), "p.npy")
    assert read_qubo(path) == Qubo(("x0", "x1"), {})


def changed(path, **fields):
    data = json.loads(path.read_text())
    path.write_text(json.dumps({k: v for k, v in {**data, **fields}.items() if v is not None}))


@pytest.mark.parametrize(
    ("fields", "message"),
    [({"offset": 3}, r"p\.coo\.json: offset 3, but 1 in .*p\.coo: correct one of them"),
        ({"variables": ["a"]}, r"not a sidecar of .*p\.coo"),
        ({"variables": ["a", "a"]}, "names 'a' twice"),
        ({"blocks": [{"kind": "binary", "variables": ["v"], "values": [[0], [1]], "codewords": [0, 8], "bits": 2}]},
         "block 1 has codewords of more than 2 bits"),],
    ids=range(4),
)  # fmt: skip
def test_sidecars_of_something_else(tmp_path, fields, message):
    path = tmp_path / "p.coo"
    write_qubo(Qubo(("a", "b"), {(0, 1): 1}, 1), path)
    changed(tmp_path / "p.coo.json", **fields)
    with pytest.raises(InputError, match=message) as caught:
        read_problem(path)
    assert str(caught.value).startswith(str(path))


def test_an_offset_that_the_file_does_not_state_is_the_sidecars(tmp_path):
    path = tmp_path / "p.coo"
    write_qubo(Qubo(("a", "b"), {(0, 1): 1}, 1.5), path)
    path.write_text("0 1 1\n")
    assert read_qubo(path) == Qubo(("a", "b"), {(0, 1): 1}, 1.5)
    changed(tmp_path / "p.coo.json", format="something else")
    assert read_qubo(path) == Qubo(("x0", "x1"), {(0, 1): 1})


def test_writing_is_atomic_and_refuses_politely(tmp_path):
    qubo = Qubo(("a",), {(0,): 1})
    with pytest.raises(InputError, match=r"p\.txt: unknown format: end the name in \.qubo, \.coo, \.lp,"):
        write_qubo(qubo, tmp_path / "p.txt")
    with pytest.raises(InputError, match="cannot be written: No such file"):
        write_qubo(qubo, tmp_path / "nowhere" / "p.json")
    with pytest.raises(InputError, match="no variables are left"):
        write_qubo(Qubo((), {}, 3), tmp_path / "p.json")
    (tmp_path / "p.coo").mkdir()
    with pytest.raises(InputError, match="cannot be written"):
        write_qubo(qubo, tmp_path / "p.coo")
    assert {path.name for path in tmp_path.iterdir()} <= {"p.coo", "p.coo.json"}


SEEDS = [
    ("p.qubo", (EXAMPLES / "triangle.qubo").read_text()),
    ("p.coo", (EXAMPLES / "ring-5.coo").read_text()),
    ("p.json", (EXAMPLES / "barker-7.json").read_text()[:900] + " ]}"),
    ("p.lp", (EXAMPLES / "knapsack-12.lp").read_text()),
    ("p.lp", "Minimize\n o: 2 a - [ a * b + i ^ 2 ]/2\nSubject To\n 1 <= a + i <= 3\nBounds\n -1 <= i <= inf\n a free\n"
     "Binary\n a b\nGeneral\n i\nEnd\n"),
    ("p.csv", "1,2,3\n0,4,5\n0,0,-6e-3\n"),
]  # fmt: skip
PIECES = [
    "", " ", "\n", "-", "nan", "1e9", "0", "x", "[", "]", "*", "<=", ":", "End", "p qubo 0 2 1 1", '"', "{", ",", "#"
]  # fmt: skip


def outcome(content, name):
    """The title of what was read, or the refusal; any other error comes through."""
    try:
        return parse_problem(content, name, suffix=Path(name).suffix).title
    except GatesolveError as error:
        return str(error)


@pytest.mark.more_examples(300)
@settings(max_examples=100)
@given(data=st.data())
def test_damaged_files_are_refused_in_one_line_or_read(data):
    name, content = data.draw(st.sampled_from(SEEDS))
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(content)))
        end = min(len(content), start + data.draw(st.integers(0, 6)))
        content = content[:start] + data.draw(st.sampled_from(PIECES)) + content[end:]
    assert "\n" not in outcome(content, name)
