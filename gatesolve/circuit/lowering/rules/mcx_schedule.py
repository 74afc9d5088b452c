"""Which ANDs, on which wires, in which order: a product of many controls made shallow by a deterministic beam search.

An AND onto a zeroed wire z = x y does not serve x and y alike. Its gate order is ``u cx(y) u cx(x) u cx(y) u`` on z:
the outer control y must be there six layers before z, the middle control x only four. So a control that arrives late
goes into the middle, and a tree of ANDs has arrival times like a Fibonacci tree's.

Wires to put results on come from the controls themselves (conditionally clean ancillas, Khattar and Gidney,
arXiv:2407.17966): once z = x y is a factor of the final product, x and y are known to be 1 wherever that product
can still be 1, so after an X they serve as zeroed targets. A result put there is right only where z is 1; z *guards*
it. Guards stay right as long as no factor guards itself, directly or through others, and the final factors are all
kept: where the product is wrong, an unguarded factor is 0.

The search extends partial schedules by one AND at a time in the order of their first CX and keeps the best by
the sum of ``GROWTH ** arrival`` over what is left to multiply: the least such sum a tree could have had.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement, permutations

from gatesolve.circuit.gf2 import list_bits

GROWTH = 1.1506
"""Solves g^-4 + g^-6 = 1: a factor that arrives a layer later is worth that much more of the final depth."""
WIDTH = 30
"""Partial schedules kept at each step, for each number of targets left to unguarded factors."""
MOST_RESERVE = 4


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
"""Only T gates take time."""


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
    """A schedule over wires 0..n-1 (the controls) and n.. (zeroed ancillas).

    Attributes:
        steps: the ANDs in order.
        roots: the wires whose product is that of all controls, in the order of the timing's ``root``.
        depth: layers of the ANDs, what stands in the middle, and the mirrored ANDs.
    """

    steps: tuple[McxStep, ...]
    roots: tuple[int, ...]
    depth: int


Factor = tuple[int, int, int]
"""Wire, layer from which it can be used, wires that guard it (a bit mask)."""
Spare = tuple[int, int, int]
"""A known wire: layer from which it is free, the factor that vouches for it, the wire."""
Move = tuple[Factor, Factor, Spare, int, int]
"""Middle and outer control, target (its owner -1 if zeroed), first CX, guards of the result."""


@dataclass(frozen=True)
class _State:
    """A partial schedule; ``clean`` zeroed wires are left, the highest ones first."""

    now: int
    factors: tuple[Factor, ...]
    spare: tuple[Spare, ...]
    clean: int
    steps: tuple[McxStep, ...]


@lru_cache(maxsize=512)
def plan_schedule(
    controls: int, clean: int, timing: Timing = LAYERS, width: int = WIDTH, triple: bool = False
) -> McxSchedule | None:
    """The shallowest schedule found for ``controls`` wires and ``clean`` zeroed ancillas.

    With ``triple`` it begins with an AND of three controls on a zeroed ancilla, which gives three known wires at once.
    None if the search ran into a dead end (it can with a single ancilla).
    """
    beam = [_first_state(controls, clean, timing, triple)]
    roots = len(timing.root)
    for left in range(len(beam[0].factors) - 1, roots - 1, -1):
        found: list[tuple[float, int, int, Move]] = []
        for index, state in enumerate(beam):
            found += ((score, index, reserve, move) for score, reserve, move in _moves(state, controls, timing))
        found.sort(key=lambda f: f[:2])
        beam = _keep_best(beam, found, timing, width, least=int(left > roots))
    return min((_make_schedule(state, timing) for state in beam), key=lambda p: p.depth, default=None)


def _first_state(controls: int, clean: int, timing: Timing, triple: bool) -> _State:
    """Nothing done yet, or the first three controls multiplied on the highest zeroed ancilla."""
    factors = tuple((wire, 0, 0) for wire in range(controls))
    if not triple:
        return _State(0, factors, (), clean, ())
    target, start = controls + clean - 1, timing.head
    *free, result = timing.triple
    spare = tuple((start + layer, target, wire) for wire, layer in enumerate(free))
    step = McxStep(0, 1, target, False, 2)
    return _State(0, (*factors[3:], (target, start + result, 0)), spare, clean - 1, (step,))


def _moves(state: _State, controls: int, timing: Timing) -> Iterator[tuple[float, int, Move]]:
    """Every next AND, with its score and the number of targets it leaves to unguarded factors.

    The score is the sum of GROWTH ** arrival after it; nothing is used before the step's own start.
    """
    guards = {wire: mask for wire, _, mask in state.factors}
    owned = dict.fromkeys(guards, 0)
    for _, owner, _ in state.spare:
        owned[owner] += 1
    reserve = state.clean + sum(owned[wire] for wire, mask in guards.items() if not mask)
    ready = sorted(ready for _, ready, _ in state.factors)
    waiting: dict[int, float] = {}
    factors = _drop_alike(state)
    targets = [(one, 0 if one[1] < 0 else 1 << one[1] | guards[one[1]]) for one in _targets(state, factors, controls)]
    guarding = _guarding(guards)
    for middle, outer in _pairs(factors):
        both = 1 << middle[0] | 1 << outer[0]
        sources = (middle[2] | outer[2]) & ~both
        guarded = (guarding.get(middle[0], 0) | guarding.get(outer[0], 0)) & ~both
        freed = owned[middle[0]], owned[outer[0]]
        lost = (0 if middle[2] else freed[0]) + (0 if outer[2] else freed[1])
        earliest = max(outer[1], middle[1] - timing.mid, state.now)
        scores: dict[int, float] = {}
        for target, mask in targets:
            free, owner, _ = target
            # The result would be guarded by a factor that one of its own factors guards.
            if mask & both or guarded & (mask | sources):
                continue
            mask |= sources
            start = max(free + timing.head, earliest)
            left = reserve - (owner < 0 or not guards[owner]) - lost
            left += 0 if mask else sum(freed) + 2
            if start not in scores:
                if start not in waiting:
                    waiting[start] = sum(_power(max(layer, start)) for layer in ready)
                done = _power(start + timing.result) - _power(max(middle[1], start)) - _power(max(outer[1], start))
                scores[start] = round(done + waiting[start], 6)
            yield scores[start], left, (middle, outer, target, start, mask)


def _drop_alike(state: _State) -> list[Factor]:
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
        if count[key] <= 3:
            kept.append(factor)
    return kept


def _pairs(factors: list[Factor]) -> Iterator[tuple[Factor, Factor]]:
    """Pairs of factors, the later one first."""
    for k, first in enumerate(factors):
        for second in factors[:k]:
            yield (second, first) if first[1] < second[1] else (first, second)


def _targets(state: _State, factors: list[Factor], controls: int) -> list[Spare]:
    """A zeroed wire, and of each factor's known wires the one free first."""
    first: dict[int, Spare] = {}
    for spare in state.spare:
        if spare[1] not in first or spare < first[spare[1]]:
            first[spare[1]] = spare
    zeroed = [(0, -1, controls + state.clean - 1)] if state.clean else []
    return [*zeroed, *(first[wire] for wire, _, _ in factors if wire in first)]


def _guarding(guards: dict[int, int]) -> dict[int, int]:
    """Of each wire that guards factors, which ones."""
    found: dict[int, int] = {}
    for wire, mask in guards.items():
        for guard in list_bits(mask):
            found[guard] = found.get(guard, 0) | 1 << wire
    return found


@lru_cache(maxsize=4096)
def _power(exponent: int) -> float:
    return GROWTH**exponent


def _keep_best(
    beam: list[_State], found: list[tuple[float, int, int, Move]], timing: Timing, width: int, least: int
) -> list[_State]:
    """The best ``width`` next states for each reserve, equivalent ones once."""
    kept: list[_State] = []
    seen: set[object] = set()
    room = dict.fromkeys(range(least, MOST_RESERVE + 1), width)
    for _, index, reserve, move in found:
        place = min(reserve, MOST_RESERVE)
        if room.get(place, 0) == 0:
            continue
        state = _next_state(beam[index], move, timing)
        key = _signature(state)
        if key not in seen:
            seen.add(key)
            kept.append(state)
            room[place] -= 1
    return kept


def _next_state(state: _State, move: Move, timing: Timing) -> _State:
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
    spare += [
        (start + timing.free_mid, target, middle[0]),
        (start + timing.free_outer, target, outer[0]),
    ]
    steps = (*state.steps, McxStep(middle[0], outer[0], target, owner >= 0))
    return _State(start, tuple(factors), tuple(spare), state.clean - (owner < 0), steps)


def _signature(state: _State) -> object:
    """Equal for states that differ in the names of their wires alone, and for a few more."""
    free: dict[int, list[int]] = {wire: [] for wire, _, _ in state.factors}
    for layer, owner, _ in state.spare:
        free[owner].append(max(layer, state.now))
    factors = sorted((ready, guards.bit_count(), *sorted(free[wire])) for wire, ready, guards in state.factors)
    return state.now, state.clean, tuple(factors)


def _make_schedule(state: _State, timing: Timing) -> McxSchedule:
    depths: dict[tuple[int, ...], int] = {}
    for order in permutations(state.factors):
        pairs = combinations_with_replacement(range(len(order)), 2)
        depths[tuple(f[0] for f in order)] = max(order[i][1] + timing.root[i][j] + order[j][1] for i, j in pairs)
    roots = min(depths, key=lambda r: depths[r])
    return McxSchedule(state.steps, roots, depths[roots])
