"""Judging by the user's own CPMpy model."""

import cpmpy as cp
import pytest

from gatesolve.model.judge import broken_constraints


def test_a_solution_breaks_nothing_and_values_are_left_alone():
    x, y = cp.intvar(0, 3, name="x"), cp.intvar(0, 3, name="y")
    model = cp.Model([x + y == 3, x > y], cp.AllDifferent(x, y))
    assert model.solve()
    before = (x.value(), y.value())
    assert broken_constraints(model, {"x": 3, "y": 0}) == []
    assert (x.value(), y.value()) == before


@pytest.mark.parametrize(
    ("assignment", "broken"),
    [({"x": 1, "y": 2}, ["(x) > (y)"]), ({"x": 2, "y": 2}, ["sum([x, y]) == 3", "(x) > (y)"])],
)
def test_what_is_broken_is_named(assignment, broken):
    x, y = cp.intvar(0, 3, name="x"), cp.intvar(0, 3, name="y")
    found = broken_constraints(cp.Model(x + y == 3, x > y), assignment)
    assert [f.replace("(x) + (y)", "sum([x, y])") for f in found] == broken


def test_domains_constants_and_undefined_values_count():
    x, y = cp.intvar(0, 3, name="x"), cp.intvar(0, 3, name="y")
    assert broken_constraints(cp.Model(x == y), {"x": 7, "y": 7})
    assert broken_constraints(cp.Model(x == y, False), {"x": 1, "y": 1})
    assert broken_constraints(cp.Model(x // y == 1), {"x": 1, "y": 0})
