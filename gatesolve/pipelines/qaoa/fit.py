"""Functions of codewords as sums of few signs of parities.

Only the codewords count, so there is a choice: in one-hot every sign of a subset of wires is one of eight functions
of four values, and a function of two blocks is many such sums. The one of least weight is looked for by linear
programming with weights that are lowered where a coefficient is large, so that few are left.
Source of the reweighting: Candes, Wakin, Boyd, arXiv:0711.1612, section 2.2; its use on codewords is ours.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import accumulate, combinations, product

import numpy as np
from numpy.typing import NDArray

from gatesolve.encodings.space import Space

Floats = NDArray[np.float64]
MOST_COLUMNS, MOST_ROWS = 1_200, 2_048
"""Most products of signs, and most combinations of codewords."""
MOST_CELLS = 130_000
"""Rows times columns up to which few terms are looked for; above, those of least squares are taken."""
MOST_SIGNS = 300
"""Most functions of one block that are tried."""
ROUNDS = 4
"""Times the weights are changed."""
EXACT = 1e-9
"""Error up to which a sum counts as the function, relative to its largest value."""


@dataclass(frozen=True, eq=False)
class Local:
    """A function of the codewords of a few blocks.

    Attributes:
        numbers: the blocks, ascending.
        values: one a combination of codewords, the first block's position the fastest.
    """

    numbers: tuple[int, ...]
    values: Floats


Polynomial = dict[int, float]
"""Coefficients of signs of parities, by mask of data wires; 0 is the constant."""


def fit_polynomials(local: Local, space: Space) -> Iterator[Polynomial]:
    """Sums of signs equal to ``local`` on the codewords, without the constant: one for each width that is worth trying.

    With parities of at most w wires a block, for the least w that is enough and for greater ones as long as there
    are few of them. Parities of one wire cost nothing.
    """
    blocks = [space.blocks[k] for k in local.numbers]
    shapes = tuple((block.codewords, block.num_qubits) for block in blocks)
    starts = list(accumulate((block.num_qubits for block in blocks), initial=0))
    for found in _fit_values(shapes, tuple(local.values.tolist())):
        polynomial: Polynomial = {}
        for mask, coefficient in found:
            parts = (
                (mask >> start & (1 << block.num_qubits) - 1) << space.offsets[k]
                for k, block, start in zip(local.numbers, blocks, starts, strict=False)
            )
            polynomial[sum(parts)] = coefficient
        yield polynomial


Shape = tuple[tuple[int, ...], int]
"""A block's codewords and its number of qubits."""


@lru_cache(maxsize=1024)
def _fit_values(shapes: tuple[Shape, ...], values: tuple[float, ...]) -> tuple[tuple[tuple[int, float], ...], ...]:
    """Fit values over the blocks' qubits side by side; blocks of equal codewords share the work."""
    wanted = np.array(values)
    if not np.ptp(wanted):
        return ((),)
    results: list[tuple[tuple[int, float], ...]] = []
    tried = 0
    for most in range(1, max(width for _, width in shapes) + 1 if len(values) <= MOST_ROWS else 1):
        signs = [_signs(shape, most) for shape in shapes]
        columns = math.prod(len(s) for s in signs)
        if columns > MOST_COLUMNS:
            break
        if columns > tried:
            tried = columns
            found = _sparse(wanted, signs, [width for _, width in shapes])
            if found is not None:
                results.append(tuple(found.items()))
    return tuple(results)


Sign = tuple[int, tuple[int, ...]]
"""A mask of a block's wires and ``(-1)`` to their parity on each codeword."""


@lru_cache(maxsize=256)
def _signs(shape: Shape, most: int) -> tuple[Sign, ...]:
    """Different functions of a block's codewords, up to sign, each with its lightest parity; the constant first."""
    words, num_qubits = shape
    found: dict[tuple[int, ...], Sign] = {}
    for width in range(most + 1):
        for wires in combinations(range(num_qubits), width):
            mask = sum(1 << w for w in wires)
            row = tuple((-1) ** (word & mask).bit_count() for word in words)
            found.setdefault(tuple(sign * row[0] for sign in row), (mask, row))
        if len(found) >= MOST_SIGNS:
            break
    return tuple(found.values())


def _sparse(values: Floats, signs: Sequence[Sequence[Sign]], widths: Sequence[int]) -> Polynomial | None:
    """A sum of few products of the blocks' signs, or None if they do not span the function."""
    parts = [np.array([row for _, row in block], dtype=float).T for block in signs]
    coefficients = _by_axes(parts, values)
    if coefficients is None:
        return None
    offsets = accumulate(widths[:-1], initial=0)
    shifted = [[mask << offset for mask, _ in block] for block, offset in zip(signs, offsets, strict=True)]
    masks = [sum(chosen) for chosen in product(*shifted)]
    several = any(np.linalg.matrix_rank(part) < part.shape[1] for part in parts)
    if several and len(masks) * len(values) <= MOST_CELLS:
        # The first block is the slowest of the columns, and the fastest of the rows.
        matrix = reduce(np.kron, parts)
        rows = np.arange(len(values)).reshape([part.shape[0] for part in parts][::-1]).T.reshape(-1)
        # The constant counts nothing, one wire next to nothing.
        weights = np.array([{0: 0.0, 1: 1e-3}.get(mask.bit_count(), float(mask.bit_count())) for mask in masks])
        coefficients = _fit_reweighted(matrix, values[rows], weights, coefficients)
    return {mask: float(c) for mask, c in zip(masks, coefficients, strict=True) if mask and c}


def _by_axes(parts: Sequence[Floats], values: Floats) -> Floats | None:
    """The coefficients of least squares, block by block, where they are exact."""
    wanted = values.reshape([part.shape[0] for part in parts][::-1]).T
    found = wanted
    for axis, part in enumerate(parts):
        found = _along(np.asarray(np.linalg.pinv(part), dtype=np.float64), found, axis)
    back = found
    for axis, part in enumerate(parts):
        back = _along(part, back, axis)
    scale = max(1.0, float(np.abs(values).max()))
    if float(np.abs(back - wanted).max()) > EXACT * scale:
        return None
    return np.where(np.abs(found) > EXACT * scale, found, 0.0).reshape(-1)


def _along(matrix: Floats, tensor: Floats, axis: int) -> Floats:
    return np.asarray(np.moveaxis(np.tensordot(matrix, tensor, axes=(1, axis)), 0, axis))


def _fit_reweighted(matrix: Floats, values: Floats, weights: Floats, best: Floats) -> Floats:
    """Coefficients, most of them 0: the lightest found in a few linear programmes, ``best`` where there is none."""
    from scipy.optimize import linprog

    least = math.inf
    scale = max(1.0, float(np.abs(values).max()))
    now = weights
    for _ in range(ROUNDS):
        answer = linprog(np.tile(now, 2), A_eq=np.hstack([matrix, -matrix]), b_eq=values, method="highs")
        if answer.x is None:
            break
        raw = np.subtract(*np.split(answer.x, 2))
        kept = np.abs(raw) > 1e-7 * scale
        fitted = np.linalg.lstsq(matrix[:, kept], values, rcond=None)[0]
        exact = np.abs(matrix[:, kept] @ fitted - values).max() <= EXACT * scale
        if exact and weights[kept].sum() < least:
            least = float(weights[kept].sum())
            best = np.zeros(len(weights))
            best[kept] = np.where(np.abs(fitted) > EXACT * scale, fitted, 0.0)
        now = weights / (np.abs(raw) / scale + 0.05)
    return best
