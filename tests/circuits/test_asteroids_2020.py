"""Three of the contest's 31 problem sets: oracles exact on all sixteen boards."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from indexed_determinant import determinant_oracle, found_load
from indexed_exact import ROW_FORM, exact_oracle
from indexed_matching import Board, ordered_terms, table_of
from indexed_products import best_plan
from scripts import load_script

from gatesolve.simulate import PhaseCheck

FOLDER = Path(__file__).resolve().parents[2] / "circuits" / "asteroids-2020"


MAKE = load_script(FOLDER / "make.py")
SETS: dict[str, list[Board]] = MAKE.problem_sets()


def wanted(boards: Sequence[Board]) -> list[bool]:
    return [MAKE.needs_four(board) for board in boards]


def test_every_set_has_one_board_that_needs_four() -> None:
    assert len(SETS) == 31
    assert all(len(boards) == 16 and sum(wanted(boards)) == 1 for boards in SETS.values())
    assert all(len(board) == 6 for boards in SETS.values() for board in boards)


@pytest.mark.quick(1)
@pytest.mark.parametrize("name", ["1", "16", "final"])
def test_all_oracles_are_exact(name: str) -> None:
    boards = SETS[name]
    table = table_of(boards)
    plan = best_plan(ordered_terms(table, 4)[0][1], 4, tries=3)
    by_cells = determinant_oracle(found_load(table, 4, 0, 3), table)
    literal = exact_oracle(found_load(table, 4, 0, 3, ROW_FORM), table)
    assert max(by_cells.num_qubits, literal.num_qubits) <= 28
    for oracle in (plan.oracle, by_cells, literal):
        check = PhaseCheck(
            oracle.ops,
            4,
            oracle.num_qubits,
            16,
            bits=lambda numbers: (numbers >> np.arange(4)[:, None] & 1).astype(bool),
            predicate=lambda numbers: np.array(wanted(boards))[numbers],
        )
        marks = check.marks(np.arange(16))
        # A phase is an oracle's only up to a global sign.
        assert (marks ^ marks[0] ^ wanted(boards)[0]).tolist() == wanted(boards)
