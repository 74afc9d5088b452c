"""The Qubo: an energy over named 0/1 variables, with its offset and the meaning of every variable.

`ExactEnergies` computes the energies of many states without rounding, as whole numbers of one unit.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatesolve.encodings.space import Space
from gatesolve.errors import InputError, UnsupportedError
from gatesolve.qubo.numerals import as_written, check_finite, expand, nearest_number
from gatesolve.qubo.polynomial import Monomial, Number, Terms, degree

DIGIT_BITS = 52
"""Sums of one digit over all terms stay below 2 to this power, so that floats hold them exactly."""
STATES, TERMS = 1 << 12, 1 << 9
"""Numbers of states and of terms that are multiplied out at a time."""
Whole = NDArray[Any]
"""Whole numbers: 64-bit where all fit, else Python's own."""


class Ising(NamedTuple):
    """An energy of spins: ``offset`` plus the sums of ``h[i] * s[i]`` and ``J[i, j] * s[i] * s[j]``.

    Attributes:
        h: the field of every variable, by name.
        J: the couplings that are not zero, by pairs of names in the order of the variables.
        offset: the mean energy of all states.
    """

    h: dict[str, Number]
    J: dict[tuple[str, str], Number]
    offset: Number


@dataclass(frozen=True)
class Qubo:
    """An energy to minimise: ``offset`` plus the sum of ``coefficient * product of variables`` over ``terms``.

    Terms of more than two variables are allowed (a HUBO); see `is_quadratic`.

    Attributes:
        names: the variables, each 0 or 1. Where ``space`` is given, variable q is qubit q of the space.
        terms: coefficients by monomial: strictly ascending numbers of variables, at least one; finite, not zero.
        offset: the energy with all variables 0.
        meanings: for each variable the meaning of its 1, as ``cell = 7``; the names where empty.
        space: decodes a state to the model's variables; None for a Qubo of the user's own.

    Raises:
        InputError: names used twice, a monomial of names or of unknown variables, a coefficient that is not a finite
            number, or energies beyond the greatest float.
    """

    names: tuple[str, ...]
    terms: Mapping[Monomial, Number]
    offset: Number = 0
    meanings: tuple[str, ...] = ()
    space: Space | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if len(set(self.names)) != len(self.names):
            twice = sorted({n for n in self.names if self.names.count(n) > 1})
            raise InputError(f"variable names used twice: {', '.join(twice)}: give each its own name")
        if self.meanings and len(self.meanings) != len(self.names):
            raise ValueError("as many meanings as names")
        if self.space is not None and self.space.num_qubits != len(self.names):
            raise ValueError("as many names as qubits of the space")
        _check_numbers(self.terms, self.names)
        for monomial, coefficient in self.terms.items():
            if not monomial or any(a >= b for a, b in pairwise(monomial)):
                raise ValueError(f"monomial {monomial} must be ascending and not empty")
            if monomial[0] < 0 or monomial[-1] >= len(self.names):
                raise InputError(f"a term reads variable {monomial[-1]}, of {len(self.names)}: number them from 0")
            check_finite(coefficient, f"the coefficient of {' * '.join(self.names[i] for i in monomial)}")
        check_finite(self.offset, "the offset")
        if math.isinf(sum((abs(float(c)) for c in self.terms.values()), abs(float(self.offset)))):
            raise InputError("the coefficients add up to more than 1.7e308: divide all of them by one number")

    @staticmethod
    def of(names: Sequence[str], terms: Terms, meanings: Sequence[str] = (), space: Space | None = None) -> Qubo:
        """Return the Qubo of a polynomial whose monomial ``()`` is the offset; zero coefficients are dropped."""
        _check_numbers(terms, names)
        kept = {m: c for m, c in sorted(terms.items(), key=lambda item: (len(item[0]), item[0])) if m and c}
        return Qubo(tuple(names), kept, terms.get((), 0), tuple(meanings), space)

    @property
    def polynomial(self) -> dict[Monomial, Number]:
        """Return the energy with the offset as monomial ``()``."""
        return {(): self.offset, **self.terms}

    @property
    def num_variables(self) -> int:
        """Number of variables."""
        return len(self.names)

    @property
    def degree(self) -> int:
        """Largest number of variables in one term."""
        return degree(self.terms)

    @property
    def is_quadratic(self) -> bool:
        """Whether no term has more than two variables."""
        return self.degree <= 2

    @property
    def is_integer(self) -> bool:
        """Whether every energy is a whole number."""
        return all(Fraction(c).denominator == 1 for c in (self.offset, *self.terms.values()))

    def energy(self, bits: Sequence[int] | Mapping[str, int]) -> Number:
        """Return the energy of a state (0 or 1 a variable, in order or by name); a float unless it is whole."""
        return nearest_number(self.exact_energy(bits))

    def exact_energy(self, bits: Sequence[int] | Mapping[str, int]) -> Fraction:
        """Return the exact energy of one state: coefficients add as decimals, 0.1 and 0.2 to 0.3."""
        values = [bits[name] for name in self.names] if isinstance(bits, Mapping) else list(bits)
        held = (as_written(c) for m, c in self.polynomial.items() if all(values[i] for i in m))
        return sum(held, start=Fraction(0))

    def energies(self, bits: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return the energies of many states.

        Args:
            bits: shape (variables, states).

        Returns:
            One float a state; exact while partial sums are multiples of a power of two within 53 bits.
        """
        total = np.full(bits.shape[1], float(self.offset))
        for monomial, coefficient in self.terms.items():
            total += float(coefficient) * np.logical_and.reduce(bits[list(monomial)], axis=0)
        return total

    @cached_property
    def bounds(self) -> tuple[Number, Number]:
        """Return bounds of the energy, as the sums of the negative and of the positive coefficients."""
        low = self.offset + sum(c for c in self.terms.values() if c < 0)
        return low, self.offset + sum(c for c in self.terms.values() if c > 0)

    def to_ising(self) -> Ising:
        """Return the same energy as fields and couplings of spins ``s = 1 - 2x``: the spin of bit 0 is +1.

        The sign is that of Qiskit's Z and of `gatesolve.formats.to_ising`. In dimod the spin of bit 1 is +1, so there
        the fields ``h`` have the other sign. Coefficients are exact sums, each rounded once.

        Raises:
            UnsupportedError: a term has more than two variables.
        """
        if not self.is_quadratic:
            mend = "use gatesolve.formats.to_ising, or add variables with quadratic=True"
            raise UnsupportedError(f"a term has {self.degree} variables, fields and couplings take 2 at most: {mend}")
        terms = {monomial: nearest_number(share) for monomial, share in self.spin_terms().items()}
        h = {name: terms.get((i,), 0) for i, name in enumerate(self.names)}
        couplings = {(self.names[m[0]], self.names[m[1]]): share for m, share in terms.items() if len(m) == 2}
        return Ising(h, couplings, terms[()])

    def spin_terms(self) -> dict[Monomial, Fraction]:
        """Return the exact coefficients of the same energy in products of spins ``s = 1 - 2x``; ``()`` is the constant.

        Cost: 2^n terms for a term of n variables.
        """
        total: dict[Monomial, Number] = {(): Fraction(0)}
        for monomial, coefficient in self.polynomial.items():
            expand(total, monomial, as_written(coefficient), Fraction(1, 2), Fraction(-1, 2))
        return {monomial: as_written(share) for monomial, share in total.items()}

    def meaning(self, number: int) -> str:
        """Return the meaning of a 1 of variable ``number``."""
        return self.meanings[number] if self.meanings else f"{self.names[number]} = 1"

    def decode(self, bits: Sequence[int]) -> dict[str, int] | None:
        """Return the assignment of a state, None if it is no codeword; without a space the Qubo's own variables."""
        if self.space is None:
            return {name: int(bit) for name, bit in zip(self.names, bits, strict=True)}
        return self.space.decode(sum(1 << q for q, bit in enumerate(bits) if bit))


def _check_numbers(terms: Terms, names: Sequence[str]) -> None:
    for monomial in terms:
        if not isinstance(monomial, tuple) or not all(isinstance(i, int | np.integer) for i in monomial):
            known = ", ".join(f"{k} for {name}" for k, name in enumerate(names[:2]))
            raise InputError(
                f"a term is {monomial!r}: write a tuple of the variables' numbers ({known}), or use from_dict"
            )


@dataclass(frozen=True)
class ExactEnergies:
    """A Qubo's energies in whole numbers: coefficients are multiplied with the states digit by digit.

    Attributes:
        unit: all energies are multiples of it.
        offset: the energy's offset, in units.
        bits: the number of bits of a digit.
        groups: for the terms of each degree the variables, shape (degree, terms), and the coefficients' digits, shape
            (digits, terms), lowest digit first. Each digit has the coefficient's sign.
    """

    unit: Fraction
    offset: int
    bits: int
    groups: tuple[tuple[NDArray[np.intp], NDArray[np.float64]], ...]

    @staticmethod
    def of(qubo: Qubo) -> ExactEnergies:
        """Split a Qubo's coefficients, read as the decimals they are written as, into digits."""
        given = {monomial: as_written(c) for monomial, c in qubo.polynomial.items()}
        denominator = math.lcm(*(c.denominator for c in given.values()))
        whole = {m: int(c * denominator) for m, c in given.items()}
        # A digit summed over all terms must stay below 2^DIGIT_BITS, so it is shorter by the bits of their number.
        bits = DIGIT_BITS - len(whole).bit_length()
        shifts = range(0, max(1, *(abs(c).bit_length() for c in whole.values())), bits)
        groups = []
        for size in sorted({len(m) for m in whole if m}):
            terms = [m for m in whole if len(m) == size]
            signs = [-1.0 if whole[m] < 0 else 1.0 for m in terms]
            sizes = [[abs(whole[m]) >> shift & (1 << bits) - 1 for m in terms] for shift in shifts]
            groups.append((np.array(terms).T, np.array(sizes) * signs))
        return ExactEnergies(Fraction(1, denominator), whole[()], bits, tuple(groups))

    def in_units(self, states: NDArray[np.bool_]) -> Whole:
        """Return the energies of states, shape (variables, states), in units."""
        starts = range(0, states.shape[1], STATES)
        return np.concatenate([self._in_units(states[:, start : start + STATES]) for start in starts])

    def _in_units(self, states: NDArray[np.bool_]) -> Whole:
        sums = np.zeros((1, states.shape[1]))
        for variables, digits in self.groups:
            for start in range(0, variables.shape[1], TERMS):
                on = np.logical_and.reduce(states[variables[:, start : start + TERMS]], axis=0)
                # Matrix products of floats are fast, and exact here because of the digits' length.
                sums = sums + digits[:, start : start + TERMS] @ on.astype(np.float64)
        whole = sums.astype(np.int64)
        if len(whole) == 1 and abs(self.offset) < 1 << DIGIT_BITS:
            return np.asarray(whole[0] + self.offset)
        total = np.full(states.shape[1], self.offset, dtype=object)
        for k, row in enumerate(whole):
            total += row.astype(object) << self.bits * k
        return total
