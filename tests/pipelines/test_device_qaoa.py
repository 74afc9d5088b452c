"""Angles tuned on a device that is off: recovered from shots, resumed anywhere, and never from another search."""

import json
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from contest_kakuro import K4
from hypothesis import given, settings
from hypothesis import strategies as st

import gatesolve
from gatesolve.errors import InputError
from gatesolve.pipelines.converter import structure, unstructure
from gatesolve.pipelines.qaoa.angles import Units
from gatesolve.pipelines.qaoa.device_tuning import (
    TuningEnd,
    TuningOutcome,
    TuningPlan,
    TuningRequest,
    measure_aim,
    next_round,
)
from gatesolve.simulate.qaoa import make_qaoa
from gatesolve.simulate.qaoa_objective import cvar, expectation, gibbs
from gatesolve.simulate.qaoa_plan import make_diagonal


@cache
def ansatz_of(layers):
    return gatesolve.compile(K4, pipeline="qaoa", presolve="none", encoding="one-hot", layers=layers).details


class Device:
    """The exact simulator, with all gammas and betas scaled, and a share of shots that are noise or no codewords."""

    def __init__(self, layers, gamma=1.0, beta=1.0, noise=0.0, outside=0.0, **choices):
        self.ansatz = ansatz_of(layers)
        costs = self.ansatz.ranked.costs
        sizes = [block.size for block in self.ansatz.ranked.space.blocks]
        self.costs, self.simulator = costs, make_qaoa(costs, sizes, self.ansatz.mixers)
        self.off, self.noise, self.outside = (gamma, beta), noise, outside
        schedule, units = self.ansatz.outcome.schedule, Units.of(costs, sizes, self.ansatz.mixers)
        factor = 2 / float(costs.std())
        self.plan = TuningPlan.of("K4", schedule, units, **{"factor": factor, **choices})

    def shares(self, angles):
        exact = np.abs(self.simulator.run(angles.gammas * self.off[0], angles.betas * self.off[1])) ** 2
        return (1 - self.noise) * exact / exact.sum() + self.noise / len(exact)

    def success(self, angles):
        return float(self.shares(angles)[self.ansatz.best].sum())

    def run(self, request):
        measured = []
        for place, rows in enumerate(request.schedules):
            rng = np.random.default_rng((request.round, place, 5))
            shots = rng.binomial(request.shots, 1 - self.outside)
            found = rng.multinomial(shots, self.shares(self.plan.angles(rows)))
            by_level = {}
            for number in np.flatnonzero(found):
                cost = int(self.costs[number])
                by_level[cost] = by_level.get(cost, 0) + int(found[number])
            measured.append(by_level)
        return TuningOutcome.of(request, measured)

    def tuned(self):
        history = []
        while not isinstance(now := next_round(self.plan, tuple(history)), TuningEnd):
            history.append(self.run(now))
        return now, tuple(history)


def last_angles(device, history):
    return device.plan.angles(history[-1].request.schedules[0])


@pytest.mark.parametrize(("gamma", "beta", "noise"), [(0.8, 1.0, 0.0), (0.87, 1.0, 0.0), (0.85, 1.1, 0.5)])
def test_most_of_what_a_device_that_is_off_loses_is_recovered(gamma, beta, noise):
    device = Device(4, gamma, beta, noise, outside=0.2)
    found, history = device.tuned()
    uniform = device.ansatz.best.mean()
    perfect = (1 - noise) * device.ansatz.success_probability + noise * uniform
    start = device.success(device.plan.angles(device.plan.schedule))
    end = device.success(last_angles(device, history))
    assert perfect - start > 0.05
    assert end - start > 0.75 * (perfect - start)
    assert found.best.mean < found.start.mean
    assert len(history) == 6
    assert history[-1].request.kind == "final"


def test_angles_of_a_perfect_device_are_left_nearly_as_they_are():
    device = Device(2)
    _, history = device.tuned()
    assert device.success(last_angles(device, history)) > 0.97 * device.ansatz.success_probability


@pytest.mark.parametrize("aim", [("mean", 1.0), ("cvar", 0.5)])
def test_other_aims(aim):
    device = Device(2, 0.8, aim=aim[0], factor=aim[1])
    _, history = device.tuned()
    assert device.success(last_angles(device, history)) > device.success(device.plan.angles(device.plan.schedule))


def through_json(thing):
    return structure(json.loads(json.dumps(unstructure(thing), allow_nan=False)), type(thing))


def test_it_is_resumed_anywhere_with_the_same_requests():
    device = Device(2, 0.8, outside=0.1, rounds=3, batch=9, seed=4)
    found, history = device.tuned()
    plan = through_json(device.plan)
    assert plan == device.plan
    assert plan.key() == device.plan.key()
    saved = tuple(through_json(outcome) for outcome in history)
    assert saved == history
    for done in range(len(history)):
        again = next_round(plan, saved[:done])
        assert again == history[done].request
        assert through_json(again) == again
        assert device.run(again) == history[done]
    assert next_round(plan, saved) == found
    assert next_round(plan, ()) == history[0].request


def test_a_round_is_one_batch():
    device = Device(2, 0.8, rounds=3, batch=9, shots=100, final_shots=300)
    _, history = device.tuned()
    kinds = [(o.request.kind, len(o.request.schedules), o.request.shots) for o in history]
    assert kinds[0] == ("scan", 9, 100)
    assert [kind for kind, *_ in kinds[1:]] == ["explore", "explore", "compare", "final"]
    assert all(size <= 9 for _, size, _ in kinds)
    assert kinds[-1] == ("final", 1, 300)
    small = Device(1, rounds=2, batch=3)
    assert [(o.request.kind, len(o.request.schedules)) for o in small.tuned()[1]][:2] == [("explore", 3)] * 2


def test_no_rounds_measure_the_start_alone():
    device = Device(2, rounds=0)
    found, history = device.tuned()
    assert len(history) == 1
    assert history[0].request.schedules == (device.plan.schedule,)
    assert found.best == found.start


def test_betas_of_their_own():
    device = Device(2, 0.8, rounds=2)
    rows = tuple((gamma, *([beta] * len(device.plan.mixers))) for gamma, beta in device.plan.schedule)
    device.plan = replace(device.plan, schedule=rows)
    _, history = device.tuned()
    assert last_angles(device, history).betas.shape == (2, len(device.plan.mixers))
    assert device.success(last_angles(device, history)) > device.success(device.plan.angles(rows))


# Values.


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.integers(-5, 40), st.integers(1, 50), min_size=1, max_size=8))
def test_values_are_those_of_the_simulation(counts):
    costs = np.repeat(list(counts), list(counts.values()))
    given_levels = make_diagonal(costs)
    weights = np.bincount(given_levels.index, minlength=len(given_levels.values)) / len(costs)
    pairs = tuple(sorted(counts.items()))
    for aim, factor, exact in (("mean", 1.0, expectation), ("cvar", 0.3, cvar(0.3)), ("gibbs", 0.4, gibbs(0.4))):
        assert np.isclose(measure_aim(pairs, aim, factor).mean, exact(given_levels.values, weights)[0])
    assert measure_aim((), "mean", 1.0) is None


@pytest.mark.parametrize(("aim", "factor"), [("mean", 1.0), ("cvar", 0.4), ("gibbs", 0.7)])
def test_standard_errors_are_those_of_repeated_measurement(aim, factor):
    rng = np.random.default_rng(2)
    costs, shares = np.array([0, 1, 3, 6]), np.array([0.2, 0.3, 0.3, 0.2])
    found = [measure_aim(tuple(zip(costs, rng.multinomial(800, shares), strict=True)), aim, factor) for _ in range(500)]
    spread = np.std([v.mean for v in found])
    assert 0.85 < np.mean([v.error for v in found]) / spread < 1.15


def test_rounds_without_a_codeword_are_survived():
    device = Device(2, outside=1.0)
    found, history = device.tuned()
    assert history[-1].request.schedules == (device.plan.schedule,)
    assert found.best is None


# What is refused.


def test_history_of_another_search_is_refused():
    device = Device(1, rounds=1)
    _, history = device.tuned()
    for other in ({"problem": "K7"}, {"seed": 1}, {"shots": 99}, {"factor": 0.5}):
        with pytest.raises(InputError, match="another problem, device or options"):
            next_round(replace(device.plan, **other), history[:1])
    with pytest.raises(InputError, match="at other angles"):
        next_round(device.plan, history[1:2])
    moved = tuple(tuple((g + 0.01, b) for g, b in rows) for rows in history[0].request.schedules)
    wrong = replace(history[0], request=replace(history[0].request, schedules=moved))
    with pytest.raises(InputError, match="at other angles"):
        next_round(device.plan, (wrong,))
    with pytest.raises(InputError, match="4 rounds were measured in a search of 3"):
        next_round(device.plan, (*history, history[-1]))


def test_angles_that_another_machine_rounds_otherwise_are_taken():
    device = Device(1, 0.8, rounds=2)
    _, history = device.tuned()
    near = tuple(tuple((g + 1e-12, b) for g, b in rows) for rows in history[1].request.schedules)
    again = replace(history[1], request=replace(history[1].request, schedules=near))
    assert next_round(device.plan, (history[0], again)).same(next_round(device.plan, history[:2]))


@pytest.fixture(scope="module")
def sound():
    device = Device(1, rounds=1)
    return device.plan, device.run(next_round(device.plan, ()))


@pytest.mark.parametrize(
    "change",
    [{"version": 2}, {"schedule": []}, {"schedule": [[1.0]]}, {"schedule": [[float("nan"), 1.0]]},
     {"aim": "luck"}, {"factor": -1}, {"factor": "1"}, {"rounds": -1}, {"rounds": 10**9}, {"batch": 2}, {"shots": 0},
     {"shots": 1.5}, {"radius": 2}, {"seed": -1}, {"mixers": 3}, {"problem": None}, {"spread": 10**400}],
)  # fmt: skip
def test_damaged_plans_are_refused(sound, change):
    with pytest.raises(InputError, match=r"^the record of a job cannot be read \(.*\): it was damaged"):
        structure({**unstructure(sound[0]), **change}, TuningPlan)


@pytest.mark.parametrize(
    "change",
    [{"costs": []}, {"costs": 3}, {"costs": [[[0, -1]]]}, {"costs": [[[0, 10**9]]]}, {"costs": [[[1, 1], [0, 1]]]},
     {"costs": [[[0, 1, 2]]]}, {"costs": [[[0.5, 1]]]}, {"costs": [[[10**400, 1]]]}, {"request": None}],
)  # fmt: skip
def test_damaged_outcomes_are_refused(sound, change):
    data = {**unstructure(sound[1]), **change}
    if isinstance(data["costs"], list) and len(data["costs"]) == 1:
        data["costs"] *= len(sound[1].costs)
    with pytest.raises(InputError, match="damaged"):
        structure(data, TuningOutcome)


@pytest.mark.parametrize(
    "change",
    [{"kind": "more"}, {"kind": []}, {"schedules": [[["a", 1]]]}, {"search": 1}, {"round": None}, {"version": 0}],
)
def test_damaged_requests_are_refused(sound, change):
    with pytest.raises(InputError, match="damaged"):
        structure({**unstructure(sound[1].request), **change}, TuningRequest)
    for data in (None, [], 3):
        with pytest.raises(InputError, match="damaged"):
            structure(data, TuningRequest)
