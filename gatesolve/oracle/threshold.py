"""Weights of broken conditions below a threshold, as one condition: counting flags by carry-save adders.

The weights' binary digits are columns of flags. A column is shortened by full adders, one AND each: the sum of
three flags is a parity and needs no gate of its own, the carry is a majority. Only columns below the threshold's
next power of two are added up; a flag in a higher column must simply be zero. So for a threshold of one
nothing is added at all, and the condition is the conjunction that a plain search would use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from gatesolve.circuit import Parity
from gatesolve.encodings.space import Space
from gatesolve.model import Constraint, Level, Model
from gatesolve.oracle.assemble import Oracle, assemble
from gatesolve.oracle.condition import ONE, ZERO, Condition, Flag
from gatesolve.oracle.levels import conditions_at
from gatesolve.oracle.synthesise import synthesise

Weighted = tuple[int, Constraint]
"""A weight, a whole number of at least 1, that is paid where the constraint is broken."""


def counter_oracle(
    terms: Sequence[Weighted],
    model: Model,
    space: Space,
    threshold: int,
    *,
    ancillas: int | None = None,
    level: Level = "merged",
    window: int = 6,
    cost: Callable[[Oracle], tuple[float, float]] | None = None,
) -> Oracle:
    """Mark the codewords on which less than ``threshold`` is paid, by counting flags of broken constraints.

    A constraint whose weight alone reaches the threshold must hold: it joins the final conjunction as in a plain
    search. The others are computed onto flags, whose weights carry-save adders add up. Ancillas start and end at zero.

    Args:
        terms: what is paid for what.
        model: its variables are those of the space; its constraints are not looked at.
        space: the search space.
        threshold: what is too much.
        ancillas: most clean ancillas to use; None for as many as help.
        level: at which the constraints that must hold are compiled.
        window: qubits that these are minimised in together at the level ``minimised``.
        cost: what schedules are compared by; CX when None.

    Raises:
        AncillaBudgetError: no schedule stays within ``ancillas``.
        DoesNotFitError: a constraint is too large to compile.
    """
    rules = Model(model.variables, tuple(constraint for weight, constraint in terms if weight >= threshold))
    soft = [(weight, _compile_alone(constraint, space)) for weight, constraint in terms if weight < threshold]
    conditions = [*_compile_rules(level, rules, space, window), threshold_condition(soft, threshold)]
    oracle = assemble(conditions, space.num_qubits, ancillas, alone=level == "literal", cost=cost)
    return replace(oracle, style="counter")


# A search asks for many thresholds over the same constraints, so both are kept.
_compile_rules = lru_cache(maxsize=16)(conditions_at)
"""Conditions of the constraints that must hold."""
_compile_alone = lru_cache(maxsize=4096)(synthesise)
"""The condition of a constraint that is counted."""


def threshold_condition(terms: Sequence[tuple[int, Condition]], threshold: int) -> Condition:
    """The condition that the weights of the broken ones among ``terms`` add up to less than ``threshold``.

    It is right on the codewords on which every term is, and never true for a threshold of 0 or less.

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
