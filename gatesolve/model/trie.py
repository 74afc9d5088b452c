"""Membership of many rows in a set of tuples, or of their beginnings, column by column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.int64]


@dataclass(frozen=True)
class Trie:
    """A set of tuples as one sorted array of keys a column.

    A key joins the rank of a tuple's beginning among all beginnings with the next
    value, so keys stay small however many columns there are.
    """

    lows: tuple[int, ...]
    widths: tuple[int, ...]
    keys: tuple[Array, ...]

    @staticmethod
    def of(rows: Array) -> Trie:
        """The trie of the rows of a two-dimensional array with at least one row."""
        lows = rows.min(axis=0)
        widths = rows.max(axis=0) - lows + 1
        rank = np.zeros(len(rows), dtype=np.int64)
        keys = []
        for k in range(rows.shape[1]):
            distinct, rank = np.unique(rank * widths[k] + rows[:, k] - lows[k], return_inverse=True)
            keys.append(distinct)
        return Trie(tuple(lows.tolist()), tuple(widths.tolist()), tuple(keys))

    def begins(self, columns: Sequence[Array]) -> NDArray[np.bool_]:
        """Whether the tuples made of the columns, as many as given, begin a tuple of the set."""
        shape = np.broadcast_shapes(*(np.shape(column) for column in columns))
        rank = np.zeros(shape, dtype=np.int64)
        inside = np.ones(shape, dtype=bool)
        for column, low, width, keys in zip(columns, self.lows, self.widths, self.keys, strict=False):
            digit = column - low
            inside &= (digit >= 0) & (digit < width)
            key = rank * width + np.clip(digit, 0, width - 1)
            rank = np.minimum(np.searchsorted(keys, key), len(keys) - 1)
            inside &= keys[rank] == key
        return inside
