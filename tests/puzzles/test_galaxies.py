from math import prod
from pathlib import Path

import pytest
from checks import answers
from hypothesis import given, settings
from random_boards import galaxies_boards

from gatesolve.errors import DoesNotFitError, InfeasibleError
from gatesolve.formats import from_cpmpy
from gatesolve.model import Table, find_solutions
from gatesolve.puzzles import Galaxies
from gatesolve.puzzles.galaxies import NumberedBoard, all_shapes, broken_rules, core, mirror, reaches

EXAMPLES = Path(__file__).parents[2] / "examples" / "galaxies"
BLOG = ["1 0 0 1 1", "1 1 1 1 1", "1 1 2 3 1", "3 3 3 3 3", "4 3 5 5 5"]


def rows(puzzle, solution):
    return [" ".join(row) for row in puzzle.board(solution)]


def test_the_blogs_board_has_the_blogs_answer_and_no_other():
    puzzle = Galaxies.parse((EXAMPLES / "blog-5x5.txt").read_text(), "blog")
    assert puzzle.title == "Galaxies 5x5: 6 dots"
    (solution,) = answers(puzzle)
    assert rows(puzzle, solution) == BLOG
    # The blog's other samples, which its QUBO without the reward takes for answers, are in pieces.
    for other in ("10021 11111 12221 33333 42555", "10011 22122 11231 22322 43555"):
        owner = {(r, c): int(k) for r, row in enumerate(other.split()) for c, k in enumerate(row)}
        galaxies = [{cell for cell, k in owner.items() if k == dot} for dot in range(6)]
        assert any("pieces" in fault for fault in broken_rules(puzzle, galaxies))


def test_each_galaxy_is_one_table_of_its_shapes():
    puzzle = Galaxies.parse((EXAMPLES / "blog-5x5.txt").read_text(), "blog")
    assert puzzle.shapes is not None
    assert sorted(map(len, puzzle.shapes)) == [1, 2, 2, 7, 12, 57]
    tables = [c for c in from_cpmpy(puzzle.to_cpmpy()).constraints if isinstance(c, Table)]
    assert sorted(len(table.tuples) for table in tables) == [2, 2, 7, 12, 57]
    assert all(len({name.split("_")[1] for name in table.scope}) == 1 for table in tables)


def divisions(board: Galaxies):
    """All ways to deal the cells to dots in symmetric pairs, found by trying; the rules judge each."""
    owner = {cell: k for k, dot in enumerate(board.dots) for cell in core(dot)}

    def deal(owner):
        cell = next((cell for cell in board.cells if cell not in owner), None)
        if cell is None:
            galaxies = [{c for c, k in owner.items() if k == dot} for dot in range(len(board.dots))]
            if not broken_rules(board, galaxies):
                yield tuple(owner[c] for c in board.cells)
            return
        for k, dot in enumerate(board.dots):
            other = mirror(cell, dot)
            if board.holds(other) and other not in owner:
                yield from deal({**owner, cell: k, other: k})

    return set(deal(owner))


@pytest.mark.more_examples(150)
@settings(max_examples=50)
@given(galaxies_boards())
def test_model_and_trial_agree_on_every_division(board):
    model = board.to_cpmpy()
    try:
        found = find_solutions(from_cpmpy(model))
    except InfeasibleError:
        found = []
    divided = [tuple(int(k) for row in board.board(s) for k in row if k != "#") for s in found]
    assert len(set(divided)) == len(divided)
    assert set(divided) == divisions(board)


@pytest.mark.more_examples(150)
@settings(max_examples=50)
@given(galaxies_boards())
def test_deductions_keep_every_answer(board):
    """Shapes listed within the narrowed reach, as on large boards, still hold those of every division."""
    sheet = NumberedBoard(board)
    narrowed = all_shapes(sheet, few=0)
    wanted = divisions(board)
    assert narrowed is not None or not wanted
    for division in wanted:
        for k in range(len(board.dots)):
            shape = sum(sheet.bit(cell) for cell, owner in zip(board.cells, division, strict=True) if owner == k)
            assert shape in narrowed[k]


def test_deductions_alone_solve_a_large_board():
    puzzle = Galaxies.parse((EXAMPLES / "sgt-15x15dn-1.txt").read_text(), "large")
    known = reaches(NumberedBoard(puzzle))
    assert known is not None
    assert all(reach.must == reach.may for reach in known)
    assert puzzle.shapes is not None
    assert prod(map(len, puzzle.shapes)) > 2**100


def test_more_shapes_than_are_listed_is_told():
    puzzle = Galaxies(12, 12, ((12, 8), (12, 12), (12, 16)))
    with pytest.raises(DoesNotFitError, match="half-row 12, half-column 8 has more than 20000 possible shapes"):
        puzzle.to_cpmpy()
    assert puzzle.text().count("o") == 3


def test_lopsided_galaxies_and_holes_are_named():
    lopsided = broken_rules(Galaxies(1, 3, ((1, 1),)), [{(0, 0), (0, 1), (0, 2)}])
    assert lopsided == ["galaxy 0 is not symmetric: it holds r1c2 but not the opposite cell r1c0"]
    holed = Galaxies(1, 3, ((1, 3),), holes=frozenset({(0, 0), (0, 2)}))
    assert broken_rules(holed, [{(0, 0), (0, 1), (0, 2)}]) == [
        "galaxy 0 holds r1c1, which is not on the board",
        "galaxy 0 holds r1c3, which is not on the board",
    ]


# --- galaxies text ---


def test_black_dots_and_holes():
    link = Galaxies.parse((EXAMPLES / "pzpr-5x5.txt").read_text(), "f")
    assert link.title == "Galaxies 5x5: 12 dots, 1 hole"
    assert link.holes == {(0, 4)}
    assert len(link.black) == 7
    assert Galaxies.parse("3x2:Ahb", "f").black == {(1, 1)}
    typed = Galaxies.parse("*|#\n-+-\no..\n", "f")
    assert typed == Galaxies(2, 2, ((1, 1), (3, 1)), frozenset({(1, 1)}), frozenset({(0, 1)}))


def game_id(board: Galaxies) -> str:
    """The board as Simon Tatham's program writes it: each dot behind the blank places before it."""
    letters, skipped = "", 0
    for y in range(1, 2 * board.rows):
        for x in range(1, 2 * board.columns):
            if (y, x) in board.dots:
                letter = chr(ord("a") + skipped)
                letters, skipped = letters + (letter.upper() if (y, x) in board.black else letter), 0
            elif skipped == 24:
                letters, skipped = letters + "z", 0
            else:
                skipped += 1
    return f"{board.columns}x{board.rows}:{letters}"


@pytest.mark.more_examples(100)
@settings(max_examples=30)
@given(galaxies_boards())
def test_game_ids_say_the_same(board):
    if not board.holes and Galaxies.recognises(game_id(board)):
        assert Galaxies.parse(game_id(board), "f") == board
