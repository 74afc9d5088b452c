"""Recoveries compute, compose and refuse."""

from __future__ import annotations

import pytest

from gatesolve.errors import InputError
from gatesolve.model import Fixed, Looked, Recovery, Weighted, find_solutions
from gatesolve.model.from_cpmpy import from_cpmpy
from gatesolve.model.presolve import presolve
from gatesolve.puzzles import load


def test_steps_are_undone_last_first() -> None:
    first = Recovery(("a", "b", "c", "d"), (Weighted("b", ((2, "c"), (-1, "d")), 3),))
    second = Recovery(("a", "c", "d"), (Looked("c", ("a", "d"), (((0, 5), 7), ((1, 5), 8))), Fixed("d", 5)))
    assert first.then(second).recover({"a": 1}) == {"a": 1, "b": 14, "c": 8, "d": 5}


def test_missing_and_impossible_values_are_named() -> None:
    recovery = Recovery(("a", "b"), (Looked("b", ("a",), (((0,), 1),)),))
    with pytest.raises(InputError, match="no value for a"):
        recovery.recover({"b": 1})
    with pytest.raises(InputError, match="a=3"):
        recovery.recover({"a": 3})


def test_other_entries_are_ignored() -> None:
    assert Recovery(("a",)).recover({"z": 1, "a": 2}) == {"a": 2}


def test_a_target_that_an_earlier_elimination_leaves_open_is_kept(pytestconfig):
    """Rewriting a constraint over other variables can take from a relation what determined its target."""
    board = load(pytestconfig.rootpath / "examples" / "sudoku" / "tdoku-13-solutions.txt")
    model = from_cpmpy(board.to_cpmpy())
    smaller, recovery = presolve(model, "affine")
    whole, left = find_solutions(model), find_solutions(smaller)
    assert len(whole) == len(left) == 13
    recovered = {tuple(recovery.recover(solution).items()) for solution in left}
    assert recovered == {tuple((name, solution[name]) for name in model.domains) for solution in whole}
