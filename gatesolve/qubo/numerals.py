"""Numbers of files: read with a clear refusal, and written so that they read back exactly."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from fractions import Fraction
from itertools import combinations
from typing import Any, NamedTuple, TypeVar

from gatesolve.errors import InputError, UnsupportedError
from gatesolve.qubo.polynomial import Monomial, Number

MAX_VARIABLES = 1 << 16
"""Most variables of a file: no pipeline here solves more, and every one costs memory."""
MAX_TERMS = 1 << 22
"""Most terms of one file."""
Key = TypeVar("Key")
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[+-]?(nan|inf|infinity)", re.IGNORECASE)
_MOST_DIGITS = 400


class Place(NamedTuple):
    """A place in a file, for messages."""

    source: str
    row: int | None = None
    column: int | None = None

    def fault(self, message: str) -> InputError:
        """Return the error to raise for wrong input here."""
        return InputError(message, source=self.source, row=self.row, column=self.column)

    def unsupported(self, message: str) -> UnsupportedError:
        """Return the error to raise for input that is well-formed but not supported."""
        return UnsupportedError(message, source=self.source, row=self.row)


def to_number(value: Any) -> Number:
    """Return a whole number as an int, any other as it is; numpy's own types as Python's."""
    if isinstance(value, bool | int):
        return int(value)
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else value
    number = float(value)
    return int(number) if math.isfinite(number) and number.is_integer() else number


def as_written(value: Number) -> Fraction:
    """Return the fraction of the decimals that Python shows: 0.1 is one tenth."""
    if isinstance(value, Fraction):
        return value
    return Fraction(value) if isinstance(value, int) else Fraction(repr(float(value)))


def nearest_number(value: Fraction) -> Number:
    """Return a fraction as an int where it is whole, else as the nearest float, infinite beyond the greatest float."""
    if value.denominator == 1:
        return int(value)
    try:
        return float(value)
    except OverflowError:
        return math.copysign(math.inf, value.numerator)


def shortest_number(value: Number) -> Number:
    """Return a fraction as an int or float if that is written the same, else unchanged."""
    if not isinstance(value, Fraction):
        return value
    near = nearest_number(value)
    same = isinstance(near, int) or (math.isfinite(near) and as_written(near) == value)
    return near if same else value


def add_to(total: dict[Key, Number], key: Key, value: Number) -> None:
    """Add to one entry. Sums are exact over the decimals as written, and stay fractions until `shortest_number`."""
    if key in total:
        total[key] = as_written(total[key]) + as_written(value)
    else:
        total[key] = value


def expand(total: dict[Monomial, Number], monomial: Monomial, weight: Number, base: Any, factor: Any) -> None:
    """Add ``weight`` times the product of ``base + factor * variable`` over a monomial, multiplied out: 2^n terms."""
    for size in range(len(monomial) + 1):
        share = as_written(weight) * base ** (len(monomial) - size) * factor**size
        for chosen in combinations(monomial, size):
            add_to(total, chosen, share)


def is_number(word: str) -> bool:
    """Return whether a word is a decimal number."""
    return bool(_NUMBER.fullmatch(word))


def read_number(word: str, place: Place, what: str = "coefficient") -> Number:
    """Return the number that a word stands for: an int, a float, or a fraction where no float has all its digits.

    Raises:
        InputError: it is not a finite decimal number, or beyond the range of floats.
    """
    if len(word) > _MOST_DIGITS and is_number(word):
        raise place.fault(f"the {what} {quote(word)} has {len(word)} characters: give at most {_MOST_DIGITS}")
    if not is_number(word):
        if _NOT_FINITE.fullmatch(word):
            raise place.fault(f"the {what} is {word}: give a finite number")
        raise place.fault(f"{quote(word)} is not a number: give the {what} as a decimal number")
    value = float(word)
    if math.isinf(value):
        raise place.fault(f"the {what} {quote(word)} is too large: give a number below 1e308")
    if word.lstrip("+-").isdigit():
        return int(word)
    # A float of 0 with a nonzero digit before the exponent has underflowed.
    if not value and set(re.split("[eE]", word)[0]) & set("123456789"):
        raise place.fault(f"the {what} {quote(word)} is too close to 0: give 0, or a number above 1e-308")
    # Numbers with more digits than a float holds stay exact, as fractions.
    near, exact = to_number(value), Fraction(word)
    return near if as_written(near) == exact else to_number(exact)


def check_finite(value: Any, what: str) -> None:
    """Refuse ``what`` unless it is finite and has a float near it (integers of 309 digits have none)."""
    try:
        if not math.isfinite(value):
            raise InputError(f"{what} is {float(value)}: give a finite number")
    except OverflowError as error:
        fault = f"{what} exceeds 1e308 during the computation: give numbers of more similar sizes"
        raise InputError(fault) from error


def decimal(value: Number) -> str:
    """Return the shortest decimal without an exponent that reads back as the same number, or as the nearest float."""
    # No exponent: some readers, dimod's of COO files among them, silently drop lines with one.
    value = to_number(value)
    if isinstance(value, int):
        return str(value)
    # A fraction has a finite decimal only if its denominator divides a power of ten.
    places = next((k for k in range(_MOST_DIGITS) if 10**k % as_written(value).denominator == 0), None)
    if isinstance(value, Fraction) and places is not None:
        digits = tuple(map(int, str(abs(value.numerator) * 10**places // value.denominator)))
        return format(Decimal((int(value < 0), digits, -places)), "f")
    return format(Decimal(repr(float(value))), "f")


def check_count(number: int, place: Place) -> None:
    """Refuse more than `MAX_VARIABLES` before anything is allocated for them."""
    if number > MAX_VARIABLES:
        raise place.fault(f"{number} variables, and at most {MAX_VARIABLES} are supported: give a smaller problem")


def quote(word: object) -> str:
    """Return a word of the user's, shortened and printable."""
    text = str(word)
    return repr(text if len(text) <= 24 else f"{text[:20]}...")


def count_noun(number: int, what: str) -> str:
    """Return ``1 term``, ``2 terms``."""
    return f"{number} {what}{'' if number == 1 else 's'}"
