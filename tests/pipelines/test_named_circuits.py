"""The circuit of named operations does what the operations say, on every basis state."""

import numpy as np
from conformance.dense import basis_ops, distance_up_to_phase, expected
from hypothesis import given, settings
from qiskit import QuantumCircuit
from qiskit.quantum_info import Operator

from gatesolve.circuit import And, AndNot, Gate, Mcx, Parity, PhaseFlip, Xor, named_circuit

QUBITS = 5
P = Parity


def matrix(ops, num_qubits=QUBITS):
    return Operator(named_circuit(ops, QuantumCircuit(num_qubits))).data


def names(ops):
    return set(named_circuit(ops, QuantumCircuit(QUBITS)).count_ops())


EDGES = {
    "no factor": PhaseFlip(()),
    "always one": PhaseFlip((P((), True),)),
    "never one": PhaseFlip((P((), False), P((1,)))),
    "one factor": PhaseFlip((P((2,)),)),
    "one complement": PhaseFlip((P((2,), True),)),
    "one long factor": PhaseFlip((P((0, 2, 4), True),)),
    "two factors": PhaseFlip((P((0,)), P((3,), True))),
    "two long factors": PhaseFlip((P((0, 1, 2), True), P((2, 3, 4)))),
    "three factors": PhaseFlip((P((4,)), P((1,)), P((0,), True))),
    "the same factor twice": PhaseFlip((P((1,)), P((1,)), P((2,)))),
    "a factor and its complement": PhaseFlip((P((1,)), P((1,), True), P((2,)), P((3,)))),
    "dependent factors": PhaseFlip((P((0, 1)), P((1, 2)), P((0, 2), True), P((3,)))),
    "contradicting factors": PhaseFlip((P((0, 1)), P((1, 2)), P((0, 2)), P((3,)))),
    "factors that share a first wire": PhaseFlip((P((0, 1)), P((0, 2), True), P((0, 3)), P((0, 4)))),
    "chained factors": PhaseFlip((P((0, 1)), P((1, 2)), P((2, 3)), P((3, 4), True), P((4,)))),
    "all wires": PhaseFlip(tuple(P((q,), q % 2 == 0) for q in range(QUBITS))),
    "no control": Mcx((), 3),
    "one control": Mcx(((4, True),), 0),
    "one zero control": Mcx(((0, False),), 2),
    "mixed controls": Mcx(((0, False), (4, True), (2, False)), 1),
    "and of overlapping parities": And(P((0, 1)), P((1, 2), True), 4),
    "and undone": And(P((0,), True), P((1,)), 2, True),
    "and of a constant": And(P((), True), P((1,)), 2),
    "and not of overlapping parities": AndNot(P((0, 1)), P((1, 2), True), P((2,)), 4),
    "xor of a constant": Xor(P((), True), 2),
    "flip": Gate("x", (1,)),
}


@settings(max_examples=60)
@given(basis_ops(QUBITS))
def test_any_list(ops):
    assert distance_up_to_phase(matrix(ops), expected(ops, QUBITS)) < 1e-10


def test_big_gates_stay_whole_and_have_their_names():
    assert names([Mcx(((0, True), (4, True), (2, True)), 1)]) == {"mcx"}
    assert names([EDGES["one control"]]) == {"cx"}
    assert names([EDGES["no control"]]) == {"x"}
    assert names([EDGES["and of overlapping parities"]]) == {"and"}
    assert names([EDGES["and undone"]]) == {"and_dg"}
    assert "mcx" in names([EDGES["all wires"]])


def test_and_pairs_cancel():
    compute = And(P((0, 3), True), P((1,)), 2)
    pair = [compute, And(compute.left, compute.right, compute.target, True)]
    assert distance_up_to_phase(matrix(pair), np.eye(1 << QUBITS)) < 1e-12
