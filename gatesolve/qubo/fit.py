"""Fitting a quadratic penalty to a small constraint by linear programming, without slack bits.

The polynomial is 0 on what is allowed and at least 1 on what is forbidden; of all such, one with a small sum of
absolute coefficients, so that few terms remain. The solver's answer is a guess: it is made rational and every row is
checked in whole numbers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from gatesolve.qubo.literals import Literals
from gatesolve.qubo.penalty import Penalty, make_penalty
from gatesolve.qubo.polynomial import Monomial, Terms, add, multiply_all, scale, variable
from gatesolve.qubo.tuple_penalties import Grid

FIT_ROWS = 1 << 14
"""Most rows of a constraint that is fitted."""
FIT_TERMS = 512
"""Most terms of a fit."""
ROWS_AT_ONCE = 200
"""Rows added to the linear programme at a time."""
TOLERANCE = 1e-7
"""By how much the solver's answer may miss a row."""
DENOMINATORS = 720
"""Greatest denominator looked for."""
COUPLING_PRICE, LINEAR_PRICE = 1.0, 0.01


def fit_penalty(seen: Grid, literals: Literals, codewords_only: bool) -> Penalty | None:
    """A quadratic penalty for a constraint of three blocks or more, or None where there is none or it is too large."""
    features = _features(seen, literals)
    if features is None or seen.broken.size > FIT_ROWS:
        return None
    polynomials, values, owners = features
    # products inside a block that are never 1 only spend terms
    every = combinations(range(len(polynomials)), 2)
    pairs = [(j, k) for j, k in every if owners[j] != owners[k] or (values[:, j] & values[:, k]).any()]
    if 1 + len(polynomials) + len(pairs) > FIT_TERMS:
        return None
    monomials: list[Monomial] = [(), *((k,) for k in range(len(polynomials))), *pairs]
    matrix = _matrix(values, monomials)
    broken = seen.broken.reshape(-1)
    others = _other_states(values) if not codewords_only else None
    found = None if others is None else _solve(matrix, broken, _matrix(others, monomials), monomials)
    found = found or _solve(matrix, broken, None, monomials)
    return None if found is None else _penalty(found, monomials, matrix, broken, polynomials)


def fit_states(broken: NDArray[np.bool_], num_qubits: int) -> Penalty | None:
    """A quadratic in qubits 0, 1, ...: 0 on states that hold and at least 1 on broken ones, or None.

    ``broken`` tells for each state, qubit 0 its lowest bit, whether it is.
    """
    bits = np.arange(1 << num_qubits)[:, None] >> np.arange(num_qubits) & 1
    monomials: list[Monomial] = [m for size in range(3) for m in combinations(range(num_qubits), size)]
    matrix = _matrix(bits, monomials)
    found = _solve(matrix, broken, None, monomials)
    qubits = [variable(q) for q in range(num_qubits)]
    return None if found is None else _penalty(found, monomials, matrix, broken, qubits)


def _features(seen: Grid, literals: Literals) -> tuple[list[Terms], NDArray[np.int64], list[int]] | None:
    """Linear 0/1 quantities that the fit may use: polynomials, values (rows, features), and their blocks."""
    polynomials: list[Terms] = []
    owners: list[int] = []
    columns: list[NDArray[np.int64]] = []
    places = np.indices(seen.broken.shape).reshape(seen.broken.ndim, -1)
    for view, place in zip(seen.views, places, strict=True):
        block, offset = literals.space.blocks[view.number], literals.space.offsets[view.number]
        if view.plain:
            made: list[Terms] = [variable(offset + q) for q in range(block.num_qubits)]
            bits = block.bits.astype(np.int64)
        elif all(len(m) <= 1 for p in view.literals for m in p):
            made, bits = list(view.literals), np.eye(len(view.literals), dtype=np.int64)
        else:
            return None
        polynomials += made
        owners += [view.number] * len(made)
        columns += list(bits[place].T)
    return polynomials, np.stack(columns, axis=1), owners


def _matrix(values: NDArray[np.int64], monomials: Sequence[Monomial]) -> NDArray[np.int64]:
    return np.stack([values[:, list(m)].prod(axis=1) for m in monomials], axis=1)


def _other_states(values: NDArray[np.int64]) -> NDArray[np.int64] | None:
    """The bit rows that are none of the codewords; None where all are, or they are too many to list."""
    width = values.shape[1]
    if len(values) == 1 << width or 1 << width > FIT_ROWS:
        return None
    every = np.arange(1 << width)[:, None] >> np.arange(width) & 1
    known = set((values << np.arange(width)).sum(axis=1).tolist())
    return every[[k for k in range(1 << width) if k not in known]]


def _solve(
    matrix: NDArray[np.int64], broken: NDArray[np.bool_], extra: NDArray[np.int64] | None, monomials: Sequence[Monomial]
) -> list[Fraction] | None:
    """Coefficients: 0 on rows that hold, at least 1 on broken ones, at least 0 on ``extra``; checked exactly."""
    kept = np.unique(matrix[~broken], axis=0)
    above = np.unique(matrix[broken], axis=0)
    demands = [(kept, 0.0, 0.0), (above, 1.0, math.inf)]
    if extra is not None:
        demands.append((np.unique(extra, axis=0), 0.0, math.inf))
    guess = _programme(demands, monomials)
    if guess is None:
        return None
    found = [Fraction(c).limit_denominator(DENOMINATORS) for c in guess]
    denominator = math.lcm(*(c.denominator for c in found))
    whole = np.array([int(c * denominator) for c in found], dtype=object)
    exact = all(np.all((low * denominator <= rows @ whole) & (rows @ whole <= high)) for rows, low, high in demands)
    return found if exact else None


def _programme(
    demands: Sequence[tuple[NDArray[np.int64], float, float]], monomials: Sequence[Monomial]
) -> NDArray[np.float64] | None:
    """The linear programme; most rows enter only when the current answer breaks them."""
    from scipy.optimize import linprog

    first = _pick_independent(demands[0][0])
    if len(first) == len(monomials):
        return None
    prices = np.tile([COUPLING_PRICE if len(m) == 2 else LINEAR_PRICE for m in monomials], 2)
    # a coefficient is one number of at least 0 minus another, so that prices count its size
    zero, least = np.hstack([first, -first]), np.zeros((0, len(prices)))
    floors = np.zeros(0)
    entered = [np.zeros(len(rows), dtype=bool) for rows, _, _ in demands]
    while True:
        found = linprog(prices, -least, -floors, zero, np.zeros(len(zero)), method="highs")
        if found.status != 0:
            return None
        answer: NDArray[np.float64] = found.x[: len(monomials)] - found.x[len(monomials) :]
        complete = True
        for (rows, low, high), done in zip(demands, entered, strict=True):
            reached = rows @ answer
            miss = np.maximum(low - reached, reached - high)
            late = np.flatnonzero((miss > TOLERANCE) & ~done)
            late = late[np.argsort(-miss[late], kind="stable")][:ROWS_AT_ONCE]
            done[late] = True
            rows = np.hstack([rows[late], -rows[late]])
            if low == high:
                zero = np.vstack([zero, rows])
            else:
                least, floors = np.vstack([least, rows]), np.append(floors, np.full(len(late), low))
            complete &= not late.size
        if complete:
            return answer


def _pick_independent(rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Independent ones of a few rows in mixed order, by elimination modulo a large prime; most often they span all."""
    mixed = rows[np.random.default_rng(0).permutation(len(rows))[: 4 * rows.shape[1]]]
    prime = (1 << 31) - 1
    basis: list[tuple[int, NDArray[np.int64]]] = []
    chosen: list[int] = []
    for number, row in enumerate(mixed):
        if len(chosen) == rows.shape[1]:
            break
        rest = row % prime
        for pivot, other in basis:
            if rest[pivot]:
                rest = (rest - rest[pivot] * other) % prime
        if rest.any():
            pivot = int(np.argmax(rest != 0))
            basis.append((pivot, rest * pow(int(rest[pivot]), -1, prime) % prime))
            chosen.append(number)
    return mixed[chosen]


def _penalty(
    found: Sequence[Fraction],
    monomials: Sequence[Monomial],
    matrix: NDArray[np.int64],
    broken: NDArray[np.bool_],
    polynomials: Sequence[Terms],
) -> Penalty:
    """In whole coefficients without a common factor, with its exact gap."""
    denominator = math.lcm(*(c.denominator for c in found))
    whole = [int(c * denominator) for c in found]
    divisor = math.gcd(*whole)
    whole = [c // divisor for c in whole]
    gap = int((matrix[broken] @ np.array(whole, dtype=np.int64)).min())
    products = ((multiply_all(polynomials[k] for k in m), c) for m, c in zip(monomials, whole, strict=True) if c)
    parts = [scale(product, coefficient) for product, coefficient in products]
    return make_penalty(add(parts), gap, "fitted")
