"""ANDs of which only the complement is read, made in the operation that reads them.

A condition such as ``x != y`` is the complement of an AND, and a tree ANDs it to what is there. Two ANDs take six CX
and an ancilla for the inner one; `AndNot`, ``target ^= head & ~(left & right)``, takes five and none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from gatesolve.circuit import AndNot, Op, Parity, Write
from gatesolve.oracle.builder import Builder
from gatesolve.oracle.schedules import Built


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
            made |= {place: _absorb(ops[place], ops[span.writes[0]]) for place in span.reads}
            gone |= set(span.writes)
    return _pack(builder, [made.get(place, op) for place, op in enumerate(ops) if place not in gone], factors)


def _absorb(reader: Op, inner: Op) -> AndNot:
    (head,) = [side for side in reader.product if side != Parity(inner.changed, True)]
    long, short = sorted(inner.product, key=lambda side: len(side.wires), reverse=True)
    return AndNot(head, long, short, reader.changed[0])


def _find_spans(ops: Sequence[Op], factors: Sequence[Parity], num_data: int) -> list[_Span]:
    """The spans of all ancillas, in the order in which they begin."""
    spans, numbers = list[_Span](), count(1)
    stacks: defaultdict[int, list[tuple[Op, int]]] = defaultdict(list)
    opened = dict[int, _Span]()

    def version(wire: int) -> int:
        return stacks[wire][-1][1] if stacks[wire] else 0

    for place, op in enumerate(ops):
        assert isinstance(op, Write)
        for wire in opened.keys() & set(_wires(op)):
            span = opened[wire]
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
        for wire in (*_wires(op), op.target):  # what is read before it is written is zero there
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
