"""Forms of products, and the bound that they prove."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatesolve.qubo.orientation import find_lower_bound, list_forms, orient_products

PAIRS = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
BONDS = st.dictionaries(st.sampled_from(PAIRS), st.integers(-9, 9).filter(bool), max_size=6)
LINEAR = st.fixed_dictionaries({k: st.integers(-12, 12) for k in range(4)})


@pytest.mark.parametrize("q", [-7, -1, 1, 4])
def test_forms_are_twice_the_product(q: int) -> None:
    for form in list_forms(q):
        assert min(map(min, form.paid)) == 0
        for a, b in product((0, 1), repeat=2):
            assert form.paid[a][b] + form.first * a + form.second * b + form.base == 2 * q * a * b


@settings(max_examples=80, deadline=None)
@given(BONDS, LINEAR)
def test_bound_and_forms(bonds: dict, linear: dict) -> None:
    written = [(a, b, q) for (a, b), q in bonds.items()]
    chosen, left = orient_products(written, linear)
    bound = find_lower_bound(written, linear)
    for bits in product((0, 1), repeat=4):
        energy = sum(q * bits[a] * bits[b] for a, b, q in written) + sum(v * bits[k] for k, v in linear.items())
        paid = sum(form.paid[bits[a]][bits[b]] + form.base for (a, b, _), form in zip(written, chosen, strict=True))
        assert paid + sum(v * bits[k] for k, v in left.items()) == 2 * energy
        assert bound <= energy


def test_a_bound_that_is_met() -> None:
    """A cut of a square: minus four, which plain coefficients bound by minus eight."""
    square = [(0, 1, 2), (1, 2, 2), (2, 3, 2), (0, 3, 2)]
    assert find_lower_bound(square, dict.fromkeys(range(4), -2)) == -4
