"""The comparison with other optimisers counts only what it has followed, and says what is missing."""

import sys

import numpy as np
import pytest
from qiskit import QuantumCircuit

from benchmarks.suites import optimisers
from gatesolve.circuit import build


@pytest.fixture(scope="module")
def toffoli():
    return optimisers.mcx_case(2, 1)


@pytest.fixture(scope="module")
def literal():
    return optimisers.literal_case()


def test_the_emitted_circuits_are_right(literal, toffoli):
    for case in (literal, toffoli, optimisers.mcx_case(4, 1)):
        assert case.holds(build(case.gates, case.width))


def test_wrong_circuits_have_no_counts(toffoli):
    assert not toffoli.holds(QuantumCircuit(toffoli.width))
    assert optimisers.checked(toffoli, QuantumCircuit(toffoli.width), 0.0) == "wrong"
    moved = build([*toffoli.gates, ("x", (0,), 0.0)], toffoli.width)
    assert optimisers.checked(toffoli, moved, 0.0) == "wrong"
    left = build([*toffoli.gates, ("cx", (0, 3), 0.0)], toffoli.width)
    assert not toffoli.holds(left)


def test_more_cx_than_emitted_is_counted_in_brackets(toffoli):
    more = build([*toffoli.gates, ("cx", (0, 1), 0.0)], toffoli.width)
    found = optimisers.checked(toffoli, more, 0.0)
    assert not found.followed
    assert f"({optimisers.CLIFFORD(found)})" in optimisers.table([toffoli], {"row": [found]}, optimisers.CLIFFORD)


@pytest.mark.slow
def test_ours_on_a_literal_oracle_beats_what_was_emitted(literal):
    before = optimisers.checked(literal, build(literal.gates, literal.width), 0.0)
    after = optimisers.our_passes(literal, literal.gates)
    assert after.cx <= 290 < before.cx
    assert after.t <= 203 < before.t
    assert after.depth < before.depth


def test_a_circuit_is_read_as_our_gates():
    circuit = QuantumCircuit(2)
    circuit.cz(0, 1)
    circuit.h(1)
    circuit.rz(0.25 * np.pi, 0)
    circuit.swap(0, 1)
    names = [name for name, _, _ in optimisers.exact(circuit)]
    assert names == ["h", "cx", "t", "cx", "cx", "cx"]
    circuit.rz(0.1, 0)
    assert optimisers.exact(circuit) is None


def test_a_peer_that_is_missing_is_named(toffoli, tmp_path):
    rows, notice = optimisers.peers([toffoli], [toffoli.gates], str(tmp_path / "python"))
    assert rows == {}
    assert notice.startswith("pyzx skipped: ")
    rows, notice = optimisers.peers([toffoli], [toffoli.gates], sys.executable)
    for name in ("pyzx", "pytket"):
        assert (f"{name} skipped" in notice) != any(row.lower().startswith(name) for row in rows)
