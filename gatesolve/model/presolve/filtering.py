"""One filter for each of our constraint kinds: which values of each variable some satisfying tuple uses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import permutations
from operator import or_

import numpy as np
import rustworkx as rx

from gatesolve.errors import InfeasibleError
from gatesolve.model.affine import disjoint_groups, is_sum_to_one
from gatesolve.model.constraints import (
    AllDifferent,
    Clause,
    Constraint,
    Domains,
    Linear,
    NotEqual,
    Table,
    merge_literals,
)
from gatesolve.model.trie import is_among

Domain = tuple[int, ...]
#: Widest range of sums filtered exactly; past it only bounds are.
SUM_RANGE = 1 << 20
Sets = tuple[frozenset[str], ...]


def filter_domains(constraint: Constraint, domains: Domains) -> dict[str, Domain]:
    """The consistent domains of a constraint's scope; those that are not named stay as they are."""
    match constraint:
        case Table():
            return _filter_table(constraint, domains)
        case Linear():
            return filter_linear(constraint, domains)
        case NotEqual():
            return _filter_unequal(constraint.as_linear, domains)
        case AllDifferent():
            return filter_all_different(constraint, domains)
        case Clause():
            return _filter_clause(constraint, domains)
        case _:
            return constraint.filter(domains)


def _filter_table(table: Table, domains: Domains) -> dict[str, Domain]:
    """Values with a supporting tuple."""
    alive = np.ones(len(table.rows), dtype=bool)
    for k, name in enumerate(table.variables):
        alive &= is_among(table.rows[:, k], domains[name])
    return {name: tuple(np.unique(table.rows[alive, k]).tolist()) for k, name in enumerate(table.variables)}


def filter_linear(linear: Linear, domains: Domains) -> dict[str, Domain]:
    """Exact for ``!=``, ``<=`` and for ``==`` up to ``SUM_RANGE``; bounds beyond."""
    if linear.relation == "!=":
        return _filter_unequal(linear, domains)
    lows = [min(c * domains[name][0], c * domains[name][-1]) for c, name in linear.terms]
    slack = linear.bound - sum(lows)
    steps = [[c * v - low for v in domains[name]] for (c, name), low in zip(linear.terms, lows, strict=True)]
    if slack < 0:
        kept: list[list[bool]] = [[False] * len(step) for step in steps]
    elif linear.relation == "<=":
        kept = [[s <= slack for s in step] for step in steps]
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
    """Which non-negative steps, one from each list, belong to some choice that sums to ``target``.

    Sets of sums are the bits of integers: ``before[k]`` holds the sums of the first k
    lists, ``after[k]`` those from which the lists from k on can still reach the target.
    """
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
    """A value goes only when every other variable is fixed and the sum would be the bound."""
    free = [(c, name) for c, name in linear.terms if len(domains[name]) > 1]
    fixed = sum(c * domains[name][0] for c, name in linear.terms if len(domains[name]) == 1)
    if len(free) > 1:
        return {}
    if not free:
        return {linear.terms[0][1]: ()} if linear.terms and fixed == linear.bound else {}
    c, name = free[0]
    return {name: tuple(v for v in domains[name] if fixed + c * v != linear.bound)}


def _filter_clause(clause: Clause, domains: Domains) -> dict[str, Domain]:
    """Exact: a clause filters only when one variable alone can still satisfy it."""
    literals = merge_literals(clause.literals)
    possible = [name for name, values in literals.items() if not values.isdisjoint(domains[name])]
    if len(possible) > 1:
        return {}
    if not possible:
        return dict.fromkeys(literals, ())
    return {possible[0]: tuple(v for v in domains[possible[0]] if v in literals[possible[0]])}


def filter_all_different(constraint: AllDifferent, domains: Domains) -> dict[str, Domain]:
    """Exact, after Régin (AAAI 1994): values on some maximum matching of variables to values.

    An edge lies on one when it is on a given matching or inside a strongly connected component of the residual graph,
    which has a node joining the values left over to those in use.
    """
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
    component = _components(len(names), len(values), edges, matched)

    def may_take(k: int, value: int) -> bool:
        return (k, node[value]) in matched or component[k] == component[node[value]]

    return {n: tuple(v for v in domains[n] if may_take(k, v + shifts[n])) for k, n in enumerate(names)}


def _components(
    variables: int, values: int, edges: list[tuple[int, int]], matched: set[tuple[int, int]]
) -> dict[int, int]:
    """Strongly connected component of each node of the residual graph."""
    sink = variables + values
    in_use = {value for _, value in matched}
    arcs = [(value, variable) if (variable, value) in matched else (variable, value) for variable, value in edges]
    arcs += [(sink, v) if v in in_use else (v, sink) for v in range(variables, sink)]
    residual = rx.PyDiGraph()
    residual.add_nodes_from(range(sink + 1))
    residual.add_edges_from_no_data(arcs)
    return {n: k for k, nodes in enumerate(rx.strongly_connected_components(residual)) for n in nodes}


def filter_exactly_one(domains: Domains, constraints: Iterable[Constraint]) -> dict[str, Domain]:
    """Domains without the ones that no matching of sums to sums allows, the constraints restricted to them before.

    Raises:
        InfeasibleError: two families cannot be matched.
    """
    current = dict(domains)
    for first, second in permutations(_families(current, constraints), 2):
        for name in _excluded(first, second):
            current[name] = (0,)
    return current


def _families(domains: Domains, constraints: Iterable[Constraint]) -> list[Sets]:
    """The exactly-one sums in groups that share no variable, each group then filled up from all others.

    Filling up matters where a region has shrunk to a row: one sum then stands for both.
    """
    sums = [c for c in constraints if is_sum_to_one(c) and all(domains[name] == (0, 1) for name in c.scope)]
    families = []
    for group in disjoint_groups(sums):
        members = [frozenset(c.scope) for c in group]
        used = set().union(*members)
        for scope in (frozenset(c.scope) for c in sums):
            if not used & scope:
                members.append(scope)
                used |= scope
        families.append(tuple(members))
    return families


def _excluded(first: Sequence[frozenset[str]], second: Sequence[frozenset[str]]) -> list[str]:
    """Variables that are 1 in no matching of the first family's sums to the second's."""
    place = {name: k for k, members in enumerate(second) for name in members}
    inside = [members for members in first if all(name in place for name in members)]
    if len(inside) < 2:
        return []
    choices = {f"sum {k}": tuple(sorted({place[name] for name in members})) for k, members in enumerate(inside)}
    allowed = filter_all_different(AllDifferent(tuple(choices)), choices)
    if not all(allowed.values()):
        raise InfeasibleError(f"no solution: {len(inside)} sums that are to be 1 have too few places for their ones")
    pairs = [(k, name) for k, members in enumerate(inside) for name in sorted(members)]
    return [name for k, name in pairs if place[name] not in allowed[f"sum {k}"]]
