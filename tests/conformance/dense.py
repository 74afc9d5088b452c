"""Plain references: operations one basis state at a time, gates as dense matrices, random operations."""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterable, Sequence

import numpy as np
from hypothesis import strategies as st

from gatesolve.circuit import And, AndNot, Gate, Mcx, Mux, Op, Parity, PhaseFlip, Xor

Matrix = np.ndarray
_R = math.sqrt(0.5)
_ONE: dict[str, Matrix] = {
    "h": np.array([[_R, _R], [_R, -_R]]),
    "x": np.array([[0, 1], [1, 0]]),
    "z": np.diag([1, -1]),
    "s": np.diag([1, 1j]),
    "sdg": np.diag([1, -1j]),
    "t": np.diag([1, cmath.exp(0.25j * math.pi)]),
    "tdg": np.diag([1, cmath.exp(-0.25j * math.pi)]),
}


def value(parity: Parity, state: int) -> int:
    """The parity's value at a basis state."""
    return (sum(state >> w & 1 for w in parity.wires) + parity.constant) % 2


def act(op: Op, state: int) -> tuple[int, int]:
    """Basis state and power of i after ``op``, straight from the operations' docstrings."""
    match op:
        case Xor(source, target):
            return state ^ value(source, state) << target, 0
        case And(left, right, target):
            key = (value(left, state), value(right, state), state >> target & 1)
            power = {(1, 0, 1): 2, (1, 1, 0): 1, (1, 1, 1): 3}.get(key, 0)
            return state ^ (key[0] & key[1]) << target, power
        case AndNot(head, left, right, target):
            if not value(head, state):
                return state, 0
            key = (value(left, state), value(right, state), state >> target & 1)
            power = {(0, 1, 0): 2, (0, 1, 1): 2, (1, 0, 0): 1, (1, 0, 1): 3, (1, 1, 1): 2}.get(key, 0)
            return state ^ (1 - key[0] * key[1]) << target, power
        case Mux(choice, yes, no, target):
            key = (value(choice, state), value(yes, state), value(no, state))
            chosen = key[1] if key[0] else key[2]
            power = 0 if not chosen else 3 if all(key) else 1
            return state ^ chosen << target, (power + 2 * ((key[1] ^ key[2]) & state >> target)) % 4
        case Mcx(controls, target):
            return state ^ all((state >> q & 1) == v for q, v in controls) << target, 0
        case PhaseFlip(factors):
            return state, 2 * all(value(f, state) for f in factors)
        case Gate(name="x", qubits=(qubit,)):
            return state ^ 1 << qubit, 0
    raise AssertionError(op)


def act_all(ops: Iterable[Op], state: int) -> tuple[int, int]:
    """The same for a list of operations."""
    power = 0
    for op in ops:
        state, more = act(op, state)
        power += more
    return state, power % 4


def expected(ops: Sequence[Op], num_qubits: int) -> Matrix:
    """The operations' matrix on all basis states."""
    matrix = np.zeros((1 << num_qubits, 1 << num_qubits), dtype=complex)
    for state in range(1 << num_qubits):
        after, power = act_all(ops, state)
        matrix[after, state] = 1j**power
    return matrix


def matrix_of(gates: Iterable[tuple[str, tuple[int, ...], float]], num_qubits: int) -> Matrix:
    """The matrix of emitted gates, qubit 0 the least significant bit."""
    columns = np.eye(1 << num_qubits, dtype=complex)
    index = np.arange(1 << num_qubits)
    for name, qubits, angle in gates:
        if name == "cx":
            columns = columns[index ^ (index >> qubits[0] & 1) << qubits[1]]
        elif name == "mcz_noaux":
            every = np.all([index >> q & 1 for q in qubits], axis=0)
            columns[every] *= -1
        else:
            columns = _apply_one(_single(name, angle), qubits[0], columns)
    return columns


def _single(name: str, angle: float) -> Matrix:
    if name == "ry":
        c, s = math.cos(angle / 2), math.sin(angle / 2)
        return np.array([[c, -s], [s, c]])
    return _ONE[name]


def _apply_one(gate: Matrix, qubit: int, columns: Matrix) -> Matrix:
    size = len(columns)
    split = columns.reshape(size >> (qubit + 1), 2, 1 << qubit, columns.shape[1])
    return np.einsum("ij,ajbc->aibc", gate, split).reshape(size, columns.shape[1])


def distance_up_to_phase(first: Matrix, second: Matrix) -> float:
    """Largest entry of the difference once the global phase that fits best is taken off."""
    overlap = np.vdot(first, second)
    if abs(overlap) < 1e-6:
        return math.inf
    return float(np.abs(first * (overlap / abs(overlap)) - second).max())


def parities(qubits: Sequence[int], most: int = 3) -> st.SearchStrategy[Parity]:
    """Parities over some of ``qubits``; the empty one included."""
    wires = st.lists(st.sampled_from(list(qubits)), max_size=most, unique=True)
    return st.builds(Parity.of, wires, st.booleans())


@st.composite
def basis_ops(draw: st.DrawFn, num_qubits: int, most: int = 8) -> tuple[Op, ...]:
    """Operations on ``num_qubits`` qubits that map basis states to basis states, no ancilla borrowed."""
    ops: list[Op] = []
    for _ in range(draw(st.integers(0, most))):
        target = draw(st.integers(0, num_qubits - 1))
        others = [q for q in range(num_qubits) if q != target]
        kind = draw(st.sampled_from(["xor", "and", "andnot", "mux", "mcx", "phase", "x"]))
        if kind == "xor":
            ops.append(Xor(draw(parities(others)), target))
        elif kind == "and":
            ops.append(And(draw(parities(others)), draw(parities(others)), target, draw(st.booleans())))
        elif kind == "andnot":
            ops.append(AndNot(*(draw(parities(others)) for _ in range(3)), target))
        elif kind == "mux":
            ops.append(Mux(*(draw(parities(others)) for _ in range(3)), target))
        elif kind == "mcx":
            controls = draw(st.lists(st.sampled_from(others), max_size=4, unique=True))
            ops.append(Mcx(tuple((q, draw(st.booleans())) for q in controls), target))
        elif kind == "phase":
            ops.append(PhaseFlip(tuple(draw(st.lists(parities(range(num_qubits)), max_size=5)))))
        else:
            ops.append(Gate("x", (target,)))
    return tuple(ops)
