import io
import json
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from random_boards import tents_boards
from rich.console import Console

from gatesolve.formats import from_cpmpy
from gatesolve.model import find_solutions
from gatesolve.puzzles import choose_family
from gatesolve.puzzles.kakuro.puzzle import Kakuro
from gatesolve.puzzles.tents.board import FREE, TENT, TREE, TentsBoard, broken_rules
from gatesolve.puzzles.tents.puzzle import Tents

EXAMPLES = Path(__file__).parents[2] / "examples" / "tents"
RECORDS = [json.loads(line) for line in (Path(__file__).parent / "data" / "tents.jsonl").read_text().splitlines()]


def answers(puzzle, limit=100):
    return find_solutions(from_cpmpy(puzzle.to_cpmpy()), limit)


def layouts(puzzle, found):
    """Boards, not pairings: one board may pair its trees and tents in several ways."""
    return {tuple(map("".join, puzzle.board(solution))) for solution in found}


def tents_in(layout):
    return {(r, c) for r, row in enumerate(layout) for c, held in enumerate(row) if held == TENT}


def test_two_pairings_are_one_board():
    (record,) = (record for record in RECORDS if record["id"] == "own:two-pairings")
    assert len(answers(Tents.parse(json.dumps(record), "stored"))) == 2
    assert record["n_solutions"] == 1


def weakly_right(board: TentsBoard, tents) -> bool:
    """The rule of seed 003, section 2.5: one or two tents around each tree, no touching, the counts."""

    def around(tree):
        return sum(abs(tree[0] - r) + abs(tree[1] - c) == 1 for r, c in tents)

    rows = all(sum(r == k for r, _ in tents) == n for k, n in enumerate(board.row_counts))
    columns = all(sum(c == k for _, c in tents) == n for k, n in enumerate(board.column_counts))
    apart = all(max(abs(r - s), abs(c - d)) > 1 for (r, c), (s, d) in combinations(tents, 2))
    return rows and columns and apart and all(1 <= around(tree) <= 2 for tree in board.cells(TREE))


def test_counting_around_trees_accepts_a_wrong_answer_and_pairing_does_not():
    puzzle = Tents.parse((EXAMPLES / "weak-3x5.txt").read_text(), "weak")
    board = puzzle
    free = list(board.cells(FREE))
    weak = [set(tents) for tents in combinations(free, 3) if weakly_right(board, tents)]
    right, wrong = {(0, 2), (2, 0), (2, 4)}, {(0, 0), (2, 2), (2, 4)}
    assert sorted(map(sorted, weak)) == sorted(map(sorted, (right, wrong)))
    assert [tents_in(layout) for layout in layouts(puzzle, answers(puzzle))] == [right]
    assert broken_rules(board, right) == []
    assert broken_rules(board, wrong) == [
        "the tree at r2c1 cannot have a tent of its own",
        "the tent at r3c5 cannot have a tree of its own",
    ]


@settings(deadline=None, max_examples=40)
@given(tents_boards())
def test_model_and_checker_agree_on_every_layout(board):
    puzzle = Tents(**vars(board))
    beside = sorted({cell for tree in board.cells(TREE) for _, cell in board.places(tree)})
    trees = sum(1 for _ in board.cells(TREE))
    found = {frozenset(tents) for tents in combinations(beside, trees) if not broken_rules(board, set(tents))}
    assert found  # the board was made from a layout
    assert {frozenset(tents_in(layout)) for layout in layouts(puzzle, answers(puzzle, None))} == found


def test_a_finished_board_reads_back_with_its_tents_given():
    puzzle = Tents.parse((EXAMPLES / "weak-3x5.txt").read_text(), "weak")
    (solution,) = answers(puzzle)
    finished = Tents.parse(puzzle.text(solution), "finished")
    assert list(finished.cells(TENT)) == [(0, 2), (2, 0), (2, 4)]
    assert layouts(finished, answers(finished)) == layouts(puzzle, [solution])


def test_the_checker_names_each_broken_rule():
    puzzle = Tents(("T^.", "...", "..T"), (1, 1, None), (None, None, None))
    good = dict.fromkeys((name for names in puzzle.into.values() for name in names), 0)
    assert puzzle.check({**good, "r1c1_right": 1, "r3c3_up": 1}) == [
        "the tents at r1c2 and r2c3 touch",
    ]
    assert puzzle.check({**good, "r1c1_down": 1, "r3c3_left": 1}) == [
        "the tents at r2c1 and r3c2 touch",
        "r1c2 has no tent where one is given",
        "row 1 has 0 tents, not 1",
    ]
    faults = puzzle.check({"r1c1_up": 1, "r1c1_right": 1, "r3c3_up": 2, "r9c9_up": 1})
    assert "the tent at r0c1 is outside the board" in faults
    assert "the tree at r1c1 is given 2 tents, not 1" in faults
    assert "r3c3_up is 2, neither 0 nor 1" in faults
    assert "r9c9_up is not a place beside a tree" in faults
    assert "the tree at r3c3 cannot have a tent of its own" in faults
    on_tree = Tents(("TT.", "...", "..."), (None,) * 3, (None,) * 3)
    assert "the tent at r1c2 stands on a tree" in on_tree.check({"r1c1_right": 1, "r1c2_down": 1})
    shared = Tents((".T.", "T..", "..."), (None,) * 3, (None,) * 3)
    assert "the tent at r1c1 is given to two trees" in shared.check({"r1c2_left": 1, "r2c1_up": 1})


# --- tents text ---


SMALL = Tents((".T..", "...T", "T...", "...."), (1, None, 1, 1), (2, 0, 0, 1))
SAME = [
    "; a comment\n   2 0 0 1\n\n1 . T . .\n? . . . T\n1 T . . .\n1 . . . .\n",
    "2001".replace("", " ") + "\n1 .T..\n? ...T\n1 T...\n1 ....\n",
    "2 0 0 1\n1 ? 1 1\n- x - -\n- - - x\nx - - -\n- - - -\n",
    "4 4\n2 0 0 1\n1 - 1 1\n- x - -\n- - - x\nx - - -\n- - - -\n",
    ",2,0,0,1\n1,,t,,\n?,,,,t\n1,t,,,\n1,,,,\n",
    '{"family": "tents", "grid": [".T..", "...T", "T...", "...."], "row_counts": [1, null, 1, 1], '
    '"col_counts": [2, 0, 0, 1]}',
    "4x4:ae_g,2,0,0,1,1,9,1,1",
    "tents/4/4/20011g11i507",
    "% data\nn = 4; a = [| 0,1,0,0| 0,0,0,1| 1,0,0,0| 0,0,0,0|];\nrow_sums = [1,-1,1,1];\ncol_sums = [2,0,0,1];",
]


@pytest.mark.parametrize("text", SAME)
def test_one_board_in_many_formats(text):
    assert choose_family(text, "f.txt") is Tents
    assert not Kakuro.recognises(text)
    if ":" in text and text[0] == "4":  # a game id has every count, and this one contradicts itself
        assert Tents.parse(text, "f").contradiction == "row 2 cannot hold 9 tents, as tents never touch"
        assert Tents.parse(text.replace("9", "0"), "f").grid == SMALL.grid
        return
    assert Tents.parse(text, "f.txt") == SMALL


def test_the_link_of_a_board_with_missing_counts():
    link = Tents.parse("https://puzz.link/p?tents/5/5/2g0h1i1j82323", "f")
    assert link.grid == ("..T..", ".....", ".T..T", "...T.", ".T...")
    assert link.row_counts == (1, None, None, None, 1)
    assert link.column_counts == (2, None, 0, None, None)
    assert link.title == "Tents & Trees 5x5: 5 trees, 6 of 10 counts missing"


def shown(puzzle, solution=None):
    file = io.StringIO()
    Console(file=file, width=80, no_color=True).print(puzzle.render(solution))
    return file.getvalue()


def test_terminal_picture():
    puzzle = Tents.parse("  ? 1 ?\n? . T .\n1 . . ^\n? . . T\n", "f")
    assert shown(puzzle, {"r1c2_left": 1}).split("\n")[:6] == [
        "        1",
        "  ┏━━━┯━━━┯━━━┓",
        "  ┃ ▲ │ T │   ┃",
        "  ┠───┼───┼───┨",
        "1 ┃   │   │ ▲ ┃",
        "  ┠───┼───┼───┨",
    ]
