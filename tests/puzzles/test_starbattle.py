import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_boards import grow_regions

from gatesolve.puzzles import StarBattle, parse

_BASE_64 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_"


@st.composite
def region_grids(draw: st.DrawFn) -> list[str]:
    """A square divided into as many regions as rows, each in one piece, grown from a cell of every row."""
    side = draw(st.integers(1, 7))
    rng = random.Random(draw(st.integers(0, 2**30)))
    return grow_regions(rng, [rng.randrange(side) for _ in range(side)])


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
def test_addresses_and_notation_are_the_same_board(rows):
    order = list(dict.fromkeys("".join(rows)))
    puzzle = StarBattle(tuple(tuple(chr(ord("A") + order.index(c)) for c in row) for row in rows), 1)
    if len(rows) > 1:
        assert parse(puzz_link(rows, 1)) == puzzle
    if len(rows) > 3:
        assert parse(sbn(rows, 1)) == puzzle
