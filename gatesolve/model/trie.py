"""Membership of many rows in a set of tuples, or of their beginnings, column by column."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.int64]
WORD = 1 << 63
"""An array of 64-bit integers holds the numbers from ``-WORD`` to ``WORD - 1``."""


def find_places(ordered: Array, wanted: Array) -> tuple[Array, NDArray[np.bool_]]:
    """Return the place of each wanted number in a sorted array with at least one number, and whether it is there."""
    places = np.minimum(np.searchsorted(ordered, wanted), len(ordered) - 1)
    return places, np.asarray(ordered[places] == wanted)


def sort_values(values: Iterable[int]) -> Array:
    """Return some values that 64-bit integers hold, each once and ascending; no column holds the others.

    NumPy keeps values of 2^63 and beyond as floats, which are rounded.
    """
    return np.array(sorted({value for value in values if -WORD <= value < WORD}), dtype=np.int64)


def is_among(column: Array, values: Iterable[int]) -> NDArray[np.bool_]:
    """Return whether each number of a column is one of some values."""
    return np.isin(column, sort_values(values))


@dataclass(frozen=True)
class Trie:
    """A set of tuples as two sorted arrays a column: the values, and the keys.

    A key joins the rank of a tuple's beginning among all beginnings with the rank of the next value among the
    column's values. A key is below the square of the number of tuples, however large the values are.
    """

    values: tuple[Array, ...]
    keys: tuple[Array, ...]

    @staticmethod
    def of(rows: Array) -> Trie:
        """Return the trie of the rows of a two-dimensional array with at least one row."""
        rank = np.zeros(len(rows), dtype=np.int64)
        values, keys = list[Array](), list[Array]()
        for column in rows.T:
            distinct, places = np.unique(column, return_inverse=True)
            found, rank = np.unique(rank * len(distinct) + places, return_inverse=True)
            values.append(distinct)
            keys.append(found)
        return Trie(tuple(values), tuple(keys))

    def begins(self, columns: Sequence[Array]) -> NDArray[np.bool_]:
        """Return whether the tuples made of the columns, as many as given, begin a tuple of the set."""
        shape = np.broadcast_shapes(*(np.shape(column) for column in columns))
        rank = np.zeros(shape, dtype=np.int64)
        inside = np.ones(shape, dtype=bool)
        for column, values, keys in zip(columns, self.values, self.keys, strict=False):
            places, known = find_places(values, column)
            rank, seen = find_places(keys, rank * len(values) + places)
            inside &= known & seen
        return inside
