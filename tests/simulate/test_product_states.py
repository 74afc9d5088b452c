"""Circuits followed qubit by qubit."""

import numpy as np
import pytest
from qiskit import QuantumCircuit

from gatesolve.circuit import lower
from gatesolve.encodings import Space, make_binary
from gatesolve.errors import DoesNotFitError
from gatesolve.model import NotEqual, Variable
from gatesolve.oracle import assemble, synthesise
from gatesolve.simulate import CertificateError, check_branches, diagonal_phases, product_phases


def oracle() -> tuple[QuantumCircuit, np.ndarray, np.ndarray]:
    space = Space(tuple(make_binary(Variable(n, (0, 1, 2, 3))) for n in "abc"))
    constraints = [NotEqual("a", "b"), NotEqual("b", "c"), NotEqual("a", "c")]
    made = assemble([synthesise(c, space) for c in constraints], space.num_qubits)
    bits = space.inputs(np.arange(space.size), made.num_qubits)
    values = space.values(np.arange(space.size))
    return lower(made.ops, made.num_qubits), bits, np.logical_and.reduce([c.holds(values) for c in constraints])


def test_equal_to_the_sparse_simulation() -> None:
    circuit, bits, marked = oracle()
    ours, theirs = product_phases(circuit, bits), diagonal_phases(circuit, bits)
    assert ours is not None
    assert theirs is not None
    assert np.allclose(ours, theirs, atol=1e-9)
    check_branches(circuit, bits, marked, 0)


def test_a_wrong_mark_is_found() -> None:
    circuit, bits, marked = oracle()
    marked[5] ^= True
    with pytest.raises(CertificateError, match="differs from the reversible one"):
        check_branches(circuit, bits, marked, 0)


def test_a_state_that_does_not_come_back() -> None:
    circuit = QuantumCircuit(2)
    circuit.cx(0, 1)
    assert product_phases(circuit, np.array([[False, True], [False, False]])) is None


def test_phase_kicked_back_onto_a_superposition() -> None:
    circuit = QuantumCircuit(2)
    circuit.h(0)
    circuit.x(1)
    circuit.h(1)
    circuit.cx(0, 1)
    circuit.h(1)
    circuit.x(1)
    circuit.h(0)
    circuit.x(0)
    phases = product_phases(circuit, np.array([[False, True], [False, False]]))
    assert phases is not None
    assert np.allclose(phases, np.ones(2))


def test_entangling_is_refused() -> None:
    circuit = QuantumCircuit(2)
    circuit.h(0)
    circuit.cx(0, 1)
    with pytest.raises(DoesNotFitError, match="entangles"):
        product_phases(circuit, np.zeros((2, 1), dtype=bool))


def test_unlowered_gates_are_refused() -> None:
    circuit = QuantumCircuit(2)
    circuit.swap(0, 1)
    with pytest.raises(ValueError, match="not lowered"):
        product_phases(circuit, np.zeros((2, 1), dtype=bool))


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_phase_on_two_qubits_is_followed_on_the_one_in_superposition(order: tuple[int, int]) -> None:
    bits = np.array([[a, b] for a in (False, True) for b in (False, True)]).T
    circuit = QuantumCircuit(2)
    circuit.h(1)
    circuit.cz(*order)
    circuit.h(1)
    circuit.cz(*order)
    circuit.cx(0, 1)
    ours, theirs = product_phases(circuit, bits), diagonal_phases(circuit, bits)
    assert ours is not None
    assert theirs is not None
    assert np.allclose(ours, [1, 1, -1, 1])
    assert np.allclose(ours, theirs)
    circuit.h([0, 1])
    circuit.cz(0, 1)
    with pytest.raises(DoesNotFitError):
        product_phases(circuit, bits)
