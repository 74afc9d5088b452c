"""Samples of a nested search follow its three amplitudes, on codewords of the right kind."""

import math

import numpy as np
import pytest

from gatesolve.simulate import Marked, NestedState

SIZES = (3, 4, 5)


def state(success, chance=0.75, blocks=(0, 2), passing=(1, 4, 9), marked=(1, 16)):
    """Codewords are numbered in mixed radix, the first block the fastest; of blocks 0 and 2, 15 codewords."""
    marks = Marked(math.prod(SIZES), np.array(marked))
    return NestedState(marks, SIZES, blocks, np.array(passing), chance, success)


def inside(number):
    """The number of a codeword among those of blocks 0 and 2."""
    first, _, third = number % 3, number // 3 % 4, number // 12
    return first + 3 * third


def test_each_kind_is_drawn_as_often_as_its_probability_says():
    shots = 200_000
    counts = state(0.4, marked=(1, 16)).sample(shots, 7)
    assert sum(counts.values()) == shots
    shares = {"marked": 0, "passes": 0, "fails": 0}
    for number, times in counts.items():
        kind = "marked" if number in (1, 16) else "passes" if inside(number) in (1, 4, 9) else "fails"
        shares[kind] += times / shots
    near = 0.75 * 10 / 12
    assert shares["marked"] == pytest.approx(0.4, abs=0.01)
    assert shares["passes"] == pytest.approx(0.6 * near / (near + 0.25), abs=0.01)
    assert shares["fails"] == pytest.approx(0.6 * 0.25 / (near + 0.25), abs=0.01)
    assert len(counts) == 60


def test_within_a_kind_all_are_alike():
    counts = state(0.4).sample(200_000, 3)
    fails = [times for number, times in counts.items() if inside(number) not in (1, 4, 9)]
    assert len(fails) == 48
    assert max(fails) < 1.25 * min(fails)


def test_all_that_passes_is_marked_and_all_passes():
    counts = state(0.5, chance=1.0, marked=[n for n in range(60) if inside(n) in (1, 4, 9)]).sample(1000, 0)
    assert {inside(number) in (1, 4, 9) for number in counts} == {True}
    every = state(0.0, passing=range(15), chance=1.0, marked=()).sample(5000, 0)
    assert len(every) == 60


def test_a_seed_gives_the_same_sample():
    assert state(0.4).sample(100, 1) == state(0.4).sample(100, 1) != state(0.4).sample(100, 2)
