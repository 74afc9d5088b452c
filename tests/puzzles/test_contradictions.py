"""Boards that are well formed but that nothing solves: read, shown and written like any other, and infeasible."""

import contextlib
from pathlib import Path

import pytest

import gatesolve
from gatesolve.errors import InfeasibleError
from gatesolve.formats import from_cpmpy
from gatesolve.model import find_solutions
from gatesolve.puzzles import parse

DATA = Path(__file__).parent / "data" / "contradictions.txt"
BOARDS = [tuple(block.split("\nreason ")) for block in DATA.read_text("utf-8").rstrip("\n").split("\n\n")]
"""Boards, each with what is said of it."""


@pytest.mark.parametrize(("text", "reason"), BOARDS)
def test_it_is_read_and_says_why_nothing_solves_it(text, reason):
    puzzle = parse(text)
    assert reason in puzzle.contradiction
    assert "\n" not in puzzle.contradiction
    assert parse(puzzle.text(), puzzle.family) == puzzle
    puzzle.render()


@pytest.mark.parametrize("text", [text for text, _ in BOARDS])
def test_the_reference_solver_agrees(text):
    """The model is made apart from the reason, so this is a proof that the reason is one."""
    with contextlib.suppress(InfeasibleError):
        assert find_solutions(from_cpmpy(parse(text).to_cpmpy()), 1) == []


@pytest.mark.parametrize("pipeline", ["auto", "grover", "gas", "qaoa", "anneal"])
def test_every_pipeline_says_infeasible(pipeline):
    puzzle = parse("1 0\n0 . T\n0 . .\n")
    result = gatesolve.solve(puzzle, pipeline=pipeline)
    assert (result.status, result.solution) == ("infeasible", None)
    assert result.message == "no solution: the row counts add up to 0 but 1 tree must have one tent each"
    assert result.problem.title == "Tents & Trees 2x2: 1 tree"


def test_compile_has_nothing_to_compile():
    with pytest.raises(InfeasibleError, match="no solution: 1 is given at r1c1 and at r1c4, in the same row"):
        gatesolve.compile(parse("box 2x2\n1..1\n....\n....\n....\n"))


def test_boards_with_a_solution_have_no_reason():
    for _, _, example in gatesolve.puzzles.examples():
        assert parse(example).contradiction is None
