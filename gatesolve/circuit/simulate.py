"""Bit-parallel simulation: 64 basis states a machine word, with a phase in powers of i."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gatesolve.circuit.ops import And, AndNot, Gate, Mcx, Op, Parity, PhaseFlip, Xor

Plane = NDArray[np.uint64]
ONES = np.uint64(0xFFFFFFFFFFFFFFFF)


@dataclass
class Planes:
    """Many basis states at once.

    Attributes:
        bits: shape (qubits, words); bit s of word w of row q is qubit q of state 64 w + s.
        phase: shape (2, words); the two binary digits (low first) of the power of i.
    """

    bits: NDArray[np.uint64]
    phase: NDArray[np.uint64]

    @staticmethod
    def from_bits(columns: NDArray[np.bool_]) -> Planes:
        """Pack ``columns``, shape (qubits, states), with phase 1; the tail of the last word is zero."""
        qubits, states = columns.shape
        words = (states + 63) // 64
        padded = np.zeros((qubits, words * 64), dtype=bool)
        padded[:, :states] = columns
        packed = np.packbits(padded, axis=1, bitorder="little").view(np.uint64)
        return Planes(packed.reshape(qubits, words), np.zeros((2, words), dtype=np.uint64))

    def unpack(self, rows: NDArray[np.uint64], states: int) -> NDArray[np.bool_]:
        """Rows of packed words back to booleans, shape (rows, states)."""
        flat = np.unpackbits(np.ascontiguousarray(rows).view(np.uint8), axis=-1, bitorder="little")
        return flat[..., :states].astype(bool)


def run_ops(ops: Iterable[Op], planes: Planes) -> None:
    """Apply ``ops`` to ``planes`` in place.

    Raises:
        TypeError: an operation is not a basis-state map (a preparation gate).
    """
    for op in ops:
        match op:
            case Xor(source, target):
                planes.bits[target] ^= _value(source, planes)
            case And(left, right, target):
                _apply_and(planes, left, right, target)
            case AndNot():
                _apply_and_not(planes, op)
            case Mcx(target=target):
                planes.bits[target] ^= _product(op.literals, planes)
            case PhaseFlip(factors):
                planes.phase[1] ^= _product(factors, planes)
            case Gate(name="x", qubits=(qubit,)):
                planes.bits[qubit] ^= ONES
            case _:
                raise TypeError(f"{op} does not map basis states to basis states")


def _value(parity: Parity, planes: Planes) -> Plane:
    return parity.value(planes.bits.__getitem__, np.full(planes.bits.shape[1], ONES))


def _product(factors: tuple[Parity, ...], planes: Planes) -> Plane:
    value = np.full(planes.bits.shape[1], ONES)
    for factor in factors:
        value &= _value(factor, planes)
    return value


def _apply_and(planes: Planes, left: Parity, right: Parity, target: int) -> None:
    """Phases as stated at `And`: add 2 at (1,0,1), 1 at (1,1,0), 3 at (1,1,1)."""
    first, second = _value(left, planes), _value(right, planes)
    both, held = first & second, planes.bits[target].copy()
    planes.bits[target] ^= both
    carry = planes.phase[0] & both
    planes.phase[0] ^= both
    planes.phase[1] ^= ((first & ~second & held) | (both & held)) ^ carry


def _apply_and_not(planes: Planes, op: AndNot) -> None:
    """Phases as stated at `AndNot`: of -X add 2, of Y add 1 to a target at 0 and 3 at 1, of Z add 2 at 1."""
    head, left, right = (_value(side, planes) for side in (op.head, op.left, op.right))
    held = planes.bits[op.target].copy()
    planes.bits[op.target] ^= head & ~(left & right)
    odd = head & left & ~right
    carry = planes.phase[0] & odd
    planes.phase[0] ^= odd
    planes.phase[1] ^= (head & ~left & right) ^ (head & left & held) ^ carry
