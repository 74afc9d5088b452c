"""Generalised arc consistency to a fixpoint, one constraint at a time and then jointly."""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from gatesolve.errors import InfeasibleError
from gatesolve.model.affine import Affine, make_relation
from gatesolve.model.constraints import (
    AllDifferent,
    Clause,
    Constraint,
    Domains,
    Linear,
    NotEqual,
    Table,
    make_clause,
    shift_all_different,
)
from gatesolve.model.merge import merge_constraints
from gatesolve.model.model import Model, Variable, make_objective
from gatesolve.model.presolve.filtering import Domain, filter_domains, filter_exactly_one
from gatesolve.model.presolve.recovery import Fixed, Recovery
from gatesolve.model.terms import Sum, Term, Truth, Value
from gatesolve.model.trees import FALSE, TRUE, Compare, Tree, compare

#: Most tuples of a group of constraints that is filtered jointly.
JOINT_LIMIT = 20_000


@dataclass(frozen=True)
class Event:
    """One deduction: every solution has a variable at one of some values, fewer than before."""

    name: str
    values: Domain


def propagate(model: Model) -> tuple[Model, Recovery]:
    """Filter all domains, then remove the variables left with one value.

    Constraints inside another's scope are filtered together with it (the sum and the all-different of a Kakuro run),
    when their tuples are few enough to list. Constraints keep their kinds.

    Raises:
        InfeasibleError: a domain lost its last value.
    """
    domains = apply_events(model.domains, deduce(model))
    constraints: Sequence[Constraint] = model.constraints
    while (smaller := restrict_all(constraints, domains)) != constraints:
        constraints = smaller
    return _without_fixed(model, domains, constraints, set())


def deduce(model: Model, changed: Collection[str] | None = None) -> Iterator[Event]:
    """The deductions of `propagate`, one by one, in the order in which they are made.

    Args:
        model: the problem's on narrower domains.
        changed: where these were at their fixpoint but for some variables, those: only what reads them is asked first.

    Raises:
        InfeasibleError: a domain lost its last value.
    """
    domains: dict[str, Domain] = dict(model.domains)
    constraints: Sequence[Constraint] = model.constraints
    while True:
        before = dict(domains)
        yield from _narrow(domains, constraints, changed)
        changed = None
        constraints = restrict_all(constraints, domains)
        variables = tuple(Variable(name, values) for name, values in domains.items() if len(values) > 1)
        joint = merge_constraints(Model(variables, tuple(constraints)), JOINT_LIMIT, len(variables))
        yield from _narrow(domains, joint.constraints)
        for name, values in filter_exactly_one(domains, constraints).items():
            if values != domains[name]:
                domains[name] = values
                yield Event(name, values)
        if domains == before:
            return


def stop_after(model: Model, events: Iterable[Event]) -> tuple[Model, Recovery]:
    """The model after these first deductions and no other.

    A variable with one value stays while a constraint needs it: an all-different, whose other variables may still have
    that value.
    """
    domains = apply_events(model.domains, events)
    constraints = restrict_all(model.constraints, domains)
    return _without_fixed(model, domains, constraints, {name for c in constraints for name in c.scope})


def apply_events(domains: Domains, events: Iterable[Event]) -> dict[str, Domain]:
    """Domains after deductions."""
    return {**domains, **{event.name: event.values for event in events}}


def restrict_all(constraints: Iterable[Constraint], domains: Domains) -> list[Constraint]:
    """Return what is left of each constraint, each once; raises as `restrict`."""
    smaller = (restrict(c, domains) for c in constraints)
    return list(dict.fromkeys(c for c in smaller if c is not None))


def _without_fixed(
    model: Model, domains: Domains, constraints: Sequence[Constraint], needed: Collection[str]
) -> tuple[Model, Recovery]:
    """The model of these constraints, without variables of one value that are not needed."""
    fixed = {name: values[0] for name, values in domains.items() if len(values) == 1 and name not in needed}
    variables = tuple(Variable(name, values) for name, values in domains.items() if name not in fixed)
    goal = model.objective
    objective = None if goal is None else make_objective(_fold_term(goal.term, domains), goal.sense)
    steps = tuple(Fixed(name, value) for name, value in fixed.items())
    return Model(variables, tuple(constraints), objective), Recovery(tuple(model.domains), steps)


def reach_fixpoint(
    domains: Domains, constraints: Iterable[Constraint], changed: Collection[str] | None = None
) -> dict[str, Domain]:
    """Domains that every constraint's filter leaves alone; ``changed`` as for `deduce`.

    Raises:
        InfeasibleError: a domain lost its last value; the message names the constraint.
    """
    current = dict(domains)
    for _ in _narrow(current, constraints, changed):
        pass
    return current


def _narrow(
    current: dict[str, Domain], constraints: Iterable[Constraint], changed: Collection[str] | None = None
) -> Iterator[Event]:
    """Narrow the domains as far as `reach_fixpoint`, deduction by deduction."""
    listed = list(constraints)
    readers: dict[str, list[int]] = {}
    for k, constraint in enumerate(listed):
        for name in constraint.scope:
            readers.setdefault(name, []).append(k)
    first = range(len(listed)) if changed is None else dict.fromkeys(k for n in changed for k in readers.get(n, ()))
    waiting = deque(first)
    queued = set(waiting)
    while waiting:
        k = waiting.popleft()
        queued.discard(k)
        for name, values in filter_domains(listed[k], current).items():
            if not values:
                raise InfeasibleError(f"no solution: constraint '{listed[k]}' leaves no value for {name}")
            if len(values) == len(current[name]):
                continue
            current[name] = values
            yield Event(name, values)
            # the filters are idempotent except bounds of wide sums, so the constraint itself is asked again too
            fresh = [other for other in readers[name] if other not in queued]
            waiting.extend(fresh)
            queued.update(fresh)


def restrict(constraint: Constraint, domains: Domains) -> Constraint | None:
    """The constraint over the variables that still have a choice, in domains it has filtered; None when all satisfy it.

    Raises:
        InfeasibleError: the fixed values break it.
    """
    found: Constraint | bool
    match constraint:
        case Table():
            return _restrict_table(constraint, domains)
        case AllDifferent():
            return _restrict_all_different(constraint, domains)
        case Clause():
            found = make_clause(constraint.literals, domains)
        case Linear() | NotEqual():
            found = _restrict_relation(constraint, domains)
        case Tree():
            return _restrict_tree(constraint, domains)
        case _:
            return constraint.restrict(domains)
    if found is False:
        raise InfeasibleError(f"constraint '{constraint}' cannot hold")
    return None if found is True else found


def _restrict_relation(constraint: Linear | NotEqual, domains: Domains) -> Constraint | bool:
    linear = constraint.as_linear if isinstance(constraint, NotEqual) else constraint
    fixed = sum(c * domains[name][0] for c, name in linear.terms if len(domains[name]) == 1)
    free = tuple((c, name) for c, name in linear.terms if len(domains[name]) > 1)
    found = make_relation(Affine(free, fixed - linear.bound), linear.relation, domains)
    if isinstance(found, NotEqual) and not {v - found.offset for v in domains[found.left]} & {*domains[found.right]}:
        return True
    return found


def _restrict_table(table: Table, domains: Domains) -> Table | None:
    inside = [set(domains[name]) for name in table.variables]
    alive = [row for row in table.tuples if all(v in s for v, s in zip(row, inside, strict=True))]
    if not alive:
        raise InfeasibleError(f"constraint '{table}' cannot hold")
    free = [k for k, values in enumerate(inside) if len(values) > 1]
    tuples = tuple(sorted({tuple(row[k] for k in free) for row in alive}))
    if len(tuples) == math.prod(len(inside[k]) for k in free):
        return None
    rule = None if table.rule is None else _fold(table.rule, domains)
    names = tuple(table.variables[k] for k in free)
    return Table(names, tuples, table.source, rule=rule).join([table])


def _restrict_tree(tree: Tree, domains: Domains) -> Constraint | None:
    folded = _fold(tree, domains)
    if folded == FALSE:
        raise InfeasibleError(f"constraint '{tree}' cannot hold")
    if isinstance(folded, Tree):
        return None if folded == TRUE else folded.restrict(domains)
    return restrict(folded, domains)


def _restrict_all_different(constraint: AllDifferent, domains: Domains) -> Constraint | None:
    """A variable whose values no other has leaves: a fixed one too, once its value is gone from the others."""
    counts = Counter(v + shift for name, shift in constraint.shifted for v in domains[name])
    shared = {n: s for n, s in constraint.shifted if any(counts[v + s] > 1 for v in domains[n])}
    return shift_all_different(shared)


def _fold(constraint: Constraint, domains: Domains) -> Constraint:
    """Fold a constraint within the domains; `TRUE` or `FALSE` where nothing is left to decide."""
    if isinstance(constraint, Compare):
        return _decide(compare(_fold_term(constraint.term, domains), constraint.relation, domains))
    if isinstance(constraint, Tree):
        parts = [
            _fold_term(part, domains) if isinstance(part, Term) else _fold(part, domains) for part in constraint.parts
        ]
        return _decide(constraint.rebuild(parts))
    try:
        return restrict(constraint, domains) or TRUE
    except InfeasibleError:
        return FALSE


def _decide(constraint: Constraint) -> Constraint:
    if constraint.scope:
        return constraint
    return TRUE if bool(constraint.holds({})) else FALSE


def _fold_term(term: Term, domains: Domains) -> Term:
    """A term within the domains."""
    if isinstance(term, Value):
        domain = domains[term.name]
        return Sum((), domain[0]) if len(domain) == 1 else term
    if isinstance(term, Truth):
        truth = _fold(term.constraint, domains)
        return Sum((), int(truth == TRUE)) if truth in (TRUE, FALSE) else Truth(truth)
    folded: Term = term.rebuild([_fold_term(part, domains) for part in term.parts if isinstance(part, Term)])
    return folded
