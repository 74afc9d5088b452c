"""Peers' circuits for boards that have to be computed: right before they are counted, and as recorded."""

from argparse import Namespace

import pytest

from benchmarks.core.boards import BOARDS
from benchmarks.core.rows import list_differences
from benchmarks.peers import boards
from benchmarks.suites import constraint_peers as script

SUDOKUS = ("Sudoku, Inkala 2012", "Sudoku 9x9, no givens")


@pytest.fixture(scope="module")
def recorded():
    return script.TABLE.read()


@pytest.fixture(scope="module")
def names():
    return list(BOARDS)


def test_every_board_is_recorded_in_both_encodings_and_with_a_peer(recorded, names):
    assert list(dict.fromkeys(row.board for row in recorded)) == names
    for name in names:
        rows = [row for row in recorded if row.board == name]
        assert {("gatesolve", "binary"), ("gatesolve", "one-hot"), ("Qiskit", "binary")} <= {
            (row.library, row.encoding) for row in rows
        }
        # Of the empty Sudoku the others make no circuit that can be checked in time.
        known = script.LIBRARIES[1:2] if name == "Sudoku 9x9, no givens" else script.LIBRARIES[1:]
        assert {row.library for row in rows} == {"gatesolve", *known}
    assert all(row.checked >= 49 for row in recorded)


@pytest.mark.sampled(0.5)
def test_the_steps_of_every_board_are_right_on_solutions_and_near_them(names):
    for name in names:
        assert len(script.Board(name).recipe.flags) == 2


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", [name for name in BOARDS if name not in SUDOKUS])
def test_counts_of_a_board_are_the_recorded_ones(recorded, name):
    """All of them are measured by the script itself."""
    assert list_differences(script.measure(name, Namespace(missing=["PennyLane", "Qrisp"])), recorded) == []


def test_wrong_steps_are_refused(monkeypatch):

    def forgetful(recipe, wires, model):
        boards.knapsack(recipe, wires, model)
        del recipe.flags[1:]

    monkeypatch.setitem(boards._MAKERS, "knapsack of 8", forgetful)
    with pytest.raises(AssertionError, match="other codewords"):
        _ = script.Board("knapsack of 8").recipe
