"""The loop of Grover Adaptive Search: lower the threshold until nothing lower is left to be found.

It knows neither circuits nor problems, only a callable that runs the search circuit at a threshold and measures it.
The idea is Durr and Hoyer's (quant-ph/9607014) and, with oracles that compute the threshold, that of Gilliam,
Woerner and Gonciulea (arXiv:1912.04088, section 2); the runs and what they prove are in ``gas/schedule.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from gatesolve.pipelines.gas.schedule import Schedule, count_calls, make_schedule
from gatesolve.pipelines.gas.state import GasState, Improvement, Measurement, Settings, require_same

MOST_STRAYS = 100
"""Runs in succession that measure no codeword, after which a search ends."""
Sample = Callable[[int, int, int], Measurement | None]
"""Runs the circuit at (threshold, iterations, seed), which marks the codewords of cost below the threshold.

None where the state measured is no codeword.
"""


@dataclass(frozen=True)
class GasOutcome:
    """The outcome of a search.

    With a cost that is exact, "lower" below means of lower energy; with an error of up to e in the energy that it
    stands for, it means lower by more than 2 e.

    Attributes:
        state: the best codeword, all improvements, the calls made; from which to continue.
        finished: whether the search ended because nothing lower was left to be found.
        proven: nothing is lower, with certainty.
        miss_probability: once finished, a bound on the probability that such a search ends although something is lower,
            at most one minus the confidence asked for; before that, on the probability that all runs at the last
            threshold fail although something is lower.
        message: how it ended, one line.
    """

    state: GasState
    finished: bool
    proven: bool
    miss_probability: float
    message: str


def adaptive_search(
    sample: Sample,
    settings: Settings,
    *,
    state: GasState | None = None,
    progress: Callable[[GasState, int], None] = lambda *_: None,
) -> GasOutcome:
    """Minimise by measuring below ever lower thresholds.

    The first run is a uniform sample, unless an upper bound of the lowest cost gives a threshold to start from.
    A run that measures a cost below the threshold lowers it to that cost; the best codeword is the one of the
    lowest true energy. At each threshold the same runs are made, the most promising first; when all have failed,
    the search ends, and the probability that it ever ends so above the lowest cost is at most one minus the
    confidence, whatever the costs are (`Schedule.miss_probability`), if the circuits are run without noise.
    Runs that measure no codeword are repeated; they prove nothing, and `MOST_STRAYS` in succession end the search.

    At confidence 0.999 the last threshold costs about 3 sqrt(size / at_least) oracle calls.

    Args:
        sample: runs the circuit and returns one measurement; at 0 iterations the threshold has no effect.
        settings: what must be the same for a search to be continued.
        state: continue from here; what follows is what would have followed without the interruption.
        progress: called after every run with the state, and the oracle calls until the search ends if it finds
            nothing lower.

    Raises:
        InputError: the state is of another search.
        ValueError: ``sample`` returned a cost below the proven lowest.
    """
    if state is None:
        state = GasState(settings, threshold=None if settings.start is None else settings.start + 1)
    require_same(state, settings)
    plan = make_schedule(settings.size, settings.at_least, settings.confidence)
    belief = plan.first_belief(sampled=settings.start is None)
    for stage in state.stages[:-1]:
        belief = plan.next_belief(belief, stage)
    while _end(state, plan) is None and state.strays < MOST_STRAYS:
        iterations = 0 if state.threshold is None else plan.choose(belief, state.stages[-1])
        # Without iterations there is no oracle, so any threshold will do.
        threshold = settings.lowest + 1 if state.threshold is None else state.threshold
        measured = sample(threshold, iterations, run_seed(settings.seed, state.runs + 1))
        before, state = state, _after(state, iterations, measured)
        if len(state.stages) > len(before.stages):
            belief = plan.next_belief(belief, state.stages[-2])
        progress(state, 0 if _is_proven(state) else count_calls(plan.remaining(state.stages[-1])))
    end, proven = _end(state, plan), _is_proven(state)
    missed = 1.0 if state.threshold is None else plan.bound_miss_after(state.stages[-1])
    message = end or f"unfinished: {state.strays} runs in succession measured no codeword"
    return GasOutcome(state, end is not None, proven, 0.0 if proven else missed, message)


def run_seed(seed: int, run: int) -> int:
    """The seed of one run: below 2**32, a function of the search's seed and the run's number only."""
    return int(np.random.SeedSequence((seed, run)).generate_state(1)[0])


def _after(state: GasState, iterations: int, measured: Measurement | None) -> GasState:
    """The state after one more run."""
    runs, calls = state.runs + 1, state.oracle_calls + iterations + 1
    counted = replace(state, runs=runs, oracle_calls=calls, strays=state.strays + 1)
    if measured is None:
        return counted
    if measured.cost < state.settings.lowest:
        raise ValueError(f"cost {measured.cost} was measured, below the proven lowest, {state.settings.lowest}")
    after = replace(counted, strays=0)
    if state.best is None or measured.energy < state.best.energy:
        step = Improvement(runs, state.threshold, iterations, calls, measured)
        after = replace(after, best=measured, improvements=(*state.improvements, step))
    if state.threshold is None:
        return replace(after, threshold=measured.cost)
    stages = (*state.stages[:-1], (*state.stages[-1], iterations))
    if measured.cost < state.threshold:
        # Also where the true energy is no lower: else this codeword would be found again and again, and
        # nothing would be learnt about the others below the threshold.
        return replace(after, threshold=measured.cost, stages=(*stages, ()))
    return replace(after, stages=stages)


def _end(state: GasState, plan: Schedule) -> str | None:
    """Why there is nothing left to be done, or None."""
    settings = state.settings
    if state.threshold is None:
        return None
    if state.threshold <= settings.lowest:
        return f"nothing is below cost {settings.lowest}, which was proven beforehand"
    if state.best is not None and settings.at_least >= settings.size:
        return "all codewords are optimal"
    if not plan.remaining(state.stages[-1]):
        return f"nothing below cost {state.threshold} in {len(state.stages[-1])} runs there"
    return None


def _is_proven(state: GasState) -> bool:
    settings = state.settings
    if state.threshold is None or state.best is None:
        return False
    return state.threshold <= settings.lowest or settings.at_least >= settings.size
