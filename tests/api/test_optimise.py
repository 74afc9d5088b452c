"""Thresholds: the optimum is proven even where weak thresholds do not fit."""

from pathlib import Path

import cpmpy as cp
import pytest

import gatesolve
from gatesolve.api import as_problem
from gatesolve.formats import Problem
from gatesolve.model import Linear, Model, Objective, Variable, find_optimum
from gatesolve.pipelines import Answer, find_best
from gatesolve.planning import TooLarge

CHESS = Path(__file__).resolve().parents[2] / "examples" / "chess"


def choice(sense):
    return Problem(Model((Variable("v", tuple(range(-3, 8))),), (), Objective(((2, "v"),), 5, sense)))


def faithful(problem, refuse=()):
    """Solves by looking, the first value that holds; refuses thresholds whose worth is in ``refuse``."""
    asked = [c for c in problem.model.constraints if isinstance(c, Linear)]
    if asked and -asked[-1].bound in refuse:
        return TooLarge("too large", "oracle")
    for value in problem.model.domains["v"]:
        if problem.model.check({"v": value}):
            return Answer(status="solved", message="", solution={"v": value}, presolve="none")
    return Answer(status="infeasible", message="none left", solution=None, presolve="none")


@pytest.mark.parametrize(("sense", "value", "at"), [("max", 19, 7), ("min", -1, -3)])
def test_both_senses(sense, value, at):
    result = find_best(choice(sense), faithful)
    assert result.solution == {"v": at}
    assert result.exact_energy == value
    assert result.message.startswith(f"objective {value}: nothing better exists")


def test_refused_thresholds_are_passed_over():
    result = find_best(choice("max"), lambda p: faithful(p, refuse=set(range(-9, 12))))
    assert result.solution == {"v": 7}
    assert "nothing better exists" in result.message
    assert result.optimal


def test_a_gap_is_admitted():
    result = find_best(choice("max"), lambda p: faithful(p, refuse=set(range(-9, 15))))
    assert result.solution == {"v": -3}
    assert "is not known (too large)" in result.message
    assert not result.optimal


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 8, 16])
def test_one_variable_of_any_size_is_optimised(size):
    # Once the best value is found, the last question has no solution.
    variable = Variable("x", tuple(range(size)))
    least = min(1, size - 1)
    model = Model((variable,), (Linear(((-1, "x"),), "<=", -least),), Objective(((1, "x"),), 0, "min"))
    result = gatesolve.solve(model, presolve="none", seed=1)
    assert (result.solution, result.optimal) == ({"x": least}, True)


def test_nothing_fits():
    refused = TooLarge("too large", "states")
    assert find_best(choice("max"), lambda problem: refused) is refused


@pytest.mark.quick("max-2x2-kings")
@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", ["max-2x2-kings", "max-3x3-mixed", "max-3x3-types"])
def test_max_chess_pieces_is_proven_equal_to_the_reference(name):
    problem = as_problem(CHESS / f"{name}.txt")
    result = gatesolve.solve(CHESS / f"{name}.txt")
    expected = find_optimum(problem.model)[1]
    assert problem.puzzle.check(result.solution) == []
    assert problem.model.objective.value(result.solution) == expected
    assert result.message.startswith(f"objective {expected}: nothing better exists")


@pytest.mark.parametrize(("number", "pipeline"), [(24, "grover"), (25, "gas")])
def test_objectives_of_many_assignments_are_left_to_gas(number, pipeline):
    x = cp.boolvar(shape=number, name="x")
    result = gatesolve.solve(cp.Model(x[1:] == 1, minimize=cp.sum(x)), presolve="propagate", seed=1)
    assert (result.options.pipeline, result.energy, result.optimal) == (pipeline, number - 1, True)
