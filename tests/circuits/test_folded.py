"""Recipes, phases of labels and folded oracles do on every input what they say."""

import numpy as np
import pytest
from folded import TASTES, folded_ops
from folded_code import Recipe, Step, recipe_of, text_of
from folded_phase import label_phase
from hypothesis import given, settings
from hypothesis import strategies as st

from gatesolve.circuit import inverse
from gatesolve.circuit.lowering import lower
from gatesolve.oracle.boolean import bits_of
from gatesolve.simulate.sparse import diagonal_phases

PLACES = tuple(range(6))
STEPS = st.lists(
    st.tuples(st.permutations(PLACES), st.integers(1, 3), st.lists(st.booleans(), min_size=3, max_size=3)), max_size=6
)


def _recipe(drawn):
    steps = []
    for order, size, values in drawn:
        controls = tuple((w, size == 1 or v) for w, v in zip(order[1:], values, strict=False))[:size]
        steps.append(Step(order[0], controls))
    return Recipe(3, tuple(steps), (3, 4, 5, 0))


def _phases(ops, bits, width):
    inputs = np.zeros((width, 1 << bits), dtype=bool)
    inputs[:bits] = bits_of(bits)
    return diagonal_phases(lower(ops, width, "cx+u", "depth"), inputs)


@settings(max_examples=30, deadline=None)
@given(STEPS)
def test_a_recipe_read_again_is_the_same_and_is_taken_back(drawn):
    recipe = _recipe(drawn)
    if recipe.steps:
        assert recipe_of(text_of(recipe), 3) == recipe
    ops = recipe.ops(PLACES)
    assert np.allclose(_phases((*ops, *inverse(ops)), 3, 6), 1)


@settings(max_examples=20, deadline=None)
@given(st.sets(st.integers(0, 15), min_size=2), st.integers(0, len(TASTES) - 1), st.integers(0, 99))
def test_labels_in_use_get_their_phase(cells, taste, seed):
    chosen = sorted(cells)
    wanted = np.random.default_rng(seed).random(len(chosen))
    ops = label_phase(wanted, chosen, 4, TASTES[taste], seed)
    assert sum(op.name == "p" for op in ops) < len(chosen)
    ratio = _phases(ops, 4, 4)[chosen] * np.exp(-1j * wanted)
    assert np.allclose(ratio, ratio[0])


@settings(max_examples=15, deadline=None)
@given(STEPS, STEPS, st.integers(0, 99))
def test_a_folded_oracle_marks_its_bitmap(x_drawn, y_drawn, seed):
    x, y = _recipe(x_drawn), _recipe(y_drawn)
    marks = np.random.default_rng(seed).random((16, 16)) < 0.5
    bitmap = marks[np.ix_(y.labels(), x.labels())]
    for ops in folded_ops(bitmap, x, y, 1, seed):
        phases = _phases(ops, 6, 12)
        expected = np.where(bitmap.reshape(-1), -1, 1)
        assert np.allclose(phases / phases[0], expected / expected[0])


def test_a_label_of_two_classes_is_refused():
    recipe = Recipe(3, (), (3, 4, 5, 0))
    bitmap = np.arange(64).reshape(8, 8) % 5 == 0
    with pytest.raises(ValueError, match="two classes"):
        next(folded_ops(bitmap, recipe, recipe, 1, 1))
