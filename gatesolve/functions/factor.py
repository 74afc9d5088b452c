"""Cubes that share literals: their common products are made once, on ancillas."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from gatesolve.circuit import And, Op, Ops, Parity, PhaseFlip

Literals = frozenset[Parity]
RESERVED = 1
"""Ancillas left to the flips themselves: with one, each is still linear in CX."""


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
