import io
import itertools
import json
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from gatesolve.errors import InputError
from gatesolve.formats import from_cpmpy
from gatesolve.model import find_solutions
from gatesolve.puzzles import load, parse
from gatesolve.puzzles.starbattle.puzzle import StarBattle

EXAMPLES = Path(__file__).parents[2] / "examples" / "starbattle"
TINY = "AABB\nABBB\nCCDD\nCDDD\n"
_BASE_64 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_"


def found(puzzle: StarBattle, limit: int) -> list[dict[str, int]]:
    return find_solutions(from_cpmpy(puzzle.to_cpmpy()), limit)


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


@settings(deadline=None)
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


def test_each_rule_is_named_when_broken():
    puzzle = parse("stars 1\nAAAA\nBBBB\nCCC#\nDDDD\nboard\n.*..\n....\n....\n....\n")
    right = {f"r{r}c{c}": 0 for r in range(1, 5) for c in range(1, 5) if (r, c) != (3, 4)}
    right |= {"r1c2": 1, "r2c4": 1, "r3c1": 1, "r4c3": 1}
    assert puzzle.check(right) == []
    assert puzzle.check(right | {"r4c3": 0, "r4c2": 1}) == [
        "stars at r3c1 and r4c2 touch",
        "column 2 has 2 stars, not 1",
        "column 3 has 0 stars, not 1",
    ]
    assert "r1c2 has no star where one is given" in puzzle.check(right | {"r1c2": 0})
    assert "region A has 0 stars, not 1" in puzzle.check(right | {"r1c2": 0})
    assert "r3c4 holds no star: it is no cell for one" in puzzle.check(right | {"r3c4": 1})
    assert "r1c1 is 2, not 0 or 1" in puzzle.check(right | {"r1c1": 2})
    assert "r1c1 has no value" in puzzle.check({n: v for n, v in right.items() if n != "r1c1"})


def test_a_letter_grid_without_stars_is_no_star_battle():
    assert parse(TINY).family == "queens"
    assert parse("stars 1\n" + TINY).family == "starbattle"
    assert parse(TINY, "starbattle") == parse("stars 1\n" + TINY)


def test_pictures(tmp_path):
    puzzle = load(EXAMPLES / "irregular-6x6-1.txt")
    (solution,) = found(puzzle, 2)
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


def test_a_board_made_in_python_is_judged_too():
    with pytest.raises(InputError, match="row 2, column 1: 2 rows but 1 columns"):
        StarBattle((("A",), ("B",)), 1)
