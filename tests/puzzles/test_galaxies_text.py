import io
import json
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console
from test_galaxies import boards

from gatesolve.errors import InputError
from gatesolve.model import find_solutions, from_cpmpy
from gatesolve.puzzles.galaxies.board import GalaxiesBoard
from gatesolve.puzzles.galaxies.puzzle import Galaxies
from gatesolve.puzzles.kakuro.puzzle import Kakuro
from gatesolve.puzzles.registry import choose_family
from gatesolve.puzzles.tents.puzzle import Tents

EXAMPLES = Path(__file__).parents[2] / "examples" / "galaxies"
FILES = sorted(path for path in EXAMPLES.iterdir() if path.suffix != ".md")

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


def fault(text):
    with pytest.raises(InputError) as caught:
        Galaxies.parse(text, "f.txt")
    assert str(caught.value).startswith("f.txt")
    assert "\n" not in str(caught.value)
    return caught.value.row, caught.value.column, str(caught.value)


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


@settings(deadline=None)
@given(boards())
def test_text_round_trip(board):
    puzzle = Galaxies(**vars(board))
    assert Galaxies.parse(puzzle.text(), "f.txt") == puzzle
    record = {
        "family": "galaxies", "rows": board.rows, "cols": board.columns, "dots_half": board.dots,
        "black": sorted(board.black), "holes": sorted(board.holes),
    }  # fmt: skip
    assert choose_family(json.dumps(record), "f.json") is Galaxies
    assert Galaxies.parse(json.dumps(record), "f.json") == puzzle


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
@given(boards())
def test_game_ids_say_the_same(board):
    if not board.holes and Galaxies.recognises(game_id(board)):
        assert Galaxies.parse(game_id(board), "f") == Galaxies(**vars(board))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_example_round_trip(path):
    text = path.read_text()
    assert Galaxies.recognises(text)
    assert not Kakuro.recognises(text)
    assert not Tents.recognises(text)
    puzzle = Galaxies.parse(text, str(path))
    assert Galaxies.recognises(puzzle.text())
    assert Galaxies.parse(puzzle.text(), "again") == puzzle


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


@pytest.mark.parametrize(
    "text",
    [
        "hello world",
        "5 3 . . 7\n6 . . 1 9\n",
        "1 - - 2\n- - 3 -\n",
        "0 1 - -\n- - 1 0\n",
        "53.|.7.|...\n---+---+---\n6..|195|...\n",
        "AABB\nABBB\n",
        "....\n.#*.\n",
        '{"family": "sudoku", "grid": "o"}',
        "4x4:hAbDaA",
        "3x3:1_2a3",
    ],
)
def test_other_texts_are_not_claimed(text):
    assert not Galaxies.recognises(text)


@pytest.mark.parametrize(
    ("text", "row", "column", "says"),
    [
        ("; nothing\n", None, None, "no board: write the half-grid"),
        ("; c\n.|.\n-+-+\n.|.\n", 3, 3, "4 characters here but 3 in the first row"),
        ("o|.\n-+-\n.|\n", 3, 2, "2 characters here but 3"),
        ("o|.|\n-+-+\n.|.|\n", 3, 4, "4 characters in a row: a half-grid has an odd number"),
        ("o|.\n-+-\n", 2, 3, "2 lines: a half-grid has an odd number"),
        ("o|.\n-#-\n.|.\n", 2, 2, "unexpected # on the half-grid"),
        ("  o|.\n  -+-\n  .é.\n", 3, 4, "unexpected '\\xe9' on the half-grid"),
        (".|.\n-+-\n.|.\n", 1, 1, "the board has no dot"),
        ("#o.\n-+-\n.|.\n", 1, 2, "a dot on a hole"),
        ("." * 121 + "\n", 1, None, "61 cells: a board has at most 60"),
        (".\n" * 399, 1, None, "200 rows of cells: a board has at most 60"),
        ("0 - 2\n- 3\n", 2, 3, "2 cells here but 3 in the board's first row"),
        ("0 - 4\n- 3 -\n", 1, 3, "unknown token '4': write 0, 1, 2 or 3"),
        ("0 1\n- -\n", 1, 2, "a dot on a hole or the board's edge"),
        ("0 " + "- " * 199 + "\n", 1, 61, "200 cells in a row: a board has at most 60"),
        ("3x2:ahzz", None, None, "the game id speaks of 59 places, the half-grid has 15"),
        ("0x2:a", None, None, "sizes are 1 to 60"),
        ("200x200:abc", None, None, "sizes are 1 to 60"),
        ("tentaisho/3/2/0m2_", None, None, "the link has an unknown letter '_'"),
        ("tentaisho/3/2/0m20jw", None, None, "the link has an unknown letter 'w'"),
        ("tentaisho/3/2/gggggggggggggggg", 1, 1, "the board has no dot"),
        ("tentaisho/3/0/0", None, None, "sizes are 1 to 60"),
    ],
)
def test_faults_are_named_with_their_place(text, row, column, says):
    start = time.perf_counter()
    at_row, at_column, message = fault(text)
    assert (at_row, at_column) == (row, column)
    assert says in message
    assert time.perf_counter() - start < 2


@pytest.mark.parametrize(
    ("fields", "row", "says"),
    [
        ('"rows": 2', 1, "not one JSON object"),
        ('"rows": 2, "dots_half": []}', None, "no fields 'rows' and 'cols'"),
        ('"rows": true, "cols": 2, "dots_half": []}', None, "no fields 'rows' and 'cols'"),
        ('"rows": 0, "cols": 2, "dots_half": []}', None, "sizes are 1 to 60"),
        ('"rows": 2, "cols": 2}', None, "no field 'dots_half'"),
        ('"rows": 2, "cols": 2, "dots_half": [[1]]}', None, "no field 'dots_half'"),
        ('"rows": 2, "cols": 2, "dots_half": [[1, 1.5]]}', None, "no field 'dots_half'"),
        ('"rows": 2, "cols": 2, "dots_half": []}', 1, "the board has no dot"),
        ('"rows": 2, "cols": 2, "dots_half": [[4, 1]]}', 4, "they go from 1 to 3 and 3; move it inside"),
        ('"rows": 2, "cols": 2, "dots_half": [[1, 1], [1, 1]]}', 1, "given twice"),
        ('"rows": 2, "cols": 2, "dots_half": [[1, 1]], "black": [[1, 2]]}', None, "not in 'dots_half'"),
        ('"rows": 2, "cols": 2, "dots_half": [[1, 1]], "holes": [[2, 0]]}', None, "outside the board"),
        ('"rows": ' + "[" * 100_000, None, "too deep"),
    ],
)
def test_json_faults_are_named(fields, row, says):
    at_row, _, message = fault('{"family": "galaxies", ' + fields)
    assert at_row == row
    assert says in message


def test_another_familys_json_is_refused_and_python_boards_are_judged():
    assert "JSON of family 'tents'" in fault('{"family": "tents", "rows": 2}')[2]
    with pytest.raises(InputError, match="row 1, column 3: half-grid: a dot on a hole or the board's edge"):
        Galaxies(1, 2, ((1, 1), (1, 3)), holes=frozenset({(0, 1)}))


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="o*.|-+#0123 \n;/x:abz{}é\x00", max_size=60))
def test_any_text_is_a_board_or_one_clear_line(text):
    message = ""
    Galaxies.recognises(text)
    try:
        puzzle = Galaxies.parse(text, "f")
    except InputError as error:
        message = str(error)
    assert len(message.splitlines()) == 1 if message else Galaxies.parse(puzzle.text(), "f") == puzzle


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


def test_pictures_are_written(tmp_path):
    puzzle = Galaxies.parse("o|.|.\n-+-o-\n*|.|.\n", "f")
    puzzle.draw(tmp_path / "a.svg")
    puzzle.draw(str(tmp_path / "b.svg"), {"r2c1_d2": 1})
    puzzle.draw(tmp_path / "c.png")
    assert (tmp_path / "c.png").read_bytes().startswith(b"\x89PNG")
    assert b"#a9a9b0" in (tmp_path / "b.svg").read_bytes()  # the galaxy of the black dot is shaded
    assert b"#a9a9b0" not in (tmp_path / "a.svg").read_bytes()
    with pytest.raises(InputError, match=r"\.png or \.svg"):
        puzzle.draw(tmp_path / "d.gif")
