"""Pairs of comparisons that bound one sum from below and from above."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter

from gatesolve.model import Constraint, Linear
from gatesolve.model.trees import Not

Terms = tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class BoundedSum:
    """``low <= sum of terms <= high``."""

    terms: Terms
    low: int
    high: int


def find_intervals(parts: Sequence[Constraint]) -> list[tuple[BoundedSum, tuple[Constraint, Constraint]]]:
    """Each pair of parts that are an interval together, no part twice."""
    lows: dict[Terms, tuple[int, Constraint]] = {}
    highs: dict[Terms, tuple[int, Constraint]] = {}
    for part in parts:
        inner = part.constraint if isinstance(part, Not) else part
        if not isinstance(inner, Linear) or inner.relation != "<=" or len(inner.terms) < 2:
            continue
        # of a sum and its negative the one whose first variable by name is added
        sign = 1 if min(inner.terms, key=itemgetter(1))[0] > 0 else -1
        terms = tuple(sorted((sign * c, name) for c, name in inner.terms))
        is_upper = (sign > 0) != isinstance(part, Not)
        bound = sign * (inner.bound + isinstance(part, Not))
        (highs if is_upper else lows).setdefault(terms, (bound, part))
    return [
        (BoundedSum(terms, lows[terms][0], high), (lows[terms][1], part))
        for terms, (high, part) in highs.items()
        if terms in lows
    ]
