"""Whatever CPMpy can say is read: its meaning is CPMpy's own, and the literal oracle marks just that."""

import numpy as np
import pytest
from cpmpy_family import SAMPLES, list_classes, nest
from cpmpy_truth import Truth, find_difference

FORMS = 8
"""Forms of a class that are drawn, by a seed of its own: about a tenth of all."""


@pytest.fixture(scope="module")
def truth():
    return Truth()


def list_failures(truth, expressions):
    """List the expressions that are lowered to something else, or to an oracle that marks something else."""
    found = {str(one)[:200]: find_difference(one, truth) for one in expressions}
    assert found
    return {text: said for text, said in found.items() if said}


def test_every_operator_function_and_constraint_of_cpmpy_has_samples():
    assert list_classes() == set(SAMPLES)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", SAMPLES)
def test_expressions_mean_what_cpmpy_says(name, truth):
    forms = list(nest(name))
    drawn = np.random.default_rng(list(SAMPLES).index(name)).permutation(len(forms))[:FORMS]
    assert list_failures(truth, [forms[k] for k in drawn]) == {}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", SAMPLES)
def test_nothing_is_refused_for_width(name, truth):
    assert list_failures(truth, nest(name, wide=True)) == {}
