"""The number of solutions in a result is that of the puzzle, whatever presolve and encoding made of it."""

import io
from pathlib import Path

import numpy as np
import pytest
from cpmpy.transformations.get_variables import get_variables_model
from rich.console import Console

import gatesolve
from gatesolve import Model, Variable
from gatesolve.cli import report
from gatesolve.formats import Problem, SolutionCount
from gatesolve.puzzles import load, parse
from gatesolve.qubo import qubo_space

EXAMPLES = Path(__file__).parents[2] / "examples"
OPEN_SUDOKU = "1...\n..2.\n....\n....\n"
RING = "  2 0 2\n2 . T .\n0 T . T\n2 . T .\n"
"""Four tents on the corners, each between two trees: one board, and two ways to pair them."""


def boards(puzzle):
    """How many finished boards there are, by CPMpy's own solver."""
    model, found = puzzle.to_cpmpy(), set()
    variables = get_variables_model(model)
    model.solveAll(display=lambda: found.add(str(puzzle.board({v.name: int(v.value()) for v in variables}))))
    return len(found)


def first_lines(result):
    """What stands above the board."""
    out = io.StringIO()
    Console(file=out, width=110).print(report.result_report(result))
    return out.getvalue().splitlines()[:3]


@pytest.mark.sampled(6)
@pytest.mark.parametrize("presolve", ["none", "propagate", "affine"])
@pytest.mark.parametrize("board", ["kakuro/small", "sudoku/small", "queens/tiny-4x4", "takuzu/small", "tango/small"])
def test_the_count_is_that_of_the_reference_solver(board, presolve):
    puzzle = load(EXAMPLES / f"{board}.txt")
    result = gatesolve.solve(puzzle, presolve=presolve, encoding="table")
    assert result.solutions == result.as_dict()["solutions"] == boards(puzzle)


@pytest.mark.quick("affine")
@pytest.mark.parametrize("presolve", ["propagate", "affine"])
def test_variables_taken_out_leave_the_count_as_it_is(presolve):
    puzzle = parse(OPEN_SUDOKU, "sudoku")
    result = gatesolve.solve(puzzle, presolve=presolve)
    assert result.solutions == boards(puzzle) > 10
    assert first_lines(result)[2] == f"{result.solutions} solutions; published boards have one"


def test_two_pairings_of_one_board_are_one_solution():
    result = gatesolve.solve(parse(RING, "tents"), presolve="none")
    assert (result.marked, result.solutions) == (2, 1)
    assert "solutions" not in first_lines(result)[2]


@pytest.mark.parametrize("pipeline", ["gas", "qaoa"])
def test_other_searches_count_them_too(pipeline):
    options = {"layers": 1} if pipeline == "qaoa" else {}
    result = gatesolve.solve(EXAMPLES / "kakuro" / "small.txt", pipeline=pipeline, **options)
    assert result.solutions == 2
    assert first_lines(result)[2] == "2 solutions; published boards have one"


@pytest.mark.sampled(0.5)
def test_more_than_are_listed_are_at_least_so_many(monkeypatch):
    monkeypatch.setattr("gatesolve.formats.problem.LISTED", 5)
    result = gatesolve.solve(parse(OPEN_SUDOKU, "sudoku"), presolve="propagate")
    assert result.as_dict()["solutions"] is None
    assert first_lines(result)[2] == "at least 5 solutions; published boards have one"


def test_a_codeword_that_presolve_cannot_take_back_is_no_solution():
    task = Problem(Model((Variable("a", (0, 1)),)))
    space = qubo_space(task.model, "one-hot")

    def recover(values):
        if values["a"]:
            raise gatesolve.InputError("a constraint that presolve used up")
        return dict(values)

    assert task.count_solutions(space, np.arange(2), recover) == SolutionCount(1)
