"""Penalties, and the quadratic forms that they are written with: squares, windows, equalities.

A penalty is a polynomial that separates the codewords that break a constraint from those that satisfy it. A *literal*
is a polynomial that is 0 or 1 on the states of interest: ``variable(3)``, ``negate(variable(3))``, or a polynomial of
`gatesolve.qubo.literals` for ``cell == 7``. No form adds a variable.

Section and equation numbers below are those of Mata Ali and Mencia, 'A QUBO Formulation for the Generalized LinkedIn
Queens and Takuzu/Tango Game', arXiv:2410.06429. Centres between two whole numbers are from Perez Delgado et al., 'Qubit
number optimization for restriction terms of QUBO Hamiltonians', arXiv:2306.06943.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from gatesolve.qubo.numerals import to_number
from gatesolve.qubo.polynomial import Monomial, Number, Terms, add, constant, multiply, multiply_all, scale

Polynomial = dict[Monomial, Number]
EXACT_FLOOR_QUBITS = 14
"""Most qubits for which the minimum of a polynomial is found by listing all states."""


def simplify(terms: Terms) -> Polynomial:
    """Return the polynomial with whole fractions as ints, and without zero coefficients."""
    return {m: to_number(c) if isinstance(c, Fraction) else c for m, c in terms.items() if c}


def negate(literal: Terms) -> Polynomial:
    """Return ``1 - literal``, the literal that holds where ``literal`` does not."""
    return add([constant(1), scale(literal, -1)])


def square(linear: Terms, target: Number) -> Polynomial:
    """Return ``(linear - target)**2``: 0 where ``linear == target``, at least 1 elsewhere if both have whole values."""
    distance = add([linear, constant(-target)])
    return simplify(multiply(distance, distance))


def exactly(literals: Sequence[Terms], count: int) -> Polynomial:
    """Return ``(sum of literals - count)**2``: 0 where exactly ``count`` literals hold, else at least 1.

    Source: rows, columns and regions of arXiv:2410.06429, section 2 (``count = 1``: N-queens) and section 3 (``count =
    N/2``: Takuzu).
    """
    return square(add(literals), count)


def one_hot(literals: Sequence[Terms]) -> Polynomial:
    """Return ``(sum of literals - 1)**2``: 0 where exactly one literal holds, else at least 1."""
    return exactly(literals, 1)


def either(linear: Terms, low: int) -> Polynomial:
    """Return ``(linear - low - 1/2)**2``: 1/4 where ``linear`` is ``low`` or ``low + 1``, else at least 9/4; gap 2.

    Takuzu uses it for windows of three cells with one or two ones (``low = 1``). Queens uses it for at most one queen
    in a region (``low = 0``), Tents for one or two tents around a tree (``low = 1``).

    Source: arXiv:2306.06943; arXiv:2410.06429, equations (15), (38) and (39).
    """
    # The constant 1/4 is kept, so that energies are those of the literature. Only two neighbouring whole numbers are at
    # the minimum, so no slack bit is needed.
    return square(linear, low + Fraction(1, 2))


def equal(first: Terms, second: Terms) -> Polynomial:
    """Return ``x + y - 2xy``: 0 where the literals agree, else 1. Source: arXiv:2410.06429, equation (42)."""
    return add([first, second, scale(multiply(first, second), -2)])


def differ(first: Terms, second: Terms) -> Polynomial:
    """Return ``1 - x - y + 2xy``: 0 where the literals differ, else 1. Source: arXiv:2410.06429, equation (44)."""
    return negate(equal(first, second))


def none_hold(literals: Sequence[Terms]) -> Polynomial:
    """Return ``(1 - x)(1 - y) ...``: 1 where none of the literals holds, else 0. Its degree is their number."""
    return multiply_all(map(negate, literals))


def implies(first: Terms, second: Terms) -> Polynomial:
    """Return ``x(1 - y)``: 1 where ``first`` holds without ``second``, else 0."""
    return multiply(first, negate(second))


@dataclass(frozen=True)
class Penalty:
    """A polynomial and its proved properties.

    Attributes:
        terms: the polynomial, over the space's qubits.
        satisfied: its value wherever the constraint holds (in every solution of the model, where the form relies on
            other constraints); no codeword has a lower one.
        gap: every codeword that breaks the constraint is at least this much above ``satisfied``.
        floor: no state at all, codeword or not, has a lower value.
        form: the name of the form, for reports.
    """

    terms: Terms
    satisfied: Number
    gap: Number
    floor: Number
    form: str

    @property
    def weight_key(self) -> tuple[float, ...]:
        """Return the sort key, lightest first: degree beyond two, couplings, linear terms, sizes of coefficients."""
        lengths = [len(m) for m in self.terms]
        size = sum(abs(float(c)) for m, c in self.terms.items() if m)
        return (max(2, *lengths, 0), sum(n > 1 for n in lengths), sum(n == 1 for n in lengths), size)

    @property
    def is_quadratic(self) -> bool:
        """Whether no term has more than two variables."""
        return all(len(m) <= 2 for m in self.terms)

    @property
    def is_safe(self) -> bool:
        """Return whether no state, codeword or not, is below the satisfied ones."""
        return self.floor >= self.satisfied


def make_penalty(
    terms: Terms, gap: Number, form: str, *, satisfied: Number = 0, floor: Number | None = None
) -> Penalty:
    """Return a penalty; an unknown floor is computed from its coefficients or by listing the states."""
    neat = simplify(terms)
    return Penalty(neat, satisfied, gap, least_value(neat) if floor is None else floor, form)


UNSATISFIABLE = Penalty(constant(1), 0, 1, 1, "unsatisfiable")
"""The penalty of a constraint that no codeword satisfies."""


def least_value(terms: Terms) -> Number:
    """Return a lower bound over all states: exact up to `EXACT_FLOOR_QUBITS` variables, else from the coefficients."""
    bound = terms.get((), 0) + sum(c for m, c in terms.items() if m and c < 0)
    variables = sorted({q for m in terms for q in m})
    if bound >= terms.get((), 0) or all(len(m) <= 1 for m in terms) or len(variables) > EXACT_FLOOR_QUBITS:
        return bound
    if any(isinstance(c, float) for c in terms.values()):
        return bound
    scale = math.lcm(*(Fraction(c).denominator for c in terms.values()))
    whole = {m: int(c * scale) for m, c in terms.items()}
    # Every partial sum has to fit in 64 bits.
    if sum(map(abs, whole.values())) >= 1 << 63:
        return bound
    place = {q: k for k, q in enumerate(variables)}
    values = np.zeros(1 << len(variables), dtype=np.int64)
    for monomial, coefficient in whole.items():
        values[sum(1 << place[q] for q in monomial)] += coefficient
    # A state's value is the sum of the coefficients of all subsets of its bits: one pass a bit adds them up.
    for bit in range(len(variables)):
        view = values.reshape(-1, 2, 1 << bit)
        view[:, 1] += view[:, 0]
    return to_number(Fraction(int(values.min()), scale))


def divide_by_gcd(terms: Terms) -> tuple[Polynomial, int]:
    """Divide a polynomial by the common divisor of its coefficients (1 unless all are whole); also return it."""
    neat = simplify(terms)
    whole = [c for c in neat.values() if isinstance(c, int)]
    divisor = math.gcd(*whole) if whole and len(whole) == len(neat) else 1
    return {m: c // divisor if divisor > 1 else c for m, c in neat.items()}, max(divisor, 1)
