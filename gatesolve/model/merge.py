"""Listing the tuples that satisfy constraints, and merging constraints into tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gatesolve.model.constraints import AllDifferent, Constraint, Linear, Table
from gatesolve.model.model import Model
from gatesolve.model.trie import Trie

Rows = NDArray[np.int64]

#: Partial tuples extended together: wide enough for array speed, narrow enough to stay depth first.
_BLOCK = 4096
#: Widest range of partial sums for which reachability is listed sum by sum.
_SUM_RANGE = 1 << 18


def tuples_of(
    variables: Sequence[str],
    domains: Mapping[str, Sequence[int]],
    constraints: Sequence[Constraint],
    limit: int,
    work: int | None = None,
) -> tuple[tuple[int, ...], ...] | None:
    """All tuples over ``variables`` that satisfy the constraints.

    Depth first over blocks of partial tuples, each pruned by every constraint it has begun.

    Returns:
        The tuples in ascending order, or None when there are more than ``limit`` of them, or more than ``work``
        partial tuples to try.
    """
    if not all(bool(c.holds({})) for c in constraints if not c.scope):
        return ()
    prunes = [_prune(constraint, variables, domains) for constraint in constraints]
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
        for prune in prunes:
            grown = grown[prune.keeps(grown)]
        # last block first, so that the next one popped holds the smallest tuples
        blocks += [grown[start : start + _BLOCK] for start in reversed(range(0, len(grown), _BLOCK))]
    return tuple(found)


@dataclass(frozen=True)
class _Prune:
    """One constraint over the columns of the tuples; ``places[k]`` is the column of its k-th variable.

    ``suffix`` and ``lows`` describe the terms of a Linear after each column (the reachable sums,
    counted from the smallest); ``trie`` a Table's tuples in the order of the columns (None: no tuples).
    """

    constraint: Constraint
    places: tuple[int, ...]
    suffix: tuple[NDArray[np.bool_], ...] = ()
    lows: tuple[int, ...] = ()
    trie: Trie | None = None

    def keeps(self, rows: Rows) -> NDArray[np.bool_]:
        """Which rows may still be extended to satisfy the constraint; looks only at what the last column changes."""
        last = rows.shape[1] - 1
        if last not in self.places:
            return np.ones(len(rows), dtype=bool)
        if isinstance(self.constraint, AllDifferent):
            before = [p for p in self.places if p < last]
            return np.asarray(np.all(rows[:, before] != rows[:, last:], axis=1))
        if isinstance(self.constraint, Table):
            columns = [rows[:, p] for p in sorted(self.places) if p <= last]
            return np.zeros(len(rows), dtype=bool) if self.trie is None else self.trie.begins(columns)
        begun = [(k, p) for k, p in enumerate(self.places) if p <= last]
        if isinstance(self.constraint, Linear) and self.constraint.relation != "!=":
            return self._sum_in_reach(rows, begun, last)
        if len(begun) < len(self.places):
            return np.ones(len(rows), dtype=bool)
        return self.constraint.holds({self.constraint.scope[k]: rows[:, p] for k, p in begun})

    def _sum_in_reach(self, rows: Rows, begun: list[tuple[int, int]], last: int) -> NDArray[np.bool_]:
        """Whether the terms after column ``last`` can still bring the sum to the bound."""
        assert isinstance(self.constraint, Linear)
        so_far = sum(self.constraint.terms[k][0] * rows[:, p] for k, p in begun)
        need = self.constraint.bound - so_far - self.lows[last]
        if self.constraint.relation == "<=":
            return np.asarray(need >= 0)
        reach = self.suffix[last]
        inside = (need >= 0) & (need < len(reach))
        return np.asarray(inside & reach[np.where(inside, need, 0)])


def _prune(constraint: Constraint, variables: Sequence[str], domains: Mapping[str, Sequence[int]]) -> _Prune:
    column = {name: k for k, name in enumerate(variables)}
    places = tuple(column[name] for name in constraint.scope)
    if isinstance(constraint, Table):
        return _Prune(
            constraint, places, trie=Trie.of(constraint.rows[:, np.argsort(places)]) if constraint.tuples else None
        )
    if not isinstance(constraint, Linear) or constraint.relation == "!=":
        return _Prune(constraint, places)
    coefficient = {name: c for c, name in constraint.terms}
    lows, reaches = [0], [np.ones(1, dtype=bool)]
    for name in reversed(variables[1:]):
        steps = sorted(coefficient.get(name, 0) * v for v in domains[name])
        lows.append(lows[-1] + steps[0])
        reaches.append(_extend(reaches[-1], sorted({s - steps[0] for s in steps})))
    return _Prune(constraint, places, tuple(reversed(reaches)), tuple(reversed(lows)))


def _extend(reach: NDArray[np.bool_], steps: Sequence[int]) -> NDArray[np.bool_]:
    """Sums reachable with one more term whose values above its smallest are ``steps``."""
    size = len(reach) + steps[-1]
    if size > _SUM_RANGE:
        # too wide to list: every sum in the range counts as reachable (a weaker, still correct pruning)
        return np.broadcast_to(np.ones(1, dtype=bool), (size,))
    grown = np.zeros(size, dtype=bool)
    for step in steps:
        grown[step : step + len(reach)] |= reach
    return grown


def merge_constraints(model: Model, limit: int = 4096) -> Model:
    """Merge every constraint into those whose scope holds its own, as tables.

    From the widest scope down: all constraints inside a scope are listed together as
    one table when at most ``limit`` tuples satisfy them; otherwise they are left as they
    are and the next narrower scope is tried. A lone constraint stays its kind.

    Args:
        model: any model.
        limit: most tuples of a merged table.

    Returns:
        A model with the same solutions, without duplicate constraints.
    """
    constraints = list(dict.fromkeys(model.constraints))
    scopes = [frozenset(c.scope) for c in constraints]
    order = {v.name: k for k, v in enumerate(model.variables)}
    tables: dict[int, Table] = {}
    enforced: set[int] = set()
    for first in sorted(range(len(constraints)), key=lambda k: (-len(scopes[k]), k)):
        if first in enforced:
            continue
        group = [k for k, scope in enumerate(scopes) if scope <= scopes[first]]
        if len(group) == 1 or scopes[first] in scopes[:first]:
            continue
        names = tuple(sorted(scopes[first], key=order.__getitem__))
        members = [constraints[k] for k in group]
        tuples = tuples_of(names, model.domains, members, limit, work=40 * limit + 10_000)
        if tuples is not None:
            tables[first] = Table(names, tuples, " & ".join(str(c) for c in members))
            enforced.update(group)
    kept = [tables.get(k, c) for k, c in enumerate(constraints) if k in tables or k not in enforced]
    return Model(model.variables, tuple(kept), model.objective)
