"""Branch by branch simulation: against Qiskit, and its refusals; wrong circuits are found out."""

import math

import numpy as np
import pytest
from every_state import every_state
from hypothesis import given, settings
from hypothesis import strategies as st
from qiskit import QuantumCircuit
from qiskit.quantum_info import Statevector

from gatesolve.circuit import And, Parity, lower_measured
from gatesolve.errors import UnsupportedError
from gatesolve.simulate import CertificateError, basis_terms, check_branches, run_outcomes


def zeros(num_qubits):
    return basis_terms(np.zeros((num_qubits, 1), dtype=bool))


def vector(terms, num_qubits):
    state = np.zeros(1 << num_qubits, dtype=complex)
    state[terms.keys[:, 1].astype(int)] = terms.amplitudes
    return state


def erasing(fix="cz", on_zero=False):
    """An AND onto qubit 2, a CZ with data qubit 3, and its erasure; ``fix`` is the correction."""
    circuit = QuantumCircuit(4, 1)
    circuit.compose(lower_measured([And(Parity((0,)), Parity((1,)), 2)], 4, "clifford+t", zeros=[2]), inplace=True)
    circuit.sdg(2)
    circuit.h(3)
    circuit.cx(2, 3)
    circuit.h(3)
    circuit.h(2)
    circuit.measure(2, 0)
    with circuit.if_test((circuit.clbits[0], 1)) as otherwise:
        circuit.x(2)
        if fix == "cz":
            circuit.h(1)
            circuit.cx(0, 1)
            circuit.h(1)
        elif fix == "z":
            circuit.z(0)
    if on_zero:
        with otherwise:
            circuit.z(3)
    return circuit


DATA_STATES = every_state(4)[:, [s for s in range(16) if not s >> 2 & 1]]


def test_a_right_circuit_passes_on_every_outcome():
    bits = DATA_STATES
    assert check_branches(erasing(), bits, bits[0] & bits[1] & bits[3], seed=0) == 2


@pytest.mark.parametrize("wrong", [{"fix": "none"}, {"fix": "z"}, {"on_zero": True}])
def test_a_wrong_correction_is_found(wrong):
    bits = DATA_STATES
    with pytest.raises(CertificateError, match="differs from the reversible one on some outcomes"):
        check_branches(erasing(**wrong), bits, bits[0] & bits[1] & bits[3], seed=0)


@pytest.mark.parametrize("measured", [0, 1])
def test_a_measurement_that_tells_something_and_an_ancilla_left_set_are_found(measured):
    circuit = QuantumCircuit(2, 1)
    circuit.h(1)
    circuit.measure(measured, 0)
    bits = every_state(1, 2)
    with pytest.raises(CertificateError, match="on some outcomes"):
        check_branches(circuit, bits, np.zeros(2, dtype=bool), seed=0)
    (clean, *_), _ = run_outcomes(circuit, basis_terms(bits))
    assert measured == 0 or np.allclose(clean.scaled.amplitudes, 1)


def test_refusals():
    nested = QuantumCircuit(1, 1)
    nested.measure(0, 0)
    with nested.if_test((nested.clbits[0], 0)):
        nested.measure(0, 0)
    with pytest.raises(UnsupportedError, match="measure inside a conditional block"):
        run_outcomes(nested, zeros(1))
    other = QuantumCircuit(2)
    other.swap(0, 1)
    with pytest.raises(ValueError, match="gate swap is not lowered"):
        run_outcomes(other, zeros(2))


def test_of_many_sequences_some_are_drawn():
    circuit = QuantumCircuit(1, 30)
    for bit in range(30):
        circuit.h(0)
        circuit.measure(0, bit)
    (drawn, is_whole), (again, _), (others, _) = (run_outcomes(circuit, zeros(1), seed, 5) for seed in (1, 1, 2))
    first, same, other = ({branch.outcomes for branch in some} for some in (drawn, again, others))
    assert not is_whole
    assert first == same != other
    assert len(first) == 5
    assert all(len(row) == 30 and 0 < sum(row) < 30 for row in first)


@st.composite
def circuits(draw, num_qubits=4):
    """CX and one-qubit gates with conditional ones in between."""
    circuit = QuantumCircuit(num_qubits, 2)
    for bit in range(draw(st.integers(0, 2))):
        _gates(draw, circuit)
        qubit = draw(st.integers(0, num_qubits - 1))
        circuit.measure(qubit, bit)
        with circuit.if_test((circuit.clbits[bit], draw(st.integers(0, 1)))) as otherwise:
            circuit.x(qubit)
            _gates(draw, circuit, 3)
        if draw(st.booleans()):
            with otherwise:
                circuit.h(qubit)
    _gates(draw, circuit)
    return circuit


def _gates(draw, circuit, most=10):
    for _ in range(draw(st.integers(0, most))):
        name = draw(st.sampled_from(["cx", "cx", "h", "x", "s", "t"]))
        wires = draw(st.permutations(range(circuit.num_qubits)))
        getattr(circuit, name)(*wires[: 2 if name == "cx" else 1])


@settings(max_examples=60, deadline=None)
@given(circuits())
def test_branches_add_up_as_qiskit_says(circuit):
    """Each branch against Qiskit's gates and projections, outcome by outcome."""
    for branch in run_outcomes(circuit, zeros(circuit.num_qubits))[0]:
        given_outcomes = iter(branch.outcomes)
        state = Statevector.from_label("0" * circuit.num_qubits)
        values = {}
        for instruction in circuit.data:
            places = [circuit.find_bit(q).index for q in instruction.qubits]
            if instruction.operation.name == "measure":
                outcome = next(given_outcomes)
                values[instruction.clbits[0]] = outcome
                projector = np.diag([1.0 - outcome, float(outcome)]) * math.sqrt(2)
                state = Statevector(projected(state.data, projector, places[0], circuit.num_qubits))
            elif instruction.operation.name == "if_else":
                bit, value = instruction.operation.condition
                blocks = instruction.operation.blocks
                if values[bit] == bool(value):
                    state = state.evolve(blocks[0].remove_final_measurements(inplace=False), places)
                elif len(blocks) > 1:
                    state = state.evolve(blocks[1].remove_final_measurements(inplace=False), places)
            else:
                state = state.evolve(instruction.operation, places)
        found = vector(branch.scaled, circuit.num_qubits)
        assert np.abs(found - state.data).max() < 1e-9


def projected(data, projector, qubit, num_qubits):
    tensor = data.reshape([2] * num_qubits)
    axis = num_qubits - 1 - qubit
    return np.moveaxis(np.tensordot(projector, tensor, axes=(1, axis)), 0, axis).reshape(-1)
