"""Branch by branch simulation: against Aer, and its refusals; wrong circuits are found out."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from qiskit import QuantumCircuit
from qiskit.quantum_info import Operator, Statevector
from qiskit_aer import AerSimulator

from gatesolve.circuit import And, Gate, Mcx, Parity, PhaseFlip, Xor, inverse, lower, lower_measured
from gatesolve.simulate import (
    CertificateError,
    basis_terms,
    branch_phases,
    check_branches,
    count_measurements,
    run_sparse,
)
from gatesolve.simulate.branches import outcome_sequences, run_branch
from gatesolve.simulate.order import narrow_order


def zeros(num_qubits):
    return basis_terms(np.zeros((num_qubits, 1), dtype=bool))


def vector(terms, num_qubits):
    state = np.zeros(1 << num_qubits, dtype=complex)
    state[terms.keys[:, 1].astype(int)] = terms.amplitudes
    return state


def every_state(num_data, num_qubits):
    bits = np.zeros((num_qubits, 1 << num_data), dtype=bool)
    for qubit in range(num_data):
        bits[qubit] = np.arange(1 << num_data) >> qubit & 1
    return bits


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


def data_states():
    return every_state(4, 4)[:, [s for s in range(16) if not s >> 2 & 1]]


def test_a_right_circuit_passes_on_every_outcome():
    bits = data_states()
    assert check_branches(erasing(), bits, bits[0] & bits[1] & bits[3], seed=0) == 2


@pytest.mark.parametrize("wrong", [{"fix": "none"}, {"fix": "z"}, {"on_zero": True}])
def test_a_wrong_correction_is_found(wrong):
    bits = data_states()
    with pytest.raises(CertificateError, match="differs from the reversible one on some outcomes"):
        check_branches(erasing(**wrong), bits, bits[0] & bits[1] & bits[3], seed=0)


def test_a_measurement_that_tells_something_is_found():
    circuit = QuantumCircuit(2, 1)
    circuit.measure(0, 0)
    assert branch_phases(circuit, every_state(1, 2), [False]) is None
    circuit.h(1)
    assert branch_phases(circuit, every_state(1, 2), [True]) is None


def test_an_ancilla_left_set_is_found():
    circuit = QuantumCircuit(2, 1)
    circuit.h(1)
    circuit.measure(1, 0)
    bits = every_state(1, 2)
    assert np.allclose(branch_phases(circuit, bits, [False]), 1)
    assert branch_phases(circuit, bits, [True]) is None


def test_refusals():
    circuit = QuantumCircuit(2, 2)
    circuit.measure(0, 0)
    with pytest.raises(ValueError, match="1 measurements, 2 outcomes"):
        run_branch(circuit, zeros(2), [True, False])
    early = QuantumCircuit(1, 1)
    with early.if_test((early.clbits[0], 1)):
        early.x(0)
    with pytest.raises(ValueError, match="never written"):
        run_branch(early, zeros(1), [])
    whole = QuantumCircuit(1, 2)
    whole.measure(0, 0)
    with whole.if_test((whole.cregs[0], 1)):
        whole.x(0)
    with pytest.raises(ValueError, match="more than one classical bit"):
        run_branch(whole, zeros(1), [True])
    nested = QuantumCircuit(1, 1)
    nested.measure(0, 0)
    with nested.if_test((nested.clbits[0], 1)):
        nested.measure(0, 0)
    with pytest.raises(ValueError, match="measure inside a conditional block"):
        run_branch(nested, zeros(1), [True])
    other = QuantumCircuit(2)
    other.swap(0, 1)
    with pytest.raises(ValueError, match="gate swap is not lowered"):
        run_branch(other, zeros(2), [])


def test_sequences_of_outcomes():
    assert outcome_sequences(0, seed=1) == [()]
    assert len(set(outcome_sequences(6, seed=1))) == 64
    drawn = outcome_sequences(30, seed=1, samples=5)
    assert drawn == outcome_sequences(30, seed=1, samples=5) != outcome_sequences(30, seed=2, samples=5)
    assert (len(drawn), drawn[0], drawn[1]) == (7, (False,) * 30, (True,) * 30)
    assert all(len(row) == 30 and 0 < sum(row) < 30 for row in drawn[2:])


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
    count = count_measurements(circuit)
    for outcomes in outcome_sequences(count, seed=0):
        given_outcomes = iter(outcomes)
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
        found = vector(run_branch(circuit, zeros(circuit.num_qubits), outcomes), circuit.num_qubits)
        assert np.abs(found - state.data).max() < 1e-9


def projected(data, projector, qubit, num_qubits):
    tensor = data.reshape([2] * num_qubits)
    axis = num_qubits - 1 - qubit
    return np.moveaxis(np.tensordot(projector, tensor, axes=(1, axis)), 0, axis).reshape(-1)


@settings(max_examples=60, deadline=None)
@given(circuits())
def test_the_narrow_order_is_the_same_circuit(circuit):
    order = narrow_order(circuit)
    assert sorted(order) == list(range(len(circuit.data)))
    written = [k for k in order if circuit.data[k].operation.name in {"measure", "if_else"}]
    for bit in circuit.clbits:
        on_bit = [k for k in written if bit in circuit.data[k].clbits]
        assert on_bit == sorted(on_bit)
    unitary = QuantumCircuit(circuit.num_qubits)
    reordered = unitary.copy()
    for target, places in ((unitary, range(len(order))), (reordered, order)):
        for k in places:
            instruction = circuit.data[k]
            if instruction.operation.name not in {"measure", "if_else"}:
                target.append(instruction.operation, [circuit.find_bit(q).index for q in instruction.qubits])
    if not written:
        assert Operator(unitary) == Operator(reordered)


def test_the_narrow_order_opens_one_and_at_a_time():
    """Thirty ANDs with all first halves in front: thirty superpositions at once, unless reordered."""
    width = 90
    circuit = QuantumCircuit(width)
    for name in ("first", "second"):
        for k in range(30):
            if name == "first":
                circuit.h(3 * k + 2)
                circuit.t(3 * k + 2)
            else:
                circuit.cx(3 * k, 3 * k + 2)
                circuit.tdg(3 * k + 2)
                circuit.h(3 * k + 2)
    circuit.compose(circuit.inverse(), inplace=True)
    bits = np.zeros((width, 1), dtype=bool)
    bits[::3] = True
    assert np.allclose(run_sparse(circuit, basis_terms(bits)).amplitudes, [1])


@pytest.mark.parametrize("gates", ["cx+u", "cz+u", "clifford+t"])
def test_aer_agrees(gates):
    """A measured oracle between random rotations: the data's state is the unitary one's in every shot."""
    data, width = 4, 7
    compute = [And(Parity((0,)), Parity((1, 2), True), 4), And(Parity((4,)), Parity((3,)), 5)]
    ops = [*compute, PhaseFlip((Parity((5,)), Parity((0, 3), True))), Xor(Parity((5,)), 6), *inverse([*compute])]
    ops = [*ops, Mcx(((0, True), (1, False), (3, True)), 2, (4, 5))]
    rotate = [Gate("ry", (q,), (0.3 + q,)) for q in range(data)]
    if gates == "clifford+t":
        rotate = [Gate("h", (q,)) for q in (0, 1, 3)]
    ops = [*rotate, *ops, Gate("t", (2,)), *rotate]
    measured = lower_measured(ops, width, gates, zeros=range(width))
    count = count_measurements(measured)
    assert count >= 3
    wanted = vector(run_sparse(lower(ops, width, gates), zeros(width)), width)
    saved = measured.copy()
    saved.save_statevector(pershot=True)
    simulator = AerSimulator(method="statevector", seed_simulator=11, max_parallel_threads=1)
    result = simulator.run(saved, shots=24, memory=True).result()
    states = [np.asarray(s) for s in result.data()["statevector"]]
    assert len(states) == 24
    for state in states:
        assert abs(np.vdot(wanted, state)) == pytest.approx(1, abs=1e-9)
    # Two qubits were erased, one of them twice; every last outcome of the two came up.
    assert set(result.get_memory()) == {"00", "01", "10", "11"}
