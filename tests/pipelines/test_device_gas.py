"""The loop of adaptive search on devices, replayed from what was measured, and its bound checked by listing."""

import math

import numpy as np
import pytest

from gatesolve.pipelines.device import End
from gatesolve.pipelines.gas.pipeline import LOWEST, Batch, bound_miss, next_threshold
from gatesolve.pipelines.gas.search import iterations_ladder

RUNS = ((1, 100, 0.5), (2, 100, 0.4))


def test_the_threshold_follows_the_lowest_measured_cost():
    assert next_threshold(9, 0, 64, ()) == 9
    assert next_threshold(9, 0, 64, (Batch(RUNS, 4),)) == 4
    assert next_threshold(9, 0, 64, (Batch(RUNS, 4), Batch(RUNS, 1))) == 1


def test_it_ends_where_nothing_lower_can_be_or_was_found():
    assert next_threshold(9, 0, 64, (Batch(RUNS, 0),)) == End(LOWEST.format(""))
    for batches in ((Batch(RUNS, 4), Batch(RUNS, 4)), (Batch(RUNS, None),)):
        end = next_threshold(9, 0, 64, batches)
        assert isinstance(end, End)
        assert end.note.endswith(f"{bound_miss(64, RUNS):.2g}")


def test_a_cost_below_the_proven_floor_is_a_bug():
    with pytest.raises(ValueError, match="below the proven lowest"):
        next_threshold(9, 2, 64, (Batch(RUNS, 1),))


def test_the_ladder_ends_at_what_one_solution_needs():
    assert iterations_ladder(24) == (1, 2, 3)
    assert iterations_ladder(1 << 12)[-1] <= 50
    assert iterations_ladder(2) == (1,)


@pytest.mark.parametrize("size", [15, 22, 35, 100, 4096])
def test_one_step_of_the_ladder_shows_a_quarter_of_any_number_of_solutions(size):
    angle = np.arcsin(np.sqrt(np.arange(1, size + 1) / size))
    best = np.max([np.sin((2 * k + 1) * angle) ** 2 for k in iterations_ladder(size)], axis=0)
    assert best.min() > math.cos(math.pi / 3) ** 2


@pytest.mark.parametrize(
    ("size", "runs", "factor"),
    [
        *((size, ((1, 3, 0.6), (2, 2, 0.3)), 1 + 1e-9) for size in (5, 24, 300)),
        (1 << 18, ((1, 5, 0.9), (40, 5, 0.5), (300, 5, 0.2)), 1.001),
        # What many shots of many iterations leave unseen are narrow windows, between the points of any grid.
        (1 << 20, ((798, 4096, 1.0), (1, 1000, 1.0), (13, 4096, 0.1)), 1.2),
    ],
)
def test_the_bound_is_the_worst_over_all_numbers_of_solutions(size, runs, factor):
    share = np.arange(1, size + 1) / size
    angle = np.arcsin(np.sqrt(share))
    silence = np.zeros(size)
    for k, shots, f in runs:
        silence += shots * np.log1p(-np.minimum(f * np.sin((2 * k + 1) * angle) ** 2, 1 - 1e-15))
    worst = math.exp(silence.max())
    assert worst * (1 - 1e-9) <= bound_miss(size, runs) <= worst * factor
