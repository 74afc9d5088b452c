import pytest
from faulty_boards import MINIZINC
from hypothesis import given
from kakuro_boards import EXAMPLES, cell_of, solved_boards

from gatesolve.errors import InputError
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
