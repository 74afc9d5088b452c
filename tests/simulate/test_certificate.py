"""Certificates: a right oracle passes, and every kind of wrong one is caught."""

from dataclasses import replace

import kept
import numpy as np
import pytest
from conformance.known import k4
from qiskit import QuantumCircuit

import gatesolve
from gatesolve.circuit import And, Gate, Mcx, Parity, PhaseFlip, Xor, lower
from gatesolve.model import Linear, Model, Variable
from gatesolve.oracle import Oracle
from gatesolve.pipelines import phase_check
from gatesolve.pipelines.certify import check_lowered
from gatesolve.simulate import CertificateError, certify

COMPILED = kept.compiled(k4(), encoding="binary", presolve="none")
SPACE, ORACLE = COMPILED.program.space, COMPILED.program.oracle
DATA = SPACE.num_qubits


def check_of(ops, model=None, num_qubits=None):
    oracle = Oracle(tuple(ops), DATA, (num_qubits or ORACLE.num_qubits) - DATA)
    return phase_check(model or COMPILED.model, SPACE, oracle)


RIGHT = check_of(ORACLE.ops)


def test_a_right_oracle():
    seen = []
    certificate, marks = certify(RIGHT, 1 << 20, 0, lambda done, total: seen.append((done, total)))
    assert (certificate.checked, certificate.of, certificate.marked) == (256, 256, 2)
    assert certificate.ancillas_clean
    assert certificate.lowered == 0, "nothing lowered was compared"
    assert certificate.method == "every codeword"
    assert seen == [(256, 256)]
    solutions = [SPACE.assignment(int(n)) for n in np.flatnonzero(marks)]
    assert sorted(tuple(s[f"x{k}"] for k in range(4)) for s in solutions) == [(0, 3, 3, 1), (2, 1, 1, 3)]


WIDE = ORACLE.num_qubits
ANCILLA = WIDE - 1
FAULTS = {
    "a sign too many": (*ORACLE.ops, PhaseFlip((Parity((0,)), Parity((1,)), Parity((7,))))),
    "every sign flipped": (*ORACLE.ops, PhaseFlip(())),
    "no sign at all": (),
    "one sign moved": (Gate("x", (0,)), *ORACLE.ops, Gate("x", (0,))),
    "a data qubit flipped": (*ORACLE.ops, Gate("x", (3,))),
    "a data qubit flipped now and then": (*ORACLE.ops, Mcx(((0, True), (1, True), (2, True), (4, False)), 3)),
    "a dirty ancilla": (*ORACLE.ops, Xor(Parity((2,)), ANCILLA)),
    "an ancilla dirty now and then": (*ORACLE.ops, Mcx(((0, True), (2, False), (6, True), (7, True)), ANCILLA)),
    "a phase of i": (*ORACLE.ops, *[And(Parity((0,)), Parity((1,)), ANCILLA), Mcx(((0, True), (1, True)), ANCILLA)]),
    "half an oracle": ORACLE.ops[: len(ORACLE.ops) // 2],
    "the first operation lost": ORACLE.ops[1:],
    "the last operation lost": ORACLE.ops[:-1],
}


@pytest.mark.parametrize("ops", FAULTS.values(), ids=FAULTS)
def test_a_wrong_oracle_is_caught(ops):
    with pytest.raises(CertificateError, match="please report this as a bug"):
        certify(check_of(ops), 1 << 20, 0)


def test_the_message_says_which_kind_of_fault_and_where():
    with pytest.raises(CertificateError, match="did not return its qubits as they were"):
        certify(check_of(FAULTS["a dirty ancilla"]), 1 << 20, 0)
    with pytest.raises(CertificateError, match="did not return its qubits as they were"):
        certify(check_of(FAULTS["a phase of i"]), 1 << 20, 0)
    first = int(np.flatnonzero(COMPILED.marks)[0])
    with pytest.raises(CertificateError, match=f"disagrees with the model at codeword {first}:"):
        certify(check_of(()), 1 << 20, 0)


def test_an_oracle_for_another_model_is_caught():
    stricter = Model(COMPILED.model.variables, (*COMPILED.model.constraints, Linear(((1, "x0"),), "==", 0)))
    with pytest.raises(CertificateError, match="disagrees with the model"):
        certify(check_of(ORACLE.ops, stricter), 1 << 20, 0)


def test_a_sample_says_that_it_is_one():
    certificate, marks = certify(RIGHT, 100, 7)
    assert (certificate.checked, certificate.of) == (100, 256)
    assert certificate.method == "sample, seed 7"
    assert certificate.marked is None
    assert marks is None
    with pytest.raises(CertificateError):
        certify(check_of(FAULTS["every sign flipped"]), 100, 7)


def test_where_there_is_nothing_to_check_there_are_no_marks():
    certificate, marks = certify(replace(RIGHT, size=0, slices=None), 100, 0)
    assert (certificate.checked, certificate.of, certificate.marked) == (0, 0, 0)
    assert marks.shape == (0,)


@pytest.mark.slow
def test_a_space_of_more_than_one_chunk():
    """Two chunks and a part of one: the marks stay in codeword order."""
    variables = tuple(Variable(name, tuple(range(size))) for name, size in (("a", 61), ("b", 53), ("c", 47)))
    model = Model(variables, (Linear(((1, "a"), (1, "b")), "==", 112), Linear(((1, "c"),), "==", 46)))
    compiled = gatesolve.compile(model, encoding="binary", presolve="none")
    certificate = compiled.certificate
    assert certificate.checked == certificate.of == 61 * 53 * 47 > 2 << 16
    assert certificate.of % 64 != 0
    assert certificate.marked == 1
    (number,) = np.flatnonzero(compiled.marks)
    assert compiled.program.space.assignment(int(number)) == {"a": 60, "b": 52, "c": 46}


def test_a_sample_of_a_space_too_large_to_number():
    """Only the numbers below 2^63 are drawn; the certificate still says of how many."""
    variables = tuple(Variable(f"v{k}", (0, 1)) for k in range(70))
    model = Model(variables, (Linear(((1, "v0"), (1, "v1")), "==", 1),))
    space = gatesolve.encodings.make_spaces(model, "binary")[0]
    oracle = Oracle((PhaseFlip((Parity((0, 1)),)),), 70, 0)
    certificate, marks = certify(phase_check(model, space, oracle), 1000, 3)
    assert (certificate.checked, certificate.of, certificate.marked, marks) == (1000, 2**70, None, None)


LOWERED = lower(ORACLE.ops, WIDE, "cx+u")


def test_the_lowered_oracle_is_compared_on_marked_codewords_too():
    compared = check_lowered(RIGHT, LOWERED, COMPILED.marks, 0)
    assert compared == COMPILED.certificate.lowered
    assert compared >= 16


def without(circuit, place):
    """The circuit with one gate lost."""
    broken = QuantumCircuit(*circuit.qregs)
    for number, instruction in enumerate(circuit.data):
        if number != place:
            broken.append(instruction)
    return broken


@pytest.mark.parametrize("gates", ["cx+u", "clifford+t", "clifford+toffoli"])
def test_a_lost_gate_in_the_lowered_oracle_is_caught(gates):
    lowered = lower(ORACLE.ops, WIDE, gates)
    assert check_lowered(RIGHT, lowered, COMPILED.marks, 0) >= 16
    for place in range(len(lowered.data)):
        with pytest.raises(CertificateError, match="the lowered oracle differs"):
            check_lowered(RIGHT, without(lowered, place), COMPILED.marks, 0)


def test_a_lowered_oracle_that_marks_nothing_is_caught():
    with pytest.raises(CertificateError, match="the lowered oracle differs"):
        check_lowered(RIGHT, QuantumCircuit(WIDE), COMPILED.marks, 0)
    other = replace(RIGHT, ops=(*ORACLE.ops, PhaseFlip((Parity((0,)),))))
    with pytest.raises(CertificateError, match="the lowered oracle differs"):
        check_lowered(other, LOWERED, COMPILED.marks, 0)
