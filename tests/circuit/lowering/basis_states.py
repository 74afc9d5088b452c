"""Operations with ANDs of three controls on many basis states at once, phases as powers of i."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from conformance.dense import matrix_of
from every_state import every_state

from gatesolve.circuit import Gate, Planes, emit, inverse, run_ops
from gatesolve.circuit.lowering.rules.clean import and_of_three

LENGTH = len(and_of_three(0, 1, 2, 3))


def acted(ops, columns):
    """Bits after ``ops``, shape as ``columns`` (qubits, states), and the power of i each state gained."""
    planes = Planes.from_bits(columns)
    states = columns.shape[1]
    power = np.zeros(states, dtype=np.int64)
    ops = list(ops)
    while ops:
        triple = _triple(ops)
        if triple is None:
            run_ops([ops.pop(0)], planes)
            continue
        wires, inverted = triple
        del ops[:LENGTH]
        bits = planes.unpack(planes.bits, states)
        goal, phase = _table(inverted)
        index = sum(bits[wire].astype(np.int64) << k for k, wire in enumerate(wires))
        bits[wires[3]] = goal[index] >> 3 & 1
        power += phase[index]
        planes = Planes(Planes.from_bits(bits).bits, planes.phase)
    own = planes.unpack(planes.phase, states)
    return planes.unpack(planes.bits, states), (power + own[0] + 2 * own[1]) % 4


def assert_multi_controlled_z(ops, qubits, ancillas):
    """Bit-parallel, exhaustive over the qubits, ancillas zero."""
    n = len(qubits)
    before = np.zeros((max(*qubits, *ancillas) + 1, 1 << n), dtype=bool)
    before[list(qubits)] = every_state(n)
    after, power = acted(ops, before)
    assert np.array_equal(after, before)
    assert np.flatnonzero(power).tolist() == [(1 << n) - 1]
    assert power[-1] == 2


def _triple(ops):
    """The four wires of an AND of three that ``ops`` begins with, and whether it is inverted."""
    if not isinstance(ops[0], Gate):
        return None
    part = tuple(ops[:LENGTH])
    assert all(isinstance(op, Gate) for op in part)
    target = part[0].qubits[0]
    controls = [op.qubits[0] for op in part if op.name == "cx"]
    first, second, third = *sorted({*controls[1:-1]}, key=controls.index), controls[0]
    for a, b in ((first, second), (second, first)):
        made = and_of_three(a, b, third, target)
        for inverted in (False, True):
            if part == tuple(inverse(made) if inverted else made):
                return (a, b, third, target), inverted
    raise AssertionError(part)


@lru_cache
def _table(inverted):
    """Where each of the sixteen states goes and the power of i it gains, from the gates' matrix."""
    made = and_of_three(0, 1, 2, 3)
    matrix = matrix_of(emit(inverse(made) if inverted else made), 4)
    goal = np.abs(matrix).argmax(axis=0)
    amplitude = matrix[goal, np.arange(16)]
    power = np.rint(np.angle(amplitude / amplitude[0]) / (np.pi / 2)).astype(np.int64)
    assert np.allclose(amplitude / amplitude[0], 1j**power)
    assert all(goal[k] == k ^ 8 * (k & 7 == 7) for k in range(16))
    return goal, power
