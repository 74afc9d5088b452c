"""One clear line for every file of a Qubo that cannot be read, and for every one that cannot be written."""

import json
import os
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
