"""Every presolve setting keeps the solutions, one to one."""

from __future__ import annotations

import pytest
from contest_kakuro import K4, K7
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import models

from gatesolve.errors import InfeasibleError, InputError
from gatesolve.model import Linear, Model, NotEqual, Objective, Table, Variable, find_optimum, find_solutions
from gatesolve.model.presolve import presolve


def rows(found: list[dict[str, int]]) -> list[tuple[int, ...]]:
    return sorted(tuple(s.values()) for s in found)


@pytest.mark.more_examples(100)
@pytest.mark.parametrize("setting", ["none", "propagate", "affine"])
@settings(deadline=None, derandomize=True, max_examples=40)
@given(model=models(max_variables=5, max_constraints=5))
def test_solutions_correspond_one_to_one(setting, model: Model) -> None:
    expected = rows(find_solutions(model))
    try:
        smaller, recovery = presolve(model, setting)
    except InfeasibleError:
        assert expected == []
        return
    recovered = [recovery.recover(s) for s in find_solutions(smaller)]
    # a list, not a set: two small solutions must not recover to the same one
    assert rows(recovered) == expected
    assert all(list(s) == list(model.domains) for s in recovered)
    assert smaller.num_assignments <= model.num_assignments


@settings(deadline=None, derandomize=True, max_examples=60)
@given(model=models(with_objective=True), setting=st.sampled_from(("propagate", "affine")))
def test_the_objective_keeps_its_values(model: Model, setting) -> None:
    best = find_optimum(model)
    try:
        smaller, recovery = presolve(model, setting)
    except InfeasibleError:
        assert best is None
        return
    assert model.objective is not None
    assert smaller.objective is not None
    for solution in find_solutions(smaller):
        assert smaller.objective.value(solution) == model.objective.value(recovery.recover(solution))
    after = find_optimum(smaller)
    assert (None if best is None else best[1]) == (None if after is None else after[1])


@settings(deadline=None, derandomize=True, max_examples=60)
@given(model=models(max_constraints=5), setting=st.sampled_from(("propagate", "affine")))
def test_presolving_again_changes_nothing(model: Model, setting) -> None:
    try:
        smaller, _ = presolve(model, setting)
    except InfeasibleError:
        return
    again, recovery = presolve(smaller, setting)
    assert again.domains == smaller.domains
    assert recovery.steps == ()


def test_none_is_the_identity() -> None:
    smaller, recovery = presolve(K4, "none")
    assert smaller is K4
    assert recovery.recover({"x0": 0, "x1": 3, "x2": 3, "x3": 1}) == {"x0": 0, "x1": 3, "x2": 3, "x3": 1}


@pytest.mark.parametrize("setting", ["propagate", "affine"])
def test_contest_kakuro_is_solved_outright(setting) -> None:
    smaller, recovery = presolve(K7, setting)
    assert smaller == Model(())
    assert tuple(recovery.recover({}).values()) == (2, 1, 3, 2, 0, 0, 1)


@pytest.mark.parametrize(("setting", "left"), [("propagate", 4), ("affine", 1)])
def test_small_kakuro_keeps_both_solutions(setting, left: int) -> None:
    smaller, recovery = presolve(K4, setting)
    assert len(smaller.variables) == left
    assert rows([recovery.recover(s) for s in find_solutions(smaller)]) == [(0, 3, 3, 1), (2, 1, 1, 3)]


def test_equal_and_opposite_signs_are_eliminated() -> None:
    bits = tuple(Variable(f"b{k}", (0, 1)) for k in range(6))
    signs = (
        Linear(((1, "b0"), (-1, "b1")), "==", 0),
        NotEqual("b1", "b2"),
        Linear(((1, "b3"), (1, "b4")), "==", 1),
        Linear(tuple((1, v.name) for v in bits), "==", 3),
    )
    smaller, recovery = presolve(Model(bits, signs), "affine")
    assert len(smaller.variables) <= 2
    assert rows([recovery.recover(s) for s in find_solutions(smaller)]) == rows(find_solutions(Model(bits, signs)))


def test_an_objective_that_would_stop_being_linear_keeps_its_variable() -> None:
    square = Table(("x", "y"), tuple((v, v * v) for v in (-2, -1, 0, 1)), "y == x**2")
    variables = (Variable("x", (-2, -1, 0, 1)), Variable("y", (0, 1, 2, 3, 4)))
    assert list(presolve(Model(variables, (square,)), "affine")[0].domains) == ["x"]
    kept, _ = presolve(Model(variables, (square,), Objective(((1, "y"),), 0, "max")), "affine")
    assert list(kept.domains) == ["x", "y"]


def test_infeasible_names_the_constraint_and_the_setting() -> None:
    bits = tuple(Variable(n, (0, 1)) for n in "ab")
    for setting in ("propagate", "affine"):
        with pytest.raises(InfeasibleError, match="a \\+ b == 3") as caught:
            presolve(Model(bits, (Linear(((1, "a"), (1, "b")), "==", 3),)), setting)
        assert caught.value.presolve == setting


def test_unknown_setting() -> None:
    with pytest.raises(InputError, match="propagate"):
        presolve(K4, "strong")  # type: ignore[arg-type]
