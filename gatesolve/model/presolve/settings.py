"""The presolve settings: which passes run, in what order, and the elimination of determined variables."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Literal, get_args

import numpy as np

from gatesolve.errors import InfeasibleError, InputError
from gatesolve.model.affine import Affine, make_relation, sum_affine
from gatesolve.model.constraints import AllDifferent, Clause, Constraint, Linear, NotEqual, Table, merge_literals
from gatesolve.model.merge import tuples_of
from gatesolve.model.model import Model, Objective
from gatesolve.model.presolve.propagate import propagate
from gatesolve.model.presolve.recovery import Fixed, Looked, Recovery, Weighted

#: Most tuples of a relation, and of any constraint rewritten with it.
TABLE_LIMIT = 4096
#: Most partial tuples tried to list one table.
WORK_LIMIT = 40 * TABLE_LIMIT
PresolveSetting = Literal["none", "propagate", "affine"]


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
        # The last column fits the constant.
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
            # Each column whose removal leaves distinct rows is a function of the others.
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


def join_tables(left: Table, right: Table, names: Sequence[str], limit: int) -> tuple[tuple[int, ...], ...] | None:
    """Rows that agree with both tables, cut to the columns ``names``, ascending and distinct.

    None when the join has more than ``limit`` rows before it is cut.
    """
    shared = [name for name in left.variables if name in right.variables]
    columns = [table.rows[:, [table.variables.index(name) for name in shared]] for table in (left, right)]
    # One number a row, the same for equal rows of either table.
    keys = np.unique(np.concatenate(columns), axis=0, return_inverse=True)[1].reshape(-1)
    left_keys, right_keys = keys[: len(left.rows)], keys[len(left.rows) :]
    size = keys.max(initial=0) + 1
    # The size of the join is known before any row of it is made.
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
    found = dict(zip(right.variables, right.rows[from_right].T, strict=True))
    found |= dict(zip(left.variables, left.rows[from_left].T, strict=True))
    return tuple(sorted({tuple(row) for row in np.column_stack([found[name] for name in names]).tolist()}))


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
    # Some inputs leave the target without a value, so they must still be excluded.
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
    # From the form that is cheapest as a circuit to the most general one.
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
    literals = [
        (name, values)
        if name != variable.target
        else (variable.inputs[0], frozenset(inputs[0] for inputs, value in variable.rows if value in values))
        for name, values in constraint.literals
    ]
    return [Clause(tuple(merge_literals(literals).items()))]


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
    # Rows of all variables would be too many, but each disequality with the target has few inputs.
    rest = constraint.among(name for name in constraint.variables if name != target)
    pairs = [_rewrite(constraint.among((target, name)).pairs[0], variable, model) for name in rest.variables]
    found = [pair for pair in pairs if pair is not None]
    return [rest, *chain(*found)] if len(found) == len(pairs) else None


def presolve(model: Model, setting: PresolveSetting) -> tuple[Model, Recovery]:
    """Make a model smaller without losing or adding a solution.

    Args:
        model: any model.
        setting: ``none`` leaves it alone; ``propagate`` filters domains to generalised arc consistency, matches
            exactly-one sums with each other, and removes fixed variables; ``affine`` also eliminates variables that
            constraints determine.

    Returns:
        The smaller model, without variables when presolve solves it, and the way back. Solutions correspond one to one.

    Raises:
        InfeasibleError: the model was proven to have no solution, with the setting that did.
        InputError: an unknown setting.
    """
    if setting not in get_args(PresolveSetting):
        raise InputError(f"unknown presolve setting '{setting}': use one of {', '.join(get_args(PresolveSetting))}")
    if setting == "none":
        return model, Recovery(tuple(model.domains))
    try:
        model, recovery = propagate(model)
        # Eliminations by one variable keep scopes narrow, so wider relations wait until there are none.
        while setting == "affine" and (found := _round(model, 1) or _round(model, None)) is not None:
            smaller, steps = found
            model, fixed = propagate(smaller)
            recovery = recovery.then(steps).then(fixed)
        return model, recovery
    except InfeasibleError as error:
        error.presolve = setting
        raise


def drop_unread(model: Model) -> tuple[Model, Recovery]:
    """The model without variables that nothing reads, each of which gets its lowest value."""
    dropped = {variable.name: Fixed(variable.name, variable.domain[0]) for variable in model.unread}
    kept = tuple(variable for variable in model.variables if variable.name not in dropped)
    return replace(model, variables=kept), Recovery(tuple(model.domains), tuple(dropped.values()))


def _round(model: Model, most_inputs: int | None) -> tuple[Model, Recovery] | None:
    """Each variable that can be eliminated, in turn, best first; None when there is none."""
    recovery = Recovery(tuple(model.domains))
    for candidate in find_determined(model, most_inputs):
        if recovery.steps:
            # An elimination before this one may have taken a variable, added constraints to the scope, or rewritten
            # one over variables outside it, so that the target is not determined any more.
            scope = frozenset(candidate.relation.variables)
            table = _relation(scope, model) if scope <= set(model.domains) else None
            if table is None or not _is_function(table, table.variables.index(candidate.target)):
                continue
            candidate = DeterminedVariable(candidate.target, table)
        found = eliminate(model, candidate)
        if found is not None:
            model, step = found
            recovery = recovery.then(step)
    return (model, recovery) if recovery.steps else None
