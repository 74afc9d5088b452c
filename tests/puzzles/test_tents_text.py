import io

import pytest
from rich.console import Console

from gatesolve.puzzles import choose_family
from gatesolve.puzzles.kakuro.puzzle import Kakuro
from gatesolve.puzzles.tents.puzzle import Tents

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
