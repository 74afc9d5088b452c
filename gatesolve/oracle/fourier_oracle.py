"""The Fourier value oracle of Grover Adaptive Search: phases add the cost onto a register, whose sign is the mark.

After Gilliam, Woerner, Gonciulea, arXiv:1912.04088, section 3 (phases of the cost on a register in uniform
superposition, an inverse Fourier transform, a look at the sign), with these savings:

- There is no sign qubit. Let z = cost - threshold + 2^m, and y its lower m bits. Then ``(-1)^sign`` is
  ``exp(2 pi i (z - y) / 2^(m+1))``. So it takes one-qubit phases on y, and the cost's own phase on the data, once.

- A phase that is a multiple of 2 pi is left out: bit j sees weights modulo 2^(j+1) alone. So bit 0 is a parity.

- Phases on parities are visited by walks that share changes of basis. They take one CX a parity at best. Controlled
  phases need two, and six for a product of two variables.

- A constraint's flag is computed onto an ancilla once for all value qubits, or its phases are spread over parities of
  data, whichever is cheaper. Equal flags are computed once.

CX among the other wires, made once and taken back, serve the walks of all wires. From a parity of the pair (a, b) to
that of (a, c), one step does where a wire holds ``b ^ c``; two do where wires hold single variables.

Source: parity networks of Amy, Azimzadeh, Mosca, arXiv:1712.01859. Sharing one change of basis among several walks, and
leaving the way back until it is undone, are ours.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import chain
from operator import or_

from gatesolve.circuit import And, Gate, Op, Parity, Xor, inverse
from gatesolve.encodings.space import Space
from gatesolve.model.constraints import tabulate
from gatesolve.oracle.assemble import PRICE, Oracle
from gatesolve.oracle.condition import Condition, Product
from gatesolve.oracle.phase_polynomial import (
    HALF,
    ONE,
    Share,
    Signs,
    Total,
    by_products,
    product_of,
    sign_of,
    sum_polynomials,
    violation_polynomial,
    wires_of,
)
from gatesolve.oracle.synthesise import compile_once
from gatesolve.qubo.cost import Cost, SoftConstraint
from gatesolve.qubo.scaling import find_lower_bound, group_axes

Flip = tuple[int, int]
"""A CX: control and target."""
IMPROVED = 90
"""Most points of a walk that is improved by reversing stretches."""
CLIMBED = 40
"""Most points of all walks, and wires of these, for which changes of basis are searched for."""
EFFORT = 20_000
"""Points of walks that are planned for that search."""
CHAINED = 4
"""First bit from which a chained transform keeps sums of neighbouring bits on the wires."""
LEAST_CHAINED = 9
"""Least number of bits at which chaining saves CX."""
JOINT_ROWS = 1 << 14
"""Most combinations of values over which the bounds of a few terms are looked up together."""
SPREAD = 16
"""Most parities over which a term is spread to be bounded together with others."""
SPREAD_LIMITS = (0, 4, 8, 16)
"""Most terms up to which a constraint's phases are spread over parities of data; all of these are tried."""
THOROUGH = 2
"""The cheapest plans for which changes of basis are searched for."""


@dataclass
class Basis:
    """The contents of wires after some CX, and how parities of the first contents are written in it."""

    flips: list[Flip] = field(default_factory=list)
    known: dict[int, int] = field(default_factory=dict)

    def flip(self, control: int, target: int) -> None:
        """Add a CX."""
        self.flips.append((control, target))
        for wire in (control, target):
            self.known.setdefault(wire, 1 << wire)
        # The old target is the new one XORed with the control.
        for wire, mask in self.known.items():
            if mask >> target & 1:
                self.known[wire] = mask ^ 1 << control

    def steps(self, mask: int) -> int:
        """Return the wires whose sum is the parity of the wires ``mask`` before."""
        result = 0
        for wire in wires_of(mask):
            result ^= self.known.get(wire, 1 << wire)
        return result


@dataclass(frozen=True)
class Walk:
    """One wire's way through its points, each with the wires whose CX lead to it from the one before.

    ``back`` are the wires of the CX that lead back, made when the change of basis is taken back.
    """

    steps: tuple[tuple[int, tuple[int, ...]], ...]
    back: tuple[int, ...]

    @property
    def cost(self) -> int:
        """CX."""
        return sum(len(wires) for _, wires in self.steps) + len(self.back)


@dataclass(frozen=True)
class Walks:
    """A change of basis, whose CX ``flips`` are taken back after the walks, and a walk for each set of points.

    ``once`` is the walk of a wire that starts at zero, through parities that need a phase on their own. ``still`` are
    those of them that a wire holds during the walks, and that wire.
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
    """Return the cheapest walks found through several sets of parities.

    Each of ``points`` are the parities, as masks of other wires, that one walking wire has to visit; ``once`` are
    parities of more than one wire to be visited by a wire that starts at zero, or where a wire holds them. Changes of
    basis are searched for where ``thorough``, if there are at most 40 points of at most 40 wires.

    Cost: a few walks of n points for n^2 comparisons each, some hundred where thorough.
    """
    whole = frozenset().union(once, *points)
    best = _walks((), points, once)
    for flips in _bases(whole, points):
        found = _walks(flips, points, once)
        if found.cost < best.cost:
            best = found
    wires = reduce(or_, whole, 0).bit_count()
    return _climb(best, points, once) if thorough and max(len(whole), wires) <= CLIMBED else best


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
    """Return an order of the points with few steps, from zero to one that is ``back`` away from it."""
    # Always to the nearest point, then improved.
    left, path, place = set(range(len(steps))), [], 0
    while left:
        near = min(left, key=lambda k: ((steps[k] ^ place).bit_count(), -back[k], steps[k]))
        left.remove(near)
        path.append(near)
        place = steps[near]
    if len(path) > IMPROVED:
        return tuple(path)
    # Reverse stretches of the path (2-opt) and move single points (or-opt) while that shortens it.
    zero, end = len(steps), len(steps) + 1
    far = [[(a ^ b).bit_count() for b in (*steps, 0)] + [away] for a, away in zip((*steps, 0), (*back, 0), strict=True)]
    far.append([*back, 0, 0])
    route = [zero, *path, end]
    while _reverse_once(route, far) or _move_once(route, far):
        pass
    return tuple(route[1:-1])


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
                route.insert(j + 1 if j < i else j, route.pop(i))
                return True
    return False


def _bases(whole: frozenset[int], points: Sequence[frozenset[int]]) -> Iterable[tuple[Flip, ...]]:
    """Changes of basis worth trying: chains of wires, wide points made on wires, and chains of those."""
    often = {mask: sum(mask in wanted for wanted in points) for mask in whole}
    wires = sorted({wire for mask in whole for wire in wires_of(mask)})
    weight = {w: max(often[mask] for mask in whole if mask >> w & 1) for w in wires}
    yield _chain(sorted(wires, key=lambda w: (-weight[w], w)))
    sets = {w: {mask ^ 1 << w for mask in whole if mask >> w & 1} for w in wires}
    # Next to each other stand wires that occur with the same others.
    near, left, order = set[int]().union(*sets.values()), list(wires), list[int]()
    while left:
        shared = {w: len(sets[w] & near) for w in left}
        order.append(max(left, key=shared.__getitem__))
        left.remove(order[-1])
        near = sets[order[-1]]
    yield _chain(order)
    # CX after which a wire, its pivot, holds each of the points that are independent.
    basis, pivots = Basis(), list[int]()
    for mask in sorted(whole, key=lambda m: (-often[m], m.bit_count(), m)):
        steps = basis.steps(mask)
        free = [w for w in wires_of(steps) if w not in pivots]
        if free:
            pivots.append(free[-1])
            for wire in wires_of(steps & ~(1 << free[-1])):
                basis.flip(wire, free[-1])
    if basis.flips:
        yield tuple(basis.flips)
        yield (*basis.flips, *_chain(pivots))


def _chain(wires: Sequence[int]) -> tuple[Flip, ...]:
    """Every wire holds its sum with the one before, but the first."""
    return tuple((wires[k - 1], wires[k]) for k in range(len(wires) - 1, 0, -1))


def _climb(best: Walks, points: Sequence[frozenset[int]], once: frozenset[int]) -> Walks:
    """One CX more or less in the change of basis at a time, while that is cheaper."""
    wires = sorted({wire for wanted in (*points, once) for mask in wanted for wire in wires_of(mask)})
    budget = EFFORT // (1 + sum(map(len, {*points, once})))
    better = True
    while better and budget > 0:
        better = False
        flips = best.flips
        fewer = [flips[:k] + flips[k + 1 :] for k in range(len(flips))]
        more = ((*flips, (a, b)) for a in wires for b in wires if a != b)
        for option in chain(fewer, more):
            budget -= 1
            found = _walks(option, points, once)
            if found.cost < best.cost:
                best, better = found, True
                break
            if budget <= 0:
                break
    return best


@lru_cache(maxsize=16)
def bound_cost(cost: Cost, space: Space) -> tuple[int, int]:
    """Return a proven least and largest cost on the codewords of ``space``.

    The tighter of two: terms on the same variables looked at together and the rest added up (`bound_jointly`); and
    the bounds of the cost as a polynomial (`bound_polynomial`). A search that has found the least cost is done.

    Raises:
        DoesNotFitError: a constraint has no circuit (`synthesise`).
    """
    pairs = (bound_jointly(cost, space), bound_polynomial(cost, space))
    return max(low for low, _ in pairs), min(high for _, high in pairs)


def bound_jointly(cost: Cost, space: Space) -> tuple[int, int]:
    """Bound terms that read the same variables, or some of them, together; then add the bounds up."""
    order = {name: k for k, name in enumerate(space.variables)}
    groups: dict[frozenset[str], list[SoftConstraint]] = {}
    for term in sorted(cost.terms, key=lambda t: -len(set(t.constraint.scope))):
        scope = frozenset(term.constraint.scope)
        home = next((other for other in groups if scope <= other), scope)
        groups.setdefault(home, []).append(term)
    low = high = 0
    for scope, members in groups.items():
        axes = group_axes(sorted(scope, key=order.__getitem__), space)
        if math.prod(len(axis.tuples) for axis in axes) > JOINT_ROWS:
            # Too many rows to look at: each term may be paid or not.
            high += sum(term.weight for term in members)
            continue
        costs = tabulate(Cost(tuple(members)).evaluate, axes)
        low, high = low + int(costs.min()), high + int(costs.max())
    return low, high


def bound_polynomial(cost: Cost, space: Space) -> tuple[int, int]:
    """Bound the cost as signs of parities, as products of bits, and by the best form of each product found.

    Terms that are too wide are added up on their own.
    """
    shares: list[Share] = []
    wide = 0
    for term in cost.terms:
        spread = violation_polynomial(compile_once(term.constraint, space), SPREAD)
        if spread is None:
            wide += term.weight
        else:
            shares.append((term.weight, spread))
    total = Total(tuple(shares))
    found = [total.bounds]
    multiplied = by_products(shares, space.num_qubits)
    if multiplied is not None:
        found += [multiplied.bounds, (_least(multiplied, 1), -_least(multiplied, -1))]
    return max(low for low, _ in found), min(high for _, high in found) + wide


def _least(total: Total, sign: int) -> int:
    """Return a lower bound of ``sign`` times a total of products."""
    linear: dict[int, int] = {}
    bonds: list[tuple[int, int, int]] = []
    least = sign * total.constant
    for weight, share in ((sign * weight, share) for weight, share in total.shares):
        mask = max(share, default=0)
        wires = wires_of(mask)
        # A product of n wires has 2^n signs: no others are written out.
        known = 0 < len(wires) <= 2 and share == product_of(mask)
        if known and len(wires) == 2:
            bonds.append((wires[0], wires[1], weight))
        elif known:
            linear[wires[0]] = linear.get(wires[0], 0) + weight
        else:
            least += min(weight, 0)
    return least + math.ceil(find_lower_bound(bonds, linear))


def fourier_oracle(cost: Cost, space: Space, threshold: int, most: float = math.inf) -> Oracle:
    """Return an oracle that marks the codewords of cost below ``threshold``.

    Data qubits come first, then flags, then the value register. Where it takes more than ``most`` CX without a change
    of basis, none is searched for.

    Returns:
        Phase -1, up to a global phase, on exactly the marked codewords; all ancillas zero before and after.
        Its ops hold ``h`` and ``p`` gates, so they are no basis-state map; each value qubit is a product state on its
        own throughout (check by `gatesolve.simulate.product`).

    Raises:
        DoesNotFitError: a constraint has no circuit (`synthesise`).

    Cost: with m value qubits and n parities about 2 m n + m^2 CX, at most twice that.
    """
    low, high = bound_cost(cost, space)
    if not low < threshold <= high:
        return Oracle((), space.num_qubits, 0, style="fourier")
    plans = [_narrow_total(shares, total, threshold, low, high) for shares, total in _list_totals(cost, space)]
    # Changes of basis take long to search for: only the plans that are cheapest without one get it.
    quick = sorted(
        ((_oracle(plan, space.num_qubits, thorough=False), plan) for plan in plans), key=lambda one: PRICE(one[0])
    )
    if quick[0][0].cx > most:
        return quick[0][0]
    return min((_oracle(plan, space.num_qubits, thorough=True) for _, plan in quick[:THOROUGH]), key=PRICE)


@lru_cache(maxsize=4)
def _list_totals(cost: Cost, space: Space) -> list[tuple[_Shares, Total]]:
    """Return a cost in each form that is worth comparing, with the flags that it takes, whatever the threshold."""
    terms = [(term.weight, compile_once(term.constraint, space)) for term in cost.terms]
    found: list[tuple[_Shares, Total]] = []
    sizes = {len(violation_polynomial(condition, max(SPREAD_LIMITS)) or ()) for _, condition in terms}
    # Only the limits that make a difference.
    for limit in sorted({max((s for s in sizes if s <= most), default=0) for most in SPREAD_LIMITS}):
        # Flags for all conditions except parities, and those spread over at most so many parities.
        shares = _Shares(space.num_qubits)
        for weight, condition in terms:
            spread = violation_polynomial(condition, max(SPREAD_LIMITS))
            if spread is None or len(spread) > max(limit, 2):
                spread = sum_polynomials([(HALF, ONE), (HALF, sign_of(shares.holds(condition)))])
            shares.shares.append((weight, spread))
        total = Total(tuple(shares.shares))
        found.append((shares, total))
        products = by_products(shares.shares, space.num_qubits)
        if products is not None and products.step > total.step:
            found.append((shares, products))
    return found


@dataclass(frozen=True)
class _ScaledTotal:
    """A total in its own steps, the threshold in them, and the bits in which threshold and bounds differ."""

    shares: _Shares
    total: Total
    threshold: int
    width: int


def _narrow_total(shares: _Shares, total: Total, threshold: int, low: int, high: int) -> _ScaledTotal:
    step = total.step
    least, below = -(-(low - total.constant) // step), -(-(threshold - total.constant) // step)
    most = (high - total.constant) // step
    return _ScaledTotal(shares, total, below, max((below - 1 - least).bit_length(), (most - below).bit_length(), 0))


@dataclass
class _Shares:
    """Weights and where they are paid, as polynomials over data wires and flags.

    ``next`` is the first ancilla that is free, ``ops`` compute the flags; ``flags`` are ancillas by what they hold, so
    that equal flags are computed once.
    """

    next: int
    ops: list[Op] = field(default_factory=list)
    shares: list[Share] = field(default_factory=list)
    flags: dict[tuple[Product, ...], int] = field(default_factory=dict)

    def flag(self, products: Iterable[Product]) -> Parity:
        key = tuple((left, right) if len(left.wires) >= len(right.wires) else (right, left) for left, right in products)
        if not key:
            return Parity(())
        if key not in self.flags:
            self.flags[key] = self.next
            self.ops += [And(left, right, self.next) for left, right in key]
            self.next += 1
        return Parity((self.flags[key],))

    def holds(self, condition: Condition) -> Parity:
        # A flag's own parity is not put onto its ancilla: the flag may be needed with another one, too.
        factors = condition.place_flags(lambda pairs, own: self.flag(pairs) ^ own)
        left = sorted(factors, key=lambda p: -len(p.wires))
        while len(left) > 1:
            left.insert(0, self.flag([(left.pop(), left.pop())]))
        return left[0] if left else Parity((), True)


def _oracle(plan: _ScaledTotal, num_data: int, *, thorough: bool) -> Oracle:
    """Join flags, walks, the Fourier transform and the sign's phase, and undo all but that phase."""
    shares, total, width = plan.shares, plan.total, plan.width
    values = tuple(range(shares.next, shares.next + width))
    used = shares.next + width
    parity, rest = _lowest(total)
    sums = [total.modulo(j, rest if j == 0 else None) for j in range(width)]
    sign = _SignPhase.of(total.modulo(width))
    walks = plan_walks(tuple(frozenset(m for m in part if m) for part in sums), sign.wide, thorough)
    waiting = not any(sums[:1])
    # The first value qubit, if it is zero during the walks, serves the walk ``once``.
    scratch = values[0] if width and waiting else used
    used += bool(walks.once.steps) and scratch == used
    # The sum with this constant is the z above, whose bit m is the sign.
    constant = (1 << width) - plan.threshold
    transform = Transform(
        values=values,
        turns=tuple(part.get(0, Fraction(0)) + Fraction(constant if j else 0, 2 << j) for j, part in enumerate(sums)),
        waiting=waiting,
        parity=parity ^ Parity((), bool(constant % 2)),
        spare=(used, used + 1),
    )
    used += len(transform.spare) * transform.chained
    begin: list[Op] = [*shares.ops, *(Gate("h", (v,)) for v in values[1 if waiting else 0 :])]
    there = [_flip(*flip) for flip in walks.flips]
    out = [op for v, walk, part in zip(values, walks.walks, sums, strict=True) for op in _steps(v, walk, part)]
    home = [op for v, walk in zip(values, walks.walks, strict=True) for op in _back(v, walk)]
    on_way, on_return = sign.during(walks, scratch)
    ends = transform.ops()
    forth = (*begin, *there, *out, *on_way, *inverse(there), *home, *on_return, *ends)
    phases = transform.phases([Fraction(-1, 2 << (width - j)) for j in range(width)])
    undone = inverse((*begin, *there, *out, *inverse(there), *home, *ends))
    return Oracle((*forth, *phases, *sign.plain(), *undone), num_data, used - num_data, style="fourier")


@dataclass(frozen=True)
class _SignPhase:
    """The total's own part of the sign's phase: for each parity of wires the turn where it is 1.

    Half a turn on a parity (those in ``signs``) is half a turn on each of its wires. Other parities of several wires
    are ``wide``, and have to be made on some wire.
    """

    turns: dict[int, Fraction]
    signs: frozenset[int]
    wide: frozenset[int]

    @staticmethod
    def of(top: Signs) -> _SignPhase:
        turns = {mask: -2 * c for mask, c in top.items() if mask and (2 * c).denominator > 1}
        signs = frozenset(mask for mask, turn in turns.items() if turn.denominator == 2)
        return _SignPhase(turns, signs, frozenset(m for m in turns if m.bit_count() > 1 and m not in signs))

    def during(self, walks: Walks, scratch: int) -> tuple[list[Op], list[Op]]:
        """Phases on wide parities, and the way back of the scratch wire."""
        ops: list[Op] = [Gate("p", (wire,), (fourier_angle(self.turns[mask]),)) for mask, wire in walks.still]
        return [*ops, *_steps(scratch, walks.once, self.turns)], _back(scratch, walks.once)

    def plain(self) -> list[Op]:
        flips = Parity(())
        for mask in self.signs:
            flips ^= Parity(wires_of(mask))
        single = sorted(set(self.turns) - self.wide - self.signs)
        phases = [Gate("p", wires_of(mask), (fourier_angle(self.turns[mask]),)) for mask in single]
        return [*phases, *(Gate("z", (wire,)) for wire in flips.wires)]


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


def _lowest(total: Total) -> tuple[Parity, Sequence[Share]]:
    """Split the total modulo 2 into a parity and the shares of the rest."""
    parity, rest = Parity(()), []
    for weight, share in total.shares:
        mask = next((m for m in share if m), 0)
        if weight // total.step % 2 and len(share) <= 1 + bool(mask):
            parity ^= Parity.of(wires_of(mask), sum(share.values()) == 1)
        elif weight // total.step % 2:
            rest.append((weight, share))
    return parity, rest


def _steps(value: int, walk: Walk, phases: Signs) -> list[Op]:
    ops: list[Op] = []
    for mask, wires in walk.steps:
        ops += [_flip(wire, value) for wire in wires]
        ops.append(Gate("p", (value,), (fourier_angle(phases[mask]),)))
    return ops


def _back(value: int, walk: Walk) -> list[Op]:
    return [_flip(wire, value) for wire in walk.back]


def _flip(control: int, target: int) -> Xor:
    return Xor(Parity((control,)), target)
