"""Iteration counts, success probability and the search with an unknown number of solutions."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatesolve.pipelines import best_iterations, search_unknown, success_probability


@st.composite
def size_and_marked(draw, most=1 << 24):
    size = draw(st.integers(1, most))
    return size, draw(st.integers(1, size))


def angle(size, marked):
    return math.atan2(math.sqrt(marked), math.sqrt(size - marked))


@given(size_and_marked(), st.integers(0, 50))
def test_success_probability_is_the_rotated_angle(case, iterations):
    assert success_probability(*case, iterations) == pytest.approx(
        math.sin((2 * iterations + 1) * angle(*case)) ** 2, abs=1e-9
    )


def test_nothing_is_found_where_nothing_is_marked():
    assert success_probability(0, 0, 3) == success_probability(24, 0, 3) == 0
    assert best_iterations(24, 0) == 0


@given(size_and_marked())
def test_best_iterations_is_the_first_peak(case):
    """No count up to one beyond the first maximum of the sine is likelier to succeed."""
    best = best_iterations(*case)
    most = math.floor(math.pi / (4 * angle(*case)) + 0.5)
    for other in {*range(max(0, most - 4), most + 1), *range(min(most, 4)), most // 2}:
        gain = success_probability(*case, other) - success_probability(*case, best)
        assert gain < 1e-12
        if other < best:
            assert gain < 0


def ideal_sampler(size, marked, seed):
    """Measures as a perfect circuit would: state number 0 ... marked-1 is a solution."""
    draw = np.random.default_rng(seed)
    asked = []

    def sample(iterations):
        asked.append(iterations)
        hit = draw.random() < success_probability(size, marked, iterations)
        return {"state": int(draw.integers(0, marked) if hit else draw.integers(marked, size))}

    return sample, asked


MIXES = [
    (2, 1),
    (4, 1),
    (24, 1),
    (24, 23),
    (256, 2),
    (7, 7),
]


@pytest.mark.parametrize(("size", "marked"), MIXES)
def test_search_unknown_finds_a_solution_within_the_expected_calls(size, marked):
    calls = []
    for seed in range(200):
        sample, asked = ideal_sampler(size, marked, seed + 1000)
        outcome = search_unknown(sample, lambda found: found["state"] < marked, size, seed)
        assert outcome.solution is not None
        assert outcome.solution["state"] < marked
        assert outcome.missed == 0
        assert outcome.oracle_calls == sum(asked) + len(asked)
        assert outcome.iterations == asked[-1]
        assert max(asked) < max(math.sqrt(size) + 1, 2)
        calls.append(outcome.oracle_calls)
    assert np.mean(calls) <= 9 / 2 * math.sqrt(size)


def expected_calls(size, marked):
    """The exact mean number of oracle calls, over all draws of the schedule."""
    bound, alive, total = 1.0, 1.0, 0.0
    while alive > 1e-12:
        choices = math.ceil(bound)
        total += alive * ((choices - 1) / 2 + 1)
        alive *= 1 - sum(success_probability(size, marked, k) for k in range(choices)) / choices
        bound = min(bound * 6 / 5, math.sqrt(size))
    return total


@pytest.mark.parametrize(("size", "marked"), [(24, 1), (24, 2), (256, 2), (1000, 1)])
def test_search_unknown_draws_its_iterations_by_the_stated_schedule(size, marked):
    calls = []
    for seed in range(600):
        sample, _ = ideal_sampler(size, marked, seed + 1)
        calls.append(search_unknown(sample, lambda found: found["state"] < marked, size, seed).oracle_calls)
    error = np.std(calls) / math.sqrt(len(calls))
    assert np.mean(calls) == pytest.approx(expected_calls(size, marked), abs=4 * error)


@pytest.mark.parametrize("size", [2, 3, 24, 1000])
@pytest.mark.parametrize("rounds", [1, 3, 10])
def test_search_unknown_gives_up_with_a_stated_miss(size, rounds):
    seen, asked = [], []

    def sample(iterations):
        asked.append(iterations)
        return {"state": 0} if len(asked) % 2 else None

    def progress(done, total):
        seen.append((done, total))

    outcome = search_unknown(sample, lambda _: False, size, 7, rounds=rounds, progress=progress)
    span = math.ceil(9 * math.sqrt(size))
    assert outcome.solution is None
    assert outcome.missed == 2.0**-rounds
    assert outcome.oracle_calls == sum(asked) + len(asked)
    assert rounds * span <= outcome.oracle_calls <= rounds * (span + math.sqrt(size) + 1)
    assert seen == sorted(seen)
    assert seen[-1] == (rounds * span, rounds * span)
    repeated = search_unknown(lambda _: None, lambda _: True, size, 7, rounds=rounds)
    assert repeated == outcome


def test_every_round_starts_small_and_is_whole():
    """The miss is 2^-rounds because rounds are independent and each makes 9 sqrt(size) calls."""
    size, asked = 10_000, []
    search_unknown(asked.append, lambda _: True, size, 3, rounds=2)
    calls = np.cumsum(np.array(asked) + 1)
    first = int(np.searchsorted(calls, 900)) + 1
    assert asked[0] == asked[first] == 0
    assert max(asked[:4]) <= 1
    assert max(asked[first : first + 4]) <= 1
    assert calls[-1] - calls[first - 1] >= 900
