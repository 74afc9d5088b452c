"""Penalties of a sum of variables that must take certain values: squares, pairs, half-integer centres."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction

from gatesolve.qubo.forms import either, square
from gatesolve.qubo.literals import Literals
from gatesolve.qubo.penalty import UNSATISFIABLE, Penalty, divide_by_gcd, make_penalty
from gatesolve.qubo.polynomial import Terms, add, constant, multiply, scale

MOST_SUMS = 1 << 16
"""Most different sums listed."""


def list_sums(literals: Literals, terms: Iterable[tuple[int, str]]) -> list[int] | None:
    """The values that ``sum(coefficient * variable)`` takes on codewords, ascending; None if they are too many."""
    sums = {0}
    for row in literals.shares(terms).values():
        sums = {s + v for s in sums for v in set(row)}
        if len(sums) > MOST_SUMS:
            return None
    return sorted(sums)


def penalise_sum(total: Terms, sums: Sequence[int], allowed: Collection[int]) -> Penalty | None:
    """The penalty of a sum by how many of its values are allowed; none needs a slack bit.

    None of them: always violated. One at the end: the distance, linear. One inside: the square of the distance
    (divided by a common factor). Two neighbours with nothing allowed beyond: pairs at an end (so at most one of
    n literals is ``sum of x_i x_j``), a half-integer centre inside (arXiv:2306.06943; the satisfied energy 1/4 is
    kept). Two with the forbidden all between them or all outside: the product of the distances.

    ``total`` is the sum as a polynomial, whole on every state, and ``sums`` what it is on codewords, ascending. None
    where no such form exists, or nothing is forbidden; the gap is exact.
    """
    good = [s for s in sums if s in allowed]
    bad = [s for s in sums if s not in allowed]
    if not bad or len(good) > 2:
        return None
    if not good:
        return UNSATISFIABLE
    if len(good) == 1:
        return _one(total, sums, good[0], bad)
    return _two(total, sums, good[0], good[1], bad)


def _one(total: Terms, sums: Sequence[int], target: int, bad: Sequence[int]) -> Penalty:
    distance, step = divide_by_gcd(add([total, constant(-target)]))
    nearest = min(abs(s - target) for s in bad) // step
    if target == sums[0]:
        return make_penalty(distance, nearest, "count")
    if target == sums[-1]:
        return make_penalty(scale(distance, -1), nearest, "count")
    return make_penalty(square(distance, 0), nearest**2, "square", floor=0)


def penalise_distance(total: Terms, target: int) -> Penalty:
    """The square of the distance of a sum that was not listed to ``target``."""
    distance, _ = divide_by_gcd(add([total, constant(-target)]))
    return make_penalty(square(distance, 0), 1, "square", floor=0)


def _two(total: Terms, sums: Sequence[int], low: int, high: int, bad: Sequence[int]) -> Penalty | None:
    outside = all(s < low or s > high for s in bad)
    if not outside and not all(low < s < high for s in bad):
        return None
    at_end = low == sums[0] or high == sums[-1]
    if outside and high == low + 1 and not at_end:
        nearest = min((2 * s - 2 * low - 1) ** 2 for s in bad)
        quarter, gap, form = Fraction(1, 4), (nearest - 1) // 4, "half-integer centre"
        known = quarter if _whole(total) else None
        return make_penalty(either(total, low), gap, form, satisfied=quarter, floor=known)
    sign = 1 if outside else -1
    raw = multiply(add([total, constant(-low)]), scale(add([total, constant(-high)]), sign))
    product, step = divide_by_gcd(raw)
    gap = min(sign * (s - low) * (s - high) for s in bad) // step
    neighbours = outside and high == low + 1
    form = "pairs" if neighbours else "two distances"
    return make_penalty(product, gap, form, floor=0 if neighbours and _whole(total) else None)


def _whole(total: Terms) -> bool:
    """Whether the sum is a whole number on every state, so never strictly between two neighbours."""
    return all(isinstance(c, int) for c in total.values())
