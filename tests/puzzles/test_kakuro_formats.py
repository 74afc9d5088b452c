import io
import json
import time

import pytest
from hypothesis import given
from kakuro_boards import EXAMPLES, cell_of, solved_boards
from rich.console import Console

from gatesolve.errors import InputError
from gatesolve.model import find_solutions, from_cpmpy
from gatesolve.puzzles import load
from gatesolve.puzzles.kakuro.puzzle import Kakuro

INDEVRUS = """:   23: 30:   :     :     27: 12: 16:
:16 _   _     :     17:24 _   _   _
:17 _   _     15:29 _     _   _   _
:35 _   _     _     _     _   12: :
:   :7  _     _     7:8   _   _   7:
:   11: 10:16 _     _     _   _   _
:21 _   _     _     _     :5  _   _
:6  _   _     _     :     :3  _   _
"""
MINIZINC = """% InDevRus's board is not this one: MiniZinc's 6x6 easy
h = 6; w = 6;
grid_data = [|
 0, 0, 0, 0, 0, 0|
 0, 0, 1, 1, 1, 0|
 0, 1, 1, 1, 1, 0|
 0, 1, 1, 0, 1, 1|
 0, 0, 1, 1, 1, 1|
 0, 0, 1, 1, 1, 0
|];
n_h = 6;
h_clue = [| 2, 2, 3, 8| 3, 1, 4, 15| 4, 1, 2, 9| 4, 4, 2, 8| 5, 2, 4, 22| 6, 2, 3, 15 |];
n_v = 6;
v_clue = [| 2, 2, 2, 3| 1, 3, 5, 34| 1, 4, 2, 4| 4, 4, 2, 17| 1, 5, 5, 15| 3, 6, 2, 4 |];
"""


def fault(text):
    with pytest.raises(InputError) as caught:
        Kakuro.parse(text, "f.txt")
    assert str(caught.value).startswith("f.txt")
    assert "\n" not in str(caught.value)
    return caught.value.row, caught.value.column, str(caught.value)


def parsed(text):
    assert Kakuro.recognises(text)
    return Kakuro.parse(text, "f.txt")


def test_colon_sums():
    assert parsed(INDEVRUS) == load(EXAMPLES / "wikipedia-8x8.txt", "kakuro")


def test_minizinc_data():
    assert parsed(MINIZINC) == load(EXAMPLES / "minizinc-6x6-easy.txt", "kakuro")


@pytest.mark.parametrize("prefix", ["", "https://puzz.link/p?", "http://pzv.jp/p.html?"])
def test_puzz_link_address(prefix):
    address = prefix + "kakuro/5/5/48la0.na0lh3l0Bn.0cl.c4a3"
    assert parsed(f"; a comment\n{address}\n") == load(EXAMPLES / "pzpr-6x6.txt", "kakuro")


@given(solved_boards())
def test_comma_and_colon_sums_mean_what_backslashes_mean(board):
    rows, low, high, _ = board
    native = Kakuro(tuple(tuple(cell_of("." if t.isdecimal() else t) for t in row) for row in rows), low, high)
    comma = [[{"#": "-", ".": "0"}.get(t, t.replace("\\", ",")) for t in row] for row in rows]
    colon = [[{"#": ":", ".": "_"}.get(t, t.replace("\\", ":")) for t in row] for row in rows]
    for tokens in (comma, colon):
        empty = ["0", "_"][tokens is colon]
        text = "\n".join(" ".join(empty if t.isdecimal() else t for t in row) for row in tokens)
        if any("\\" in t and not t.endswith("\\") for row in rows for t in row):
            assert Kakuro.recognises(text)
            assert Kakuro.parse(f"values {low}..{high}\n{text}", "f") == native


def link_of(rows) -> str:
    """The address of a board without given values, written apart from the reader."""
    signs = "0123456789abcdefghijABCDEFGHIJKLMNOPQRSTUVWXYZ"

    def sums(token):
        down, across = token.split("\\") if "\\" in token else ("", "")
        return signs[int(down or 0)], signs[int(across or 0)]

    inner = [row[1:] for row in rows[1:]]
    body = "".join("k" if t == "." else "." if t == "#" else "".join(sums(t)) for row in inner for t in row)
    for k in range(16, 1, -1):
        body = body.replace("k" * k, chr(ord("j") + k))
    body += "".join(sums(rows[0][c + 1])[0] for c, t in enumerate(inner[0]) if t == ".")
    body += "".join(sums(rows[r + 1][0])[1] for r, row in enumerate(inner) if row[0] == ".")
    return f"kakuro/{len(inner[0])}/{len(inner)}/{body}"


@given(solved_boards())
def test_addresses_say_the_same(board):
    rows = [["." if t.isdecimal() else t for t in row] for row in board[0]]
    sums = [int(part) for row in rows for t in row for part in t.split("\\") if part.isdecimal()]
    native = "\n".join(" ".join(row) for row in rows)
    try:
        puzzle = Kakuro.parse(native, "f")
    except InputError:  # a sum that values from 1 cannot make
        return
    if max(sums) <= 45:
        assert parsed(link_of(rows)) == puzzle


def test_a_line_with_the_size_is_skipped_in_the_comma_dialect():
    board = "- 17, 16, -\n,16 0 0 -\n,17 0 0 -\n- - - -\n"
    assert parsed("4 4\n" + board) == parsed(board)


@pytest.mark.parametrize(
    "text",
    [
        "1, 1, 2\n1, 2, 2\n3, 3, 2\n",
        "a = [| 0,1 | 0,0 |]; row_sums = [1,0]; col_sums = [0,1];",
        ",2,1\n1,,t\n",
        "8x8:_ecb_i,1,2\n",
        "4x4:aAbB",
        "tents/5/5/2g0h1i1j82323",
        "a:b\n",
        "1 - - 2\n- - 3 -\n",
        json.dumps({"family": "sudoku", "grid": "1,2"}),
    ],
)
def test_other_texts_are_not_claimed(text):
    assert not Kakuro.recognises(text)


@pytest.mark.parametrize(
    ("text", "row", "column", "says"),
    [
        ("- 3, 4,\n,3 0 0\n,4 0 Q\n", 3, 3, "unknown token Q"),
        ("- 3, 4,\n,3 0 0\n,4 0\n", 3, 3, "2 cells here but 3"),
        ("kakuro/5/5/48la0.na0lh3l0Bn", None, None, "the link breaks off at"),
        ("kakuro/5/5/48la0.na0lh3l0Bn.0cl.c4a", None, None, "the link breaks off"),
        ("kakuro/2/2/z", None, None, "the link has more cells than 2x2"),
        ("kakuro/2/2/!!", None, None, "the link breaks off at '!'"),
        ("kakuro/0/2/z", None, None, "sizes are 1 to 99"),
        ("kakuro/200/200/z", None, None, "sizes are 1 to 99"),
        (MINIZINC.replace("n_v", "% ").replace("v_clue = [|", "v = [|"), None, None, "without 'v_clue = [| ... |]'"),
        (MINIZINC.replace("3, 1, 4, 15", "3, 1, 3, 15"), None, None, "'h_clue' has 3, 1, 3, 15, not the row"),
        (MINIZINC.replace("3, 1, 4, 15", "9, 9, 4, 15"), None, None, "'h_clue' has 9, 9, 4, 15"),
        (MINIZINC.replace("3, 1, 4, 15", "3, 1, 4"), None, None, "'h_clue' has"),
        (MINIZINC.replace("0, 1, 1, 1, 1, 0|", "0, 1, 1, 1, 1|"), None, None, "not rows of 0 and 1"),
        (MINIZINC.replace("3, 1, 4, 15|", ""), 3, 2, "the run of 4 cells across that starts here has no sum"),
    ],
)
def test_faults_are_named(text, row, column, says):
    start = time.perf_counter()
    at_row, at_column, message = fault(text)
    assert (at_row, at_column) == (row, column)
    assert says in message
    assert time.perf_counter() - start < 2


def test_a_newspapers_board_is_read_shown_and_lowered():
    puzzle = load(EXAMPLES / "newspaper-17x17.txt", "kakuro")
    assert puzzle.title.startswith("Kakuro 17x17: ")
    file = io.StringIO()
    Console(file=file, width=200, no_color=True).print(puzzle.render())
    lines = file.getvalue().rstrip("\n").split("\n")
    assert len(lines) == 35
    assert len({len(line) for line in lines}) == 1
    model = from_cpmpy(puzzle.to_cpmpy())
    (solution,) = find_solutions(model, 1)
    assert puzzle.check(solution) == []
    assert Kakuro.parse(puzzle.text(), "again") == puzzle
