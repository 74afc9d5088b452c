"""Choosing QAOA's angles, on a dense simulation of its own."""

import math
from dataclasses import dataclass
from functools import partial

import numpy as np
import pytest

from gatesolve.encodings import Mixer, ring_mixer
from gatesolve.errors import InputError
from gatesolve.pipelines.qaoa.angles import Units
from gatesolve.pipelines.qaoa.optimise import (
    ANGLE_CHOICES,
    GIBBS_FACTOR,
    choose_angles,
    make_landscape,
)
from gatesolve.simulate.qaoa import make_qaoa
from gatesolve.simulate.qaoa_objective import gibbs

SIZES = (3, 4)


@dataclass(frozen=True)
class Point:
    value: float
    gammas: np.ndarray
    betas: np.ndarray


def hop(mixer, size):
    """The mixers' generators; every hop is one factor, the Grover mixer another."""
    if mixer.kind == "grover":
        return [np.full((size, size), 1 / size)]
    found = []
    for a, b in mixer.hops:
        found.append(np.zeros((size, size)))
        found[-1][a, b] = found[-1][b, a] = 1
    return found


class Dense:
    """exp(-i angle generator) one after the other on the whole space, derivatives by the product rule."""

    def __init__(self, costs, sizes, mixers):
        self.costs, self.factor, whole = np.asarray(costs, dtype=float), [], math.prod(sizes)
        before = 1
        for number, (size, mixer) in enumerate(zip(sizes, mixers, strict=True)):
            for part in hop(mixer, size):
                wide = np.kron(np.kron(np.eye(whole // before // size), part), np.eye(before))
                self.factor.append((number, *np.linalg.eigh(wide), wide))
            before *= size
        self.mixers, self.calls = len(sizes), 0

    def tangents(self, gammas, betas):
        """The state, and its derivative by each angle."""
        state = np.full(len(self.costs), len(self.costs) ** -0.5, dtype=complex)
        moved = np.zeros((len(gammas), 1 + self.mixers, len(state)), dtype=complex)
        for layer, gamma in enumerate(gammas):
            turn = np.exp(-1j * gamma * self.costs)
            state, moved = turn * state, turn * moved
            moved[layer, 0] = -1j * self.costs * state
            for number, values, vectors, generator in self.factor:
                step = (vectors * np.exp(-1j * betas[layer, number] * values)) @ vectors.T
                state, moved = step @ state, moved @ step.T
                moved[layer, 1 + number] += -1j * generator @ state
        return state, moved

    def slope(self, gammas, betas, weigh=lambda costs: costs):
        self.calls += 1
        state, moved = self.tangents(gammas, betas)
        slope = 2 * np.real(moved @ (weigh(self.costs) * state).conj())
        return Point(float(np.abs(state) ** 2 @ weigh(self.costs)), slope[:, 0], slope[:, 1:])

    def value(self, gammas, betas):
        return self.slope(gammas, betas).value


RINGS = (ring_mixer(3), ring_mixer(4))


def puzzle(mixers=RINGS, seed=3):
    costs = np.random.default_rng(seed).integers(0, 4, math.prod(SIZES))
    dense = Dense(costs, SIZES, mixers)
    return dense, make_landscape(Units.of(costs, SIZES, mixers), dense.value, dense.slope), list(mixers)


@pytest.mark.parametrize("columns", [2, 3])
def test_the_gradient_of_a_schedule_is_that_of_finite_differences(columns):
    _, land, _ = puzzle((ring_mixer(3), Mixer("grover")))
    schedule = np.random.default_rng(1).normal(0.3, 0.4, (3, columns))
    value, gradient = land.slope(schedule)
    assert math.isclose(value, land.value(schedule))
    for place in np.ndindex(schedule.shape):
        step = np.zeros_like(schedule)
        step[place] = 1e-5
        assert math.isclose(
            (land.value(schedule + step) - land.value(schedule - step)) / 2e-5, gradient[place], abs_tol=1e-7
        )


@pytest.mark.parametrize("choice", ANGLE_CHOICES)
def test_every_choice_is_better_than_chance_and_says_what_it_did(choice):
    dense, land, mixers = puzzle()
    seen = []
    found = choose_angles(choice, 3, land, mixers, evaluations=200, report=lambda *told: seen.append(told))
    assert found.value < dense.costs.mean() - 0.5
    assert math.isclose(found.value, dense.value(found.angles.gammas, found.angles.betas))
    assert found.evaluations == len(seen) <= 200
    assert [done for done, _, _ in seen] == list(range(1, len(seen) + 1))
    best = [least for _, least, _ in seen]
    assert best == sorted(best, reverse=True)
    assert found.value == best[-1] >= min(value for _, _, value in seen)
    assert found.angles.betas.shape == (3, 2)


@pytest.mark.parametrize("budget", [1, 5, 9, 10, 19, 30])
@pytest.mark.parametrize("multi", [False, True])
def test_a_budget_is_never_exceeded(budget, multi):
    dense, land, mixers = puzzle()
    found = choose_angles("optimised", 3, land, mixers, evaluations=budget, multi=multi)
    assert found.evaluations == dense.calls == budget


@pytest.mark.parametrize("choice", ANGLE_CHOICES)
def test_no_layers_leave_nothing_to_choose(choice):
    dense, land, mixers = puzzle()
    found = choose_angles(choice, 0, land, mixers)
    assert (len(found.angles.gammas), found.evaluations, found.start) == (0, 1, "uniform")
    assert math.isclose(found.value, dense.costs.mean())


def test_bad_values_and_names_are_refused():
    _, land, mixers = puzzle()
    broken = make_landscape(land.units, lambda *_: math.nan, lambda g, b: Point(math.nan, g, b))
    for choice in ANGLE_CHOICES:
        with pytest.raises(InputError, match="check the costs"):
            choose_angles(choice, 2, broken, mixers)
    with pytest.raises(InputError, match="optimised, transfer, ramp"):
        choose_angles("best", 2, land, mixers)


@pytest.mark.quick("3-*")
@pytest.mark.parametrize(("layers", "chance"), [(3, 0.57), (8, 0.99)])
def test_the_four_cell_kakuro_is_solved_by_its_costs(layers, chance):
    cells = np.unravel_index(np.arange(256), (4, 4, 4, 4), order="F")
    runs = (((0, 1), 3), ((0, 2), 3), ((2, 3), 4), ((1, 3), 4))
    costs = sum((cells[i] + cells[j] != total) | (cells[i] == cells[j]) for (i, j), total in runs) + np.zeros(256, int)
    mixers = [ring_mixer(4)] * 4
    machine, goal = make_qaoa(costs, (4,) * 4, mixers), gibbs(GIBBS_FACTOR / costs.std())
    value, slope = partial(machine.value, objective=goal), partial(machine.slope, objective=goal)
    land = make_landscape(Units.of(costs, (4,) * 4, mixers), value, slope)
    found = choose_angles("optimised", layers, land, mixers, multi=False)
    state = machine.run(found.angles.gammas, found.angles.betas)
    assert float((np.abs(state) ** 2)[costs == 0].sum()) >= chance
