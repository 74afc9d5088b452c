"""Polynomials of 0/1 variables as plain mappings, and the few operations that penalties need.

A monomial is the sorted tuple of its variables' numbers, ``()`` the constant; a variable is its own square.
Coefficients are integers, fractions or floats, and sums of integers stay integers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import reduce
from typing import TypeAlias

Number: TypeAlias = int | float | Fraction
Monomial: TypeAlias = tuple[int, ...]
Terms: TypeAlias = Mapping[Monomial, Number]


def constant(value: Number) -> dict[Monomial, Number]:
    """Return the polynomial ``value``."""
    return {(): value} if value else {}


def variable(number: int) -> dict[Monomial, Number]:
    """Return the polynomial that is variable ``number``."""
    return {(number,): 1}


def add(parts: Iterable[Terms]) -> dict[Monomial, Number]:
    """Return the sum of several polynomials, without zero coefficients."""
    total: dict[Monomial, Number] = {}
    for part in parts:
        for monomial, coefficient in part.items():
            total[monomial] = total.get(monomial, 0) + coefficient
    return {m: c for m, c in total.items() if c}


def scale(terms: Terms, factor: Number) -> dict[Monomial, Number]:
    """Return ``factor`` times a polynomial."""
    return {m: factor * c for m, c in terms.items()} if factor else {}


def multiply(first: Terms, second: Terms) -> dict[Monomial, Number]:
    """Return the product, with ``x * x = x``."""
    product: dict[Monomial, Number] = {}
    for m, c in first.items():
        for n, d in second.items():
            key = m if not n else n if not m else tuple(sorted({*m, *n}))
            product[key] = product.get(key, 0) + c * d
    return {m: c for m, c in product.items() if c}


def multiply_all(factors: Iterable[Terms]) -> dict[Monomial, Number]:
    """Return the product of several polynomials."""
    return reduce(multiply, factors, constant(1))


def degree(terms: Terms) -> int:
    """Return the largest number of variables in one monomial."""
    return max(map(len, terms), default=0)
