"""How often to iterate in Grover Adaptive Search, and what its failures prove.

Below a threshold t of the M codewords are marked, t unknown. A run of j iterations measures an unmarked one with
probability cos((2 j + 1) theta)^2, where sin(theta)^2 = t / M (Boyer, Brassard, Hoyer, Tapp, quant-ph/9605034,
section 3). So if a fixed list of runs all fail, the probability of that is a known function q of t alone, the
product of these, whatever their order. The list is chosen here such that stopping after it is safe for every t; the
order is chosen while searching, as it bears on speed only.

Two things are gained on drawing j at random from a growing range (section 4 there) and giving up after some
multiple of sqrt(M): the probability is that of the runs made, not an average over runs that might have been made,
and it is taken at the worst t, not bounded by Markov's inequality. A known lower bound on the number of solutions
shortens the list, and an upper bound on the minimum gives a threshold to start from: both bounds are used so by
Yukiyoshi and Ishikawa (arXiv:2211.04637, abstract) for the schedule with random j.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gatesolve.errors import DoesNotFitError

Floats = NDArray[np.float64]

_SINGLE = 256
"""Up to here each number of marked codewords has a cell of its own."""

_WIDTH = 64
"""Above, a cell's last number is larger than its first by one part in this many."""

_ROUNDING = 1e-12
"""Added to every failure probability (more for long runs), so that rounding never makes one too small."""

_DURR_HOYER = 0.5
"""Weight of the belief that all costs differ; the rest is log-uniform, for costs that many codewords share."""

_LARGEST = 2**60
"""Codewords in the largest space; its circuits would iterate 10^9 times."""


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
        ends = np.maximum(np.cos(low) ** 2, np.cos(high) ** 2)
        # Between two ends, the square of a cosine exceeds both only about a multiple of pi.
        over = np.floor(high / math.pi) > np.floor(low / math.pi)
        return np.minimum(np.where(over, 1.0, ends) + _ROUNDING + 1e-15 * turns, 1.0)

    def mean_failure(self, iterations: int) -> Floats:
        """For each cell, the failure probability averaged over the angles in it."""
        turns = 2 * iterations + 1
        low, high = self.angles()
        gap = np.where(high > low, high - low, 1.0)
        mean = 0.5 + (np.sin(2 * turns * high) - np.sin(2 * turns * low)) / (4 * turns * gap)
        return np.clip(np.where(high > low, mean, np.cos(turns * low) ** 2), _ROUNDING, 1.0)

    def log_uniform(self) -> Floats:
        """The belief that all orders of magnitude are as likely, one probability a cell."""
        mass = np.log((self.last + 0.5) / (self.first - 0.5))
        return np.asarray(mass / mass.sum())


def make_cells(size: int, at_least: int = 1) -> CountCells:
    """The cells from ``at_least`` to ``size``: about 256 + 45 log2(size / 256) of them."""
    first, last = [], []
    low = at_least
    while low <= size:
        high = low if low < _SINGLE else min(low + low // _WIDTH, size)
        first.append(low)
        last.append(high)
        low = high + 1
    return CountCells(size, np.array(first, dtype=np.float64), np.array(last, dtype=np.float64))


def bound_miss(failure: Floats, grid: CountCells) -> float:
    """Bound on the probability that a search ends above the optimum, over all thresholds it passes.

    Let q(t) be the probability that all runs fail at a threshold below which t codewords are. A successful run
    measures one of them, all as likely. If the costs are reached by c_0 < c_1 < ... codewords (c_i of them at
    most as high as the cost i), cost i becomes a threshold with probability at most 1 - c_(i-1) / c_i: it must be
    the first one measured of those up to it (for distinct costs Durr, Hoyer, quant-ph/9607014, Lemma 1). There
    the search ends wrongly with probability q(c_(i-1)). As
    1 - c / c' = sum over s = c .. c' - 1 of c / (s (s + 1)), the sum of these products is at most the
    sum over s of max over t <= s of t q(t), divided by s (s + 1): whatever the costs are.
    ``failure`` is an upper bound of q in each cell.
    """
    highest = np.maximum.accumulate(grid.last * failure)
    weight = 1 / grid.first - 1 / (grid.last + 1)
    # Beyond the size: the first threshold may be given, so that it is certain to be passed.
    return min(float(highest @ weight + highest[-1] / (grid.size + 1)), 1.0)


@lru_cache(maxsize=32)
def proof_runs(size: int, at_least: int = 1, confidence: float = 0.999) -> tuple[int, ...]:
    """Iterations of the runs that, all failing at one threshold, prove it optimal with the confidence.

    The confidence is that of the whole search, over all its thresholds (see ``bound_miss``). The runs cost about
    3 sqrt(size / at_least) oracle calls at confidence 0.999, a thirtieth of ten spans of 9 sqrt(size).
    ``at_least`` is a lower bound on the number of optimal codewords.

    Returns:
        The numbers of iterations, ascending, repeated as often as to be run.
    """
    grid = make_cells(size, at_least)
    allowed = 1 - confidence
    lists = (_cover(grid, allowed, power) for power in (1.5, 1.25, 1.0, 0.75, 0.5))
    return min((_trim(runs, grid, allowed) for runs in lists), key=lambda runs: (count_calls(runs), runs))


def count_calls(runs: Iterable[int]) -> int:
    """Oracle calls: one an iteration and one a run, for judging what was measured."""
    return sum(iterations + 1 for iterations in runs)


def _cover(grid: CountCells, allowed: float, power: float) -> list[int]:
    """Runs chosen one by one for the logarithm of failure they take away per oracle call.

    Numbers of marked codewords count by t ** -power, and no more once they have failed with probability ``allowed``.
    """
    choices = _choices(grid)
    gains = np.log(np.array([grid.worst_failure(iterations) for iterations in choices]))
    price = np.array(choices, dtype=np.float64) + 1
    weight = grid.width * grid.first**-power
    total = np.zeros(len(grid.first))
    floor = math.log(allowed)
    runs: list[int] = []
    while bound_miss(np.exp(total), grid) > allowed:
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
    """Numbers of iterations to choose from: up to the peak for the fewest marked, two percent apart."""
    top = math.ceil(math.pi / 4 * math.sqrt(grid.size / grid.first[0]))
    found, iterations = [], 0
    while iterations <= top:
        found.append(iterations)
        iterations = max(iterations + 1, iterations * 51 // 50)
    return found


def _trim(runs: Sequence[int], grid: CountCells, allowed: float) -> tuple[int, ...]:
    """The runs, some left out and others shortened, as far as the bound stays within what is allowed."""
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
        drawn: Floats = self.grid.width / self.grid.width.sum()
        return _DURR_HOYER * drawn + (1 - _DURR_HOYER) * known

    def next_belief(self, belief: Floats, stage: Sequence[int]) -> Floats:
        """Return the belief after an improvement.

        If all costs differ and t codewords were marked, 0 .. t - 1 are marked below the one measured, all as
        likely (Durr, Hoyer, quant-ph/9607014, section 2). Costs shared by many make it fewer, hence the mixture.
        ``belief`` is that at the threshold that was improved on, by the last of the runs ``stage``.
        """
        now = self._after_failures(belief, stage[:-1]) * (1 - self.grid.mean_failure(stage[-1]))
        share: Floats = now / (self.grid.first + self.grid.last)
        above = np.cumsum(share[::-1])[::-1] - share
        mass = self.grid.width * above + (self.grid.width - 1) / 2 * share
        known = self.grid.log_uniform()
        if mass.sum() <= 0:
            return known
        return np.asarray(_DURR_HOYER * mass / mass.sum() + (1 - _DURR_HOYER) * known)


def make_schedule(size: int, at_least: int = 1, confidence: float = 0.999) -> Schedule:
    """The schedule of a search in a space of ``size`` codewords; the arguments are those of ``proof_runs``."""
    if size > _LARGEST:
        raise DoesNotFitError("the search space has more than 2^60 codewords: its circuits would iterate 10^9 times")
    return Schedule(make_cells(size, at_least), proof_runs(size, at_least, confidence))
