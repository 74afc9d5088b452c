"""A constraint on narrowed domains: fixed variables substituted, None when it always holds."""

from __future__ import annotations

import math

from gatesolve.errors import InfeasibleError
from gatesolve.model import AllDifferent, Clause, Constraint, Linear, NotEqual, Table
from gatesolve.model.affine import Affine, make_relation
from gatesolve.model.constraints import Domains


def restrict(constraint: Constraint, domains: Domains) -> Constraint | None:
    """The constraint over the variables that still have a choice.

    Args:
        constraint: any constraint, its scope already filtered by it.
        domains: narrowed domains.

    Returns:
        A constraint with the same solutions inside the domains, or None when all satisfy it.

    Raises:
        InfeasibleError: the fixed values break it.
    """
    if isinstance(constraint, Table):
        return _table(constraint, domains)
    if isinstance(constraint, AllDifferent):
        return _all_different(constraint, domains)
    if isinstance(constraint, Clause):
        return _clause(constraint, domains)
    if isinstance(constraint, NotEqual):
        terms = ((1, constraint.left), (-1, constraint.right))
        return _linear(Linear(terms, "!=", constraint.offset), constraint, domains)
    if isinstance(constraint, Linear):
        return _linear(constraint, constraint, domains)
    return constraint.restrict(domains)


def _linear(linear: Linear, source: Constraint, domains: Domains) -> Constraint | None:
    fixed = sum(c * domains[name][0] for c, name in linear.terms if len(domains[name]) == 1)
    free = tuple((c, name) for c, name in linear.terms if len(domains[name]) > 1)
    found = make_relation(Affine(free, fixed - linear.bound), linear.relation, domains)
    if isinstance(found, bool):
        if not found:
            raise InfeasibleError(f"constraint '{source}' cannot hold")
        return None
    if isinstance(found, NotEqual):
        right = set(domains[found.right])
        return found if any(v - found.offset in right for v in domains[found.left]) else None
    return found


def _table(table: Table, domains: Domains) -> Table | None:
    inside = [set(domains[name]) for name in table.variables]
    alive = [row for row in table.tuples if all(v in s for v, s in zip(row, inside, strict=True))]
    if not alive:
        raise InfeasibleError(f"constraint '{table}' cannot hold")
    free = [k for k, values in enumerate(inside) if len(values) > 1]
    tuples = tuple(sorted({tuple(row[k] for k in free) for row in alive}))
    if len(tuples) == math.prod(len(inside[k]) for k in free):
        return None
    return Table(tuple(table.variables[k] for k in free), tuples, table.source, table.joins)


def _all_different(constraint: AllDifferent, domains: Domains) -> Constraint | None:
    """Fixed values are already gone from the other domains, so fixed variables just leave."""
    names = [name for name in constraint.variables if len(domains[name]) > 1]
    counts: dict[int, int] = {}
    for v in (v for name in names for v in domains[name]):
        counts[v] = counts.get(v, 0) + 1
    names = [name for name in names if any(counts[v] > 1 for v in domains[name])]
    if len(names) < 2:
        return None
    return NotEqual(names[0], names[1]) if len(names) == 2 else AllDifferent(tuple(names))


def _clause(clause: Clause, domains: Domains) -> Clause | None:
    literals: dict[str, frozenset[int]] = {}
    for name, values in clause.literals:
        literals[name] = literals.get(name, frozenset()) | values.intersection(domains[name])
    if any(len(values) == len(domains[name]) for name, values in literals.items()):
        return None
    left = tuple((name, values) for name, values in literals.items() if values)
    if not left:
        raise InfeasibleError(f"constraint '{clause}' cannot hold")
    return Clause(left)
