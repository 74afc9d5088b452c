"""Adaptive searches: bars, circuits of the peers as they should be, searches as the schedule promises."""

import math

import numpy as np
import pytest
from qiskit.quantum_info import Statevector

from benchmarks.core import problems
from benchmarks.suites import gas, gas_tables
from benchmarks.suites import gas_cases as cases
from gatesolve.qubo import Qubo


@pytest.fixture(scope="module")
def recorded():
    return gas.TABLE.read()


def draw_qubo(seed, n=4):
    draw = np.random.default_rng(seed)
    terms = {m: int(draw.integers(-4, 5)) for i in range(n) for m in ((i,), *((i, j) for j in range(i + 1, n)))}
    return Qubo.of([f"x{i}" for i in range(n)], terms | {(): 3})


def one(recorded, problem, method, variant=""):
    (found,) = (r for r in recorded if r.problem == problem and r.method == method and r.variant.startswith(variant)
                and not r.variant.endswith("only"))  # fmt: skip
    return found


def test_every_search_of_ours_found_the_optimum_but_one_in_a_thousand(recorded):
    for row in recorded:
        if row.method == gas.OURS:
            assert row.searches - row.found <= 1 + row.searches // 500, row.key


def test_ours_is_an_order_of_magnitude_cheaper(recorded):
    for name in ("K4", "K7"):
        ours = one(recorded, name, gas.OURS, "one-hot")
        for method in (gas.THEIRS, gas.W_START):
            assert 10 * ours.iteration <= one(recorded, name, method).iteration
            assert 10 * ours.mean <= one(recorded, name, method).mean


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


def test_w_states_are_uniform():
    k4 = problems.K4
    space = type(k4.one_hot_space)(k4.one_hot_space.blocks[:2])
    chances = Statevector(gas.start_circuit(8, space)).probabilities()
    states = [space.state(n) for n in range(16)]
    assert np.allclose(chances[states], 1 / 16)


@pytest.mark.parametrize(("least", "most", "bits"), [(0, 1, 2), (-1, 0, 2), (0, 3, 3), (-4, 3, 4), (0, 84, 8)])
def test_value_qubits_hold_every_difference(least, most, bits):
    assert gas.value_qubits(least, most) == bits


@pytest.mark.slow
def test_the_schedule_is_far_below_the_usual_rule():
    (line,) = gas_tables.schedule_lines(sizes=(256,), searches=200)
    assert line[2] <= 60
    assert float(line[3]) <= 0.001
    assert line[4] == 10 * math.ceil(9 * 16)
    assert int(line[7].split()[0]) <= 1


@pytest.mark.sampled(0.3)
def test_random_qubos_end_at_their_optimum():
    drawn = gas_tables
    searched = [drawn.search(drawn.random_qubo(number), seed=number) for number in range(12)]
    assert all(one.found and not one.wrong for one in searched)
    small = [one for one in searched if one.search.ranked.space.size == 16]
    assert small
    for one in small[:2]:
        assert drawn.certified_last(one) in (0, one.search.ranked.space.size)
