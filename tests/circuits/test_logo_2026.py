"""The published logo circuit is what its row and its formula say; shared products and CX conjugation are exact."""

import csv
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judges import logo_2026
from qiskit import QuantumCircuit
from scripts import load_script

from gatesolve.circuit import PhaseCheck, certify
from gatesolve.oracle.boolean import bits_of
from gatesolve.oracle.boolean.affine import affine_cube_ops
from gatesolve.oracle.boolean.cubes import cube_ops

FOLDER = Path(__file__).parents[2] / "circuits" / "logo-2026"


@pytest.fixture(scope="module")
def make():
    return load_script(FOLDER / "make.py")


@pytest.mark.slow
def test_the_entry_marks_the_logo_and_nothing_else(make):
    assert sum(make.marked(i % 64, i // 64) for i in range(4096)) == 1097
    assert logo_2026.judge("logo", "exact", [FOLDER / "entry.qasm"]).qubits == 18


@pytest.mark.slow
def test_made_again_it_is_the_same(make, tmp_path):
    make.remake(tmp_path)
    for name in ("entry.qasm", "results.csv"):
        assert (tmp_path / name).read_text() == (FOLDER / name).read_text()


def test_its_row_is_measured_on_it():
    circuit = QuantumCircuit.from_qasm_file(str(FOLDER / "entry.qasm"))
    with (FOLDER / "results.csv").open() as file:
        (row,) = csv.DictReader(file)
    assert set(circuit.count_ops()) == {"u3", "cx"}
    assert (circuit.num_qubits, circuit.depth(), circuit.count_ops()["cx"], circuit.count_ops()["u3"]) == tuple(
        int(row[key]) for key in ("qubits", "depth", "cx", "u")
    )


def test_its_text_has_only_u3_and_cx(make):
    circuit = QuantumCircuit(2)
    circuit.u(0.1, -0.2, 0.3, 1)
    circuit.cx(1, 0)
    text = make.u3_text(circuit)
    assert text.splitlines()[2:] == ["qreg q[2];", "u3(0.1,-0.2,0.3) q[1];", "cx q[1],q[0];"]


@settings(max_examples=25, deadline=None)
@given(st.lists(st.booleans(), min_size=64, max_size=64), st.integers(0, 4), st.integers(0, 9))
def test_flips_equal_the_table_whatever_is_lent(values, lent, seed):
    table = np.array(values)
    clean = tuple(range(6, 6 + lent))
    bits = bits_of(6)
    for ops in (cube_ops(table, clean), affine_cube_ops(table, clean, 6, seed)):
        check = PhaseCheck(ops, 6, 6 + lent, 64, lambda numbers: bits[:, numbers], lambda numbers: table[numbers])
        certificate, _ = certify(check, 64, 0)
        assert certificate.marked == table.sum()


def test_the_affine_search_is_the_same_every_time():
    table = np.arange(256) % 7 < 3
    assert affine_cube_ops(table, (8, 9), 10, 5) == affine_cube_ops(table, (8, 9), 10, 5)
