"""The beam of the search for parity networks: many circuits so far, each one CX longer at every step.

All of them are held in a few arrays, so that a step is a few operations of NumPy however many there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Bits = NDArray[np.uint8]
Floats = NDArray[np.float64]
Places = NDArray[np.intp]


class Flip(NamedTuple):
    """One CX."""

    control: int
    target: int


@dataclass(frozen=True, eq=False)
class Beam:
    """Circuits so far, the best first.

    Attributes:
        rest: of each circuit and wire, the parities to be made that it takes part in; zeros for a parity that is made.
        held: of each circuit and wire, what the wire holds, by first contents.
        flips: of each circuit, the CX.
        seen: what was met since the search began; it is added to.
    """

    rest: Bits
    held: Bits
    flips: tuple[tuple[Flip, ...], ...]
    seen: set[bytes] = field(repr=False)

    @classmethod
    def of(cls, masks: Sequence[int], num_wires: int) -> Beam:
        """The empty circuit alone; ``masks`` are the parities to be made."""
        rest = np.array([[[mask >> wire & 1 for mask in masks] for wire in range(num_wires)]], dtype=np.uint8)
        held = np.eye(num_wires, dtype=np.uint8)[None]
        return cls(rest, held, ((),), set(_keys(rest, held)))

    def done(self) -> Places:
        """The circuits that have made everything."""
        return np.flatnonzero(~self.rest.any(axis=(1, 2)))

    def step(self, hold_weight: float, width: int) -> Beam:
        """The ``width`` best circuits of one CX more that were not met before; none where no CX is of use."""
        scores = self.estimates(hold_weight)
        order = np.argsort(scores, axis=None, kind="stable")[: np.count_nonzero(np.isfinite(scores))]
        parts, left = list[Beam](), width
        for first in range(0, len(order), 2 * width):
            part = self._take(order[first : first + 2 * width], left)
            parts, left = [*parts, part], left - len(part.flips)
            if not left:
                break
        if not parts:
            return Beam(self.rest[:0], self.held[:0], (), self.seen)
        rest, held = (np.concatenate([getattr(part, name) for part in parts]) for name in ("rest", "held"))
        return Beam(rest, held, tuple(one for part in parts for one in part.flips), self.seen)

    def _take(self, places: Places, most: int) -> Beam:
        """The first of the circuits at ``places`` of the estimates that are new, at most so many."""
        wires = self.held.shape[1]
        number, control, target = np.unravel_index(places, (len(self.flips), wires, wires))
        rest, held, each = self.rest[number], self.held[number], np.arange(len(places))
        rest[each, control] ^= rest[each, target]
        held[each, target] ^= held[each, control]
        rest *= rest.sum(axis=1, keepdims=True, dtype=np.uint16) > 1  # what is on one wire is made
        kept = list[int]()
        for place, key in enumerate(_keys(rest, held)):
            if len(kept) == most:
                break
            if key not in self.seen:
                self.seen.add(key)
                kept.append(place)
        flips = ((*self.flips[number[k]], Flip(int(control[k]), int(target[k]))) for k in kept)
        return Beam(rest[kept], held[kept], tuple(flips), self.seen)

    def estimates(self, hold_weight: float) -> Floats:
        """Roughly the CX to come, by circuit, control and target of the next CX; infinite where that is no use.

        A wire too many of a parity not made yet counts 1, one too many of what a wire holds counts ``hold_weight``.
        """
        # Whole numbers, which 32 bits hold exactly.
        rest, held = self.rest.astype(np.float32), self.held.astype(np.float32)
        together, shared = rest @ rest.transpose(0, 2, 1), held @ held.transpose(0, 2, 1)
        parities, size, own = (np.diagonal(one, axis1=1, axis2=2) for one in (together, shared, held))
        left = parities.sum(axis=1) - self.rest.any(axis=1).sum(axis=1)
        too_many = left[:, None, None] + parities[:, None] - 2 * together
        away = size - 1 + 2 * (1 - own)
        after = size[:, :, None] + size[:, None] - 2 * shared
        change = after - 1 + 2 * (1 - np.abs(own[:, None] - held)) - away[:, None]
        result = too_many + hold_weight * (away.sum(axis=1)[:, None, None] + change).astype(np.float64)
        useless = (together == 0) & (after >= size[:, None])
        result[useless | np.eye(held.shape[1], dtype=bool)] = np.inf
        return np.asarray(result)


def _keys(rest: Bits, held: Bits) -> list[bytes]:
    """Return keys that tell circuits apart: the contents of the wires, and which parities are not made yet."""
    parts = (rest.any(axis=1), held.reshape(len(held), -1))
    return [row.tobytes() for row in np.concatenate([np.packbits(part, axis=1) for part in parts], axis=1)]
