"""Generalised arc consistency to a fixpoint, one constraint at a time and then jointly.

Each kind of constraint has a filter: which values of each variable some satisfying tuple uses.
"""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import permutations
from operator import or_

import numpy as np
import rustworkx as rx

from gatesolve.errors import InfeasibleError
from gatesolve.model.affine import Affine, disjoint_groups, is_sum_to_one, make_relation
from gatesolve.model.constraints import (
    AllDifferent,
    Clause,
    Constraint,
    Domains,
    Linear,
    NotEqual,
    Table,
    is_among,
    make_clause,
    merge_literals,
    shift_all_different,
)
from gatesolve.model.merge import merge_constraints
from gatesolve.model.model import Model, Variable, make_objective
from gatesolve.model.presolve.recovery import Fixed, Recovery
from gatesolve.model.terms import Sum, Term, Truth, Value
from gatesolve.model.trees import FALSE, TRUE, Compare, Tree, compare

Domain = tuple[int, ...]
#: Widest range of sums that is filtered exactly; for wider ones only bounds are filtered.
SUM_RANGE = 1 << 20
#: Most tuples of a group of constraints that is filtered jointly.
JOINT_LIMIT = 20_000


def filter_domains(constraint: Constraint, domains: Domains) -> dict[str, Domain]:
    """Return the consistent domains of a constraint's scope; variables that are missing keep their domains."""
    match constraint:
        case Table():
            # The values that have a supporting tuple.
            alive = np.ones(len(constraint.rows), dtype=bool)
            for k, name in enumerate(constraint.variables):
                alive &= is_among(constraint.rows[:, k], domains[name])
            columns = zip(constraint.variables, constraint.rows[alive].T, strict=True)
            return {name: tuple(np.unique(column).tolist()) for name, column in columns}
        case Linear():
            return filter_linear(constraint, domains)
        case NotEqual():
            return _filter_unequal(constraint.as_linear, domains)
        case AllDifferent():
            return filter_all_different(constraint, domains)
        case Clause():
            # A clause removes values only if one variable alone can still satisfy it.
            literals = merge_literals(constraint.literals)
            possible = [name for name, values in literals.items() if not values.isdisjoint(domains[name])]
            if len(possible) > 1:
                return {}
            left = {name: tuple(v for v in domains[name] if v in literals[name]) for name in possible}
            return left or dict.fromkeys(literals, ())
        case _:
            return constraint.filter(domains)


def filter_linear(linear: Linear, domains: Domains) -> dict[str, Domain]:
    """Filter exactly for ``!=`` and ``<=``, and for ``==`` up to `SUM_RANGE`; filter bounds beyond."""
    if linear.relation == "!=":
        return _filter_unequal(linear, domains)
    # Each term is measured from its least value, so that steps are non-negative and sums are bits of an integer.
    lows = [min(c * domains[name][0], c * domains[name][-1]) for c, name in linear.terms]
    slack = linear.bound - sum(lows)
    steps = [[c * v - low for v in domains[name]] for (c, name), low in zip(linear.terms, lows, strict=True)]
    # Even the least sum is above the bound.
    if slack < 0:
        kept: list[list[bool]] = [[False] * len(step) for step in steps]
    elif linear.relation == "<=":
        kept = [[s <= slack for s in step] for step in steps]
    # A bit per sum would take too much memory, so only the bounds of each step are checked.
    elif slack > SUM_RANGE:
        top = sum(max(step) for step in steps)
        kept = [[slack - (top - max(step)) <= s <= slack for s in step] for step in steps]
    else:
        kept = _supported(steps, slack)
    return {
        name: tuple(v for v, keep in zip(domains[name], keeps, strict=True) if keep)
        for (_, name), keeps in zip(linear.terms, kept, strict=True)
    }


def _supported(steps: list[list[int]], target: int) -> list[list[bool]]:
    """Return which non-negative steps, one from each list, belong to some choice that sums to ``target``."""
    # Sets of sums are the bits of integers: ``before[k]`` holds the sums of the first k lists, and ``after[k]`` those
    # from which the lists from k on can still reach the target.
    mask = (1 << (target + 1)) - 1
    before = [1]
    for step in steps:
        before.append(reduce(or_, (before[-1] << s for s in step if s <= target), 0) & mask)
    after = [1 << target]
    for step in reversed(steps):
        after.append(reduce(or_, (after[-1] >> s for s in step), 0))
    after.reverse()
    return [[s <= target and bool((before[k] << s) & after[k + 1]) for s in step] for k, step in enumerate(steps)]


def _filter_unequal(linear: Linear, domains: Domains) -> dict[str, Domain]:
    """Remove a value only if every other variable is fixed and the sum would be the bound."""
    free = [(c, name) for c, name in linear.terms if len(domains[name]) > 1]
    fixed = sum(c * domains[name][0] for c, name in linear.terms if len(domains[name]) == 1)
    if len(free) > 1:
        return {}
    if not free:
        return {linear.terms[0][1]: ()} if linear.terms and fixed == linear.bound else {}
    c, name = free[0]
    return {name: tuple(v for v in domains[name] if fixed + c * v != linear.bound)}


def filter_all_different(constraint: AllDifferent, domains: Domains) -> dict[str, Domain]:
    """Keep the values that are on some maximum matching of variables to values: exact, after Régin (AAAI 1994)."""
    names, shifts = constraint.variables, dict(constraint.shifted)
    values = sorted({v + shifts[name] for name in names for v in domains[name]})
    node = {v: len(names) + k for k, v in enumerate(values)}
    edges = [(k, node[v + shifts[name]]) for k, name in enumerate(names) for v in domains[name]]
    graph = rx.PyGraph()
    graph.add_nodes_from(range(len(names) + len(values)))
    graph.add_edges_from_no_data(edges)
    matched = {(min(pair), max(pair)) for pair in rx.max_weight_matching(graph, max_cardinality=True)}
    if len(matched) < len(names):
        return dict.fromkeys(names, ())
    # An edge is on some maximum matching if it is on this one, or inside a strongly connected component of the residual
    # graph.
    component = _components(len(names), len(values), edges, matched)

    def may_take(k: int, value: int) -> bool:
        return (k, node[value]) in matched or component[k] == component[node[value]]

    return {n: tuple(v for v in domains[n] if may_take(k, v + shifts[n])) for k, n in enumerate(names)}


def _components(
    variables: int, values: int, edges: list[tuple[int, int]], matched: set[tuple[int, int]]
) -> dict[int, int]:
    """Return the strongly connected component of each node of the residual graph."""
    sink = variables + values
    in_use = {value for _, value in matched}
    arcs = [(value, variable) if (variable, value) in matched else (variable, value) for variable, value in edges]
    # The sink joins the unused values to those in use: a variable may change to an unused value along such a cycle.
    arcs += [(sink, v) if v in in_use else (v, sink) for v in range(variables, sink)]
    residual = rx.PyDiGraph()
    residual.add_nodes_from(range(sink + 1))
    residual.add_edges_from_no_data(arcs)
    return {n: k for k, nodes in enumerate(rx.strongly_connected_components(residual)) for n in nodes}


def filter_exactly_one(domains: Domains, constraints: Iterable[Constraint]) -> dict[str, Domain]:
    """Return the domains after removing ones that no matching of exactly-one sums allows.

    The constraints are restricted to the domains.

    Raises:
        InfeasibleError: two families cannot be matched.
    """
    current = dict(domains)
    # Both orders, because a matching removes values only from the sums of the first family.
    for first, second in permutations(_families(current, constraints), 2):
        for name in _excluded(first, second):
            current[name] = (0,)
    return current


def _families(domains: Domains, constraints: Iterable[Constraint]) -> list[list[frozenset[str]]]:
    """Return the exactly-one sums in groups that share no variable, each filled up from all other sums."""
    # Where a region has shrunk to a row, one sum stands for both: filling up adds it to both families.
    sums = [c for c in constraints if is_sum_to_one(c) and all(domains[name] == (0, 1) for name in c.scope)]
    families = []
    for group in disjoint_groups(sums):
        members = [frozenset(c.scope) for c in group]
        used = set().union(*members)
        for scope in (frozenset(c.scope) for c in sums):
            if not used & scope:
                members.append(scope)
                used |= scope
        families.append(members)
    return families


def _excluded(first: Sequence[frozenset[str]], second: Sequence[frozenset[str]]) -> list[str]:
    """Return the variables that are 1 in no matching of the first family's sums to the second's."""
    place = {name: k for k, members in enumerate(second) for name in members}
    inside = [members for members in first if all(name in place for name in members)]
    # A single sum excludes nothing.
    if len(inside) < 2:
        return []
    choices = {f"sum {k}": tuple(sorted({place[name] for name in members})) for k, members in enumerate(inside)}
    allowed = filter_all_different(AllDifferent(tuple(choices)), choices)
    if not all(allowed.values()):
        raise InfeasibleError(f"no solution: {len(inside)} sums that must be 1 have too few places for their ones")
    pairs = [(k, name) for k, members in enumerate(inside) for name in sorted(members)]
    return [name for k, name in pairs if place[name] not in allowed[f"sum {k}"]]


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
    # Restricting may fold constraints that then allow more folding.
    while (smaller := restrict_all(constraints, domains)) != constraints:
        constraints = smaller
    return _without_fixed(model, domains, constraints, set())


def deduce(model: Model, changed: Collection[str] | None = None) -> Iterator[Event]:
    """Yield the deductions of `propagate` on narrower domains, in the order in which they are made.

    Only constraints of variables ``changed`` since the domains were at their fixpoint are filtered first.

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
        # Joint tables are the costly step, so they are made only once single constraints have reached their fixpoint.
        yield from _narrow(domains, join_constraints(constraints, domains))
        for name, values in filter_exactly_one(domains, constraints).items():
            if values != domains[name]:
                domains[name] = values
                yield Event(name, values)
        if domains == before:
            return


def join_constraints(constraints: Iterable[Constraint], domains: Domains) -> Sequence[Constraint]:
    """Return restricted constraints, those inside another's scope joined with it where their tuples are few."""
    variables = tuple(Variable(name, values) for name, values in domains.items() if len(values) > 1)
    return merge_constraints(Model(variables, tuple(constraints)), JOINT_LIMIT, len(variables)).constraints


def stop_after(model: Model, events: Iterable[Event]) -> tuple[Model, Recovery]:
    """Return the model after these first deductions and no others."""
    # A variable with one value stays while a constraint needs it. An example is an all-different whose other
    # variables may still have that value.
    domains = apply_events(model.domains, events)
    constraints = restrict_all(model.constraints, domains)
    return _without_fixed(model, domains, constraints, {name for c in constraints for name in c.scope})


def apply_events(domains: Domains, events: Iterable[Event]) -> dict[str, Domain]:
    """Return the domains after deductions."""
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
    # AC-3: a constraint is filtered again only after one of its variables has changed.
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
            # A variable whose values no other has leaves: a fixed one too, once its value is gone from the others.
            counts = Counter(v + shift for name, shift in constraint.shifted for v in domains[name])
            shared = {n: s for n, s in constraint.shifted if any(counts[v + s] > 1 for v in domains[n])}
            return shift_all_different(shared)
        case Clause():
            found = make_clause(constraint.literals, domains)
        case Linear() | NotEqual():
            found = _restrict_relation(constraint, domains)
        case Tree():
            folded = _fold(constraint, domains)
            if not isinstance(folded, Tree):
                return restrict(folded, domains)
            if folded not in (TRUE, FALSE):
                return folded.restrict(domains)
            found = folded == TRUE
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
    if isinstance(term, Value):
        domain = domains[term.name]
        return Sum((), domain[0]) if len(domain) == 1 else term
    if isinstance(term, Truth):
        truth = _fold(term.constraint, domains)
        return Sum((), int(truth == TRUE)) if truth in (TRUE, FALSE) else Truth(truth)
    folded: Term = term.rebuild([_fold_term(part, domains) for part in term.parts if isinstance(part, Term)])
    return folded
