"""OMMX's adapter does what its other adapters are tested for: sense, integers, products, what is fixed."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatesolve.errors import InputError, UnsupportedError

pytest.importorskip("ommx.v1", reason="ommx is not installed")

from ommx.adapter import InfeasibleDetected, NoSolutionReturned, SamplerAdapter
from ommx.v1 import DecisionVariable, Instance, Solution

import gatesolve
from gatesolve.adapters import ommx_adapter, reads


def variables(low=0, high=1):
    if (low, high) == (0, 1):
        return [DecisionVariable.binary(k, name="x", subscripts=[k]) for k in (0, 1, 2)]
    return [DecisionVariable.integer(k, name="x", lower=low, upper=high, subscripts=[k]) for k in (0, 1, 2)]


def instance(objective, constraints=(), sense=Instance.MAXIMIZE, bounds=(0, 1)):
    """An instance of three variables from functions of them."""
    x = variables(*bounds)
    made = [constraint(*x) for constraint in constraints]
    return Instance.from_components(decision_variables=x, objective=objective(*x), constraints=made, sense=sense)


CASES = {
    "least": (instance(lambda a, b, c: a + b + c, sense=Instance.MINIMIZE), (0, 0, 0)),
    "greatest": (instance(lambda a, b, c: a + b + c), (1, 1, 1)),
    "product is zero": (instance(lambda a, b, c: a + 2 * b + 3 * c, [lambda a, b, c: b * c == 0]), (1, 0, 1)),
    "at most": (instance(lambda a, b, c: a + 2 * b + 3 * c, [lambda a, b, c: a + b + c <= 2]), (0, 1, 1)),
    "integers": (instance(lambda a, b, c: 2 * b - a - c * c, [lambda a, b, c: a + b == c], bounds=(-1, 1)), (-1, 1, 0)),
    "cubic": (
        instance(lambda a, b, c: a + 2 * b + 4 * c + 0.5 * a * b * c, [lambda a, b, c: a * b + c <= 1]),
        (0, 1, 1),
    ),
}
"""Instances with their only best state."""
NEVER = instance(lambda a, b, c: a, [lambda a, b, c: a + b >= 3])


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("pipeline", ["gas", "anneal"])
def test_the_best_state_is_found_and_proven(name, pipeline):
    made, best = CASES[name]
    solution = ommx_adapter.OMMXGatesolveAdapter.solve(made, pipeline=pipeline)
    assert solution.extract_decision_variables("x") == {(k,): value for k, value in enumerate(best)}
    assert solution.feasible
    assert solution.optimality == Solution.OPTIMAL


@pytest.mark.parametrize("name", CASES)
def test_samples(name):
    made, best = CASES[name]
    before = made.to_bytes()
    found = ommx_adapter.OMMXGatesolveAdapter.sample(made, num_reads=2, seed=9)
    assert made.to_bytes() == before
    assert set(found.objectives) == {0, 1}
    for number in (0, 1):
        assert found.extract_decision_variables("x", number) == {(k,): value for k, value in enumerate(best)}


def test_the_adapter_s_own_steps():
    made, best = CASES["greatest"]
    adapter = ommx_adapter.OMMXGatesolveAdapter(made)
    assert isinstance(adapter, SamplerAdapter)
    solution = adapter.decode(gatesolve.solve(adapter.solver_input))
    samples = adapter.decode_to_sampleset(reads.make_reads(adapter.sampler_input, "gas", 1, {}))
    assert solution.objective == samples.best_feasible.objective == sum(best)


def test_what_a_probability_bounds_is_not_called_optimal():
    made, _ = CASES["greatest"]
    unsure = gatesolve.solve(made, pipeline="qaoa", layers=1, angles=((0.1,), (0.1,)), shots=1, seed=2)
    assert not unsure.optimal
    assert ommx_adapter.OMMXGatesolveAdapter(made).decode(unsure).optimality != Solution.OPTIMAL


@settings(max_examples=10)
@given(st.lists(st.integers(-4, 4), min_size=6, max_size=6), st.booleans(), st.integers(0, 3))
def test_any_quadratic_objective(weights, largest, bound):
    sense = Instance.MAXIMIZE if largest else Instance.MINIMIZE

    def goal(a, b, c):
        parts = (a, b, c, a * b, b * c, a * c)
        return sum((weight * part for weight, part in zip(weights, parts, strict=True)), 0 * a)

    made = instance(goal, [lambda a, b, c: a + b + c <= bound], sense)
    states = [state for state in product((0, 1), repeat=3) if sum(state) <= bound]
    best = (max if largest else min)(goal(*state) for state in states)
    solution = ommx_adapter.OMMXGatesolveAdapter.solve(made, confidence=0.999999)
    assert (solution.objective, solution.feasible) == (best, True)


def test_what_has_no_solution():
    with pytest.raises(InfeasibleDetected):
        ommx_adapter.OMMXGatesolveAdapter.solve(NEVER)
    with pytest.raises(InfeasibleDetected):
        ommx_adapter.OMMXGatesolveAdapter.sample(NEVER)
    made, _ = CASES["at most"]
    none = {"pipeline": "qaoa", "encoding": "binary", "layers": 1, "angles": ((0.0,), (0.0,)), "shots": 1}
    seed = next(seed for seed in range(100) if gatesolve.solve(made, **none, seed=seed).solution is None)
    with pytest.raises(NoSolutionReturned, match="none of 1 measurements is a solution"):
        ommx_adapter.OMMXGatesolveAdapter.solve(made, **none, seed=seed)


def test_what_is_refused():
    r, i = DecisionVariable.continuous(0, name="r", lower=0, upper=1), DecisionVariable.integer(0, name="i", lower=0)
    for variable, kind, message in ((r, UnsupportedError, "variable r is continuous"), (i, InputError, "no bound")):
        made = Instance.from_components(
            decision_variables=[variable], objective=variable, constraints=[], sense=Instance.MINIMIZE
        )
        with pytest.raises(kind, match=message):
            ommx_adapter.OMMXGatesolveAdapter.solve(made)
