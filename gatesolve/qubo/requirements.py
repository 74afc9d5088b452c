"""Constraints that are penalised together, and what other constraints say about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from gatesolve.model.constraints import Constraint, Linear
from gatesolve.model.model import Model


@dataclass(frozen=True)
class Requirement:
    """Constraints that are penalised together: they read the same sum, or there is just one.

    Attributes:
        constraints: all of them are to hold.
        most: no solution of the model has more than this many of the scope's 0/1 variables set, by other
            constraints; None where nothing is known.
    """

    constraints: tuple[Constraint, ...]
    most: int | None = None

    @property
    def scope(self) -> tuple[str, ...]:
        """The variables read."""
        return tuple(dict.fromkeys(name for c in self.constraints for name in c.scope))

    def __str__(self) -> str:
        return " and ".join(str(c) for c in self.constraints)


def list_requirements(model: Model) -> list[Requirement]:
    """The model's constraints, each once; linear ones that bound the same sum from both sides are one requirement."""
    groups: dict[object, list[Constraint]] = {}
    for constraint in dict.fromkeys(model.constraints):
        key = orient_terms(constraint) if isinstance(constraint, Linear) and constraint.terms else constraint
        groups.setdefault(key, []).append(constraint)
    limits = _limits(model)
    return [Requirement(tuple(c), _most(frozenset(c[0].scope), model, limits)) for c in groups.values()]


def orient_terms(constraint: Linear) -> tuple[tuple[int, str], ...]:
    """The terms of a linear constraint in a standard order and sign."""
    terms = tuple(sorted(constraint.terms, key=lambda term: term[1]))
    return terms if terms[0][0] > 0 else tuple((-c, name) for c, name in terms)


def _limits(model: Model) -> list[tuple[frozenset[str], int]]:
    """Sets of 0/1 variables of which at most one or two may be set."""
    found = []
    for c in model.constraints:
        if isinstance(c, Linear) and c.relation != "!=" and 1 <= c.bound <= 2 and all(k == 1 for k, _ in c.terms):
            scope = frozenset(c.scope)
            found += [(scope, c.bound)] if all(model.domains[name] == (0, 1) for name in scope) else []
    return found


def _most(scope: frozenset[str], model: Model, limits: Sequence[tuple[frozenset[str], int]]) -> int | None:
    """At most one or two of ``scope``: by one limit that holds all of it, or two that share it."""
    if len(scope) < 3 or any(model.domains[name] != (0, 1) for name in scope):
        return None
    if known := [bound for names, bound in limits if scope <= names]:
        return min(known)
    ones = {names & scope for names, bound in limits if bound == 1 and names & scope}
    for first, second in combinations(sorted(ones, key=len, reverse=True), 2):
        if first | second == scope:
            return 2
    return None
