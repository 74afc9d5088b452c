"""The test that is exact for every board of six stones: run on all 8,008 boards, without any table."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from indexed_determinant import CELLS, ENTRIES, Circuit, add_determinant, found_load
from indexed_exact import ROW_FORM, add_exact_test, add_two_matchings, exact_oracle
from indexed_matching import Board, table_of
from scripts import load_script

from gatesolve.circuit import Parity, Planes, run_ops

MAKE = load_script(Path(__file__).resolve().parents[2] / "circuits" / "asteroids-2020" / "make.py")
BOARDS: list[Board] = MAKE.every_board()


@pytest.mark.slow
def test_every_board_of_six_is_tested_right_in_every_form() -> None:
    form, rng = ROW_FORM, random.Random(1)
    for _ in range(3):
        MAKE.prove_test(form)
        form = form.moved(rng).moved(rng).moved(rng)


def test_stored_form_is_tested_right() -> None:
    form, _ = MAKE._stored("literal")
    MAKE.prove_test(form)


def test_neither_part_is_exact_alone() -> None:
    for part in (add_determinant, add_two_matchings):
        with pytest.raises(RuntimeError, match="does not mark exactly"):
            MAKE.prove_test(ROW_FORM, part)


@pytest.mark.slow
def test_no_operation_is_idle() -> None:
    whole = Circuit({entry: Parity((wire,)) for wire, entry in enumerate(ENTRIES)}, len(ENTRIES))
    add_exact_test(whole)
    for left_out in range(len(whole.ops)):

        def add_rest(circuit: Circuit, left_out: int = left_out) -> None:
            add_exact_test(circuit)
            del circuit.ops[left_out]

        with pytest.raises(RuntimeError, match="does not mark exactly"):
            MAKE.prove_test(ROW_FORM, add_rest)


def test_the_second_part_marks_the_boards_with_two_matchings() -> None:
    """Counted from the cells: 72 boards have two ways to place four stones."""
    twice = [len(matchings(board)) == 2 for board in BOARDS]
    assert sum(twice) == 72
    assert max(len(matchings(board)) for board in BOARDS) == 2
    circuit = Circuit({entry: Parity((wire,)) for wire, entry in enumerate(ENTRIES)}, len(ENTRIES))
    add_two_matchings(circuit)
    table = {cell: sum(1 << n for n, board in enumerate(BOARDS) if cell in board) for cell in CELLS}
    bits = np.zeros((circuit.most, len(BOARDS)), dtype=bool)
    for wire, entry in enumerate(ENTRIES):
        bits[wire] = [ROW_FORM.entry(table, *entry) >> n & 1 for n in range(len(BOARDS))]
    planes = Planes.from_bits(bits)
    run_ops(circuit.ops, planes)
    assert planes.unpack(planes.phase, len(BOARDS))[1].tolist() == twice
    assert np.array_equal(planes.unpack(planes.bits, len(BOARDS)), bits)


def matchings(board: Board) -> list[tuple[int, ...]]:
    """Columns of four stones, one in each row, no two in a column."""
    found: list[tuple[int, ...]] = [()]
    for row in range(4):
        found = [(*columns, c) for columns in found for c in range(4) if (row, c) in board and c not in columns]
    return found


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(st.lists(st.sampled_from(BOARDS), min_size=1, max_size=16), st.integers(0, 1000))
def test_tables_of_any_boards_are_marked(boards: list[Board], seed: int) -> None:
    """Tables with equal or constant entries too."""
    boards += boards[:1] * (16 - len(boards))
    table = table_of(boards)
    oracle = exact_oracle(found_load(table, 4, seed, 3, ROW_FORM), table)
    MAKE.prove(oracle, boards)
