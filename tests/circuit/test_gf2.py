"""Linear algebra over GF(2) beside brute force."""

from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gatesolve.circuit import AffineSpan, rank, reduce_row, reduce_rows, row_additions

WIDTH = 6
ROWS = st.lists(st.integers(0, (1 << WIDTH) - 1), max_size=7)


def span_of(rows):
    """Every XOR of some rows, by numpy."""
    bits = np.array([[row >> k & 1 for k in range(WIDTH)] for row in rows], dtype=int).reshape(len(rows), WIDTH)
    chosen = np.array(list(product((0, 1), repeat=len(rows))), dtype=int).reshape(1 << len(rows), len(rows))
    return set((chosen @ bits % 2 @ (1 << np.arange(WIDTH))).tolist())


@given(ROWS)
def test_a_reduced_basis_spans_the_same_and_its_lowest_bits_are_alone(rows):
    basis = reduce_rows(rows)
    assert span_of(basis) == span_of(rows)
    assert 1 << rank(rows) == len(span_of(rows))
    for element in basis:
        assert sum(bool(other & (element & -element)) for other in basis) == 1


@given(ROWS, st.integers(0, (1 << WIDTH) - 1))
def test_a_row_reduces_to_zero_exactly_in_the_span(rows, row):
    basis = []
    for one in rows:
        left = reduce_row(one, basis)
        if left:
            basis.append(left)
    assert (reduce_row(row, basis) == 0) == (row in span_of(rows))
    assert row ^ reduce_row(row, basis) in span_of(rows)


@given(st.lists(st.integers(0, (1 << 5) - 1), min_size=5, max_size=5))
def test_additions_make_the_identity_or_there_is_no_inverse(rows):
    additions = row_additions(rows)
    if additions is None:
        assert len(span_of(rows)) < 1 << 5
        return
    left = list(rows)
    for source, target in additions:
        left[target] ^= left[source]
    assert left == [1 << k for k in range(5)]


@given(st.lists(st.integers(0, 255), max_size=5), st.integers(0, 255), st.integers(0, 255))
def test_affine_spans_express_what_brute_force_finds(columns, rows, function):
    span = AffineSpan.of(columns, rows)

    def value(mask):
        parts = [c for k, c in enumerate([*columns, 255]) if mask >> k & 1]
        return int(np.bitwise_xor.reduce([0, *parts])) & rows

    values = {value(mask) for mask in range(2 << len(columns))}
    assert span.constant_bit == 1 << len(columns)
    assert len(values) == 1 << len(span.basis)
    mask = span.express(function)
    assert (mask is not None) == (function & rows in values)
    assert mask is None or value(mask) == function & rows
    assert all(value(null) == 0 for null in span.null)
    assert len(span.null) + len(span.basis) == len(columns) + 1
    assert {span.residue(function ^ other) for other in values} == {span.residue(function)}
    assert (span.residue(function) == 0) == (mask is not None)
