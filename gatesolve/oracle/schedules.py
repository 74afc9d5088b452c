"""Schedules: the order in which flags are computed, joined and given back, so that an oracle keeps to its ancillas.

Everything is undone after the phase in mirrored order. So a flag that is given back earlier is computed twice as often.
Only the flags that it reads have to be there at that moment. A flag that is kept for the phase does not need them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from gatesolve.circuit import Op, Parity, PhaseFlip, Xor, inverse
from gatesolve.circuit.cost import count_cx
from gatesolve.circuit.lowering import estimate_cx
from gatesolve.gate_sets import Metric
from gatesolve.oracle.builder import CHAIN, Builder, join_tree, root_size
from gatesolve.oracle.condition import ONE, ZERO, product_cost
from gatesolve.oracle.parts import ConditionParts, lighten, list_distinct

CHEAP = (0, 2, 1 << 30)
"""ANDs up to which a flag that is read again later is computed again then, not kept: none, few, or any number."""
SIZES = (1, 2, 3, 4, 6, 8, 12, 16)
"""Factors that are joined to one flag at a time, beside all those of a condition."""
CHAINS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32)
"""Factors of several wires in a chain that are tried."""
TREES = 2
"""Trees with shorter chains that are priced for depth, the least deep by estimate."""
LONG = 128
"""Factors of several wires from which on shorter chains are tried where depth was not asked for."""
EXTRA = 0.0052
"""Share of a tree's CX that shorter chains may add where depth was not asked for."""
STEPS = 12
"""Numbers of units, or of conditions in a group, evenly from least to most, that are tried."""
Built = tuple[Builder, list[Parity]]
"""What is computed, and the factors that are left for the phase."""
Unit = tuple[Parity, ...]
"""Factors that are dealt with together: computed one after another, or ANDed to one flag."""


def keep_flags(parts: ConditionParts, joins: int, alone: bool, chain: int = CHAIN) -> Built:
    """Keep all flags, reduce factors against each other, and make ``joins`` ANDs of the tree.

    A multi-controlled Z joins the rest, and makes its parities in place: few joins can be cheaper than many.
    """
    builder = Builder(parts.num_data, parts.absorbing)
    flags = _Flags(builder, parts)
    flags.compute(range(len(parts.flags)))
    builder.joined = len(builder.ops)
    # What follows from several constraints together is no longer each constraint alone.
    grouped = map(lighten, parts.factors) if alone else [lighten([f for group in parts.factors for f in group])]
    unique = list_distinct([factor for group in grouped for factor in group])
    left = join_tree(builder, unique, max(len(unique) - joins, root_size(unique)), chain)
    return builder, _open_flags(builder, left)


def choose_chains(parts: ConditionParts, joins: int, alone: bool, metric: Metric | None) -> list[int]:
    """Return how long chains of ANDs may be in the tree of `keep_flags`: `CHAIN`, or less; for depth a few numbers.

    Shorter chains take more ancillas and CX, and fewer layers.
    """
    is_deep = metric in {"depth", "t_depth"}
    if not is_deep and metric not in {"cx", "t"}:
        return [CHAIN]
    first = keep_flags(parts, joins, alone)
    chained = first[0].chained
    # Of few operations each CX counts.
    if not is_deep and chained < LONG:
        return [CHAIN]
    # Chains of different lengths can be as many.
    lengths = {chained // length: length for length in CHAINS if chained // length > chained // CHAIN}
    trees = {length: keep_flags(parts, joins, alone, length) for length in lengths.values()}
    few = _choose_chain(first, trees, parts.num_data) if chained >= LONG else CHAIN
    by_depth = sorted(trees, key=lambda length: max(trees[length][0].idle.values()))[:TREES] if is_deep else []
    return list(dict.fromkeys([few, *by_depth]))


def _choose_chain(first: Built, trees: Mapping[int, Built], num_data: int) -> int:
    """Return how long chains may be where depth was not asked for."""
    mirrored = _mirror_joins(first)
    width, most = find_width(first) + num_data, count_cx(mirrored)
    # More chains never take fewer CX.
    near = [length for length, tree in trees.items() if count_cx(_mirror_joins(tree)) <= (1 + EXTRA) * most]
    if not near:
        return CHAIN
    tree = trees[min(near)]
    # Passes can find CX in long chains that they do not find in short ones.
    extra = estimate_cx(_mirror_joins(tree), find_width(tree) + num_data) / estimate_cx(mirrored, width)
    return min(near) if extra <= 1 + EXTRA else CHAIN


def _mirror_joins(built: Built) -> list[Op]:
    """The operations that join factors, after those that compute flags, then the phase, and the joins undone."""
    joins = built[0].ops[built[0].joined :]
    return [*joins, PhaseFlip(tuple(built[1])), *inverse(joins)]


def list_schedules(parts: ConditionParts, alone: bool) -> Iterator[Built]:
    """Yield schedules that may keep to a budget, the same ones for every budget."""
    # There are no more joins to make than factors.
    most = sum(map(len, parts.factors))
    # Parities of several conditions that meet in one multi-controlled Z are reduced against each other there.
    yield from (keep_flags(parts, joins, alone) for joins in ([most] if alone else _list_steps(most, 2 * STEPS)))
    # Each condition's factors together, and then a few at a time, across conditions.
    factors = [factor for group in parts.factors for factor in group]
    sizes = [size for size in SIZES if size < len(factors)]
    units = [tuple(tuple(factors[k : k + size]) for k in range(0, len(factors), size)) for size in sizes]
    for division in (FactorUnits(parts, unit, alone) for unit in (parts.factors, *units)):
        numbers = _list_steps(len(division.units), STEPS)
        is_shared = any(number > 1 for number in division.readers.values())
        for cheap in CHEAP if is_shared else CHEAP[:1]:
            yield from (reduce_units(division, number, cheap=cheap) for number in numbers)
    most = (len(parts.factors) + 1) // 2
    for size in _list_steps(most - 2, STEPS) if 2 <= most < len(parts.factors) else ():
        yield reduce_groups(parts, size + 2)


def _list_steps(most: int, steps: int) -> list[int]:
    """At most ``steps`` + 1 numbers from 0 to ``most``, evenly spaced."""
    return sorted({most * step // steps for step in range(steps + 1)})


def find_width(built: Built) -> int:
    """Return the ancillas of a schedule, one more if the phase needs a clean one and there is none."""
    builder, factors = built
    return builder.used + (len(factors) > 3 and not builder.free)


@dataclass(frozen=True)
class FactorUnits:
    """All factors in units: a unit becomes one flag, or its factors stay as they are.

    If ``alone``, a tree of ANDs joins what is left; else the phase does, where factors take no ancillas.
    """

    parts: ConditionParts
    units: tuple[Unit, ...]
    alone: bool

    @cached_property
    def cones(self) -> list[frozenset[int]]:
        """The flags that each unit needs, those that it reads through others too: its cone."""
        return [self.parts.find_cone(unit) for unit in self.units]

    @cached_property
    def readers(self) -> Counter[int]:
        """How many units need each flag."""
        return Counter(flag for cone in self.cones for flag in cone)

    @cached_property
    def order(self) -> list[int]:
        """The units by number, those first that free most ancillas for the CX that one flag of them takes."""
        return sorted(range(len(self.units)), key=lambda k: -self._rate(k))

    def _rate(self, number: int) -> float:
        # Ancillas per CX. Flags that others need too are freed by no unit alone.
        unit, own = self.units[number], [flag for flag in self.cones[number] if self.readers[flag] == 1]
        joins = sum(product_cost((factor, Parity((0,)))) for factor in unit[1:])
        return (len(own) + (len(unit) - 1 if self.alone else -1)) / (self.parts.cost(own) + joins + 1)


def reduce_units(division: FactorUnits, number: int, *, cheap: int) -> Built:
    """Reduce ``number`` units to one flag each, first those that free most ancillas for their CX.

    The other units are computed after them and stay as they are. References to flags are counted: one is given back
    after its last reader, one of at most ``cheap`` ANDs after each.
    """
    builder = Builder(division.parts.num_data, division.parts.absorbing)
    flags, readers_left = _Flags(builder, division.parts), division.readers.copy()
    units, cones = division.units, division.cones
    first, rest = sorted(division.order[:number]), sorted(division.order[number:])
    factors = list[Parity]()
    for k in first:
        factors.append(flags.join(units[k]))
        readers_left.subtract(cones[k])
        flags.release(readers_left, cheap)
    factors += [flags.read(factor) for k in rest for factor in units[k]]
    unique = list_distinct(factors)
    # Joining by AND flags needs an ancilla each; a multi-controlled Z borrows what is free instead.
    return builder, join_tree(builder, unique, root_size(unique)) if division.alone else unique


def reduce_groups(parts: ConditionParts, size: int) -> Built:
    """AND the flags of each group of conditions onto one ancilla, and free the group."""
    builder = Builder(parts.num_data, parts.absorbing)
    joined: list[Parity] = []
    for first in range(0, len(parts.factors), size):
        # Taken before the group starts: undoing the group needs all its helpers clean again.
        goal = builder.take()
        start = len(builder.ops)
        flags, found = _Flags(builder, parts), list[Parity]()
        for unit in parts.factors[first : first + size]:
            found.append(flags.join(unit))
            flags.release({}, 0)
        left = join_tree(builder, list_distinct(found), 2)
        stop = len(builder.ops)
        if len(left) == 2:
            builder.conjoin(left[0], left[1], goal)
        else:
            builder.ops.append(Xor(left[0] if left else ONE, goal))
        joined.append(Parity((goal,)))
        builder.undo(start, stop)
    return builder, joined


class _Flags:
    """Flags that are computed now: their ancillas, and the operations that computed them."""

    def __init__(self, builder: Builder, parts: ConditionParts) -> None:
        self._builder, self._parts = builder, parts
        self._place: dict[int, int] = {}
        self._made: dict[int, tuple[int, int]] = {}
        self._held: set[int] = set()

    def compute(self, numbers: Iterable[int]) -> None:
        """Compute flags, and what they read, unless they are there."""
        # What a flag reads may be gone again; if the flag is there, it is not needed.
        missing, todo = set[int](), list(numbers)
        while todo:
            number = todo.pop()
            if number not in self._place and number not in missing:
                missing.add(number)
                todo += self._parts.reads[number]
        for number in sorted(missing):
            self._place[number] = goal = self._builder.take()
            start = len(self._builder.ops)
            for left, right in self._parts.flags[number].products:
                self._builder.conjoin(self._move(left), self._move(right), goal)
            if (parity := self._parts.flags[number].parity) != ZERO:
                self._builder.ops.append(Xor(self._move(parity), goal))
            self._made[number] = start, len(self._builder.ops)

    def read(self, parity: Parity) -> Parity:
        """Return the parity over real wires; the flags that it reads are computed."""
        self.compute(self._parts.list_flags(parity.wires))
        return self._move(parity)

    def join(self, unit: Unit) -> Parity:
        """Return the AND of factors as one parity of data qubits, or on one ancilla that stays until the phase."""
        factors = list_distinct([self.read(factor) for factor in unit])
        start = len(self._builder.ops)
        left = join_tree(self._builder, factors, 2)
        stop = len(self._builder.ops)
        if len(left) == 2:
            result = self._builder.conjoin(left[0], left[1])
            self._builder.undo(start, stop)
            return result
        if not left or all(wire < self._parts.num_data for wire in left[0].wires):
            return left[0] if left else ONE
        if len(left[0].wires) > 1:
            return self._builder.copy(left[0])
        # The result is a flag itself, whose ancilla must not be given back.
        self._held |= {number for number, wire in self._place.items() if wire == left[0].wires[0]}
        return left[0]

    def release(self, readers_left: Mapping[int, int], cheap: int) -> None:
        """Give back flags that no reader is left for, or that are cheap, unless a kept flag reads them."""
        needed = set[int]()
        # Backwards, as flags read earlier ones.
        for number in sorted(self._place.keys() - self._held, reverse=True):
            later = readers_left.get(number, 0) and self._parts.num_ands[number] > cheap
            if number in needed or later:
                needed |= self._parts.reads[number]
                continue
            self._builder.undo(*self._made.pop(number))
            del self._place[number]

    def _move(self, parity: Parity) -> Parity:
        data = self._parts.num_data
        return Parity.of([w if w < data else self._place[w - data] for w in parity.wires], parity.constant)


def _open_flags(builder: Builder, left: list[Parity]) -> list[Parity]:
    """Replace a flag that is left alone by the sides of its AND, for the phase to join."""
    while builder.ops and (last := builder.ops[-1]).is_and:
        (target,), sides = last.changed, last.product
        flag = Parity((target,))
        # The phase of a complement is that of the flag and a sign of all states.
        if left == [flag.negated()]:
            builder.turned, left = True, [flag]
        others = [factor for factor in left if factor != flag]
        written = sum(target in op.changed for op in builder.ops)
        # Another factor may read the flag, as one that contradicts it does.
        read = any(target in factor.wires for factor in others)
        if len(others) + 1 != len(left) or read or written > 1 or len(others) + 2 > root_size([*others, *sides]):
            break
        builder.free.append(target)
        builder.ops.pop()
        left = [*others, *sides]
    return left
