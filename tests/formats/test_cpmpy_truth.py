"""The comparison with CPMpy's own values finds a lowering, or an oracle, that says something else."""

import cpmpy as cp
import cpmpy_truth
import pytest
from cpmpy_truth import Truth, find_difference

import gatesolve.formats

X, P = [cp.intvar(-1, 1, name=f"x{k}") for k in range(2)], cp.boolvar(name="p")


@pytest.mark.parametrize(
    "one",
    [(X[0] // X[1] == 1).implies(P), cp.Element([1, 0, 2], X[0] + X[1]) != P, ~(X[0] % X[1] >= 0), cp.Abs(X[0]) == 3],
)
def test_values_of_what_may_be_undefined_are_those_of_ortools(one):
    variables, rows, true = Truth().table(one)
    found = []
    posted = cp.Model(one, [v >= v.lb for v in variables])  # so that all variables are listed
    posted.solveAll(solver="ortools", display=lambda: found.append([int(v.value()) for v in variables]))
    assert sorted(found) == rows[true].tolist()
    assert find_difference(one, Truth()) == ""


@pytest.mark.parametrize(
    ("lowered", "reason"),
    [
        ((X[0] <= X[1],), "Model.holds differs on 3 of 9 assignments, first at x0=-1, x1=-1"),
        ((X[0] < X[1], P), "variables were added: p"),
    ],
)
def test_a_lowering_that_says_something_else_is_wrong(monkeypatch, lowered, reason):
    lower = gatesolve.formats.from_cpmpy
    monkeypatch.setattr(gatesolve.formats, "from_cpmpy", lambda model: lower(cp.Model(*lowered)))
    assert find_difference(X[0] < X[1], Truth()) == reason


def test_an_oracle_that_marks_something_else_is_wrong(monkeypatch):
    monkeypatch.setattr(cpmpy_truth, "literal_conditions", lambda model, space: [])
    reason = "the oracle's mark differs on 6 of 9 assignments, first at x0=-1, x1=-1"
    assert find_difference(X[0] < X[1], Truth()) == reason
