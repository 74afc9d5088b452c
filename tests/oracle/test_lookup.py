"""Lookups: chains of ANDs."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatesolve.circuit import Planes, run_ops
from gatesolve.errors import InputError
from gatesolve.oracle.lookup import (
    LookupChain,
    ands_needed,
    columns_of,
    drawn_lookup,
    everywhere,
    index_columns,
    monomial_lookup,
    value_of,
)

BITS = 4
FUNCTIONS = st.integers(0, everywhere(BITS))


def held(lookup: LookupChain) -> list[int]:
    """What bit-parallel simulation leaves on each wire, for every index."""
    size = 1 << lookup.num_index
    bits = np.zeros((lookup.num_wires, size), dtype=bool)
    bits[: lookup.num_index] = np.arange(size) >> np.arange(lookup.num_index)[:, None] & 1
    planes = Planes.from_bits(bits)
    run_ops(lookup.ops, planes)
    rows = planes.unpack(planes.bits, size)
    return [sum(1 << i for i in range(size) if row[i]) for row in rows]


@pytest.mark.parametrize("num_index", [1, 2, 3, 4, 5])
def test_monomials_hold_every_table(num_index: int) -> None:
    lookup = monomial_lookup(num_index)
    assert held(lookup) == list(lookup.columns)
    assert len(lookup.steps) == 2**num_index - num_index - 1
    for function in range(min(everywhere(num_index) + 1, 3000)):
        assert value_of(lookup.parity(function), lookup.columns, num_index) == function


@given(st.lists(FUNCTIONS, min_size=1, max_size=12), st.integers(0, 1000))
def test_drawn_chains_hold_their_functions_in_their_span(functions: list[int], seed: int) -> None:
    lookup = drawn_lookup(functions, BITS, random.Random(seed))
    assert held(lookup) == list(lookup.columns) == list(columns_of(BITS, lookup.steps))
    assert len(lookup.steps) >= ands_needed(functions, BITS)
    for function in functions:
        assert value_of(lookup.parity(function), lookup.columns, BITS) == function


def test_a_chain_begun_elsewhere_is_finished() -> None:
    begun = monomial_lookup(BITS).steps[:3]
    lookup = drawn_lookup([0x8000, 0x1234], BITS, random.Random(1), begun)
    assert lookup.steps[:3] == begun
    lookup.parity(0x8000)


def test_functions_outside_the_span_are_refused() -> None:
    with pytest.raises(ValueError, match="no parity"):
        LookupChain(BITS).parity(0x8000)
    with pytest.raises(InputError, match="1 to 10 bits"):
        index_columns(0)
