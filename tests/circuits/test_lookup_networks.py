"""What the asteroids contest adds to lookups: CX networks, phases of quadratic forms."""

from __future__ import annotations

import random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from lookup_linear import network
from lookup_phase import diagonal

from gatesolve.circuit import Planes, inverse, run_ops
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
