"""Peers' circuits for boards that have to be computed: right before they are counted, and as recorded."""

import sys
from argparse import Namespace

import pytest

from benchmarks.core import follow
from benchmarks.core.boards import BOARDS
from benchmarks.core.rows import list_differences
from benchmarks.peers import boards, qiskit
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


@pytest.mark.slow
def test_pennylanes_row_is_the_recorded_one(recorded):
    row = script.pennylane_row(script.Board("knapsack of 8"), sys.executable)
    assert row.t_measured == row.t // 2
    assert list_differences([row], recorded) == []


def test_wrong_steps_are_refused(monkeypatch):

    def forgetful(recipe, wires, model):
        boards.knapsack(recipe, wires, model)
        del recipe.flags[1:]

    monkeypatch.setitem(boards._MAKERS, "knapsack of 8", forgetful)
    with pytest.raises(AssertionError, match="other codewords"):
        _ = script.Board("knapsack of 8").recipe


def test_a_wrong_circuit_is_left_out_with_a_note(monkeypatch, capsys):
    whole = qiskit.by_steps

    def without_the_last_cx(recipe):
        circuit = whole(recipe)
        last = max(k for k, gate in enumerate(circuit.data) if gate.operation.name == "cx")
        del circuit.data[last]
        return circuit

    monkeypatch.setattr(qiskit, "by_steps", without_the_last_cx)
    asked = Namespace(missing=["gatesolve", "PennyLane", "Qrisp"])
    assert script.measure("knapsack of 8", asked) == []
    assert "left out" in capsys.readouterr().out


def test_neighbours_of_solutions_are_tried():
    board = script.Board("magic square 3x3")
    tried = follow.Codewords.of(board.model, board.space, follow.MOST_RUN)
    assert tried.right.sum() == 8
    few = tried.few()
    assert few.right.sum() == 8
    assert len(few.right) == follow.FEW
    distance = (tried.bits[:, ~tried.right, None] ^ tried.bits[:, None, tried.right]).sum(axis=0).min(axis=1)
    assert (distance <= 4).sum() >= 500
