import io
import itertools
import json
import random
from pathlib import Path

import pytest
from checks import answers
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from gatesolve.puzzles import StarBattle, load, parse

EXAMPLES = Path(__file__).parents[2] / "examples" / "starbattle"
_BASE_64 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_"


@st.composite
def region_grids(draw: st.DrawFn) -> list[str]:
    """A square divided into as many regions as rows, each in one piece, grown from a cell of every row."""
    side = draw(st.integers(1, 7))
    rng = random.Random(draw(st.integers(0, 2**30)))
    names = {(r, rng.randrange(side)): chr(ord("A") + r) for r in range(side)}
    while len(names) < side * side:
        (r, c), name = rng.choice(sorted(names.items()))
        near = [(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)]
        i, j = rng.choice(near)
        if 0 <= i < side and 0 <= j < side:
            names.setdefault((i, j), name)
    return ["".join(names[r, c] for c in range(side)) for r in range(side)]


def sbn(rows: list[str], stars: int) -> str:
    """Star Battle Notation, written independently of the reader."""
    n = len(rows)
    bits = [rows[r][c] != rows[r][c + 1] for r in range(n) for c in range(n - 1)]
    bits += [rows[r][c] != rows[r + 1][c] for c in range(n) for r in range(n - 1)]
    number, length = int("".join("01"[b] for b in bits), 2), -(-len(bits) // 6)
    code = "".join(_BASE_64[number >> 6 * k & 63] for k in reversed(range(length)))
    return f"{_BASE_64[n] * 2}{stars}W{code}"


def puzz_link(rows: list[str], stars: int) -> str:
    n = len(rows)
    right = [rows[r][c] != rows[r][c + 1] for r in range(n) for c in range(n - 1)]
    below = [rows[r][c] != rows[r + 1][c] for r in range(n - 1) for c in range(n)]
    code = ""
    for bits in (right, below):
        padded = "".join("01"[b] for b in bits) + "0" * (-len(bits) % 5)
        code += "".join("0123456789abcdefghijklmnopqrstuv"[int(padded[k : k + 5], 2)] for k in range(0, len(padded), 5))
    return f"https://puzz.link/p?starbattle/{n}/{n}/{stars}/{code}"


@pytest.mark.more_examples(100)
@settings(max_examples=40)
@given(region_grids())
def test_all_formats_are_the_same_board(rows):
    order = list(dict.fromkeys("".join(rows)))
    named = tuple(tuple(chr(ord("A") + order.index(c)) for c in row) for row in rows)
    numbers = [[str(order.index(c) + 1) for c in row] for row in rows]
    n = len(rows)
    puzzle = StarBattle(named, 1)
    letters = ["".join(row) for row in named]
    texts = [
        "stars 1\n" + "\n".join(letters),
        "; comment\n\n" + "\r\n".join(letters) + "\nstars 1\n",
        "stars: 1\nregions\n" + "\n".join(" ".join(row) for row in named),
        json.dumps({"family": "starbattle", "size": n, "stars": 1, "regions": letters}),
    ]
    if n > 1:
        texts += [
            "stars 1\n" + "\n".join(" ".join(row) for row in numbers),
            "stars 1\n" + ",".join(itertools.chain(*numbers)),
            f"{n} {n} 1\n" + "\n".join(" ".join(row) for row in numbers),
            puzz_link(rows, 1),
        ]
    if n > 3:
        texts.append(sbn(rows, 1))
    for text in texts:
        assert parse(text) == puzzle
    assert parse(puzzle.text()) == puzzle


def test_pictures(tmp_path):
    puzzle = load(EXAMPLES / "irregular-6x6-1.txt")
    (solution,) = answers(puzzle, 2)
    console = Console(width=80, no_color=True, record=True, file=io.StringIO())
    console.print(puzzle.render(solution))
    lines = console.export_text().split("\n")
    assert lines[:3] == ["┏━━━┳━━━┯━━━┯━━━┯━━━┳━━━┓", "┃@@@┃   │ ★ │   │   ┃@@@┃", "┣━━━╇━━━╅───┼───╆━━━╋━━━┫"]
    assert lines[5] == "┃   │ ★ ┃###│###┃   ┃   ┃"
    puzzle.draw(tmp_path / "a.png", solution)
    puzzle.draw(tmp_path / "a.svg", solution)
    puzzle.draw(tmp_path / "b.svg")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "a.svg").read_bytes() != (tmp_path / "b.svg").read_bytes()
