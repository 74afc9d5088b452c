"""Bit planes, 64 states per machine word, and operations run on them, with a phase in powers of i."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from operator import and_

import numpy as np
from numpy.typing import NDArray

from gatesolve.circuit.ops import Op
from gatesolve.circuit.parity import Parity

Plane = NDArray[np.uint64]
"""One bit a state; bit s of word w belongs to state 64 w + s."""
ONES = np.uint64(0xFFFFFFFFFFFFFFFF)


@dataclass(frozen=True)
class Slice:
    """Some codewords that follow each other, from number ``start`` on.

    ``bits`` has a plane for each data qubit; bits past the last codeword are arbitrary. ``holds`` is where the model
    holds, and zero past the last codeword.
    """

    start: int
    length: int
    bits: tuple[Plane, ...]
    holds: Plane


def pack_plane(bits: NDArray[np.bool_]) -> Plane:
    """Return one bit per state of the last axis, 64 per word; the tail of the last word is zero."""
    # packbits fills bytes only, so the last word is filled up with zeros here.
    words = np.zeros((*bits.shape[:-1], (bits.shape[-1] + 63) // 64 * 8), dtype=np.uint8)
    packed = np.packbits(bits, axis=-1, bitorder="little")
    words[..., : packed.shape[-1]] = packed
    return words.view(np.uint64)


def unpack_plane(plane: Plane, length: int) -> NDArray[np.bool_]:
    """The reverse of `pack_plane`."""
    flat = np.ascontiguousarray(plane).view(np.uint8)
    return np.unpackbits(flat, axis=-1, count=length, bitorder="little").astype(bool)


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
        packed = pack_plane(columns)
        return Planes(packed, np.zeros((2, packed.shape[1]), dtype=np.uint64))

    def unpack(self, rows: NDArray[np.uint64], states: int) -> NDArray[np.bool_]:
        """Rows of packed words back to booleans, shape (rows, states)."""
        return unpack_plane(rows, states)


def run_ops(ops: Iterable[Op], planes: Planes) -> None:
    """Apply ``ops`` to ``planes`` in place.

    Raises:
        TypeError: an operation is not a basis-state map (a preparation gate).
    """
    ones = np.full(planes.bits.shape[1], ONES)

    def value_of(parity: Parity) -> Plane:
        return parity.value(planes.bits.__getitem__, ones)

    def multiply(values: Iterable[Plane]) -> Plane:
        return reduce(and_, values, ones)

    for op in ops:
        # Phases depend on the values on entry, so they are evaluated before the target is flipped.
        turns = [(power, multiply(map(value_of, factors))) for power, factors in op.phases]
        if not op.is_diagonal:
            planes.bits[op.changed[0]] ^= op.flip(value_of, multiply, ones)
        for power, where in turns:
            # The phase is a two-bit counter modulo 4: adding 1 carries into the high bit, adding 2 flips only the high
            # bit.
            if power & 1:
                planes.phase[1] ^= planes.phase[0] & where
                planes.phase[0] ^= where
            if power & 2:
                planes.phase[1] ^= where
