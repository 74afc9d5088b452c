"""Conditions to an oracle: compute, one phase, uncompute, within an ancilla budget.

Four schedules: every flag keeps its own ancilla and all factors meet in one
AND tree; the tree stops early, or never starts, and a multi-controlled Z joins
the rest, its parities reduced against each other; some conditions are reduced
to a single flag whose helpers are uncomputed at once; conditions are joined
group by group.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from gatesolve.circuit import And, Op, Ops, Parity, PhaseFlip, Xor, inverse
from gatesolve.circuit.cost import count_cx
from gatesolve.circuit.gf2 import reduce_row
from gatesolve.circuit.lowering import lower
from gatesolve.errors import AncillaBudgetError
from gatesolve.oracle.condition import ONE, ZERO, Condition
from gatesolve.oracle.in_place import place_parities

CHAIN = 64
"""Factors of several wires that are joined one after the other."""
LEAST_GAIN = 0.96
"""Parities made in place are looked at only if at most this share of the CX is left."""
LOWERED = 300
"""Most operations of oracles that are lowered to be compared."""
Key: TypeAlias = tuple[frozenset[tuple[frozenset[Parity], int]], Parity]
"""What a flag is the XOR of: products, each of two parities in any order and how often it is there, and a parity."""


@dataclass(frozen=True)
class Oracle:
    """A phase oracle on the space's qubits.

    Attributes:
        ops: phase -1 on exactly the codewords where every condition holds; ancillas zero before and after.
        num_data: qubits of the space; ancillas follow.
        num_ancillas: ancillas used.
        conditions: what was joined, for reports.
        style: ``constraints``, ``classical``, or for a threshold ``counter`` or ``fourier``.
    """

    ops: Ops
    num_data: int
    num_ancillas: int
    conditions: tuple[Condition, ...] = ()
    style: str = "constraints"

    @property
    def num_qubits(self) -> int:
        """Data and ancilla qubits."""
        return self.num_data + self.num_ancillas


Price: TypeAlias = Callable[[Oracle], tuple[float, float]]


@dataclass
class _Builder:
    """Operations so far, which ancillas are free, when each wire is idle (in gate layers), and the phase's sign."""

    num_data: int
    ops: list[Op] = field(default_factory=list)
    free: list[int] = field(default_factory=list)
    used: int = 0
    idle: dict[int, int] = field(default_factory=dict)
    turned: bool = False

    def take(self) -> int:
        """A clean ancilla, a fresh one only if none is free."""
        if self.free:
            return self.free.pop(0)
        self.used += 1
        return self.num_data + self.used - 1

    def ready(self, parity: Parity) -> int:
        """Layer from which the parity's wires are idle."""
        return max((self.idle.get(w, 0) for w in parity.wires), default=0)

    def conjoin(self, first: Parity, second: Parity, target: int | None = None) -> Parity:
        """AND of two parities XORed onto a clean (or the given) ancilla; the longer one goes to the middle."""
        goal = self.take() if target is None else target
        left, right = (first, second) if len(first.wires) >= len(second.wires) else (second, first)
        self.ops.append(And(left, right, goal))
        start = max(self.ready(left), self.ready(right), self.idle.get(goal, 0))
        for wire in left.wires:
            self.idle[wire] = start + 4
        for wire in right.wires:
            self.idle[wire] = start + 6
        self.idle[goal] = start + 6 + len(left.wires)
        return Parity((goal,))

    def copy(self, parity: Parity) -> Parity:
        """A parity on an ancilla of its own."""
        goal = self.take()
        self.ops.append(Xor(parity, goal))
        start = self.ready(parity)
        for place, wire in enumerate(parity.wires, start + 1):
            self.idle[wire] = self.idle[goal] = place
        return Parity((goal,))

    def undo(self, start: int, stop: int) -> None:
        """Uncompute operations ``start`` ... ``stop`` - 1 and free those of their targets that are not free yet."""
        part = self.ops[start:stop]
        self.ops.extend(inverse(part))
        targets = {op.target for op in part if isinstance(op, And | Xor)}
        self.free.extend(sorted(targets - set(self.free)))


def assemble(
    conditions: Sequence[Condition],
    num_data: int,
    ancillas: int | None = None,
    *,
    alone: bool = False,
    cost: Price | None = None,
    lowers: bool = False,
) -> Oracle:
    """Join ``conditions`` into a phase oracle.

    Args:
        conditions: what must hold, over data qubits 0 ... num_data-1.
        num_data: qubits of the space.
        ancillas: most clean ancillas to use; None for as many as it likes.
        alone: whether conditions meet in a tree of ANDs alone: no linear reduction of parities across them, and no
            multi-controlled Z over many of them.
        cost: what to choose by; CX when None. Parities made in place must save CX all the same.
        lowers: whether an oracle of few operations is lowered with parities made in place and without, to take what
            has fewer CX then, whatever the ``cost``.

    Raises:
        AncillaBudgetError: no schedule stays within the budget; the message gives the least that would do.
    """
    price = cost or (lambda oracle: (count_cx(oracle.ops), oracle.num_ancillas))
    kept = [c for c in conditions if c.flags or c.factors]
    if ancillas is not None:
        plain = min(_schedules_within(ancillas, kept, num_data, alone), key=price)
        return _choose([(plain, _place(plain))], price, lowers)
    schedules = _list_schedules([replace(c, shared=None) for c in kept], num_data, alone)
    if alone and any(c.shared for c in kept):
        schedules += _list_schedules([c.shared or c for c in kept], num_data, alone)
    return _choose([(one, _place(one)) for one in schedules], price, lowers)


def _list_schedules(kept: Sequence[Condition], num_data: int, alone: bool) -> list[Oracle]:
    """Every flag on its own ancilla, and all factors in one tree, or in a multi-controlled Z."""
    most = sum(len(c.factors) for c in kept)
    widest = _finish(_keep_flags(kept, num_data, most, alone), kept)
    plenty = sum(len(c.flags) for c in kept) + most
    return [widest, *([] if alone else [_finish(_keep_flags(kept, num_data, 0, alone), kept, plenty)])]


def _schedules_within(ancillas: int, kept: Sequence[Condition], num_data: int, alone: bool) -> list[Oracle]:
    # There are no more joins to make than factors, whatever the budget.
    most = sum(len(c.factors) for c in kept)
    widest = _finish(_keep_flags(kept, num_data, most, alone), kept)
    joins = () if alone else range(min(max(ancillas, 1), most + 1))
    built = [
        *(_keep_flags(kept, num_data, made, alone) for made in joins),
        *_reduce_some(kept, num_data, alone),
        *(_reduce_groups(kept, num_data, size) for size in range(2, (len(kept) + 1) // 2 + 1) if len(kept) > size),
    ]
    found = [widest, *(_finish(one, kept, ancillas) for one in built)]
    fitting = [o for o in found if o.num_ancillas <= ancillas]
    if not fitting:
        least = min(o.num_ancillas for o in found)
        raise AncillaBudgetError(
            f"the oracle needs at least {least} ancillas, {ancillas} are allowed: use ancillas={least} or more",
            least=least,
        )
    return fitting


def _place(oracle: Oracle) -> Oracle:
    """The oracle with parities made in place, unless that hardly saves a CX: lowering finds a few of them as well."""
    number = (len(oracle.ops) - 1) // 2  # as many are undone after the phase, and perhaps its sign, as computed before
    compute, after = oracle.ops[: number + 1], oracle.ops[number + 1 : len(oracle.ops) - number]
    placed = place_parities([op for op in compute if isinstance(op, And | Xor | PhaseFlip)])
    found = replace(oracle, ops=(*placed, *after, *inverse(placed[:-1])))
    return found if count_cx(found.ops) <= LEAST_GAIN * count_cx(oracle.ops) else oracle


def _choose(pairs: Sequence[tuple[Oracle, Oracle]], price: Price, lowers: bool) -> Oracle:
    """The cheapest oracle, without or with parities made in place: a small one by what it takes once lowered."""
    best = min(pairs, key=lambda pair: min(map(price, pair)))
    small = lowers and best[0].ops != best[1].ops and max(len(one.ops) for one in best) <= LOWERED
    return min(best, key=_size_lowered if small else price)


def _size_lowered(oracle: Oracle) -> tuple[int, int]:
    circuit = lower(oracle.ops, oracle.num_qubits)
    return circuit.count_ops().get("cx", 0), circuit.depth()


def _finish(
    built: tuple[_Builder, list[Parity]], conditions: Sequence[Condition], ancillas: int | None = None
) -> Oracle:
    """The phase on what is left, then everything undone. Ancillas never used serve the phase as clean ones."""
    builder, factors = built
    compute = tuple(builder.ops)
    wanted = max(len(factors) - 3, 0)
    while len(builder.free) < wanted and (builder.used < (ancillas or 0) or not builder.free):
        builder.free.append(builder.num_data + builder.used)
        builder.used += 1
    clean = tuple(sorted(builder.free))
    sign = (PhaseFlip(()),) if builder.turned else ()
    ops = (*compute, PhaseFlip(tuple(factors), clean), *sign, *inverse(compute))
    return Oracle(ops, builder.num_data, builder.used, tuple(conditions))


def _keep_flags(
    conditions: Sequence[Condition], num_data: int, joins: int, alone: bool
) -> tuple[_Builder, list[Parity]]:
    """All flags kept, factors reduced against each other, and ``joins`` ANDs of the tree made.

    A multi-controlled Z joins the rest, and makes its parities in place: few joins can be cheaper than many.
    """
    builder, made = _Builder(num_data), dict[Key, int]()
    each = [_share_flags(builder, condition, made) for condition in conditions]
    # What follows from several constraints together is no longer each constraint alone.
    grouped = [_lighten(factors) for factors in each] if alone else [_lighten([f for part in each for f in part])]
    unique = _distinct([factor for factors in grouped for factor in factors])
    left = _tree(builder, unique, max(len(unique) - joins, _root_size(unique)))
    return builder, _open_flags(builder, left)


def _open_flags(builder: _Builder, left: list[Parity]) -> list[Parity]:
    """A flag that is left alone as what it is the AND of, for the phase to join; of its complement the phase turns."""
    while builder.ops and isinstance(last := builder.ops[-1], And):
        flag, sides = Parity((last.target,)), [last.left, last.right]
        if left == [flag.negated()]:
            builder.turned, left = True, [flag]
        others = [factor for factor in left if factor != flag]
        written = sum(op.target == last.target for op in builder.ops if isinstance(op, And | Xor))
        if len(others) + 1 != len(left) or written > 1 or len(others) + 2 > _root_size([*others, *sides]):
            break
        builder.free.append(last.target)
        builder.ops.pop()
        left = [*others, *sides]
    return left


def _distinct(factors: Sequence[Parity]) -> list[Parity]:
    """Each factor once, none that is always 1; one that is always 0 stays and makes the phase vanish."""
    return [f for f in dict.fromkeys(factors) if f != ONE]


def _lighten(factors: Sequence[Parity]) -> list[Parity]:
    """None that follows from others, and each XORed with another where that leaves fewer wires.

    Each is 1 where all are, so the complement of one changes another nowhere that counts.
    """
    span, rows = list[int](), dict[int, int]()  # a row is an equation: its wires above bit 0, which is their sum
    for place, factor in sorted(enumerate(factors), key=lambda one: len(one[1].wires)):
        row = sum(2 << wire for wire in factor.wires) | (not factor.constant)
        left = reduce_row(row, span)
        if left == 1:
            return [ZERO]
        if left:
            span.append(left)
            rows[place] = row
    lighter = True
    while lighter:
        lighter = False
        for place, row in rows.items():
            best = min((row ^ other for other in rows.values() if other != row), key=_weigh, default=row)
            if _weigh(best) < _weigh(row):
                rows[place], lighter = best, True
    wires = {place: tuple(w for w in range(row.bit_length() - 1) if row >> w & 2) for place, row in rows.items()}
    return [Parity(wires[place], not rows[place] & 1) for place in sorted(rows)]


def _weigh(row: int) -> int:
    return (row >> 1).bit_count()


def _root_size(factors: Sequence[Parity]) -> int:
    """Three factors end in a CCZ; two when a parity of three or more wires is left: a CZ takes it at one CX a wire."""
    longest = max((len(f.wires) for f in factors), default=0)
    return 2 if longest >= 3 else 3


def _flags(builder: _Builder, condition: Condition) -> list[Parity]:
    """Compute the condition's flags onto ancillas; returns its factors over real qubits."""
    return _share_flags(builder, condition, {})


def _share_flags(builder: _Builder, condition: Condition, made: dict[Key, int]) -> list[Parity]:
    """The same, but a flag that is ``made`` already is read where it is: each condition is still whole and literal."""
    place: dict[int, int] = {}
    for j, flag in enumerate(condition.flags):
        products = [(_move(left, place), _move(right, place)) for left, right in flag.products]
        parity = _move(flag.parity, place)
        key = frozenset(Counter(map(frozenset, products)).items()), parity
        if key not in made:
            made[key] = builder.take()
            for left, right in products:
                builder.conjoin(left, right, made[key])
            if parity != ZERO:
                builder.ops.append(Xor(parity, made[key]))
        place[-1 - j] = made[key]
    return list(condition.renumbered(place).factors)


def _move(parity: Parity, place: Mapping[int, int]) -> Parity:
    return parity.value(lambda wire: Parity((place.get(wire, wire),)), ONE)


def _tree(builder: _Builder, factors: list[Parity], size: int) -> list[Parity]:
    """AND factors pairwise until ``size`` are left.

    A parity of several wires is cheap only as the middle control, so each is
    paired with a single wire where one is left; among those, the pair that is
    ready first, which keeps the tree shallow. Where there is no single wire, each
    that is made would be paired at once, in one long chain: of very many, a few
    are copied to ancillas, and as many chains are made side by side.
    """
    left = list(factors)
    if all(len(f.wires) > 1 for f in left):
        for factor in sorted(left, key=lambda f: len(f.wires))[: (len(left) - size) // CHAIN]:
            left[left.index(factor)] = builder.copy(factor)
    while len(left) > size:
        # The last CZ of two takes the longest parity.
        longest = max(left, key=lambda f: len(f.wires))
        long = [f for f in left if len(f.wires) > 1 and (f is not longest or size > 2)]
        by_ready = sorted((f for f in left if len(f.wires) <= 1), key=builder.ready)
        if long and by_ready:
            pair = (min(long, key=builder.ready), by_ready[0])
        elif len(by_ready) > 1:
            pair = (by_ready[0], by_ready[1])
        else:
            by_length = sorted(long, key=lambda f: len(f.wires))
            pair = (by_length[-1], by_length[0])
        for factor in pair:
            left.remove(factor)
        left.append(builder.conjoin(*pair))
    return left


def _single_flag(builder: _Builder, condition: Condition) -> Parity:
    """Reduce a condition to one parity, holding at most one ancilla afterwards."""
    start = len(builder.ops)
    factors = _tree(builder, _distinct(_flags(builder, condition)), 2)
    stop = len(builder.ops)
    if len(factors) == 2:
        result = builder.conjoin(factors[0], factors[1])
    elif not factors:
        return ONE
    elif all(w < builder.num_data for w in factors[0].wires):
        result = factors[0]
    else:
        result = builder.copy(factors[0])
    builder.undo(start, stop)
    return result


def _reduce_some(
    conditions: Sequence[Condition], num_data: int, alone: bool
) -> Iterator[tuple[_Builder, list[Parity]]]:
    """More and more conditions become one flag each, the one with most ancillas for its cost first."""
    order = sorted(range(len(conditions)), key=lambda k: -conditions[k].num_ands / (conditions[k].cost + 1))
    for n in range(1, len(order) + 1):
        builder = _Builder(num_data)
        factors = [_single_flag(builder, conditions[k]) for k in sorted(order[:n])]
        factors += [factor for k in sorted(order[n:]) for factor in _flags(builder, conditions[k])]
        unique = _distinct(factors)
        # Joining by AND flags needs an ancilla each; a multi-controlled Z borrows what is free instead.
        yield builder, _tree(builder, unique, _root_size(unique)) if alone else unique


def _reduce_groups(conditions: Sequence[Condition], num_data: int, size: int) -> tuple[_Builder, list[Parity]]:
    """The flags of each group of conditions are ANDed onto one ancilla, and the group is freed."""
    builder = _Builder(num_data)
    joined: list[Parity] = []
    for first in range(0, len(conditions), size):
        # Taken before the group starts: undoing the group needs all its helpers clean again.
        goal = builder.take()
        start = len(builder.ops)
        flags = [_single_flag(builder, c) for c in conditions[first : first + size]]
        left = _tree(builder, _distinct(flags), 2)
        stop = len(builder.ops)
        if len(left) == 2:
            builder.conjoin(left[0], left[1], goal)
        else:
            builder.ops.append(Xor(left[0] if left else ONE, goal))
        joined.append(Parity((goal,)))
        builder.undo(start, stop)
    return builder, joined
