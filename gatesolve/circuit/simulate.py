"""Bit-parallel simulation: 64 basis states a machine word, with a phase in powers of i."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gatesolve.circuit.ops import And, Gate, Mcx, Op, Parity, PhaseFlip, Xor

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
                planes.bits[target] ^= _parity(source, planes.bits)
            case And(left, right, target):
                _apply_and(planes, left, right, target)
            case Mcx(controls, target):
                planes.bits[target] ^= _product(_literals(controls), planes.bits)
            case PhaseFlip(factors):
                planes.phase[1] ^= _product(factors, planes.bits)
            case Gate(name="x", qubits=(qubit,)):
                planes.bits[qubit] ^= ONES
            case _:
                raise TypeError(f"{op} does not map basis states to basis states")


def _literals(controls: tuple[tuple[int, bool], ...]) -> tuple[Parity, ...]:
    return tuple(Parity((qubit,), not value) for qubit, value in controls)


def _parity(parity: Parity, bits: NDArray[np.uint64]) -> Plane:
    value = np.full(bits.shape[1], ONES if parity.constant else 0, dtype=np.uint64)
    for wire in parity.wires:
        value ^= bits[wire]
    return value


def _product(factors: tuple[Parity, ...], bits: NDArray[np.uint64]) -> Plane:
    value = np.full(bits.shape[1], ONES, dtype=np.uint64)
    for factor in factors:
        value &= _parity(factor, bits)
    return value


def _apply_and(planes: Planes, left: Parity, right: Parity, target: int) -> None:
    """Phases as stated at `And`: add 2 at (1,0,1), 1 at (1,1,0), 3 at (1,1,1)."""
    first, second = _parity(left, planes.bits), _parity(right, planes.bits)
    both, held = first & second, planes.bits[target].copy()
    planes.bits[target] ^= both
    _add_phase(planes, low=both, high=(first & ~second & held) | (both & held))


def _add_phase(planes: Planes, *, low: Plane, high: Plane) -> None:
    carry = planes.phase[0] & low
    planes.phase[0] ^= low
    planes.phase[1] ^= high ^ carry
