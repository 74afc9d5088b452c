"""Tables on the variables' own digits: prepared exactly, roots right, refused where no affine set."""

import cpmpy as cp
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from qiskit.quantum_info import Statevector

from gatesolve.circuit import inverse
from gatesolve.circuit.lowering import lower
from gatesolve.encodings import digits_space
from gatesolve.encodings.digits import digit_block
from gatesolve.errors import InputError
from gatesolve.model import from_cpmpy


def amplitudes(ops, width, start=0):
    state = Statevector.from_int(start, 1 << width)
    return state.evolve(lower(ops, width)).data


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_every_affine_set_is_prepared(data):
    width = data.draw(st.integers(1, 5))
    offset = data.draw(st.integers(0, (1 << width) - 1))
    words = {offset}
    for vector in data.draw(st.lists(st.integers(0, (1 << width) - 1), max_size=4)):
        words |= {word ^ vector for word in words}
    tuples = [tuple(word >> k & 1 for k in range(width)) for word in sorted(words)]
    block = digit_block([f"v{k}" for k in range(width)], tuples, [(0, 1)] * width)
    assert block.codewords == tuple(sorted(words))
    found = np.abs(amplitudes(block.preparation, width)) ** 2
    assert np.allclose(found[sorted(words)], 1 / len(words))
    others = [q for q in range(width) if q not in block.roots]
    for word in words:
        undone = amplitudes(inverse(block.preparation), width, word)
        for state in np.flatnonzero(np.abs(undone) > 1e-9):
            assert not any(int(state) >> q & 1 for q in others)


@given(st.sets(st.integers(0, 15), min_size=1))
def test_other_sets_are_refused(words):
    tuples = [tuple(word >> k & 1 for k in range(4)) for word in sorted(words)]
    first = min(words)
    affine = all(a ^ b ^ first in words for a in words for b in words)
    assume(not affine)
    assert digit_block("abcd", tuples, [(0, 1)] * 4) is None


def test_wide_and_offset_domains():
    block = digit_block(("a", "b"), ((-1, 7), (2, 9)), ((-1, 0, 2), (7, 9)))
    assert block.codewords == (0b000, 0b110)
    assert block.num_qubits == 3


def test_a_space_names_what_it_cannot_prepare():
    x = [cp.intvar(0, 2, name=f"x{k}") for k in range(3)]
    model = from_cpmpy(cp.Model(x[0] != x[1], x[1] + x[2] == 2))
    unequal, total = model.constraints
    with pytest.raises(InputError, match="leave one to the oracle"):
        digits_space(model, [[unequal]])
    with pytest.raises(InputError, match="no affine set"):
        digits_space(model, [[unequal, total]])


def test_a_space_refuses_a_variable_in_two_groups():
    x = [cp.boolvar(name=f"b{k}") for k in range(3)]
    model = from_cpmpy(cp.Model(x[0] != x[1], x[1] != x[2]))
    first, second = model.constraints
    with pytest.raises(InputError, match="two groups"):
        digits_space(model, [[first], [second]])
    space = digits_space(model, [[first, second]])
    assert space.size == 2
    assert space.variables == ("b0", "b1", "b2")
