"""The losses of QAOA from class probabilities, beside their definitions on single measurements."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatesolve.errors import InputError
from gatesolve.simulate import cvar, expectation, gibbs, make_diagonal

COSTS = [3, 1, 1, 0, 7, 3, 0, 2]


def test_classes_are_costs() -> None:
    found = make_diagonal(COSTS)
    assert [found.values[k] for k in found.index] == COSTS


@given(st.lists(st.floats(0.01, 1), min_size=8, max_size=8), st.floats(0.01, 1))
def test_values_are_those_of_the_definitions(parts: list[float], alpha: float) -> None:
    each = np.array(parts) / sum(parts)
    classes = make_diagonal(COSTS)
    weights = np.bincount(classes.index, each, len(classes.values))
    assert expectation(classes.values, weights)[0] == pytest.approx(each @ COSTS)
    assert gibbs(0.8)(classes.values, weights)[0] == pytest.approx(-math.log(each @ np.exp(-0.8 * np.array(COSTS))))
    left, total = alpha, 0.0
    for cost, weight in sorted(zip(COSTS, each, strict=True)):
        taken = min(left, weight)
        left, total = left - taken, total + taken * cost
    assert cvar(alpha)(classes.values, weights)[0] == pytest.approx(total / alpha, abs=1e-6)


def test_gibbs_neither_overflows_nor_underflows() -> None:
    classes = make_diagonal([5000, 6000])
    value, share = gibbs(3.0)(classes.values, np.array([0.5, 0.5]))
    assert value == pytest.approx(15000 + math.log(2))
    assert np.isfinite(share).all()


@pytest.mark.parametrize("alpha", [0.0, -1.0, 1.5, math.nan])
def test_cvar_needs_a_fraction(alpha: float) -> None:
    with pytest.raises(InputError, match="fraction of CVaR"):
        cvar(alpha)


@pytest.mark.parametrize("eta", [0.0, -2.0, math.inf, math.nan])
def test_gibbs_needs_a_positive_number(eta: float) -> None:
    with pytest.raises(InputError, match="eta"):
        gibbs(eta)
