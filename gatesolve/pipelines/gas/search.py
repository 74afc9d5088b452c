"""The loop of Grover Adaptive Search, and its state between two runs.

The threshold is lowered until nothing lower is left to be found. The loop knows neither circuits nor problems, only a
callable that runs the search circuit at a threshold and measures it. The idea is Durr and Hoyer's (quant-ph/9607014)
and, with oracles that compute the threshold, that of Gilliam, Woerner and Gonciulea (arXiv:1912.04088, section 2).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gatesolve.encodings.converter import structure, unstructure
from gatesolve.errors import DoesNotFitError, InputError

VERSION = 3
"""Version of the dictionary's format; no other is read."""
Floats = NDArray[np.float64]
_SINGLE = 256
"""Up to here each number of marked codewords has a cell of its own."""
_WIDTH = 64
"""Above, a cell's last number is larger than its first by one part in this many."""
_ROUNDING = 1e-12
"""Added to every failure probability (more for long runs), so that rounding never makes one too small."""
LADDER = 1.6
"""Ratio of neighbouring numbers of iterations.

For any number of solutions one of them is within a sixth of a turn of the best, in spaces of 15 codewords or more.
"""
_DURR_HOYER = 0.5
"""Weight of the belief that all costs differ; the rest is log-uniform, for costs that many codewords share."""
_LARGEST = 2**60
"""Codewords in the largest space; its circuits would iterate 10^9 times."""
MOST_STRAYS = 100
"""Runs in succession that measure no codeword, after which a search ends."""


@dataclass(frozen=True)
class Measurement:
    """A codeword that a run measured: its number, the cost that thresholds are compared with, the true energy."""

    key: int
    cost: int
    energy: Fraction


@dataclass(frozen=True)
class Improvement:
    """A codeword of lower energy than any before, and the run that measured it.

    Attributes:
        run: its number, the first is 1.
        threshold: of its oracle; None for a run without one.
        oracle_calls: up to and with that run.
    """

    run: int
    threshold: int | None
    iterations: int
    oracle_calls: int
    found: Measurement


@dataclass(frozen=True)
class Settings:
    """Settings that must be equal for a search to be continued.

    Attributes:
        problem: the caller's fingerprint of what is minimised and of how it is sampled.
        size: codewords in the space.
        seed: of the search.
        lowest: a proven lower bound of the cost.
        start: a proven upper bound of the lowest cost, or None.
        confidence: at which to stop.
    """

    problem: str
    size: int
    seed: int
    lowest: int = 0
    start: int | None = None
    confidence: float = 0.999

    def __post_init__(self) -> None:
        if self.size < 1:
            raise InputError(f"the search space has {self.size} codewords; there must be at least 1")
        if not 0 < self.confidence < 1:
            raise InputError(f"the confidence is {self.confidence}; it must be above 0 and below 1")
        if self.start is not None and self.start < self.lowest:
            raise InputError(f"the cost to start from, {self.start}, is below the lowest possible, {self.lowest}")
        if self.seed < 0:
            raise InputError(f"the seed is {self.seed}; it must not be negative")


@dataclass(frozen=True)
class GasState:
    """The whole state of the search; with the settings it determines what comes next.

    Attributes:
        settings: see there.
        runs: made so far.
        oracle_calls: in all of them: their iterations, and one for each run.
        strays: how many of the latest runs in succession measured no codeword.
        threshold: the lowest cost measured (before that, one more than ``settings.start``); None before the first.
        best: the measured codeword of the lowest energy.
        stages: for each threshold the iterations of its runs that measured codewords; all but the last stage
            end with the run that found a lower cost.
        improvements: in the order of their runs.
    """

    settings: Settings
    runs: int = 0
    oracle_calls: int = 0
    strays: int = 0
    threshold: int | None = None
    best: Measurement | None = None
    stages: tuple[tuple[int, ...], ...] = ((),)
    improvements: tuple[Improvement, ...] = ()

    @property
    def is_above(self) -> bool:
        """Whether there was a threshold to start from, and the best codeword is not below it."""
        return self.best is not None and self.settings.start is not None and len(self.stages) == 1

    def to_dict(self) -> dict[str, Any]:
        """A dictionary that JSON can hold; see ``from_dict``."""
        return {"version": VERSION, **unstructure(self)}

    @classmethod
    def from_dict(cls, data: Any) -> GasState:
        """The state that ``to_dict`` wrote; refuses another version's, and what is incomplete or contradicts itself."""
        version = data.get("version") if isinstance(data, dict) else None
        if type(version) is not int or version != VERSION:
            raise InputError(f"not a saved search of version {VERSION}; start the search afresh")
        fields = {name: value for name, value in data.items() if name != "version"}
        state = structure(fields, cls, "the saved search is damaged ({}); start it afresh")
        # A field that is missing was filled with its default.
        if unstructure(state) != fields:
            raise InputError("the saved search is damaged (a field is missing); start it afresh")
        _check(state)
        return state


def require_same(state: GasState, settings: Settings) -> None:
    """Refuse to continue a search with other settings, and name the first that differs."""
    for name, value in vars(settings).items():
        saved = getattr(state.settings, name)
        if saved != value:
            # A fingerprint means nothing to a reader, so it is not shown.
            if name == "problem":
                raise InputError("the saved search is of another problem or of other options; start the search afresh")
            raise InputError(f"the saved search has {name} {saved}, not {value}; use that or start the search afresh")


def _check(state: GasState) -> None:
    """Check the properties of every reachable state on which the search relies."""
    judged = [iterations for stage in state.stages for iterations in stage]
    counts = (state.runs, state.oracle_calls, state.strays, *judged)
    begun = state.threshold is not None
    sound = (
        min(counts) >= 0
        and max(judged, default=0) <= state.settings.size
        and len(judged) + state.strays <= state.runs
        and sum(judged) + state.runs <= state.oracle_calls
        and len(state.stages) >= 1
        and all(state.stages[:-1])
        and (state.best is None) == (not state.improvements)
        and (begun or (state.best is None and not judged))
        and (state.threshold is None or state.threshold >= state.settings.lowest)
    )
    if not sound or (state.improvements and state.improvements[-1].found != state.best):
        raise InputError("the saved search is damaged (its counts contradict one another); start it afresh")


Sample = Callable[[int, int, int], Measurement | None]
"""Runs the circuit at (threshold, iterations, seed), which marks the codewords of cost below the threshold.

None where the state measured is no codeword.
"""


@dataclass(frozen=True)
class CountCells:
    """The possible numbers of marked codewords of ``size``: ``first[i] .. last[i]`` in cell i, without gaps."""

    size: int
    first: Floats
    last: Floats

    @property
    def width(self) -> Floats:
        """How many numbers are in each cell."""
        return self.last - self.first + 1

    def angles(self) -> tuple[Floats, Floats]:
        """The angle theta at the first and at the last number of each cell."""
        return np.arcsin(np.sqrt(self.first / self.size)), np.arcsin(np.sqrt(self.last / self.size))

    def worst_failure(self, iterations: int) -> Floats:
        """For each cell, the largest failure probability of a run at any number in the cell or slightly more."""
        turns = 2 * iterations + 1
        low, high = (turns * theta for theta in self.angles())
        # A run with t marked codewords at angle theta fails with probability cos^2((2 j + 1) theta).
        ends = np.maximum(np.cos(low) ** 2, np.cos(high) ** 2)
        # Between two ends, the square of a cosine exceeds both only about a multiple of pi.
        over = np.floor(high / math.pi) > np.floor(low / math.pi)
        return np.minimum(np.where(over, 1.0, ends) + _ROUNDING + 1e-15 * turns, 1.0)

    def mean_failure(self, iterations: int) -> Floats:
        """For each cell, the failure probability averaged over the angles in it."""
        turns = 2 * iterations + 1
        low, high = self.angles()
        gap = np.where(high > low, high - low, 1.0)
        # The square of the cosine, integrated over the angles of the cell.
        mean = 0.5 + (np.sin(2 * turns * high) - np.sin(2 * turns * low)) / (4 * turns * gap)
        return np.clip(np.where(high > low, mean, np.cos(turns * low) ** 2), _ROUNDING, 1.0)

    def log_uniform(self) -> Floats:
        """The belief that all orders of magnitude are as likely, one probability a cell."""
        # Half a number on both sides, so that cells meet without gaps.
        mass = np.log((self.last + 0.5) / (self.first - 0.5))
        return np.asarray(mass / mass.sum())


def make_cells(size: int) -> CountCells:
    """Return the cells from 1 to ``size``: about 256 + 45 log2(size / 256) of them."""
    first, last = [], []
    low = 1
    while low <= size:
        high = low if low < _SINGLE else min(low + low // _WIDTH, size)
        first.append(low)
        last.append(high)
        low = high + 1
    return CountCells(size, np.array(first, dtype=np.float64), np.array(last, dtype=np.float64))


def bound_miss(failure: Floats, grid: CountCells) -> float:
    """Bound the probability that a search ends above the optimum, over all thresholds that it passes.

    ``failure`` is, for each cell, an upper bound of the probability q(t) that all runs fail at a threshold below which
    t codewords are. A successful run measures one of these, all as likely.

    Source: for distinct costs Durr, Hoyer, quant-ph/9607014, Lemma 1.
    """
    # Let c_i codewords be at most as high as the i-th lowest cost. It becomes a threshold with probability at most
    # 1 - c_(i-1) / c_i: it must be the first one measured of those up to it. There the search ends wrongly with
    # probability q(c_(i-1)).
    # As 1 - c / c' is the sum over s = c .. c' - 1 of c / (s (s + 1)), the sum of the products is, for any costs, at
    # most the sum over s of max over t <= s of t q(t), divided by s (s + 1).
    highest = np.maximum.accumulate(grid.last * failure)
    weight = 1 / grid.first - 1 / (grid.last + 1)
    # Beyond the size: the first threshold may be given, so that it is certain to be passed.
    return min(float(highest @ weight + highest[-1] / (grid.size + 1)), 1.0)


@lru_cache(maxsize=32)
def proof_runs(size: int, confidence: float = 0.999) -> tuple[int, ...]:
    """Return the iterations of the runs that, all failing at one threshold, prove it optimal with the confidence.

    They are ascending, repeated as often as to be run. The confidence is that of the whole search, over all its
    thresholds (see ``bound_miss``). The runs cost about 3 sqrt(size) oracle calls at confidence 0.999, a thirtieth of
    ten spans of 9 sqrt(size).
    """
    grid = make_cells(size)
    allowed = 1 - confidence
    # No weighting is best for every size, so several are tried.
    lists = (_cover(grid, allowed, power) for power in (1.5, 1.25, 1.0, 0.75, 0.5))
    return min((_trim(runs, grid, allowed) for runs in lists), key=lambda runs: (count_calls(runs), runs))


def count_calls(runs: Iterable[int]) -> int:
    """Oracle calls: one an iteration and one a run, for judging what was measured."""
    return sum(iterations + 1 for iterations in runs)


def _cover(grid: CountCells, allowed: float, power: float) -> list[int]:
    """Choose runs one by one for the logarithm of failure that they take away per oracle call."""
    choices = _choices(grid)
    gains = np.log(np.array([grid.worst_failure(iterations) for iterations in choices]))
    price = np.array(choices, dtype=np.float64) + 1
    # Numbers of marked codewords count by t ** -power, and no more once they have failed with probability ``allowed``.
    weight = grid.width * grid.first**-power
    total = np.zeros(len(grid.first))
    floor = math.log(allowed)
    runs: list[int] = []
    while bound_miss(np.exp(total), grid) > allowed:
        # The gain of each run per oracle call; cells that have failed often enough already gain nothing.
        rate = (np.maximum(total, floor) - np.maximum(total + gains, floor)) @ weight / price
        best = int(np.argmax(rate))
        if rate[best] <= _ROUNDING:
            # Each number is rare enough by itself, not all of them together.
            floor -= 0.5
            continue
        runs.append(choices[best])
        total = total + gains[best]
    return runs


def _choices(grid: CountCells) -> list[int]:
    """List numbers of iterations to choose from: up to the peak for the fewest marked, two percent apart."""
    top = math.ceil(math.pi / 4 * math.sqrt(grid.size))
    found, iterations = [], 0
    while iterations <= top:
        found.append(iterations)
        iterations = max(iterations + 1, iterations * 51 // 50)
    return found


def _trim(runs: Sequence[int], grid: CountCells, allowed: float) -> tuple[int, ...]:
    """Leave out some of the runs and shorten others, as far as the bound stays within what is allowed."""
    # Leaving out a long run saves most.
    longest_first = sorted(runs, reverse=True)
    total = sum(np.log(grid.worst_failure(iterations)) for iterations in longest_first)
    left: list[int] = []
    for iterations in longest_first:
        without = total - np.log(grid.worst_failure(iterations))
        if bound_miss(np.exp(without), grid) <= allowed:
            total = without
        else:
            left.append(iterations)
    for place in range(len(left)):
        # Steps are halved whenever they are too large, down to 1.
        step = max(left[place] // 8, 1)
        while step:
            shorter = left[place] - step
            other = total
            if shorter >= 0:
                other = total + np.log(grid.worst_failure(shorter)) - np.log(grid.worst_failure(left[place]))
            if shorter >= 0 and bound_miss(np.exp(other), grid) <= allowed:
                left[place], total = shorter, other
            else:
                step //= 2
    return tuple(sorted(left))


def iterations_ladder(size: int) -> tuple[int, ...]:
    """Return numbers of iterations for an unknown number of solutions: 1, then growing by `LADDER`.

    None exceeds what one solution needs, pi/4 sqrt(size).
    """
    top = max(1, round(math.pi / 4 * math.sqrt(size) - 0.5))
    steps, at = [], 1.0
    while round(at) <= top:
        steps.append(round(at))
        # At least one more, so that no number comes twice.
        at = max(at * LADDER, at + 1)
    return tuple(steps)


@dataclass(frozen=True)
class Schedule:
    """The runs to make at every threshold; all of ``runs`` must fail before it is believed to be the optimum."""

    grid: CountCells
    runs: tuple[int, ...]

    def remaining(self, failed: Iterable[int]) -> list[int]:
        """The runs not among those that failed, ascending."""
        return sorted((Counter(self.runs) - Counter(failed)).elements())

    def bound_miss_after(self, failed: Iterable[int]) -> float:
        """The bound of ``bound_miss`` if the search were to end after these runs at every threshold."""
        product = np.ones(len(self.grid.first))
        for iterations in failed:
            product = product * self.grid.worst_failure(iterations)
        return bound_miss(product, self.grid)

    def choose(self, belief: Floats, failed: Sequence[int]) -> int:
        """The remaining run with the largest probability of success per oracle call, the shortest of equals."""
        now = self._after_failures(belief, failed)
        choices = sorted(set(self.remaining(failed)))
        rates = [float(now @ (1 - self.grid.mean_failure(j))) / (j + 1) for j in choices]
        return choices[int(np.argmax(rates))]

    def _after_failures(self, belief: Floats, failed: Sequence[int]) -> Floats:
        for iterations in failed:
            belief = belief * self.grid.mean_failure(iterations)
        return belief

    def first_belief(self, *, sampled: bool) -> Floats:
        """Return the prior of the number marked at the first threshold, one probability a cell.

        ``sampled`` says whether that is the cost of a codeword drawn uniformly.
        """
        known = self.grid.log_uniform()
        if not sampled:
            return known
        # If all costs differ, a codeword drawn uniformly makes all numbers as likely.
        drawn: Floats = self.grid.width / self.grid.width.sum()
        return _DURR_HOYER * drawn + (1 - _DURR_HOYER) * known

    def next_belief(self, belief: Floats, stage: Sequence[int]) -> Floats:
        """Return the belief after an improvement on ``belief`` by the last of the runs ``stage``."""
        # If all costs differ and t codewords were marked, 0 .. t - 1 are marked below the one measured, all as likely
        # (Durr, Hoyer, quant-ph/9607014, section 2). Costs shared by many make it fewer, hence the mixture.
        now = self._after_failures(belief, stage[:-1]) * (1 - self.grid.mean_failure(stage[-1]))
        share: Floats = now / (self.grid.first + self.grid.last)
        above = np.cumsum(share[::-1])[::-1] - share
        mass = self.grid.width * above + (self.grid.width - 1) / 2 * share
        known = self.grid.log_uniform()
        if mass.sum() <= 0:
            return known
        return np.asarray(_DURR_HOYER * mass / mass.sum() + (1 - _DURR_HOYER) * known)


def make_schedule(size: int, confidence: float = 0.999) -> Schedule:
    """The schedule of a search in a space of ``size`` codewords; the arguments are those of ``proof_runs``."""
    if size > _LARGEST:
        raise DoesNotFitError("the search space has more than 2^60 codewords: its circuits would iterate 10^9 times")
    return Schedule(make_cells(size), proof_runs(size, confidence))


@dataclass(frozen=True)
class GasOutcome:
    """The outcome of a search.

    If the cost is exact, "lower" below means of lower energy. With an error of up to e in the energy that it stands
    for, it means lower by more than 2 e.

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

    The first run is a uniform sample, unless an upper bound of the lowest cost gives a threshold to start from. A run
    that measures a cost below the threshold lowers it to that cost; the best codeword is the one of the lowest true
    energy. Runs that measure no codeword are repeated, and `MOST_STRAYS` in succession end the search.

    At each threshold the same runs are made, the most promising first. When all have failed, the search ends. Without
    noise, the probability that it ever ends so above the lowest cost is at most one minus the confidence, for any costs
    (`bound_miss`). At confidence 0.999 the last threshold costs about 3 sqrt(size) oracle calls.

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
    plan = make_schedule(settings.size, settings.confidence)
    belief = plan.first_belief(sampled=settings.start is None)
    # The belief follows from the stages alone, so a search that is continued has the same one.
    for stage in state.stages[:-1]:
        belief = plan.next_belief(belief, stage)
    while _end(state, plan) is None and state.strays < MOST_STRAYS:
        iterations = 0 if state.threshold is None else plan.choose(belief, state.stages[-1])
        # Without iterations there is no oracle, so any threshold will do.
        threshold = settings.lowest + 1 if state.threshold is None else state.threshold
        # The seed of a run follows from the search's seed and the run's number only.
        seed = int(np.random.SeedSequence((settings.seed, state.runs + 1)).generate_state(1)[0])
        measured = sample(threshold, iterations, seed)
        before, state = state, _after(state, iterations, measured)
        if len(state.stages) > len(before.stages):
            belief = plan.next_belief(belief, state.stages[-2])
        progress(state, 0 if _is_proven(state) else count_calls(plan.remaining(state.stages[-1])))
    end, proven = _end(state, plan), _is_proven(state)
    missed = 1.0 if state.threshold is None else plan.bound_miss_after(state.stages[-1])
    message = end or f"unfinished: {state.strays} runs in succession measured no codeword"
    return GasOutcome(state, end is not None, proven, 0.0 if proven else missed, message)


def _after(state: GasState, iterations: int, measured: Measurement | None) -> GasState:
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
    settings = state.settings
    if state.threshold is None:
        return None
    if state.threshold <= settings.lowest:
        return f"nothing is below cost {settings.lowest}, which was proven beforehand"
    if state.best is not None and settings.size == 1:
        return "all codewords are optimal"
    if not plan.remaining(state.stages[-1]):
        return f"nothing below cost {state.threshold} in {len(state.stages[-1])} runs there"
    return None


def _is_proven(state: GasState) -> bool:
    settings = state.settings
    if state.threshold is None or state.best is None:
        return False
    return state.threshold <= settings.lowest or settings.size == 1
