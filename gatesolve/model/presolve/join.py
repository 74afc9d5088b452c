"""The natural join of two tables, counted before it is built."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gatesolve.model.constraints import Table


def join_tables(left: Table, right: Table, names: Sequence[str], limit: int) -> tuple[tuple[int, ...], ...] | None:
    """Rows that agree with both tables, cut to the columns ``names``, ascending and distinct.

    None when the join has more than ``limit`` rows before it is cut.
    """
    shared = [name for name in left.variables if name in right.variables]
    left_keys, right_keys = _keys(left.rows[:, _places(left, shared)], right.rows[:, _places(right, shared)])
    size = max(left_keys.max(initial=0), right_keys.max(initial=0)) + 1
    matches = np.bincount(right_keys, minlength=size)
    if int(matches[left_keys].sum()) > limit:
        return None
    # every left row beside each right row with its key: those lie together once sorted by key
    order = np.argsort(right_keys, kind="stable")
    starts = np.cumsum(matches) - matches
    counts = matches[left_keys]
    from_left = np.repeat(np.arange(len(left.rows)), counts)
    within = np.arange(len(from_left)) - np.repeat(np.cumsum(counts) - counts, counts)
    from_right = order[np.repeat(starts[left_keys], counts) + within]
    columns = [
        left.rows[from_left, left.variables.index(name)]
        if name in left.variables
        else right.rows[from_right, right.variables.index(name)]
        for name in names
    ]
    return tuple(sorted({tuple(row) for row in np.column_stack(columns).tolist()}))


def _places(table: Table, names: Sequence[str]) -> list[int]:
    return [table.variables.index(name) for name in names]


def _keys(left: NDArray[np.int64], right: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """One number a row, the same for equal rows of either array."""
    _, keys = np.unique(np.concatenate([left, right]), axis=0, return_inverse=True)
    flat = keys.reshape(-1)
    return flat[: len(left)], flat[len(left) :]
