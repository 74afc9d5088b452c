"""Joining table blocks: two blocks and the constraints between them as one larger table.

A joint table keeps only the pairs of tuples that no constraint refuses
already, so the space shrinks by the pairs left out. Used when a space
is too large to verify and simulate: it trades listing for searching.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from gatesolve.encodings import block as blocks
from gatesolve.encodings.block import Block
from gatesolve.model import AllDifferent, Constraint, Linear

Bounds = tuple[int, int]
"""Least and greatest value of a variable."""
JOINT_TUPLES = 1024
"""Most tuples of a joint table."""
WORST_PAIRS = 1 << 18
"""Most pairs of tuples tried for one join."""
REACH_BITS = 24
"""Bits above the size wanted from which joining is not tried: it would take long and not get there."""


def join_until(chosen: Sequence[Block], constraints: Sequence[Constraint], fits: int) -> list[Block]:
    """Join pairs of blocks, the best first, until the space has at most ``fits`` states or no join helps.

    Joined blocks are table blocks; the solutions are those there were.
    """
    current = list(chosen)
    if sum(math.log2(block.size) for block in current) - math.log2(fits) > REACH_BITS:
        return current
    bounds = {
        name: (int(block.values[:, j].min()), int(block.values[:, j].max()))
        for block in chosen
        for j, name in enumerate(block.variables)
    }
    gains: dict[tuple[int, int], tuple[float, Block] | None] = {}
    while math.prod(block.size for block in current) > fits:
        found = []
        for a, b in combinations(current, 2):
            if (id(a), id(b)) not in gains:
                gains[id(a), id(b)] = _join(a, b, constraints, bounds)
            if (option := gains[id(a), id(b)]) is not None:
                found.append((*option, a, b))
        if not found:
            break
        _, joint, first, second = max(found, key=lambda option: option[0])
        current = [joint if b is first else b for b in current if b is not second]
    return current


def _join(
    first: Block, second: Block, constraints: Sequence[Constraint], bounds: Mapping[str, Bounds]
) -> tuple[float, Block] | None:
    """Bits saved and the joint block; None if nothing joins them or the table would be too large."""
    between = [c for c in constraints if _reads(c, first) and _reads(c, second)]
    if not between or first.size * second.size > WORST_PAIRS:
        return None
    names = (*first.variables, *second.variables)
    rows = np.hstack([np.repeat(first.values, second.size, axis=0), np.tile(second.values, (first.size, 1))])
    for constraint in between:
        rows = rows[_possible(constraint, dict(zip(names, rows.T, strict=True)), bounds)]
    if not 0 < len(rows) <= JOINT_TUPLES:
        return None
    saved = math.log2(first.size * second.size / len(rows))
    if saved <= 0.1:
        return None
    return saved, blocks.make_table(names, [tuple(row) for row in rows.tolist()], "joint-table")


def _reads(constraint: Constraint, block: Block) -> bool:
    return not set(constraint.scope).isdisjoint(block.variables)


def _possible(
    constraint: Constraint, columns: Mapping[str, NDArray[np.int64]], bounds: Mapping[str, Bounds]
) -> NDArray[np.bool_]:
    """Rows that the constraint may still allow, whatever its variables in other blocks are.

    Exact where it has none: a sum over a diagonal of a board is refused by two cells already.
    """
    given = {name: columns[name] for name in constraint.scope if name in columns}
    if len(given) == len(constraint.scope):
        return constraint.holds(given)
    if isinstance(constraint, AllDifferent):
        return constraint.among(given).holds(given)
    if isinstance(constraint, Linear) and constraint.relation != "!=":
        ends = [sorted(c * v for v in bounds[name]) for c, name in constraint.terms if name not in given]
        total = np.sum([c * given[name] for c, name in constraint.terms if name in given], axis=0)
        possible = total + sum(low for low, _ in ends) <= constraint.bound
        if constraint.relation == "==":
            possible &= total + sum(high for _, high in ends) >= constraint.bound
        return np.asarray(possible)
    return np.ones(len(next(iter(columns.values()))), dtype=bool)
