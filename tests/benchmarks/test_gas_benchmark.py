"""Adaptive searches: bars, circuits of the peers as they should be, searches as the schedule promises."""

import numpy as np
import pytest

from benchmarks.suites import gas
from benchmarks.suites import gas_cases as cases
from gatesolve.qubo import Qubo


def draw_qubo(seed, n=4):
    draw = np.random.default_rng(seed)
    terms = {m: int(draw.integers(-4, 5)) for i in range(n) for m in ((i,), *((i, j) for j in range(i + 1, n)))}
    return Qubo.of([f"x{i}" for i in range(n)], terms | {(): 3})


@pytest.mark.parametrize("seed", range(3))
def test_energies_listed_by_halves_are_those_of_all_states(seed):
    qubo = draw_qubo(seed, 5)
    bits = (np.arange(32) >> np.arange(5)[:, None] & 1).astype(bool)
    values, counts = np.unique(qubo.energies(bits), return_counts=True)
    found = cases.listed(qubo)
    assert found.values.tolist() == values.tolist()
    assert np.diff(found.below).tolist() == counts.tolist()
    assert [found.value(place) for place in range(32)] == sorted(qubo.energies(bits))


def test_one_value_qubit_too_few_is_noticed():
    qubo = Qubo.of("ab", {(0,): 7, (1,): -7})
    assert gas.check(qubo, gas.value_qubits(-7, 7), -6) == 4
    with pytest.raises((AssertionError, ValueError)):
        gas.check(qubo, 3, -6)
