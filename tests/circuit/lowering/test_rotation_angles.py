"""Rotations by many turns are lowered as what they are."""

import cmath
import math

import numpy as np
import pytest
from qiskit.quantum_info import Operator

from gatesolve.circuit import Gate, lower


@pytest.mark.parametrize("gates", ["cx+u", "cz+u", "clifford+t"])
@pytest.mark.parametrize("angle", [1e17, -3e16, 1234567890123.0, 1e5, 2**53 * math.pi])
def test_angles_of_many_turns_are_reduced_exactly(gates, angle):
    """Divided by a rounded pi, these are whole numbers of eighths."""
    ops = (Gate("h", (0,)), Gate("ry", (0,), (angle,)), Gate("p", (0,), (angle,)), Gate("rz", (0,), (-angle / 3,)))
    made = Operator(lower(ops, 1, gates)).data
    wanted = np.eye(2)
    for op in ops:
        half = (op.params[0] if op.params else 0.0) / 2
        turn = np.array([[math.cos(half), -math.sin(half)], [math.sin(half), math.cos(half)]])
        phase = np.diag([1, cmath.exp(2j * half)])
        wanted = {"h": np.array([[1, 1], [1, -1]]) / math.sqrt(2), "ry": turn}.get(op.name, phase) @ wanted
    overlap = abs(np.trace(wanted.conj().T @ made)) / 2
    assert overlap == pytest.approx(1, abs=1e-9)
