"""Which gates open a qubit's superposition and which close it, and that few are open at a time then."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from qiskit import QuantumCircuit
from qiskit.circuit.library import U3Gate
from qiskit.quantum_info import Operator, Statevector
from test_branches import circuits

from gatesolve.simulate import sparse
from gatesolve.simulate.order import MOST_FLIPS, find_spans, narrow_order


def margolus(circuit, left, right, target):
    """An AND of four rotations about y."""
    for angle, control in ((1, left), (1, right), (-1, left), (-1, None)):
        circuit.ry(angle * math.pi / 4, target)
        if control is not None:
            circuit.cx(control, target)


def by_hadamard(circuit, left, right, target):
    """An AND of two H and four T."""
    circuit.u(math.pi / 2, math.pi / 4, math.pi, target)
    for phase, control in ((None, left), ("tdg", right), ("t", left)):
        if phase is not None:
            getattr(circuit, phase)(target)
        circuit.cx(control, target)
    circuit.tdg(target)
    circuit.h(target)


def by_phases(circuit, left, right, target):
    """The same with each CX as a CZ between two H, its qubits in either order."""
    circuit.h(target)
    for angle, qubits in ((1, (left, target)), (1, (target, right)), (-1, (left, target)), (-1, ())):
        circuit.rx(-angle * math.pi / 4, target)
        if qubits:
            circuit.cz(*qubits)
    circuit.h(target)


def spans_of(circuit):
    return find_spans(list(circuit.data))


@pytest.mark.parametrize(("add_and", "last"), [(margolus, 6), (by_hadamard, 7), (by_phases, 8)])
def test_an_and_is_one_span(add_and, last):
    circuit = QuantumCircuit(3)
    add_and(circuit, 0, 1, 2)
    assert spans_of(circuit) == {0: last}


@pytest.mark.parametrize(
    ("change", "is_closed"),
    [
        (lambda circuit: circuit.x(0), False),
        (lambda circuit: (circuit.z(0), circuit.append(U3Gate(0, 0.2, 0.3), [0])), True),
        (lambda circuit: circuit.cx(1, 0), False),
        (lambda circuit: (circuit.cx(1, 0), circuit.cx(1, 0)), True),
        (lambda circuit: margolus(circuit, 1, 3, 0), False),
    ],
)
def test_a_control_that_changes_between_its_uses(change, is_closed):
    """The AND's target is back in a basis state only if its control was the same both times."""
    whole = QuantumCircuit(4)
    margolus(whole, 0, 1, 2)
    changed = QuantumCircuit(4)
    changed.cx(0, 3)  # before anything is known of 0
    for place, step in enumerate(whole.data):
        changed.append(step.operation, [whole.find_bit(qubit).index for qubit in step.qubits])
        if place == 2:
            change(changed)
    assert (spans_of(changed)[1] == len(changed.data) - 1) == is_closed


def test_what_is_never_closed_and_what_is_measured():
    circuit = QuantumCircuit(2, 1)
    circuit.u(1.0, 0, 0, 0)
    circuit.u(1.0, 0, 0, 1)
    circuit.u(math.pi, 0, 0, 1)
    circuit.barrier()
    circuit.measure(1, 0)
    circuit.h(1)
    circuit.h(1)
    assert spans_of(circuit) == {0: 0, 1: 4, 5: 6}


def test_many_flips_are_not_followed():
    for many in (MOST_FLIPS, MOST_FLIPS + 1):
        circuit = QuantumCircuit(many + 1)
        circuit.h(many)
        for control in range(many):
            circuit.cx(control, many)
        circuit.h(many)
        # a qubit that starts at 0 or 1 is in the state of H on that, whatever flips it, up to a sign
        assert (spans_of(circuit) == {0: many + 1}) == (many == MOST_FLIPS)


@pytest.mark.parametrize("add_and", [margolus, by_hadamard, by_phases])
def test_ands_on_superposed_data_are_opened_one_at_a_time(add_and, monkeypatch):
    """Eight ANDs, all begun before the first is ended: 2^8 times as many terms in that order."""
    ands, data = 8, 4
    plain, crossed = QuantumCircuit(data + ands), QuantumCircuit(data + ands)
    for qubit in range(data):
        plain.ry(0.4 + qubit, qubit)
    crossed.compose(plain, inplace=True)
    each = []
    for number in range(ands):
        one = QuantumCircuit(data + ands)
        add_and(one, number % data, (number + 1 + number // data) % data, data + number)
        plain.compose(one, inplace=True)
        each.append(one.data)
    for steps in zip(*each, strict=True):
        for step in steps:
            crossed.append(step.operation, [plain.find_bit(qubit).index for qubit in step.qubits])
    monkeypatch.setattr(sparse, "MOST_TERMS", 2 << data)
    start = sparse.basis_terms(np.zeros((data + ands, 1), dtype=bool))
    with pytest.raises(sparse.DoesNotFitError):
        sparse._run_in_order(crossed, crossed.data, start)
    after = sparse.run_sparse(crossed, start)
    wanted = Statevector(plain).data
    assert np.allclose(wanted[after.keys[:, 1].astype(int)], after.amplitudes)
    assert np.isclose((np.abs(after.amplitudes) ** 2).sum(), 1)


def test_what_has_to_be_opened_first_goes_first():
    """Data in superposition through three ANDs: more is opened before it closes than before one of them does."""
    circuit = QuantumCircuit(5)
    ands = []
    for target in (2, 3, 4):
        ands.append(len(circuit.data))
        circuit.u(math.pi / 2, math.pi / 4, math.pi, target)
    data = len(circuit.data)
    circuit.h(0)
    for target in (2, 3, 4):
        for phase, control in (("tdg", 0), ("tdg", 1), ("t", 0)):
            circuit.cx(control, target)
            getattr(circuit, phase)(target)
        circuit.h(target)
    circuit.h(0)
    spans = spans_of(circuit)
    assert spans[data] == len(circuit.data) - 1
    assert set(ands) < set(spans)
    order = narrow_order(circuit)
    assert order.index(data) < min(map(order.index, ands))


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
