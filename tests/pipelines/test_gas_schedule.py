"""The runs of Grover Adaptive Search and what they prove, against exact sums over all possibilities."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatesolve.errors import DoesNotFitError
from gatesolve.pipelines.gas.search import CountCells, bound_miss, count_calls, make_cells, make_schedule, proof_runs


def exact_failure(size: int, runs: tuple[int, ...]) -> np.ndarray:
    """The probability that all runs fail, for t = 0 .. size, from the closed form."""
    theta = np.arcsin(np.sqrt(np.arange(size + 1) / size))
    return np.prod([np.cos((2 * j + 1) * theta) ** 2 for j in runs], axis=0)


def worst_end(failure: np.ndarray) -> float:
    """The largest probability, over all ways to share out the costs, of ending above the optimum (dynamic)."""
    size = len(failure) - 1
    worst = np.zeros(size + 1)
    for top in range(1, size + 1):
        # Costs reached by ... < t < top codewords: the one reached by top is visited with probability 1 - t / top.
        below = np.arange(1, top)
        steps = worst[below] + (1 - below / top) * failure[below]
        worst[top] = max(0.0, float(steps.max(initial=0.0)))
    # A threshold given at the start is visited for certain.
    return float((worst + failure)[1:].max())


@pytest.mark.parametrize("size", [1, 2, 300, 1000, 70000])
def test_the_cells_have_no_gaps(size: int) -> None:
    grid = make_cells(size)
    assert grid.first[0] == 1
    assert grid.last[-1] == size
    assert (grid.first[1:] == grid.last[:-1] + 1).all()
    assert grid.width.sum() == size
    assert (grid.width[grid.first < 256] == 1).all()
    assert grid.log_uniform().sum() == pytest.approx(1)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 5000), st.integers(0, 80))
def test_no_number_fails_more_than_its_cell_says(size: int, iterations: int) -> None:
    grid = make_cells(size)
    place = np.searchsorted(grid.first, np.arange(1, size + 1), side="right") - 1
    exact = exact_failure(size, (iterations,))[1:]
    assert (exact <= grid.worst_failure(iterations)[place]).all()
    singles = grid.width[place] == 1
    assert np.allclose(exact[singles], grid.worst_failure(iterations)[place][singles], atol=1e-9)
    assert np.allclose(exact[singles], grid.mean_failure(iterations)[place][singles], atol=1e-9)


@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.999, 1 - 1e-9])
@pytest.mark.parametrize("size", [1, 2, 3, 4, 37, 256, 700])
def test_the_whole_search_misses_no_more_than_allowed(size: int, confidence: float) -> None:
    runs = proof_runs(size, confidence)
    failure = exact_failure(size, runs)
    assert failure[1:].max() <= 1 - confidence
    bound = make_schedule(size, confidence).bound_miss_after(runs)
    assert worst_end(failure) <= bound <= 1 - confidence
    assert list(runs) == sorted(runs)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=40), st.data())
def test_the_bound_covers_every_chain_of_costs(values: list[float], data: st.DataObject) -> None:
    size = len(values)
    failure = np.array([0.0, *values])
    chain = sorted(data.draw(st.sets(st.integers(1, size), min_size=1)))
    wrong = failure[chain[-1]]
    for low, high in itertools.pairwise(chain):
        wrong += (1 - low / high) * failure[low]
    grid = CountCells(size, np.arange(1.0, size + 1), np.arange(1.0, size + 1))
    assert min(wrong, 1) <= bound_miss(failure[1:], grid) + 1e-12


@pytest.mark.parametrize(("size", "most"), [(16, 20), (256, 55), (4096, 190), (16384, 380), (2**20, 3100)])
def test_the_proof_costs_three_roots_of_the_size(size: int, most: int) -> None:
    assert count_calls(proof_runs(size)) <= most
    # Ten spans of 9 sqrt(size) calls miss with at most 2^-10, the classical rule.
    assert count_calls(proof_runs(size)) * 18 <= 10 * math.ceil(9 * math.sqrt(size))


def test_the_order_takes_every_run_once() -> None:
    plan = make_schedule(500)
    belief = plan.first_belief(sampled=True)
    made: list[int] = []
    last = 1.0
    while plan.remaining(made):
        made.append(plan.choose(belief, made))
        assert plan.bound_miss_after(made) <= last
        last = plan.bound_miss_after(made)
    assert tuple(sorted(made)) == plan.runs
    assert last <= 0.001


def test_a_space_without_end_is_refused() -> None:
    with pytest.raises(DoesNotFitError, match="2\\^60"):
        make_schedule(2**61)
