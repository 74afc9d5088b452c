"""A divided search: every leaf is searched without asking whether it has a solution, and all of it is accounted."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from strategies import models

import gatesolve
from gatesolve.api.division.leaves import Growth, grow_leaves
from gatesolve.errors import SpaceLimitError
from gatesolve.model import Model, NotEqual, Objective, Variable, find_solutions

INKALA = "examples/sudoku/inkala-2010.txt"


def hard(size: int = 4, colours: int = 3) -> Model:
    """A grid of cells, neighbours different: propagation alone deduces nothing."""
    cells = list(product(range(size), repeat=2))
    near = [(a, b) for a, b in combinations(cells, 2) if abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1]
    name = {cell: f"c{cell[0]}{cell[1]}" for cell in cells}
    variables = tuple(Variable(name[cell], tuple(range(colours))) for cell in cells)
    return Model(variables, tuple(NotEqual(name[a], name[b], 0) for a, b in near))


def infeasible() -> Model:
    """Four cells of three colours, all apart by pairs: no colouring, and no single value is refuted by propagation."""
    names = [f"r{k}" for k in range(4)]
    pairs = tuple(NotEqual(a, b, 0) for a, b in combinations(names, 2))
    return Model(tuple(Variable(name, (0, 1, 2)) for name in names), pairs)


@settings(max_examples=25)
@given(models(max_variables=4, max_constraints=3))
def test_leaves_hold_every_solution_once(model: Model) -> None:
    growth = Growth(1000)
    leaves = list(grow_leaves(model, lambda part: part.num_assignments <= 2, growth))
    inside = [tuple(one.values()) for leaf in leaves for one in find_solutions(leaf.model)]
    assert sorted(inside) == sorted(tuple(one.values()) for one in find_solutions(model))
    assert growth.nodes >= len(leaves)


@pytest.mark.slow
def test_the_account_is_the_sum_of_the_leaves() -> None:
    found = gatesolve.solve(INKALA, max_space=2**12)
    division = found.division
    assert found.status == "solved"
    assert division is not None
    leaves = division.leaves
    assert leaves[-1].status == "solved"
    assert all(leaf.status == "infeasible" for leaf in leaves[:-1])
    assert all(leaf.space_size <= 2**12 for leaf in leaves)
    assert division.totals == {
        "states": sum(leaf.space_size for leaf in leaves),
        "square_roots": sum(math.sqrt(leaf.space_size) for leaf in leaves),
        "oracle_calls": found.oracle_calls,
        "cx": sum(leaf.cx for leaf in leaves),
        "t": 0,
        "qubits": max(leaf.qubits for leaf in leaves),
    }
    assert division.nodes > division.cut + len(leaves)
    assert found.compiled is not None
    once = found.compiled.program.section_resources("iteration").cx
    assert leaves[-1].cx == leaves[-1].oracle_calls * once
    said = json.loads(json.dumps(found.as_dict()))["division"]
    assert said["totals"]["oracle_calls"] == found.oracle_calls
    assert said["bounds"]["undivided"] == pytest.approx(math.pi / 4 * math.sqrt(division.undivided.space_size))
    assert said["bounds"]["backtracking"] == pytest.approx(math.sqrt(division.nodes * division.depth))


def test_a_leaf_without_a_solution_is_searched_as_if_it_had_one() -> None:
    found = gatesolve.solve(infeasible(), max_space=16, encoding="binary")
    assert found.division is not None
    searched = [leaf for leaf in found.division.leaves if leaf.space_size > 1]
    assert searched
    for leaf in searched:
        assert leaf.oracle_calls >= 90 * math.floor(math.sqrt(leaf.space_size))
        assert leaf.missed == 2**-10
        assert leaf.status == "infeasible"
    assert found.oracle_calls == sum(leaf.oracle_calls for leaf in found.division.leaves)


def test_a_board_is_infeasible_only_by_proof() -> None:
    found = gatesolve.solve(infeasible(), max_space=16, encoding="binary")
    assert found.status == "infeasible"
    assert "their certificates, which list every codeword, prove" in found.message
    assert found.solution is None
    assert found.division is not None
    assert not find_solutions(infeasible())


def test_a_model_is_divided_and_the_answer_is_the_models_own() -> None:
    model = hard()
    found = gatesolve.solve(model, max_space=64, encoding="one-hot")
    assert found.status == "solved"
    assert found.solution is not None
    assert model.check(found.solution)
    assert "found in leaf" in found.message
    assert found.solutions is None


def test_the_same_seed_gives_the_same_account() -> None:
    first, again = (gatesolve.solve(hard(), max_space=64, encoding="one-hot", seed=5) for _ in range(2))
    assert first.division is not None
    assert again.division is not None
    assert [leaf.oracle_calls for leaf in first.division.leaves] == [
        leaf.oracle_calls for leaf in again.division.leaves
    ]
    assert first.solution == again.solution


@pytest.mark.parametrize("options", [{"presolve": "propagate"}, {"backend": "aer"}])
def test_what_cannot_be_divided_is_refused(options: dict[str, str]) -> None:
    with pytest.raises(gatesolve.DoesNotFitError):
        gatesolve.solve(hard(), max_space=64, encoding="one-hot", **options)


def test_a_search_for_what_is_best_is_not_divided() -> None:
    model = hard(3)
    goal = Objective(tuple((1, v.name) for v in model.variables), 0, "min")
    best = gatesolve.solve(Model(model.variables, model.constraints, goal), max_space=2**10, pipeline="grover")
    assert best.division is None


def test_a_problem_of_too_many_parts_is_left_unfinished(monkeypatch) -> None:
    monkeypatch.setattr("gatesolve.api.division.run.MOST_PARTS", 2)
    found = gatesolve.solve(hard(), max_space=2, encoding="one-hot")
    assert found.status == "unsolved"
    assert found.message.startswith("unfinished after ")
    assert "a larger max_space makes fewer" in found.message
    assert found.division is not None


@pytest.mark.parametrize("options", [{"exact": True}, {"iterations": 3}, {"shots": 5}, {"solutions": 1}])
def test_options_of_a_single_search_are_refused(options: dict[str, int]) -> None:
    with pytest.raises(gatesolve.InputError, match=f"searched in parts.*leave out {next(iter(options))}"):
        gatesolve.solve(hard(), max_space=64, encoding="one-hot", **options)


def test_a_leaf_that_has_no_oracle_is_divided_further(monkeypatch) -> None:
    real = gatesolve.api.calls.find_pipeline("grover").run
    refused = []

    def run(request):
        if len(refused) < 2 and request.task.model.num_assignments < hard().num_assignments:
            refused.append(request.task.model)
            raise SpaceLimitError("does not fit: no oracle", least=9)
        return real(request)

    pipeline = replace(gatesolve.api.calls.find_pipeline("grover"), run=run)
    monkeypatch.setattr("gatesolve.api.calls.find_pipeline", lambda name: pipeline)
    found = gatesolve.solve(hard(), max_space=64, encoding="one-hot")
    assert len(refused) == 2
    assert found.status == "solved"
    assert found.division is not None
    assert all(len(leaf.path) > 1 for leaf in found.division.leaves)


@pytest.mark.parametrize("pipeline", ["gas", "qaoa"])
def test_other_pipelines_search_the_leaves_too(pipeline: str) -> None:
    found = gatesolve.solve(hard(3), max_space=64, pipeline=pipeline, encoding="one-hot", seed=1)
    division = found.division
    assert division is not None
    assert found.status == "solved"
    assert found.solution is not None
    assert hard(3).check(found.solution)
    assert all(leaf.cx > 0 and leaf.qubits > 0 for leaf in division.leaves)
    unsolved = gatesolve.solve(infeasible(), max_space=16, pipeline=pipeline, encoding="binary")
    assert unsolved.status == "infeasible"
    assert unsolved.division is not None


def test_a_search_in_parts_cannot_be_resumed(tmp_path) -> None:
    with pytest.raises(gatesolve.InputError, match="searched in parts, which cannot be resumed: leave out resume"):
        gatesolve.solve(hard(), max_space=64, pipeline="gas", encoding="one-hot", resume=tmp_path / "kept.json")
