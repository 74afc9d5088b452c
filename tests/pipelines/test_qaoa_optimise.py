"""Choosing QAOA's angles."""

import math
import re
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
from dense_qaoa import generators
from hypothesis import given
from hypothesis import strategies as st

import gatesolve
from gatesolve.encodings import Mixer, complete_mixer, ring_mixer, x_mixer
from gatesolve.errors import DoesNotFitError, InputError
from gatesolve.pipelines.qaoa.angles import (
    AngleLoss,
    Units,
    choose_angles,
    cost_spread,
    fix,
    interpolate_schedule,
    mixer_unit,
    ramp,
    stretch_schedule,
    transfer,
    transfers,
)
from gatesolve.pipelines.qaoa.compile import GIBBS_FACTOR, MOST_LAYERS, check_layers
from gatesolve.qubo import Qubo
from gatesolve.simulate import gibbs, make_qaoa

SIZES = (3, 4)
CHOSEN = ("optimised", "transfer", "ramp")


class Counted:
    """QAOA in the space, which counts how often it is asked."""

    def __init__(self, costs, mixers):
        self.costs, self.ansatz, self.calls = costs, make_qaoa(costs, SIZES, mixers), 0

    def value(self, gammas, betas):
        self.calls += 1
        return self.ansatz.value(gammas, betas)

    def slope(self, gammas, betas):
        self.calls += 1
        return self.ansatz.slope(gammas, betas)


RINGS = (ring_mixer(3), ring_mixer(4))


def puzzle(mixers=RINGS, seed=3):
    costs = np.random.default_rng(seed).integers(0, 4, math.prod(SIZES))
    counted = Counted(costs, mixers)
    return counted, AngleLoss(Units.of(costs, SIZES, mixers), counted.value, counted.slope), list(mixers)


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


@pytest.mark.quick(1)
@pytest.mark.parametrize("choice", CHOSEN)
def test_every_choice_is_better_than_chance_and_says_what_it_did(choice):
    counted, land, mixers = puzzle()
    seen = []
    found = choose_angles(choice, 3, land, mixers, evaluations=200, report=lambda *told: seen.append(told))
    assert found.value < counted.costs.mean() - 0.5
    assert math.isclose(found.value, counted.value(found.angles.gammas, found.angles.betas))
    assert found.evaluations == len(seen) <= 200
    assert [done for done, _, _ in seen] == list(range(1, len(seen) + 1))
    best = [least for _, least, _ in seen]
    assert best == sorted(best, reverse=True)
    assert found.value == best[-1] >= min(value for _, _, value in seen)
    assert found.angles.betas.shape == (3, 2)


@pytest.mark.parametrize(("seed", "layers"), [(0, 1), (3, 4), (5, 8)])
def test_transferred_angles_are_never_worse_than_a_ramp_or_fixed_ones(seed, layers):
    # A penalty makes nearly all of the costs' spread; schedules of the table alone are worse than a ramp there.
    draw = np.random.default_rng(seed)
    costs = draw.integers(0, 9, 64) + 60 * (np.array([n.bit_count() for n in range(64)]) - 2) ** 2
    mixers = [x_mixer(range(2))] * 6
    machine = make_qaoa(costs, (2,) * 6, mixers)
    land = AngleLoss(Units.of(costs, (2,) * 6, mixers), machine.value, machine.slope)
    found = {name: choose_angles(name, layers, land, mixers, fixed=fix(layers, None)) for name in (*CHOSEN, "fixed")}
    assert found["transfer"].value <= min(found["ramp"].value, found["fixed"].value)
    assert found["optimised"].value <= found["transfer"].value


@pytest.mark.parametrize("budget", [1, 5, 9, 10, 19, 30])
@pytest.mark.parametrize("multi", [False, True])
def test_a_budget_is_never_exceeded(budget, multi):
    counted, land, mixers = puzzle()
    found = choose_angles("optimised", 3, land, mixers, evaluations=budget, multi=multi)
    assert found.evaluations == counted.calls == budget


@pytest.mark.parametrize("choice", CHOSEN)
def test_no_layers_leave_nothing_to_choose(choice):
    counted, land, mixers = puzzle()
    found = choose_angles(choice, 0, land, mixers)
    assert (len(found.angles.gammas), found.evaluations, found.start) == (0, 1, "uniform")
    assert math.isclose(found.value, counted.costs.mean())


def test_bad_values_and_names_are_refused():
    _, land, mixers = puzzle()
    broken = AngleLoss(land.units, lambda *_: math.nan, lambda g, b: SimpleNamespace(value=math.nan, gammas=g, betas=b))
    for choice in CHOSEN:
        with pytest.raises(InputError, match="check the costs"):
            choose_angles(choice, 2, broken, mixers)


@pytest.mark.sampled(0.3)
@pytest.mark.quick("3-*")
@pytest.mark.parametrize(("layers", "chance"), [(3, 0.57), (8, 0.99)])
def test_the_four_cell_kakuro_is_solved_by_its_costs(layers, chance):
    cells = np.unravel_index(np.arange(256), (4, 4, 4, 4), order="F")
    runs = (((0, 1), 3), ((0, 2), 3), ((2, 3), 4), ((1, 3), 4))
    costs = sum((cells[i] + cells[j] != total) | (cells[i] == cells[j]) for (i, j), total in runs) + np.zeros(256, int)
    mixers = [ring_mixer(4)] * 4
    machine, goal = make_qaoa(costs, (4,) * 4, mixers), gibbs(GIBBS_FACTOR / costs.std())
    value, slope = partial(machine.value, loss=goal), partial(machine.slope, loss=goal)
    land = AngleLoss(Units.of(costs, (4,) * 4, mixers), value, slope)
    found = choose_angles("optimised", layers, land, mixers, multi=False)
    state = machine.run(found.angles.gammas, found.angles.betas)
    assert float((np.abs(state) ** 2)[costs == 0].sum()) >= chance


# --- Where QAOA's angles start: units, ramps, the table, interpolation and what does not fit ---


MIXERS = [
    (make(size), size) for size in range(2, 9) for make in (ring_mixer, complete_mixer, lambda size: Mixer("grover"))
]
MIXERS += [(x_mixer(range(size)), size) for size in (2, 4, 8)]


@pytest.mark.parametrize(("mixer", "size"), MIXERS, ids=lambda value: getattr(value, "kind", value))
def test_a_unit_is_two_over_the_gap_below_the_uniform_state(mixer, size):
    values, vectors = np.linalg.eigh(sum(generators(mixer, size)))
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


def test_one_cost_a_codeword():
    with pytest.raises(InputError, match="each of 4 codewords"):
        Units.of([0, 1, 2], (2, 2), [ring_mixer(2), ring_mixer(2)])


# --- Fixed angles ---


def count_cut(edges):
    """The QUBO of minus the number of cut edges."""
    size = 1 + max(max(edge) for edge in edges)
    linear = {(v,): -sum(v in edge for edge in edges) for v in range(size)}
    return Qubo.of(tuple(f"x{v}" for v in range(size)), linear | dict.fromkeys(edges, 2))


HEAWOOD = [(v, (v + 1) % 14) for v in range(14)] + [(v, (v + 5) % 14) for v in range(0, 14, 2)]
CUTS = [(HEAWOOD, 2, 0.75590), ([(a, 4 + b) for a in range(4) for b in range(4)], 1, 0.66238)]


@pytest.mark.parametrize(("edges", "layers", "share"), CUTS)
def test_fixed_angles_cut_the_published_share_of_a_graph_without_short_cycles(monkeypatch, edges, layers, share):
    # arXiv:2107.00677: exact where no cycle has 2 p + 1 edges or fewer, for any sizes of the couplings.
    options = {"pipeline": "qaoa", "layers": layers, "angles": "fixed", "presolve": "none"}
    made = gatesolve.compile(count_cut([tuple(sorted(edge)) for edge in edges]), **options)
    details = made.details
    mean = np.abs(details.state) ** 2 @ details.ranked.costs * float(details.ranked.cost.unit)
    assert -(mean + float(details.ranked.cost.base)) / len(edges) == pytest.approx(share, abs=2e-5)
    assert details.outcome.evaluations == 1
    monkeypatch.setattr("gatesolve.pipelines.qaoa.compile.SPACE_LIMIT", 1)
    large = gatesolve.compile(count_cut([tuple(sorted(edge)) for edge in edges]), **options)
    first, second = (re.split(r"[(,) ]+", compiled.program.qasm2()) for compiled in (made, large))
    assert all(a == b or float(a) == pytest.approx(float(b)) for a, b in zip(first, second, strict=True))
    assert any("regular graphs" in note for note in large.notes)


def test_fixed_angles_are_for_two_values_and_named():
    triangle = count_cut([(0, 1), (1, 2), (0, 2)])
    for layers, name in [(3, "3-regular graphs"), (30, "Sherrington-Kirkpatrick")]:
        found, schedule = fix(layers, 3)
        assert found == name
        assert schedule.shape == (layers, 2)
    for problem, options in [("x in 0..3; x == 2", {"encoding": "binary"}), (triangle, {"mixer": "grover-global"})]:
        with pytest.raises(InputError, match="fixed' are for variables of two values"):
            gatesolve.compile(problem, pipeline="qaoa", angles="fixed", presolve="none", **options)
    with pytest.raises(InputError, match="share a beta of angles='ramp': leave out betas"):
        gatesolve.compile(triangle, pipeline="qaoa", angles="ramp", betas="own")
    for idle in ({"evaluations": 9}, {"angle_loss": "mean"}, {"betas": "own"}):
        with pytest.raises(InputError, match="fixed angles are taken as they are: leave out"):
            gatesolve.compile(triangle, pipeline="qaoa", angles="fixed", **idle)
