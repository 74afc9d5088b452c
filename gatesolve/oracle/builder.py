"""Operations of an oracle so far, and which ancillas they leave free."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass, field

from gatesolve.circuit import And, Op, Parity, Xor, inverse

CHAIN = 64
"""Most factors of several wires that are joined one after the other, unless another number is asked for."""
CHAINED = 3
"""Factors a chain where all are complements to absorb: longer chains are deeper, and took no fewer CX in colourings."""


@dataclass
class Builder:
    """Operations so far, which ancillas are free, when each wire is idle (in gate layers), and the phase's sign.

    ``absorbing``: whether complements of ancillas are cheapest ANDed to something else (`AndNot`). ``chained``: how
    many factors of several wires had no single wire to be paired with. ``joined``: how many operations compute flags.
    """

    num_data: int
    absorbing: bool = False
    ops: list[Op] = field(default_factory=list)
    free: list[int] = field(default_factory=list)
    used: int = 0
    idle: dict[int, int] = field(default_factory=dict)
    turned: bool = False
    chained: int = 0
    joined: int = 0

    def take(self) -> int:
        """Return a clean ancilla, a fresh one only if none is free."""
        if self.free:
            return self.free.pop(0)
        self.used += 1
        return self.num_data + self.used - 1

    def ready(self, parity: Parity) -> int:
        """Layer from which the parity's wires are idle."""
        return max((self.idle.get(w, 0) for w in parity.wires), default=0)

    def conjoin(self, first: Parity, second: Parity, target: int | None = None) -> Parity:
        """XOR the AND of two parities onto a clean (or the given) ancilla."""
        goal = self.take() if target is None else target
        # The side in the middle is XORed in once, the other one twice: the longer one goes to the middle.
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
        """Put a parity on an ancilla of its own."""
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
        self.free.extend(sorted({wire for op in part for wire in op.changed} - set(self.free)))


def root_size(factors: Sequence[Parity]) -> int:
    """Three factors end in a CCZ; two when a parity of three or more wires is left: a CZ takes it at one CX a wire."""
    return 2 if max((len(f.wires) for f in factors), default=0) >= 3 else 3


def join_tree(builder: Builder, factors: list[Parity], size: int, chain: int = CHAIN) -> list[Parity]:
    """AND factors pairwise until ``size`` are left.

    A parity of several wires is cheap only as the middle control, so each is paired with a single wire where one is
    left. Of these pairs the one that is ready first is taken, which keeps the tree shallow.
    """
    left = list(factors)
    # Without single wires, each new one would be paired at once, in one long chain. So a few parities are copied to
    # ancillas, and as many chains of at most ``chain`` factors are made side by side.
    if all(len(f.wires) > 1 for f in left):
        builder.chained = len(left) - size
        for factor in sorted(left, key=lambda f: len(f.wires))[: builder.chained // chain]:
            left[left.index(factor)] = builder.copy(factor)
    # The last CZ, of two factors, takes the longest parity.
    several = [f for f in left if len(f.wires) > 1] if size == 2 else []
    longest = [max(several, key=lambda f: len(f.wires))] if several else []
    single, long, late = _Queue(builder), _Queue(builder), _Queue(builder)
    for factor in left:
        if factor not in longest:
            # A complement of an ancilla is absorbed by what it is ANDed to, so it waits for that.
            is_complement = builder.absorbing and len(factor.wires) == 1 and factor.constant
            is_late = is_complement and factor.wires[0] >= builder.num_data
            (late if is_late else long if len(factor.wires) > 1 else single).push(factor)
    chains = max(size - len(longest), 0 if len(single) + len(long) else -(-len(late) // CHAINED))
    while len(single) + len(long) < chains and len(late):
        single.push(late.take())
    while len(single) + len(long) + len(late) > size - len(longest):
        if not len(late) and not len(single):
            # Only at first: each AND is a single wire.
            single.push(builder.conjoin(*long.take_ends()))
            continue
        first = (long if len(long) else single).take()
        single.push(builder.conjoin(first, (late if len(late) else single).take()))
    rest, given = dict.fromkeys([*longest, *long.list_all(), *single.list_all(), *late.list_all()]), set(left)
    return [*(factor for factor in left if factor in rest), *(factor for factor in rest if factor not in given)]


class _Queue:
    """Factors by when they are ready, those that came first before others."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._heap: list[tuple[int, int, Parity]] = []
        self._pushed = 0

    def __len__(self) -> int:
        return len(self._heap)

    def push(self, factor: Parity) -> None:
        heapq.heappush(self._heap, (self._builder.ready(factor), self._pushed, factor))
        self._pushed += 1

    def take(self) -> Parity:
        """Take the one out that is ready first."""
        while True:
            noted, place, factor = self._heap[0]
            # Otherwise its wires were used since, and it is ready later.
            if (ready := self._builder.ready(factor)) == noted:
                heapq.heappop(self._heap)
                return factor
            heapq.heapreplace(self._heap, (ready, place, factor))

    def take_ends(self) -> tuple[Parity, Parity]:
        """Take out the one with most wires and the one with fewest."""
        by_length = sorted(self.list_all(), key=lambda f: len(f.wires))
        ends = by_length[-1], by_length[0]
        self._heap = [entry for entry in self._heap if entry[2] not in ends]
        heapq.heapify(self._heap)
        return ends

    def list_all(self) -> list[Parity]:
        """All that are in it, in the order in which they came."""
        return [factor for _, _, factor in sorted(self._heap, key=lambda entry: entry[1])]
