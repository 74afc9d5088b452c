"""Qubo to and from plain data: ``{(i, j): weight}`` with an offset, and upper triangular matrices."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gatesolve.errors import DoesNotFitError, InputError, UnsupportedError
from gatesolve.qubo.numerals import Place, check_count, plain
from gatesolve.qubo.polynomial import Number
from gatesolve.qubo.qubo import Qubo
from gatesolve.qubo.to_dimod import from_variables, label_name

MAX_DENSE = 1 << 13
"""Most variables of a matrix."""


def to_dict(qubo: Qubo, *, by_name: bool = False) -> tuple[dict[tuple[Any, Any], Number], Number]:
    """``{(i, j): weight}`` with i <= j, and the offset; ``(i, i)`` holds the linear weight.

    Args:
        qubo: of degree 2 at most.
        by_name: keys of names instead of numbers. Variables without a term have no key.

    Raises:
        UnsupportedError: a term of more than two variables.
    """
    _quadratic(qubo)
    keys: Sequence[Any] = qubo.names if by_name else range(qubo.num_variables)
    return {(keys[m[0]], keys[m[-1]]): c for m, c in qubo.terms.items()}, qubo.offset


def from_dict(
    weights: Mapping[tuple[Hashable, Hashable], Any], offset: Any = 0, names: Sequence[str] | None = None
) -> Qubo:
    """The Qubo of ``offset + sum(weight * x_i * x_j)``.

    Args:
        weights: keys are pairs of whole numbers or pairs of names; ``(i, j)`` and ``(j, i)`` add up.
        offset: the energy of all zeros.
        names: of all variables. None: names in order of appearance, or ``x0, x1, ...`` up to the greatest number.

    Raises:
        InputError: a key that is no pair, a number out of range or an unknown name, a weight that is not finite.
    """
    for key in weights:
        if not isinstance(key, tuple) or len(key) != 2:
            raise InputError(f"key {key!r} is no pair: write (i, j), and (i, i) for a linear weight")
    labels: list[Any] = list(dict.fromkeys(label for key in weights for label in key))
    if all(isinstance(label, int | np.integer) for label in labels):
        numbers = {label: int(label) for label in labels}
        if min(numbers.values(), default=0) < 0:
            raise InputError(f"variable {min(numbers.values())} is negative: number them from 0")
        most = max(numbers.values(), default=-1) + 1
        check_count(most, Place("weights"))
        every = list(names) if names is not None else [f"x{i}" for i in range(most)]
        if most > len(every):
            raise InputError(f"variable {most - 1}, but there are {len(every)} names: name all variables")
    else:
        every = list(names) if names is not None else [label_name(label) for label in labels]
        place = {name: k for k, name in enumerate(every)}
        unknown = next((label for label in labels if label_name(label) not in place), None)
        if unknown is not None:
            raise InputError(f"variable {unknown!r} is not among the names")
        numbers = {label: place[label_name(label)] for label in labels}
    terms = [((numbers[i], numbers[j]), _number(w, f"weight of ({i}, {j})")) for (i, j), w in weights.items()]
    return from_variables(every, [((), _number(offset, "offset")), *terms], spin=False)


def to_matrix(qubo: Qubo) -> tuple[NDArray[np.float64], float]:
    """An upper triangular matrix Q and the offset: the energy is ``x @ Q @ x + offset``.

    Raises:
        UnsupportedError: a term of more than two variables.
        DoesNotFitError: more than 8192 variables.
    """
    _quadratic(qubo)
    if qubo.num_variables > MAX_DENSE:
        raise DoesNotFitError(f"a matrix of {qubo.num_variables} variables: at most {MAX_DENSE}; use to_dict")
    matrix = np.zeros((qubo.num_variables, qubo.num_variables))
    for monomial, coefficient in qubo.terms.items():
        matrix[monomial[0], monomial[-1]] = float(coefficient)
    return matrix, float(qubo.offset)


def from_matrix(matrix: ArrayLike, offset: Any = 0, names: Sequence[str] | None = None, source: str = "matrix") -> Qubo:
    """The Qubo of ``x @ Q @ x + offset``.

    Args:
        matrix: square; upper triangular, or exactly symmetric, whose two halves then add up.
        offset: the energy of all zeros.
        names: of the variables; ``x0, x1, ...`` where None.
        source: what to call it in messages; rows and columns are counted from 1 there.

    Raises:
        InputError: not square, neither upper triangular nor symmetric, or an entry that is no finite number.
    """
    place = Place(source)
    entries = _square(matrix, place)
    upper, lower = np.triu(entries, 1), np.tril(entries, -1)
    if lower.any():
        unequal = np.argwhere(np.tril(entries != entries.T, -1))
        if len(unequal):
            i, j = map(int, unequal[0])
            raise Place(source, i + 1, j + 1).fault(
                f"asymmetric: {entries[i, j]:g} here, {entries[j, i]:g} at row {j + 1} column {i + 1}: "
                "give an upper triangular or a symmetric matrix"
            )
        with np.errstate(all="ignore"):
            upper = 2 * upper
        _check_finite(upper, place)
    size = len(entries)
    every = [f"x{i}" for i in range(size)] if names is None else list(names)
    if len(every) != size:
        raise InputError(f"{source}: {len(every)} names for {size} variables: give as many")
    terms: list[tuple[tuple[int, ...], Any]] = [((i,), w) for i, w in enumerate(np.diag(entries)) if w]
    terms += [((int(i), int(j)), upper[i, j]) for i, j in np.argwhere(upper)]
    return from_variables(every, [((), _number(offset, "offset")), *terms], spin=False)


def _square(matrix: ArrayLike, place: Place) -> NDArray[np.float64]:
    """A square array of finite floats."""
    try:
        given = np.asarray(matrix)
    except ValueError as error:
        raise place.fault("rows of different lengths: give a square matrix") from error
    if given.ndim != 2 or given.shape[0] != given.shape[1]:
        raise place.fault(f"shape {' x '.join(map(str, given.shape))}: give a square matrix")
    if not given.size:
        raise place.fault("empty: give a matrix of at least one variable")
    check_count(len(given), place)
    if given.dtype.kind in "biuf":
        with np.errstate(all="ignore"):
            entries = given.astype(np.float64)
    else:
        entries = np.array([[_entry(word, place, i, j) for j, word in enumerate(r)] for i, r in enumerate(given)])
    _check_finite(entries, place)
    return entries


def _check_finite(entries: NDArray[np.float64], place: Place) -> None:
    wrong = np.argwhere(~np.isfinite(entries))
    if len(wrong):
        i, j = map(int, wrong[0])
        raise Place(place.source, i + 1, j + 1).fault(f"{entries[i, j]}: give a finite number")


def _entry(word: Any, place: Place, row: int, column: int) -> float:
    try:
        if isinstance(word, complex):
            raise TypeError("complex")
        return float(word)
    except (TypeError, ValueError) as error:
        raise Place(place.source, row + 1, column + 1).fault(f"{str(word)[:24]!r} is not a number") from error
    except OverflowError:
        return math.inf


def _number(value: Any, what: str) -> Number:
    try:
        return plain(value)
    except (TypeError, ValueError) as error:
        raise InputError(f"the {what} is {str(value)[:24]!r}: give a number") from error


def _quadratic(qubo: Qubo) -> None:
    if not qubo.is_quadratic:
        raise UnsupportedError(f"a term has {qubo.degree} variables, here at most 2: write it as JSON or a polynomial")
