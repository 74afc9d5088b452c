"""Energies of many states without rounding: whole numbers of one unit, in digits, compared from the highest down."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from gatesolve.qubo.numerals import as_written
from gatesolve.qubo.qubo import Qubo

DIGIT_BITS = 52
"""Sums of one digit over all terms stay below 2 to this power, so that floats hold them exactly."""
STATES, TERMS = 1 << 12, 1 << 9
"""So many of each are multiplied out at a time."""
Digits = NDArray[np.float64]
"""Shape (digits, states), the highest digit first; all but that are at least 0 and below the radix."""


@dataclass(frozen=True)
class ExactEnergies:
    """A Qubo's energies as digits.

    Attributes:
        unit: of the last digit.
        radix: a power of two.
        offset: of the energy, in digits that may be negative, shape (digits,).
        groups: for the terms of each degree the variables, shape (degree, terms), and such digits, (digits, terms).
    """

    unit: Fraction
    radix: int
    offset: Digits
    groups: tuple[tuple[NDArray[np.intp], Digits], ...]

    @staticmethod
    def of(qubo: Qubo) -> ExactEnergies:
        """Coefficients count as the decimals they are written as."""
        given = {monomial: as_written(c) for monomial, c in qubo.polynomial.items()}
        denominator = math.lcm(*(c.denominator for c in given.values()))
        whole = {m: c.numerator * (denominator // c.denominator) for m, c in given.items()}
        bits = DIGIT_BITS - len(whole).bit_length()
        count = max(1, -(-max(abs(c).bit_length() for c in whole.values()) // bits))
        groups = []
        for degree in sorted({len(m) for m in whole if m}):
            terms = [m for m in whole if len(m) == degree]
            groups.append((np.array(terms).T, np.array([_digits(whole[m], bits, count) for m in terms]).T))
        offset = np.array(_digits(whole[()], bits, count))
        return ExactEnergies(Fraction(1, denominator), 1 << bits, offset, tuple(groups))

    def digits(self, states: NDArray[np.bool_]) -> Digits:
        """The energies of states, shape (variables, states)."""
        found = np.repeat(self.offset[:, None], states.shape[1], axis=1)
        for first in range(0, states.shape[1], STATES):
            part = slice(first, first + STATES)
            for variables, digits in self.groups:
                for start in range(0, variables.shape[1], TERMS):
                    on = np.logical_and.reduce(states[variables[:, start : start + TERMS], part], axis=0)
                    found[:, part] += digits[:, start : start + TERMS] @ on.astype(np.float64)
        for place in range(len(found) - 1, 0, -1):
            carry = np.floor(found[place] / self.radix)
            found[place] -= carry * self.radix
            found[place - 1] += carry
        return found

    def energy(self, column: Digits) -> Fraction:
        """The energy that one state's digits stand for."""
        total = 0
        for digit in column.tolist():
            total = total * self.radix + int(digit)
        return total * self.unit

    def at_most(self, digits: Digits, bound: Fraction) -> NDArray[np.bool_]:
        """Which energies are at most ``bound``."""
        rest = math.floor(bound / self.unit)
        result = np.ones(digits.shape[1], dtype=bool)
        for place in range(len(digits) - 1, -1, -1):
            rest, digit = divmod(rest, self.radix) if place else (0, max(-1 << 60, min(rest, 1 << 60)))
            result = (digits[place] < digit) | ((digits[place] == digit) & result)
        return result


def order_by_energy(digits: Digits) -> NDArray[np.intp]:
    """The states' numbers by energy, equal ones in their order."""
    return np.lexsort(digits[::-1])


def has_energy(digits: Digits, column: Digits) -> NDArray[np.bool_]:
    """Which states have the energy of ``column``."""
    return np.asarray((digits == column[:, None]).all(axis=0))


def _digits(value: int, bits: int, count: int) -> list[float]:
    """The digits of a whole number, each with its sign."""
    sign = -1.0 if value < 0 else 1.0
    mask = (1 << bits) - 1
    return [sign * (abs(value) >> bits * place & mask) for place in range(count - 1, -1, -1)]
