"""Weights of broken conditions below a threshold, as one condition: counting flags by carry-save adders.

The weights' binary digits are columns of flags. A column is shortened by full adders, one AND each: the sum of
three flags is a parity and needs no gate of its own, the carry is a majority. Only columns below the threshold's
next power of two are added up; a flag in a higher column must simply be zero. So for a threshold of one level
nothing is added at all, and the condition is the conjunction that a plain search would use.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gatesolve.circuit import Parity
from gatesolve.oracle.condition import ONE, ZERO, Condition, Flag


def threshold_condition(terms: Sequence[tuple[int, Condition]], threshold: int) -> Condition:
    """The condition that the weights of the broken ones among ``terms`` add up to less than ``threshold``.

    Args:
        terms: weights, whole numbers of at least 1, and conditions (flags 1 where they hold).
        threshold: the sum that is too much.

    Returns:
        A condition right on the codewords on which every term is. Never true for a threshold of 0 or less.

    Cost: beside the terms' own flags at most one AND for each set bit of each weight, in columns below the
    threshold's bit length.
    Source: carry-save addition of flags is classical; adding ``2^k - threshold``, so that the comparison is a look
    at the bits from k on, follows Gidney, arXiv:1709.06648, section 4 (one AND a carry).
    """
    if threshold <= 0:
        return Condition((), (ZERO,), method="counter")
    if sum(weight for weight, _ in terms) < threshold:
        return Condition((), (), method="counter")
    width = (threshold - 1).bit_length()
    builder = _Builder()
    columns: list[list[Parity]] = [[] for _ in range(width)]
    for weight, condition in terms:
        parts = builder.include(condition)
        if weight >> width:
            builder.factors.extend(parts)
            continue
        broken = builder.conjoined(parts).negated()
        for bit in range(width):
            if weight >> bit & 1:
                columns[bit].append(broken)
    _compare(builder, columns, (1 << width) - threshold)
    return Condition(tuple(builder.flags), tuple(builder.factors), method="counter")


class _Builder:
    """Flags numbered as they are made, and the factors of the final conjunction."""

    def __init__(self) -> None:
        self.flags: list[Flag] = []
        self.factors: list[Parity] = []

    def include(self, condition: Condition) -> tuple[Parity, ...]:
        """Take over a condition's flags; returns its factors."""
        moved = condition.shifted(len(self.flags))
        self.flags.extend(moved.flags)
        return moved.factors

    def flag(self, left: Parity, right: Parity, parity: Parity) -> Parity:
        """``left & right ^ parity`` on a flag of its own."""
        self.flags.append(Flag(((left, right),), parity))
        return Parity((-len(self.flags),))

    def conjoined(self, factors: Iterable[Parity]) -> Parity:
        """The AND of parities as one parity, the shortest first."""
        left = sorted(factors, key=lambda p: -len(p.wires))
        if not left:
            return ONE
        while len(left) > 1:
            first, second = left.pop(), left.pop()
            left.insert(0, self.flag(first, second, ZERO))
        return left[0]

    def carry(self, a: Parity, b: Parity, c: Parity) -> Parity:
        """The majority of three parities, ``(a ^ b) & (a ^ c) ^ a``; constants are seen through."""
        pivot, second, third = sorted((a, b, c), key=lambda p: len(p.wires))
        left, right = pivot ^ second, pivot ^ third
        for side, other in ((left, third), (right, second)):
            if not side.wires:
                # Two of the three are equal and decide, or are opposite and leave it to the third.
                return other if side.constant else pivot
        return self.flag(right, left, pivot)


def _compare(builder: _Builder, columns: list[list[Parity]], constant: int) -> None:
    """Factors for: the columns and ``constant`` add up to less than 2 to the number of columns."""
    for bit, column in enumerate(columns):
        left = [*column, *([ONE] if constant >> bit & 1 else [])]
        while len(left) > 1:
            # Short ones first: a sum is as long as what went into it.
            left.sort(key=lambda p: len(p.wires), reverse=True)
            a, b = left.pop(), left.pop()
            c = left.pop() if left else ZERO
            carried = builder.carry(a, b, c)
            left.append(a ^ b ^ c)
            if not carried.wires and not carried.constant:
                continue
            if bit + 1 < len(columns):
                columns[bit + 1].append(carried)
            else:
                builder.factors.append(carried.negated())
