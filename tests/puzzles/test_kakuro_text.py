import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kakuro_boards import EXAMPLES, cell_of, solved_boards

from gatesolve.errors import InputError
from gatesolve.puzzles import families, load, parse
from gatesolve.puzzles.kakuro.grid import Black, White
from gatesolve.puzzles.kakuro.puzzle import Kakuro

FILES = sorted(EXAMPLES.glob("*.txt"))


def fault(text: str, family: str | None = "kakuro") -> tuple[int | None, int | None, str]:
    with pytest.raises(InputError) as caught:
        parse(text, family, "f.txt")
    assert str(caught.value).startswith("f.txt")
    assert "\n" not in str(caught.value)
    return caught.value.row, caught.value.column, str(caught.value)


@given(solved_boards(), st.sampled_from([" ", "   ", "\t", " \t "]), st.sampled_from(["\n", "\r\n", "\r", "\n\n"]))
def test_parses_what_was_written(board, gap, end):
    rows, low, high, _ = board
    text = end.join(["\ufeff; a comment", f"values {low}..{high}", *(gap + gap.join(row) for row in rows)])
    puzzle = parse(text)
    assert puzzle == Kakuro(tuple(tuple(cell_of(t) for t in row) for row in rows), low, high)


@given(solved_boards())
def test_text_round_trip(board):
    rows, low, high, solution = board
    puzzle = Kakuro(tuple(tuple(cell_of(t) for t in row) for row in rows), low, high)
    assert parse(puzzle.text(), "kakuro") == puzzle
    finished = parse(puzzle.text(solution), "kakuro")
    assert [[str(solution.get(f"r{r}c{c}", "#")) for c in range(1, len(row) + 1)] for r, row in enumerate(rows, 1)] == (
        finished.board({})
    )


@given(solved_boards())
def test_json_is_the_same_board(board):
    rows, low, high, _ = board
    record = {"id": "x", "family": "kakuro", "grid": [" ".join(row) for row in rows], "values": [low, high]}
    text = "\n".join([f"values {low}..{high}", *record["grid"]])
    assert parse(json.dumps(record)) == parse(text)


@settings(max_examples=300)
@given(st.text(alphabet="#.\\0123456789 \nvalues;/_{}x\x00é\u2028", max_size=60))
def test_any_text_is_a_board_or_one_clear_line(text):
    message = ""
    try:
        puzzle = parse(text, "kakuro")
    except InputError as error:
        message = str(error)
    assert len(message.splitlines()) == 1 if message else parse(puzzle.text(), "kakuro") == puzzle


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_example_round_trip(path):
    puzzle = load(path)
    assert isinstance(puzzle, Kakuro)
    assert parse(puzzle.text(), source=str(path)) == puzzle


def test_tokens_mean_what_they_say():
    puzzle = parse("values 0..4\n# # 4\\ 5\\\n# 3\\3 . _\n\\6 2 . 3\n# . # #\n", "kakuro")
    assert puzzle.grid == (
        (Black(), Black(), Black(down=4), Black(down=5)),
        (Black(), Black(down=3, across=3), White(), White()),
        (Black(across=6), White(2), White(), White(3)),
        (Black(), White(), Black(), Black()),
    )


def test_title_sums_the_board_up():
    assert load(EXAMPLES / "contest.txt").title == "Kakuro 4x4: 7 cells, 6 runs, values 0..3"


def test_a_board_of_30_by_30_parses():
    head, line = "# " + "45\\ " * 9, "\\45 " + ". " * 9
    block = [head * 3] + [line * 3] * 9
    assert len(parse("\n".join(block * 3)).runs) == 162


SMALL = "#  3\\ 4\\\n\\3 .  .\n\\4 .  .\n"


@pytest.mark.parametrize(
    ("text", "row", "column", "says"),
    [
        ("", None, None, "empty"),
        (" \n\t\n", None, None, "empty"),
        ("; only a comment\n", None, None, "no board"),
        ("; c\n\n# 3\\ x\n", 3, 3, "unknown token x: write # for a black cell"),
        ("# 16/ 3\\\n", 1, 2, "unknown token 16/"),
        ("# \\ #\n", 1, 2, "unknown token \\"),
        ("# 12345\\ #\n", 1, 2, "unknown token 12345\\"),
        ("# 1\x07 #\n", 1, 2, "unknown token '1\\x07'"),
        ("# ٣\\ #\n", 1, 2, "unknown token '\\u0663\\\\'"),
        ("# " + "y" * 500, 1, 2, "unknown token yyyyyyyyyyyyyyyyyyyy...:"),
        (SMALL + "# #\n", 4, 3, "2 cells here but 3 in the board's first row: add the missing cells"),
        (SMALL + "; c\n# # # #\n", 5, 4, "4 cells here but 3 in the board's first row: remove the extra"),
        ("# # #\n\\3 . .\n# \\7 #\n", 3, 2, "sum 7 across has no white cell to its right"),
        ("# # #\n\\3 . .\n# # \\7\n", 3, 3, "sum 7 across has no white cell to its right"),
        ("# # #\n\\3 . .\n# 7\\ #\n", 3, 2, "sum 7 down has no white cell below it"),
        ("values 5..2\n" + SMALL, 1, 2, "value range 5..2 is empty: write the smaller number first, values 2..5"),
        ("; c\nvalues\n" + SMALL, 2, 1, "a value range is written 'values LOW..HIGH'"),
        ("values 1-9\n" + SMALL, 1, 2, "a value range is written"),
        ("values 0..100\n" + SMALL, 1, 2, "numbers of 0..99"),
        ("values 0..3\nvalues 0..3\n" + SMALL, 2, 1, "one line 'values', above the board"),
        (SMALL + "values 0..3\n", 4, 1, "one line 'values', above the board"),
        (
            "# # #\n# . .\n",
            2,
            2,
            "2 cells across that starts here has no sum: write \\SUM in the black cell to the left",
        ),
        ("# # #\n. . #\n", 2, 1, "add a column of black cells at the left"),
        ("# #\n# .\n# .\n", 2, 2, "2 cells down that starts here has no sum: write SUM\\ in the black cell above"),
        ("# .\n# .\n", 1, 2, "add a row of black cells at the top"),
        ("# # #\n\\3 . .\n# # #\n# . #\n", 4, 2, "a white cell in no run: make it black"),
        ("# # #\n# # #\n", 1, 1, "no run of two or more white cells"),
        ("# # #\n\\3 0 .\n", 2, 2, "given 0 is outside 1..9: write . for an empty cell"),
        ("# \n" * 101, 101, None, "101 rows: a board has at most 100"),
        ("; c\n" + "# " * 101, 2, 101, "101 cells in a row: a board has at most 100 columns"),
    ],
)
def test_faults_are_named_with_their_place(text, row, column, says):
    at_row, at_column, message = fault(text)
    assert (at_row, at_column) == (row, column)
    assert says in message


@pytest.mark.parametrize(
    ("text", "row", "says"),
    [
        ('{"family": "kakuro", "grid": ["#"]', 1, "not one JSON object"),
        ('{"family": "kakuro", "grid": ["#"]}\n{}', 2, "nothing after it"),
        ('{"family": "kakuro"}', None, "no field 'grid'"),
        ('{"family": "kakuro", "grid": [["#"]]}', None, "no field 'grid'"),
        ('{"family": "kakuro", "grid": []}', None, "no board"),
        ('{"family": "kakuro", "grid": ["", ""]}', None, "write one string a row"),
        ('{"family": "kakuro", "grid": ["# #", "#"]}', 2, "1 cell here but 2"),
        ('{"family": "kakuro", "grid": ["# #"], "values": [0]}', None, "not a pair of integers"),
        ('{"family": "kakuro", "grid": ["# #"], "values": [true, 3]}', None, "not a pair of integers"),
        ('{"family": "kakuro", "grid": ["# #"], "values": [3, 1]}', 1, "empty"),
        ('{"family": "tents", "grid": ["# #"]}', None, "JSON of family 'tents'"),
        ('{"family": "kakuro", "grid": ' + "[" * 100_000, None, "too deep"),
        ('{"family": "kakuro", "grid": ' + "9" * 10_000 + "}", None, "too long a number"),
    ],
)
def test_json_faults_are_named(text, row, says):
    at_row, _, message = fault(text)
    assert at_row == row
    assert says in message


def test_a_board_made_in_python_is_judged_too():
    with pytest.raises(InputError, match="row 1, column 1: sum 9 across has no white cell") as caught:
        Kakuro(((Black(across=9), Black()), (Black(down=3), Black()), (White(), White()), (White(), White())))
    assert (caught.value.row, caught.value.column) == (1, 1)


def test_family_is_found_or_asked_for():
    assert "kakuro" in families()
    assert parse(SMALL) == parse(SMALL, "kakuro")
    with pytest.raises(InputError, match="unknown puzzle family 'crossword': choose one of kakuro"):
        parse(SMALL, "crossword")
    assert "not recognised as a puzzle: give family=NAME, one of" in fault("hello world", None)[2]
    assert (
        "unknown puzzle family 'crossword': choose one of kakuro"
        in fault('{"family": "crossword", "grid": "..."}', None)[2]
    )
