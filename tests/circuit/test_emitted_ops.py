"""Each operation's stated action on basis states against the matrix of the gates emitted for it."""

from itertools import product

import numpy as np
import pytest
from conformance.dense import basis_ops, distance_up_to_phase, expected, matrix_of, parities
from hypothesis import given, settings
from hypothesis import strategies as st

from gatesolve.circuit import And, AndNot, Mcx, Mux, Parity, PhaseFlip, Xor, count_cx, emit, inverse

CONSTANTS = list(product((False, True), repeat=2))
WIRES = [((0,), (1,)), ((0, 2), (1,)), ((0,), (1, 2, 4)), ((0, 1), (1, 2)), ((0, 2), (0, 2)), ((), (1,)), ((0,), ())]


def assert_emitted(ops, num_qubits):
    assert distance_up_to_phase(matrix_of(emit(ops), num_qubits), expected(ops, num_qubits)) < 1e-12


@pytest.mark.parametrize("undo", [False, True])
@pytest.mark.parametrize(("left", "right"), WIRES)
@pytest.mark.parametrize(("first", "second"), CONSTANTS)
def test_and(left, right, first, second, undo):
    assert_emitted([And(Parity(left, first), Parity(right, second), 3, undo)], 5)


@pytest.mark.parametrize(("first", "second"), CONSTANTS)
def test_and_then_undone_is_the_identity(first, second):
    op = And(Parity((0, 2), first), Parity((1,), second), 3)
    assert np.abs(expected([op, *inverse([op])], 4) - np.eye(16)).max() == 0
    # As gates the pair cancels exactly, without even a global phase.
    assert np.abs(matrix_of(emit([op, *inverse([op])]), 4) - np.eye(16)).max() < 1e-12


@pytest.mark.parametrize("constants", list(product((False, True), repeat=3)))
@pytest.mark.parametrize("head", [(0,), (1, 4), (2, 4), ()])
def test_and_not(head, constants):
    op = AndNot(*map(Parity, (head, (0, 2), (1,)), constants), 3)
    assert_emitted([op], 5)
    assert np.abs(matrix_of(emit([op, *inverse([op])]), 5) - np.eye(32)).max() < 1e-12
    assert sum(name == "cx" for name, _, _ in emit([op])) == count_cx([op]) == len(head) + 6


@pytest.mark.parametrize("constants", list(product((False, True), repeat=3)))
@pytest.mark.parametrize("choice", [(0,), (1, 4), (2, 4), ()])
def test_mux(choice, constants):
    op = Mux(*map(Parity, (choice, (0, 2), (1,)), constants), 3)
    assert_emitted([op], 5)
    assert distance_up_to_phase(matrix_of(emit([op, *inverse([op])]), 5), np.eye(32)) < 1e-12
    assert sum(name == "cx" for name, _, _ in emit([op])) == count_cx([op]) == 2 * len(choice) + 3
    nothing = And(op.yes, op.choice, 3), Mux(op.choice, op.yes, Parity(()), 3)
    assert np.abs(expected(nothing[:1], 5) - expected(nothing[1:], 5)).max() == 0


@pytest.mark.parametrize(
    "source", [Parity(()), Parity((), True), Parity((0,)), Parity((0, 1, 3), True)], ids=lambda p: str(p.wires)
)
def test_xor(source):
    assert_emitted([Xor(source, 2)], 4)


@settings(deadline=None, max_examples=60)
@given(st.lists(parities(range(5)), max_size=5), st.integers(0, 2))
def test_any_phase_flip(factors, num_clean):
    assert_phase_flip(tuple(factors), 5, num_clean)


def assert_phase_flip(factors, num_data, num_clean):
    clean = tuple(range(num_data, num_data + num_clean))
    gates = list(emit([PhaseFlip(factors, clean)]))
    wide = [name for name, _, _ in gates if name == "mcz_noaux"]
    assert not (wide and clean)
    matrix = matrix_of(gates, num_data + num_clean)
    size = 1 << num_data
    # Ancillas are zero on entry; they are the high bits, so those are the first columns.
    assert np.abs(matrix[size:, :size]).max(initial=0) < 1e-12
    assert distance_up_to_phase(matrix[:size, :size], expected([PhaseFlip(factors)], num_data)) < 1e-12


@pytest.mark.parametrize("values", list(product((False, True), repeat=3)))
@pytest.mark.parametrize("clean", [(), (4,)])
def test_mcx_with_control_values(values, clean):
    op = Mcx(tuple(zip((0, 3, 1), values, strict=True)), 2, clean)
    matrix = matrix_of(emit([op]), 5)
    assert distance_up_to_phase(matrix[:16, :16], expected([op], 4)) < 1e-12
    assert np.abs(matrix[16:, :16]).max() < 1e-12


@settings(deadline=None, max_examples=40)
@given(basis_ops(5))
def test_any_list(ops):
    assert_emitted(ops, 5)
