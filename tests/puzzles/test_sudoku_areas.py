"""Sudokus with boxes of any shape (jigsaw) and with cages (killer)."""

import io
import json
from pathlib import Path

import pytest
from refusals import assert_refused
from rich.console import Console

import gatesolve
from gatesolve.errors import InputError, UnsupportedError
from gatesolve.model import find_solutions, from_cpmpy
from gatesolve.puzzles import load, parse
from gatesolve.puzzles.sudoku.grid import Cage
from gatesolve.puzzles.sudoku.puzzle import Sudoku
from gatesolve.qubo import published_qubo

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


@pytest.mark.parametrize("pipeline", ["grover", "gas"])
def test_every_pipeline_solves_the_small_board(pipeline):
    result = gatesolve.solve(SMALL, pipeline=pipeline, presolve="propagate")
    assert result.status == "solved"
    assert result.problem.puzzle.check(result.solution) == []


def test_the_published_formula_takes_any_boxes_but_no_cages():
    jigsaw = published_qubo(parse(BOXES))
    assert jigsaw.qubo.num_variables == 64
    with pytest.raises(UnsupportedError, match="no sums of cages"):
        published_qubo(load(SMALL))
