"""Listing the tuples that satisfy constraints, and merging constraints into tables."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gatesolve.model.constraints import AllDifferent, Clause, Constraint, Linear, NotEqual, Table, Trie
from gatesolve.model.model import Model

Rows = NDArray[np.int64]
Prune = Callable[[Rows], NDArray[np.bool_]]
"""Which partial tuples, of whose columns the constraint reads the last, may still be extended to satisfy it."""

Level = Literal["literal", "merged", "minimised", "classical"]
"""How much was worked out classically: each constraint alone, those merged whose scopes one other holds
(`merge_constraints`), windows across constraints, or solutions and tuples of several constraints listed."""
MERGED_TUPLES = 512
"""Most tuples of several constraints that are listed together."""

#: Partial tuples extended together: wide enough for array speed, narrow enough to stay depth first.
_BLOCK = 4096
#: Widest range of partial sums for which reachability is listed sum by sum.
_SUM_RANGE = 1 << 18
#: Lists that are kept, and the most rows of one: propagation asks for the same ones again in each part of a tree.
_MOST_KEPT, _ROWS_KEPT = 4096, 256
_KEYED = {AllDifferent, Clause, Linear, NotEqual, Table}
"""Kinds whose equal constraints have the same tuples; of a kind of the user's own that is not known."""

Tuples = tuple[tuple[int, ...], ...]
_kept: dict[tuple[object, ...], tuple[Tuples | None]] = {}


def tuples_of(
    variables: Sequence[str],
    domains: Mapping[str, Sequence[int]],
    constraints: Sequence[Constraint],
    limit: int,
    work: int | None = None,
) -> Tuples | None:
    """All tuples over ``variables`` that satisfy the constraints, ascending.

    None when there are more than ``limit`` of them, or more than ``work`` partial tuples to try.
    """
    # Hashing a key with a long table would take longer than listing.
    rows = sum(len(c.tuples) for c in constraints if isinstance(c, Table))
    if rows > _ROWS_KEPT or not _KEYED.issuperset(map(type, constraints)):
        return _list_tuples(variables, domains, constraints, limit, work)
    key = (*variables, *(tuple(domains[name]) for name in variables), *constraints, limit, work)
    known = _kept.get(key)
    if known is None:
        known = (_list_tuples(variables, domains, constraints, limit, work),)
        if len(known[0] or ()) <= _ROWS_KEPT:
            if len(_kept) >= _MOST_KEPT:
                _kept.clear()
            _kept[key] = known
    return known[0]


def _list_tuples(
    variables: Sequence[str],
    domains: Mapping[str, Sequence[int]],
    constraints: Sequence[Constraint],
    limit: int,
    work: int | None,
) -> Tuples | None:
    """List tuples as `tuples_of`, depth first over blocks of partial tuples that every begun constraint prunes."""
    if not all(bool(c.holds({})) for c in constraints if not c.scope):
        return ()
    # Each prune sees the columns so far, so rows are dropped before further variables multiply them.
    prunes = [(set(c.scope), _make_prune(c, variables, domains)) for c in constraints]
    values = [np.array(domains[name], dtype=np.int64) for name in variables]
    blocks: list[Rows] = [np.zeros((1, 0), dtype=np.int64)]
    found: list[tuple[int, ...]] = []
    tried = 0
    while blocks:
        block = blocks.pop()
        depth = block.shape[1]
        if depth == len(variables):
            found += [tuple(row) for row in block.tolist()]
            if len(found) > limit:
                return None
            continue
        width = len(values[depth])
        tried += len(block) * width
        if work is not None and tried > work:
            return None
        grown = np.column_stack([np.repeat(block, width, axis=0), np.tile(values[depth], len(block))])
        for scope, prune in prunes:
            if variables[depth] in scope:
                grown = grown[prune(grown)]
        # The last block goes on the stack first, so that the next one popped holds the smallest tuples.
        blocks += [grown[start : start + _BLOCK] for start in reversed(range(0, len(grown), _BLOCK))]
    return tuple(found)


def _make_prune(constraint: Constraint, variables: Sequence[str], domains: Mapping[str, Sequence[int]]) -> Prune:
    column = {name: k for k, name in enumerate(variables)}
    places = [column[name] for name in constraint.scope]
    if isinstance(constraint, Linear) and constraint.relation != "!=":
        return _make_sum_prune(constraint, places, variables, domains)
    if isinstance(constraint, Table):
        trie = Trie.of(constraint.rows[:, np.argsort(places)]) if constraint.tuples else None
    if isinstance(constraint, AllDifferent):
        shifts = np.array([dict(constraint.shifted).get(name, 0) for name in variables])

    def prune(rows: Rows) -> NDArray[np.bool_]:
        last = rows.shape[1] - 1
        if isinstance(constraint, AllDifferent):
            before = [p for p in places if p < last]
            return np.asarray(np.all(rows[:, before] + shifts[before] != rows[:, last:] + shifts[last], axis=1))
        if isinstance(constraint, Table):
            columns = [rows[:, p] for p in sorted(places) if p <= last]
            return np.zeros(len(rows), dtype=bool) if trie is None else trie.begins(columns)
        if last < max(places):
            return np.ones(len(rows), dtype=bool)
        return constraint.holds({name: rows[:, p] for name, p in zip(constraint.scope, places, strict=True)})

    return prune


def _make_sum_prune(
    constraint: Linear, places: Sequence[int], variables: Sequence[str], domains: Mapping[str, Sequence[int]]
) -> Prune:
    """Return a test whether the terms after the last column can still bring the sum to the bound."""
    coefficient = {name: c for c, name in constraint.terms}
    # For each suffix of the columns, shortest first: the least sum of its terms, and the sums above it that it reaches.
    lows, reaches = [0], [np.ones(1, dtype=bool)]
    for name in reversed(variables[1:]):
        steps = sorted(coefficient.get(name, 0) * v for v in domains[name])
        lows.append(lows[-1] + steps[0])
        reaches.append(_extend(reaches[-1], sorted({s - steps[0] for s in steps})))

    def prune(rows: Rows) -> NDArray[np.bool_]:
        width = rows.shape[1]
        # The bound minus the sum so far is compared with what the later terms reach, measured from their least sum.
        so_far = sum(c * rows[:, p] for (c, _), p in zip(constraint.terms, places, strict=True) if p < width)
        need = constraint.bound - so_far - lows[-width]
        if constraint.relation == "<=":
            return np.asarray(need >= 0)
        reach = reaches[-width]
        inside = (need >= 0) & (need < len(reach))
        return np.asarray(inside & reach[np.where(inside, need, 0)])

    return prune


def _extend(reach: NDArray[np.bool_], steps: Sequence[int]) -> NDArray[np.bool_]:
    """Return the sums reachable with one more term, whose values above its smallest are ``steps``."""
    size = len(reach) + steps[-1]
    if size > _SUM_RANGE:
        # The range is too wide to list, so every sum in it counts as reachable: weaker, but still correct pruning.
        return np.broadcast_to(np.ones(1, dtype=bool), (min(size, sys.maxsize),))
    grown = np.zeros(size, dtype=bool)
    for step in steps:
        grown[step : step + len(reach)] |= reach
    return grown


def state_constraints(model: Model, level: Level) -> tuple[Constraint, ...]:
    """Return the constraints for a circuit of this level: without duplicates, merged unless it is ``literal``."""
    return tuple(dict.fromkeys(model.constraints)) if level == "literal" else merge_constraints(model).constraints


def merge_constraints(model: Model, limit: int = MERGED_TUPLES, widest: int | None = None) -> Model:
    """Return a model with the same solutions, each constraint merged into those whose scope contains its own.

    Scopes are visited from the widest down. All constraints inside a scope become one table if at most ``limit`` tuples
    satisfy them; otherwise they are unchanged and the next narrower scope is tried. A lone constraint keeps its kind;
    duplicates are dropped. Scopes of more than ``widest`` variables, by default half of the model's, are skipped:
    listing their tuples would solve the model.
    """
    widest = len(model.variables) // 2 if widest is None else widest
    constraints = list(dict.fromkeys(model.constraints))
    scopes = [frozenset(c.scope) for c in constraints]
    order = {v.name: k for k, v in enumerate(model.variables)}
    tables: dict[int, Table] = {}
    enforced: set[int] = set()
    for first in sorted(range(len(constraints)), key=lambda k: (-len(scopes[k]), k)):
        if first in enforced:
            continue
        group = [k for k, scope in enumerate(scopes) if scope <= scopes[first]]
        # A scope that occurred before was already tried and gave too many tuples.
        if len(group) == 1 or scopes[first] in scopes[:first] or len(scopes[first]) > widest:
            continue
        names = tuple(sorted(scopes[first], key=order.__getitem__))
        members = [constraints[k] for k in group]
        # The work limit bounds failed attempts: a scope with many partial tuples is given up early.
        tuples = tuples_of(names, model.domains, members, limit, work=40 * limit + 10_000)
        if tuples is not None:
            tables[first] = Table(names, tuples, " & ".join(str(c) for c in members)).join(members)
            enforced.update(group)
    kept = [tables.get(k, c) for k, c in enumerate(constraints) if k in tables or k not in enforced]
    return Model(model.variables, tuple(kept), model.objective)
