"""A quadratic penalty for any constraint: one auxiliary variable for each box of allowed combinations.

What a constraint allows is covered by boxes (each variable within a set of values). One selector must be set, and
a selector that is set demands its box. Where a Takuzu's two lines must differ the boxes are ``x = 1, y = 0`` and
``x = 0, y = 1`` at each place: two selectors a place, and no term of more than two variables.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gatesolve.model.constraints import Constraint, Linear
from gatesolve.qubo.forms import one_hot
from gatesolve.qubo.literals import Literals
from gatesolve.qubo.of_tuples import Grid
from gatesolve.qubo.penalty import Penalty, least, penalty
from gatesolve.qubo.polynomial import Terms, added, constant, degree, times, variable

Box = tuple[tuple[int, ...], ...]
"""For each axis of a grid the classes allowed, ascending."""


def boxes(broken: NDArray[np.bool_]) -> list[Box]:
    """Boxes without a broken place that together hold every other place, each grown as far as it goes.

    Greedy, from the first place not held yet, the axes in both orders; the box that holds more new places is taken.
    """
    left = ~broken
    found: list[Box] = []
    while left.any():
        start = [int(k) for k in np.unravel_index(int(np.argmax(left)), left.shape)]
        axes = list(range(broken.ndim))
        grown = [_grown(broken, start, order) for order in (axes, axes[::-1])]
        best = max(grown, key=lambda box: int(left[np.ix_(*box)].sum()))
        left[np.ix_(*best)] = False
        found.append(best)
    return found


def _grown(broken: NDArray[np.bool_], start: Sequence[int], axes: Sequence[int]) -> Box:
    box = [[k] for k in start]
    for axis in axes:
        for other in range(broken.shape[axis]):
            if other != start[axis]:
                slab = [*box[:axis], [other], *box[axis + 1 :]]
                if not broken[np.ix_(*slab)].any():
                    box[axis].append(other)
    return tuple(tuple(sorted(side)) for side in box)


def selected(demands: Sequence[Sequence[Terms]], first: int) -> Penalty | None:
    """``(sum of selectors - 1)^2`` plus each selector times what its box forbids; gap 1.

    Proof: with all other variables in a box its selector alone costs nothing. In no box, one selector or more that
    are set find something broken, and none costs 1.

    Args:
        demands: for each box polynomials that are 0 inside and at least 1 outside it, on codewords.
        first: number of the first selector; no higher one is in use.

    Returns:
        None where the demands are not linear.
    """
    if any(degree(terms) > 1 for box in demands for terms in box):
        return None
    selectors = [variable(first + k) for k in range(len(demands))]
    parts: list[Terms] = [one_hot(selectors)]
    parts += [times(s, terms) for s, box in zip(selectors, demands, strict=True) for terms in box]
    safe = all(least(terms) >= 0 for box in demands for terms in box)
    return penalty(added(parts), 1, "selectors", floor=0 if safe else None)


def demands_of(seen: Grid, found: Sequence[Box]) -> list[list[Terms]]:
    """For each box, block by block, the sum of the literals of the classes outside it."""
    result: list[list[Terms]] = []
    for box in found:
        sides = zip(seen.views, box, strict=True)
        outside = [[p for k, p in enumerate(view.literals) if k not in side] for view, side in sides]
        result.append([added(polynomials) for polynomials in outside if polynomials])
    return result


def differing(constraint: Constraint, literals: Literals) -> list[list[Terms]] | None:
    """The boxes' demands for two rows of 0/1 variables that must differ, written as one ``!=`` of binary numbers.

    Args:
        constraint: to be ``sum of weight * (x - y) != 0`` where each weight is more than all smaller ones together.
        literals: of the space.

    Returns:
        Two boxes a place, however long the rows are, less those that fixed variables rule out; None for any other
        constraint, and where fixed variables satisfy this one.
    """
    if not isinstance(constraint, Linear) or constraint.relation != "!=" or constraint.bound:
        return None
    if any(not set(literals.values(name)) <= {0, 1} for name in constraint.scope):
        return None
    plus = {c: name for c, name in constraint.terms if c > 0}
    minus = {-c: name for c, name in constraint.terms if c < 0}
    weights = sorted(plus)
    if len(plus) + len(minus) != len(constraint.terms) or sorted(minus) != weights:
        return None
    if any(w <= sum(weights[:k]) for k, w in enumerate(weights)):
        return None
    pairs = [(plus[w], minus[w]) for w in weights]
    ordered = [pair for x, y in pairs for pair in ((x, y), (y, x))]
    demands = [[literals.where(one, {0}), literals.where(zero, {1})] for one, zero in ordered]
    possible: list[list[Terms]] = [[terms for terms in box if terms] for box in demands if constant(1) not in box]
    return possible if possible and all(possible) else None
