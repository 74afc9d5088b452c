"""The inverse Fourier transform of a value register, bit by bit, and phases on its bits."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from gatesolve.circuit.ops import Gate, Op, Xor
from gatesolve.circuit.parity import Parity

CHAINED = 4
"""First bit from which a chained transform keeps sums of neighbouring bits on the wires."""
LEAST_CHAINED = 9
"""Least number of bits at which chaining saves CX."""


def fourier_angle(turn: Fraction) -> float:
    """Return a fraction of a turn as the angle of least absolute value, in radians."""
    part = turn % 1
    return 2 * math.pi * float(part if 2 * part <= 1 else part - 1)


@dataclass(frozen=True)
class Transform:
    """Bits of a number from phases.

    Attributes:
        values: the register, bit 0 first. Wire j is in ``|0> + exp(2 pi i z / 2^(j+1)) |1>`` for a whole number z,
            up to the constant phase in ``turns``. Wire 0 may instead be ``waiting``.
        turns: the constant part of each phase, in turns.
        waiting: bit 0 is not in superposition; it holds its bit XOR ``parity``.
        parity: the parity that is XORed onto bit 0 at the end.
        spare: two clean ancillas; needed from nine bits on.
    """

    values: tuple[int, ...]
    turns: tuple[Fraction, ...]
    waiting: bool
    parity: Parity
    spare: tuple[int, ...] = ()

    @property
    def chained(self) -> bool:
        """Whether wires come to hold sums of neighbouring bits."""
        return len(self.values) >= LEAST_CHAINED

    def ops(self) -> list[Op]:
        """Return the transform: for each bit, remove the lower bits' part of its phase, then apply H.

        Afterwards wire j holds bit j. If `chained`, it holds the sum of bits j and j - 1 instead, except that the last
        wire holds its own bit. The first spare ancilla then holds the last bit but one.

        Cost: for m bits m (m - 1) CX; about half of that if chained.
        """
        ops: list[Op] = []
        for j, value in enumerate(self.values):
            if j or not self.waiting:
                # A phase on a sum of two bits contains minus twice that of their product, hence half the angle.
                lower = [Fraction(1, 4 << (j - i)) for i in range(j)]
                ops.append(Gate("p", (value,), (fourier_angle(self.turns[j] - sum(lower, Fraction(0))),)))
                ops += self._free_phases(j, [Gate("p", (value,), (fourier_angle(turn),)) for turn in lower])
                ops.append(Gate("h", (value,)))
            if not j and (self.parity.wires or self.parity.constant):
                ops.append(Xor(self.parity, value))
        return ops

    def _free_phases(self, bit: int, phases: Sequence[Gate]) -> list[Op]:
        """Return the phases of lower bits, each applied to the sum of the wire and that bit."""
        value, low, ops = self.values[bit], self.values[:bit], list[Op]()
        if not self.chained or bit < CHAINED:
            for wire, phase in zip(low, phases, strict=True):
                ops += [_flip(wire, value), phase, _flip(wire, value)]
            return ops
        # The lower wires hold sums of neighbours. XORed in one after another they telescope: the wire visits its sum
        # with bit 0, bit 1, and so on at one CX each, and one CX at the end restores it.
        last = self.spare[0]
        if bit == CHAINED:
            ops.append(_flip(low[-1], last))
            ops += [_flip(low[k - 1], low[k]) for k in range(bit - 1, 0, -1)]
        else:
            ops += [_flip(last, low[-1]), _flip(low[-1], last)]
        for wire, phase in zip(low, phases, strict=True):
            ops += [_flip(wire, value), phase]
        return [*ops, _flip(last, value)]

    def phases(self, turns: Sequence[Fraction]) -> list[Op]:
        """Return a phase on each bit after `ops`; if chained, with at most one CX more than there are bits."""
        angles = [fourier_angle(turn) for turn in turns]
        if not self.chained:
            return [Gate("p", (wire,), (angle,)) for wire, angle in zip(self.values, angles, strict=True)]
        last, walker = self.spare
        ops: list[Op] = [Gate("p", (self.values[-1],), (angles[-1],)), Gate("p", (last,), (angles[-2],))]
        # The walker sums the neighbour sums, so that it holds bit 0, bit 1, and so on in turn.
        for wire, angle in zip(self.values[:-2], angles[:-2], strict=True):
            ops += [_flip(wire, walker), Gate("p", (walker,), (angle,))]
        return [*ops, _flip(self.values[-2], walker), _flip(last, walker)]


def _flip(control: int, target: int) -> Xor:
    return Xor(Parity((control,)), target)
