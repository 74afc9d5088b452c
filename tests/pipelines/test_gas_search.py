"""The loop of Grover Adaptive Search on exactly simulated problems."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

import gatesolve
from gatesolve import Qubo
from gatesolve.errors import InputError
from gatesolve.oracle import Condition, threshold
from gatesolve.pipelines import Settings
from gatesolve.pipelines.gas.search import GasOutcome, GasState, Measurement, adaptive_search, count_calls, proof_runs
from gatesolve.simulate import list_marked, run_grover


class Simulated:
    """A space with the given costs, measured with the exact probabilities; counts its runs."""

    def __init__(self, costs: list[int] | np.ndarray, energies: list[Fraction] | None = None) -> None:
        self.costs = np.asarray(costs)
        self.energies = energies
        self.made: list[tuple[int, int, int]] = []

    def __call__(self, threshold: int, iterations: int, seed: int) -> Measurement:
        self.made.append((threshold, iterations, seed))
        (key,) = run_grover(list_marked(self.costs < threshold), iterations).sample(1, seed)
        cost = int(self.costs[key])
        return Measurement(key, cost, self.energies[key] if self.energies else Fraction(cost))


def search(costs: list[int] | np.ndarray, seed: int = 1, **options: Any) -> GasOutcome:
    given = {name: options.pop(name) for name in ("lowest", "start", "confidence") if name in options}
    sample = options.pop("sample", None) or Simulated(costs)
    return adaptive_search(sample, Settings("test", len(costs), seed, **given), **options)


def at_most(successes: int, trials: int, probability: float) -> bool:
    """Whether so many successes do not contradict the probability (one-sided binomial test at 1 in 10^4)."""
    return bool(binom.sf(successes - 1, trials, probability) > 1e-4)


def kept_in(states: list[GasState]) -> Callable[[GasState, int], None]:
    return lambda state, _: states.append(state)


def random_costs(draw: np.random.Generator) -> np.ndarray:
    """Costs of all kinds: distinct, few, many alike, one far below."""
    size = int(draw.integers(1, 200))
    kind = int(draw.integers(4))
    if kind == 0:
        return draw.permutation(size)
    if kind == 1:
        return draw.integers(0, 4, size)
    if kind == 2:
        return draw.binomial(12, 0.4, size)
    costs = draw.integers(50, 60, size)
    costs[draw.integers(size)] = 0
    return costs


@pytest.mark.parametrize("trials", [80, pytest.param(200, marks=pytest.mark.slow)])
def test_the_optimum_is_found_with_the_confidence(trials: int) -> None:
    draw = np.random.default_rng(5)
    wrong = 0
    for seed in range(trials):
        costs = random_costs(draw)
        outcome = search(costs, seed, lowest=-1)
        assert outcome.finished
        assert not outcome.proven or len(costs) == 1
        assert outcome.miss_probability <= 1e-3
        assert outcome.state.best is not None
        wrong += outcome.state.best.cost != costs.min()
    assert at_most(wrong, trials, 1e-3)


@pytest.mark.sampled(1)
@pytest.mark.quick("400-0.5")
@pytest.mark.parametrize(("trials", "confidence"), [(400, 0.5), (400, 0.9), (1500, 0.5)])
def test_the_stated_miss_is_honest(confidence: float, trials: int) -> None:
    draw = np.random.default_rng(6)
    wrong, stated = 0, 0.0
    for seed in range(trials):
        size = int(draw.integers(2, 24))
        # Few costs apart from one another: the case in which most is missed.
        costs = draw.permutation(np.arange(size) // int(draw.integers(1, 3)))
        outcome = search(costs, seed, lowest=-1, confidence=confidence)
        assert outcome.miss_probability <= 1 - confidence
        stated += outcome.miss_probability
        wrong += outcome.state.threshold != 0
    assert at_most(wrong, trials, stated / trials)
    # Nor is it far too careful.
    assert wrong > stated / 50


@pytest.mark.parametrize("trials", [60, pytest.param(200, marks=pytest.mark.slow)])
def test_the_miss_is_honest_at_the_worst_number_of_solutions(trials: int) -> None:
    """A single better codeword among equals, searched from a threshold given: no uniform sample helps."""
    for size in (3, 9, 40):
        costs = np.ones(size, dtype=int)
        costs[0] = 0
        wrong = 0
        for seed in range(trials):
            outcome = search(costs, seed, lowest=-1, start=0, confidence=0.9)
            wrong += outcome.state.threshold == 1
        assert at_most(wrong, trials, 0.1)


def test_improvements_tell_how_it_went() -> None:
    costs = np.random.default_rng(3).permutation(300)
    sample = Simulated(costs)
    states: list[GasState] = []
    left: list[int] = []
    outcome = search(
        costs, 4, lowest=-1, sample=sample, progress=lambda *now: (states.append(now[0]), left.append(now[1]))
    )
    assert outcome.state.threshold == 0
    assert states[-1] == outcome.state
    energies = [step.found.energy for step in outcome.state.improvements]
    assert energies == sorted(energies, reverse=True)
    assert len(set(energies)) == len(energies)
    assert outcome.state.improvements[0].threshold is None
    assert outcome.state.improvements[-1].found == outcome.state.best
    for earlier, later in zip(outcome.state.improvements, outcome.state.improvements[1:], strict=False):
        assert later.threshold == earlier.found.cost
    assert len(states) == outcome.state.runs == len(sample.made)
    assert [state.runs for state in states] == list(range(1, outcome.state.runs + 1))
    assert outcome.state.oracle_calls == sum(j + 1 for _, j, _ in sample.made)
    assert left[-1] == 0
    assert len({seed for _, _, seed in sample.made}) == outcome.state.runs


@pytest.mark.parametrize("start", [None, 40])
def test_continued_is_the_same_as_uninterrupted(start: int | None) -> None:
    costs = np.random.default_rng(8).permutation(120) + 5
    states: list[GasState] = []
    whole = search(costs, 2, start=start, progress=kept_in(states))
    assert len(states) == whole.state.runs
    for state in states:
        read = GasState.from_dict(json.loads(json.dumps(state.to_dict())))
        assert read == state
        again: list[GasState] = []
        outcome = search(costs, 2, start=start, state=read, progress=kept_in(again))
        assert outcome == whole
        assert again == states[state.runs :]


def test_none_below_the_start() -> None:
    """The bound given is wrong: it says so after the proof, and has kept the best it saw."""
    outcome = search([4, 5, 6, 7] * 5, lowest=0, start=2)
    assert outcome.state.threshold == 3
    assert outcome.finished
    assert not outcome.proven
    assert outcome.state.best is not None
    assert outcome.state.oracle_calls == count_calls(proof_runs(20))
    assert "below cost 3" in outcome.message


def test_noise_ends() -> None:
    def stray(threshold: int, iterations: int, seed: int) -> None:
        return None

    outcome = search([1, 2, 3], sample=stray)
    assert (outcome.state.runs, outcome.finished) == (100, False)
    assert (outcome.state.best, outcome.miss_probability) == (None, 1.0)
    assert "100 runs in succession" in outcome.message


def test_strays_are_repeated_and_prove_nothing() -> None:
    costs = [5, 5, 5, 1, 5, 5, 5, 5]
    exact = Simulated(costs)

    def noisy(threshold: int, iterations: int, seed: int) -> Measurement | None:
        if seed % 3:
            return None
        return exact(threshold, iterations, seed)

    outcome = search(costs, sample=noisy)
    assert outcome.state.best == Measurement(3, 1, Fraction(1))
    assert outcome.finished
    assert outcome.state.runs > len(exact.made) >= len(outcome.state.stages[-1])
    assert tuple(sorted(outcome.state.stages[-1])) == proof_runs(8)


def test_a_device_that_measures_anything_ends() -> None:
    draw = np.random.default_rng(11)

    def uniform(threshold: int, iterations: int, seed: int) -> Measurement:
        cost = int(draw.integers(3, 20))
        return Measurement(cost, cost, Fraction(cost))

    outcome = search(np.arange(64), sample=uniform)
    assert outcome.finished
    assert outcome.state.oracle_calls <= 18 * count_calls(proof_runs(64))


def test_approximate_costs_are_judged_by_true_energy() -> None:
    """Costs are energies times 4 rounded down; the best true energy measured wins, the cost bounds the rest."""
    draw = np.random.default_rng(12)
    for seed in range(60):
        energies = [Fraction(int(e), 16) for e in draw.integers(0, 200, 50)]
        costs = np.array([math.floor(e * 4) for e in energies])
        outcome = search(costs, seed, sample=Simulated(costs, energies), confidence=0.99999)
        assert outcome.state.best is not None
        assert outcome.state.threshold == costs.min()
        # One cost is 1/4, so the error is 1/8 either way about the middle.
        assert outcome.state.best.energy - min(energies) < 2 * Fraction(1, 8)
        energies_seen = [step.found.energy for step in outcome.state.improvements]
        assert energies_seen == sorted(energies_seen, reverse=True)


def test_a_cost_below_the_proven_lowest_is_a_fault() -> None:
    with pytest.raises(ValueError, match="below the proven lowest, 3"):
        search([1, 1, 1], lowest=3)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"confidence": 1.0}, "confidence is 1.0"),
        ({"confidence": 0.0}, "confidence is 0.0"),
        ({"confidence": math.nan}, "confidence is nan"),
        ({"start": -1}, "below the lowest possible"),
        ({"seed": -1}, "seed is -1"),
    ],
)
def test_bad_options_are_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        search([1, 2, 3], **options)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"problem": "other"}, "another problem"),
        ({"size": 9}, "size 8, not 9"),
        ({"seed": 2}, "seed 1, not 2"),
        ({"confidence": 0.9}, "confidence 0.999, not 0.9"),
    ],
)
def test_another_search_is_refused(change: dict[str, Any], message: str) -> None:
    state = search([3, 2, 0, 5, 4, 2, 2, 9]).state
    options: dict[str, Any] = {"problem": "test", "size": 8, "seed": 1}
    other = Settings(**options | change)
    with pytest.raises(InputError, match=message):
        adaptive_search(Simulated([1]), other, state=state)


def _drop(name: str) -> Callable[[dict[str, Any]], Any]:
    return lambda data: {k: v for k, v in data.items() if k != name}


def _set(name: str, value: object) -> Callable[[dict[str, Any]], Any]:
    return lambda data: data | {name: value}


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: None,
        lambda data: {},
        _set("version", 2),
        _drop("stages"),
        _set("settings", 3),
        lambda data: data | {"settings": data["settings"] | {"confidence": 2}},
        _set("stages", []),
        _set("stages", [[10**30]]),
        _set("runs", 0),
        _set("threshold", None),
        _set("best", None),
        _set("best", {"key": 1.5, "cost": 0, "energy": "0"}),
        _set("best", {"key": 1, "cost": 0, "energy": "1/0"}),
        _set("improvements", [1]),
    ],
)
def test_damaged_states_are_refused_in_one_line(damage: Callable[[dict[str, Any]], Any]) -> None:
    state = search([3, 2, 0, 5, 4, 2, 2, 9], lowest=-1).state
    assert state.stages != ((),)
    with pytest.raises(InputError, match="afresh") as caught:
        GasState.from_dict(damage(json.loads(json.dumps(state.to_dict()))))
    assert "\n" not in str(caught.value)


def test_what_the_plan_assembled_is_not_assembled_again(monkeypatch):
    asked, assemble = list[tuple[tuple[Condition, ...], ...]](), threshold.assemble_cheapest

    def count(choices, *args):
        asked.append(tuple(choices))
        return assemble(choices, *args)

    threshold._assemble_once.cache_clear()
    monkeypatch.setattr(threshold, "assemble_cheapest", count)
    names = ("x0", "x1", "x2")
    qubo = Qubo.of(names, {(0,): -3, (1,): 2, (2,): 1, (0, 1): -5, (1, 2): 4})
    assert gatesolve.solve(qubo, seed=1, value_oracle="counter").solution == {"x0": 1, "x1": 1, "x2": 0}
    assert len(asked) == len(set(asked))
    made = len(asked)
    gatesolve.solve(qubo, seed=1, value_oracle="counter")
    assert len(asked) == made
