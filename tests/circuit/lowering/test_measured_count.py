"""Counting circuits with measurements and gates that depend on them."""

import random

import pytest
from qiskit import QuantumCircuit

from gatesolve.circuit import Resources, count


def test_a_measured_circuit_counted_by_hand():
    circuit = QuantumCircuit(3, 3)
    circuit.h(0)
    circuit.t(0)
    circuit.measure(0, 0)
    circuit.t(1)
    with circuit.if_test((circuit.clbits[0], 1)) as otherwise:
        circuit.x(0)
        circuit.cx(1, 2)
        circuit.tdg(2)
    with otherwise:
        circuit.cx(2, 1)
    circuit.measure([1, 2], [1, 2])
    # h, t, measurement, then cx, tdg and the other outcome's cx: both outcomes count, final measurements do not.
    assert count(circuit, "clifford+t") == Resources(
        "clifford+t", 3, cx=2, t=3, depth=6, two_qubit_depth=2, total=7, measurements=1, t_depth=2
    )


def test_what_depends_on_an_outcome_comes_after_its_measurement():
    circuit = QuantumCircuit(2, 1)
    circuit.h(0)
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.x(1)
    assert count(circuit, "clifford+t").depth == 3


def test_foreign_gates_inside_a_condition_are_refused():
    circuit = QuantumCircuit(2, 1)
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.cz(0, 1)
    with pytest.raises(ValueError, match=r"gates outside clifford.t: \['cz'\]"):
        count(circuit, "clifford+t")


@pytest.mark.parametrize("seed", range(5))
def test_without_measurement_as_qiskit_counts(seed):
    draw = random.Random(seed)
    circuit = QuantumCircuit(5, 5)
    for _ in range(80):
        name = draw.choice(["cx", "h", "t", "tdg", "s", "barrier"])
        wires = draw.sample(range(5), 2 if name in {"cx", "barrier"} else 1)
        circuit.barrier(wires) if name == "barrier" else getattr(circuit, name)(*wires)
    circuit.measure(range(5), range(5))
    counted = count(circuit, "clifford+t")
    assert counted.depth == circuit.depth(lambda i: i.operation.name not in {"measure", "barrier"})
    assert counted.two_qubit_depth == circuit.depth(lambda i: i.operation.name == "cx")
    assert counted.t_depth == circuit.depth(lambda i: i.operation.name in {"t", "tdg"})
    assert counted.measurements == 0
