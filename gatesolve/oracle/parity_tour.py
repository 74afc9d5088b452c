"""Walks of one wire through parities of others: the CX of phases on parities.

A wire v that visits ``v ^ s`` for every parity s of a set, and comes back, needs one CX a step where the step is
what some other wire holds at that moment. Which parities the other wires hold is free: CX among them, made once and
taken back, serve the walks of all wires. Between neighbouring parities of pairs, (a, b) and (a, c), one step does
where a wire holds ``b ^ c``; two do where wires hold single variables.
Source: parity networks of Amy, Azimzadeh, Mosca, arXiv:1712.01859; sharing one change of basis among several walks,
and leaving the way back until it is undone, are ours.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from gatesolve.oracle.phase_polynomial import wires_of

Flip = tuple[int, int]
"""A CX: control and target."""
IMPROVED = 90
"""Most points of a walk that is improved by reversing stretches."""
CLIMBED = 40
"""Most points of all walks for which changes of basis are searched for."""
EFFORT = 20_000
"""Points of walks that are planned for that search."""


@dataclass
class Basis:
    """The contents of wires after some CX, and how parities of the first contents are written in it."""

    flips: list[Flip] = field(default_factory=list)
    known: dict[int, int] = field(default_factory=dict)

    def flip(self, control: int, target: int) -> None:
        """One CX more."""
        self.flips.append((control, target))
        for wire in (control, target):
            self.known.setdefault(wire, 1 << wire)
        for wire, mask in self.known.items():
            if mask >> target & 1:
                self.known[wire] = mask ^ 1 << control

    def steps(self, mask: int) -> int:
        """The wires whose sum is the parity of the wires ``mask`` before."""
        result = 0
        for wire in wires_of(mask):
            result ^= self.known.get(wire, 1 << wire)
        return result


@dataclass(frozen=True)
class Walk:
    """One wire's way through its points.

    Attributes:
        steps: the points in order, each with the wires whose CX lead to it from the one before.
        back: the wires of the CX that lead back, made when the change of basis is taken back.
    """

    steps: tuple[tuple[int, tuple[int, ...]], ...]
    back: tuple[int, ...]

    @property
    def cost(self) -> int:
        """CX."""
        return sum(len(wires) for _, wires in self.steps) + len(self.back)


@dataclass(frozen=True)
class Walks:
    """A change of basis and a walk for each set of points.

    Attributes:
        flips: CX among the wires before the walks, taken back after them.
        walks: one for each set.
        once: the walk of a wire that starts at zero, through parities that need a phase on their own.
        still: those of them that a wire holds during the walks, and that wire.
    """

    flips: tuple[Flip, ...]
    walks: tuple[Walk, ...]
    once: Walk
    still: tuple[tuple[int, int], ...]

    @property
    def cost(self) -> int:
        """CX when all but ``once`` is done and undone."""
        return 4 * len(self.flips) + 2 * sum(walk.cost for walk in self.walks) + self.once.cost


@lru_cache(maxsize=256)
def plan_walks(points: tuple[frozenset[int], ...], once: frozenset[int] = frozenset(), thorough: bool = True) -> Walks:
    """The cheapest walks found through several sets of parities.

    Each of ``points`` are the parities, as masks of other wires, that one walking wire has to visit; ``once`` are
    parities of more than one wire to be visited by a wire that starts at zero, or where a wire holds them. Changes of
    basis are searched for where ``thorough``, if there are at most 40 points.

    Cost: a few walks of n points for n^2 comparisons each, some hundred where thorough.
    """
    whole = frozenset().union(once, *points)
    best = _walks((), points, once)
    for flips in _bases(whole, points):
        found = _walks(flips, points, once)
        if found.cost < best.cost:
            best = found
    return _climb(best, points, once) if thorough and len(whole) <= CLIMBED else best


def _walks(flips: tuple[Flip, ...], points: Sequence[frozenset[int]], once: frozenset[int]) -> Walks:
    basis = Basis()
    for control, target in flips:
        basis.flip(control, target)
    steps = {mask: basis.steps(mask) for mask in once}
    # Most bits visit the same parities.
    walks = {wanted: _walk(basis, wanted) for wanted in set(points)}
    still = {mask: step for mask, step in steps.items() if step.bit_count() == 1}
    return Walks(
        flips,
        tuple(walks[wanted] for wanted in points),
        _walk(basis, once - set(still)),
        tuple((mask, wires_of(step)[0]) for mask, step in sorted(still.items())),
    )


def _walk(basis: Basis, wanted: Iterable[int]) -> Walk:
    order = tuple(sorted(wanted))
    steps = tuple(basis.steps(mask) for mask in order)
    walk, before = [], 0
    for k in _path(steps, tuple(mask.bit_count() for mask in order)):
        walk.append((order[k], wires_of(steps[k] ^ before)))
        before = steps[k]
    return Walk(tuple(walk), wires_of(walk[-1][0]) if walk else ())


@lru_cache(maxsize=4096)
def _path(steps: tuple[int, ...], back: tuple[int, ...]) -> tuple[int, ...]:
    """An order of the points of few steps, from zero to one that is ``back`` away from it; nearest first, improved."""
    left, path, place = set(range(len(steps))), [], 0
    while left:
        near = min(left, key=lambda k: ((steps[k] ^ place).bit_count(), -back[k], steps[k]))
        left.remove(near)
        path.append(near)
        place = steps[near]
    return tuple(_shorten_path(path, steps, back) if len(path) <= IMPROVED else path)


def _shorten_path(path: list[int], steps: Sequence[int], back: Sequence[int]) -> list[int]:
    """Reverse stretches of the path (2-opt) and move single points (or-opt) while that shortens it."""
    zero, end = len(steps), len(steps) + 1
    far = [[(a ^ b).bit_count() for b in (*steps, 0)] + [away] for a, away in zip((*steps, 0), (*back, 0), strict=True)]
    far.append([*back, 0, 0])
    route = [zero, *path, end]
    while _reverse_once(route, far) or _move_once(route, far):
        pass
    return route[1:-1]


def _reverse_once(route: list[int], far: Sequence[Sequence[int]]) -> bool:
    """Reverse the stretches that shorten the route, one after the other; whether there was one."""
    better = False
    for i in range(1, len(route) - 1):
        before = far[route[i - 1]]
        for j in range(i + 1, len(route) - 1):
            first, last, after = route[i], route[j], far[route[j + 1]]
            if before[last] + after[first] < before[first] + after[last]:
                route[i : j + 1] = route[i : j + 1][::-1]
                better = True
    return better


def _move_once(route: list[int], far: Sequence[Sequence[int]]) -> bool:
    """Move the first point found whose place elsewhere makes the route shorter; whether there was one."""
    for i in range(1, len(route) - 1):
        point = far[route[i]]
        gain = point[route[i - 1]] + point[route[i + 1]] - far[route[i - 1]][route[i + 1]]
        if gain <= 0:
            continue
        for j in range(len(route) - 1):
            if j in {i - 1, i}:
                continue
            if point[route[j]] + point[route[j + 1]] - far[route[j]][route[j + 1]] < gain:
                moved = route.pop(i)
                route.insert(j + 1 if j < i else j, moved)
                return True
    return False


def _bases(whole: frozenset[int], points: Sequence[frozenset[int]]) -> Iterable[tuple[Flip, ...]]:
    """Changes of basis worth trying: chains of wires, wide points made on wires, and chains of those."""
    often = {mask: sum(mask in wanted for wanted in points) for mask in whole}
    wires = sorted({wire for mask in whole for wire in wires_of(mask)})
    weight = {w: max(often[mask] for mask in whole if mask >> w & 1) for w in wires}
    first = sorted(wires, key=lambda w: (-weight[w], w))
    yield _chain(first)
    yield _chain(_by_neighbours(whole, wires))
    made = _points_made(sorted(whole, key=lambda m: (-often[m], m.bit_count(), m)))
    if made:
        flips, pivots = made
        yield flips
        yield (*flips, *_chain(pivots))


def _chain(wires: Sequence[int]) -> tuple[Flip, ...]:
    """Every wire holds its sum with the one before, but the first."""
    return tuple((wires[k - 1], wires[k]) for k in range(len(wires) - 1, 0, -1))


def _by_neighbours(whole: Iterable[int], wires: Sequence[int]) -> list[int]:
    """Wires so that next to each other are those that occur with the same others."""
    sets = {w: {mask ^ 1 << w for mask in whole if mask >> w & 1} for w in wires}
    near, left, order = set[int]().union(*sets.values()), list(wires), list[int]()
    while left:
        shared = {w: len(sets[w] & near) for w in left}
        order.append(max(left, key=shared.__getitem__))
        left.remove(order[-1])
        near = sets[order[-1]]
    return order


def _points_made(masks: Sequence[int]) -> tuple[tuple[Flip, ...], list[int]] | None:
    """CX after which a wire holds each of the independent ones among ``masks``; the wires in their order."""
    basis = Basis()
    pivots: list[int] = []
    for mask in masks:
        steps = basis.steps(mask)
        free = [w for w in wires_of(steps) if w not in pivots]
        if not free:
            continue
        pivot = free[-1]
        for wire in wires_of(steps & ~(1 << pivot)):
            basis.flip(wire, pivot)
        pivots.append(pivot)
    return (tuple(basis.flips), pivots) if basis.flips else None


def _climb(best: Walks, points: Sequence[frozenset[int]], once: frozenset[int]) -> Walks:
    """One CX more or less in the change of basis at a time, while that is cheaper."""
    wires = sorted({wire for wanted in (*points, once) for mask in wanted for wire in wires_of(mask)})
    budget = EFFORT // (1 + sum(map(len, {*points, once})))
    better = True
    while better and budget > 0:
        better = False
        flips = best.flips
        fewer = [flips[:k] + flips[k + 1 :] for k in range(len(flips))]
        more = [(*flips, (a, b)) for a in wires for b in wires if a != b]
        for option in (*fewer, *more):
            budget -= 1
            found = _walks(option, points, once)
            if found.cost < best.cost:
                best, better = found, True
                break
            if budget <= 0:
                break
    return best
