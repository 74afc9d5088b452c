"""The level of every codeword of a space, constraint by constraint."""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from gatesolve.encodings.block import Block
from gatesolve.encodings.space import Space
from gatesolve.errors import DoesNotFitError
from gatesolve.qubo.cost import Cost, SoftConstraint

LOCAL_ROWS = 1 << 20
"""Combinations of codewords of a constraint's blocks up to which it is tabulated once and spread over the space."""
LEVEL_BITS = 62
"""Levels stay below 2 to this power, so that sums of them are whole numbers of a machine."""
CHUNK = 1 << 16
"""Codewords on which other constraints are worked out at a time."""


def require_levels(most: int) -> None:
    """Refuse what machine words do not hold.

    Args:
        most: the greatest size of what is added up.

    Raises:
        DoesNotFitError: 2^62 or more.
    """
    if most >= 1 << LEVEL_BITS:
        # Samplers take floats.
        anneal = "use pipeline='anneal', or" if most.bit_length() <= sys.float_info.max_exp else "give"
        raise DoesNotFitError(
            f"does not fit: what is to be made small or large takes values 2^{most.bit_length() - 1} apart, "
            f"2^{LEVEL_BITS} at most are told apart: {anneal} coefficients of more like sizes"
        )


def all_levels(cost: Cost, space: Space, report: Callable[[int, int], None] = lambda *_: None) -> NDArray[np.int64]:
    """The level of every codeword, in codeword order.

    Args:
        cost: over the variables of the space.
        space: its codewords fit in memory.
        report: called with (constraints done, constraints to do).

    Cost: for most constraints one addition a codeword.
    """
    # Block 0 is the fastest, so the last axis is its.
    levels = np.zeros([block.size for block in reversed(_varying(space))], dtype=np.int64)
    for number, term in enumerate(cost.terms):
        _pay(levels, term, space)
        report(number + 1, len(cost.terms))
    return levels.reshape(-1)


def _varying(space: Space) -> list[Block]:
    """Blocks of two codewords or more; the others are no axes."""
    return [block for block in space.blocks if block.size > 1]


def _pay(levels: NDArray[np.int64], term: SoftConstraint, space: Space) -> None:
    """Add a constraint's weight where it is broken."""
    read = {space.home[name][0] for name in term.constraint.scope}
    local = Space(tuple(space.blocks[k] for k in sorted(read)))
    if local.size <= LOCAL_ROWS:
        numbers = np.arange(local.size)
        held = np.broadcast_to(term.constraint.holds(local.values(numbers)), (local.size,))
        axes = [block.size if k in read else 1 for k, block in enumerate(space.blocks) if block.size > 1]
        levels += np.where(held, 0, term.weight).reshape(axes[::-1])
        return
    flat = levels.reshape(-1)
    for start in range(0, space.size, CHUNK):
        numbers = np.arange(start, min(start + CHUNK, space.size))
        held = np.broadcast_to(term.constraint.holds(space.values(numbers)), numbers.shape)
        flat[start : start + len(numbers)] += np.where(held, 0, term.weight)
