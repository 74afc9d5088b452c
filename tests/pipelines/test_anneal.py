"""Annealing: optima of small Qubos, the same outcome from the same seed, and the hardest Sudokus."""

from itertools import combinations, product
from pathlib import Path

import dimod
import numpy as np
import pytest
from every_state import every_state
from hypothesis import given, settings
from hypothesis import strategies as st

from gatesolve.errors import DoesNotFitError, InputError
from gatesolve.pipelines import anneal_qubo
from gatesolve.pipelines.anneal.pipeline import EXACT_LIMIT, _make_quadratic
from gatesolve.puzzles import load
from gatesolve.qubo import Qubo, published_qubo

EXAMPLES = Path(__file__).parents[2] / "examples"


def random_qubo(width, seed, degree=2, scale=1.0):
    rng = np.random.default_rng(seed)
    terms = {(): 1.5}
    for _ in range(3 * width):
        monomial = tuple(sorted(map(int, rng.choice(width, min(width, rng.integers(1, degree + 1)), replace=False))))
        terms[monomial] = float(rng.normal()) * scale
    return Qubo.of([f"x{k}" for k in range(width)], terms)


def least(qubo):
    return qubo.energies(every_state(qubo.num_variables)).min()


@pytest.mark.quick(9)
@pytest.mark.parametrize("sampler", ["sa", "tabu", "exact"])
@pytest.mark.parametrize("degree", [1, 2, 4])
@pytest.mark.parametrize("scale", [1.0, 1e-6, 1e6])
def test_the_least_energy_is_found(sampler, degree, scale):
    for seed in range(3):
        qubo = random_qubo(9, seed, degree, scale)
        outcome = anneal_qubo(qubo, sampler=sampler, reads=150, sweeps=300, seed=seed)
        assert float(outcome.best) == pytest.approx(least(qubo))
        assert outcome.energy == outcome.best == qubo.energy(outcome.bits)
        assert outcome.hits >= 1
        assert outcome.reads == (512 if sampler == "exact" else 150)
        assert (outcome.proven, outcome.accepted) == ((sampler == "exact"),) * 2


def test_products_as_variables_move_no_minimum():
    for seed in range(20):
        qubo = random_qubo(6, seed, degree=4)
        bqm = _make_quadratic(qubo, {0: 1} if seed % 2 else {})
        found = dimod.ExactSolver().sample(bqm)
        states = every_state(6)
        if seed % 2:
            states = states[:, states[0]]
        assert found.first.energy == pytest.approx(qubo.energies(states).min())
        for sample in found.lowest(atol=1e-9).samples():
            bits = [dict(sample).get(k, 1) for k in range(6)]
            assert qubo.energy(bits) == pytest.approx(found.first.energy)


@given(st.integers(1, 6), st.integers(0, 2**32), st.sampled_from(["sa", "tabu"]))
@settings(max_examples=25, deadline=None)
def test_same_seed_same_outcome(width, seed, sampler):
    qubo = random_qubo(width, seed)
    first = anneal_qubo(qubo, sampler=sampler, reads=5, sweeps=3, seed=seed)
    assert first == anneal_qubo(qubo, sampler=sampler, reads=5, sweeps=3, seed=seed)


@pytest.mark.parametrize("sampler", ["sa", "tabu", "exact"])
@pytest.mark.parametrize("small", [1, 1e-13, 1e-300])
def test_a_small_difference_beside_a_large_coefficient_is_seen(sampler, small):
    qubo = Qubo.of(("a", "b"), {(0,): -small, (1,): 0, (0, 1): 2 * 10**9})
    outcome = anneal_qubo(qubo, sampler=sampler, reads=100, sweeps=50)
    assert (outcome.best, outcome.bits) == (-small, (1, 0))
    assert outcome.hits < outcome.reads or sampler != "exact"
    assert anneal_qubo(qubo, sampler=sampler, reads=100, sweeps=50, ground=-2 * small).accepted == (sampler == "exact")


@pytest.mark.parametrize("sampler", ["sa", "tabu", "exact"])
@pytest.mark.parametrize(("big", "small"), [(1e308, 1e-308), (1.5e308, 1), (1e-300, 1e-300), (1e300, 1e-300)])
@pytest.mark.parametrize("degree", [2, 3])
def test_coefficients_at_the_ends_of_the_floats(sampler, big, small, degree):
    terms = {(0,): big / 4, (0, 1): -big / 2, (1,): big / 8, (2, 3): -big / 4, (3,): -small}
    qubo = Qubo.of("abcd", {**terms, **({(0, 1, 2): big / 16} if degree == 3 else {})})
    outcome = anneal_qubo(qubo, sampler=sampler, reads=100, sweeps=50)
    least = min(qubo.exact_energy(bits) for bits in product((0, 1), repeat=4))
    # The samplers themselves see no difference below a float's.
    assert qubo.exact_energy(outcome.bits) == least if outcome.proven else outcome.best == pytest.approx(float(least))


def pick_smallest(numbers, count, gamma):
    """Choose ``count`` of ``numbers`` with the least sum: ``sum(n x) + gamma * (sum(x) - count)**2``."""
    pairs = dict.fromkeys(combinations(range(len(numbers)), 2), 2 * gamma)
    single = {(k,): n + gamma * (1 - 2 * count) for k, n in enumerate(numbers)}
    return Qubo.of([f"x{k}" for k in range(len(numbers))], {(): gamma * count**2, **single, **pairs})


def test_what_no_state_fulfils_is_exhausted_only_if_all_were_shown():
    qubo = pick_smallest((15, 15, 15), 2, 1000)
    assert anneal_qubo(qubo, accept=lambda bits: False).exhausted
    assert anneal_qubo(qubo, accept=lambda bits: False, ground=30).exhausted
    assert not anneal_qubo(qubo, accept=lambda bits: False, reads=7).exhausted
    assert not anneal_qubo(qubo, accept=lambda bits: False, sampler="sa", reads=50, sweeps=9).exhausted
    assert not anneal_qubo(qubo, accept=lambda bits: True).exhausted
    assert not anneal_qubo(qubo).exhausted


def test_accept_is_asked_from_the_least_energy_up():
    qubo = pick_smallest((15, 21, 19), 2, 1000)
    asked = []

    def third(bits):
        asked.append(qubo.energy(bits))
        return len(asked) == 3

    outcome = anneal_qubo(qubo, accept=third)
    assert asked == [34, 36, 40]
    assert (outcome.energy, outcome.best, outcome.accepted, outcome.refused) == (40, 34, True, 2)


@pytest.mark.parametrize("sampler", ["sa", "tabu", "exact"])
def test_no_state_is_shown_twice_and_none_of_another_energy(sampler):
    qubo = pick_smallest((15, 15, 15), 2, 1000)
    asked = []
    outcome = anneal_qubo(qubo, sampler=sampler, reads=300, sweeps=5, ground=30, accept=asked.append)
    assert sorted(asked) == [(0, 1, 1), (1, 0, 1), (1, 1, 0)]
    assert (outcome.accepted, outcome.refused, outcome.energy) == (False, 3, 30)


def test_enough_hits_end_the_search_where_nothing_is_known():
    qubo = pick_smallest((15, 21, 19), 2, 1000)
    few = anneal_qubo(qubo, sampler="sa", reads=500, sweeps=50, enough=40)
    assert few.best == 34
    assert few.hits >= 40 > few.hits - 50
    assert few.reads < 500
    assert anneal_qubo(qubo, sampler="sa", reads=200, sweeps=50, enough=1, ground=33).reads == 200
    with pytest.raises(InputError, match="enough is 0"):
        anneal_qubo(qubo, enough=0)


def test_refusals():
    qubo = random_qubo(EXACT_LIMIT + 1, 1)
    with pytest.raises(DoesNotFitError, match="at most 20 variables, not 21: use sampler='sa' or 'tabu'"):
        anneal_qubo(qubo, sampler="exact")
    with pytest.raises(InputError, match="unknown sampler 'dwave': choose one of auto, sa, tabu, exact"):
        anneal_qubo(qubo, sampler="dwave")
    with pytest.raises(InputError, match="reads is 0"):
        anneal_qubo(qubo, reads=0)
    with pytest.raises(InputError, match="sweeps is -1"):
        anneal_qubo(qubo, sweeps=-1)
    with pytest.raises(InputError, match="the seed is -1"):
        anneal_qubo(qubo, seed=-1)


@pytest.mark.parametrize(("name", "seed"), [("inkala-2010", 0)])
def test_the_hardest_sudokus_from_all_729_variables(name, seed):
    puzzle = load(EXAMPLES / f"sudoku/{name}.txt")
    formula = published_qubo(puzzle, keep=True)
    assert formula.qubo.num_variables == 729
    outcome = anneal_qubo(
        formula.qubo, fixed=formula.fixed, seed=seed, accept=lambda bits: puzzle.check(formula.decode(bits)) == []
    )
    assert outcome.accepted
    assert formula.without_offset(outcome.energy) == -81
