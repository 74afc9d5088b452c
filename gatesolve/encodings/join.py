"""Joining table blocks: two blocks and the constraints between them as one larger table.

A joint table keeps only the pairs of tuples that satisfy every constraint
inside its scope, so the space shrinks by the pairs left out. Used when a space
is too large to verify and simulate: it trades listing for searching.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from gatesolve.encodings import block as blocks
from gatesolve.encodings.block import Block
from gatesolve.model import Constraint

JOINT_TUPLES = 4096
"""Most tuples of a joint table."""
WORST_PAIRS = 1 << 18
"""Most pairs of tuples tried for one join."""
REACH_BITS = 24
"""Bits above the size wanted from which joining is not tried: it would take long and not get there."""


def joined_until(chosen: Sequence[Block], constraints: Sequence[Constraint], fits: int) -> list[Block]:
    """Join pairs of blocks, the best first, until the space has at most ``fits`` states or no join helps.

    Args:
        chosen: all blocks of a space.
        constraints: the model's constraints.
        fits: states wanted at most.

    Returns:
        The blocks, joined ones as table blocks; their solutions are those there were.
    """
    current = list(chosen)
    if sum(math.log2(block.size) for block in current) - math.log2(fits) > REACH_BITS:
        return current
    gains: dict[tuple[int, int], tuple[float, Block] | None] = {}
    while math.prod(block.size for block in current) > fits:
        for pair in combinations(current, 2):
            key = (id(pair[0]), id(pair[1]))
            if key not in gains:
                gains[key] = _join(pair[0], pair[1], constraints)
        options = [(gains[id(a), id(b)], a, b) for a, b in combinations(current, 2)]
        found = [(option[0], option[1], a, b) for option, a, b in options if option is not None]
        if not found:
            break
        _, joint, first, second = max(found, key=lambda option: option[0])
        current = [joint if b is first else b for b in current if b is not second]
    return current


def _join(first: Block, second: Block, constraints: Sequence[Constraint]) -> tuple[float, Block] | None:
    """Bits saved and the joint block; None if nothing joins them or the table would be too large."""
    names = (*first.variables, *second.variables)
    inside = [
        c
        for c in constraints
        if set(c.scope) <= set(names) and set(c.scope) & set(first.variables) and set(c.scope) & set(second.variables)
    ]
    if not inside or first.size * second.size > WORST_PAIRS:
        return None
    rows = np.hstack([np.repeat(first.values, second.size, axis=0), np.tile(second.values, (first.size, 1))])
    for constraint in inside:
        held = constraint.holds({name: rows[:, j] for j, name in enumerate(names) if name in constraint.scope})
        rows = rows[held]
    if not 0 < len(rows) <= JOINT_TUPLES:
        return None
    saved = math.log2(first.size * second.size / len(rows))
    if saved <= 0.1:
        return None
    return saved, replace(blocks.table(names, [tuple(row) for row in rows.tolist()]), kind="joint-table")
