"""An objective in parts: the best answer is found, and called optimal only where every part is closed."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from strategies import models, solve_by_trying

import gatesolve
from gatesolve import Qubo, Result
from gatesolve.api import Division
from gatesolve.model import Linear, Model, Objective, SolverOutcome, Variable
from gatesolve.planning import TooLarge

SMALL: dict[str, Any] = {"pipeline": "gas", "max_space": 8, "encoding": "binary"}


def knapsack(number: int = 8, seed: int = 0) -> Model:
    """Items of drawn weights and values, half of the weight fits."""
    draw = random.Random(seed)
    names = [f"x{k}" for k in range(number)]
    weights, values = [draw.randint(2, 9) for _ in names], [draw.randint(1, 9) for _ in names]
    rule = Linear(tuple(zip(weights, names, strict=True)), "<=", sum(weights) // 2)
    goal = Objective(tuple(zip(values, names, strict=True)), 0, "max")
    return Model(tuple(Variable(name, (0, 1)) for name in names), (rule,), goal)


def best(model: Model) -> int | None:
    """The optimum by trying every assignment."""
    assert model.objective is not None
    found = [model.objective.value(one) for one in solve_by_trying(model)]
    return (max if model.objective.sense == "max" else min)(found) if found else None


def division(found: Result) -> Division:
    """The account, without what a clock says."""
    assert isinstance(found.division, Division)
    return replace(found.division, leaves=tuple(replace(leaf, seconds=0.0) for leaf in found.division.leaves))


def same(found: Result, wanted: Result) -> bool:
    return (found.status, found.solution, found.optimal, division(found)) == (
        (wanted.status, wanted.solution, wanted.optimal, division(wanted))
    )


def seek_nothing(model: Model, work: float) -> SolverOutcome:
    """OR-Tools at a limit that it reaches at once."""
    return SolverOutcome(None, False, False, 0)


@settings(max_examples=40)
@given(models(max_variables=4, max_constraints=3, with_objective=True))
def test_the_optimum_is_found_and_proved(model: Model) -> None:
    found, wanted = gatesolve.solve(model, pipeline="gas", max_space=4), best(model)
    assert found.status == ("infeasible" if wanted is None else "solved")
    assert (found.energy, found.optimal) == (wanted, None if wanted is None else True)
    if found.division is not None and found.solution is not None:
        assert f"objective {wanted}: nothing better exists" in found.message


@pytest.mark.parametrize("seed", range(3))
def test_without_help_of_the_solver_the_leaves_find_the_optimum(seed: int, monkeypatch) -> None:
    monkeypatch.setattr("gatesolve.division.run.seek_within", seek_nothing)
    model = knapsack(6, seed)
    found = gatesolve.solve(model, **SMALL)
    assert (found.energy, found.optimal) == (best(model), True)
    account = division(found)
    assert (account.bounded, account.branches) == (0, 0)
    assert len(account.leaves) > 1
    assert [leaf.status for leaf in account.leaves].count("solved") >= 1


def test_the_account_names_what_is_classical() -> None:
    found = gatesolve.solve(knapsack(), **SMALL)
    account = division(found)
    assert account.backtracking is None
    assert account.cut >= account.bounded
    assert account.nodes == account.cut + len(account.leaves) + _split(account)
    lines = dict(account.lines())
    assert lines["parts refuted by OR-Tools (classical)"] == str(account.bounded)
    said = json.loads(json.dumps(found.as_dict()))["division"]
    assert (said["bounded"], said["branches"], said["backtracking"]) == (account.bounded, account.branches, None)
    assert found.oracle_calls == account.totals["oracle_calls"]


def _split(account: Division) -> int:
    return account.nodes - account.cut - len(account.leaves)


def test_a_part_that_is_left_is_not_closed(monkeypatch) -> None:
    monkeypatch.setattr("gatesolve.division.run.MOST_PARTS", 6)
    monkeypatch.setattr("gatesolve.division.run.seek_within", seek_nothing)
    found = gatesolve.solve(knapsack(), **SMALL)
    assert found.optimal is not True
    assert "unfinished after" in found.message


def test_auto_divides_what_no_space_fits(monkeypatch) -> None:
    model, refused = knapsack(), TooLarge("too many states", "states")
    monkeypatch.setattr("gatesolve.api.calls.find_best", lambda *_: refused)
    with pytest.raises(gatesolve.DoesNotFitError, match=r"too many states"):
        gatesolve.solve(model, max_space=8, encoding="binary", solutions=1)
    found = gatesolve.solve(model, max_space=8, encoding="binary")
    assert (found.options.pipeline, found.energy, found.optimal) == ("gas", best(model), True)


def test_a_threshold_is_kept() -> None:
    model, wanted = knapsack(), best(knapsack())
    assert wanted is not None
    assert gatesolve.solve(model, threshold=wanted - 1, **SMALL).energy == wanted
    none = gatesolve.solve(model, threshold=wanted, **SMALL)
    assert (none.status, none.solution) == ("unsolved", None)
    assert f"nothing better than threshold={wanted} exists" in none.message
    # Nor does a single search prove anything about what is no better than its threshold.
    whole = gatesolve.solve("x in 0..63; x >= 5; minimize x", presolve="none", threshold=3, **SMALL | {"max_space": 64})
    assert (whole.optimal, whole.division) == (False, None)
    assert whole.message.endswith(": nothing better than the threshold was found")


@pytest.mark.parametrize("scale", [1, 0.25])
def test_a_qubo_is_divided_as_an_objective(scale: float) -> None:
    draw, names = random.Random(1), tuple(f"q{k}" for k in range(7))
    pairs = [(i, j) for i in range(7) for j in range(i)]
    terms = {(j, i): scale * draw.randint(-9, 9) for i, j in pairs} | {
        (i,): scale * draw.randint(-9, 9) for i in range(7)
    }
    qubo = Qubo.of(names, {m: c for m, c in terms.items() if c} | {(): scale})
    found = gatesolve.solve(qubo, max_space=8)
    assert found.energy == min(qubo.energy(bits) for bits in product((0, 1), repeat=7))
    assert found.optimal
    assert found.division is not None
    assert found.message.startswith("energy ")


def test_a_search_goes_on_where_it_stopped(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("gatesolve.division.run.seek_within", seek_nothing)
    kept, alone = tmp_path / "leaves.jsonl", gatesolve.solve(knapsack(6), **SMALL)

    def stop(stage: str, done: int, total: int) -> None:
        if stage.startswith("leaves searched: 2"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        gatesolve.solve(knapsack(6), resume=kept, progress=stop, **SMALL)
    assert len(kept.read_text().splitlines()) == 2
    assert same(gatesolve.solve(knapsack(6), resume=kept, **SMALL), alone)
    monkeypatch.setattr("gatesolve.division.run.search_leaf", None)
    again = gatesolve.solve(knapsack(6), resume=kept, **SMALL)
    assert same(again, alone)
    assert again.message == alone.message


def test_a_qubo_of_too_fine_numbers_is_refused_with_what_works() -> None:
    terms = {(k,): -0.1234567890123456 - k / 7 for k in range(7)}
    with pytest.raises(gatesolve.DoesNotFitError, match="pipeline='anneal' can solve it"):
        gatesolve.solve(Qubo.of([f"q{k}" for k in range(7)], terms), max_space=8)
