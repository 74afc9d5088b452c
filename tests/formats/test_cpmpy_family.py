"""Whatever CPMpy can say is read: its meaning is CPMpy's own, and the literal oracle marks just that."""

import numpy as np
import pytest
from cpmpy_family import SAMPLES, list_classes, nest

from benchmarks.suites import cpmpy_compare

FORMS = 8
"""Forms of a class that are drawn, by a seed of its own: about a tenth of all."""


@pytest.fixture(scope="module")
def check():
    """What is not right of some expressions, compared with CPMpy's values and compiled up to 2^16 states."""
    compare = cpmpy_compare
    truth, limits = compare.Truth(), compare.Limits(compiled=1 << 16)

    def list_failures(name, expressions):
        found = [compare.check_expression(name, k, one, truth, limits) for k, one in enumerate(expressions)]
        assert found
        assert all(one.compiled for one in found if one.verdict == "right")
        return [f"{one.verdict}: {one.text[:200]}: {one.reason[:300]}" for one in found if one.verdict != "right"]

    return list_failures


def test_every_operator_function_and_constraint_of_cpmpy_has_samples():
    assert list_classes() == set(SAMPLES)


@pytest.mark.sampled(9)
@pytest.mark.parametrize("name", SAMPLES)
def test_expressions_mean_what_cpmpy_says(name, check):
    forms = list(nest(name))
    drawn = np.random.default_rng(list(SAMPLES).index(name)).permutation(len(forms))[:FORMS]
    assert check(name, [forms[k] for k in drawn]) == []


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", SAMPLES)
def test_nothing_is_refused_for_width(name, check):
    assert check(name, nest(name, wide=True)) == []
