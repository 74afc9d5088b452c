"""The estimate plans are compared by equals the CX that are emitted."""

from itertools import product

import pytest
from conformance.dense import parities
from hypothesis import given, settings
from hypothesis import strategies as st

from gatesolve.circuit import And, Gate, Parity, PhaseFlip, Xor, count_cx, emit


def emitted(op):
    return sum(name == "cx" for name, _, _ in emit([op]))


@pytest.mark.parametrize(("left", "right"), list(product(range(4), repeat=2)))
def test_and(left, right):
    op = And(Parity(tuple(range(left))), Parity(tuple(range(4, 4 + right))), 9)
    assert count_cx([op]) == emitted(op)


@pytest.mark.parametrize(
    "op", [Xor(Parity((0, 1, 2), True), 3), Gate("cz", (0, 1)), Gate("cx", (0, 1)), Gate("h", (0,))]
)
def test_xor_and_gates(op):
    assert count_cx([op]) == emitted(op)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.integers(1, 3), max_size=5), st.integers(0, 1))
def test_phase_flip_of_disjoint_parities(lengths, constant):
    wires = iter(range(20))
    factors = tuple(Parity(tuple(next(wires) for _ in range(n)), bool(constant)) for n in lengths)
    op = PhaseFlip(factors, (20,))
    assert count_cx([op]) == emitted(op)


@settings(deadline=None, max_examples=60)
@given(parities(range(6)), parities(range(6, 9)))
def test_phase_flip_with_constant_factors(first, second):
    op = PhaseFlip((first, second), (9,))
    assert count_cx([op]) == emitted(op)
