"""Statements about a space's blocks as polynomials of its qubits: ``cell == 7``, ``cell in {1, 2}``, a cell's value.

Each polynomial has the lowest possible degree and is exact on the block's codewords. Other states may have any value.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from itertools import combinations, groupby

import numpy as np
from numpy.typing import NDArray

from gatesolve.circuit.gf2 import list_bits
from gatesolve.encodings.block import Block
from gatesolve.encodings.space import Space
from gatesolve.errors import DoesNotFitError
from gatesolve.model.constraints import tabulate
from gatesolve.model.terms import Term
from gatesolve.qubo.penalty import Polynomial, simplify
from gatesolve.qubo.polynomial import Number, Terms, add, constant, multiply_all, scale

TERM_ROWS = 1 << 12
"""Most combinations of codewords for which a term is written as a polynomial."""
GENERIC_SIZE = 64
"""Most codewords of a block without a known pattern."""


def interpolate(codewords: Sequence[int], num_qubits: int, values: Sequence[Number]) -> Polynomial:
    """Return the polynomial of lowest degree that has given values on the codewords.

    Cost: linear in the codewords for one-hot, unary and domain-wall blocks, one transform where codewords are closed
    under clearing bits, else Gaussian elimination.

    Raises:
        DoesNotFitError: more than `GENERIC_SIZE` codewords in no known pattern.
    """
    wanted = dict(zip(codewords, values, strict=True))
    size = len(codewords)
    if size == num_qubits and all(w & (w - 1) == 0 and w for w in codewords):
        # The base is 0, or the most frequent value if that saves terms. A base other than 0 costs the constant term.
        base = max([0, *dict.fromkeys(values)], key=lambda v: (values.count(v) - bool(v), v == 0))
        return simplify({(): base, **{(w.bit_length() - 1,): v - base for w, v in sorted(wanted.items())}})
    # Domain wall: linear, with one term for each step between consecutive values.
    if set(codewords) == {(1 << i) - 1 for i in range(size)}:
        steps = [wanted[(1 << i) - 1] for i in range(size)]
        return simplify({(): steps[0], **{(i - 1,): steps[i] - steps[i - 1] for i in range(1, size)}})
    # Closed under clearing bits (0 ... n-1 in binary, all patterns): Moebius inversion.
    if all(w ^ (1 << q) in wanted for w in wanted for q in list_bits(w)):
        # Ascending bits: each step subtracts the word without that bit, which leaves the coefficient of each word's
        # monomial.
        for bit in range(max(wanted).bit_length()):
            for word in wanted:
                if word >> bit & 1:
                    wanted[word] -= wanted[word ^ (1 << bit)]
        return simplify({tuple(list_bits(w)): c for w, c in wanted.items()})
    if size > GENERIC_SIZE:
        raise DoesNotFitError(
            f"{size} codewords in no regular pattern: number the tuples 0 to {size - 1}, or use one qubit a tuple"
        )
    # Anything else: elimination over the monomials, lowest degrees first.
    return _solve_monomials(wanted, num_qubits)


class Literals:
    """Polynomials over a space's qubits for statements about its blocks."""

    def __init__(self, space: Space) -> None:
        self.space = space
        self._parts: dict[tuple[int, tuple[int, ...]], Polynomial] = {}

    def number_of(self, name: str) -> int:
        """Return the number of the block that holds a variable."""
        return self.space.home[name][0]

    def blocks_of(self, scope: Iterable[str]) -> tuple[int, ...]:
        """Return the blocks that hold variables of ``scope``, ascending, without those of one codeword."""
        numbers = {self.number_of(name) for name in scope}
        return tuple(k for k in sorted(numbers) if self.space.blocks[k].size > 1)

    def values(self, name: str) -> list[int]:
        """Return the value of ``name`` on each codeword of its block."""
        number, place = self.space.home[name]
        return [row[place] for row in self.space.blocks[number].tuples]

    def of_block(self, number: int, values: Sequence[Number]) -> Polynomial:
        """Return the polynomial with ``values`` on the codewords of block ``number``."""
        block, offset = self.space.blocks[number], self.space.offsets[number]
        return shift_terms(interpolate(block.codewords, block.num_qubits, values), offset)

    def where(self, name: str, values: Collection[int]) -> Polynomial:
        """Return ``name in values``: 1 or 0 on codewords."""
        return self.of_block(self.number_of(name), [int(v in values) for v in self.values(name)])

    def shares(self, terms: Iterable[tuple[int, str]]) -> dict[int, list[int]]:
        """Return for each block its share of the sum of ``coefficient * variable``, on each of its codewords."""
        rows: dict[int, list[int]] = {}
        for coefficient, name in terms:
            number = self.number_of(name)
            row = rows.setdefault(number, [0] * self.space.blocks[number].size)
            for k, v in enumerate(self.values(name)):
                row[k] += coefficient * v
        return rows

    def total(self, terms: Iterable[tuple[int, str]], start: int = 0) -> Polynomial:
        """Return ``start`` plus the sum of ``coefficient * variable``."""
        return add([constant(start), *(self.of_block(number, row) for number, row in self.shares(terms).items())])

    def term(self, term: Term) -> Polynomial:
        """Return a term's value as a polynomial, exact on all codewords; over `TERM_ROWS` combinations do not fit."""
        numbers = self.blocks_of(term.scope)
        sizes = [self.space.blocks[number].size for number in numbers]
        if math.prod(sizes) > TERM_ROWS:
            raise DoesNotFitError(
                f"'{term}' has {math.prod(sizes)} combinations of codewords, and a polynomial takes at most "
                f"{TERM_ROWS}: use pipeline='gas' or 'grover', which compute it in the circuit"
            )
        axes = [(self.space.blocks[number].variables, self.space.blocks[number].tuples) for number in numbers]
        still = {name: np.array(self.values(name)[0]) for name in term.scope if self.number_of(name) not in numbers}
        return self._interpolate_all(numbers, tabulate(lambda columns: term.values({**columns, **still})[0], axes))

    def _interpolate_all(self, numbers: Sequence[int], values: NDArray[np.int64]) -> Polynomial:
        if not numbers:
            return constant(int(values))
        first, rest = numbers[0], numbers[1:]
        size = len(values)
        parts = []
        for place in range(size):
            own = self.of_block(first, [int(k == place) for k in range(size)])
            parts.append(multiply_all([own, self._interpolate_all(rest, values[place])]))
        return simplify(add(parts))

    def reduce_terms(self, terms: Terms) -> Polynomial:
        """Return a polynomial equal on codewords, with each block's share of a monomial in lowest degree.

        The product of two qubits is 0 in a one-hot block, and the higher qubit in a domain wall.
        """
        block_at = [k for k, block in enumerate(self.space.blocks) for _ in range(block.num_qubits)]
        parts = []
        for monomial, coefficient in terms.items():
            # A monomial is sorted, so the qubits of one block are neighbours.
            shares = groupby(monomial, block_at.__getitem__)
            product = multiply_all(self._share(number, tuple(qubits)) for number, qubits in shares)
            parts.append(scale(product, coefficient))
        return simplify(add(parts))

    def _share(self, number: int, qubits: tuple[int, ...]) -> Polynomial:
        if len(qubits) == 1 and self.space.blocks[number].size > 1:
            return {qubits: 1}
        key = (number, qubits)
        if key not in self._parts:
            mask = sum(1 << (q - self.space.offsets[number]) for q in qubits)
            words = self.space.blocks[number].codewords
            self._parts[key] = self.of_block(number, [int(w & mask == mask) for w in words])
        return self._parts[key]


def is_full(block: Block) -> bool:
    """Return whether every state of the block's qubits is a codeword."""
    return block.size == 1 << block.num_qubits


def shift_terms(terms: Terms, offset: int) -> Polynomial:
    """Return the polynomial with variables numbered ``offset`` higher."""
    return {tuple(q + offset for q in m): c for m, c in terms.items()} if offset else dict(terms)


def _solve_monomials(wanted: dict[int, Number], num_qubits: int) -> Polynomial:
    """Return coefficients of monomials that are independent on the codewords, chosen greedily by degree."""
    target = [Fraction(value) for value in wanted.values()]
    # The target always equals the wanted values plus this polynomial.
    missing: Polynomial = {}
    # Each row: its pivot, its values on the codewords (1 at the pivot, 0 at earlier ones), and its monomials.
    basis: list[tuple[int, list[Fraction], Polynomial]] = []
    for size in range(num_qubits + 1):
        for monomial in combinations(range(num_qubits), size):
            values = [Fraction(all(w >> q & 1 for q in monomial)) for w in wanted]
            row, made = _clear(values, {monomial: 1}, basis)
            if any(row):
                pivot, lead = next((k, a) for k, a in enumerate(row) if a)
                basis.append((pivot, [a / lead for a in row], scale(made, 1 / lead)))
        target, missing = _clear(target, missing, basis)
        if not any(target):
            return simplify(scale(missing, -1))
    raise ValueError("codewords repeat")


def _clear(
    row: list[Fraction], made: Polynomial, basis: list[tuple[int, list[Fraction], Polynomial]]
) -> tuple[list[Fraction], Polynomial]:
    """Subtract multiples of the basis from a row and its monomials, so that the row is 0 at all pivots."""
    for pivot, other, parts in basis:
        if factor := row[pivot]:
            row = [a - factor * b for a, b in zip(row, other, strict=True)]
            made = add([made, scale(parts, -factor)])
    return row, made
