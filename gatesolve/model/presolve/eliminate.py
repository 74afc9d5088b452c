"""Replacing a determined variable everywhere it occurs."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import chain

from gatesolve.model.affine import Affine, make_relation, sum_affine
from gatesolve.model.constraints import AllDifferent, Clause, Constraint, Linear, NotEqual, Table, merge_literals
from gatesolve.model.merge import tuples_of
from gatesolve.model.model import Model
from gatesolve.model.objective import Objective
from gatesolve.model.presolve.determined import TABLE_LIMIT, WORK_LIMIT, DeterminedVariable
from gatesolve.model.presolve.join import join_tables
from gatesolve.model.presolve.recovery import Looked, Recovery, Weighted


def eliminate(model: Model, variable: DeterminedVariable) -> tuple[Model, Recovery] | None:
    """The model without ``variable.target``, and how to undo it; None when a rewritten constraint gets too big.

    Solutions correspond one to one.
    """
    objective = _objective(model.objective, variable)
    if model.objective is not None and objective is None:
        return None
    scope = set(variable.relation.variables)
    constraints: list[Constraint] = []
    for constraint in model.constraints:
        # what lies inside the relation's scope is part of the relation
        if set(constraint.scope) <= scope:
            continue
        rewritten = [constraint] if variable.target not in constraint.scope else _rewrite(constraint, variable, model)
        if rewritten is None:
            return None
        constraints += rewritten
    tuples = tuple(inputs for inputs, _ in variable.rows)
    if len(tuples) < math.prod(len(model.domains[name]) for name in variable.inputs):
        relation = variable.relation  # these are the inputs for which the target has a value
        constraints.append(Table(variable.inputs, tuples, relation.source).join([relation]))
    variables = tuple(v for v in model.variables if v.name != variable.target)
    step = (
        Weighted(variable.target, variable.form.terms, variable.form.constant, variable.relation.joins)
        if variable.form is not None
        else Looked(variable.target, variable.inputs, variable.rows, variable.relation.joins)
    )
    smaller = Model(variables, tuple(dict.fromkeys(constraints)), objective)
    return smaller, Recovery(tuple(model.domains), (step,))


def _objective(objective: Objective | None, variable: DeterminedVariable) -> Objective | None:
    """The objective with the target replaced; None when that is not linear."""
    if objective is None or variable.target not in objective.scope:
        return objective
    if variable.form is None or any(variable.target in part.scope for _, part in objective.parts):
        return None
    form = _replace_target(Affine(objective.terms, objective.constant), variable.target, variable.form)
    return replace(objective, terms=tuple((c, name) for c, name in form.terms if c), constant=form.constant)


def _replace_target(form: Affine, target: str, by: Affine) -> Affine:
    parts = [by.scaled(c) if name == target else Affine(((c, name),), 0) for c, name in form.terms]
    return sum_affine([*parts, Affine((), form.constant)])


def _rewrite(constraint: Constraint, variable: DeterminedVariable, model: Model) -> list[Constraint] | None:
    """Constraints without the target that mean ``constraint`` wherever the relation holds."""
    for rule in (_as_linear, _as_clause, _as_table, _as_pairs):
        found = rule(constraint, variable, model)
        if found is not None:
            return found
    return None


def _as_linear(constraint: Constraint, variable: DeterminedVariable, model: Model) -> list[Constraint] | None:
    """Substitution of an affine form, kept while its scope does not grow or its assignments are few."""
    if variable.form is None or not isinstance(constraint, (Linear, NotEqual)):
        return None
    if isinstance(constraint, NotEqual):
        constraint = constraint.as_linear
    form = _replace_target(Affine(constraint.terms, -constraint.bound), variable.target, variable.form)
    found = make_relation(form, constraint.relation, model.domains)
    if isinstance(found, bool):
        return [] if found else [Table(variable.inputs[:1], (), str(constraint))]
    size = math.prod(len(model.domains[name]) for name in found.scope)
    return [found] if len(found.scope) <= len(constraint.scope) or size <= TABLE_LIMIT else None


def _as_clause(constraint: Constraint, variable: DeterminedVariable, model: Model) -> list[Constraint] | None:
    """A literal on the target becomes one on the only input."""
    if not isinstance(constraint, Clause) or len(variable.inputs) != 1:
        return None

    def replaced(name: str, values: frozenset[int]) -> tuple[str, frozenset[int]]:
        if name != variable.target:
            return name, values
        return variable.inputs[0], frozenset(inputs[0] for inputs, value in variable.rows if value in values)

    return [Clause(tuple(merge_literals(replaced(*literal) for literal in constraint.literals).items()))]


def _as_table(constraint: Constraint, variable: DeterminedVariable, model: Model) -> list[Constraint] | None:
    """All tuples of the constraint and the relation together, the target's column cut off."""
    read = (set(constraint.scope) | set(variable.inputs)) - {variable.target}
    names = tuple(name for name in model.domains if name in read)
    listed, parts = _tabulate(constraint, model), [constraint, variable.relation]
    if listed is not None:
        tuples = join_tables(listed, variable.relation, names, TABLE_LIMIT)
        return None if tuples is None else [Table(names, tuples, str(constraint)).join(parts)]
    found = tuples_of((*names, variable.target), model.domains, parts, TABLE_LIMIT, work=WORK_LIMIT)
    # the target is a function of the rest, so cutting it off leaves the rows distinct and sorted
    if found is None:
        return None
    return [Table(names, tuple(row[:-1] for row in found), str(constraint)).join(parts)]


def _tabulate(constraint: Constraint, model: Model) -> Table | None:
    """The constraint alone as a table, when that is cheap."""
    if isinstance(constraint, Table):
        return constraint
    names = tuple(dict.fromkeys(constraint.scope))
    if math.prod(len(model.domains[name]) for name in names) > TABLE_LIMIT:
        return None
    tuples = tuples_of(names, model.domains, [constraint], TABLE_LIMIT)
    return None if tuples is None else Table(names, tuples)


def _as_pairs(constraint: Constraint, variable: DeterminedVariable, model: Model) -> list[Constraint] | None:
    """An all-different too wide for a table: the rest stays, the target differs from each."""
    if not isinstance(constraint, AllDifferent):
        return None
    target = variable.target
    rest = constraint.among(name for name in constraint.variables if name != target)
    pairs = [_rewrite(constraint.among((target, name)).pairs[0], variable, model) for name in rest.variables]
    found = [pair for pair in pairs if pair is not None]
    return [rest, *chain(*found)] if len(found) == len(pairs) else None
