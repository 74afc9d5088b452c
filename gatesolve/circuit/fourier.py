"""The inverse Fourier transform of a value register whose bits come out one after the other, and phases on its bits."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from gatesolve.circuit.ops import Gate, Op, Xor
from gatesolve.circuit.parity import Parity

CHAINED = 4
"""Bits after which each wire holds the sum of its bit and the one before, where that saves CX."""
LEAST_CHAINED = 9
"""Bits from which on it does."""


def fourier_angle(turn: Fraction) -> float:
    """A part of a turn as the angle of least size."""
    part = turn % 1
    return 2 * math.pi * float(part if 2 * part <= 1 else part - 1)


@dataclass(frozen=True)
class Transform:
    """Bits of a number from phases.

    Attributes:
        values: the register, bit 0 first. Wire j is in ``|0> + exp(2 pi i z / 2^(j+1)) |1>`` for a whole number z,
            but for the constant part of that phase, or for j = 0 not in superposition yet.
        turns: the constant part of each phase, in turns.
        waiting: bit 0 is not in superposition, it holds its bit but for ``parity``.
        parity: XORed onto bit 0 at last.
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
        """Bit by bit: free it of the lower ones' part of its phase, then H.

        Afterwards wire j holds bit j, or where `chained` the sum of bits j and j - 1, but for the last wire, which
        holds its bit; then the first spare ancilla holds the last bit but one.

        Cost: for m bits m (m - 1) CX; about half of that where chained: a wire visits the sums with bits 0, 1, ... by
        a step each, and one step back.
        """
        ops: list[Op] = []
        for j, value in enumerate(self.values):
            if j or not self.waiting:
                lower = [Fraction(1, 4 << (j - i)) for i in range(j)]
                ops.append(Gate("p", (value,), (fourier_angle(self.turns[j] - sum(lower, Fraction(0))),)))
                ops += self._free_phases(j, [Gate("p", (value,), (fourier_angle(turn),)) for turn in lower])
                ops.append(Gate("h", (value,)))
            if not j and (self.parity.wires or self.parity.constant):
                ops.append(Xor(self.parity, value))
        return ops

    def _free_phases(self, bit: int, phases: Sequence[Gate]) -> list[Op]:
        """The phases of lower bits, each on the sum of a wire with that bit."""
        value, low, ops = self.values[bit], self.values[:bit], list[Op]()
        if not self.chained or bit < CHAINED:
            for wire, phase in zip(low, phases, strict=True):
                ops += [_flip(wire, value), phase, _flip(wire, value)]
            return ops
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
        """A phase on each bit after `ops`; where chained, by one more CX than there are bits at most."""
        angles = [fourier_angle(turn) for turn in turns]
        if not self.chained:
            return [Gate("p", (wire,), (angle,)) for wire, angle in zip(self.values, angles, strict=True)]
        last, walker = self.spare
        ops: list[Op] = [Gate("p", (self.values[-1],), (angles[-1],)), Gate("p", (last,), (angles[-2],))]
        for wire, angle in zip(self.values[:-2], angles[:-2], strict=True):
            ops += [_flip(wire, walker), Gate("p", (walker,), (angle,))]
        return [*ops, _flip(self.values[-2], walker), _flip(last, walker)]


def _flip(control: int, target: int) -> Xor:
    return Xor(Parity((control,)), target)
