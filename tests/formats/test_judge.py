"""Judging by the user's own CPMpy model."""

import cpmpy as cp
import pytest
from cpmpy.expressions.globalconstraints import GlobalConstraint

from gatesolve.errors import UnsupportedError
from gatesolve.formats import broken_constraints


def test_a_solution_breaks_nothing_and_values_are_left_alone():
    x, y = cp.intvar(0, 3, name="x"), cp.intvar(0, 3, name="y")
    model = cp.Model([x + y == 3, x > y], cp.AllDifferent(x, y))
    assert model.solve()
    before = (x.value(), y.value())
    assert broken_constraints(model, {"x": 3, "y": 0}) == []
    assert (x.value(), y.value()) == before


@pytest.mark.parametrize(
    ("assignment", "broken"), [({"x": 1, "y": 2}, ["(x) > (y)"]), ({"x": 2, "y": 2}, ["sum([x, y]) == 3", "(x) > (y)"])]
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


class Apart(GlobalConstraint):
    """A kind of a user's own, which says what it means by ``decompose`` alone."""

    def __init__(self, *args):
        super().__init__("apart", args)

    def decompose(self):
        left, right, *aside = self.args
        return [abs(left - right) >= 2, *(one >= 0 for one in aside)], []


class Linked(Apart):
    """The same by a variable that is not among its own."""

    def decompose(self):
        between = cp.intvar(0, 3, name="between")
        return [self.args[0] < between, between < self.args[1]], []


def test_a_kind_without_a_value_is_judged_by_what_it_decomposes_into():
    x, y = cp.intvar(0, 3, name="x"), cp.intvar(0, 3, name="y")
    model = cp.Model(Apart(x, y), Apart(y, x, x))
    assert broken_constraints(model, {"x": 0, "y": 2}) == []
    assert broken_constraints(model, {"x": 0, "y": 1}) == ["apart(x,y)", "apart(y,x,x)"]


@pytest.mark.parametrize("make", [Linked, lambda x, y: (x == 0).implies(Apart(x, y))])
def test_a_kind_that_cannot_be_judged_is_refused(make):
    """It needs a variable that no answer gives, or stands inside another constraint."""
    x, y = cp.intvar(0, 3, name="x"), cp.intvar(0, 3, name="y")
    with pytest.raises(UnsupportedError, match=r"apart\(x,y\).* has no value\(\)"):
        broken_constraints(cp.Model(make(x, y)), {"x": 0, "y": 3})
