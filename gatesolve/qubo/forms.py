"""Quadratic forms that penalties are written with: squares, conflicts, windows, equalities.

Every form takes and returns polynomials (`gatesolve.qubo.polynomial`). A *literal* is a polynomial that is 0 or 1
on the states of interest: ``variable(3)``, ``negate(variable(3))``, or what `gatesolve.qubo.literals` makes for
``cell == 7``. No form adds a variable.

Sources: Mata Ali and Mencia, 'A QUBO Formulation for the Generalized LinkedIn Queens and Takuzu/Tango Game',
arXiv:2410.06429 (section and equation numbers below are its), and Perez Delgado et al., 'Qubit number optimization
for restriction terms of QUBO Hamiltonians', arXiv:2306.06943, for centres between two whole numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations

from gatesolve.qubo.numerals import to_number
from gatesolve.qubo.polynomial import Monomial, Number, Terms, add, constant, multiply, multiply_all, scale

Polynomial = dict[Monomial, Number]


def simplify(terms: Terms) -> Polynomial:
    """Return the polynomial with whole-number fractions written as ints, and without zeros."""
    return {m: to_number(c) if isinstance(c, Fraction) else c for m, c in terms.items() if c}


def negate(literal: Terms) -> Polynomial:
    """``1 - literal``: the literal that holds where ``literal`` does not."""
    return add([constant(1), scale(literal, -1)])


def square(linear: Terms, target: Number) -> Polynomial:
    """``(linear - target)**2``: 0 where ``linear == target``, at least 1 elsewhere if both take whole values."""
    distance = add([linear, constant(-target)])
    return simplify(multiply(distance, distance))


def exactly(literals: Sequence[Terms], count: int) -> Polynomial:
    """``(sum of literals - count)**2``: 0 where exactly ``count`` literals hold, else at least 1.

    Source: rows, columns and regions of arXiv:2410.06429, section 2 (``count = 1``: N-queens) and section 3
    (``count = N/2``: Takuzu).
    """
    return square(add(literals), count)


def one_hot(literals: Sequence[Terms]) -> Polynomial:
    """``(sum of literals - 1)**2``: 0 where exactly one literal holds, else at least 1."""
    return exactly(literals, 1)


def either(linear: Terms, low: int) -> Polynomial:
    """``(linear - low - 1/2)**2``: 1/4 where ``linear`` is ``low`` or ``low + 1``, at least 9/4 elsewhere.

    The gap is 2. The 1/4 is kept, so that energies are those of the literature: windows of three cells with one or
    two ones (``low = 1``) in Takuzu, at most one queen in a region (``low = 0``), one or two tents around a tree
    (``low = 1``). Among whole numbers only two neighbours are at the minimum, so no slack bit is needed.

    Source: arXiv:2306.06943; arXiv:2410.06429, equations (15), (38) and (39).
    """
    return square(linear, low + Fraction(1, 2))


def conflicts(pairs: Iterable[tuple[Terms, Terms]]) -> Polynomial:
    """The sum of ``first * second``: how many of the pairs hold together; 0 where none does.

    Source: diagonals of N-queens and threatened cells of Max Chess Pieces, arXiv:2410.06429, section 2.
    """
    return add(multiply(first, second) for first, second in pairs)


def at_most_one(literals: Sequence[Terms]) -> Polynomial:
    """All pairs of ``literals``: k * (k - 1) / 2 where k of them hold, so 0 up to one, at least 1 beyond."""
    return conflicts(combinations(literals, 2))


def equal(first: Terms, second: Terms) -> Polynomial:
    """``x + y - 2xy``: 0 where the literals agree, else 1. Source: arXiv:2410.06429, equation (42)."""
    return add([first, second, scale(multiply(first, second), -2)])


def differ(first: Terms, second: Terms) -> Polynomial:
    """``1 - x - y + 2xy``: 0 where the literals differ, else 1. Source: arXiv:2410.06429, equation (44)."""
    return negate(equal(first, second))


def none_hold(literals: Sequence[Terms]) -> Polynomial:
    """``(1 - x)(1 - y) ...``: 1 where none of the literals holds, else 0; of as high a degree as they are many."""
    return multiply_all(map(negate, literals))


def implies(first: Terms, second: Terms) -> Polynomial:
    """``x(1 - y)``: 1 where ``first`` holds without ``second``, else 0."""
    return multiply(first, negate(second))
