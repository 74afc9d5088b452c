"""Energies of many states without rounding, as whole numbers of one unit."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gatesolve.qubo.numerals import as_written
from gatesolve.qubo.qubo import Qubo

DIGIT_BITS = 52
"""Sums of one digit over all terms stay below 2 to this power, so that floats hold them exactly."""
STATES, TERMS = 1 << 12, 1 << 9
"""So many of each are multiplied out at a time."""
Whole = NDArray[Any]
"""Whole numbers: of 64 bits where these hold them all, else Python's own."""


@dataclass(frozen=True)
class ExactEnergies:
    """A Qubo's energies; coefficients are multiplied with the states digit by digit.

    Attributes:
        unit: what the energies are multiples of.
        offset: of the energy, in units.
        bits: of a digit.
        groups: for the terms of each degree the variables, shape (degree, terms), and the coefficients' digits, each
            with the coefficient's sign, shape (digits, terms), the lowest first.
    """

    unit: Fraction
    offset: int
    bits: int
    groups: tuple[tuple[NDArray[np.intp], NDArray[np.float64]], ...]

    @staticmethod
    def of(qubo: Qubo) -> ExactEnergies:
        """Coefficients count as the decimals they are written as."""
        given = {monomial: as_written(c) for monomial, c in qubo.polynomial.items()}
        denominator = math.lcm(*(c.denominator for c in given.values()))
        whole = {m: int(c * denominator) for m, c in given.items()}
        bits = DIGIT_BITS - len(whole).bit_length()
        shifts = range(0, max(1, *(abs(c).bit_length() for c in whole.values())), bits)
        groups = []
        for degree in sorted({len(m) for m in whole if m}):
            terms = [m for m in whole if len(m) == degree]
            signs = [-1.0 if whole[m] < 0 else 1.0 for m in terms]
            sizes = [[abs(whole[m]) >> shift & (1 << bits) - 1 for m in terms] for shift in shifts]
            groups.append((np.array(terms).T, np.array(sizes) * signs))
        return ExactEnergies(Fraction(1, denominator), whole[()], bits, tuple(groups))

    def in_units(self, states: NDArray[np.bool_]) -> Whole:
        """The energies of states, shape (variables, states), in units."""
        starts = range(0, states.shape[1], STATES)
        return np.concatenate([self._in_units(states[:, start : start + STATES]) for start in starts])

    def _in_units(self, states: NDArray[np.bool_]) -> Whole:
        sums = np.zeros((1, states.shape[1]))
        for variables, digits in self.groups:
            for start in range(0, variables.shape[1], TERMS):
                on = np.logical_and.reduce(states[variables[:, start : start + TERMS]], axis=0)
                sums = sums + digits[:, start : start + TERMS] @ on.astype(np.float64)
        whole = sums.astype(np.int64)
        if len(whole) == 1 and abs(self.offset) < 1 << DIGIT_BITS:
            return np.asarray(whole[0] + self.offset)
        total = np.full(states.shape[1], self.offset, dtype=object)
        for k, row in enumerate(whole):
            total += row.astype(object) << self.bits * k
        return total
