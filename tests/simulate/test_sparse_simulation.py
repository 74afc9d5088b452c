"""Sparse simulation of lowered circuits against Qiskit's state vectors, and on circuits too wide for those."""

import cmath
import math

import kept
import numpy as np
import pytest
from conformance.known import k4, k7
from every_state import every_state
from hypothesis import given, settings
from hypothesis import strategies as st
from qiskit import QuantumCircuit
from qiskit.circuit.library import UGate
from qiskit.quantum_info import Operator, Statevector

from gatesolve.errors import DoesNotFitError
from gatesolve.programs import success_probability
from gatesolve.simulate import basis_terms, diagonal_phases, probabilities, run_sparse, sparse

QUBITS = 4
CONTROLLED = ("cx", "cz", "ccx", "ccz")


@st.composite
def circuits(draw, num_qubits=QUBITS, most=25):
    """Controlled gates and the one-qubit gates of every gate set, in any order, measured at the end or not."""
    circuit = QuantumCircuit(num_qubits, num_qubits)
    for _ in range(draw(st.integers(0, most))):
        name = draw(st.sampled_from([*CONTROLLED, "cx", "h", "x", "z", "s", "sdg", "t", "tdg", "u"]))
        wires = draw(st.permutations(range(num_qubits)))
        if name == "u":
            circuit.append(UGate(*draw(st.tuples(*[st.floats(-4, 4)] * 3))), [wires[0]])
        else:
            getattr(circuit, name)(*wires[: len(name) if name in CONTROLLED else 1])
    if draw(st.booleans()):
        circuit.barrier()
        circuit.measure(range(num_qubits), range(num_qubits))
    return circuit


def columns(circuit):
    """The circuit's matrix, each column run as one of several inputs at once."""
    size = 1 << circuit.num_qubits
    after = run_sparse(circuit, basis_terms(every_state(circuit.num_qubits)))
    matrix = np.zeros((size, size), dtype=complex)
    matrix[after.keys[:, 1].astype(int), after.keys[:, 0].astype(int)] = after.amplitudes
    return matrix


@settings(max_examples=80, deadline=None)
@given(circuits())
def test_equals_qiskit(circuit):
    bare = circuit.remove_final_measurements(inplace=False)
    assert np.abs(columns(circuit) - Operator(bare).data).max() < 1e-9
    exact = np.abs(Statevector(bare).data) ** 2
    found = probabilities(circuit)
    assert np.abs(np.array([found.get(state, 0) for state in range(len(exact))]) - exact).max() < 1e-9


def test_other_gates_are_refused():
    circuit = QuantumCircuit(2)
    circuit.swap(0, 1)
    with pytest.raises(ValueError, match="gate swap is not lowered"):
        probabilities(circuit)


def test_phases_of_a_diagonal_circuit():
    circuit = QuantumCircuit(2)
    circuit.h(1)
    circuit.cx(0, 1)
    circuit.h(1)
    circuit.t(0)
    eighth = cmath.exp(0.25j * math.pi)
    phases = diagonal_phases(circuit, every_state(2))
    assert np.allclose(phases, [1, eighth, 1, -eighth])


@pytest.mark.parametrize("name", ["h", "x", "sx"])
def test_no_phases_where_a_state_moves(name):
    circuit = QuantumCircuit(2)
    getattr(circuit, name)(1)
    assert diagonal_phases(circuit, every_state(2)) is None
    controlled = QuantumCircuit(2)
    controlled.cx(0, 1)
    bits = every_state(2)
    assert diagonal_phases(controlled, bits) is None
    assert np.allclose(diagonal_phases(controlled, bits[:, ::2]), 1)


def test_no_phases_where_amplitude_leaks():
    """A rotation by a small angle leaves most of the state in place; that is not enough."""
    circuit = QuantumCircuit(1)
    circuit.u(1e-3, 0, 0, 0)
    assert diagonal_phases(circuit, every_state(1)) is None


def test_more_than_64_qubits():
    width = 200
    circuit = QuantumCircuit(width)
    circuit.h(63)
    circuit.x(130)
    for control, target in ((63, 64), (64, 127), (127, 128), (128, 199)):
        circuit.cx(control, target)
    circuit.z(199)
    spread = sum(1 << q for q in (63, 64, 127, 128, 199))
    assert probabilities(circuit) == pytest.approx({1 << 130: 0.5, 1 << 130 | spread: 0.5})
    bits = np.zeros((width, 2), dtype=bool)
    bits[[0, 64, 199], 1] = True
    phase = QuantumCircuit(width)
    for gate in ("cx", "z", "cx"):
        getattr(phase, gate)(*((64, 198) if gate == "cx" else (198,)))
    assert np.allclose(diagonal_phases(phase, bits), [1, -1])


@pytest.mark.quick(1)
@pytest.mark.parametrize("gates", ["cx+u", "cz+u", "clifford+t"])
def test_the_whole_lowered_contest_circuit(gates):
    compiled = kept.compiled(k7(), encoding="table", presolve="none", gates=gates)
    program = compiled.program
    found = probabilities(program.lowered)
    answer = program.space.state(int(np.flatnonzero(compiled.marks)[0]))
    # The index of the most frequent basis state holds the ancillas too: all at zero.
    assert max(found, key=found.get) == answer
    assert found[answer] == pytest.approx(0.98272551583219, abs=1e-4 if gates == "clifford+t" else 1e-9)
    assert sum(found.values()) == pytest.approx(1, abs=1e-7)


def test_a_lowered_circuit_too_wide_for_a_state_vector():
    compiled = kept.compiled(k4(), encoding="one-hot", presolve="none")
    program = compiled.program.with_iterations(1)
    assert program.num_qubits >= 20
    found = probabilities(program.lowered)
    answers = [program.space.state(int(n)) for n in np.flatnonzero(compiled.marks)]
    chance = success_probability(program.space.size, 2, 1)
    assert sum(found[state] for state in answers) == pytest.approx(chance, abs=1e-9)


def test_too_many_terms(monkeypatch):
    monkeypatch.setattr(sparse, "MOST_TERMS", 1 << 6)
    circuit = QuantumCircuit(8)
    circuit.h(range(8))
    with pytest.raises(DoesNotFitError, match="over 64 terms"):
        sparse.diagonal_phases(circuit, np.zeros((8, 1), dtype=bool))
