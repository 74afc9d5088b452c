"""The five constraint kinds every model is lowered to.

Each kind knows its scope, checks one assignment, and checks many at once:
``holds`` takes one integer array a variable (all of one shape) and returns a
boolean array of that shape.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gatesolve.model.trie import Trie

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

    ``source`` names the constraint the table was made from, for messages. ``joins`` says that presolve made it from
    constraints of different scopes: whoever lists its tuples does a part of the search.
    """

    variables: tuple[str, ...]
    tuples: tuple[tuple[int, ...], ...]
    source: str = ""
    joins: bool = field(default=False, compare=False)

    @property
    def scope(self) -> tuple[str, ...]:
        """Names of the variables the constraint reads."""
        return self.variables

    @cached_property
    def _trie(self) -> Trie:
        """The tuples, ready to be looked up; there is at least one."""
        return Trie.of(np.array(self.tuples, dtype=np.int64).reshape(len(self.tuples), len(self.variables)))

    def holds(self, columns: Columns) -> NDArray[np.bool_]:
        """Truth of the constraint on each row of ``columns``."""
        if not self.tuples:
            return np.zeros(np.broadcast_shapes(*(np.shape(columns[name]) for name in self.variables)), dtype=bool)
        return self._trie.begins([columns[name] for name in self.variables])

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
