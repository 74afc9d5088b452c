"""Multiplication in GF(2^n) by few products of two bits: evaluation at places of a line over a subfield.

An element is a polynomial over the subfield GF(2^k). Two are multiplied modulo enough small polynomials (the Chinese
remainder theorem), each remainder by Karatsuba's trick, each product in the subfield by squares of its functionals.
Only the linear forms are made here; how the products make up the result follows by linear algebra.

Sources: D. and G. Chudnovsky, J. Complexity 4 (1988) 285-316; M. Cenk and F. Ozbudak, IEEE Trans. Computers 58 (2009)
572-576; Barbulescu, Detrey, Estibals and Zimmermann, WAIFI 2012, for the search that n = 5 takes.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import combinations, product

from gatesolve.circuit.gf2 import rank, reduce_row

POLYNOMIALS = {4: 0b10011, 5: 0b100101, 6: 0b1000011, 7: 0b10000011, 8: 0b100011101, 9: 0b1000010001, 10: 0b10000001001}
"""The benchmarks' moduli, bit i the coefficient of x^i."""
SUBFIELDS = {4: 2, 6: 2, 7: 1, 8: 2, 9: 3, 10: 2}
INFINITY = ()
"""The place at infinity; a place elsewhere is a monic polynomial, lowest coefficient first."""


class Field:
    """GF(2^n), elements as integers."""

    def __init__(self, degree: int) -> None:
        self.degree, self.modulus = degree, POLYNOMIALS[degree]

    def multiply(self, a: int, b: int) -> int:
        """The product of two elements."""
        total = 0
        for bit in range(self.degree):
            if b >> bit & 1:
                total ^= a << bit
        return self.reduce(total)

    def reduce(self, row: int) -> int:
        """A polynomial modulo the modulus."""
        for bit in range(row.bit_length() - 1, self.degree - 1, -1):
            if row >> bit & 1:
                row ^= self.modulus << bit - self.degree
        return row

    def power(self, a: int, exponent: int) -> int:
        """A power of an element."""
        total = 1
        for _ in range(exponent):
            total = self.multiply(total, a)
        return total

    def subfield(self, degree: int) -> list[int]:
        """The elements of a subfield, 0 and 1 first."""
        found = [a for a in range(2, 1 << self.degree) if self.power(a, (1 << degree) - 1) == 1]
        return [0, 1, *found]


def find_forms(degree: int, seed: int = 0) -> list[int]:
    """Masks of bits of a factor whose XORs, each multiplied with that of the other factor, make up the product."""
    field = Field(degree)
    if degree not in SUBFIELDS:
        return _search(field, seed)
    base = SUBFIELDS[degree]
    small = field.subfield(base)
    line = _Line(field, small, base)
    return [form for place, weight in _choose_places(line) for form in line.forms(place, weight)]


class _Line:
    """Polynomials over a subfield that stand for the elements of a field."""

    def __init__(self, field: Field, small: Sequence[int], base: int) -> None:
        self.field, self.small, self.base = field, small, base
        self.length = field.degree // base
        generator = next((a for a in small if len({field.power(a, k) for k in range(len(small))}) == len(small) - 1), 1)
        self.scalars = [field.power(generator, k) for k in range(base)]
        self.elements = [(k, s) for k in range(self.length) for s in self.scalars]
        basis = [field.multiply(field.power(2, k), s) for k, s in self.elements]
        self.inverse = [_coordinates(1 << bit, basis) for bit in range(field.degree)]

    def forms(self, place: Sequence[int], weight: int) -> Iterator[int]:
        """The forms of one place: those of the remainder's coefficients, taken singly and two by two."""
        coefficients = [self._coefficient_bits(place, weight, k) for k in range(weight)]
        sums = [*coefficients, *([a ^ b for a, b in zip(*pair, strict=True)] for pair in combinations(coefficients, 2))]
        for bits in sums:
            yield from bits
            yield from (a ^ b for a, b in combinations(bits, 2))

    def _coefficient_bits(self, place: Sequence[int], weight: int, which: int) -> list[int]:
        """One coefficient of the remainder, each of its bits as a mask of the element's bits."""
        bits = [0] * self.base
        for number, (power, scalar) in enumerate(self.elements):
            value = _coordinates(self._remainder(place, weight, power, scalar)[which], self.scalars)
            for bit in range(self.base):
                if value >> bit & 1:
                    bits[bit] ^= 1 << number
        return [sum(((row & bit).bit_count() & 1) << k for k, row in enumerate(self.inverse)) for bit in bits]

    def _remainder(self, place: Sequence[int], weight: int, power: int, scalar: int) -> list[int]:
        """``scalar x^power`` modulo the place, or its highest coefficients at infinity."""
        if place == INFINITY:
            return [scalar if power == self.length - 1 - k else 0 for k in range(weight)]
        row = [0] * max(power + 1, weight)
        row[power] = scalar
        for top in range(len(row) - 1, weight - 1, -1):
            factor = row[top]
            for k, one in enumerate(place):
                row[top - weight + k] ^= self.field.multiply(factor, one)
        return row[:weight]

    def irreducible(self, degree: int) -> Iterator[tuple[int, ...]]:
        """Monic polynomials without a root, which is enough up to degree 3."""
        for lower in product(self.small, repeat=degree):
            place = (*lower, 1)
            if degree == 1 or all(self._evaluate(place, a) for a in self.small):
                yield place

    def _evaluate(self, place: Sequence[int], a: int) -> int:
        total = 0
        for one in reversed(place):
            total = self.field.multiply(total, a) ^ one
        return total


def _choose_places(line: _Line) -> list[tuple[tuple[int, ...], int]]:
    """Places of weight 2 n - 1 in all, those of the least weight first; one is doubled where that is cheaper."""
    wanted = 2 * line.length - 1
    chosen: list[tuple[tuple[int, ...], int]] = [(INFINITY, 1)]
    for degree in (1, 2, 3):
        for place in line.irreducible(degree):
            if sum(weight for _, weight in chosen) + degree <= wanted:
                chosen.append((place, degree))
    short = wanted - sum(weight for _, weight in chosen)
    squares = {INFINITY: INFINITY, (0, 1): (0, 0, 1)}
    for k, (place, weight) in enumerate(chosen):
        if short and place in squares and weight == 1:
            chosen[k], short = (squares[place], 2), short - 1
    assert not short, "the places reach"
    return chosen


def _coordinates(value: int, basis: Sequence[int]) -> int:
    """The mask of basis elements whose XOR is the value."""
    shift = len(basis)
    rows: list[int] = []
    for k, element in enumerate(basis):
        rows = sorted([*rows, reduce_row(element << shift | 1 << k, rows)], reverse=True)
    return reduce_row(value << shift, rows)


def square(form: int, degree: int) -> int:
    """The products a_i b_j in which a form of a times the same form of b has coefficient 1."""
    return sum(form << degree * k for k in range(degree) if form >> k & 1)


def targets(field: Field) -> list[int]:
    """For each bit of the product the a_i b_j in it."""
    size = field.degree
    powers = [field.reduce(1 << k) for k in range(2 * size - 1)]
    return [
        sum(1 << i * size + j for i in range(size) for j in range(size) if powers[i + j] >> bit & 1)
        for bit in range(size)
    ]


def combine(field: Field, forms: Sequence[int]) -> list[int]:
    """For each bit of the product the mask of forms whose products it is the XOR of."""
    return [_coordinates(one, [square(form, field.degree) for form in forms]) for one in targets(field)]


def _search(field: Field, seed: int) -> list[int]:
    """Few forms: draws some, and keeps all squares in the span of theirs and of the product's bits."""
    size, draw, wanted = field.degree, random.Random(seed), targets(field)
    squares = {form: square(form, size) for form in range(1, 1 << size)}
    fewest = 3 * size - 2
    for _ in range(100_000):
        basis: list[int] = []
        for row in [*wanted, *(squares[form] for form in draw.sample(sorted(squares), fewest - size))]:
            if left := reduce_row(row, basis):
                basis = sorted([*basis, left], reverse=True)
        inside = [form for form in squares if not reduce_row(squares[form], basis)]
        if len(inside) >= fewest and rank([squares[form] for form in inside]) == len(basis):
            return _independent(inside, squares)
    raise RuntimeError("no forms found; take another seed")


def _independent(forms: Sequence[int], squares: dict[int, int]) -> list[int]:
    basis, kept = list[int](), list[int]()
    for form in forms:
        if left := reduce_row(squares[form], basis):
            basis = sorted([*basis, left], reverse=True)
            kept.append(form)
    return kept
