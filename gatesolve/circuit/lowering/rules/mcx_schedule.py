"""Shallow products of many controls: a deterministic beam search for the ANDs, their wires and their order.

An AND onto a zeroed wire z = x y does not serve x and y alike. Its gate order is ``u cx(y) u cx(x) u cx(y) u`` on z:
the outer control y must be there six layers before z, the middle control x only four. So a control that arrives late
goes into the middle, and a tree of ANDs has arrival times like a Fibonacci tree's.

Target wires come from the controls themselves (conditionally clean ancillas, Khattar and Gidney, arXiv:2407.17966). Let
z = x y be a factor of the final product. Wherever that product can still be 1, x and y are known to be 1, so after an X
they serve as zeroed targets. A result put there is right only where z is 1: z *guards* it.

Guards stay right if no factor guards itself, directly or through others, and all final factors are kept. Where the
product is wrong, an unguarded factor is 0.

The search extends partial schedules by one AND at a time, in the order of their first CX. It keeps the best by the sum
of ``GROWTH ** arrival`` over the factors left: the least such sum that a tree could have had.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import accumulate, combinations_with_replacement, permutations

import numpy as np
from numpy.typing import NDArray

from gatesolve.circuit.gf2 import list_bits

GROWTH = 1.1506
"""Solves g^-4 + g^-6 = 1: a factor that arrives a layer later is worth that much more of the final depth."""
WIDTH = 30
"""Partial schedules kept at each step, for each number of targets left to unguarded factors."""
MOST_RESERVE = 4
ZEROED = -1
"""The owner of a zeroed target."""
Numbers = NDArray[np.intp]


@dataclass(frozen=True)
class Timing:
    """Layers of an AND and of the final CCZ in a way of counting depth.

    Attributes:
        head: from the target being free to its first CX.
        mid: from the outer control's first CX to the middle control's only one.
        free_mid: from the first CX until the middle control is free again.
        free_outer: the same for the outer control.
        result: the same until the result can be used.
        triple: an AND of three onto one wire: from its first CX until its controls are free, and until its result is.
        root: what stands in the middle, as the most layers from one of its factors to another or back to itself.
    """

    head: int = 1
    mid: int = 2
    free_mid: int = 3
    free_outer: int = 5
    result: int = 6
    triple: tuple[int, int, int, int] = (7, 9, 11, 12)
    root: tuple[tuple[int, ...], ...] = ((5, 7, 7), (7, 6, 7), (7, 7, 7))


LAYERS = Timing()
"""CX and general one-qubit gates."""
T_LAYERS = Timing(0, 0, 2, 2, 2, (8, 8, 8, 8), ((3, 4, 4), (4, 3, 4), (4, 4, 4)))
"""Only T gates take time: two layers an AND, a bound. Smaller times find no plan for a hundred controls."""


@dataclass(frozen=True)
class McxStep:
    """One AND: ``target ^= middle & outer (& third)``, after an X on the target if ``flipped``."""

    middle: int
    outer: int
    target: int
    flipped: bool
    third: int | None = None


@dataclass(frozen=True)
class McxSchedule:
    """A schedule of ANDs in order over wires 0..n-1 (the controls) and n.. (zeroed ancillas).

    The product of the wires ``roots``, in the order of the timing's ``root``, is that of all controls. The depth counts
    the ANDs, what stands in the middle, and the mirrored ANDs.
    """

    steps: tuple[McxStep, ...]
    roots: tuple[int, ...]
    depth: int


Factor = tuple[int, int, int]
"""Wire, layer from which it can be used, wires that guard it (a bit mask)."""
Spare = tuple[int, int, int]
"""A known wire: layer from which it is free, the factor that vouches for it, the wire."""
Move = tuple[Factor, Factor, Spare, int, int]
"""Middle and outer control, target (its owner `ZEROED` if zeroed), first CX, guards of the result."""


@dataclass(frozen=True)
class _ScheduleState:
    """A partial schedule; ``clean`` zeroed wires are left, the highest ones first."""

    now: int
    factors: tuple[Factor, ...]
    spare: tuple[Spare, ...]
    clean: int
    steps: tuple[McxStep, ...]


@dataclass(frozen=True)
class _Moves:
    """The next ANDs of a state, one to each place of the arrays: its controls, its target, and when its first CX is.

    ``middle`` and ``outer`` number ``factors``, and ``target`` numbers ``targets``. The score is the sum of GROWTH to
    the power of the arrivals after the AND. The reserve counts the targets left to unguarded factors, at most
    `MOST_RESERVE`.
    """

    factors: list[Factor]
    targets: list[Spare]
    middle: Numbers
    outer: Numbers
    target: Numbers
    starts: Numbers
    scores: NDArray[np.float64]
    reserves: Numbers

    def find(self, number: int) -> Move:
        middle, outer = self.factors[self.middle[number]], self.factors[self.outer[number]]
        target = self.targets[self.target[number]]
        mask = middle[2] | outer[2]
        if target[1] != ZEROED:
            mask |= 1 << target[1] | next(guards for wire, _, guards in self.factors if wire == target[1])
        return middle, outer, target, int(self.starts[number]), mask & ~(1 << middle[0] | 1 << outer[0])


@lru_cache(maxsize=512)
def plan_schedule(
    controls: int, clean: int, timing: Timing = LAYERS, width: int = WIDTH, triple: bool = False
) -> McxSchedule | None:
    """The shallowest schedule found for ``controls`` wires and ``clean`` zeroed ancillas.

    With ``triple`` it begins with an AND of three controls on a zeroed ancilla, which gives three known wires at once.
    None if the search ran into a dead end (it can with a single ancilla).
    """
    beam = [_first_state(controls, clean, timing, triple)]
    # Each AND leaves one factor less, and the search ends with those that meet in the middle.
    roots = len(timing.root)
    for left in range(len(beam[0].factors) - 1, roots - 1, -1):
        beam = _keep_best(beam, controls, timing, width, least=int(left > roots))
        if not beam:
            return None
    return min((_make_schedule(state, timing) for state in beam), key=lambda p: p.depth)


def _first_state(controls: int, clean: int, timing: Timing, triple: bool) -> _ScheduleState:
    """Nothing done yet, or the first three controls multiplied on the highest zeroed ancilla."""
    factors = tuple((wire, 0, 0) for wire in range(controls))
    if not triple:
        return _ScheduleState(0, factors, (), clean, ())
    target, start = controls + clean - 1, timing.head
    *free, result = timing.triple
    spare = tuple((start + layer, target, wire) for wire, layer in enumerate(free))
    step = McxStep(0, 1, target, False, 2)
    return _ScheduleState(0, (*factors[3:], (target, start + result, 0)), spare, clean - 1, (step,))


def _list_moves(state: _ScheduleState, controls: int, timing: Timing) -> _Moves:
    """Return all next ANDs, pair by pair, and for each pair target by target; none starts before the last one did."""
    factors = _drop_alike(state)
    targets = _targets(state, factors, controls)
    place = {wire: number for number, (wire, _, _) in enumerate(factors)}
    owners = np.array([place.get(owner, ZEROED) for _, owner, _ in targets], dtype=np.intp)
    guards = np.zeros((len(factors), len(factors)), dtype=np.float32)
    for number, (_, _, mask) in enumerate(factors):
        guards[number, [place[guard] for guard in list_bits(mask)]] = 1
    ready = np.array([layer for _, layer, _ in factors])
    middle, outer, target = _combine(ready, guards, owners)
    free = np.array([layer + timing.head for layer, _, _ in targets], dtype=np.intp)
    starts = np.maximum(np.maximum(ready[outer], ready[middle] - timing.mid), np.maximum(free[target], state.now))
    scores = _score(state, timing, starts, np.maximum(ready[middle] - starts, 0))
    reserves = _count_left(state, factors, guards, middle, outer, owners[target])
    return _Moves(factors, targets, middle, outer, target, starts, scores, np.minimum(reserves, MOST_RESERVE))


def _combine(ready: Numbers, guards: NDArray[np.float32], owners: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """Return middle control, outer control and target of each right AND; the middle control is the later one."""
    # Entry (i, j): a factor that guards i is itself guarded by j.
    twice = guards @ guards > 0
    first, second = _list_pairs(len(ready))
    # Otherwise the result would be guarded by a factor that one of its own factors guards, and so by itself.
    right = ~(twice[first, second] | twice[second, first])
    first, second = first[right], second[right]
    barred = (np.eye(len(ready), dtype=bool) | (guards > 0) | twice)[owners].T & (owners != ZEROED)
    pairs, target = np.nonzero(~(barred[first] | barred[second]))
    first, second = first[pairs], second[pairs]
    is_turned = ready[first] < ready[second]
    return np.where(is_turned, second, first), np.where(is_turned, first, second), target


_list_pairs = lru_cache(maxsize=256)(partial(np.tril_indices, k=-1))
"""All pairs of places below a number, the higher place first."""


def _score(state: _ScheduleState, timing: Timing, starts: Numbers, late: Numbers) -> NDArray[np.float64]:
    """Return the sum of GROWTH ** arrival after each AND; its middle control comes ``late`` layers after its start."""
    ready = sorted(layer for _, layer, _ in state.factors)
    first = int(starts.min(initial=0))
    scores = np.zeros((int(starts.max(initial=0)) - first + 1, timing.mid + 1))
    for start in (np.flatnonzero(np.bincount(starts - first)) + first).tolist():
        # A factor that is ready already cannot be used before the current start.
        waiting = sum(_power(max(layer, start)) for layer in ready)
        for more in range(timing.mid + 1):
            done = _power(start + timing.result) - _power(start + more) - _power(start)
            # Rounded, so that equal sums compare equal whatever the order of addition.
            scores[start - first, more] = round(done + waiting, 6)
    return scores[starts - first, late]


def _count_left(
    state: _ScheduleState,
    factors: list[Factor],
    guards: NDArray[np.float32],
    middle: Numbers,
    outer: Numbers,
    owners: Numbers,
) -> Numbers:
    """Return the number of targets that each AND leaves to unguarded factors."""
    owned = dict.fromkeys((wire for wire, _, _ in state.factors), 0)
    for _, owner, _ in state.spare:
        owned[owner] += 1
    reserve = state.clean + sum(owned[wire] for wire, _, mask in state.factors if not mask)
    freed = np.array([owned[wire] for wire, _, _ in factors])
    is_open = np.array([not mask for _, _, mask in factors])
    lost = freed * is_open
    sources = guards.sum(axis=1)
    between = guards[middle, outer] + guards[outer, middle]
    is_unguarded = (owners == ZEROED) & (sources[middle] + sources[outer] == between)
    gained = np.where(is_unguarded, freed[middle] + freed[outer] + 2, 0)
    # Counted: the target that is used up, the targets that the two controls vouched for, and those gained.
    left: Numbers = reserve - ((owners == ZEROED) | is_open[owners]) - lost[middle] - lost[outer] + gained
    return left


def _drop_alike(state: _ScheduleState) -> list[Factor]:
    """The factors without those that are like three others: a pair and the owner of its target is all a move names."""
    free: dict[int, list[int]] = {wire: [] for wire, _, _ in state.factors}
    for layer, owner, _ in state.spare:
        free[owner].append(layer)
    guarding = 0
    for _, _, mask in state.factors:
        guarding |= mask
    count: dict[object, int] = {}
    kept: list[Factor] = []
    for factor in state.factors:
        wire, ready, mask = factor
        key = wire if guarding >> wire & 1 else (ready, mask, *sorted(free[wire]))
        count[key] = count.get(key, 0) + 1
        # A move names two controls and the owner of a target, so a fourth alike adds nothing new.
        if count[key] <= 3:
            kept.append(factor)
    return kept


def _targets(state: _ScheduleState, factors: list[Factor], controls: int) -> list[Spare]:
    """A zeroed wire, and of each factor's known wires the one free first."""
    first: dict[int, Spare] = {}
    for spare in state.spare:
        if spare[1] not in first or spare < first[spare[1]]:
            first[spare[1]] = spare
    zeroed = [(0, ZEROED, controls + state.clean - 1)] if state.clean else []
    return [*zeroed, *(first[wire] for wire, _, _ in factors if wire in first)]


@lru_cache(maxsize=4096)
def _power(exponent: int) -> float:
    return GROWTH**exponent


def _keep_best(
    beam: list[_ScheduleState], controls: int, timing: Timing, width: int, least: int
) -> list[_ScheduleState]:
    """The best ``width`` next states for each reserve, equivalent ones once."""
    offers = [_list_moves(state, controls, timing) for state in beam]
    starts = [0, *accumulate(len(offer.scores) for offer in offers)]
    # Stable, so that the search is deterministic when scores are equal.
    order = np.argsort(np.concatenate([offer.scores for offer in offers]), kind="stable")
    reserves = np.concatenate([offer.reserves for offer in offers])[order]
    kept: list[tuple[int, _ScheduleState]] = []
    # States with few free targets may score well and then get stuck, so each reserve keeps its own best.
    for reserve in range(least, MOST_RESERVE + 1):
        seen: set[object] = set()
        for rank in map(int, np.flatnonzero(reserves == reserve)):
            number = int(order[rank])
            index = bisect_right(starts, number) - 1
            state = _next_state(beam[index], offers[index].find(number - starts[index]), timing)
            key = _signature(state)
            if key not in seen:
                seen.add(key)
                kept.append((rank, state))
                if len(seen) == width:
                    break
    return [state for _, state in sorted(kept, key=lambda one: one[0])]


def _next_state(state: _ScheduleState, move: Move, timing: Timing) -> _ScheduleState:
    middle, outer, (_, owner, target), start, mask = move
    both = 1 << middle[0] | 1 << outer[0]
    factors = [
        (wire, ready, guards & ~both | 1 << target | mask if guards & both else guards)
        for wire, ready, guards in state.factors
        if not both >> wire & 1
    ]
    factors.append((target, start + timing.result, mask))
    spare = [
        (free, target if both >> vouches & 1 else vouches, wire)
        for free, vouches, wire in state.spare
        if wire != target
    ]
    spare += [(start + timing.free_mid, target, middle[0]), (start + timing.free_outer, target, outer[0])]
    steps = (*state.steps, McxStep(middle[0], outer[0], target, owner >= 0))
    return _ScheduleState(start, tuple(factors), tuple(spare), state.clean - (owner < 0), steps)


def _signature(state: _ScheduleState) -> object:
    """Equal for states that differ in the names of their wires alone, and for a few more."""
    free: dict[int, list[int]] = {wire: [] for wire, _, _ in state.factors}
    for layer, owner, _ in state.spare:
        free[owner].append(max(layer, state.now))
    factors = sorted((ready, guards.bit_count(), *sorted(free[wire])) for wire, ready, guards in state.factors)
    return state.now, state.clean, tuple(factors)


def _make_schedule(state: _ScheduleState, timing: Timing) -> McxSchedule:
    depths: dict[tuple[int, ...], int] = {}
    # The places in the middle differ in timing, so every assignment of the last factors is tried.
    for order in permutations(state.factors):
        pairs = combinations_with_replacement(range(len(order)), 2)
        depths[tuple(f[0] for f in order)] = max(order[i][1] + timing.root[i][j] + order[j][1] for i, j in pairs)
    roots = min(depths, key=lambda r: depths[r])
    return McxSchedule(state.steps, roots, depths[roots])
