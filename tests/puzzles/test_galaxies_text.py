import io
from pathlib import Path

import pytest
from hypothesis import given, settings
from random_boards import galaxies_boards
from rich.console import Console

from gatesolve.model import find_solutions, from_cpmpy
from gatesolve.puzzles import choose_family
from gatesolve.puzzles.galaxies.board import GalaxiesBoard
from gatesolve.puzzles.galaxies.puzzle import Galaxies
from gatesolve.puzzles.kakuro.puzzle import Kakuro
from gatesolve.puzzles.tents.puzzle import Tents

EXAMPLES = Path(__file__).parents[2] / "examples" / "galaxies"

SMALL = Galaxies(2, 3, ((1, 1), (2, 4), (3, 1)))
SAME = [
    "; a comment\no|.|.\n-+-o-\no|.|.\n",
    "  o....\n  ...o.\n\n  O.|..\n",
    "0 3 -\n0 - -\n",
    "2 3\n0 3 -\n0 - -\n",
    '{"family": "galaxies", "rows": 2, "cols": 3, "dots_half": [[3, 1], [1, 1], [2, 4]]}',
    "3x2:ahb",
    "3x2dn:ahb",
    "tentaisho/3/2/0m20j",
    "https://puzz.link/p?tentaisho/3/2/0m20j00",
]


@pytest.mark.parametrize("text", SAME)
def test_one_board_in_many_formats(text):
    assert Galaxies.parse(text, "f.txt") == SMALL
    if "+" in text or "{" in text or "tent" in text:
        assert choose_family(text, "f") is Galaxies
    assert not Kakuro.recognises(text)
    assert not Tents.recognises(text)


def test_black_dots_and_holes():
    link = Galaxies.parse((EXAMPLES / "pzpr-5x5.txt").read_text(), "f")
    assert link.title == "Galaxies 5x5: 12 dots, 1 hole"
    assert link.holes == {(0, 4)}
    assert len(link.black) == 7
    assert Galaxies.parse("3x2:Ahb", "f").black == {(1, 1)}
    typed = Galaxies.parse("*|#\n-+-\no..\n", "f")
    assert typed == Galaxies(2, 2, ((1, 1), (3, 1)), frozenset({(1, 1)}), frozenset({(0, 1)}))


def game_id(board: GalaxiesBoard) -> str:
    """The board as Simon Tatham's program writes it: each dot behind the blank places before it."""
    letters, skipped = "", 0
    for y in range(1, 2 * board.rows):
        for x in range(1, 2 * board.columns):
            if (y, x) in board.dots:
                letter = chr(ord("a") + skipped)
                letters, skipped = letters + (letter.upper() if (y, x) in board.black else letter), 0
            elif skipped == 24:
                letters, skipped = letters + "z", 0
            else:
                skipped += 1
    return f"{board.columns}x{board.rows}:{letters}"


@settings(deadline=None)
@given(galaxies_boards())
def test_game_ids_say_the_same(board):
    if not board.holes and Galaxies.recognises(game_id(board)):
        assert Galaxies.parse(game_id(board), "f") == Galaxies(**vars(board))


def test_a_finished_board_shows_its_walls_and_reads_back():
    puzzle = Galaxies.parse((EXAMPLES / "blog-5x5.txt").read_text(), "f")
    (solution,) = find_solutions(from_cpmpy(puzzle.to_cpmpy()))
    assert puzzle.text(solution).split("\n")[:6] == [
        ".|.o.|...",
        ".+-+-+...",
        "....o....",
        "...+-+-+.",
        "...|o|.|.",
        "-+-+-+.+-",
    ]
    assert Galaxies.parse(puzzle.text(solution), "f") == puzzle


def shown(puzzle, solution=None):
    file = io.StringIO()
    Console(file=file, width=80, no_color=True).print(puzzle.render(solution))
    return file.getvalue().split("\n")


def test_terminal_picture():
    puzzle = Galaxies.parse("*|.|#\n-+o+-\n.|.|o\n", "f")
    assert shown(Galaxies.parse("*|.|#\n-+-o-\no|.|.\n".replace("#", "."), "f"), {"r1c1_d0": 1, "r2c1_d2": 1}) == [
        "┏━━━┳━━━┯━━━┓",
        "┃ ● ┃   │   ┃",
        "┣━━━╉───○───┨",
        "┃ ○ ┃   │   ┃",
        "┗━━━┻━━━┷━━━┛",
        "",
    ]
    assert "┃###┃" in shown(puzzle)[1]
