"""Gates emitted for operations of any factors, and as many CX as were counted for plans to be compared by.

`conformance/test_operations.py` has each kind of operation.
"""

from itertools import pairwise, product

import numpy as np
import pytest
from conformance.dense import distance_up_to_phase, expected, matrix_of, parities
from hypothesis import given, settings
from hypothesis import strategies as st

from gatesolve.circuit import And, Parity, PhaseFlip, count_cx, emit, inverse


@pytest.mark.parametrize(("first", "second"), [*product((False, True), repeat=2)])
def test_and_then_undone_is_the_identity(first, second):
    """As gates the pair cancels exactly, without even a global phase."""
    op = And(Parity((0, 2), first), Parity((1,), second), 3)
    assert np.abs(matrix_of(emit([op, *inverse([op])]), 4) - np.eye(16)).max() < 1e-12


@settings(deadline=None, max_examples=60)
@given(st.lists(parities(range(5)), max_size=5), st.integers(0, 2))
def test_any_phase_flip(factors, num_clean):
    op = PhaseFlip(tuple(factors), tuple(range(5, 5 + num_clean)))
    gates = list(emit([op]))
    assert not (op.clean and any(name == "mcz_noaux" for name, _, _ in gates))
    matrix = matrix_of(gates, 5 + num_clean)[:, :32]  # ancillas are the high bits, and zero on entry
    assert np.abs(matrix[32:]).max(initial=0) < 1e-12
    assert distance_up_to_phase(matrix[:32], expected([op], 5)) < 1e-12


def cut_up(lengths, constant):
    """Parities of so many wires each, which share none."""
    ends = [sum(lengths[:k]) for k in range(len(lengths) + 1)]
    return tuple(Parity(tuple(range(*pair)), constant) for pair in pairwise(ends))


COUNTED = st.one_of(
    st.builds(lambda *sides: And(*cut_up(sides, False), 9), st.integers(0, 3), st.integers(0, 3)),
    st.builds(lambda *shape: PhaseFlip(cut_up(*shape), (20,)), st.lists(st.integers(1, 3), max_size=5), st.booleans()),
    st.builds(lambda *factors: PhaseFlip(factors, (9,)), parities(range(6)), parities(range(6, 9))),
)


@settings(deadline=None, max_examples=150)
@given(COUNTED)
def test_as_many_cx_are_counted_as_are_emitted(op):
    assert count_cx([op]) == sum(name == "cx" for name, _, _ in emit([op]))
