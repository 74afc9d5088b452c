"""Finding variables that a constraint determines from its other variables."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gatesolve.model.affine import Affine
from gatesolve.model.constraints import Table
from gatesolve.model.merge import tuples_of
from gatesolve.model.model import Model

#: Most tuples of a relation, and of any constraint rewritten with it.
TABLE_LIMIT = 4096
#: Most partial tuples tried to list one table.
WORK_LIMIT = 40 * TABLE_LIMIT


@dataclass(frozen=True)
class DeterminedVariable:
    """``target`` is a function of the other variables of ``relation``.

    The relation stands for every constraint of the model inside its scope.
    """

    target: str
    relation: Table

    @property
    def inputs(self) -> tuple[str, ...]:
        """The variables the target depends on."""
        return tuple(name for name in self.relation.variables if name != self.target)

    @cached_property
    def rows(self) -> tuple[tuple[tuple[int, ...], int], ...]:
        """Values of the inputs beside the target's, ascending."""
        k = self.relation.variables.index(self.target)
        return tuple(sorted((row[:k] + row[k + 1 :], row[k]) for row in self.relation.tuples))

    @cached_property
    def form(self) -> Affine | None:
        """The target as an integer affine form of the inputs, when a fit finds one that is exact."""
        # of that width where there is no row, too: then constraints contradict one another, and any form will do
        inputs = np.array([row for row, _ in self.rows], dtype=np.int64).reshape(-1, len(self.inputs))
        target = np.array([value for _, value in self.rows], dtype=np.int64)
        columns = np.column_stack([inputs, np.ones(len(inputs), dtype=np.int64)])
        # least squares by the normal equations: small, and the rounded fit is verified on every row
        sides = columns.astype(float)
        found = np.rint(np.linalg.lstsq(sides.T @ sides, sides.T @ target, rcond=None)[0])
        fit = np.array([int(value) for value in found], dtype=object)  # products may be large
        if not np.array_equal(columns @ fit, target):
            return None
        *coefficients, constant = fit.tolist()
        return Affine(tuple((c, name) for c, name in zip(coefficients, self.inputs, strict=True) if c), constant)


def find_determined(model: Model, most_inputs: int | None = None) -> list[DeterminedVariable]:
    """Every variable some constraint (with those inside its scope) determines from at most so many others.

    Best to eliminate first: largest domain, then fewest inputs, then the order found.
    """
    found: list[DeterminedVariable] = []
    for scope in dict.fromkeys(frozenset(c.scope) for c in model.constraints):
        if len(scope) < 2 or (most_inputs is not None and len(scope) > most_inputs + 1):
            continue
        if (table := _relation(scope, model)) is not None:
            places = [k for k in range(len(scope)) if _is_function(table, k)]
            found += [DeterminedVariable(table.variables[k], table) for k in places]
    return sorted(found, key=lambda d: (-len(model.domains[d.target]), len(d.inputs)))


def _is_function(table: Table, place: int) -> bool:
    return len({row[:place] + row[place + 1 :] for row in table.tuples}) == len(table.tuples)


def _relation(scope: frozenset[str], model: Model) -> Table | None:
    """All constraints inside a scope as one table, unless its tuples are too many."""
    names = tuple(name for name in model.domains if name in scope)
    members = [c for c in model.constraints if scope.issuperset(c.scope)]
    tuples = tuples_of(names, model.domains, members, TABLE_LIMIT, work=WORK_LIMIT)
    if tuples is None:
        return None
    return Table(names, tuples, " & ".join(str(c) for c in members)).join(members)


def refresh(variable: DeterminedVariable, model: Model) -> DeterminedVariable | None:
    """Return the variable with the constraints its scope now holds.

    None when a variable is gone, or the target is not determined any more: an elimination in between may have
    rewritten a constraint over variables outside the scope.
    """
    scope = frozenset(variable.relation.variables)
    table = _relation(scope, model) if scope <= set(model.domains) else None
    if table is None or not _is_function(table, table.variables.index(variable.target)):
        return None
    return DeterminedVariable(variable.target, table)
