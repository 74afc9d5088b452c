"""Circuits followed in planes of codewords: equal to Qiskit's operators, or given up, never wrong."""

import math

import numpy as np
import pytest
from every_state import every_state
from qiskit import QuantumCircuit, transpile
from qiskit.circuit.library import CXGate, MCXGate
from qiskit.quantum_info import Operator

from gatesolve.circuit import pack_plane, unpack_plane
from gatesolve.errors import DoesNotFitError, UnsupportedError
from gatesolve.simulate import find_precision, list_steps, run_planes

BASES = [None, ["cx", "u"], ["cx", "h", "t", "tdg", "s", "sdg", "z", "x", "p"], ["cx", "ry", "rz", "h"]]


def draw_circuit(seed: int, width: int) -> QuantumCircuit:
    draw = np.random.default_rng(seed)
    circuit = QuantumCircuit(width)
    for _ in range(draw.integers(1, 8)):
        q, angle = [int(x) for x in draw.permutation(width)], float(draw.integers(0, 16) * np.pi / 8)
        match draw.integers(0, 11):
            case 0:
                circuit.x(q[0])
            case 1:
                circuit.p(angle, q[0])
            case 2:
                circuit.append(CXGate(ctrl_state=int(draw.integers(2))), q[:2])
            case 3:
                circuit.ccx(*q[:3])
            case 4:
                circuit.append(MCXGate(3, ctrl_state=5), q[:4])
            case 5:
                circuit.cp(angle, *q[:2])
            case 6:
                circuit.rccx(*q[:3])
            case 7:
                circuit.rcccx(*q[:4])
            case 8:
                circuit.ccz(*q[:3])
            case 9:
                circuit.cswap(*q[:3])
            case 10:
                circuit.h(q[0])
                circuit.mcx(q[1:4], q[0])
                circuit.cx(q[0], q[4])
                circuit.cx(q[0], q[4])
                circuit.h(q[0])
    basis = BASES[draw.integers(len(BASES))]
    if basis is not None:
        circuit = transpile(circuit, basis_gates=basis, optimization_level=int(draw.integers(0, 3)))
    return circuit


def read_operator(circuit: QuantumCircuit) -> np.ndarray:
    """The operator that planes tell, which is a permutation with phases."""
    size = 2**circuit.num_qubits
    steps = list_steps(circuit)
    digits = find_precision(steps)
    outcome = run_planes(steps, digits, [pack_plane(column) for column in every_state(circuit.num_qubits)])
    turns = sum(unpack_plane(plane, size) * 2.0 ** (k - digits) for k, plane in enumerate(outcome.phase))
    after = sum(unpack_plane(plane, size).astype(int) << q for q, plane in enumerate(outcome.bits))
    matrix = np.zeros((size, size), dtype=complex)
    matrix[after, np.arange(size)] = np.exp(2j * math.pi * turns)
    return matrix


@pytest.mark.slow
def test_what_is_followed_is_right():
    followed = 0
    for seed in range(250):
        circuit = draw_circuit(seed, 5)
        try:
            matrix = read_operator(circuit)
        except (DoesNotFitError, UnsupportedError):
            continue
        followed += 1
        assert Operator(matrix).equiv(Operator(circuit), atol=1e-7), seed
    assert followed > 180


def test_steps_are_the_circuit():
    """Also where it is no permutation: H, RY and general rotations."""
    draw = np.random.default_rng(7)
    for _ in range(60):
        circuit = QuantumCircuit(3)
        for _ in range(10):
            q, angle = [int(x) for x in draw.permutation(3)], float(draw.uniform(-7, 7))
            [circuit.h, lambda a: circuit.ry(angle, a), lambda a: circuit.u(angle, 1, 2, a), circuit.sx, circuit.sdg][  # noqa: B023
                draw.integers(5)
            ](q[0])
            circuit.cx(q[0], q[1])
        assert Operator(_rebuild(circuit)).equiv(Operator(circuit))


def _rebuild(circuit: QuantumCircuit) -> QuantumCircuit:
    made = QuantumCircuit(circuit.num_qubits)
    for step in list_steps(circuit):
        if step.kind == "x":
            made.append(MCXGate(len(step.qubits) - 1) if len(step.qubits) > 1 else QuantumCircuit(1), step.qubits)
            if len(step.qubits) == 1:
                made.x(step.qubits[0])
        elif step.kind == "h":
            made.h(step.qubits[0])
        else:
            assert step.kind == "phase"
            made.p(step.turn * 2 * math.pi, step.qubits[0])
    return made


def test_a_qubit_left_between_is_told():
    circuit = QuantumCircuit(2)
    circuit.h(0)
    with pytest.raises(DoesNotFitError, match="qubit 0 ends in superposition"):
        read_operator(circuit)
    circuit.cx(0, 1)
    with pytest.raises(DoesNotFitError, match="ends in superposition"):
        read_operator(circuit)


def test_gates_after_a_measurement_are_refused():
    circuit = QuantumCircuit(1, 1)
    circuit.measure(0, 0)
    circuit.x(0)
    with pytest.raises(UnsupportedError, match="follows a measurement"):
        list_steps(circuit)


def test_angles_that_are_no_fraction_are_refused():
    circuit = QuantumCircuit(1)
    circuit.p(0.1, 0)
    with pytest.raises(UnsupportedError, match="no multiple"):
        find_precision(list_steps(circuit))


def control_h(circuit: QuantumCircuit, control: int, target: int) -> None:
    for gate in ("s", "h", "t"):
        getattr(circuit, gate)(target)
    circuit.cx(control, target)
    for gate in ("tdg", "h", "sdg"):
        getattr(circuit, gate)(target)


def test_branches_of_other_amplitudes_are_not_joined() -> None:
    """H that are controlled leave parts of 0.5, 0.5 and 0.707, which look like those of a basis state."""
    circuit = QuantumCircuit(3)
    q, p, t = range(3)
    circuit.h(q)
    control_h(circuit, q, t)
    circuit.h(p)
    circuit.cx(p, t)
    for control, target in ((q, t), (q, p), (p, q)):
        control_h(circuit, control, target)
    circuit.h(q)
    circuit.cx(p, t)
    circuit.h(p)
    assert abs(Operator(circuit).data[0, 0]) < 0.96
    steps = list_steps(circuit)
    with pytest.raises(DoesNotFitError):
        run_planes(steps, find_precision(steps), [np.zeros(1, dtype=np.uint64)] * 3)
