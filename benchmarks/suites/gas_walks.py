"""Whole adaptive searches drawn in the space: which circuits are run until the optimum is measured.

Measurements are drawn from their exact probabilities, which for a search that marks ``t`` of ``M`` states depend on
``t``, ``M`` and the iterations alone; a walk is the list of (threshold, iterations) of its runs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from benchmarks.suites.gas_cases import Histogram
from gatesolve.pipelines.amplification import success_probability
from gatesolve.pipelines.gas.schedule import proof_runs
from gatesolve.pipelines.gas.search import adaptive_search
from gatesolve.pipelines.gas.state import Measurement, Settings

Walk = tuple[tuple[int, int], ...]
"""Threshold and iterations of each run, the last of which measured the optimum."""

MOST_ROTATIONS = math.ceil(100 * math.pi / 4)
"""Rotations in all after which GroverOptimizer gives up."""


class _Optimum(Exception):
    """The optimum was measured."""


def drawn(histogram: Histogram, threshold: int, iterations: int, draw: np.random.Generator) -> int:
    """The cost that one run measures."""
    marked, size = histogram.marked(threshold), histogram.size
    hit = marked and draw.random() < success_probability(size, marked, iterations)
    place = draw.integers(marked) if hit else draw.integers(marked, size) if marked < size else draw.integers(size)
    return histogram.value(int(place))


def our_walk(histogram: Histogram, settings: Settings) -> Walk:
    """The runs of `adaptive_search` until it measures the optimum, or all of them where it does not."""
    runs: list[tuple[int, int]] = []

    def sample(threshold: int, iterations: int, seed: int) -> Measurement:
        runs.append((threshold, iterations))
        cost = drawn(histogram, threshold, iterations, np.random.default_rng(seed))
        if cost == histogram.lowest:
            raise _Optimum
        return Measurement(cost, cost, Fraction(cost))

    try:
        adaptive_search(sample, settings)
    except _Optimum:
        return tuple(runs)
    return ()


def last_runs(histogram: Histogram, settings: Settings) -> tuple[int, ...]:
    """Iterations of the runs that prove the optimum, once it was measured; none where it is proven beforehand."""
    if histogram.lowest <= settings.lowest:
        return ()
    return proof_runs(settings.size, settings.at_least, settings.confidence)


@dataclass(frozen=True)
class Ended:
    """GroverOptimizer's loop.

    Attributes:
        walk: until the optimum is measured, its rules for giving up left out.
        found: whether it measures the optimum before it gives up.
    """

    walk: Walk
    found: bool


def optimizer_walk(histogram: Histogram, num_variables: float, seed: int, patience: int = 3) -> Ended:
    """The loop of GroverOptimizer 0.7 with right circuits: rotations drawn below a bound that grows by 8/7.

    Args:
        histogram: of the space that it searches.
        num_variables: whose square root of states bounds the rotations.
        seed: of this search.
        patience: runs without improvement after which it gives up (``num_iterations``), as it does after 79 rotations.
    """
    draw = np.random.default_rng(seed)
    runs: list[tuple[int, int]] = []
    threshold, best, rotations, gave_up = 0, None, 0, False
    while True:
        bound, failures = 1, 0
        while True:
            iterations = int(draw.integers(0, bound))
            rotations += iterations
            runs.append((threshold, iterations))
            cost = drawn(histogram, threshold, iterations, draw)
            if best is None or cost < best:
                break
            bound, failures = math.ceil(min(bound * 8 / 7, 2 ** (num_variables / 2))), failures + 1
            gave_up = gave_up or failures >= patience or rotations >= MOST_ROTATIONS
        threshold = best = cost
        if cost == histogram.lowest:
            return Ended(tuple(runs), not gave_up)
