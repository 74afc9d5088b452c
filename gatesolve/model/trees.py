"""Constraints made of terms and of other constraints: comparisons, connectives, all-different over terms."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gatesolve.errors import InputError
from gatesolve.extensions import cpmpy as cp
from gatesolve.model.affine import Affine, make_relation
from gatesolve.model.constraints import (
    COMPARE,
    Clause,
    Columns,
    Constraint,
    Domains,
    Relation,
    Table,
    is_among,
    sort_values,
)
from gatesolve.model.terms import Apply, Composed, Sum, Term, Value, add_terms, is_partial, to_number

MOST_APART = 64
"""Comparisons into which one with maxima and absolute values is taken apart."""


class Tree(Composed, Constraint):
    """A constraint with parts, which are terms or constraints."""

    @abstractmethod
    def evaluate(self, columns: Columns) -> NDArray[np.bool_]:
        """Truth on each row; one for all rows where it is the same."""

    def holds(self, columns: Columns) -> NDArray[np.bool_]:
        shape = np.broadcast_shapes(*(np.shape(columns[name]) for name in self.scope))
        return np.broadcast_to(self.evaluate(columns), shape)

    def reach(self, most: Mapping[str, int]) -> int:
        return max((part.reach(most) for part in self.parts), default=0)


@dataclass(frozen=True)
class Compare(Tree):
    """``term relation 0``; broken where the term has no value."""

    part_field = "term"
    term: Term
    relation: Relation

    def evaluate(self, columns: Columns) -> NDArray[np.bool_]:
        value, known = self.term.values(columns)
        return np.asarray(COMPARE[self.relation](value, 0) & known)

    def to_cpmpy(self, variables: Mapping[str, Any]) -> Any:
        return _as_expression(COMPARE[self.relation](self.term.to_cpmpy(variables), 0))

    def __str__(self) -> str:
        return f"{self.term} {self.relation} 0"


@dataclass(frozen=True)
class Within(Tree):
    """The term's value is one of ``values``."""

    part_field = "term"
    term: Term
    values: frozenset[int]

    def evaluate(self, columns: Columns) -> NDArray[np.bool_]:
        value, known = self.term.values(columns)
        return np.asarray(is_among(value, self.values) & known)

    def to_cpmpy(self, variables: Mapping[str, Any]) -> Any:
        return _as_expression(cp.any([self.term.to_cpmpy(variables) == v for v in sort_values(self.values).tolist()]))

    def __str__(self) -> str:
        return f"{self.term} in {sorted(self.values)}"


@dataclass(frozen=True)
class AllOf(Tree):
    """All of some constraints hold."""

    part_field = "constraints"
    constraints: tuple[Constraint, ...]

    def evaluate(self, columns: Columns) -> NDArray[np.bool_]:
        return np.asarray(reduce(np.logical_and, (c.holds(columns) for c in self.constraints), np.asarray(True)))

    def to_cpmpy(self, variables: Mapping[str, Any]) -> Any:
        return _as_expression(cp.all([c.to_cpmpy(variables) for c in self.constraints]))

    def rebuild(self, parts: Sequence[Any]) -> Constraint:
        return all_of(parts)

    def __str__(self) -> str:
        return " & ".join(f"({c})" for c in self.constraints) or "true"


@dataclass(frozen=True)
class Not(Tree):
    """A constraint does not hold."""

    part_field = "constraint"
    constraint: Constraint

    def evaluate(self, columns: Columns) -> NDArray[np.bool_]:
        return np.asarray(~self.constraint.holds(columns))

    def to_cpmpy(self, variables: Mapping[str, Any]) -> Any:
        found = self.constraint.to_cpmpy(variables)
        return not found if isinstance(found, bool) else ~found  # of no literals it is Python's own False

    def rebuild(self, parts: Sequence[Any]) -> Constraint:
        return negate(parts[0])

    def __str__(self) -> str:
        if isinstance(self.constraint, AllOf):
            return " | ".join(f"({negate(c)})" for c in self.constraint.constraints) or "false"
        return f"not ({self.constraint})"


@dataclass(frozen=True)
class OddOf(Tree):
    """An odd number of some constraints hold: their exclusive or."""

    part_field = "constraints"
    constraints: tuple[Constraint, ...]

    def evaluate(self, columns: Columns) -> NDArray[np.bool_]:
        return np.asarray(reduce(np.logical_xor, (c.holds(columns) for c in self.constraints), np.asarray(False)))

    def to_cpmpy(self, variables: Mapping[str, Any]) -> Any:
        parts, utils = [c.to_cpmpy(variables) for c in self.constraints], cp.expressions.utils
        free = [one for one in parts if not utils.is_true_cst(one) and not utils.is_false_cst(one)]
        is_odd = sum(map(utils.is_true_cst, parts)) % 2 == 1  # CPMpy does not see that a Xor of fixed ones is fixed
        if not free:
            return cp.BoolVal(is_odd)
        return ~cp.Xor(free) if is_odd else cp.Xor(free)

    def __str__(self) -> str:
        return f"odd({', '.join(map(str, self.constraints))})"


@dataclass(frozen=True)
class NoDigit(Tree):
    """A binary digit of ``term - low`` is 0: what is paid for a number, digit by digit; ``low`` is its least value."""

    part_field = "term"
    term: Term
    low: int
    place: int

    def __post_init__(self) -> None:
        if not 0 <= self.place < 64:
            raise InputError(f"a binary digit at place {self.place}: give a place from 0 to 63")

    def evaluate(self, columns: Columns) -> NDArray[np.bool_]:
        value, known = self.term.values(columns)
        return np.asarray(((value - self.low) >> self.place) & 1 == 0) & known

    def reach(self, most: Mapping[str, int]) -> int:
        return self.term.reach(most) + abs(self.low)

    def to_cpmpy(self, variables: Mapping[str, Any]) -> Any:
        ranges = {name: cp.expressions.utils.get_bounds(variables[name]) for name in self.scope}
        least = self.term.bounds(ranges)[0] - self.low
        # whole turns keep the digit, and CPMpy's quotients of negative numbers round the other way
        turns = -(min(int(least), 0) >> self.place + 1)
        shifted = cp.sum([self.term.to_cpmpy(variables), (turns << self.place + 1) - self.low])
        return _as_expression(shifted // 2**self.place % 2 == 0)

    def __str__(self) -> str:
        return f"no digit {self.place} of {self.term} - {self.low}"


@dataclass(frozen=True)
class Distinct(Tree):
    """The values of some terms are pairwise different."""

    part_field = "terms"
    terms: tuple[Term, ...]

    def evaluate(self, columns: Columns) -> NDArray[np.bool_]:
        found = [term.values(columns) for term in self.terms]
        true = reduce(np.logical_and, (known for _, known in found), np.asarray(True))
        for (left, _), (right, _) in combinations(found, 2):
            true = true & (left != right)
        return np.asarray(true)

    def to_cpmpy(self, variables: Mapping[str, Any]) -> Any:
        if len(self.terms) < 2 and not any(map(is_partial, self.terms)):
            return cp.BoolVal(True)
        # CPMpy hands a truth value that turns out fixed to OR-Tools, which takes numbers only
        return cp.AllDifferent([to_number(term.to_cpmpy(variables)) for term in self.terms])

    def __str__(self) -> str:
        return f"alldifferent({', '.join(map(str, self.terms))})"


def _as_expression(value: Any) -> Any:
    """A truth value of Python's as CPMpy's."""
    return cp.BoolVal(bool(value)) if isinstance(value, (bool, np.bool_)) else value


TRUE, FALSE = AllOf(()), Not(AllOf(()))


def negate(constraint: Constraint) -> Constraint:
    """The constraint that holds where another does not."""
    return constraint.constraint if isinstance(constraint, Not) else Not(constraint)


def all_of(constraints: Sequence[Constraint]) -> Constraint:
    """All of some constraints, each once, those within further conjunctions too."""
    kept: dict[Constraint, None] = {}
    for one in constraints:
        kept |= dict.fromkeys(one.constraints if isinstance(one, AllOf) else (one,))
    # A constraint and its negation together never hold.
    if FALSE in kept or any(negate(one) in kept for one in kept):
        return FALSE
    return next(iter(kept)) if len(kept) == 1 else AllOf(tuple(kept))


def any_of(constraints: Sequence[Constraint]) -> Constraint:
    """One of some constraints at least."""
    return negate(all_of([negate(one) for one in constraints]))


def list_rows(table: Table) -> Constraint:
    """Return a table's rows one by one, as an exclusive or."""
    # At most one row holds, so "an odd number" means "one", and XOR is free on wires.
    pairs = (zip(table.variables, row, strict=True) for row in table.tuples)
    return OddOf(tuple(all_of([Clause(((name, frozenset({v})),)) for name, v in row]) for row in pairs))


def as_affine(term: Term) -> Affine | None:
    """The term as a weighted sum of variables, where it is one."""
    terms = term.terms if isinstance(term, Sum) else ((1, term),)
    if not all(isinstance(part, Value) for _, part in terms):
        return None
    constant = term.constant if isinstance(term, Sum) else 0
    return Affine(tuple((weight, part.name) for weight, part in terms if isinstance(part, Value)), constant)


def compare(term: Term, relation: str, domains: Domains) -> Constraint:
    """Return ``term relation 0`` for any of six relations, maxima and absolute values taken apart where possible."""
    if relation in (">", ">="):
        return compare(add_terms([(-1, term)]), "<" if relation == ">" else "<=", domains)
    if relation == "<":
        return compare(add_terms([(1, term)], 1), "<=", domains)
    form = as_affine(term)
    if form is not None:
        found = make_relation(form, relation, domains)
        return found if isinstance(found, Constraint) else TRUE if found else FALSE
    if relation == "<=":
        # A maximum is at most a bound if all its values are, and an absolute value if both signs are.
        pairs = term.terms if isinstance(term, Sum) else ((1, term),)
        apart = [
            (weight, part)
            for weight, part in pairs
            if isinstance(part, Apply) and part.function in ("max", "abs") and not is_partial(part)
        ]
        # Each of them multiplies the number of comparisons.
        if apart and math.prod(max(2, len(part.arguments)) for _, part in apart) <= MOST_APART:
            return _take_apart(term, *apart[0], domains)
    kept: Relation = "==" if relation == "==" else "!=" if relation == "!=" else "<="
    return Compare(term, kept)


def _take_apart(term: Term, weight: int, part: Apply, domains: Domains) -> Constraint:
    options = part.arguments if part.function == "max" else [add_terms([(s, part.arguments[0])]) for s in (1, -1)]
    # A positive weight needs every option below the bound; with a negative one, a single option is enough.
    rest = add_terms([(1, term), (-weight, part)])
    each = [compare(add_terms([(1, rest), (weight, option)]), "<=", domains) for option in options]
    return all_of(each) if weight > 0 else any_of(each)
