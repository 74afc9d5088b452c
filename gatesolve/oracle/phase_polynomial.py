"""Functions of bits as sums of signs of parities: the form in which phases are added to a circuit.

A polynomial maps a set of wires, as a bit mask, to the coefficient of ``(-1)`` to the parity of those wires; mask 0
is the constant. A product of n bits has ``2^n`` of these terms, a parity two.
Source: Amy, Maslov, Mosca, arXiv:1303.2042, section 3 (phase polynomials over parities).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import TypeAlias

from gatesolve.circuit import Parity
from gatesolve.circuit.gf2 import list_bits
from gatesolve.oracle.condition import Condition

Signs: TypeAlias = dict[int, Fraction]
Share: TypeAlias = tuple[int, Signs]
"""A whole-number weight, and where it is paid: a polynomial of value 0 or 1."""
HALF = Fraction(1, 2)
ONE: Signs = {0: Fraction(1)}


def wires_of(mask: int) -> tuple[int, ...]:
    """Return a bit mask as ascending wires."""
    return tuple(list_bits(mask))


def sign_of(parity: Parity) -> Signs:
    """Return ``(-1)`` to the parity."""
    return {sum(1 << wire for wire in parity.wires): Fraction(-1 if parity.constant else 1)}


def sum_polynomials(parts: Iterable[tuple[Fraction | int, Mapping[int, Fraction]]]) -> Signs:
    """Return the sum of polynomials times factors, without zero terms."""
    total: Signs = {}
    for factor, part in parts:
        for mask, coefficient in part.items():
            total[mask] = total.get(mask, Fraction(0)) + factor * coefficient
    return {mask: coefficient for mask, coefficient in total.items() if coefficient}


def product_polynomial(first: Mapping[int, Fraction], second: Mapping[int, Fraction]) -> Signs:
    """The product of two polynomials."""
    return sum_polynomials((c, {a ^ b: d for b, d in second.items()}) for a, c in first.items())


def violation_polynomial(condition: Condition, limit: int) -> Signs | None:
    """Return 1 where a condition over data wires fails and 0 where it holds, as a polynomial over those wires alone.

    Its flags are seen through, not computed. None where there would be more than ``limit`` terms on the way.
    """
    flags: dict[int, Signs] = {}

    def sign(parity: Parity) -> Signs:
        result: Signs = {0: Fraction(-1 if parity.constant else 1)}
        for wire in parity.wires:
            result = product_polynomial(result, flags[wire] if wire < 0 else {1 << wire: Fraction(1)})
        return result

    for number, flag in enumerate(condition.flags):
        value = sign(flag.parity)
        for left, right in flag.products:
            first, second = sign(left), sign(right)
            # With the signs s and t of its sides, an AND has the sign (1 + s + t - s t) / 2.
            joined = [(HALF, ONE), (HALF, first), (HALF, second), (-HALF, product_polynomial(first, second))]
            value = product_polynomial(value, sum_polynomials(joined))
            if len(value) > limit:
                return None
        flags[-1 - number] = value
    holds = ONE
    for factor in condition.factors:
        # A factor of the sign s is (1 - s) / 2.
        holds = product_polynomial(holds, sum_polynomials([(HALF, ONE), (-HALF, sign(factor))]))
        if len(holds) > limit:
            return None
    return sum_polynomials([(1, ONE), (-1, holds)])


MOST_PRODUCTS = 1 << 10
WIDEST = 6
"""Most products of a total, and most wires of a parity that is written in products."""


@dataclass(frozen=True)
class Total:
    """``constant`` plus the sum of ``weight * share``; weights may be negative and have ``step`` as a divisor."""

    shares: tuple[Share, ...]
    constant: int = 0

    @cached_property
    def step(self) -> int:
        """The greatest common divisor of the weights."""
        return math.gcd(*(weight for weight, _ in self.shares)) or 1

    @property
    def bounds(self) -> tuple[int, int]:
        """Proven bounds: every sign, or every share, at its best and at its worst."""
        total = sum_polynomials(self.shares)
        middle = total.pop(0, Fraction(0)) + self.constant
        swing = sum(map(abs, total.values()), Fraction(0))
        least = self.constant + sum(min(weight, 0) for weight, _ in self.shares)
        most = self.constant + sum(max(weight, 0) for weight, _ in self.shares)
        return max(math.ceil(middle - swing), least), min(math.floor(middle + swing), most)

    def modulo(self, bit: int, shares: Sequence[Share] | None = None) -> Signs:
        """The sum of ``weight / step * share`` modulo ``2^(bit + 1)``, divided by that, as parts of a turn.

        Terms that are whole turns are left out, except for the constant.
        The sum is over ``shares`` where they are given, else over all.
        """
        size = 2 << bit
        parts = [(weight // self.step % size, share) for weight, share in (self.shares if shares is None else shares)]
        total = sum_polynomials((Fraction(weight, size), share) for weight, share in parts if weight)
        return {mask: c for mask, c in total.items() if not mask or c.denominator > 1}


def by_products(shares: Iterable[Share], num_data: int) -> Total | None:
    """Return an equal total with costs on data wires alone multiplied out: weights of products of wires.

    Sums of products have common divisors that parities hide: ``a + b - (a xor b)`` is even.
    None where there would be too many products.
    """
    products: dict[int, Fraction] = {}
    rest: list[Share] = []
    for weight, share in shares:
        if any(mask >> num_data or mask.bit_count() > WIDEST for mask in share):
            rest.append((weight, share))
            continue
        for mask, coefficient in share.items():
            for part in _subsets(mask):
                # The sign of a parity is the product of 1 - 2 x over its wires.
                change = weight * coefficient * (-2) ** part.bit_count()
                products[part] = products.get(part, Fraction(0)) + change
        if len(products) > MOST_PRODUCTS:
            return None
    constant = products.pop(0, Fraction(0))
    made = [(int(c), product_of(mask)) for mask, c in sorted(products.items()) if c]
    return Total((*rest, *made), int(constant))


def _subsets(mask: int) -> Iterable[int]:
    # Subtracting 1 within the mask visits its subsets in falling order.
    part = mask
    while part:
        yield part
        part = (part - 1) & mask
    yield 0


@lru_cache(maxsize=4096)
def product_of(mask: int) -> Signs:
    """The product of wires as a polynomial of signs."""
    share = Fraction(1, 1 << mask.bit_count())
    return {part: -share if part.bit_count() % 2 else share for part in _subsets(mask)}
