"""Pauli products as whole numbers, and what a Clifford circuit makes of them.

A Pauli is ``i ** phase * X ** x * Z ** z``, bit q of ``x`` and ``z`` for qubit q.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from gatesolve.circuit.gf2 import list_bits


class Pauli(NamedTuple):
    """A product of Pauli matrices with a power of i before it."""

    x: int
    z: int
    phase: int = 0

    def __mul__(self, other: object) -> Pauli:
        """The matrix product."""
        if not isinstance(other, Pauli):
            return NotImplemented
        # Z X = -X Z, so the sign turns wherever an X passes a Z.
        swaps = 2 * (self.z & other.x).bit_count()
        return Pauli(self.x ^ other.x, self.z ^ other.z, (self.phase + other.phase + swaps) & 3)

    def times_i(self, power: int) -> Pauli:
        """Return the Pauli times ``i ** power``."""
        return Pauli(self.x, self.z, (self.phase + power) & 3)

    def commutes(self, other: Pauli) -> bool:
        """Whether the two can change places."""
        return not ((self.x & other.z).bit_count() + (self.z & other.x).bit_count()) & 1

    @property
    def sign(self) -> int:
        """1 or -1, before the product of X, Y and Z; the Pauli has to be Hermitian."""
        return 1 - ((self.phase - (self.x & self.z).bit_count()) & 3)


IDENTITY = Pauli(0, 0)


class Frame:
    """Images of each X and Z, by qubit, under a Clifford circuit C: ``P -> C^-1 P C``, changed as C grows."""

    def __init__(self, num_qubits: int) -> None:
        self.num_qubits = num_qubits
        self.x = [Pauli(1 << qubit, 0) for qubit in range(num_qubits)]
        self.z = [Pauli(0, 1 << qubit) for qubit in range(num_qubits)]

    def image(self, axis: Pauli) -> Pauli:
        """The image of a Pauli."""
        x, z, phase = 0, 0, axis.phase
        for rows, mask in ((self.x, axis.x), (self.z, axis.z)):
            for qubit in list_qubits(mask):
                # The product so far times the row, with no Pauli made for it.
                more_x, more_z, more = rows[qubit]
                phase += more + 2 * (z & more_x).bit_count()
                x ^= more_x
                z ^= more_z
        return Pauli(x, z, phase & 3)

    def add_h(self, qubit: int) -> None:
        """C gains a Hadamard gate."""
        self.x[qubit], self.z[qubit] = self.z[qubit], self.x[qubit]

    def add_cx(self, control: int, target: int) -> None:
        """C gains a CX."""
        # Only these two images change: the CX spreads X to its target and Z to its control.
        self.x[control] *= self.x[target]
        self.z[target] = self.z[control] * self.z[target]

    def add_turns(self, axis: Pauli, quarters: int) -> None:
        """C gains a rotation about a Pauli by so many quarters of a turn: ``exp(-i pi/4 quarters axis)``."""
        if not (quarters := quarters & 3):
            return
        # B becomes B (cos - i sin axis) where it does not commute: -i B axis, -B or i B axis.
        image = IDENTITY if quarters == 2 else self.image(axis)
        for qubit in list_qubits(axis.z):
            self.x[qubit] = _turn(self.x[qubit], image, quarters)
        for qubit in list_qubits(axis.x):
            self.z[qubit] = _turn(self.z[qubit], image, quarters)


def _turn(row: Pauli, image: Pauli, quarters: int) -> Pauli:
    return row.times_i(2) if quarters == 2 else (row * image).times_i(-quarters)


@lru_cache(maxsize=4096)
def list_qubits(mask: int) -> tuple[int, ...]:
    """Return the qubits of a mask, in rising order."""
    return tuple(list_bits(mask))


def pauli_of(wires: Iterable[int], letter: str = "Z", negative: bool = False) -> Pauli:
    """X, Y or Z on each of some wires, with a sign."""
    mask = sum(1 << wire for wire in wires)
    x, z = mask if letter in "XY" else 0, mask if letter in "YZ" else 0
    return Pauli(x, z, ((x & z).bit_count() + 2 * negative) & 3)
