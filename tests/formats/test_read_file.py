"""Files of other solvers go in like any other: by path, by text, packed, under any name, through every call."""

import bz2
import gzip
import json
import lzma

import dimod
import numpy as np
import pytest
from foreign_files import number_of, random_opb, rows_hold, satisfied, sums, uniform_cnf

import gatesolve
from gatesolve.api import as_problem
from gatesolve.errors import InputError

MAX_BYTES = 1 << 20
CNF = "c three\np cnf 3 2\n1 -2 0\n2 3 0\n%\n0\n"
FILES = {
    "a.cnf": CNF,
    "b.wcnf": "h 1 2 0\n3 -1 0\n1 -2 0\n",
    "c.opb": "* #variable= 3 #constraint= 1\nmin: 1 x1 +2 x2 +3 x3 ;\n+1 x1 +1 x2 +1 x3 >= 2 ;\n",
    "d.mps": "NAME d\nROWS\n N f\n L c\nCOLUMNS\n M 'MARKER' 'INTORG'\n x f -2 c 3\n y f -1 c 1\n M 'MARKER' 'INTEND'\n"
    "RHS\n R c 3\nBOUNDS\n BV B x\n UP B y 2\nENDATA\n",
    "e.lp": "Maximize\n x + y\nSubject To\n b = 1 -> x + y <= 2\n q: [ x * y ] <= 2\nBounds\n x <= 2\n y <= 2\n"
    "Binary\n b\nGeneral\n x y\nEnd\n",
    "f.mc": "3 2\n1 2 3\n2 3 -2\n",
}
BEST = {"a.cnf": None, "b.wcnf": 1, "c.opb": 3, "d.mps": -2, "e.lp": 3, "f.mc": 3}


@pytest.mark.parametrize("name", FILES)
def test_every_kind_is_solved(tmp_path, name):
    path = tmp_path / name
    path.write_text(FILES[name])
    result = gatesolve.solve(path)
    assert result.status == "solved"
    assert result.problem.complaints(result.solution) == []
    assert result.problem.energy(result.solution) == BEST[name]
    assert result.problem.title.startswith(name)


def test_spins_of_a_file_are_spins(tmp_path):
    bqm = dimod.BinaryQuadraticModel({"a": 1, "b": 0}, {("a", "b"): -2}, 0.5, "SPIN")
    path = tmp_path / "a.json"
    path.write_text(json.dumps(bqm.to_serializable()))
    result = gatesolve.solve(path)
    assert result.solution == {"a": -1, "b": -1}
    assert result.energy == bqm.energy(result.solution) == -2.5
    path.write_text(json.dumps(bqm.change_vartype("BINARY").to_serializable()))
    assert gatesolve.solve(path).solution == {"a": 0, "b": 0}


@pytest.mark.parametrize(("suffix", "pack"), [("gz", gzip.compress), ("xz", lzma.compress), ("bz2", bz2.compress)])
def test_packed_files(tmp_path, suffix, pack):
    path = tmp_path / f"a.CNF.{suffix}"
    path.write_bytes(pack(CNF.encode()))
    assert as_problem(path).model == as_problem(CNF).model
    assert as_problem(path).title == f"a.CNF.{suffix}: 3 variables, 2 constraints"
    path.write_bytes(pack(CNF.encode())[:-9])
    with pytest.raises(InputError, match=rf"a.CNF.{suffix}: packed, and cut short: fetch the file again"):
        as_problem(path)
    path.write_bytes(pack(b"c" * (MAX_BYTES + 1)))
    with pytest.raises(InputError, match=rf"a.CNF.{suffix}: more than 1 MiB: give a smaller problem"):
        as_problem(path)
    data = bytearray(pack(CNF.encode()))
    data[12:20] = bytes(8)
    path.write_bytes(bytes(data))
    with pytest.raises(InputError, match=rf"a.CNF.{suffix}: packed, "):
        as_problem(path)


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress, bz2.compress])
def test_every_stream_of_a_packed_file_is_read(tmp_path, pack):
    path = tmp_path / "a.cnf.gz"
    half = len(CNF) // 2
    parts = [pack(CNF[:half].encode()), pack(b""), pack(CNF[half:].encode())]
    for between in (b"", bytes(512)):
        path.write_bytes(between.join([*parts, b""]))
        assert as_problem(path).model == as_problem(CNF).model
    path.write_bytes(pack(b"c" * (MAX_BYTES - 1)) + pack(b"cc"))
    with pytest.raises(InputError, match="more than 1 MiB"):
        as_problem(path)
    for more in (b"\n", CNF.encode(), b"\0c", gzip.compress(b"") if pack is not gzip.compress else bz2.compress(b"")):
        path.write_bytes(parts[0] + parts[2] + more)
        with pytest.raises(InputError, match=r"a\.cnf\.gz: packed, with something else after its end"):
            as_problem(path)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("seed", range(3))
def test_uniform_cnf_is_solved(tmp_path, seed):
    text, clauses = uniform_cnf(seed)
    path = tmp_path / "uf20.cnf"
    path.write_text(text)
    result = gatesolve.solve(path)
    assert satisfied(clauses, 20)[number_of(result.solution)]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("seed", range(6))
def test_random_opb_is_solved(seed):
    text, rows, goal = random_opb(seed)
    result = gatesolve.solve(text)
    place, true = number_of(result.solution), rows_hold(rows, 10)
    assert true[place]
    if goal is not None:
        values = sums(goal[0], 10)
        best = (np.min if goal[1] == "min" else np.max)(values[true])
        assert values[place] == best == result.problem.energy(result.solution)
