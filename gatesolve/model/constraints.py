"""The constraint kinds: five that every model of CPMpy's is lowered to, and the base that a new one derives from.

Each kind knows its scope and checks many assignments at once: ``holds`` takes one integer array a variable (all of one
shape) and returns a boolean array of that shape. With these and a ``str`` it is complete: whatever has no better way
for a kind lists its tuples.
"""

from __future__ import annotations

import math
import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from itertools import chain, combinations, pairwise
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gatesolve.errors import InfeasibleError, InputError
from gatesolve.extensions import cpmpy as cp

Array = NDArray[np.int64]
WORD = 1 << 63
"""An array of 64-bit integers holds the numbers from ``-WORD`` to ``WORD - 1``."""
Relation = Literal["==", "!=", "<="]
Columns = Mapping[str, NDArray[np.int64]]
Domains = Mapping[str, tuple[int, ...]]
COMPARE: Mapping[Relation, Callable[[Any, Any], Any]] = {"==": operator.eq, "!=": operator.ne, "<=": operator.le}
LISTED = 1 << 16
"""Most assignments that are listed to filter a constraint of a kind that has no filter of its own."""
Axis = tuple[Sequence[Any], Sequence[Any] | NDArray[Any]]
"""Names, and rows with a value for each; the rows may be bare values where there is one name."""


def find_places(ordered: Array, wanted: Array) -> tuple[Array, NDArray[np.bool_]]:
    """Return the place of each wanted number in a sorted array with at least one number, and whether it is there."""
    # The search returns the length for a number above all others.
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
            # Ranks are renumbered after each column, so keys stay below the square of the number of rows.
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


def combine_rows(axes: Sequence[Axis]) -> dict[Any, NDArray[Any]]:
    """Return the values of all names in all combinations of the rows of some tables, the last table's the fastest."""
    tables = [np.asarray(rows, getattr(rows, "dtype", np.int64)).reshape(len(rows), len(names)) for names, rows in axes]
    shape = tuple(map(len, tables))
    # Sparse indices broadcast, so only the result takes memory for every combination.
    places = np.indices(shape, sparse=True) if tables else ()
    return {
        name: np.broadcast_to(table[place, k], shape).reshape(-1)
        for (names, _), table, place in zip(axes, tables, places, strict=True)
        for k, name in enumerate(names)
    }


def tabulate(function: Callable[[Columns], NDArray[Any]], axes: Sequence[Axis]) -> NDArray[Any]:
    """Return the values of a function in all combinations of the rows of some tables, with an axis a table."""
    shape = tuple(len(rows) for _, rows in axes)
    return np.broadcast_to(function(combine_rows(axes)), (math.prod(shape),)).reshape(shape)


class Constraint(ABC):
    """Base class of every kind of constraint, a frozen dataclass; methods after the first two may be improved on."""

    @property
    @abstractmethod
    def scope(self) -> tuple[str, ...]:
        """Names of the variables the constraint reads."""

    @abstractmethod
    def holds(self, columns: Columns) -> NDArray[np.bool_]:
        """Truth of the constraint on each row of ``columns``."""

    def reach(self, most: Mapping[str, int]) -> int:
        """The largest number, by magnitude, that it is checked with, given the largest of each variable."""
        return 0

    def to_cpmpy(self, variables: Mapping[str, Any]) -> Any:
        """Return a CPMpy expression for the reference solver; None to give it the tuples in a table."""
        return None

    def filter(self, domains: Domains) -> dict[str, tuple[int, ...]]:
        """Consistent domains of variables in the scope; those that are not named stay as they are."""
        found = self._satisfying(domains)
        if found is None:
            return {}
        return {name: tuple(np.unique(column).tolist()) for name, column in found.items()}

    def restrict(self, domains: Domains) -> Constraint | None:
        """The constraint over the variables that still have a choice, None where all assignments satisfy it.

        Raises:
            InfeasibleError: none does.
        """
        scope = dict.fromkeys(self.scope)
        found = self._satisfying(domains)
        if found is not None:
            number = len(next(iter(found.values()))) if found else int(self.holds({}))
            if number == 0:
                raise InfeasibleError(f"constraint '{self}' cannot hold")
            # Every assignment satisfies it, so nothing is left to check.
            if number == math.prod(len(domains[name]) for name in scope):
                return None
        fixed = tuple((name, domains[name][0]) for name in scope if len(domains[name]) == 1)
        return self.substitute(fixed) if fixed else self

    def substitute(self, values: tuple[tuple[str, int], ...]) -> Constraint:
        """The constraint with some variables fixed."""
        return Substituted(self, values)

    def _satisfying(self, domains: Domains) -> Columns | None:
        """The assignments of the scope that satisfy it, None where there are too many to try."""
        names = list(dict.fromkeys(self.scope))
        if math.prod(len(domains[name]) for name in names) > LISTED:
            return None
        # One axis for all names with one value, as arrays have at most 64.
        fixed = tuple(name for name in names if len(domains[name]) == 1)
        axes: list[Axis] = [((name,), domains[name]) for name in names if len(domains[name]) != 1]
        axes += [(fixed, [tuple(domains[name][0] for name in fixed)])] if fixed else []
        kept = tabulate(self.holds, axes).reshape(-1)
        return {name: column[kept] for name, column in combine_rows(axes).items()}


@dataclass(frozen=True)
class Substituted(Constraint):
    """A constraint with some of its variables fixed."""

    constraint: Constraint
    values: tuple[tuple[str, int], ...]

    @property
    def scope(self) -> tuple[str, ...]:
        return tuple(name for name in self.constraint.scope if name not in dict(self.values))

    def holds(self, columns: Columns) -> NDArray[np.bool_]:
        shape = np.broadcast_shapes(*(np.shape(columns[name]) for name in self.scope))
        fixed = {name: np.full(shape, value, dtype=np.int64) for name, value in self.values}
        return self.constraint.holds({**{name: columns[name] for name in self.scope}, **fixed})

    def reach(self, most: Mapping[str, int]) -> int:
        return self.constraint.reach({**most, **{name: abs(value) for name, value in self.values}})

    def to_cpmpy(self, variables: Mapping[str, Any]) -> Any:
        return self.constraint.to_cpmpy({**variables, **dict(self.values)})

    def filter(self, domains: Domains) -> dict[str, tuple[int, ...]]:
        found = self.constraint.filter({**domains, **{name: (value,) for name, value in self.values}})
        if not all(found.values()):
            return dict.fromkeys(self.scope, ())
        return {name: values for name, values in found.items() if name not in dict(self.values)}

    def substitute(self, values: tuple[tuple[str, int], ...]) -> Constraint:
        return self.constraint.substitute((*self.values, *values))

    def __str__(self) -> str:
        return f"{self.constraint} with {', '.join(f'{name} = {value}' for name, value in self.values)}"


@dataclass(frozen=True)
class Linear(Constraint):
    """``sum(coefficient * variable) relation bound`` over integers.

    ``terms`` holds ``(coefficient, variable)`` pairs, each variable once, no zero coefficient.
    """

    terms: tuple[tuple[int, str], ...]
    relation: Relation
    bound: int

    def __post_init__(self) -> None:
        if self.relation not in COMPARE:
            raise InputError(f"unknown relation {self.relation!r}: choose one of {', '.join(COMPARE)}")

    @property
    def scope(self) -> tuple[str, ...]:
        return tuple(name for _, name in self.terms)

    def holds(self, columns: Columns) -> NDArray[np.bool_]:
        return np.asarray(self.compare(sum(c * columns[name] for c, name in self.terms)))

    def compare(self, total: Any) -> Any:
        """``total relation bound`` of a number, an array or an expression."""
        return COMPARE[self.relation](total, self.bound)

    @property
    def opposite(self) -> Linear:
        """Return the relation that holds where this one does not."""
        if self.relation == "<=":
            # Over integers, not (s <= b) is s >= b + 1, which is -s <= -b - 1.
            return Linear(tuple((-c, name) for c, name in self.terms), "<=", -self.bound - 1)
        return replace(self, relation="==" if self.relation == "!=" else "!=")

    def reach(self, most: Mapping[str, int]) -> int:
        return sum(abs(c) * max(most[name], 1) for c, name in self.terms) + abs(self.bound)

    def to_cpmpy(self, variables: Mapping[str, Any]) -> Any:
        if not self.terms:
            return cp.BoolVal(bool(self.holds({})))
        return self.compare(cp.sum([c * variables[name] for c, name in self.terms]))

    def __str__(self) -> str:
        left = " + ".join(name if c == 1 else f"{c}*{name}" for c, name in self.terms)
        return f"{left} {self.relation} {self.bound}"


@dataclass(frozen=True)
class NotEqual(Constraint):
    """``left - right != offset``."""

    left: str
    right: str
    offset: int = 0

    @property
    def scope(self) -> tuple[str, ...]:
        return (self.left, self.right)

    def holds(self, columns: Columns) -> NDArray[np.bool_]:
        return np.asarray(columns[self.left] - columns[self.right] != self.offset)

    def reach(self, most: Mapping[str, int]) -> int:
        return abs(self.offset)

    @property
    def as_linear(self) -> Linear:
        """Return the constraint as a sum."""
        return Linear(((1, self.left), (-1, self.right)), "!=", self.offset)

    @property
    def opposite(self) -> Linear:
        """Return the relation that holds where this one does not."""
        return self.as_linear.opposite

    def to_cpmpy(self, variables: Mapping[str, Any]) -> Any:
        return variables[self.left] - variables[self.right] != self.offset

    def __str__(self) -> str:
        return f"{self.left} - {self.right} != {self.offset}" if self.offset else f"{self.left} != {self.right}"


@dataclass(frozen=True)
class AllDifferent(Constraint):
    """All variables, each plus its offset, take pairwise different values; no offsets stands for zeros."""

    variables: tuple[str, ...]
    offsets: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.offsets and len(self.offsets) != len(self.variables):
            raise InputError(f"{len(self.offsets)} offsets for {len(self.variables)} variables: give one each, or none")

    @property
    def scope(self) -> tuple[str, ...]:
        return self.variables

    @property
    def shifted(self) -> list[tuple[str, int]]:
        """Each variable with its offset."""
        return list(zip(self.variables, self.offsets or [0] * len(self.variables), strict=True))

    @property
    def pairs(self) -> list[NotEqual]:
        """Return the constraint as disequalities."""
        return [NotEqual(a, b, q - p) for (a, p), (b, q) in combinations(self.shifted, 2)]

    def among(self, names: Iterable[str]) -> AllDifferent:
        """Return the constraint over some of its variables."""
        shifts, kept = dict(self.shifted), tuple(names)
        return AllDifferent(kept, tuple(shifts[name] for name in kept) if self.offsets else ())

    def holds(self, columns: Columns) -> NDArray[np.bool_]:
        rows = [columns[name] + shift for name, shift in self.shifted]
        # A search checks single assignments by the hundred, for which a set is faster than NumPy.
        if rows and all(row.ndim == 0 for row in rows):
            return np.asarray(len(set(map(int, rows))) == len(rows))
        if not rows or not rows[0].size:
            return np.ones(np.shape(rows[0]) if rows else (), dtype=bool)
        low, high = min(int(row.min()) for row in rows), max(int(row.max()) for row in rows)
        if high - low < 64:
            # A bit a value: many times faster than sorting.
            seen = reduce(np.bitwise_or, [np.uint64(1) << (row - low).astype(np.uint64) for row in rows])
            return np.asarray(np.bitwise_count(seen) == len(rows))
        ordered = np.sort(np.stack(rows), axis=0)
        return np.asarray(np.all(ordered[1:] != ordered[:-1], axis=0))

    def reach(self, most: Mapping[str, int]) -> int:
        return max((most[name] + abs(shift) for name, shift in self.shifted if shift), default=0)

    def to_cpmpy(self, variables: Mapping[str, Any]) -> Any:
        parts = [variables[name] + shift if shift else variables[name] for name, shift in self.shifted]
        return cp.AllDifferent(parts) if len(parts) > 1 else cp.BoolVal(True)

    def __str__(self) -> str:
        parts = (f"{name} {'-+'[shift > 0]} {abs(shift)}" if shift else name for name, shift in self.shifted)
        return f"alldifferent({', '.join(parts)})"


@dataclass(frozen=True)
class Table(Constraint):
    """The tuple of the variables' values is one of ``tuples`` (sorted, no repeats).

    ``source`` names the constraint from which the table was made, for messages. ``joins`` is true if it was made from
    several, so that listing its tuples is a part of the search. ``rule`` is a constraint that holds on the same
    assignments of the model's domains, and from which a circuit for the table can be made.
    """

    variables: tuple[str, ...]
    tuples: tuple[tuple[int, ...], ...]
    source: str = ""
    joins: bool = field(default=False, compare=False)
    rule: Constraint | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        for row in self.tuples:
            if len(row) != len(self.variables):
                raise InputError(f"a row of '{self}' has {len(row)} values: give one for each of its variables")

    @property
    def scope(self) -> tuple[str, ...]:
        return self.variables

    @cached_property
    def rows(self) -> NDArray[np.int64]:
        """The tuples as an array, one a row."""
        try:
            return np.array(self.tuples, dtype=np.int64).reshape(len(self.tuples), len(self.variables))
        except OverflowError as error:
            raise InputError(f"'{self}' has numbers beyond 2^63: leave out their rows") from error

    @cached_property
    def parts(self) -> tuple[Constraint, ...]:
        """The constraints that it stands for: itself, unless it was made by `join`."""
        return (self,)

    def join(self, members: Iterable[Constraint]) -> Table:
        """Return one table for all that ``members`` stand for, where that is several constraints."""
        every = (member.parts if isinstance(member, Table) else (member,) for member in members)
        parts = tuple(dict.fromkeys(chain.from_iterable(every)))
        if len(parts) == 1:
            return self
        joined = replace(self, joins=True)
        joined.__dict__["parts"] = parts  # no field: tables of the same tuples are equal, however they were made
        return joined

    @cached_property
    def _trie(self) -> Trie:
        return Trie.of(self.rows)

    def holds(self, columns: Columns) -> NDArray[np.bool_]:
        if not self.tuples:
            return np.zeros(np.broadcast_shapes(*(np.shape(columns[name]) for name in self.variables)), dtype=bool)
        return self._trie.begins([columns[name] for name in self.variables])

    def to_cpmpy(self, variables: Mapping[str, Any]) -> Any:
        return table_to_cpmpy([variables[name] for name in self.variables], self.tuples)

    def __str__(self) -> str:
        return self.source or f"table({', '.join(self.variables)}; {len(self.tuples)} tuples)"


@dataclass(frozen=True)
class Clause(Constraint):
    """At least one literal holds; a literal ``(variable, values)`` is ``variable in values``."""

    literals: tuple[tuple[str, frozenset[int]], ...]

    @property
    def scope(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.literals)

    def holds(self, columns: Columns) -> NDArray[np.bool_]:
        shape = np.broadcast_shapes(*(np.shape(columns[name]) for name, _ in self.literals))
        true = np.zeros(shape, dtype=bool)
        for name, values in self.literals:
            true |= is_among(columns[name], values)
        return true

    def to_cpmpy(self, variables: Mapping[str, Any]) -> Any:
        merged = merge_literals(self.literals)
        if len(merged) == 1 and (chosen := next(iter(merged.items())))[1]:
            # OR-Tools 9.15 loses solutions of an OR of equations of one variable beside a table
            return members_to_cpmpy(variables[chosen[0]], chosen[1])
        return cp.any([variables[name] == v for name, values in self.literals for v in sort_values(values).tolist()])

    def __str__(self) -> str:
        return " | ".join(f"{name} in {sorted(values)}" for name, values in self.literals)


def merge_literals(literals: Iterable[tuple[str, frozenset[int]]]) -> dict[str, frozenset[int]]:
    """The literals of a clause with each variable once."""
    merged: dict[str, frozenset[int]] = {}
    for name, values in literals:
        merged[name] = merged.get(name, frozenset()) | values
    return merged


def make_clause(literals: Iterable[tuple[str, frozenset[int]]], domains: Domains) -> Clause | bool:
    """The clause of these literals inside the domains; a truth value when nothing is left to decide."""
    inside = {name: values.intersection(domains[name]) for name, values in merge_literals(literals).items()}
    if any(len(values) == len(domains[name]) for name, values in inside.items()):
        return True
    left = tuple((name, values) for name, values in inside.items() if values)
    return Clause(left) if left else False


def shift_all_different(shifts: Mapping[str, int]) -> Constraint | None:
    """All different of variables plus offsets; a disequality for two, and None for fewer."""
    # Only differences matter. Offsets start at 0, so that equal constraints are equal objects.
    least = min(shifts.values(), default=0)
    offsets = tuple(shift - least for shift in shifts.values())
    found = AllDifferent(tuple(shifts), offsets if any(offsets) else ())
    return found if len(shifts) > 2 else next(iter(found.pairs), None)


def table_to_cpmpy(variables: Sequence[Any], tuples: Sequence[tuple[int, ...]]) -> Any:
    """A table of CPMpy's, or a truth value where it has no column or no row."""
    if not tuples or not variables:
        return cp.BoolVal(bool(tuples))
    return cp.Table(list(variables), [list(row) for row in tuples])


def members_to_cpmpy(variable: Any, values: Iterable[int]) -> Any:
    """Return that a variable is one of some values, as CPMpy takes it.

    CPMpy's own ``InDomain`` lists every number between the bounds of the variable.
    """
    kept = sort_values(values).tolist()
    gaps = [(variable <= low) | (variable >= high) for low, high in pairwise(kept) if high - low > 1]
    return cp.all([variable >= kept[0], variable <= kept[-1], *gaps]) if kept else cp.BoolVal(False)
