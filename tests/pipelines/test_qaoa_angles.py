"""Where QAOA's angles start: units, ramps, the table, interpolation and what does not fit."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatesolve.encodings import Mixer, complete_mixer, ring_mixer
from gatesolve.encodings.mixer import x_mixer
from gatesolve.errors import DoesNotFitError, InputError
from gatesolve.pipelines.qaoa.angles import (
    MOST_LAYERS,
    Units,
    check_layers,
    cost_spread,
    interpolate_schedule,
    mixer_unit,
    ramp,
    stretch_schedule,
    transfer,
    transfers,
)


def matrix(mixer, size):
    """The sum of the hops, or the projector on the uniform superposition."""
    if mixer.kind in ("grover", "grover-global"):
        return np.full((size, size), 1 / size)
    total = np.zeros((size, size))
    for a, b in mixer.hops:
        total[a, b] = total[b, a] = 1
    return total


MIXERS = [
    (make(size), size) for size in range(2, 9) for make in (ring_mixer, complete_mixer, lambda size: Mixer("grover"))
]
MIXERS += [(x_mixer(range(size)), size) for size in (2, 4, 8)]


@pytest.mark.parametrize(("mixer", "size"), MIXERS, ids=lambda value: getattr(value, "kind", value))
def test_a_unit_is_two_over_the_gap_below_the_uniform_state(mixer, size):
    values, vectors = np.linalg.eigh(matrix(mixer, size))
    assert np.allclose(np.abs(vectors[:, -1]), 1 / math.sqrt(size))
    assert math.isclose(
        mixer_unit(mixer, size), min(2 / (values[-1] - values[-2]), 1.0 if mixer.kind == "xy-ring" else 2.0)
    )


def test_the_spread_is_that_within_blocks():
    rows, columns = np.arange(3.0), 10 * np.arange(4.0)
    costs = (rows[None, :] + columns[:, None]).reshape(-1)
    assert math.isclose(cost_spread(costs, (3, 4)), math.sqrt((rows.var() + columns.var()) / 2))
    assert math.isclose(cost_spread(costs, (12,)), costs.std())
    assert math.isclose(cost_spread(costs, (3, 1, 4)), cost_spread(costs, (3, 4)))
    assert cost_spread(np.full(12, 7), (3, 4)) == 0
    assert cost_spread([5], ()) == cost_spread([5], (1, 1)) == 0


@given(st.lists(st.integers(-50, 50), min_size=24, max_size=24), st.integers(1, 9))
def test_a_cost_in_other_units_has_the_same_schedule(costs, factor):
    once, more = (Units.of(np.array(costs) * k + k, (2, 3, 4), [ring_mixer(d) for d in (2, 3, 4)]) for k in (1, factor))
    schedule = ramp(3, 1.0, 0.7)
    assert np.allclose(once.angles(schedule).gammas, more.angles(schedule).gammas * (factor if once.spread else 1))
    assert np.allclose(once.angles(schedule).betas, more.angles(schedule).betas)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_a_cost_that_is_no_number_is_refused(bad):
    with pytest.raises(InputError, match="codeword 2"):
        Units.of([0, 1, bad, 3], (2, 2), [ring_mixer(2), ring_mixer(2)])


def test_angles_are_a_schedule_in_units():
    costs = np.array([0, 2, 0, 2, 4, 6, 4, 6, 0, 2, 0, 2])
    units = Units.of(costs, (2, 6), [ring_mixer(2), Mixer("grover")])
    schedule = np.array([[1.0, -0.5], [2.0, -0.25]])
    angles = units.angles(schedule)
    assert len(angles.gammas) == 2
    assert np.allclose(angles.gammas, schedule[:, 0] / units.spread)
    assert np.allclose(angles.betas, [[-0.5, -1.0], [-0.25, -0.5]])
    wide = units.angles(np.array([[1.0, -0.5, -0.1]]))
    assert np.allclose(wide.betas, [[-0.5, -0.2]])
    alone = Units.of(costs, (2, 6), [Mixer("grover-global")])
    assert alone.mixers == (2.0,)
    assert math.isclose(alone.spread, costs.std())


@pytest.mark.parametrize("layers", [1, 2, 5])
def test_interpolation_is_the_published_rule(layers):
    schedule = np.random.default_rng(layers).normal(size=(layers, 3))
    longer = interpolate_schedule(schedule)
    known = np.concatenate([np.zeros((1, 3)), schedule, np.zeros((1, 3))])
    for i in range(1, layers + 2):
        assert np.allclose(longer[i - 1], (i - 1) / layers * known[i - 1] + (layers - i + 1) / layers * known[i])
    assert np.allclose(stretch_schedule(schedule, layers + 3), interpolate_schedule(interpolate_schedule(longer)))


@pytest.mark.parametrize("layers", [0, 1, 7, 30])
def test_transfer_has_any_depth(layers):
    mixers = [Mixer("grover"), ring_mixer(4), ring_mixer(4)]
    assert transfer(layers, mixers).shape == (layers, 2)
    named = list(transfers(layers, mixers))
    assert len(named) == 9
    assert any(np.array_equal(schedule, transfer(layers, mixers)) for _, schedule in named)


def test_depths_that_do_not_fit_say_what_does():
    check_layers(0, (4, 4))
    check_layers(MOST_LAYERS, (4, 4))
    with pytest.raises(InputError, match="0 layers"):
        check_layers(-1, (4, 4))
    with pytest.raises(DoesNotFitError, match=f"100000 QAOA layers .* layers={MOST_LAYERS} or fewer"):
        check_layers(10**5, (4, 4))
    with pytest.raises(DoesNotFitError, match="layers=682 or fewer"):
        check_layers(MOST_LAYERS, (4,) * 12)
