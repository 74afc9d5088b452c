"""What the asteroids contest adds to lookups: CX networks, phases of quadratic forms."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lookup_linear import completed, inverse_matrix, network, spread
from lookup_phase import QuadraticForm, diagonal

from gatesolve.circuit import Planes, inverse, run_ops
from gatesolve.errors import InputError
from gatesolve.oracle.lookup import everywhere, monomial_lookup

BITS = 4
FUNCTIONS = st.integers(0, everywhere(BITS))


@given(st.lists(st.tuples(FUNCTIONS, FUNCTIONS), min_size=1, max_size=6), st.integers(0, 1000))
def test_diagonals_are_the_sum_of_products(terms: list[tuple[int, int]], seed: int) -> None:
    lookup = monomial_lookup(BITS)
    ops = (*lookup.ops, *diagonal(lookup, terms, random.Random(seed)).ops(BITS), *inverse(lookup.ops))
    bits = np.zeros((lookup.num_wires, 16), dtype=bool)
    bits[:BITS] = np.arange(16) >> np.arange(BITS)[:, None] & 1
    planes = Planes.from_bits(bits)
    run_ops(ops, planes)
    wanted = 0
    for p, q in terms:
        wanted ^= p & q
    phase = planes.unpack(planes.phase, 16)
    assert not phase[0].any()
    assert np.array_equal(planes.unpack(planes.bits, 16), bits)
    marks = sum(1 << i for i in range(16) if phase[1][i])
    assert marks in (wanted, wanted ^ 0xFFFF)


def test_diagonals_spend_no_more_than_their_edges() -> None:
    lookup = monomial_lookup(BITS)
    terms = [(0x8421, 0x1234), (0xBEEF, 0x0F0F), (0x1111, 0x3C5A)]
    made = diagonal(lookup, terms, random.Random(0))
    parities = [(lookup.parity(p), lookup.parity(q)) for p, q in terms]
    assert made.cx <= QuadraticForm.of(parities, lookup.num_wires).num_edges


@given(st.integers(1, 9), st.integers(0, 10_000))
def test_networks_make_every_parity_in_place(size: int, seed: int) -> None:
    rng = random.Random(seed)
    rows = [1 << k for k in range(size)]
    for _ in range(4 * size):
        i, j = rng.randrange(size), rng.randrange(size)
        if i != j:
            rows[i] ^= rows[j]
    lengths = []
    for width in (1, 40):
        made = network(rows, width)
        assert made is not None
        wires = [1 << k for k in range(size)]
        for source, target in made.cx:
            wires[target] ^= wires[source]
        assert [wires[place] for place in made.places] == rows
        lengths.append(len(made.cx))
    assert lengths[1] <= lengths[0]


def test_matrices() -> None:
    rows = (0b011, 0b110, 0b100)
    back = inverse_matrix(rows)
    assert back is not None
    assert inverse_matrix(back) == rows
    assert inverse_matrix((1, 1)) is None
    assert network((1, 1)) is None
    assert spread((1, 4, 2), (1, 4, 2)) == 0 < spread(rows, back)
    assert inverse_matrix(completed((0b0110, 0b0010), 4)) is not None
    with pytest.raises(InputError, match="depend"):
        completed((0b11, 0b11), 2)
