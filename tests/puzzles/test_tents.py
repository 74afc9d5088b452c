from itertools import combinations
from pathlib import Path

from checks import answers
from hypothesis import given, settings
from random_boards import tents_boards

from gatesolve.puzzles import Tents
from gatesolve.puzzles.tents import FREE, TENT, TREE, broken_rules

EXAMPLES = Path(__file__).parents[2] / "examples" / "tents"


def layouts(puzzle, found):
    """Boards, not pairings: one board may pair its trees and tents in several ways."""
    return {tuple(map("".join, puzzle.board(solution))) for solution in found}


def tents_in(layout):
    return {(r, c) for r, row in enumerate(layout) for c, held in enumerate(row) if held == TENT}


def weakly_right(board: Tents, tents) -> bool:
    """The rule of seed 003, section 2.5: one or two tents around each tree, no touching, the counts."""

    def around(tree):
        return sum(abs(tree[0] - r) + abs(tree[1] - c) == 1 for r, c in tents)

    rows = all(sum(r == k for r, _ in tents) == n for k, n in enumerate(board.row_counts))
    columns = all(sum(c == k for _, c in tents) == n for k, n in enumerate(board.column_counts))
    apart = all(max(abs(r - s), abs(c - d)) > 1 for (r, c), (s, d) in combinations(tents, 2))
    return rows and columns and apart and all(1 <= around(tree) <= 2 for tree in board.cells(TREE))


def test_counting_around_trees_accepts_a_wrong_answer_and_pairing_does_not():
    board = Tents.parse((EXAMPLES / "weak-3x5.txt").read_text(), "weak")
    free = list(board.cells(FREE))
    weak = [set(tents) for tents in combinations(free, 3) if weakly_right(board, tents)]
    right, wrong = {(0, 2), (2, 0), (2, 4)}, {(0, 0), (2, 2), (2, 4)}
    assert sorted(map(sorted, weak)) == sorted(map(sorted, (right, wrong)))
    assert [tents_in(layout) for layout in layouts(board, answers(board))] == [right]
    assert not list(broken_rules(board, right))
    assert list(broken_rules(board, wrong)) == [
        "the tree at r2c1 cannot have a tent of its own",
        "the tent at r3c5 cannot have a tree of its own",
    ]


@settings(deadline=None, max_examples=40)
@given(tents_boards())
def test_model_and_checker_agree_on_every_layout(board):
    beside = sorted({cell for tree in board.cells(TREE) for _, cell in board.places(tree)})
    trees = sum(1 for _ in board.cells(TREE))
    found = {frozenset(tents) for tents in combinations(beside, trees) if not list(broken_rules(board, set(tents)))}
    assert found  # the board was made from a layout
    assert {frozenset(tents_in(layout)) for layout in layouts(board, answers(board))} == found


def test_a_finished_board_reads_back_with_its_tents_given():
    puzzle = Tents.parse((EXAMPLES / "weak-3x5.txt").read_text(), "weak")
    (solution,) = answers(puzzle)
    finished = Tents.parse(puzzle.text(solution), "finished")
    assert list(finished.cells(TENT)) == [(0, 2), (2, 0), (2, 4)]
    assert layouts(finished, answers(finished)) == layouts(puzzle, [solution])
