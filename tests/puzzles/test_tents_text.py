import io
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from gatesolve.errors import InputError
from gatesolve.puzzles.kakuro.puzzle import Kakuro
from gatesolve.puzzles.registry import choose_family
from gatesolve.puzzles.tents.puzzle import Tents

EXAMPLES = Path(__file__).parents[2] / "examples" / "tents"
FILES = sorted(path for path in EXAMPLES.iterdir() if path.suffix != ".md")

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


def fault(text):
    with pytest.raises(InputError) as caught:
        Tents.parse(text, "f.txt")
    assert str(caught.value).startswith("f.txt")
    assert "\n" not in str(caught.value)
    return caught.value.row, caught.value.column, str(caught.value)


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


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_example_round_trip(path):
    text = path.read_text()
    assert Tents.recognises(text)
    assert not Kakuro.recognises(text)
    puzzle = Tents.parse(text, str(path))
    assert Tents.parse(puzzle.text(), "again") == puzzle


@pytest.mark.parametrize(
    "text",
    [
        "hello world",
        "5 3 . . 7\n6 . . 1 9\n",
        "1 2\n1 2\n",
        "AABB\nABBB\n",
        '{"family": "sudoku", "grid": "T"}',
        "4x4:aAbB",
        "3x3:1_2a3",
        "# 3\\ 4\\\n\\3 . .\n",
    ],
)
def test_other_texts_are_not_claimed(text):
    assert not Tents.recognises(text)


ROWS = "1 . T\n0 . .\n"


@pytest.mark.parametrize(
    ("text", "row", "column", "says"),
    [
        ("1 0\n", None, None, "no board: write a line of column counts"),
        ("; c\n1 0\n1 . T\n0 . Q\n", 4, 5, "unknown cell Q: write T for a tree"),
        ("1 0\n1 . T\n0 . é\n", 3, 5, "unknown cell '\\xe9'"),
        ("1 0\n1 . T\n0 .\n", 3, 3, "1 cell here but 2 column counts: add the missing cells"),
        ("1 0\n1 . T\n0 . . .\n", 3, 7, "3 cells here but 2 column counts: remove the extra"),
        ("1 0\n1 .T\n0\n", 3, 1, "0 cells here but 2 column counts"),
        ("1 T\n" + ROWS, 1, 3, "column count T is not a number"),
        ("1 0\n. T\n0 . .\n", 2, 1, "a row without its count"),
        ("1 0\n. T\n. .\n", 2, 1, "a row without its count"),
        ("1 0\n1 0 1\n. T\n. .\n", 2, None, "3 row counts but 2 rows"),
        ("0 0\n0 . .\n0 . .\n", 2, 3, "the board has no tree"),
        ("0 " * 101 + "\n1 " + "T" * 101, 1, 201, "101 columns: a board has at most 100"),
        ("0\n" + "0 T\n" * 200, 102, 1, "200 rows: a board has at most 100"),
        ("0x4:a,1,1", None, None, "sizes are 1 to 100"),
        ("200x200:a,1,1", None, None, "sizes are 1 to 100"),
        ("4x4:aegz,2,0,0,1,1,0,1,1", None, None, "the game id's trees end at cell"),
        ("4x4:ae_g,2,0,0,1,1,0,1", None, None, "the game id has 7 counts, but 4 columns and 4 rows"),
        ("tents/4/4/2001", None, None, "the link's counts break off"),
        ("tents/4/4/20011g11i507zz5", None, None, "a tree behind the last of 4x4 cells"),
        ("tents/4/4/20011g111!3", None, None, "the link has an unknown letter '!'"),
        ("tents/2/2/zz0", None, None, "the link has more counts than 2 columns and 2 rows"),
        ("tents/0/2/zz0", None, None, "sizes are 1 to 100"),
        ("a = [|0,1|0,0|]; row_sums = [1,0]; col_sums = [1];", None, None, "MiniZinc 'a' is not 2x1 cells"),
        ("row_sums = [1,0]; col_sums = [1];", None, None, "MiniZinc data without 'a = [...]'"),
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
        ('"grid": [".T"], "row_counts": [1], "col_counts": [1, 0', 1, "not one JSON object"),
        ('"grid": ".T"}', None, "no field 'grid'"),
        ('"grid": []}', None, "no board: write its rows"),
        ('"grid": [".T", "."], "row_counts": [1, 0], "col_counts": [1, 0]}', 2, "1 cell here but 2"),
        (
            '"grid": [".x"], "row_counts": [1], "col_counts": [1, 0]}',
            1,
            "unknown x: write T for a tree, . for a free cell",
        ),
        ('"grid": [".T"], "row_counts": [1, 2], "col_counts": [1, 0]}', None, "'row_counts' has 2 counts: write 1"),
        ('"grid": [".T"], "row_counts": [true], "col_counts": [1, 0]}', None, "no field 'row_counts'"),
        ('"grid": [".T"], "row_counts": [1]}', None, "no field 'col_counts'"),
        ('"grid": ' + "[" * 100_000, None, "too deep"),
    ],
)
def test_json_faults_are_named(fields, row, says):
    at_row, _, message = fault('{"family": "tents", ' + fields)
    assert at_row == row
    assert says in message


def test_another_familys_json_is_refused():
    assert "JSON of family 'kakuro'" in fault('{"family": "kakuro", "grid": ["T."]}')[2]


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="T.^x-_?0123 \n,;/t:abz{}é\x00", max_size=60))
def test_any_text_is_a_board_or_one_clear_line(text):
    message = ""
    Tents.recognises(text)
    try:
        puzzle = Tents.parse(text, "f")
    except InputError as error:
        message = str(error)
    assert len(message.splitlines()) == 1 if message else Tents.parse(puzzle.text(), "f") == puzzle


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


def test_pictures_are_written(tmp_path):
    SMALL.draw(tmp_path / "a.svg")
    SMALL.draw(str(tmp_path / "b.svg"), {"r1c2_left": 1})
    SMALL.draw(tmp_path / "c.png", {"r1c2_left": 1})
    assert (tmp_path / "c.png").read_bytes().startswith(b"\x89PNG")
    assert b"#1a56c4" in (tmp_path / "b.svg").read_bytes()  # a tent that was found is blue
    assert b"#1a56c4" not in (tmp_path / "a.svg").read_bytes()
    with pytest.raises(InputError, match=r"\.png or \.svg"):
        SMALL.draw(tmp_path / "d.gif")
