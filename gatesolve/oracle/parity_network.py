"""Parity networks: CX among the data wires that make each of a set of parities on some wire, and go back.

A phase on a parity is a rotation about z while a wire holds it. An isolated pair takes two CX; several parities
share theirs where a wire goes from one to the next. Found by a beam search over circuits, one CX a step.
Source: parity networks of Amy, Azimzadeh, Mosca, arXiv:1712.01859; the search and what it goes by are ours.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, reduce
from itertools import chain, combinations
from operator import or_
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatesolve.circuit import Gate, Op, Ops, Parity, Xor
from gatesolve.circuit.gf2 import row_additions
from gatesolve.oracle.phase_polynomial import wires_of

Bits = NDArray[np.uint8]
Floats = NDArray[np.float64]
Places = NDArray[np.intp]
EFFORT = 100_000
"""Parities looked at in one search."""
WIDEST_BEAM = 60
MOST_PARTS = 8
"""Parts of a network up to which it is tried to make two of them together."""
WAYS_BACK = 4
"""Finished circuits of a step for which a way back is looked for."""
MOST_WORK = 20_000
"""Parities times wires of a component up to which it is searched; above, parities are made one by one."""
HOLD_WEIGHTS = (0.1, 0.25, 0.5, 0.75)
"""Weights of a superfluous wire in what a wire holds, relative to 1 for one in a parity that is not made yet."""


class Flip(NamedTuple):
    """One CX."""

    control: int
    target: int


@dataclass(frozen=True, eq=False)
class Beam:
    """Circuits so far, the best first, with the CX of each.

    ``rest`` are of each wire the parities to be made that it takes part in, zeros for a parity that is made. ``held``
    is what each wire holds, by first contents. ``seen`` is what was met since the search began; it is added to.
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
        """Return the ``width`` best circuits of one CX more that were not met before; none where no CX is of use."""
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
        """Take the first of the circuits at ``places`` of the estimates that are new, at most ``most``."""
        wires = self.held.shape[1]
        number, control, target = np.unravel_index(places, (len(self.flips), wires, wires))
        rest, held, each = self.rest[number], self.held[number], np.arange(len(places))
        # A parity with the target, written in the new contents, gains or loses the control.
        rest[each, control] ^= rest[each, target]
        held[each, target] ^= held[each, control]
        # A parity that is on one wire is made.
        rest *= rest.sum(axis=1, keepdims=True, dtype=np.uint16) > 1
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
        # CX that bring a wire back, roughly: one for each wire too many, two more if it lost its own.
        away = size - 1 + 2 * (1 - own)
        after = size[:, :, None] + size[:, None] - 2 * shared
        change = after - 1 + 2 * (1 - np.abs(own[:, None] - held)) - away[:, None]
        result = too_many + hold_weight * (away.sum(axis=1)[:, None, None] + change).astype(np.float64)
        useless = (together == 0) & (after >= size[:, None])
        result[useless | np.eye(held.shape[1], dtype=bool)] = np.inf
        return np.asarray(result)


def _keys(rest: Bits, held: Bits) -> list[bytes]:
    # Circuits with the same contents of all wires, and the same parities left to make, are alike.
    parts = (rest.any(axis=1), held.reshape(len(held), -1))
    return [row.tobytes() for row in np.concatenate([np.packbits(part, axis=1) for part in parts], axis=1)]


class Turn(NamedTuple):
    """The moment at which ``wire`` holds the parity of the wires ``mask``."""

    mask: int
    wire: int


Steps = tuple[Flip | Turn, ...]


def phase_network(masks: Iterable[int]) -> Steps:
    """Return CX, and turns for every parity in ``masks``; the wires hold their own contents again at the end.

    Cost: at most 2 (k - 1) CX for a parity of k wires, by search less where parities share wires.
    """
    wanted = sorted({mask for mask in masks if mask})
    steps: list[Flip | Turn] = [Turn(mask, mask.bit_length() - 1) for mask in wanted if mask.bit_count() == 1]
    for component in _components([mask for mask in wanted if mask.bit_count() > 1]):
        wires = wires_of(_union(component))
        place = {wire: k for k, wire in enumerate(wires)}
        local = tuple(sorted(sum(1 << place[w] for w in wires_of(mask)) for mask in component))
        steps += [_rename_step(step, wires) for step in _compact(local, len(wires))]
    return tuple(steps)


def joint_phase_network(parts: Sequence[Iterable[int]]) -> Steps:
    """Return a network for the parities of all ``parts``, each of which has a cheap one of its own.

    Parts are made one after the other, or several together where that takes fewer CX.
    """
    sets = [frozenset(part) for part in parts]
    while len(sets) <= MOST_PARTS and (found := _join_once(sets)) is not None:
        sets = found
    seen: set[int] = set()
    steps: list[Flip | Turn] = []
    for step in chain.from_iterable(map(phase_network, sets)):
        if isinstance(step, Turn):
            if step.mask in seen:
                continue
            seen.add(step.mask)
        steps.append(step)
    return min((tuple(steps), phase_network(frozenset().union(*sets))), key=num_flips)


def _join_once(sets: Sequence[frozenset[int]]) -> list[frozenset[int]] | None:
    """Join the two parts that save most CX when made together; None if nothing is saved."""
    costs = {part: num_flips(phase_network(part)) for part in sets}
    gains = {
        (a, b): costs[sets[a]] + costs[sets[b]] - num_flips(phase_network(sets[a] | sets[b]))
        for a, b in combinations(range(len(sets)), 2)
        if len(wires_of(_union(sets[a]) & _union(sets[b]))) > 1
    }
    best = max(gains, key=gains.__getitem__, default=None)
    if best is None or gains[best] <= 0:
        return None
    return [part for k, part in enumerate(sets) if k not in best] + [sets[best[0]] | sets[best[1]]]


def _union(masks: Iterable[int]) -> int:
    return reduce(or_, masks, 0)


def num_flips(steps: Steps) -> int:
    """CX of a network."""
    return sum(isinstance(step, Flip) for step in steps)


def turned_network(steps: Steps, angles: Mapping[int, float]) -> Ops:
    """``exp(-i sum(angles[mask] * (-1)^parity of mask))``: the network with an RZ at every turn.

    Turns of masks without an angle are left out.
    """
    ops: list[Op] = []
    for step in steps:
        if isinstance(step, Flip):
            ops.append(Xor(Parity((step.control,)), step.target))
        elif step.mask in angles:
            ops.append(Gate("rz", (step.wire,), (2 * angles[step.mask],)))
    return tuple(ops)


def _components(masks: list[int]) -> list[tuple[int, ...]]:
    """Masks grouped so that different groups share no wire."""
    groups: list[tuple[int, list[int]]] = []
    for mask in masks:
        touching = [group for group in groups if group[0] & mask]
        groups = [group for group in groups if not group[0] & mask]
        members = [mask, *chain.from_iterable(others for _, others in touching)]
        groups.append((_union(members), members))
    return [tuple(sorted(members)) for _, members in groups]


@lru_cache(maxsize=1024)
def _compact(masks: tuple[int, ...], num_wires: int) -> Steps:
    """Return the steps on wires 0, 1, ..., all of them used."""
    # Every parity made in place and undone.
    steps: list[Flip | Turn] = []
    for mask in masks:
        *others, target = wires_of(mask)
        make = [Flip(other, target) for other in others]
        steps += [*make, Turn(mask, target), *reversed(make)]
    best: Steps = tuple(steps)
    if len(masks) * num_wires <= MOST_WORK:
        # Each search has to beat the best network so far.
        for hold_weight in HOLD_WEIGHTS:
            best = _search(masks, num_wires, hold_weight, num_flips(best)) or best
    return best


def _rename_step(step: Flip | Turn, wires: tuple[int, ...]) -> Flip | Turn:
    if isinstance(step, Flip):
        return Flip(wires[step.control], wires[step.target])
    return Turn(sum(1 << wires[k] for k in wires_of(step.mask)), wires[step.wire])


def _search(masks: tuple[int, ...], num_wires: int, hold_weight: float, most: int) -> Steps | None:
    """Search for a network of fewer than ``most`` CX by beam search; None if there is none."""
    beam = Beam.of(masks, num_wires)
    width = max(2, min(WIDEST_BEAM, EFFORT // (most * len(masks))))
    best: tuple[Flip, ...] = ()
    for length in range(1, most):
        beam = beam.step(hold_weight, width)
        # Several are tried, since the way back of the first may be long.
        for number in beam.done()[:WAYS_BACK]:
            back = _way_back(beam.held[number], most - length)
            if back is not None:
                best, most = (*beam.flips[number], *back), length + len(back)
        if not beam.flips or length + 1 >= most:
            break
    return _write_steps(best, masks, num_wires) if best else None


def _way_back(held: Bits, most: int) -> list[Flip] | None:
    """Return fewer than ``most`` CX that bring every wire back to its own; None if they do not suffice."""
    # Always the CX that takes off most; where none takes anything off, elimination column by column.
    held, flips = held.copy(), list[Flip]()
    while len(flips) < most and held.sum() > len(held):
        # Floats are multiplied faster than whole numbers, and as exactly.
        bits = held.astype(np.float32)
        shared = bits @ bits.T
        change = np.diag(shared)[:, None] - 2 * shared
        np.fill_diagonal(change, 1)
        control, target = np.unravel_index(int(change.argmin()), change.shape)
        if change[control, target] >= 0:
            break
        held[target] ^= held[control]
        flips.append(Flip(int(control), int(target)))
    rows = [sum(1 << int(wire) for wire in np.flatnonzero(row)) for row in held]
    flips += [Flip(control, target) for control, target in row_additions(rows) or ()]
    return flips if len(flips) < most else None


def _write_steps(flips: Sequence[Flip], masks: tuple[int, ...], num_wires: int) -> Steps:
    held = [1 << wire for wire in range(num_wires)]
    left = set(masks)
    steps: list[Flip | Turn] = []
    for flip in flips:
        steps.append(flip)
        held[flip.target] ^= held[flip.control]
        # A turn as soon as a wire holds what was to be made.
        if held[flip.target] in left:
            left.remove(held[flip.target])
            steps.append(Turn(held[flip.target], flip.target))
    return tuple(steps)
