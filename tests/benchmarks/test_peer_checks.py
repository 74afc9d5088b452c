"""Peers' circuits count only where they are right on every codeword that is tried."""

import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.circuit.library import MCXGate

from benchmarks.core import problems
from benchmarks.core.follow import Codewords
from benchmarks.suites import gate_counts

STATES = np.array([[number >> qubit & 1 for number in range(8)] for qubit in range(3)], dtype=bool)
LAST, BOTH = Codewords(STATES, STATES.all(axis=0)), Codewords(STATES[:2, :4], STATES[:2, :4].all(axis=0))


def ccz(add=lambda circuit: None) -> QuantumCircuit:
    """The phase of the last state, and something more."""
    circuit = QuantumCircuit(4)
    circuit.ccz(0, 1, 2)
    circuit = circuit.decompose().decompose()
    add(circuit)
    return circuit


def erased(right: bool) -> QuantumCircuit:
    """An AND onto qubit 2 erased by measurement, with the correction or without, and a Z of it in between."""
    circuit = QuantumCircuit(4, 1)
    both = QuantumCircuit(3)
    both.ccx(0, 1, 2)
    circuit.compose(both.decompose(), range(3), inplace=True)
    circuit.z(2)
    circuit.h(2)
    circuit.measure(2, 0)
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.x(2)
        if right:
            circuit.h(1)
            circuit.cx(0, 1)
            circuit.h(1)
    return circuit


def global_phase(circuit: QuantumCircuit) -> None:
    for name in ("z", "x", "z", "x"):
        getattr(circuit, name)(3)


def test_right_circuits_are_right_on_every_codeword():
    order = np.random.default_rng(3).permutation(8)
    assert LAST.follow(ccz()) == LAST.follow(ccz(global_phase)) == 8
    assert Codewords(STATES[:, order], LAST.right[order]).follow(ccz()) == 8
    assert BOTH.follow(erased(True)) == 4


@pytest.mark.parametrize(
    "circuit",
    [
        ccz(lambda circuit: circuit.cx(0, 3)),  # an ancilla left set
        ccz(lambda circuit: circuit.x(0)),  # states that change places
        ccz(lambda circuit: circuit.s(1)),  # a relative phase
        ccz(lambda circuit: circuit.z(1)),  # other states marked
        ccz(lambda circuit: circuit.h(3)),  # a superposition left
    ],
)
def test_wrong_circuits_are_refused(circuit):
    with pytest.raises(AssertionError, match="other codewords"):
        LAST.follow(circuit)


def test_a_missing_correction_is_caught():
    with pytest.raises(AssertionError, match="other codewords"):
        BOTH.follow(erased(False))


@pytest.fixture(scope="module")
def k4():
    return problems.case("K4")


def test_qiskits_oracle_is_right_once_its_data_qubits_count_as_in_use(k4):
    rows = gate_counts.qiskit_rows(k4)
    assert [(row.qubits, row.checked) for row in rows] == [(14, 256), (14, 256), (8, 256), (10, 256)]


def test_a_wrong_peer_does_not_count(k4, capsys):

    def made(circuit):
        row = ("a peer", "1", "", "literal", {"cx+u": circuit})
        return gate_counts.attempt_all(k4, "a peer", [lambda: gate_counts.row(k4, *row)])

    circuit = QuantumCircuit(8)
    circuit.append(MCXGate(7), range(8))
    half = QuantumCircuit(8)
    half.z(0)
    assert made(circuit) == made(half) == []
    notes = capsys.readouterr().out.splitlines()
    assert "not lowered" in notes[0]
    assert "other codewords" in notes[1]
