"""Conditions to an oracle: compute, one phase, uncompute, within an ancilla budget.

There are four kinds of schedules. In the first, every flag keeps its own ancilla, and all factors meet in one AND tree.
In the second, the tree stops early or never starts, and a multi-controlled Z joins the rest, its parities reduced
against each other. In the third, some conditions, or some factors of each, are reduced to a single flag, and what
nothing reads any more is uncomputed at once. In the fourth, conditions are joined group by group.

Complements: a condition such as ``x != y`` is the complement of an AND, and a tree ANDs it to another flag. Two ANDs
take six CX and an ancilla for the inner one; `AndNot`, ``target ^= head & ~(left & right)``, takes five and none.

Parities made in place: by CX onto one of their wires, before the operations that read them. From there on that wire
holds the parity, and what reads the wire's own bit reads the parity XORed with its other wires. Everything before the
phase is undone after it, so a parity is taken back earlier only where that saves CX.
"""

from __future__ import annotations

import heapq
import math
import random
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache, reduce
from itertools import accumulate, chain, count, pairwise
from operator import itemgetter, or_

from qiskit import QuantumCircuit

from gatesolve.circuit import AndNot, Op, Ops, Parity, PhaseFlip, Write, Xor, inverse
from gatesolve.circuit.cost import count_cx
from gatesolve.circuit.gates import price_phase
from gatesolve.circuit.gf2 import list_bits
from gatesolve.circuit.lowering import estimate_cx, lower
from gatesolve.circuit.lowering.lower import price_ops
from gatesolve.circuit.lowering.measured.lower import count_metric, lower_cheapest
from gatesolve.errors import AncillaBudgetError
from gatesolve.gate_sets import GATE_SETS, GateSet, Metric
from gatesolve.oracle.builder import Builder
from gatesolve.oracle.condition import Condition
from gatesolve.oracle.parts import gather_parts
from gatesolve.oracle.schedules import Built, choose_chains, find_width, keep_flags, list_schedules

LENGTHS = (6, 9)
"""Wires of the longest parity that is made in place; each of them gives another form of an oracle."""
SHUFFLED = 4096
"""Operations in all the other orders that are tried, added up."""
MOST_ORDERS = 32
LONGEST_SHUFFLED = 128
"""Most operations that are tried in other orders: of more, hardly one order drawn is better."""
Wires = int
"""A set of wires, bit k for wire k: parities are XORed and counted very often."""
LEAST_GAIN = 0.96
"""Parities made in place are looked at only if at most this share of the CX is left."""
PLACED = 3
"""Schedules within a budget, the cheapest ones, in which parities are made in place."""
NEAR = 1.05
"""Multiple of the least cost up to which other orders are tried: they gained 4.4 % at most in 60 oracles of boards."""
LOWERED = 450
"""Most operations of oracles that are lowered to be compared."""
CLOSE = 1.015
"""Multiple of the least CX by the short passes up to which all passes decide: in 39 pairs they moved it by 1.2 %."""


def place_parities(ops: Sequence[Write | PhaseFlip], most_orders: int = MOST_ORDERS, longest: int = LENGTHS[0]) -> Ops:
    """Make parities in place wherever that seems to take fewer CX; the computation stays the same.

    CX are estimated: what is known of parities that follow from others in the phase, and of outer wires that change
    between two ANDs onto one target, is left out. So compare the result with what was given.

    Args:
        ops: what is computed, then the phase. What is undone later is not among them.
        most_orders: other orders that few operations are tried in.
        longest: wires of the longest parity that is made in place.

    Returns:
        Operations of the same phase. Other wires may hold other bits at the end, so exactly these, without the phase,
        have to be undone.

    Cost: for each parity of two to ``longest`` wires the operations that read one of these wires later.
    """
    reads = [tuple(sum(1 << wire for wire in parity.wires) for parity in op.reads) for op in ops]
    orders = [tuple(range(len(ops)))]
    # The phase is the last operation in every order.
    if is_shuffled(len(ops)):
        draw, followers = random.Random(0), _find_followers(ops, reads)
        orders += [_draw_order(followers, draw) for _ in range(min(most_orders, SHUFFLED // len(ops)))]
    plans = [_ParityPlan([ops[k] for k in order], [reads[k] for k in order]) for order in dict.fromkeys(orders)]
    for plan in plans:
        plan.improve(longest)
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
        # The CX are those of its parities, an AND's shorter one twice; not so in a run or a short phase.
        in_run = [len(self._runs[run]) for run in self._run_of]
        self._is_alone = [n == 1 if op.uses else len(op.reads) > 2 for op, n in zip(ops, in_run, strict=True)]
        targets = [1 << op.target if isinstance(op, Write) else 0 for op in ops]
        # The wires that are written from each place on.
        self._pending = [*accumulate(reversed(targets), or_)][::-1]
        self._readers: defaultdict[int, set[int]] = defaultdict(set)
        self._sizes: dict[int, list[int]] = {}
        self._holders: dict[int, defaultdict[int, list[int]]] = {}
        for place in range(len(ops)):
            self._enter(place, _join(reads[place]))
        self._held = [tuple(reads[place] for place in run) for run in self._runs]
        self._made: defaultdict[int, list[tuple[Wires, int]]] = defaultdict(list)

    def total(self) -> int:
        """CX of all, computed and undone."""
        firsts = ((reads, run[0]) for reads, run in zip(self._held, self._runs, strict=True))
        priced = (_price_reads(reads, self._is_and[place], self._ops[place].uses) for reads, place in firsts)
        return sum(priced) + sum(2 * rest.bit_count() for made in self._made.values() for rest, _ in made)

    def improve(self, longest: int) -> None:
        """Make parities before the operations that read them, from the first to the last, while it gains."""
        for place in range(len(self._ops)):
            # Each parity that is made changes the gains of the others.
            while True:
                gain, rest, wire = max(self._list_gains(place, longest), key=itemgetter(0), default=(0, 0, 0))
                if gain <= 0:
                    break
                self._make(place, rest, wire)
            # What is made later changes nothing here.
            for wire in list_bits(_join(self._reads[place])):
                self._readers[wire].discard(place)

    def write(self) -> Iterator[Write | PhaseFlip]:
        outer = dict[int, int]()
        for run in self._runs:
            chosen = _choose_outer([self._reads[place] for place in run]) if self._is_and[run[0]] else (0,)
            outer |= zip(run, chosen, strict=True)
        for place, op in enumerate(self._ops):
            yield from (Xor(Parity(tuple(list_bits(rest))), wire) for rest, wire in self._made[place])
            parities = [
                Parity(tuple(list_bits(read)), side.constant)
                for read, side in zip(self._reads[place], op.reads, strict=True)
            ]
            # Only an AND has a choice of the side that goes outside, and it stands last.
            yield op.reading(*(parities if outer[place] or not self._is_and[place] else reversed(parities)))

    def _list_gains(self, place: int, longest: int) -> Iterator[tuple[int, Wires, int]]:
        """CX less for each parity, whole or of two wires, that is made before an operation on one of its wires."""
        for read in self._reads[place]:
            # A wire that is written later has to hold its own bit until then.
            if not read & self._pending[place]:
                for rest, wire, cx in _list_makings(read, longest):
                    yield self._gain(place, rest, wire) - cx, rest, wire

    def _gain(self, place: int, rest: Wires, wire: int) -> int:
        """CX less for the operations from a place on once the wire holds its XOR with the rest."""
        gain, bit, runs = 0, 1 << wire, set[int]()
        for reader in self._readers[wire]:
            if not self._is_alone[reader]:
                runs.add(self._run_of[reader])
                continue
            # Nearly all readers are such, and they are priced by the hundred thousand: without a table of changes.
            reads, sizes = self._reads[reader], self._sizes[reader]
            # An AND's shorter side is XORed in twice.
            if len(reads) == 2:
                (left, right), (one, other) = reads, sizes
                after = (left ^ rest).bit_count() if left & bit else one
                then = (right ^ rest).bit_count() if right & bit else other
                gain += 2 * (one + other + min(one, other) - after - then - min(after, then))
            elif uses := self._ops[reader].uses:
                gain += _price_write(uses, reads) - _price_write(uses, self._after(reader, rest, bit))
            else:
                holding = self._holders[reader][wire]
                gain += 2 * sum([sizes[k] - (reads[k] ^ rest).bit_count() for k in holding])
        for run in runs:
            places = self._runs[run]
            kept = 0 if places[0] >= place else bisect_left(places, place)
            gain += _gain_of_run(self._held[run], kept, rest, bit, self._is_and[places[0]])
        return gain

    def _after(self, reader: int, rest: Wires, bit: Wires) -> tuple[Wires, ...]:
        """Return what an operation reads once the wire ``bit`` holds its XOR with the rest."""
        return tuple([read ^ rest if read & bit else read for read in self._reads[reader]])

    def _make(self, place: int, rest: Wires, wire: int) -> None:
        change = {reader: self._after(reader, rest, 1 << wire) for reader in self._readers[wire]}
        for reader, reads in change.items():
            before, after = _join(self._reads[reader]), _join(reads)
            for one in list_bits(before & ~after):
                self._readers[one].discard(reader)
            self._reads[reader] = reads
            self._enter(reader, after & ~before)
        for run in {self._run_of[reader] for reader in change}:
            self._held[run] = tuple([self._reads[place] for place in self._runs[run]])
        self._made[place].append((rest, wire))

    def _enter(self, place: int, wires: Wires) -> None:
        """Note the sizes of what an operation reads, which parities hold a wire, and that it reads these wires."""
        reads = self._reads[place]
        self._sizes[place] = [read.bit_count() for read in reads]
        # A phase of hundreds of parities is priced for every candidate; a wire is in few of them.
        if self._is_alone[place] and not self._ops[place].uses:
            holders = self._holders[place] = defaultdict(list)
            for k, read in enumerate(reads):
                for wire in list_bits(read):
                    holders[wire].append(k)
        for wire in list_bits(wires):
            self._readers[wire].add(place)


@lru_cache(maxsize=1 << 15)
def _list_makings(read: Wires, longest: int) -> tuple[tuple[Wires, int, int], ...]:
    """Return what is XORed onto which wire to make a parity, whole or of two wires, and its CX, undone too."""
    wires = list_bits(read)
    if not 1 < len(wires) <= longest:
        return ()
    pairs = {wire: (read ^ 1 << wire, *(1 << other for other in wires if other != wire)) for wire in wires}
    return tuple((rest, wire, 2 * rest.bit_count()) for wire in wires for rest in dict.fromkeys(pairs[wire]))


def _price_write(uses: tuple[int, ...], reads: tuple[Wires, ...]) -> int:
    """CX of an operation that XORs each parity onto its target so often, computed and undone."""
    return 2 * sum(times * read.bit_count() for times, read in zip(uses, reads, strict=True))


def _price_reads(reads: Sequence[tuple[Wires, ...]], is_and: bool, uses: tuple[int, ...] = ()) -> int:
    """CX of a run, what is undone twice."""
    if is_and:
        return 2 * _price_run(reads)
    return _price_write(uses, reads[0]) if uses else price_phase(map(int.bit_count, reads[0]))


# The same runs come again in every order, and for every candidate.
@lru_cache(maxsize=1 << 16)
def _gain_of_run(reads: tuple[tuple[Wires, ...], ...], kept: int, rest: Wires, bit: Wires, is_and: bool) -> int:
    """CX less for a run, if all operations but the first ``kept`` read the wire ``bit`` XORed with the rest."""
    after = (tuple([read ^ rest if read & bit else read for read in sides]) for sides in reads[kept:])
    return _price_reads(reads, is_and) - _price_reads((*reads[:kept], *after), is_and)


def _price_run(reads: Sequence[tuple[Wires, ...]]) -> int:
    """Price ANDs onto one target in a row by `_choose_outer`, without the choices."""
    left, right = reads[0]
    by_left = by_right = left.bit_count() + right.bit_count()
    for one, other in reads[1:]:
        by_left, by_right = (
            min(by_left + (left ^ one).bit_count(), by_right + (right ^ one).bit_count()) + other.bit_count(),
            min(by_left + (left ^ other).bit_count(), by_right + (right ^ other).bit_count()) + one.bit_count(),
        )
        left, right = one, other
    return min(by_left + left.bit_count(), by_right + right.bit_count())


def _choose_outer(reads: Sequence[tuple[Wires, ...]]) -> tuple[int, ...]:
    """Return the outer side of each of some ANDs onto one target in a row."""
    best: list[tuple[int, tuple[int, ...]]] = [
        (reads[0][0].bit_count() + reads[0][1].bit_count(), (side,)) for side in (0, 1)
    ]
    # The outer side is XORed in before and after the inner one, and what two in a row share stays. So only the last
    # outer side matters for the next AND.
    for before, after in pairwise(reads):
        best = [
            min(
                (cost + (before[chosen[-1]] ^ after[side]).bit_count() + after[1 - side].bit_count(), (*chosen, side))
                for cost, chosen in best
            )
            for side in (0, 1)
        ]
    return min((cost + reads[-1][chosen[-1]].bit_count(), chosen) for cost, chosen in best)[1]


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
        # A run ends where its target is read, or written otherwise.
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
    # A topological order with random priorities.
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


@dataclass
class _Span:
    """Places of operations while one wire is not zero: where it is written, and where it is read.

    Attributes:
        versions: of the wires that the first write reads, as they are then.
        whole: whether the wire is written by one AND and, at most, its inverse, and read as a complement alone.
    """

    versions: tuple[int, ...]
    writes: list[int]
    reads: list[int] = field(default_factory=list)
    whole: bool = True


def absorb_complements(built: Built) -> Built:
    """Rewrite a computation with fewer CX and ancillas; ancillas are numbered anew.

    Args:
        built: `Write` operations, those undone on the way among them, and parities that the phase reads.

    Cost: linear in the number of operations.
    """
    builder, factors = built
    ops, made, gone = builder.ops, dict[int, Write](), set[int]()
    for span in _find_spans(ops, factors, builder.num_data):
        if not span.whole or not span.reads or not made.keys().isdisjoint((*span.writes, *span.reads)):
            continue
        # An AND takes 3 CX; what reads it takes 3 too, and 5 afterwards.
        if 3 * len(span.writes) > 2 * len(span.reads):
            inner = ops[span.writes[0]]
            long, short = sorted(inner.product, key=lambda side: len(side.wires), reverse=True)
            for place in span.reads:
                (head,) = [side for side in ops[place].product if side != Parity(inner.changed, True)]
                made[place] = AndNot(head, long, short, ops[place].changed[0])
            gone |= set(span.writes)
    return _pack(builder, [made.get(place, op) for place, op in enumerate(ops) if place not in gone], factors)


def _find_spans(ops: Sequence[Op], factors: Sequence[Parity], num_data: int) -> list[_Span]:
    """The spans of all ancillas, in the order in which they begin."""
    spans, numbers = list[_Span](), count(1)
    # An operation that meets its inverse on the stack of its wire takes it back. So the number on top of the stack
    # stands for the contents of the wire.
    stacks: defaultdict[int, list[tuple[Op, int]]] = defaultdict(list)
    opened = dict[int, _Span]()

    def version(wire: int) -> int:
        return stacks[wire][-1][1] if stacks[wire] else 0

    for place, op in enumerate(ops):
        assert isinstance(op, Write)
        for wire in opened.keys() & set(_wires(op)):
            span = opened[wire]
            # Readers can repeat the AND only where all that it read is unchanged.
            first = ops[span.writes[0]]
            span.reads.append(place)
            span.whole &= _reads_complement(op, wire) and span.versions == tuple(map(version, _wires(first)))
        stack = stacks[op.target]
        if stack and op.inverse() == stack[-1][0]:
            stack.pop()
        else:
            stack.append((op, next(numbers)))
        if op.target in opened:
            span = opened[op.target]
            span.writes.append(place)
            span.whole &= not stack
            if not stack:
                del opened[op.target]
        else:
            span = _Span(tuple(map(version, _wires(op))), [place], whole=op.is_and and op.target >= num_data)
            spans.append(span)
            opened[op.target] = span
    # What the phase reads has to stay on its ancilla.
    for wire in {wire for factor in factors for wire in factor.wires} & opened.keys():
        opened[wire].whole = False
    return spans


def _wires(op: Op) -> list[int]:
    return sorted({wire for side in op.reads for wire in side.wires})


def _reads_complement(op: Op, wire: int) -> bool:
    """Whether an AND reads a wire as one whole side, its complement, and nowhere else."""
    return op.is_and and Parity((wire,), True) in op.reads and sum(wire in side.wires for side in op.reads) == 1


def _pack(builder: Builder, ops: Sequence[Op], factors: Sequence[Parity]) -> Built:
    """Move ancillas to the first that is free each time: a wire is free again once all its writes are undone."""
    packed = replace(builder, ops=[], free=[], used=0)
    names = {wire: wire for wire in range(builder.num_data)}
    stacks: defaultdict[int, list[Op]] = defaultdict(list)
    for op in ops:
        assert isinstance(op, Write)
        # What is read before it is written is zero there.
        for wire in (*_wires(op), op.target):
            if wire not in names:
                names[wire] = packed.take()
        packed.ops.append(op.renamed(names))
        stack = stacks[op.target]
        if stack and op.inverse() == stack[-1]:
            stack.pop()
        else:
            stack.append(op)
        if not stack and op.target >= builder.num_data:
            packed.free.append(names.pop(op.target))
    for wire in {wire for factor in factors for wire in factor.wires} - names.keys():
        names[wire] = packed.take()
    return packed, [factor.renamed(names) for factor in factors]


@dataclass(frozen=True)
class Oracle:
    """A phase oracle on the space's qubits.

    Attributes:
        ops: phase -1 on exactly the codewords where every condition holds; ancillas zero before and after.
        num_data: qubits of the space; ancillas follow.
        num_ancillas: ancillas used.
        conditions: what was joined, for reports.
        style: ``constraints``, ``classical``, or for a threshold ``counter`` or ``fourier``.
        alternatives: other forms of the same oracle, which may take fewer gates once lowered.
        lowered: what `lower` makes of ``ops`` for few CX, where it was made to choose.
    """

    ops: Ops
    num_data: int
    num_ancillas: int
    conditions: tuple[Condition, ...] = ()
    style: str = "constraints"
    alternatives: tuple[Oracle, ...] = field(default=(), compare=False, repr=False)
    lowered: QuantumCircuit | None = field(default=None, compare=False, repr=False)

    @property
    def num_qubits(self) -> int:
        """Data and ancilla qubits."""
        return self.num_data + self.num_ancillas

    @cached_property
    def cx(self) -> int:
        """CX by `count_cx`: forms are compared by it again and again."""
        return count_cx(self.ops)


@dataclass(frozen=True)
class OraclePrice:
    """The price of one oracle call, and the CX to break ties; without a metric the CX, and ancillas to break ties.

    Where it is ``measured``, `lowered` may erase ANDs by measurement.
    """

    metric: Metric | None = None
    gates: GateSet = "cx+u"
    measured: bool = False

    def __call__(self, oracle: Oracle) -> tuple[float, float]:
        """Price an oracle: by declared CX and T, or by the depth of the lowered circuit."""
        cx = oracle.cx
        if self.metric is None:
            return cx, oracle.num_ancillas
        if self.metric in {"cx", "qubits"}:
            return cx if self.metric == "cx" else oracle.num_qubits, cx
        return _price_ops(oracle.ops, oracle.num_qubits, self.metric, self.gates), cx

    def lowered(self, oracle: Oracle) -> tuple[float, ...]:
        """Price an oracle by its lowered circuit, as `lower_cheapest` makes it."""
        # These are counted in T gates or Toffoli gates, whatever the gate set of the program.
        plain = self.metric in {"t", "t_depth"} and GATE_SETS[self.gates].has_rotations
        gates, metric, width = "clifford+t" if plain else self.gates, self.metric or "cx", oracle.num_qubits
        zeros = range(oracle.num_data, width)
        lowered = (
            lower_cheapest(oracle.ops, width, gates, metric, zeros=zeros)
            if self.measured
            else lower(oracle.ops, width, gates, metric)
        )
        key = count_metric(lowered, gates, metric), lowered.count_ops().get("cx", 0)
        return *key, count_metric(lowered, gates, "t"), oracle.num_ancillas


_price_ops = lru_cache(maxsize=256)(price_ops)
"""Each form of an oracle is compared several times, and lowered once."""
PRICE = OraclePrice()
"""CX, then ancillas."""


def assemble(
    conditions: Sequence[Condition],
    num_data: int,
    ancillas: int | None = None,
    *,
    alone: bool = False,
    price: OraclePrice = PRICE,
    with_alternative: bool = False,
    absorbing: bool = False,
) -> Oracle:
    """Join ``conditions`` into a phase oracle.

    Args:
        conditions: what must hold, over data qubits 0 ... num_data-1.
        num_data: qubits of the space.
        ancillas: most clean ancillas to use; None for as many as help.
        alone: whether conditions meet in a tree of ANDs alone: no linear reduction of parities across them, and no
            multi-controlled Z over many of them.
        price: what to choose by. Parities made in place must save CX all the same.
        with_alternative: whether an oracle of few operations comes with its other forms, without parities made in place
            or with them, and without complements absorbed or with them, for `choose_lowered`.
        absorbing: whether an AND of which only the complement is read is made in the operation that reads it: fewer CX
            and ancillas, as many T; it cannot be erased by measurement.

    Raises:
        AncillaBudgetError: no schedule stays within the budget; the message gives the least that would do.
    """
    ways = (False, True) if absorbing else (False,)
    return _choose(_list_forms([conditions], num_data, ancillas, alone, price, ways), price, with_alternative)


def assemble_cheapest(
    choices: Sequence[Sequence[Condition]], num_data: int, ancillas: int | None, alone: bool, price: OraclePrice
) -> Oracle:
    """Join the cheapest of several lists of conditions, which hold on the same codewords; as `assemble`."""
    return _choose(_list_forms(choices, num_data, ancillas, alone, price, (False,)), price, False)


def _list_forms(
    choices: Sequence[Sequence[Condition]],
    num_data: int,
    ancillas: int | None,
    alone: bool,
    price: OraclePrice,
    ways: Sequence[bool],
) -> list[list[list[Oracle]]]:
    """For each way to treat complements the oracles that may become the cheapest, each in all its forms."""
    variants = list[list[Condition]]()
    for conditions in choices:
        kept = [c for c in conditions if c.flags or c.factors]
        variants.append([replace(c, shared=None) for c in kept])
        # Some conditions have another form, of flags that several of them have in common.
        if any(c.shared for c in kept):
            variants.append([c.shared or c for c in kept])
    if ancillas is None:
        wide = zip(*(_list_wide(one, num_data, alone, ways, price.metric) for one in variants), strict=True)
        return [_place_all([*chain(*found)], price) for found in wide]
    fitting, least = list[list[Oracle]](), math.inf
    for way in ways:
        found = list[Oracle]()
        for variant in variants:
            for built in list_schedules(gather_parts(variant, num_data, way), alone):
                if way:
                    built = absorb_complements(built)
                width = find_width(built)
                least = min(least, width)
                if width <= ancillas:
                    found.append(_finish(built, variant, ancillas))
        if found:
            fitting.append(heapq.nsmallest(PLACED, found, key=price))
    if not fitting:
        number = f"{least} ancilla{'' if least == 1 else 's'}"
        raise AncillaBudgetError(
            f"the oracle needs at least {number}, {ancillas} are allowed: use ancillas={least} or more",
            least=int(least),
        )
    return [_place_all(found, price) for found in fitting]


def _list_wide(
    kept: Sequence[Condition], num_data: int, alone: bool, ways: Sequence[bool], metric: Metric | None
) -> Iterator[list[Oracle]]:
    """For each way to treat complements every flag on its own ancilla, and all factors in trees or in one phase."""
    parts = [gather_parts(kept, num_data, way) for way in ways]
    most = sum(map(len, parts[0].factors))
    # To XOR parities of different conditions with each other can take more CX than it saves.
    chains = {apart: choose_chains(parts[0], most, apart, metric) for apart in ((True,) if alone else (True, False))}
    for way, part in zip(ways, parts, strict=True):
        trees = [keep_flags(part, most, apart, chain) for apart, lengths in chains.items() for chain in lengths]
        found = [_finish(absorb_complements(one) if way else one, kept) for one in trees]
        if not alone and not way:
            plenty = sum(len(c.flags) for c in kept) + most
            found.append(_finish(keep_flags(part, 0, alone), kept, plenty))
        yield found


def _place_all(found: Sequence[Oracle], price: OraclePrice) -> list[list[Oracle]]:
    """Return each oracle that may become the cheapest, and the same with parities made in place."""
    groups = [[one, *_place_each(one, 0)] for one in found]
    keys = [min(map(price, group)) for group in groups]
    near = [group for group, key in zip(groups, keys, strict=True) if key[0] <= NEAR * min(keys)[0]]
    return [
        [one, *_place_each(one, MOST_ORDERS)] if is_shuffled(_num_computed(one) + 1) else [one, *placed]
        for one, *placed in near
    ]


def _place_each(oracle: Oracle, most_orders: int) -> Iterator[Oracle]:
    """Yield the oracle with parities made in place, for each bound on their length that makes a difference."""
    most = max((len(side.wires) for op in oracle.ops[: _num_computed(oracle) + 1] for side in op.reads), default=0)
    for shorter, longest in pairwise((1, *LENGTHS)):
        if most > shorter:
            yield _place(oracle, most_orders, longest)


def _num_computed(oracle: Oracle) -> int:
    """Return the number of operations before the phase, all of which are undone after it."""
    return (len(oracle.ops) - 1) // 2


def _place(oracle: Oracle, most_orders: int, longest: int) -> Oracle:
    """Return the oracle with parities made in place, unless that hardly saves a CX."""
    number = (len(oracle.ops) - 1) // 2
    compute, after = oracle.ops[: number + 1], oracle.ops[number + 1 : len(oracle.ops) - number]
    writes = [op for op in compute if isinstance(op, Write | PhaseFlip)]
    placed = place_parities(writes, most_orders=most_orders, longest=longest)
    found = replace(oracle, ops=(*placed, *after, *inverse(placed[:-1])))
    # Lowering finds a few of these savings as well, but fewer in operations that read two of their sides twice.
    share = 1 if any(op.uses.count(2) > 1 for op in compute) else LEAST_GAIN
    return found if found.cx <= share * oracle.cx else oracle


def _choose(ways: Sequence[Sequence[Sequence[Oracle]]], price: OraclePrice, with_alternative: bool) -> Oracle:
    """Return the cheapest oracle, of those with and without complements absorbed and parities made in place."""
    groups = [min(groups, key=lambda group: min(map(price, group))) for groups in ways]
    best, *others = sorted((form for group in groups for form in group), key=price)
    if not with_alternative or len(best.ops) > LOWERED:
        return best
    different = {form.ops: form for form in others if form.ops != best.ops and len(form.ops) <= LOWERED}
    return replace(best, alternatives=tuple(different.values()))


def choose_lowered(oracle: Oracle, price: OraclePrice = PRICE) -> Oracle:
    """Return the form of an oracle that is cheapest once lowered: estimates leave out what passes find."""
    if not oracle.alternatives:
        return oracle
    forms = (oracle, *oracle.alternatives)
    if price.measured or price.metric == "t":
        return replace(min(forms, key=price.lowered), alternatives=())
    estimates = [estimate_cx(form.ops, form.num_qubits) for form in forms]
    close = [form for form, cx in zip(forms, estimates, strict=True) if cx <= CLOSE * min(estimates)]
    made = [(form, lower(form.ops, form.num_qubits)) for form in close]
    best, low = min(made, key=lambda one: (one[1].count_ops().get("cx", 0), one[0].num_ancillas, one[1].depth()))
    return replace(best, alternatives=(), lowered=low)


def _finish(built: Built, conditions: Sequence[Condition], ancillas: int | None = None) -> Oracle:
    """Add the phase on what is left, then undo everything."""
    builder, factors = built
    compute = tuple(builder.ops)
    # A phase over n factors can use n - 3 clean ancillas: free ones, then some that were never used.
    wanted = max(len(factors) - 3, 0)
    while len(builder.free) < wanted and (builder.used < (ancillas or 0) or not builder.free):
        builder.free.append(builder.num_data + builder.used)
        builder.used += 1
    clean = tuple(sorted(builder.free))
    # The phase of a complement is that of the flag and a sign of all states.
    sign = (PhaseFlip(()),) if builder.turned else ()
    ops = (*compute, PhaseFlip(tuple(factors), clean), *sign, *inverse(compute))
    return Oracle(ops, builder.num_data, builder.used, tuple(conditions))
