"""A penalty: a polynomial that tells the codewords that break a constraint from those that satisfy it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from gatesolve.qubo.forms import Polynomial, simplify
from gatesolve.qubo.numerals import to_number
from gatesolve.qubo.polynomial import Number, Terms, constant

EXACT_FLOOR_QUBITS = 14
"""Most qubits for which a polynomial's least value is found by listing all states."""


@dataclass(frozen=True)
class Penalty:
    """A polynomial and what is proved of it.

    Attributes:
        terms: the polynomial, over the space's qubits.
        satisfied: its value wherever the constraint holds (in every solution of the model, where the form
            leans on other constraints); no codeword has a lower one.
        gap: every codeword that breaks the constraint is at least this much above ``satisfied``.
        floor: no state at all, codeword or not, has a lower value.
        form: which form it is, for reports.
    """

    terms: Terms
    satisfied: Number
    gap: Number
    floor: Number
    form: str

    @property
    def weight_key(self) -> tuple[float, ...]:
        """Smaller is lighter: degree beyond two, couplings, linear terms, sizes of coefficients."""
        lengths = [len(m) for m in self.terms]
        size = sum(abs(float(c)) for m, c in self.terms.items() if m)
        return (max(2, *lengths, 0), sum(n > 1 for n in lengths), sum(n == 1 for n in lengths), size)

    @property
    def is_quadratic(self) -> bool:
        """Whether no term has more than two variables."""
        return all(len(m) <= 2 for m in self.terms)

    @property
    def is_safe(self) -> bool:
        """Whether no state whatever is below the satisfied ones."""
        return self.floor >= self.satisfied


def make_penalty(
    terms: Terms, gap: Number, form: str, *, satisfied: Number = 0, floor: Number | None = None
) -> Penalty:
    """A penalty whose floor, unless known, is found from its coefficients or by listing the states."""
    neat = simplify(terms)
    return Penalty(neat, satisfied, gap, least_value(neat) if floor is None else floor, form)


UNSATISFIABLE = Penalty(constant(1), 0, 1, 1, "unsatisfiable")
"""Of a constraint that no codeword satisfies."""


def least_value(terms: Terms) -> Number:
    """A number no state's value is below: exact up to `EXACT_FLOOR_QUBITS` variables, then by coefficients."""
    bound = terms.get((), 0) + sum(c for m, c in terms.items() if m and c < 0)
    variables = sorted({q for m in terms for q in m})
    if bound >= terms.get((), 0) or all(len(m) <= 1 for m in terms) or len(variables) > EXACT_FLOOR_QUBITS:
        return bound
    if any(isinstance(c, float) for c in terms.values()):
        return bound
    scale = math.lcm(*(Fraction(c).denominator for c in terms.values()))
    whole = {m: int(c * scale) for m, c in terms.items()}
    if sum(map(abs, whole.values())) >= 1 << 63:
        return bound
    values = _all_values(whole, variables)
    return to_number(Fraction(int(values.min()), scale))


def divide_by_gcd(terms: Terms) -> tuple[Polynomial, int]:
    """The polynomial divided by the greatest common divisor of its coefficients, and that divisor (1 for others)."""
    neat = simplify(terms)
    whole = [c for c in neat.values() if isinstance(c, int)]
    divisor = math.gcd(*whole) if whole and len(whole) == len(neat) else 1
    return {m: c // divisor if divisor > 1 else c for m, c in neat.items()}, max(divisor, 1)


def _all_values(terms: Mapping[tuple[int, ...], int], variables: list[int]) -> NDArray[np.int64]:
    """Values on all states, by adding up the coefficients of each state's subsets of bits."""
    place = {q: k for k, q in enumerate(variables)}
    values = np.zeros(1 << len(variables), dtype=np.int64)
    for monomial, coefficient in terms.items():
        values[sum(1 << place[q] for q in monomial)] += coefficient
    for bit in range(len(variables)):
        view = values.reshape(-1, 2, 1 << bit)
        view[:, 1] += view[:, 0]
    return values
