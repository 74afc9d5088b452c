from pathlib import Path

import pytest

from gatesolve.errors import InputError, UnsupportedError
from gatesolve.formats import from_cpmpy
from gatesolve.model.presolve import presolve
from gatesolve.puzzles import load, parse
from gatesolve.puzzles.sudoku import Sudoku
from gatesolve.puzzles.sudoku_board import Cage
from gatesolve.qubo import published_qubo

EXAMPLES = Path(__file__).parents[2] / "examples" / "sudoku"


def test_small_example_has_a_small_space():
    model, _ = presolve(from_cpmpy(load(EXAMPLES / "small.txt").to_cpmpy()), "propagate")
    assert model.num_assignments == 16


def test_values_above_nine_are_letters_or_numbers():
    rows = [["."] * 16 for _ in range(16)]
    rows[0][:3], rows[5][7] = ["1", "G", "A"], "f"
    letters = parse("\n".join("".join(row) for row in rows), "sudoku")
    numbers = "\n".join(" ".join(str(int(t, 17)) if t != "." else "-" for t in row) for row in rows)
    assert parse(numbers) == letters == parse("".join("".join(row) for row in rows))
    assert letters.cells[0][:3] == (1, 16, 10)
    assert parse(letters.text()) == letters


# --- Sudokus with boxes of any shape (jigsaw) and with cages (killer) ---


SMALL = Path(__file__).parents[2] / "examples" / "sudoku" / "small-jigsaw-killer.txt"
REGIONS = ((0, 0, 1, 1), (0, 0, 1, 2), (3, 3, 1, 2), (3, 3, 2, 2))
EMPTY = ((None,) * 4,) * 4
BOXES = "boxes\nAABB\nAABC\nDDBC\nDDCC\n"


def test_boxes_and_cages_listed_in_another_order_are_the_same_board():
    cages = (Cage(9, ((0, 0), (0, 1))), Cage(3, ((2, 1), (2, 0))))
    turned = tuple(tuple(9 - number for number in row) for row in REGIONS)
    one, other = Sudoku(EMPTY, None, False, REGIONS, cages), Sudoku(EMPTY, None, False, turned, cages[::-1])
    assert one == other


def test_more_cages_than_letters():
    cages = tuple(Cage(1 + (r + c) % 8, ((r, c),)) for r in range(8) for c in range(8))
    puzzle = Sudoku(((None,) * 8,) * 8, (2, 4), False, (), cages)
    assert parse(puzzle.text()) == puzzle


def test_faults_of_boards_made_in_python():
    for regions, cages, message in (
        (REGIONS[:3], (), "row 4 of the boxes has 0 cells"),
        (
            ((0, 0, 1, 1), (0, 0, 1, 1), (2, 2, 3, 3), (2, 3, 2, 3)),
            (),
            "row 4, column 3: this box is in 2 pieces, and this one does not touch that of r3c1: redraw the borders",
        ),
        (REGIONS, (Cage(3, ()),), "without cells"),
        (REGIONS, (Cage(3, ((4, 0),)),), "outside the board"),
    ):
        with pytest.raises(InputError, match=message):
            Sudoku(EMPTY, None, False, regions, cages)


def test_drawings_show_cages(tmp_path):
    puzzle = load(SMALL)
    puzzle.draw(tmp_path / "a.svg")
    Sudoku(puzzle.cells, None, False, puzzle.regions).draw(tmp_path / "b.svg")
    with_cages, without = ((tmp_path / name).read_text() for name in ("a.svg", "b.svg"))
    assert with_cages.count("stroke-dasharray") == 8 + 6
    assert "stroke-dasharray" not in without


def test_the_published_formula_takes_any_boxes_but_no_cages():
    jigsaw = published_qubo(parse(BOXES))
    assert jigsaw.qubo.num_variables == 64
    with pytest.raises(UnsupportedError, match="no sums of cages"):
        published_qubo(load(SMALL))
