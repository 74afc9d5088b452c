"""Estimated success against the sums done by hand, and what it says about signal."""

import math

import pytest
from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister
from qiskit.circuit import Delay, Measure, Parameter
from qiskit.circuit.controlflow import IfElseOp
from qiskit.circuit.library import CZGate, RZGate, SXGate
from qiskit.transpiler import InstructionProperties, QubitProperties, Target

from gatesolve.devices import isa
from gatesolve.pipelines import device

T1, T2 = 100e-6, 80e-6
SX, CZ, MEASURE = (30e-9, 0.001), (60e-9, 0.01), (1e-6, 0.02)


def a_target(errors=True, times=True, relaxation=True):
    def held(duration, error, factor=1):
        return InstructionProperties(duration if times else None, error * factor if errors else None)

    known = [QubitProperties(t1=T1, t2=T2)] * 3 if relaxation else None
    target = Target(num_qubits=3, dt=1e-9, qubit_properties=known)
    target.add_instruction(RZGate(Parameter("angle")), {(q,): held(0.0, 0.0) for q in range(3)})
    target.add_instruction(SXGate(), {(q,): held(*SX) for q in range(3)})
    target.add_instruction(CZGate(), {pair: held(*CZ, factor=1 + sum(pair)) for pair in ((0, 1), (1, 2))})
    target.add_instruction(Measure(), {(q,): held(*MEASURE, factor=1 + q) for q in range(3)})
    target.add_instruction(Delay(Parameter("t")), dict.fromkeys(((0,), (1,), (2,))))
    target.add_instruction(IfElseOp, name="if_else")
    return target


def bell():
    circuit = QuantumCircuit(QuantumRegister(3), ClassicalRegister(2, "measured"))
    circuit.sx(0)
    circuit.rz(0.3, 0)
    circuit.cz(0, 1)
    circuit.sx(1)
    circuit.measure([0, 1], [0, 1])
    return circuit


def test_a_circuit_by_hand():
    found = isa.estimate(bell(), a_target())
    assert found.gates == pytest.approx(0.999 * (1 - 0.02) * 0.999)
    assert found.readout == pytest.approx(0.98 * 0.96)
    # Measurements end together: qubit 0 waits for the SX of nobody, qubit 1 for none.
    assert found.duration == pytest.approx(SX[0] + CZ[0] + SX[0] + MEASURE[0])
    assert isa.time_waits(bell(), a_target())[0] == {0: pytest.approx(SX[0]), 1: 0.0}
    kept = (1 + math.exp(-SX[0] / T1) + 2 * math.exp(-SX[0] / T2)) / 4
    assert found.idle == pytest.approx(kept)
    assert found.fidelity == pytest.approx(found.gates * found.readout * found.idle)


def test_qubits_rest_before_their_first_gate():
    circuit = QuantumCircuit(3, 1)
    for _ in range(100):
        circuit.sx(0)
    circuit.cz(0, 1)
    circuit.measure(1, 0)
    assert isa.time_waits(circuit, a_target())[0] == {1: 0.0, 0: 0.0}


def test_of_a_branch_the_worst_case_counts_after_its_measurement():
    circuit = QuantumCircuit(3, 1)
    circuit.cz(0, 1)
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 1)) as otherwise:
        circuit.sx(1)
    with otherwise:
        circuit.cz(1, 2)
    found = isa.estimate(circuit, a_target())
    assert found.gates == pytest.approx((1 - 0.02) * (1 - 0.04))
    assert found.readout == pytest.approx(0.98)
    # Qubit 1 cannot go on before the outcome is there.
    assert isa.time_waits(circuit, a_target())[0][1] == pytest.approx(MEASURE[0])


def test_without_error_rates_there_is_no_estimate():
    assert isa.estimate(bell(), a_target(errors=False)) is None
    branch = QuantumCircuit(3, 1)
    with branch.if_test((branch.clbits[0], 1)):
        branch.cz(0, 1)
    assert isa.estimate(branch, a_target(errors=False)) is None
    assert isa.estimate(branch, a_target()).gates == pytest.approx(0.98)


def test_signal():
    assert device.accepted_share(0.5, 0.9, 0.1) == pytest.approx(0.5)
    found = device.signal_z(0.5, 0.9, 0.1, 1000)
    assert found == pytest.approx(400 / math.sqrt(1000 * 0.1 * 0.9))
    assert found >= device.LEAST_Z
    assert device.signal_z(0.001, 0.9, 0.1, 1000) < device.LEAST_Z
    assert device.signal_z(0.0, 0.9, 0.1, 1000) == 0.0
    assert device.signal_z(0.5, 0.0, 0.1, 1000) < 0
    assert device.signal_z(0.5, 1.0, 0.0, 10) == math.inf
    assert device.signal_z(0.0, 1.0, 0.0, 10) == 0.0
    assert device.signal_z(0.5, 1.0, 1.0, 10) == 0.0
