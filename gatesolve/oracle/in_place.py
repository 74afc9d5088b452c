"""Parities made in place: by CX onto one of their wires, before the operations that read them.

From there on that wire holds the parity, and what reads the wire's own bit reads the parity XORed with its other wires.
Everything before the phase is undone after it, so a parity is taken back earlier only where that saves CX.
"""

from __future__ import annotations

import heapq
import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from gatesolve.circuit import And, Ops, Parity, PhaseFlip, Xor
from gatesolve.circuit.cost import price_phase

LONGEST = 6
"""Wires of the longest parity that is made in place."""
SHUFFLED = 4096
"""Operations in all the other orders that are tried, added up."""
MOST_ORDERS = 32
LONGEST_SHUFFLED = 128
"""Most operations that are tried in other orders: of more, hardly one order drawn is better."""
Wires = frozenset[int]
Change = dict[int, tuple[Wires, ...]]
"""What operations, by place, read after a change."""


def place_parities(ops: Sequence[And | Xor | PhaseFlip], seed: int = 0) -> Ops:
    """The same computation with parities made in place wherever that seems to take fewer CX.

    CX are estimated: what is known of parities that follow from others in the phase, and of outer wires that change
    between two ANDs onto one target, is left out. So compare the result with what was given.

    Args:
        ops: what is computed, then the phase. What is undone later is not among them.
        seed: of the other orders that few operations are tried in.

    Returns:
        Operations of the same phase. Other wires may hold other bits at the end, so exactly these, without the phase,
        have to be undone.

    Cost: for each parity of two to `LONGEST` wires the operations that read one of these wires later.
    """
    orders = [tuple(ops)]
    if 2 < len(ops) <= LONGEST_SHUFFLED:  # the phase is the last in every order
        draw = random.Random(seed)
        orders += [tuple(_shuffle(ops, draw)) for _ in range(min(MOST_ORDERS, SHUFFLED // len(ops)))]
    plans = [_Plan(order) for order in dict.fromkeys(orders)]
    for plan in plans:
        plan.improve()
    return tuple(min(plans, key=_Plan.total).write())


class _Plan:
    """What every operation reads, and which parities are made where, before which operation.

    ANDs onto one target, with nothing else written there between them, are priced together (`_price_run`).
    """

    def __init__(self, ops: Sequence[And | Xor | PhaseFlip]) -> None:
        self._ops = ops
        self._reads: list[tuple[Wires, ...]] = [_reads_of(op) for op in ops]
        self._runs, self._run_of = _find_runs(ops)
        self._written = {op.target: place for place, op in enumerate(ops) if isinstance(op, And | Xor)}
        self._readers: defaultdict[int, set[int]] = defaultdict(set)
        for place in range(len(ops)):
            self._enter(place)
        self._prices = [self._price(run, {}) for run in range(len(self._runs))]
        self._made: defaultdict[int, list[tuple[Wires, int]]] = defaultdict(list)

    def total(self) -> int:
        """CX of all, computed and undone."""
        return sum(self._prices) + sum(2 * len(rest) for made in self._made.values() for rest, _ in made)

    def improve(self) -> None:
        """Make parities before the operations that read them, from the first to the last, while it gains."""
        for place in range(len(self._ops)):
            while True:
                gain, rest, wire = max(self._list_gains(place), key=lambda one: one[0], default=(0, frozenset(), 0))
                if gain <= 0:
                    break
                self._make(place, rest, wire)

    def write(self) -> Iterator[And | Xor | PhaseFlip]:
        """The operations as they are now."""
        outer = {place: k for run in self._runs for place, k in zip(run, self._choose_outer(run), strict=True)}
        for place, op in enumerate(self._ops):
            yield from (Xor(Parity(tuple(sorted(rest))), wire) for rest, wire in self._made[place])
            wires = [tuple(sorted(read)) for read in self._reads[place]]
            match op:
                case And(left, right, target, undo):
                    sides = Parity(wires[0], left.constant), Parity(wires[1], right.constant)
                    yield And(sides[1 - outer[place]], sides[outer[place]], target, undo)
                case Xor(source, target):
                    yield Xor(Parity(wires[0], source.constant), target)
                case PhaseFlip(factors, clean):
                    yield PhaseFlip(tuple(Parity(w, f.constant) for w, f in zip(wires, factors, strict=True)), clean)

    def _list_gains(self, place: int) -> Iterator[tuple[int, Wires, int]]:
        """CX less for each parity, whole or of two wires, that is made before an operation on one of its wires."""
        for read in self._reads[place]:
            if not 1 < len(read) <= LONGEST or any(self._written.get(wire, -1) >= place for wire in read):
                continue
            for wire in sorted(read):
                others = read - {wire}
                for rest in dict.fromkeys((others, *(frozenset({other}) for other in sorted(others)))):
                    yield self._gain(place, rest, wire) - 2 * len(rest), rest, wire

    def _gain(self, place: int, rest: Wires, wire: int) -> int:
        """CX less for the operations from a place on once the wire holds its XOR with the rest."""
        gain, runs = 0, set[int]()
        for reader in self._readers[wire]:
            if reader < place:
                continue
            if isinstance(self._ops[reader], PhaseFlip) and len(self._reads[reader]) > 2:
                # Each factor costs by itself, so those without the wire need not be priced again.
                gain += 2 * sum(len(read) - len(read ^ rest) for read in self._reads[reader] if wire in read)
            else:
                runs.add(self._run_of[reader])
        change = self._change(place, rest, wire) if runs else {}
        return gain + sum(self._prices[run] - self._price(run, change) for run in runs)

    def _change(self, place: int, rest: Wires, wire: int) -> Change:
        """What the operations from a place on read once the wire holds its XOR with the rest."""
        return {
            reader: tuple(read ^ rest if wire in read else read for read in self._reads[reader])
            for reader in self._readers[wire]
            if reader >= place
        }

    def _make(self, place: int, rest: Wires, wire: int) -> None:
        change = self._change(place, rest, wire)
        for reader, reads in change.items():
            for read in self._reads[reader]:
                for one in read:
                    self._readers[one].discard(reader)
            self._reads[reader] = reads
            self._enter(reader)
        for run in {self._run_of[reader] for reader in change}:
            self._prices[run] = self._price(run, {})
        self._made[place].append((rest, wire))

    def _enter(self, place: int) -> None:
        for read in self._reads[place]:
            for wire in read:
                self._readers[wire].add(place)

    def _price(self, run: int, change: Mapping[int, tuple[Wires, ...]]) -> int:
        """CX of a run, what is undone twice."""
        places = self._runs[run]
        reads = [change.get(place) or self._reads[place] for place in places]
        match self._ops[places[0]]:
            case And():
                return 2 * min(_price_run(reads))[0]
            case Xor():
                return 2 * len(reads[0][0])
            case _:
                return price_phase(map(len, reads[0]))

    def _choose_outer(self, run: Sequence[int]) -> Sequence[int]:
        reads = [self._reads[place] for place in run]
        return min(_price_run(reads))[1] if isinstance(self._ops[run[0]], And) else [0]


def _price_run(reads: Sequence[tuple[Wires, ...]]) -> list[tuple[int, tuple[int, ...]]]:
    """CX of ANDs onto one target in a row, and which side of each goes outside, for both choices of the last.

    The outer side is XORed in before and after the inner one: what two in a row share goes unchanged.
    """
    best: list[tuple[int, tuple[int, ...]]] = [(len(reads[0][0]) + len(reads[0][1]), (side,)) for side in (0, 1)]
    for before, after in pairwise(reads):
        best = [
            min(
                (cost + len(before[chosen[-1]] ^ after[side]) + len(after[1 - side]), (*chosen, side))
                for cost, chosen in best
            )
            for side in (0, 1)
        ]
    return [(cost + len(reads[-1][chosen[-1]]), chosen) for cost, chosen in best]


def _reads_of(op: And | Xor | PhaseFlip) -> tuple[Wires, ...]:
    match op:
        case And(left, right):
            return frozenset(left.wires), frozenset(right.wires)
        case Xor(source):
            return (frozenset(source.wires),)
        case PhaseFlip(factors):
            return tuple(frozenset(factor.wires) for factor in factors)


def _find_runs(ops: Sequence[And | Xor | PhaseFlip]) -> tuple[list[list[int]], list[int]]:
    """Places of operations that are priced together, and for each operation the number of its run."""
    runs, run_of, latest = list[list[int]](), list[int](), dict[int, int]()
    for place, op in enumerate(ops):
        target = op.target if isinstance(op, And | Xor) else -1
        if not isinstance(op, And) or target not in latest:
            runs.append([])
        run = latest.get(target, len(runs) - 1) if isinstance(op, And) else len(runs) - 1
        runs[run].append(place)
        run_of.append(run)
        for wire in (target, *(wire for read in _reads_of(op) for wire in read)):
            latest.pop(wire, None)
        if isinstance(op, And):
            latest[target] = run
    return runs, run_of


def _shuffle(ops: Sequence[And | Xor | PhaseFlip], draw: random.Random) -> list[And | Xor | PhaseFlip]:
    """Another order in which nothing that is written is passed by what reads it or writes there, the phase last."""
    writers: defaultdict[int, list[int]] = defaultdict(list)
    readers: defaultdict[int, list[int]] = defaultdict(list)
    followers: defaultdict[int, list[int]] = defaultdict(list)
    waits = [0] * len(ops)
    for place, op in enumerate(ops):
        reads = {wire for read in _reads_of(op) for wire in read}
        targets = {op.target} if isinstance(op, And | Xor) else set(writers)
        earlier = {one for wire in reads | targets for one in writers[wire]}
        earlier |= {one for wire in targets for one in readers[wire]}
        waits[place] = len(earlier)
        for one in earlier:
            followers[one].append(place)
        for wire in reads:
            readers[wire].append(place)
        if isinstance(op, And | Xor):
            writers[op.target].append(place)
    ready = [(draw.random(), place) for place, number in enumerate(waits) if not number]
    heapq.heapify(ready)
    order: list[int] = []
    while ready:
        _, place = heapq.heappop(ready)
        order.append(place)
        for follower in followers[place]:
            waits[follower] -= 1
            if not waits[follower]:
                heapq.heappush(ready, (draw.random(), follower))
    return [ops[place] for place in order]
