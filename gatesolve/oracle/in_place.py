"""Parities made in place: by CX onto one of their wires, before the operations that read them.

From there on that wire holds the parity, and what reads the wire's own bit reads the parity XORed with its other wires.
Everything before the phase is undone after it, so a parity is taken back earlier only where that saves CX.
"""

from __future__ import annotations

import heapq
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import pairwise
from operator import itemgetter, or_

from gatesolve.circuit import Ops, Parity, PhaseFlip, Write, Xor
from gatesolve.circuit.gates import price_phase
from gatesolve.circuit.gf2 import list_bits

LONGEST = 6
"""Wires of the longest parity that is made in place."""
SHUFFLED = 4096
"""Operations in all the other orders that are tried, added up."""
MOST_ORDERS = 32
LONGEST_SHUFFLED = 128
"""Most operations that are tried in other orders: of more, hardly one order drawn is better."""
Wires = int
"""A set of wires, bit k for wire k: parities are XORed and measured by the ten thousand."""
Change = dict[int, tuple[Wires, ...]]
"""What operations, by place, read after a change."""


def place_parities(ops: Sequence[Write | PhaseFlip], seed: int = 0, most_orders: int = MOST_ORDERS) -> Ops:
    """Make parities in place wherever that seems to take fewer CX; the computation stays the same.

    CX are estimated: what is known of parities that follow from others in the phase, and of outer wires that change
    between two ANDs onto one target, is left out. So compare the result with what was given.

    Args:
        ops: what is computed, then the phase. What is undone later is not among them.
        seed: of the other orders that few operations are tried in.
        most_orders: how many those are.

    Returns:
        Operations of the same phase. Other wires may hold other bits at the end, so exactly these, without the phase,
        have to be undone.

    Cost: for each parity of two to `LONGEST` wires the operations that read one of these wires later.
    """
    reads = [_reads_of(op) for op in ops]
    orders = [tuple(range(len(ops)))]
    if is_shuffled(len(ops)):  # the phase is the last in every order
        draw, followers = random.Random(seed), _find_followers(ops, reads)
        orders += [_draw_order(followers, draw) for _ in range(min(most_orders, SHUFFLED // len(ops)))]
    plans = [_ParityPlan([ops[k] for k in order], [reads[k] for k in order]) for order in dict.fromkeys(orders)]
    for plan in plans:
        plan.improve()
    return tuple(min(plans, key=_ParityPlan.total).write())


def is_shuffled(number: int) -> bool:
    """Whether so many operations are tried in other orders."""
    return 2 < number <= LONGEST_SHUFFLED


class _ParityPlan:
    """The wires that every operation reads, and which parities are made where, before which operation.

    ANDs onto one target, with nothing else written there between them, are priced together (`_price_run`).
    """

    def __init__(self, ops: Sequence[Write | PhaseFlip], reads: list[tuple[Wires, ...]]) -> None:
        self._ops = ops
        self._reads = reads
        self._is_and = [op.is_and for op in ops]
        self._runs, self._run_of = _find_runs(ops, reads)
        self._is_alone = [_is_alone(op, len(self._runs[run])) for op, run in zip(ops, self._run_of, strict=True)]
        self._written = {op.target: place for place, op in enumerate(ops) if isinstance(op, Write)}
        self._readers: defaultdict[int, set[int]] = defaultdict(set)
        self._sizes: dict[int, list[int]] = {}
        for place in range(len(ops)):
            self._enter(place, _join(reads[place]))
        self._prices = [self._price(run, {}) for run in range(len(self._runs))]
        self._made: defaultdict[int, list[tuple[Wires, int]]] = defaultdict(list)

    def total(self) -> int:
        """CX of all, computed and undone."""
        return sum(self._prices) + sum(2 * rest.bit_count() for made in self._made.values() for rest, _ in made)

    def improve(self) -> None:
        """Make parities before the operations that read them, from the first to the last, while it gains."""
        for place in range(len(self._ops)):
            while True:
                gain, rest, wire = max(self._list_gains(place), key=itemgetter(0), default=(0, 0, 0))
                if gain <= 0:
                    break
                self._make(place, rest, wire)

    def write(self) -> Iterator[Write | PhaseFlip]:
        """The operations as they are now."""
        outer = {place: k for run in self._runs for place, k in zip(run, self._choose_outer(run), strict=True)}
        for place, op in enumerate(self._ops):
            yield from (Xor(Parity(tuple(list_bits(rest))), wire) for rest, wire in self._made[place])
            sides = [
                Parity(tuple(list_bits(read)), side.constant)
                for read, side in zip(self._reads[place], op.reads, strict=True)
            ]
            # Only an AND has a choice of the side that goes outside, and it stands last.
            yield op.reading(*(sides if outer[place] or not self._is_and[place] else reversed(sides)))

    def _list_gains(self, place: int) -> Iterator[tuple[int, Wires, int]]:
        """CX less for each parity, whole or of two wires, that is made before an operation on one of its wires."""
        for read in self._reads[place]:
            if not 1 < read.bit_count() <= LONGEST:
                continue
            wires = list_bits(read)
            if any(self._written.get(wire, -1) >= place for wire in wires):
                continue
            for wire in wires:
                others = read ^ 1 << wire
                for rest in dict.fromkeys((others, *(1 << other for other in wires if other != wire))):
                    yield self._gain(place, rest, wire) - 2 * rest.bit_count(), rest, wire

    def _gain(self, place: int, rest: Wires, wire: int) -> int:
        """CX less for the operations from a place on once the wire holds its XOR with the rest."""
        gain, runs = 0, set[int]()
        for reader in self._readers[wire]:
            if reader < place:
                continue
            if not self._is_alone[reader]:
                runs.add(self._run_of[reader])
                continue
            # Nearly all readers are such, and they are priced by the hundred thousand: without a table of changes.
            reads, sizes = self._reads[reader], self._sizes[reader]
            if len(reads) == 2:  # an AND's shorter side is XORed in twice
                (left, right), (one, other) = reads, sizes
                after = (left ^ rest).bit_count() if left >> wire & 1 else one
                then = (right ^ rest).bit_count() if right >> wire & 1 else other
                gain += 2 * (one + other + min(one, other) - after - then - min(after, then))
            elif uses := self._ops[reader].uses:
                gain += _price_write(uses, reads) - _price_write(uses, self._after(reader, rest, wire))
            else:
                sized = zip(reads, sizes, strict=True)
                gain += 2 * sum(size - (read ^ rest).bit_count() for read, size in sized if read >> wire & 1)
        for run in runs:
            change = {reader: self._after(reader, rest, wire) for reader in self._runs[run] if reader >= place}
            gain += self._prices[run] - self._price(run, change)
        return gain

    def _change(self, place: int, rest: Wires, wire: int) -> Change:
        """Return what the operations from a place on read once the wire holds its XOR with the rest."""
        return {reader: self._after(reader, rest, wire) for reader in self._readers[wire] if reader >= place}

    def _after(self, reader: int, rest: Wires, wire: int) -> tuple[Wires, ...]:
        return tuple([read ^ rest if read >> wire & 1 else read for read in self._reads[reader]])

    def _make(self, place: int, rest: Wires, wire: int) -> None:
        change = self._change(place, rest, wire)
        for reader, reads in change.items():
            before, after = _join(self._reads[reader]), _join(reads)
            for one in list_bits(before & ~after):
                self._readers[one].discard(reader)
            self._reads[reader] = reads
            self._enter(reader, after & ~before)
        for run in {self._run_of[reader] for reader in change}:
            self._prices[run] = self._price(run, {})
        self._made[place].append((rest, wire))

    def _enter(self, place: int, wires: Wires) -> None:
        """Note the sizes of what an operation reads, and that it reads these wires."""
        self._sizes[place] = [read.bit_count() for read in self._reads[place]]
        for wire in list_bits(wires):
            self._readers[wire].add(place)

    def _price(self, run: int, change: Mapping[int, tuple[Wires, ...]]) -> int:
        """CX of a run, what is undone twice."""
        places = self._runs[run]
        reads = [change.get(place) or self._reads[place] for place in places]
        if self._is_and[places[0]]:
            return 2 * min(_price_run(reads))[0]
        uses = self._ops[places[0]].uses
        return _price_write(uses, reads[0]) if uses else price_phase(map(int.bit_count, reads[0]))

    def _choose_outer(self, run: Sequence[int]) -> Sequence[int]:
        reads = [self._reads[place] for place in run]
        return min(_price_run(reads))[1] if self._is_and[run[0]] else [0]


def _is_alone(op: Write | PhaseFlip, in_run: int) -> bool:
    """Whether its CX are those of its parities, an AND's shorter one twice: not in a run or a short phase."""
    return in_run == 1 if op.uses else len(op.reads) > 2


def _price_write(uses: tuple[int, ...], reads: tuple[Wires, ...]) -> int:
    """CX of an operation that XORs each parity onto its target so often, computed and undone."""
    return 2 * sum(times * read.bit_count() for times, read in zip(uses, reads, strict=True))


def _price_run(reads: Sequence[tuple[Wires, ...]]) -> list[tuple[int, tuple[int, ...]]]:
    """CX of ANDs onto one target in a row, and which side of each goes outside, for both choices of the last.

    The outer side is XORed in before and after the inner one: what two in a row share goes unchanged.
    """
    best: list[tuple[int, tuple[int, ...]]] = [
        (reads[0][0].bit_count() + reads[0][1].bit_count(), (side,)) for side in (0, 1)
    ]
    for before, after in pairwise(reads):
        best = [
            min(
                (cost + (before[chosen[-1]] ^ after[side]).bit_count() + after[1 - side].bit_count(), (*chosen, side))
                for cost, chosen in best
            )
            for side in (0, 1)
        ]
    return [(cost + reads[-1][chosen[-1]].bit_count(), chosen) for cost, chosen in best]


def _reads_of(op: Write | PhaseFlip) -> tuple[Wires, ...]:
    return tuple(map(_mask, op.reads))


def _mask(parity: Parity) -> Wires:
    return sum(1 << wire for wire in parity.wires)


def _join(reads: Iterable[Wires]) -> Wires:
    return reduce(or_, reads, 0)


def _find_runs(
    ops: Sequence[Write | PhaseFlip], reads: Sequence[tuple[Wires, ...]]
) -> tuple[list[list[int]], list[int]]:
    """Places of operations that are priced together, and for each operation the number of its run."""
    runs, run_of, latest = list[list[int]](), list[int](), dict[int, int]()
    for place, op in enumerate(ops):
        target = op.target if isinstance(op, Write) else -1
        if not op.is_and or target not in latest:
            runs.append([])
        run = latest.get(target, len(runs) - 1) if op.is_and else len(runs) - 1
        runs[run].append(place)
        run_of.append(run)
        latest.pop(target, None)
        if latest:
            for wire in list_bits(_join(reads[place])):
                latest.pop(wire, None)
        if op.is_and:
            latest[target] = run
    return runs, run_of


def _find_followers(ops: Sequence[Write | PhaseFlip], reads: Sequence[tuple[Wires, ...]]) -> list[tuple[int, ...]]:
    """For each operation those that must stay after it: none passes what it reads being written, or its target."""
    writers: defaultdict[int, list[int]] = defaultdict(list)
    readers: defaultdict[int, list[int]] = defaultdict(list)
    followers: list[list[int]] = [[] for _ in ops]
    for place, op in enumerate(ops):
        read = list_bits(_join(reads[place]))
        targets = {op.target} if isinstance(op, Write) else set(writers)
        earlier = {one for wire in {*read, *targets} for one in writers[wire]}
        earlier |= {one for wire in targets for one in readers[wire]}
        for one in earlier:
            followers[one].append(place)
        for wire in read:
            readers[wire].append(place)
        if isinstance(op, Write):
            writers[op.target].append(place)
    return [tuple(later) for later in followers]


def _draw_order(followers: Sequence[tuple[int, ...]], draw: random.Random) -> tuple[int, ...]:
    """Places in another order that keeps every follower behind."""
    waits = Counter(one for later in followers for one in later)
    ready = [(draw.random(), place) for place in range(len(followers)) if not waits[place]]
    heapq.heapify(ready)
    order: list[int] = []
    while ready:
        _, place = heapq.heappop(ready)
        order.append(place)
        for follower in followers[place]:
            waits[follower] -= 1
            if not waits[follower]:
                heapq.heappush(ready, (draw.random(), follower))
    return tuple(order)
