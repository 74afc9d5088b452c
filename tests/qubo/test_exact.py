"""Energies in units: the order, the least and the bounds of exact arithmetic, whatever the coefficients."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatesolve.api import QuboReport
from gatesolve.qubo import ExactEnergies, Qubo, as_written

WIDE = st.builds(lambda m, e: float(f"{m}e{e}"), st.integers(-9, 9), st.integers(-300, 300))
WEIGHTS = st.one_of(WIDE, st.integers(-3, 3), st.sampled_from([10**15, -(10**15) - 1, 0.1, Fraction(1, 3)]))


@st.composite
def wide_qubos(draw: st.DrawFn) -> Qubo:
    size = draw(st.integers(1, 4))
    monomials = st.sets(st.integers(0, size - 1), max_size=3).map(lambda m: tuple(sorted(m)))
    return Qubo.of([f"x{k}" for k in range(size)], draw(st.dictionaries(monomials, WEIGHTS, max_size=7)))


def brute(qubo):
    """The energies of all states, added up as fractions."""
    return [
        sum((as_written(c) for m, c in qubo.polynomial.items() if all(bits[k] for k in m)), start=Fraction(0))
        for bits in product((0, 1), repeat=qubo.num_variables)
    ]


@pytest.mark.more_examples(100)
@settings(max_examples=35, deadline=None, derandomize=True)
@given(wide_qubos(), st.data())
def test_whole_numbers_of_a_unit_are_the_energies(qubo, data):
    states = np.array(list(product((False, True), repeat=qubo.num_variables))).T
    wanted = brute(qubo)
    exact = ExactEnergies.of(qubo)
    energies = exact.in_units(states)
    assert [energy * exact.unit for energy in energies.tolist()] == wanted
    assert np.argsort(energies, kind="stable").tolist() == sorted(range(len(wanted)), key=wanted.__getitem__)
    assert (energies == energies.min()).tolist() == [energy == min(wanted) for energy in wanted]
    bound = data.draw(st.sampled_from(wanted)) + data.draw(st.sampled_from([0, Fraction(-1, 7**400), 10**400]))
    assert (energies <= math.floor(bound / exact.unit)).tolist() == [energy <= bound for energy in wanted]


@pytest.mark.parametrize("small", [1, 1e-13, 5e-324])
def test_the_lowest_energy_and_its_states_are_counted_exactly(small):
    qubo = Qubo.of("abc", {(0,): -small, (0, 1): 1e15, (1,): 0})
    lowest, states = QuboReport("", qubo).lowest()
    assert (lowest, states) == (-small, 2)
