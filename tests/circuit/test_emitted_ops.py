"""Gates emitted for operations of any factors, and as many CX as were counted for plans to be compared by.

`conformance/test_operations.py` has each kind of operation.
"""

from itertools import product

import numpy as np
import pytest
from conformance.dense import distance_up_to_phase, expected, matrix_of, parities
from hypothesis import given, settings
from hypothesis import strategies as st

from gatesolve.circuit import And, Parity, PhaseFlip, count_cx, emit, inverse


def emitted_cx(op):
    return sum(name == "cx" for name, _, _ in emit([op]))


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


@pytest.mark.parametrize(("left", "right"), [*product(range(4), repeat=2)])
def test_cx_of_an_and(left, right):
    op = And(Parity(tuple(range(left))), Parity(tuple(range(4, 4 + right))), 9)
    assert count_cx([op]) == emitted_cx(op)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.integers(1, 3), max_size=5), st.booleans())
def test_cx_of_a_flip_of_disjoint_parities(lengths, constant):
    wires = iter(range(20))
    op = PhaseFlip(tuple(Parity(tuple(next(wires) for _ in range(n)), constant) for n in lengths), (20,))
    assert count_cx([op]) == emitted_cx(op)


@settings(deadline=None, max_examples=60)
@given(parities(range(6)), parities(range(6, 9)))
def test_cx_of_a_flip_of_any_two(first, second):
    op = PhaseFlip((first, second), (9,))
    assert count_cx([op]) == emitted_cx(op)
