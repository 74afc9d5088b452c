from dataclasses import replace
from pathlib import Path

import pytest

from gatesolve.errors import UnsupportedError
from gatesolve.puzzles import load, parse
from gatesolve.qubo import published_qubo

EXAMPLES = Path(__file__).parents[2] / "examples" / "sudoku"


def test_values_above_nine_are_letters_or_numbers():
    rows = [["."] * 16 for _ in range(16)]
    rows[0][:3], rows[5][7] = ["1", "G", "A"], "f"
    letters = parse("\n".join("".join(row) for row in rows), "sudoku")
    numbers = "\n".join(" ".join(str(int(t, 17)) if t != "." else "-" for t in row) for row in rows)
    assert parse(numbers) == letters == parse("".join("".join(row) for row in rows))
    assert letters.cells[0][:3] == (1, 16, 10)
    assert parse(letters.text()) == letters


# --- Sudokus with boxes of any shape (jigsaw) and with cages (killer) ---


SMALL = EXAMPLES / "small-jigsaw-killer.txt"


def test_boxes_and_cages_listed_in_another_order_are_the_same_board():
    puzzle = load(SMALL)
    turned = tuple(tuple(9 - number for number in row) for row in puzzle.regions)
    cages = tuple(cage._replace(cells=cage.cells[::-1]) for cage in puzzle.cages[::-1])
    assert replace(puzzle, regions=turned, cages=cages) == puzzle


def test_more_cages_than_letters():
    names = "\n".join(" ".join(str(8 * r + c) for c in range(1, 9)) for r in range(8))
    puzzle = parse(f"box 2x4\ncages\n{names}\nsums {' '.join(f'{k}={1 + k % 8}' for k in range(1, 65))}\n")
    assert len(puzzle.cages) == 64
    assert parse(puzzle.text()) == puzzle


def test_drawings_show_cages():
    puzzle = load(SMALL)
    assert puzzle.image("svg").count(b"stroke-dasharray") == 8 + 6
    assert b"stroke-dasharray" not in replace(puzzle, cages=()).image("svg")


def test_the_published_formula_takes_any_boxes_but_no_cages():
    puzzle = load(SMALL)
    assert published_qubo(replace(puzzle, cells=((None,) * 4,) * 4, cages=())).qubo.num_variables == 64
    with pytest.raises(UnsupportedError, match="no sums of cages"):
        published_qubo(puzzle)
