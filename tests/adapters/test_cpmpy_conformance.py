"""Whatever CPMpy can say means the same in ``solveAll``: every solution, each once, and nothing else."""

import cpmpy as cp
import numpy as np
import pytest
from cpmpy.solvers.solver_interface import ExitStatus
from cpmpy.solvers.utils import SolverLookup
from cpmpy_family import SAMPLES, nest
from cpmpy_truth import Truth
from hypothesis import given, settings
from hypothesis import strategies as st

import gatesolve

FORMS = 4
"""Forms of a class that are drawn, by a seed of its own."""


@pytest.fixture(autouse=True, scope="module")
def registered():
    """And forgotten afterwards."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SolverLookup, "base_solvers", SolverLookup.base_solvers)
        gatesolve.register_cpmpy()
        yield


def list_solutions(model, variables, solver="gatesolve"):
    found = []
    count = model.solveAll(solver=solver, display=lambda: found.append(tuple(int(v.value()) for v in variables)))
    assert count == len(found)
    return sorted(found), model.status().exitstatus


def find_fault(expression, truth):
    """How ``solveAll`` differs from CPMpy's own values of all assignments; nothing where it does not."""
    variables, rows, true = truth.table(expression)
    expected = sorted(map(tuple, rows[true].tolist()))
    found, status = list_solutions(cp.Model(expression), variables)
    wanted = ExitStatus.OPTIMAL if expected else ExitStatus.UNSATISFIABLE
    return "" if (found, status) == (expected, wanted) else f"{expression}: {len(found)} of {len(expected)}, {status}"


@pytest.fixture(scope="module")
def truth():
    return Truth()


@pytest.mark.sampled(6)
@pytest.mark.quick("sum", "Multiplication", "AllDifferent", "Table", "Element")
@pytest.mark.parametrize("name", SAMPLES)
def test_every_kind_has_the_solutions_that_cpmpy_says(name, truth):
    forms = list(nest(name))
    drawn = np.random.default_rng(list(SAMPLES).index(name)).permutation(len(forms))[:FORMS]
    assert [fault for k in drawn if (fault := find_fault(forms[k], truth))] == []


def test_a_solution_that_is_missing_is_seen(truth, monkeypatch):
    x = cp.intvar(0, 3, name="x")
    listed = SolverLookup.lookup("gatesolve")._list_batches
    monkeypatch.setattr(
        SolverLookup.lookup("gatesolve"),
        "_list_batches",
        lambda *given: ((batch[1:], done) for batch, done in listed(*given)),
    )
    assert find_fault(x > 0, truth) == "x > 0: 2 of 3, ExitStatus.OPTIMAL"


@st.composite
def models(draw):
    """Models of three variables, with an objective or without."""
    v = [cp.intvar(0, 2, name="v0"), cp.intvar(-1, 1, name="v1"), cp.boolvar(name="v2")]
    weight = st.integers(-2, 2)

    def linear():
        return cp.sum([draw(weight) * one for one in v]) + draw(weight)

    def relation():
        left, right = linear(), linear() if draw(st.booleans()) else draw(weight)
        return draw(st.sampled_from([left <= right, left == right, left != right, v[0] * v[1] > right]))

    posted = [draw(st.sampled_from([a, a | b, a.implies(b)])) for a, b in [(relation(), relation()) for _ in range(2)]]
    if not draw(st.booleans()):
        return cp.Model(posted), v
    return cp.Model(posted, **{draw(st.sampled_from(["minimize", "maximize"])): linear() + v[0] * v[1]}), v


BOTH = ("gatesolve", "ortools")


def value(model):
    """Of the objective, where there is a solution."""
    return None if model.status().exitstatus == ExitStatus.UNSATISFIABLE else model.objective_value()


@pytest.mark.more_examples(40)
@settings(max_examples=10, deadline=None)
@given(models())
def test_random_models_have_the_solutions_and_the_best_value_of_ortools(drawn):
    model, variables = drawn
    if model.has_objective():
        outcome = [(model.solve(solver=name), model.status().exitstatus, value(model)) for name in BOTH]
    else:
        model += [v >= v.lb for v in variables]  # so that all are listed
        outcome = [list_solutions(model, variables, name) for name in BOTH]
    assert outcome[0] == outcome[1]
