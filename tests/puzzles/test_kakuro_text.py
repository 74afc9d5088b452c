import io

import pytest
from hypothesis import given, settings
from kakuro_boards import EXAMPLES, cell_of, solved_boards
from rich.console import Console

from gatesolve.errors import InputError
from gatesolve.puzzles import Kakuro, load, parse

# --- kakuro formats ---


def parsed(text):
    assert Kakuro.recognises(text)
    return Kakuro.parse(text, "f.txt")


@pytest.mark.more_examples(100)
@settings(max_examples=30)
@given(solved_boards())
def test_comma_and_colon_sums_mean_what_backslashes_mean(board):
    rows, low, high = board
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


@pytest.mark.more_examples(100)
@settings(max_examples=30)
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


# --- kakuro picture ---


K4 = {"r2c2": 0, "r2c3": 3, "r3c2": 3, "r3c3": 1}
WIDEST = "values 0..99\n" + "\n".join(["# " + "171\\ " * 9] + ["\\171 " + ". " * 9] * 2)


def shown(puzzle, solution=None, *, colour=False, encoding="utf-8") -> str:
    file = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    system = {"force_terminal": True, "color_system": "truecolor"} if colour else {"no_color": True}
    Console(file=file, width=80, **system).print(puzzle.render(solution))
    file.flush()
    return file.buffer.getvalue().decode(encoding)


def test_answers_are_bold_and_givens_are_not():
    text = shown(parse("# 3\\ 4\\\n\\3 . 1\n\\4 . .\n"), {"r2c2": 2, "r2c3": 1}, colour=True)
    assert "\x1b[1m 2 \x1b[0m" in text
    assert "\x1b[4m 1 \x1b[0m" in text


def test_terminal_picture_on_a_console_without_box_characters():
    assert "| \\3| 0 | 3 |" in shown(load(EXAMPLES / "small.txt"), K4, encoding="ascii")


@pytest.mark.parametrize("text", [WIDEST, (EXAMPLES / "wikipedia-8x8.txt").read_text()], ids=["widest", "wikipedia"])
def test_boards_keep_one_line_a_row_within_80_columns(text):
    puzzle = parse(text)
    lines = shown(puzzle).split("\n")
    assert len(lines) == 2 * len(puzzle.grid) + 2
    assert len({len(line) for line in lines[:-1]}) == 1
    assert len(lines[0]) <= 80
    assert "…" not in "".join(lines)
