"""A phase of two labels, by rotations of parities of their bits, several wires at a time."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gatesolve.circuit import Gate

Reals = NDArray[np.float64]
CLOSINGS = 30
"""Ways tried to take the parities back."""


@dataclass(frozen=True, slots=True)
class Taste:
    """How the next CX is chosen among those that make a parity not had before.

    Attributes:
        noise: weight of chance.
        ahead: of each CX that would then be open.
        waiting: for a control whose rotation still waits.
        light: for parities of few wires, towards the end.
    """

    noise: float
    ahead: float
    waiting: float
    light: float


def label_phase(phase: Reals, cells: list[int], num_bits: int, taste: Taste, seed: int) -> tuple[Gate, ...]:
    """Gates ``cx`` and ``p`` giving ``exp(i phase[k])`` to the label ``cells[k]``, up to a global phase.

    Only as many parities are rotated as there are labels in use: any parities that are independent on these will do,
    so the CX gates walk to whichever come next on as many wires at once as they can, and the angles are then the
    solution of a linear system. Labels not in ``cells`` get some phase. All wires are taken back.

    Args:
        phase: shape (cells,).
        cells: the labels in use, without repeats.
        num_bits: wires 0, 1, ... of the label.
        taste: weights of the walk.
        seed: of its choices by chance.

    Cost: at most one rotation fewer than there are cells; depth about 3/8 of it and a dozen layers for 8 wires.
    """
    walk = _Walk(cells, num_bits, taste, random.Random(seed))
    while walk.needed or any(walk.pending):
        if not walk.layer():
            walk.detour()
    kept = [0, *walk.kept]
    solved = np.linalg.solve(walk.characters[kept].T, phase)
    # A parity p is (1 - character) / 2, so its angle is minus twice the character's coefficient.
    angles = dict(zip(kept, -2 * solved, strict=True))
    ops: list[Gate] = []
    for control, target, parity in walk.gates:
        if control >= 0:
            ops.append(Gate("cx", (control, target)))
        elif abs(math.remainder(angles[parity], 2 * math.pi)) > 1e-9:
            ops.append(Gate("p", (target,), (float(angles[parity]),)))
    ops += [Gate("cx", pair) for pair in walk.closing()]
    return tuple(ops)


class _Walk:
    """Parities held by the wires, and what is left of each character beside those rotated so far."""

    def __init__(self, cells: list[int], num_bits: int, taste: Taste, chance: random.Random) -> None:
        self.size, self.taste, self.chance = num_bits, taste, chance
        signs = [[1.0 - 2 * ((mask & cell).bit_count() & 1) for cell in cells] for mask in range(1 << num_bits)]
        self.characters: Reals = np.array(signs)
        self.left: Reals = self.characters.copy()
        self.live = [True] * (1 << num_bits)
        self.rows = [1 << wire for wire in range(num_bits)]
        self.pending = [False] * num_bits
        self.kept: list[int] = []
        self.gates: list[tuple[int, int, int]] = []
        self.total = self.needed = len(cells) - 1
        self._take(0)
        for wire in range(num_bits):
            self._arrive(wire)

    def _take(self, mask: int) -> None:
        unit = self.left[mask] / np.linalg.norm(self.left[mask])
        self.left -= np.outer(self.left @ unit, unit)
        self.live = ((self.left * self.left).sum(axis=1) > 1e-6).tolist()

    def _arrive(self, wire: int) -> bool:
        mask = self.rows[wire]
        if not self.live[mask]:
            return False
        self._take(mask)
        self.needed -= 1
        self.kept.append(mask)
        self.pending[wire] = True
        return True

    def layer(self) -> bool:
        """CX gates to new parities on disjoint wires, rotations on wires left; False if there was nothing to do."""
        used: set[int] = set()
        made: list[int] = []
        for _, control, target, mask in sorted(self._options(), reverse=True):
            if control in used or target in used or not self.live[mask]:
                continue
            used |= {control, target}
            self._cx(control, target)
            self._arrive(target)
            self.pending[target] = False
            made.append(target)
        waiting = [w for w in range(self.size) if self.pending[w] and w not in used]
        for wire in waiting:
            self.gates.append((-1, wire, self.rows[wire]))
            self.pending[wire] = False
        for wire in made:
            self.pending[wire] = True
        return bool(used or waiting)

    def _options(self) -> list[tuple[float, int, int, int]]:
        taste, options = self.taste, []
        late = taste.light * (1 - self.needed / self.total) ** 4
        for target in range(self.size):
            if self.pending[target]:
                continue
            for control in range(self.size):
                mask = self.rows[control] ^ self.rows[target]
                if control == target or not self.live[mask]:
                    continue
                ahead = sum(self.live[mask ^ row] for k, row in enumerate(self.rows) if k != target)
                score = taste.noise * self.chance.random() + taste.ahead * ahead
                score += taste.waiting * self.pending[control]
                score += late * (self.rows[target].bit_count() - mask.bit_count())
                options.append((score, control, target, mask))
        return options

    def detour(self) -> None:
        """A CX to a parity had before, from where most new ones can be reached."""
        best: tuple[float, int, int] | None = None
        for control in range(self.size):
            for target in range(self.size):
                if control == target:
                    continue
                rows = list(self.rows)
                rows[target] ^= rows[control]
                gain = sum(self.live[a ^ b] for a in rows for b in rows if a != b) + self.chance.random()
                best = max(best or (gain, control, target), (gain, control, target))
        assert best is not None
        self._cx(best[1], best[2])
        self._arrive(best[2])

    def _cx(self, control: int, target: int) -> None:
        self.gates.append((control, target, -1))
        self.rows[target] ^= self.rows[control]

    def closing(self) -> list[tuple[int, int]]:
        """CX gates back to one wire each, the shallowest found."""
        return min((self._way_back() for _ in range(CLOSINGS)), key=_pairs_depth)

    def _way_back(self) -> list[tuple[int, int]]:
        rows, gates, size = list(self.rows), [], self.size

        def cx(control: int, target: int) -> None:
            rows[target] ^= rows[control]
            gates.append((control, target))

        while True:
            gain, control, target = min(
                ((rows[j] ^ rows[i]).bit_count() - rows[j].bit_count() + 0.9 * self.chance.random(), i, j)
                for i in range(size)
                for j in range(size)
                if i != j
            )
            if gain >= 0:
                break
            cx(control, target)
        for column in range(size):
            if not rows[column] >> column & 1:
                cx(next(k for k in range(column + 1, size) if rows[k] >> column & 1), column)
            for k in range(size):
                if k != column and rows[k] >> column & 1:
                    cx(column, k)
        return gates


def _pairs_depth(pairs: list[tuple[int, int]]) -> tuple[int, int]:
    ends: dict[int, int] = {}
    for first, second in pairs:
        ends[first] = ends[second] = 1 + max(ends.get(first, 0), ends.get(second, 0))
    return max(ends.values(), default=0), len(pairs)
