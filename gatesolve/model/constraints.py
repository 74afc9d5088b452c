"""The five constraint kinds every model is lowered to.

Each kind knows its scope, checks one assignment, and checks many at once:
``holds`` takes one integer array a variable (all of one shape) and returns a
boolean array of that shape.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Relation = Literal["==", "!=", "<="]
Columns = Mapping[str, NDArray[np.int64]]


@dataclass(frozen=True)
class Linear:
    """``sum(coefficient * variable) relation bound`` over integers.

    ``terms`` holds ``(coefficient, variable)`` pairs, each variable once, no zero coefficient.
    """

    terms: tuple[tuple[int, str], ...]
    relation: Relation
    bound: int

    @property
    def scope(self) -> tuple[str, ...]:
        """Names of the variables the constraint reads."""
        return tuple(name for _, name in self.terms)

    def holds(self, columns: Columns) -> NDArray[np.bool_]:
        """Truth of the constraint on each row of ``columns``."""
        total = sum(c * columns[name] for c, name in self.terms)
        if self.relation == "==":
            return np.asarray(total == self.bound)
        if self.relation == "!=":
            return np.asarray(total != self.bound)
        return np.asarray(total <= self.bound)

    def __str__(self) -> str:
        left = " + ".join(name if c == 1 else f"{c}*{name}" for c, name in self.terms)
        return f"{left} {self.relation} {self.bound}"


@dataclass(frozen=True)
class NotEqual:
    """``left - right != offset``."""

    left: str
    right: str
    offset: int = 0

    @property
    def scope(self) -> tuple[str, ...]:
        """Names of the variables the constraint reads."""
        return (self.left, self.right)

    def holds(self, columns: Columns) -> NDArray[np.bool_]:
        """Truth of the constraint on each row of ``columns``."""
        return np.asarray(columns[self.left] - columns[self.right] != self.offset)

    def __str__(self) -> str:
        return f"{self.left} - {self.right} != {self.offset}" if self.offset else f"{self.left} != {self.right}"


@dataclass(frozen=True)
class AllDifferent:
    """All variables take pairwise different values."""

    variables: tuple[str, ...]

    @property
    def scope(self) -> tuple[str, ...]:
        """Names of the variables the constraint reads."""
        return self.variables

    def holds(self, columns: Columns) -> NDArray[np.bool_]:
        """Truth of the constraint on each row of ``columns``."""
        rows = np.sort(np.stack([columns[name] for name in self.variables]), axis=0)
        return np.asarray(np.all(rows[1:] != rows[:-1], axis=0))

    def __str__(self) -> str:
        return f"alldifferent({', '.join(self.variables)})"


@dataclass(frozen=True)
class Table:
    """The tuple of the variables' values is one of ``tuples`` (sorted, no repeats).

    ``source`` names the constraint the table was made from, for messages.
    """

    variables: tuple[str, ...]
    tuples: tuple[tuple[int, ...], ...]
    source: str = ""

    @property
    def scope(self) -> tuple[str, ...]:
        """Names of the variables the constraint reads."""
        return self.variables

    @cached_property
    def _ranges(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Smallest value and width of each column, and the sorted mixed-radix keys of the tuples."""
        array = np.array(self.tuples, dtype=np.int64).reshape(len(self.tuples), len(self.variables))
        low = array.min(axis=0)
        width = array.max(axis=0) - low + 1
        keys = np.zeros(len(array), dtype=np.int64)
        for k in range(array.shape[1]):
            keys = keys * width[k] + (array[:, k] - low[k])
        return low, width, np.sort(keys)

    def holds(self, columns: Columns) -> NDArray[np.bool_]:
        """Truth of the constraint on each row of ``columns``."""
        shape = np.broadcast_shapes(*(np.shape(columns[name]) for name in self.variables))
        if not self.tuples:
            return np.zeros(shape, dtype=bool)
        low, width, keys = self._ranges
        key = np.zeros(shape, dtype=np.int64)
        inside = np.ones(shape, dtype=bool)
        for k, name in enumerate(self.variables):
            digit = columns[name] - low[k]
            inside &= (digit >= 0) & (digit < width[k])
            key = key * width[k] + np.clip(digit, 0, width[k] - 1)
        place = np.minimum(np.searchsorted(keys, key), len(keys) - 1)
        return np.asarray(inside & (keys[place] == key))

    def __str__(self) -> str:
        return self.source or f"table({', '.join(self.variables)}; {len(self.tuples)} tuples)"


@dataclass(frozen=True)
class Clause:
    """At least one literal holds; a literal ``(variable, values)`` is ``variable in values``."""

    literals: tuple[tuple[str, frozenset[int]], ...]

    @property
    def scope(self) -> tuple[str, ...]:
        """Names of the variables the constraint reads."""
        return tuple(name for name, _ in self.literals)

    def holds(self, columns: Columns) -> NDArray[np.bool_]:
        """Truth of the constraint on each row of ``columns``."""
        shape = np.broadcast_shapes(*(np.shape(columns[name]) for name, _ in self.literals))
        true = np.zeros(shape, dtype=bool)
        for name, values in self.literals:
            true |= np.isin(columns[name], list(values))
        return true

    def __str__(self) -> str:
        return " | ".join(f"{name} in {sorted(values)}" for name, values in self.literals)


Constraint = Linear | NotEqual | AllDifferent | Table | Clause
