"""Sudokus with boxes of any shape (jigsaw) and with cages (killer)."""

import io
import itertools
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import assert_refused
from rich.console import Console

import gatesolve
from gatesolve.errors import InputError, UnsupportedError
from gatesolve.model import from_cpmpy
from gatesolve.model.reference import find_solutions
from gatesolve.puzzles import load, parse
from gatesolve.puzzles.sudoku.grid import Cage
from gatesolve.puzzles.sudoku.puzzle import Sudoku
from gatesolve.qubo.published import published_qubo

SMALL = Path(__file__).parents[2] / "examples" / "sudoku" / "small-jigsaw-killer.txt"
REGIONS = ((0, 0, 1, 1), (0, 0, 1, 2), (3, 3, 1, 2), (3, 3, 2, 2))
EMPTY = ((None,) * 4,) * 4
BOXES = "boxes\nAABB\nAABC\nDDBC\nDDCC\n"
CAGES = "cages\nppp.\n....\n.q..\n.q..\nsums p=9 q=6\n"


def found(puzzle, limit=3):
    return find_solutions(from_cpmpy(puzzle.to_cpmpy()), limit)


def sgt(text):
    puzzle = parse(text)
    (answer,) = found(puzzle)
    assert puzzle.check(answer) == []
    assert parse(puzzle.text()) == puzzle
    return puzzle


def walks(side, path):
    """Walks over all cells from a corner, each step to a neighbour: cut in pieces of equal length they make boxes."""
    if len(path) == side * side:
        yield path
    r, c = path[-1]
    for cell in ((r + 1, c), (r, c + 1), (r - 1, c), (r, c - 1)):
        if set(cell) <= set(range(side)) and cell not in path:
            yield from walks(side, [*path, cell])


WALKS = {side: list(walks(side, [(0, 0)])) for side in (4, 5)}


@st.composite
def boards(draw):
    """A 4x4 or 5x5 board with cages and whole boxes drawn at random, not always solvable."""
    side = draw(st.sampled_from([4, 5]))
    cells = [(r, c) for r in range(side) for c in range(side)]
    walk = draw(st.sampled_from(WALKS[side]))
    number = {cell: k // side for k, cell in enumerate(walk)}
    regions = tuple(tuple(number[r, c] for c in range(side)) for r in range(side))
    left = list(draw(st.permutations(cells)))
    cages = []
    for size in draw(st.lists(st.integers(1, 4), max_size=4)):
        cages.append(Cage(draw(st.integers(1, 14)), tuple(left.pop() for _ in range(size))))
    given_at = draw(st.dictionaries(st.sampled_from(cells), st.integers(1, side), max_size=6))
    values = tuple(tuple(given_at.get((r, c)) for c in range(side)) for r in range(side))
    return Sudoku(values, None, draw(st.booleans()), regions, tuple(cages))


@settings(max_examples=60)
@given(boards())
def test_text_round_trip(puzzle):
    assert parse(puzzle.text()) == puzzle
    for answer in found(puzzle, 1):
        assert puzzle.check(answer) == []
        assert parse(puzzle.text(answer)).board({}) == puzzle.board(answer)


def test_checker_and_model_agree_on_every_filling():
    """On a board with two cages and eleven cells given, every filling of the other five."""
    puzzle = parse(BOXES + CAGES + "board\n....\n412.\n1234\n3412\n")
    model = from_cpmpy(puzzle.to_cpmpy())
    names = [name for name, domain in model.domains.items() if len(domain) > 1]
    given_values = {name: domain[0] for name, domain in model.domains.items() if len(domain) == 1}
    good = [tuple(answer[name] for name in names) for answer in find_solutions(model)]
    accepted = [
        values
        for values in itertools.product((1, 2, 3, 4), repeat=len(names))
        if puzzle.check({**given_values, **dict(zip(names, values, strict=True))}) == []
    ]
    assert sorted(accepted) == sorted(good) != []


def test_game_ids_of_sgt_solo():
    jigsaw = sgt("4j:b4c1b1c2b,e_ea_______a_")
    assert jigsaw.regions == ((0, 0, 0, 0), (1, 1, 1, 2), (1, 2, 2, 2), (3, 3, 3, 3))
    killer = sgt("2x2k:p,aaa__baa__a__a__,3a8a4_6c9_6c4a")
    assert (killer.box, sum(cage.total for cage in killer.cages)) == ((2, 2), 40)
    both = sgt("4jk:p,ab_a_abbc_b,__a_a___cc__aa_,6_6_5c9a4a10e")
    assert (both.regions, len(both.cages)) == (REGIONS, 6)
    crossed = parse("2x2xk:p,aaa__baa__a__a__,3a8a4_6c9_6c4a")
    assert (crossed.diagonals, len(crossed.cages)) == (True, 7)
    # a run of more than 25 borders without a line: one box over most of the board
    with pytest.raises(InputError, match="this box has 81 cells"):
        parse("9j:zzzc,zzzzzs")


def test_two_grids_of_puzzlekit():
    rows = "- - 4 3\n- - - 1\n- 2 - -\n- - - -\n"
    jigsaw = parse("4 4\n" + rows + "1 1 1 3\n1 3 3 3\n2 2 4 4\n2 2 4 4\n")
    typed = "boxes\nAAAB\nABBB\nCCDD\nCCDD\nboard\n" + rows.replace("-", ".").replace(" ", "")
    assert jigsaw == parse(typed)
    killer = parse("4 4\n9 - 8 3\n- 7 - -\n4 - - 9\n- - - -\n2 2 4 1\n2 3 4 1\n6 3 4 5\n6 3 5 5\n")
    assert killer.cages[0] == Cage(9, ((0, 0), (0, 1), (1, 0)))
    (answer,) = found(killer)
    assert killer.board(answer)[0] == ["2", "3", "4", "1"]
    assert_refused(
        "4 4\n9 - 8 3\n- - - -\n4 - - 9\n- - - -\n2 2 4 1\n2 3 4 1\n6 3 4 5\n6 3 5 5\n", 5, 2, "cage 3 has 0"
    )


def test_json_fields():
    data = {"family": "sudoku", "size": 4, "regions": ["AABB", "AABC", "DDBC", "DDCC"]}
    data["cages"] = [{"sum": 9, "cells": [[0, 1], [0, 0], [0, 2]]}, {"sum": 6, "cells": [[2, 1], [3, 1]]}]
    assert parse(json.dumps(data)) == parse(BOXES + CAGES)
    data["grid"] = "." * 16
    assert parse(json.dumps(data)) == parse(BOXES + CAGES)


def test_boxes_and_cages_listed_in_another_order_are_the_same_board():
    cages = (Cage(9, ((0, 0), (0, 1))), Cage(3, ((2, 1), (2, 0))))
    turned = tuple(tuple(9 - number for number in row) for row in REGIONS)
    one, other = Sudoku(EMPTY, None, False, REGIONS, cages), Sudoku(EMPTY, None, False, turned, cages[::-1])
    assert one == other


def test_more_cages_than_letters():
    cages = tuple(Cage(1 + (r + c) % 8, ((r, c),)) for r in range(8) for c in range(8))
    puzzle = Sudoku(((None,) * 8,) * 8, (2, 4), False, (), cages)
    assert parse(puzzle.text()) == puzzle


def test_each_rule_is_named_when_broken():
    puzzle = load(SMALL)
    right = found(puzzle)[0]
    assert puzzle.check(right) == []
    turned = {**right, "r1c1": right["r1c2"], "r1c2": right["r1c1"]}
    assert any(rule.startswith("cage of r1c2: ") and rule.endswith(", not 9") for rule in puzzle.check(turned))
    wrong = {**right, "r3c1": right["r3c2"]}
    assert any(rule.startswith("box of r3c1: ") for rule in puzzle.check(wrong))
    doubled = parse("box 2x2\ncages\na...\n.a..\n....\n....\nsums a=4\n")
    assert "cage of r1c1: 2 stands 2 times" in doubled.check({"r1c1": 2, "r2c2": 2})
    assert all(puzzle.check({**right, name: value % 4 + 1}) for name, value in right.items())


MALFORMED = [
    ("boxes\nAABB\nAABC\nDDBC\nDDCB\n", 2, 3, "this box has 5 cells: each has 4"),
    ("boxes\nAABB\nAABC\nDDBC\n", 4, None, "3 rows of 4 cells"),
    ("boxes\nAABB\nAABC\nDDBC\nDD!C\n", 5, 3, "unknown !: write a letter for each box"),
    ("boxes\nAABB\nAABC\nDDBC\nDDC.\n", 5, 4, "write a letter for each box"),
    ("boxes\nAABB\nAABC\nDDBC\nDDC\n", 5, 4, "3 cells here but 4 in the board's first row"),
    (BOXES + "box 2x2\n", 6, 1, "a line 'box' beside a grid 'boxes'"),
    (BOXES + "board\n....\n....\n", 8, 4, "2 rows of 4 cells"),
    (BOXES + "board\n.....\n" * 1 + ".....\n" * 4, 5, None, "4 rows of 4 cells in a grid of a board of 5x5"),
    (BOXES + "board\n5...\n....\n....\n....\n", 7, 1, "value 5 is outside 1..4"),
    (BOXES + CAGES.replace(" q=6", ""), 9, 2, "cage q has no sum"),
    (BOXES + CAGES.replace("q=6", "p=6"), 11, 3, "a second sum of cage p"),
    (BOXES + CAGES.replace("q=6", "q=6 s=6"), 11, 4, "a sum of cage s, which has no cell"),
    (BOXES + CAGES.replace("q=6", "q6"), 11, 3, "'q6' is no sum"),
    (BOXES + "sums p=3\n", 6, 1, "sums without cages"),
    ("box 2x3\n" + CAGES, 1, 1, "does not hold the values 1..4"),
    ("cages\naaa\n...\n...\nsums a=6\n", None, None, "3 rows: no boxes of several rows and columns"),
    ("4j:b4c1b1c2b", 1, 4, "the game id has 1 parts between commas, not 2"),
    ("4j:b4c1b1c2b,e_ea______a_", 1, 25, "the game id tells 23 borders of its blocks, not 24"),
    ("4j:b4c1b1c2b,e_ea___!___a_", 1, 21, "unknown '!' among the blocks"),
    ("4j:b4c1b1c2b,e_eaa_____a_", 1, None, "this box has"),
    ("2x2k:p,aaa__baa__a__a__,3a8a4_6d9_6b4a", 1, 25, "the cage of r3c2 has 0 sums"),
    ("2x2jk:p,aaa__baa__a__a__,3a8a4_6c9_6c4a", 1, 4, "a jigsaw whose blocks have a shape"),
    ('{"family": "sudoku", "size": 4, "cages": [[3]]}', None, None, "no list of cages"),
    ('{"family": "sudoku", "size": 4, "cages": [{"sum": 3, "cells": [[0, 4]]}]}', None, None, "outside the board"),
    ('{"family": "sudoku", "size": 4, "cages": [{"sum": 3, "cells": [[0, 1], [0, 1]]}]}', 1, 2, "in a cage twice"),
    ('{"family": "sudoku", "size": 4, "box": [2, 2], "regions": ["AABB"]}', None, None, "keep one of the two"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "row", "column", "message"), MALFORMED)
def test_malformed_boards_get_one_clear_line(text, row, column, message):
    assert_refused(text, row, column, message)


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


@settings(max_examples=100)
@given(
    st.text(alphabet="AB1 .=\n", max_size=40), st.sampled_from([BOXES, CAGES, "cages\n", "boxes\n", "4 4\n", "4jk:p,"])
)
def test_any_text_is_a_board_or_one_clear_line(tail, head):
    message = ""
    try:
        puzzle = parse(head + tail, "sudoku")
    except InputError as error:
        message = str(error)
    assert len(message.splitlines()) == 1 if message else parse(puzzle.text(), "sudoku") == puzzle


def test_terminal_picture_shows_boxes_cages_and_sums():
    file = io.StringIO()
    Console(file=file, width=80).print(load(SMALL).render())
    assert file.getvalue().splitlines() == [
        "┏━━━┯━9━┳━━━┯━━━┓",
        "┃   │   ┇   │   ┃",
        "┠───┼───┨   ┢━━━┫",
        "┃   │   ┃   ┃   ┃",
        "┣━━━┿━6━╉───╂───┨",
        "┃   │   ┃   ┃ 4 ┃",
        "┠───┤   ┣━━━╃───┨",
        "┃ 3 │   ┃   │   ┃",
        "┗━━━┷━━━┻━━━┷━━━┛",
    ]


def test_drawings_show_cages(tmp_path):
    puzzle = load(SMALL)
    puzzle.draw(tmp_path / "a.svg")
    Sudoku(puzzle.cells, None, False, puzzle.regions).draw(tmp_path / "b.svg")
    with_cages, without = ((tmp_path / name).read_text() for name in ("a.svg", "b.svg"))
    assert with_cages.count("stroke-dasharray") == 8 + 6
    assert "stroke-dasharray" not in without


@pytest.mark.parametrize("pipeline", ["grover", "gas", "qaoa", "anneal"])
def test_every_pipeline_solves_the_small_board(pipeline):
    result = gatesolve.solve(SMALL, pipeline=pipeline, presolve="propagate")
    assert result.status == "solved"
    assert result.problem.puzzle.check(result.solution) == []


def test_the_published_formula_takes_any_boxes_but_no_cages():
    jigsaw = published_qubo(parse(BOXES))
    assert jigsaw.qubo.num_variables == 64
    with pytest.raises(UnsupportedError, match="no sums of cages"):
        published_qubo(load(SMALL))
