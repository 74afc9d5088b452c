"""Which board of many holds a matching: both oracles against brute force, on every index, ancillas clean."""

from __future__ import annotations

import random
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from indexed_determinant import determinant_oracle, found_load
from indexed_matching import (
    MOST_STONES,
    PAIRINGS,
    Board,
    matching_terms,
    ordered_terms,
    table_of,
)
from indexed_products import best_plan, marked

from gatesolve.circuit.lowering import lower
from gatesolve.oracle.assemble import Oracle
from gatesolve.oracle.lookup import ands_needed
from gatesolve.simulate.sparse import diagonal_phases

BITS = 4
CELLS = tuple(product(range(4), repeat=2))


def has_matching(board: Board) -> bool:
    return any(all((row, p[row]) in board for row in range(4)) for p in permutations(range(4)))


def drawn_boards(seed: int, stones: int = MOST_STONES) -> list[Board]:
    rng = random.Random(seed)
    return [frozenset(rng.sample(CELLS, stones)) for _ in range(16)]


def marks(oracle: Oracle) -> list[int]:
    """The indices with phase -1 of the lowered oracle, the sign of the fewest taken as the mark."""
    bits = np.zeros((oracle.num_qubits, 16), dtype=bool)
    bits[:BITS] = np.arange(16) >> np.arange(BITS)[:, None] & 1
    phases = diagonal_phases(lower(oracle.ops, oracle.num_qubits), bits)
    assert phases is not None, "a qubit did not come back as it was"
    signs = np.round((phases / phases[0]).real).astype(int)
    assert np.allclose(phases / phases[0], signs, atol=1e-9)
    return list(np.flatnonzero(signs == (-1 if (signs == 1).sum() >= 8 else 1)))


def as_bits(boards: list[Board]) -> int:
    return sum(1 << i for i, board in enumerate(boards) if has_matching(board))


@given(st.integers(0, 10**6), st.integers(4, MOST_STONES))
def test_every_pairing_counts_every_matching(seed: int, stones: int) -> None:
    boards = drawn_boards(seed, stones)
    table = table_of(boards)
    for pairing in PAIRINGS:
        assert marked(matching_terms(table, pairing)) == as_bits(boards)


def marked_one(seed: int) -> list[Board]:
    """Sixteen boards, exactly one of them with a matching, as in the contest."""
    rng = random.Random(seed)
    without: list[Board] = []
    while len(without) < 15:
        board = frozenset(rng.sample(CELLS, MOST_STONES))
        if not has_matching(board):
            without.append(board)
    columns = rng.sample(range(4), 4)
    chosen = set(enumerate(columns))
    chosen |= set(rng.sample([c for c in CELLS if c not in chosen], 2))
    without.insert(rng.randrange(16), frozenset(chosen))
    return without


@pytest.mark.quick("3")
@pytest.mark.parametrize("seed", range(6))
def test_both_oracles_mark_the_one_board(seed: int) -> None:
    boards = marked_one(seed)
    table = table_of(boards)
    wanted = [i for i, board in enumerate(boards) if has_matching(board)]
    load = found_load(table, BITS, seed, 20)
    assert marks(determinant_oracle(load, table)) == wanted
    _, terms = ordered_terms(table, BITS)[0]
    plan = best_plan(terms, BITS, seed, 20)
    assert marks(plan.oracle) == wanted
    assert len(plan.lookup.steps) >= ands_needed((f for term in terms for f in term), BITS)
