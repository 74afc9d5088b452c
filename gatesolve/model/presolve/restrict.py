"""A constraint on narrowed domains: fixed variables substituted, None when it always holds."""

from __future__ import annotations

import math
from collections import Counter

from gatesolve.errors import InfeasibleError
from gatesolve.model.affine import Affine, make_relation
from gatesolve.model.constraints import AllDifferent, Clause, Constraint, Domains, Linear, NotEqual, Table, make_clause


def restrict(constraint: Constraint, domains: Domains) -> Constraint | None:
    """The constraint over the variables that still have a choice, in domains it has filtered; None when all satisfy it.

    Raises:
        InfeasibleError: the fixed values break it.
    """
    if isinstance(constraint, Table):
        return _table(constraint, domains)
    if isinstance(constraint, AllDifferent):
        return _all_different(constraint, domains)
    if isinstance(constraint, Clause):
        return _as_constraint(make_clause(constraint.literals, domains), constraint)
    if isinstance(constraint, (Linear, NotEqual)):
        return _as_constraint(_relation(constraint, domains), constraint)
    return constraint.restrict(domains)


def _as_constraint(found: Constraint | bool, source: Constraint) -> Constraint | None:
    if found is False:
        raise InfeasibleError(f"constraint '{source}' cannot hold")
    return None if found is True else found


def _relation(constraint: Linear | NotEqual, domains: Domains) -> Constraint | bool:
    linear = constraint.as_linear if isinstance(constraint, NotEqual) else constraint
    fixed = sum(c * domains[name][0] for c, name in linear.terms if len(domains[name]) == 1)
    free = tuple((c, name) for c, name in linear.terms if len(domains[name]) > 1)
    found = make_relation(Affine(free, fixed - linear.bound), linear.relation, domains)
    if isinstance(found, NotEqual) and not {v - found.offset for v in domains[found.left]} & {*domains[found.right]}:
        return True
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
    counts = Counter(v for name in names for v in domains[name])
    names = [name for name in names if any(counts[v] > 1 for v in domains[name])]
    if len(names) < 2:
        return None
    return NotEqual(names[0], names[1]) if len(names) == 2 else AllDifferent(tuple(names))
