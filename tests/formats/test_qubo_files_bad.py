"""One clear line for every file of a Qubo that cannot be read, and for every one that cannot be written."""

import json
import os
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatesolve.api import parse_problem, read_problem, read_qubo, write_qubo
from gatesolve.errors import GatesolveError, InfeasibleError, InputError
from gatesolve.qubo import Qubo

EXAMPLES = Path(__file__).parents[2] / "examples" / "qubo"


def text(tmp_path, content, name="p.qubo"):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_constraints_that_cannot_hold(tmp_path):
    head, tail = "Minimize\n a\nSubject To\n", "\nBinary\n a b\nEnd"
    with pytest.raises(InfeasibleError, match="c1 never holds: whole numbers do not add up to 1/2"):
        read_problem(text(tmp_path, f"{head} a + b = 0.5{tail}", "p.lp"))
    with pytest.raises(InfeasibleError, match="constraint no reads no variable and does not hold: 0 >= 1"):
        read_problem(text(tmp_path, f"{head} no: 0 a >= 1{tail}", "p.lp"))


def npy(header):
    """A file of numpy's with any header, and a few entries."""
    return b"\x93NUMPY\1\0" + (len(header) + 1).to_bytes(2, "little") + header.encode() + b"\n" + bytes(32)


HUGE = [
    ("p.coo", "0 0 1\n0 1 BIG\n"),
    ("p.coo", "# offset = BIG\n0 0 1\n"),
    ("p.qubo", "p qubo 0 1 1 0\n0 0 BIG\n"),
    ("p.csv", "BIG,0\n0,1\n"),
    ("p.json", '{"terms": [[["a"], BIG]]}'),
    ("p.json", '{"terms": [[["a"], "BIG/3"]]}'),
    ("p.lp", "Minimize\n BIG a\nBinary\n a\nEnd\n"),
]
LP = "Minimize\n obj: {}\nSubject To\n {}\nBinary\n a b\n{}"
BAD = [
    ("p.qubo", "", "p.qubo: empty: write a problem into it"),
    ("p.qubo", "# nothing\n", "p.qubo: no terms: write one line 'i j weight' a term"),
    ("p.qubo", b"\x00\x01\x02", "p.qubo: a binary file, not text"),
    ("p.qubo", b"0 0 1\n\xff\xfe\n", "p.qubo, row 2: not UTF-8 text"),
    ("p.qubo", "0 0 1\n0 1 nan\n", "p.qubo, row 2, column 3: the weight is nan: give a finite number"),
    ("p.qubo", "0 0 1e999\n", "row 1, column 3: the weight '1e999' is too large"),
    ("p.qubo", "0 0 heavy\n", "row 1, column 3: 'heavy' is not a number: give the weight as a decimal"),
    ("p.qubo", "0 x 1\n", "row 1, column 2: 'x' is no variable number: number the variables from 0"),
    ("p.qubo", "a 1 1\n", "row 1, column 2: '1' is no variable: give all variables numbers, or all of them names"),
    ("p.qubo", "0 -1 1\n", "row 1, column 2: variable -1 is negative"),
    ("p.qubo", "0 1\n", "row 1: 2 words, '0 1': write 'i j weight'"),
    ("p.qubo", "1 1 1\n1 3 1\n", "no line holds variable 0, 2: number from 0 without gaps, or add '# variables = 4'"),
    ("p.qubo", "0 1000000 1\n", "row 1, column 2: 1000001 variables: at most 65536 are read, as nothing here solves"),
    ("p.qubo", "p qubo 0 1000000 1 0\n0 0 1\n", "row 1, column 4: 1000000 variables: at most 65536"),
    ("p.qubo", "# variables = 2\n0 2 1\n", "row 2, column 2: variable 2 of 2 declared: number them from 0, or declare"),
    ("p.qubo", "p qubo 0 2 2 1\n0 0 1\n1 1 1\n", "0 couplers, the p line says 1: the file is cut short, or mend"),
    ("p.qubo", "p cnf 3 2\n1 2 0\n", "row 1: not a problem line: write 'p qubo 0 VARIABLES DIAGONALS COUPLERS'"),
    ("p.qubo", "p qubo 0 1 0 0\np qubo 0 1 0 0\n", "row 2: a second problem line"),
    ("p.coo", "# vartype=TERNARY\n0 0 1\n", "row 1: unknown vartype 'TERNARY': write BINARY or SPIN"),
    ("p.json", "{", "p.json, row 1, column 2: not one JSON object"),
    ("p.json", "[" * 100_000, "p.json: JSON too deep"),
    ("p.json", "{}", 'p.json: no list "terms"'),
    ("p.json", '{"terms": [["a", 1]]}', "term 1 is .*: write"),
    ("p.json", '{"terms": [[["a"], NaN]]}', "the weight of term 1 is nan: give a finite number"),
    ("p.json", '{"terms": [[["a"], "x"]]}', "the weight of term 1 is '\"x\"': give a number"),
    ("p.json", '{"terms": [[["a"], "1/0"]]}', "give a number"),
    ("p.json", '{"variables": ["b"], "terms": [[["a"], 1]]}', "term 1 reads 'a', which is not among the variables"),
    ("p.json", '{"variables": ["b", "b"], "terms": []}', "names 'b' twice"),
    ("p.json", '{"terms": [[["a"], 1]], "blocks": [{}]}', "block 1 is malformed"),
    ("p.json", '{"format": "gatesolve-qubo-sidecar", "file": "p.coo"}', "the sidecar of 'p.coo': name that file"),
    ("p.csv", "1,2\n3,4\n", "p.csv, row 2, column 1: asymmetric: 3 here, 2 at row 1 column 2"),
    ("p.csv", "1,2\n0\n", "p.csv, row 2: 1 entries in a matrix of 2 rows"),
    ("p.csv", "1e308,1e308\n1e308,1e308\n", "p.csv, row 1, column 2: inf: give a finite number"),
    ("p.npy", b"no", "p.npy: not a file of numpy's"),
    ("p.npy", npy("{'descr': '<f8', 'fortran_order': False, 'shape': (-1, 1), }"), "p.npy: not a file of numpy's"),
    *((name, content.replace("BIG", "9" * 309), "is too large: give a number below 1e308") for name, content in HUGE),
    ("p.coo", "0 0 1e308\n1 1 1e308\n", "p.coo: the coefficients add up to more than 1.7e308"),
    ("p.json", '{"terms": [[["a\\ud800"], 1]]}', "p.json: JSON with half of a surrogate pair"),
    (
        "p.lp",
        LP.format("a", "", "Bounds\n 9223372036854775806 <= i <= 9223372036854775808\nGeneral\n i\nEnd"),
        "p.lp: variable i takes values of 19 digits: at most 2^62 is computed with",
    ),
    (
        "p.lp",
        LP.format("a", "1e20 a - 1e20 b >= 1", "End"),
        "p.lp: the constraint on a, b reaches numbers of 21 digits",
    ),
    ("p.lp", "hello world", "p.lp, row 1, column 1: 'hello' before the objective"),
    ("p.lp", "Minimize\n a\nBinary\n a\n", "p.lp, row 4: no 'End': the file is cut short"),
    ("p.lp", LP.format("nan a", "a <= 1", "End"), "row 2, column 7: the coefficient is nan"),
    ("p.lp", LP.format("2 a +", "a <= 1", "End"), "a variable is missing before this: add it"),
    ("p.lp", LP.format("2 a 3 b", "a <= 1", "End"), "row 2, column 11: no + or - before '3'"),
    ("p.lp", LP.format("a * b", "a <= 1", "End"), "a product outside brackets: write quadratic terms as"),
    ("p.lp", LP.format("[ a * b", "a <= 1", "End"), "row 2, column 7: a bracket that is not closed"),
    ("p.lp", LP.format("a", "a + b", "End"), "<=, >= or = is missing before this"),
    ("p.lp", LP.format("a", "a <= b", "End"), "row 4, column 7: 'b' where a number should stand"),
    ("p.lp", LP.format("a", "a + b >= inf", "End"), "row 4, column 2: nothing is >= inf: give a finite number"),
    ("p.lp", LP.format("a", "a | b", "End"), "row 4, column 4: '|' has no meaning in an LP file"),
    ("p.lp", LP.format("a", "r: a + z <= 1", "End"), "row 4: variable z is real, and qubits hold"),
    (
        "p.lp",
        LP.format("a", "r: a = 1 -> [ a * b ] <= 1", "End"),
        "column 2: constraint r is quadratic behind '->'",
    ),
    ("p.lp", LP.format("a", "r: a = 2 -> b <= 1", "End"), "row 4, column 9: '2' where 0 or 1 should stand"),
    (
        "p.lp",
        LP.format("a", "r: n = 1 -> b <= 1", "General\n n\nBounds\n n <= 2\nEnd"),
        "row 4, column 2: n before '->' is no 0/1",
    ),
    ("p.lp", LP.format("a", "", "General\n i\nEnd"), "integer variable i has no bound: add 0 <= i <= 9 under Bounds"),
    ("p.lp", LP.format("a", "", "SOS1\n s\nEnd"), "section 'SOS1' is not read"),
    (
        "p.lp",
        LP.format("a", "", "SOS\n s: S3 :: a:1\nEnd"),
        "row 8, column 2: 'S3' where S1 or S2 should stand",
    ),
    ("p.lp", LP.format("a", "", "SOS\n s: S1 a:1\nEnd"), "row 8, column 8: 'a' where :: should stand"),
    ("p.lp", LP.format("a", "", "SOS\n s: S1 :: a:1 a:2\nEnd"), "row 8, column 2: a twice in s: take one out"),
    ("p.lp", LP.format("a", "", "End\nMinimize\n"), "a second problem after 'End'"),
]


@pytest.mark.parametrize(("name", "content", "message"), BAD, ids=range(len(BAD)))
def test_bad_files(tmp_path, monkeypatch, name, content, message):
    text(tmp_path, content, name)
    monkeypatch.chdir(tmp_path)
    pattern = message.replace(".*", "\0")
    with pytest.raises(InputError, match=re.escape(pattern).replace(re.escape("\0"), ".*")) as caught:
        read_problem(Path(name))
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith(name)


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
    with pytest.raises(InputError, match="1000000 variables: at most 65536"):
        read_problem(path)
    np.save(path, np.eye(3))
    path.write_bytes(path.read_bytes()[:-8])
    with pytest.raises(InputError, match="not a file of numpy's, or cut short"):
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
    [({"offset": 3}, r"p\.coo\.json: offset 3, but 1 in .*p\.coo: mend one of them"),
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
    with pytest.raises(InputError, match=r"p\.txt: cannot tell the format: end the name in \.qubo, \.coo, \.lp,"):
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
    "",
    " ",
    "\n",
    "-",
    "nan",
    "1e9",
    "0",
    "x",
    "[",
    "]",
    "*",
    "<=",
    ":",
    "End",
    "p qubo 0 2 1 1",
    '"',
    "{",
    ",",
    "#",
]


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
