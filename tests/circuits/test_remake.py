"""The published circuits are what the command makes, and do what their rows say."""

import csv
from pathlib import Path

import numpy as np
import pytest
from qiskit import qasm3
from scripts import load_script

import gatesolve
from gatesolve.simulate import check_branches, probabilities

ROOT = Path(__file__).resolve().parents[2]
PUBLISHED = ROOT / "circuits" / "kakuro"
SOLUTION = {"r2c2": 2, "r2c3": 1, "r3c2": 3, "r3c3": 2, "r3c4": 0, "r4c3": 0, "r4c4": 1}


@pytest.fixture(scope="module")
def remade(tmp_path_factory):
    folder = tmp_path_factory.mktemp("circuits")
    load_script(ROOT / "circuits" / "remake.py").remake(folder)
    return folder


def rows_of(folder):
    with (folder / "results.csv").open() as file:
        return {row["name"]: row for row in csv.DictReader(file)}


def without_versions(row):
    return {name: value for name, value in row.items() if name not in {"versions", "success_probability"}}


NAMES = sorted(path.stem for path in PUBLISHED.glob("*.qasm3"))


@pytest.mark.slow
def test_every_published_circuit_has_a_row_and_is_remade(remade):
    assert sorted(rows_of(PUBLISHED)) == NAMES
    assert sorted(path.stem for path in remade.glob("*.qasm3")) == NAMES


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_remaking_gives_the_published_circuit_and_row(name, remade):
    published, again = (qasm3.loads((folder / f"{name}.qasm3").read_text()) for folder in (PUBLISHED, remade))
    assert published == again
    old, new = rows_of(PUBLISHED)[name], rows_of(remade)[name]
    assert without_versions(old) == without_versions(new)
    assert float(old["success_probability"]) == pytest.approx(float(new["success_probability"]), abs=1e-12)


def compiled_for(row):
    budget = None if row["ancillas"] == "any" else int(row["ancillas"])
    return gatesolve.compile(
        ROOT / "examples" / "kakuro" / "contest.txt",
        presolve="none",
        oracle=row["oracle"],
        level="merged" if row["level"] == "classical" else row["level"],
        encoding=row["encoding"],
        ancillas=budget,
    )


@pytest.mark.sampled(2)
@pytest.mark.quick("k7-classical-binary-oracle-2-ancillas")
@pytest.mark.parametrize("name", [n for n in NAMES if "-oracle" in n])
def test_published_oracles_mark_the_one_solution(name):
    row = rows_of(PUBLISHED)[name]
    circuit = qasm3.loads((PUBLISHED / f"{name}.qasm3").read_text())
    space = compiled_for(row).program.space
    numbers = np.arange(space.size)
    bits = space.inputs(numbers, circuit.num_qubits)
    marked = np.array([space.assignment(int(number)) == SOLUTION for number in numbers])
    assert marked.sum() == 1
    check_branches(circuit, bits, marked, seed=0)


@pytest.mark.sampled(1)
@pytest.mark.quick("k7-classical-table-whole")
@pytest.mark.parametrize("name", [n for n in NAMES if n.endswith("whole")])
def test_published_searches_find_the_board(name):
    row = rows_of(PUBLISHED)[name]
    space = compiled_for(row).program.space
    found = probabilities(qasm3.loads((PUBLISHED / f"{name}.qasm3").read_text()))
    best = max(found, key=found.get)
    # Ancillas follow the data qubits and must be zero, so the state is the data's own number.
    assert space.decode(best) == SOLUTION
    assert found[best] == pytest.approx(float(row["success_probability"]), abs=1e-9)
    assert row["level"] == "literal" or int(row["cx"]) < 371
