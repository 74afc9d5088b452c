"""Sets of codewords: how they are prepared and reflected about."""

import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from qiskit.quantum_info import Operator, Statevector

from gatesolve.circuit.lowering import lower
from gatesolve.encodings import find_shape
from gatesolve.encodings.shapes import groups


@pytest.mark.parametrize("missing", range(4))
def test_three_words_have_one_root(missing):
    words = [w for w in range(4) if w != missing]
    found = find_shape(words, 2)
    assert found is not None
    assert found.mirror_roots == (0,)
    state = Statevector(lower(found.preparation, 2)).data
    assert np.allclose(np.abs(state) ** 2, [w in words for w in range(4)] / np.float64(3))
    undo = Operator(lower(found.mirror, 2)).data.conj().T
    start = np.zeros(4)
    start[words] = 1 / math.sqrt(3)
    assert np.allclose((undo @ start)[[1, 3]], 0)
    for across in ([1, -1, 0], [1, 1, -2]):
        other = np.zeros(4)
        other[words] = across
        assert np.allclose((undo @ other)[[0, 2]], 0)


def test_groups_are_the_finest_product():
    assert groups([w | b << 1 | 1 << 3 for w in (0, 1) for b in (0, 1, 2, 3)], 4) == [(0,), (1,), (2,), (3,)]
    assert groups([0b000, 0b011, 0b001, 0b100, 0b111, 0b101], 3) == [(0, 1), (2,)]
    assert find_shape([0, 1, 2, 4], 3) is None


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_any_set_with_a_shape_is_prepared_and_reflected_about(seed):
    draw = random.Random(seed)
    width = draw.randint(1, 4)
    words = draw.sample(range(1 << width), draw.randint(1, 1 << width))
    found = find_shape(words, width)
    if found is None:
        return
    state = Statevector(lower(found.preparation, width)).data
    assert np.allclose(np.abs(state) ** 2, [(w in words) / len(words) for w in range(1 << width)])
    undo = Operator(lower(found.mirror, width)).data.conj().T
    zero = [w for w in range(1 << width) if not any(w >> q & 1 for q in found.mirror_roots)]
    inside = undo[np.ix_(zero, words)]
    assert np.allclose(inside.conj().T @ inside, np.full((len(words), len(words)), 1 / len(words)))
