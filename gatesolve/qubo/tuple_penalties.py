"""Penalties from the list of allowed combinations: pairs of values, fitted quadratics, exact indicators."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gatesolve.model.constraints import Constraint, tabulate
from gatesolve.qubo.literals import Literals
from gatesolve.qubo.penalty import Penalty, Polynomial, make_penalty, negate
from gatesolve.qubo.polynomial import Monomial, Terms, add, constant, multiply
from gatesolve.qubo.scaling import group_axes

MOST_ROWS = 1 << 16
"""Most combinations of values listed for one constraint."""
MOST_TERMS = 1 << 18
"""Most terms of one exact indicator."""


@dataclass(frozen=True)
class View:
    """A block by number as a constraint sees it: classes of codewords that agree on the constraint's variables.

    Each class has the polynomial that is 1 on its codewords and 0 on the others. If ``plain``, each is one codeword.
    """

    number: int
    literals: tuple[Polynomial, ...]
    plain: bool


@dataclass(frozen=True)
class Grid:
    """All combinations of the classes that a constraint sees, by views of blocks of more than one class.

    ``broken`` has shape (classes of view 0, classes of view 1, ...), and is True where the constraint is broken.
    """

    views: tuple[View, ...]
    broken: NDArray[np.bool_]


def make_grid(constraints: Sequence[Constraint], literals: Literals) -> Grid | None:
    """Return the grid of what all the constraints together allow; None if it has more than `MOST_ROWS` places."""
    axes = group_axes([name for c in constraints for name in c.scope], literals.space)
    sizes = [len(axis.tuples) for axis in axes]
    if math.prod(sizes) > MOST_ROWS:
        return None
    broken = np.zeros(tuple(sizes), dtype=bool)
    for constraint in constraints:
        broken |= ~tabulate(constraint.holds, axes)
    views = []
    for axis in (axis for axis in axes if len(axis.tuples) > 1):
        number = literals.number_of(axis.names[0])
        rows = list(zip(*map(literals.values, axis.names), strict=True))
        found = tuple(literals.of_block(number, [int(row == seen) for row in rows]) for seen in axis.tuples)
        views.append(View(number, found, len(axis.tuples) == len(rows)))
    return Grid(tuple(views), broken.reshape([size for size in sizes if size > 1]))


def find_sum(seen: Grid) -> tuple[Polynomial, list[int], list[int]] | None:
    """Return the sum, its values and the allowed ones, for a constraint that only counts second values of its blocks.

    None for any other constraint, or where a block has more than two values.
    """
    if not seen.views or any(len(view.literals) != 2 for view in seen.views):
        return None
    counts = np.indices(seen.broken.shape).sum(axis=0)
    allowed = []
    for count in range(len(seen.views) + 1):
        here = seen.broken[counts == count]
        # The same count both holds and is broken: the constraint reads more than the count.
        if here.any() and not here.all():
            return None
        if not here.any():
            allowed.append(count)
    return add(view.literals[1] for view in seen.views), list(range(len(seen.views) + 1)), allowed


def make_indicators(seen: Grid) -> list[Penalty]:
    """Return the violation, exactly 1 where the constraint is broken, in several forms equal on codewords."""
    # The sum of the forbidden combinations; 1 minus the sum of the allowed ones; with one literal of each block
    # replaced by the others, the form of lowest degree; for two blocks also that form with the fewest couplings.
    found = [_contract(seen, None)]
    if any(len(view.literals) > 2 for view in seen.views):
        allowed = _contract(Grid(seen.views, ~seen.broken), None)
        found.append(None if allowed is None else negate(allowed))
        common = []
        for axis, size in enumerate(seen.broken.shape):
            slices = np.moveaxis(seen.broken, axis, 0).reshape(size, -1)
            _, first, counts = np.unique(slices, axis=0, return_index=True, return_counts=True)
            # Of the class whose slice occurs most, replacing the literal by the others saves most terms.
            common.append(int(first[int(np.argmax(counts))]))
        found.append(_contract(seen, common))
        if len(seen.views) == 2:
            found.append(_sparse_pairs(seen))
    return [make_penalty(terms, 1, "violation") for terms in found if terms is not None]


def _contract(seen: Grid, base: Sequence[int] | None) -> Polynomial | None:
    """Return the sum of ``broken * product of literals``; None where it exceeds `MOST_TERMS`.

    ``base`` has for each block a class whose literal is written as 1 minus the others; None to use all unchanged.
    """
    tensor: NDArray[Any] = seen.broken.astype(np.int64)
    shares: list[list[Monomial]] = []
    for axis, view in enumerate(seen.views):
        literals: list[Terms] = list(view.literals)
        if base is not None:
            chosen = base[axis]
            literals[chosen] = negate(add(p for k, p in enumerate(literals) if k != chosen))
        monomials = sorted({m for p in literals for m in p})
        weights = np.array([[p.get(m, 0) for p in literals] for m in monomials])
        shares.append(monomials)
        if tensor.size // len(literals) * len(monomials) > MOST_TERMS:
            return None
        # Axis 0 is always the next block: a finished axis moves to the end.
        tensor = np.moveaxis(np.tensordot(weights, tensor, axes=(1, 0)), 0, -1)
    places = np.argwhere(tensor != 0).tolist()
    products = (tuple(sorted(q for share, k in zip(shares, place, strict=True) for q in share[k])) for place in places)
    return dict(zip(products, tensor[tensor != 0].tolist(), strict=True))


def _sparse_pairs(seen: Grid) -> Polynomial:
    """Return ``sum a_i + sum b_j + sum c_ij`` equal to the violation, with few ``c_ij``."""
    matrix = seen.broken.astype(np.int64)
    # A constant added to a whole row or column is a linear term. So the most frequent rest of each row and column is
    # taken out in turn, until no coupling is saved. Four starts: rows or columns first, from 0 or 1.
    plans: list[tuple[int, NDArray[np.int64], NDArray[np.int64]]] = []
    for start in range(4):
        rows, columns = np.zeros(matrix.shape[0], dtype=np.int64), np.zeros(matrix.shape[1], dtype=np.int64)
        if start >= 2:
            rows += 1
        last = -1
        while True:
            for step in range(2):
                if (step + start) % 2:
                    rows = np.array([_mode(row - columns) for row in matrix])
                else:
                    columns = np.array([_mode(column - rows) for column in matrix.T])
            left = int(np.count_nonzero(matrix - rows[:, None] - columns[None, :]))
            if left == last:
                break
            last = left
        plans.append((last, rows, columns))
    _, rows, columns = min(plans, key=lambda plan: plan[0])
    rest = matrix - rows[:, None] - columns[None, :]
    first, second = (view.literals for view in seen.views)
    parts = [_sum(first, rows), _sum(second, columns)]
    parts += [multiply(first[i], _sum(second, rest[i])) for i in range(len(first)) if rest[i].any()]
    return add(parts)


def _mode(values: NDArray[np.int64]) -> int:
    """Return the most frequent value; of several 0, else the smallest."""
    found, counts = np.unique(values, return_counts=True)
    return int(max(zip(counts, found == 0, -found, found, strict=True))[3])


def _sum(literals: Sequence[Terms], weights: NDArray[np.int64]) -> Polynomial:
    # Exactly one literal of a block holds, so the most frequent weight can become the constant.
    base = _mode(weights)
    parts = [{m: int(w - base) * c for m, c in p.items()} for p, w in zip(literals, weights, strict=True) if w != base]
    return add([constant(base), *parts])


def penalise_rows(rows: Iterable[Sequence[Terms]]) -> Polynomial | None:
    """Return 1 minus the number of rows of which all literals hold, for wide tables of few tuples."""
    total: Polynomial = {}
    for row in rows:
        product: Polynomial = constant(1)
        for literal in row:
            product = multiply(product, literal)
            if len(product) > MOST_TERMS:
                return None
        total = add([total, product])
        if len(total) > MOST_TERMS:
            return None
    return negate(total)
