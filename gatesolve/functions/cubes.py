"""Exclusive sums of products: a phase for each cube, no ancilla of their own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from gatesolve.circuit import And, Op, Ops, Parity, PhaseFlip
from gatesolve.oracle.window import pack

Literals = frozenset[Parity]
RESERVED = 1
"""Ancillas left to the flips themselves: with one, each is still linear in CX."""
Cube = tuple[int, int]
"""(mask of the variables that occur, their values)."""
BUDGET = 60_000
"""Different cofactors looked at before the fixed-polarity form must do."""


def factor_cubes(cubes: Sequence[Literals], clean: tuple[int, ...]) -> Ops:
    """Phase -1 for each cube; the pair of literals in most cubes goes onto an ancilla for as long as they last.

    A cube is a product of parities; ``clean`` are zero ancillas, zero again afterwards.

    Cost: one AND and its erasure for each pair taken out, which every further cube with that pair saves.
    """
    ops: list[Op] = []
    rest = list(cubes)
    while rest:
        pair, times = _commonest(rest)
        if pair is None or times < 2 or len(clean) <= RESERVED:
            return (*ops, *(PhaseFlip(_ordered(cube), clean) for cube in rest))
        goal, free = clean[0], clean[1:]
        product = And(pair[0], pair[1], goal)
        inside = [cube - set(pair) | {Parity((goal,))} for cube in rest if pair[0] in cube and pair[1] in cube]
        rest = [cube for cube in rest if not (pair[0] in cube and pair[1] in cube)]
        ops += [product, *factor_cubes(inside, free), And(product.left, product.right, goal, True)]
    return tuple(ops)


def _ordered(cube: Literals) -> tuple[Parity, ...]:
    return tuple(sorted(cube, key=lambda p: p.wires))


def _commonest(cubes: Sequence[Literals]) -> tuple[tuple[Parity, Parity] | None, int]:
    """The pair of literals in most cubes of three or more literals, and in how many."""
    counts: Counter[tuple[Parity, Parity]] = Counter()
    for cube in cubes:
        if len(cube) > 2:
            counts.update(combinations(_ordered(cube), 2))
    if not counts:
        return None, 0
    pair = max(counts, key=lambda p: (counts[p], p))
    return pair, counts[pair]


def cube_ops(table: NDArray[np.bool_], clean: tuple[int, ...]) -> Ops:
    """Phase -1 where ``table`` (length 2^n, little-endian) is true, as one flip a cube, which may borrow ``clean``."""
    return flips_of(cubes(table), clean, range(table.size.bit_length() - 1))


def flips_of(cover: Sequence[Cube], clean: tuple[int, ...], places: Sequence[int]) -> Ops:
    """One flip a cube, common products of literals made once; bit k is on qubit ``places[k]``."""
    literals = [
        frozenset(Parity((places[k],), not values >> k & 1) for k in range(mask.bit_length()) if mask >> k & 1)
        for mask, values in cover
    ]
    return factor_cubes(literals, clean)


def cubes(table: NDArray[np.bool_]) -> list[Cube]:
    """The cheaper of two covers: each cofactor expanded its own way, or one polarity for all.

    Source: pseudo-Kronecker and fixed-polarity Reed-Muller forms, Sasao, "Switching Theory for Logic Synthesis"
    (1999), chapter 16.
    """
    fixed = fixed_polarity(table)
    free = pseudo_kronecker(table)
    return fixed if free is None else min(free, fixed, key=lambda cover: sum(_weight(mask) - 1 for mask, _ in cover))


def reed_muller(table: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Coefficients of the polynomial over GF(2): entry m belongs to the product of the variables in m."""
    result = table.copy()
    step = 1
    while step < result.size:
        view = result.reshape(-1, 2, step)
        view[:, 1] ^= view[:, 0]
        step *= 2
    return result


def fixed_polarity(table: NDArray[np.bool_]) -> list[Cube]:
    """Products of literals, each variable with one polarity throughout; polarities by descent."""
    size = table.size
    inputs = np.arange(size)
    price = np.array([_weight((1 << n) - 1) for n in range(size.bit_length())])[np.bitwise_count(inputs)]

    def cost(polarity: int) -> int:
        return int(price[reed_muller(table[inputs ^ polarity])].sum())

    polarity, best = 0, cost(0)
    improved = True
    while improved:
        improved = False
        for k in range(size.bit_length() - 1):
            other = cost(polarity ^ (1 << k))
            if other < best:
                polarity, best, improved = polarity ^ (1 << k), other, True
    chosen = np.flatnonzero(reed_muller(table[inputs ^ polarity]))
    return [(int(m), int(m) & ~polarity) for m in chosen]


def pseudo_kronecker(table: NDArray[np.bool_]) -> list[Cube] | None:
    """At every cofactor the cheapest of Shannon, positive and negative Davio; None past `BUDGET` cofactors."""
    seen = 0

    @cache
    def best(level: int, function: int) -> tuple[int, tuple[Cube, ...]]:
        nonlocal seen
        seen += 1
        if seen > BUDGET:
            raise OverflowError
        if not function:
            return 0, ()
        if level == 0:
            return 1, ((0, 0),)
        half = 1 << (level - 1)
        low, high = function & ((1 << half) - 1), function >> half
        parts = sorted(
            ((best(level - 1, f), kind) for f, kind in ((low, "low"), (high, "high"), (low ^ high, "both"))),
            key=lambda p: p[0][0],
        )[:2]
        kinds = {kind for _, kind in parts}
        bit = 1 << (level - 1)
        cover: list[Cube] = []
        for (_, found), kind in parts:
            # f = low' x' + high x = low + both x = high + both x'
            literal = _literal(kind, kinds)
            cover += [(m | (bit if literal is not None else 0), v | (bit if literal else 0)) for m, v in found]
        return sum(_weight(m) for m, _ in cover), tuple(cover)

    try:
        return list(best(table.size.bit_length() - 1, pack(table))[1])
    except OverflowError:
        return None


def _weight(mask: int) -> int:
    """One more than the CX of the flip: 6 n - 12 for n factors."""
    return 1 + max(6 * (mask.bit_count() - 2), mask.bit_count() - 1, 0)


def _literal(kind: str, kinds: set[str]) -> bool | None:
    """The literal that goes with a part of the expansion: x, its complement, or none."""
    if kind == "both":
        return "low" in kinds
    if "both" in kinds:
        return None
    return kind == "high"
