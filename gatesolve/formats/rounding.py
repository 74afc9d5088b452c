"""A row's numbers before floats rounded them: three times 0.1, which floats make 0.30000000000000004."""

from __future__ import annotations

import math
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import TypeVar

from gatesolve.errors import InputError
from gatesolve.qubo.numerals import shortest_number

Key = TypeVar("Key")
_CLOSE = Fraction(1, 10**13)
"""Two numbers that differ by less, as a share of the larger, are one: a float has 16 digits, a sum of floats fewer."""
_SLACK = Fraction(1, 10**12)
_NOTHING = Fraction(1, 10**15)
_MOST_PARTS = 1000
_COMPUTED_DIGITS = 15
"""Nobody types as many."""
_LEFT_BITS = 24
"""What a difference of floats leaves over has no more, and many decimal digits."""


def round_row(
    terms: Mapping[Key, Fraction], relation: str, bound: Fraction
) -> list[tuple[dict[Key, Fraction], str, Fraction]]:
    """A row with each coefficient as it was before floats rounded it.

    A number of less than 15 digits stays, and so do whole numbers. One of more was a decimal of at most 10 digits, or a
    fraction of at most 1000 parts, where one is within 1e-13 of it; or zero, where sums of floats leave it over. Where
    a number is none of these, as a square root is, the bound gives way by 1e-12 of the row's largest number, and an
    equation becomes two rows.

    Raises:
        InputError: the bound would give way by as much as a coefficient.
    """
    largest = max(map(abs, [bound, *terms.values()]))
    meant = {key: _round(value, largest) for key, value in terms.items()}
    end = _round(bound, largest)
    if not any(map(_is_computed, [end, *meant.values()])):
        return [(meant, relation, end)]
    slack, scale = _SLACK * largest, math.lcm(*(value.denominator for value in meant.values()))
    if least := min((abs(value) for value in meant.values() if 0 < abs(value) <= slack), default=None):
        fault = f"a constraint with {float(least):.15g} beside {float(largest):.15g} has more digits than floats hold"
        raise InputError(f"{fault}: write fewer digits, or numbers of more like sizes")
    ends = {  # no finer than the coefficients
        "<=": Fraction(math.floor((end + slack) * scale), scale),
        ">=": Fraction(math.ceil((end - slack) * scale), scale),
    }
    return [(meant, way, ends[way]) for way in (ends if relation == "==" else [relation])]


def _round(value: Fraction, largest: Fraction) -> Fraction:
    if not _is_computed(value):
        return value
    for simple in (Fraction(f"{float(value):.10g}"), value.limit_denominator(_MOST_PARTS)):
        if abs(simple - value) <= _CLOSE * abs(value):
            return simple
    few = float(value).as_integer_ratio()[0].bit_length() <= _LEFT_BITS
    return Fraction(0) if abs(value) < (max if few else min)(_NOTHING, _CLOSE * largest) else value


def _is_computed(value: Fraction) -> bool:
    near = shortest_number(value)  # no float of a whole number, and of one with more digits than a float has
    return isinstance(near, float) and len(Decimal(repr(near)).as_tuple().digits) >= _COMPUTED_DIGITS
