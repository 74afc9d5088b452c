"""The problems of adaptive searches, in our form and as the quadratic forms of the peers, and whole searches drawn.

Measurements are drawn from their exact probabilities, which for a search that marks ``t`` of ``M`` states depend on
``t``, ``M`` and the iterations alone; a walk is the list of (threshold, iterations) of its runs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from benchmarks.core.places import EXAMPLES
from benchmarks.core.problems import K4, K7
from gatesolve.api import Options, plan_problem
from gatesolve.encodings import Space
from gatesolve.formats import Problem, as_problem
from gatesolve.formats.files import read_problem
from gatesolve.pipelines import Settings
from gatesolve.pipelines.gas.pipeline import AdaptiveSearch, prepare_search
from gatesolve.pipelines.gas.search import Measurement, adaptive_search, proof_runs
from gatesolve.planning import Clock
from gatesolve.programs import best_iterations, success_probability
from gatesolve.qubo import Qubo, formulate_model

MOST_LISTED = 28
"""Variables of the largest Qubo whose energies are all listed."""


@dataclass(frozen=True)
class Histogram:
    """How many states of a space have which cost or energy.

    Attributes:
        values: of the costs or energies, ascending.
        below: for each place k, the number of states among the first k values; one entry more than ``values``.
    """

    values: NDArray[np.int64]
    below: NDArray[np.int64]

    @staticmethod
    def of(values: NDArray[np.int64]) -> Histogram:
        """Of one value a state."""
        found, counts = np.unique(values, return_counts=True)
        return Histogram.counted(found, counts)

    @staticmethod
    def counted(values: NDArray[np.int64], counts: NDArray[np.int64]) -> Histogram:
        """Of how many states there are of each value."""
        return Histogram(values, np.concatenate([[0], np.cumsum(counts)]))

    @property
    def size(self) -> int:
        """All states."""
        return int(self.below[-1])

    @property
    def lowest(self) -> int:
        """The lowest value."""
        return int(self.values[0])

    def marked(self, threshold: int) -> int:
        """States of a value below the threshold."""
        return int(self.below[np.searchsorted(self.values, threshold)])

    def value(self, place: int) -> int:
        """The value of a state by its place in ascending order."""
        return int(self.values[np.searchsorted(self.below, place, side="right") - 1])


@dataclass(frozen=True)
class Case:
    """A problem, without presolve.

    Attributes:
        name: as the tables show it.
        problem: for gatesolve.
        variants: names of ours and the choices that make them.
        make_qubo: the form GroverOptimizer gets.
        make_inside: a form right on the codewords of a one-hot space, and that space, for the start from W states;
            None where the variables are bits of their own.
        most_searches: whole searches drawn at most, where they pass many thresholds, each with a circuit of its own.
    """

    name: str
    problem: Problem
    variants: dict[str, dict[str, str]]
    make_qubo: Callable[[], Qubo]
    make_inside: Callable[[], tuple[Qubo, Space]] | None = None
    most_searches: int = 1000
    kept: dict[str, AdaptiveSearch] = field(default_factory=dict, compare=False)

    @cached_property
    def qubo(self) -> Qubo:
        """What GroverOptimizer gets, its coefficients made whole."""
        return whole(self.make_qubo())

    @cached_property
    def energies(self) -> Histogram | None:
        """Of all states of ``qubo``; None if there are too many."""
        return listed(self.qubo) if self.qubo.num_variables <= MOST_LISTED else None

    @cached_property
    def inside(self) -> tuple[Qubo, Space] | None:
        """The form and the space for the start from W states."""
        if self.make_inside is None:
            return None
        qubo, space = self.make_inside()
        return whole(qubo), space

    def prepared(self, variant: str) -> AdaptiveSearch:
        """Ours, made once a variant."""
        if variant not in self.kept:
            options = Options(pipeline="gas", **{"level": "minimised", **self.variants[variant]})
            layout = plan_problem(self.problem, options, Clock())
            self.kept[variant] = prepare_search(self.problem, layout, options, Clock())
        return self.kept[variant]


def whole(qubo: Qubo) -> Qubo:
    """The same minima with whole coefficients: multiplied by their common denominator."""
    numbers = {m: Fraction(repr(float(c))) for m, c in qubo.polynomial.items()}
    factor = math.lcm(*(c.denominator for c in numbers.values()))
    return Qubo.of(qubo.names, {m: int(c * factor) for m, c in numbers.items()}, qubo.meanings, qubo.space)


def matrices(qubo: Qubo) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Upper triangle of the products' coefficients, and those of single variables."""
    n = qubo.num_variables
    quadratic, linear = np.zeros((n, n)), np.zeros(n)
    for monomial, c in qubo.terms.items():
        if len(monomial) == 2:
            quadratic[monomial] = float(c)
        else:
            linear[monomial] = float(c)
    return quadratic, linear


def listed(qubo: Qubo) -> Histogram:
    """Energies of all states of a Qubo with whole coefficients: states of one half of its variables at a time."""
    quadratic, linear = matrices(qubo)
    n = qubo.num_variables
    low, high = slice(0, n // 2), slice(n // 2, n)
    first, second = _states(n // 2), _states(n - n // 2)
    crossed = second @ quadratic[low, high].T
    left = np.einsum("si,ij,sj->s", first, quadratic[low, low], first) + first @ linear[low]
    right = np.einsum("si,ij,sj->s", second, quadratic[high, high], second) + second @ linear[high]
    least = round(float(qubo.bounds[0]))
    counts = np.zeros(round(float(qubo.bounds[1])) - least + 1, dtype=np.int64)
    for row, own in zip(first, left, strict=True):
        energies = np.rint(crossed @ row + right + (own + float(qubo.offset) - least)).astype(np.int64)
        counts += np.bincount(energies, minlength=len(counts))
    there = np.flatnonzero(counts)
    return Histogram.counted(there + least, counts[there])


def _states(n: int) -> NDArray[np.float64]:
    return (np.arange(1 << n)[:, None] >> np.arange(n) & 1).astype(np.float64)


def dense(n: int, seed: int = 2026) -> Qubo:
    """Whole coefficients from -9 to 9 for every variable and every pair."""
    draw = np.random.default_rng(seed)
    terms = {m: int(draw.integers(-9, 10)) for i in range(n) for m in ((i,), *((i, j) for j in range(i + 1, n)))}
    return Qubo.of([f"x{i}" for i in range(n)], terms)


AUTO = {"presolve": "none"}
ONE_HOT = {"presolve": "none", "encoding": "one-hot"}


def _kakuro(name: str) -> Case:
    kakuro = {"K4": K4, "K7": K7}[name]
    space = kakuro.one_hot_space
    return Case(
        name,
        as_problem(kakuro.model),
        {"one-hot": ONE_HOT, "encoding chosen": AUTO},
        lambda: formulate_model(kakuro.model, space).qubo,
        lambda: (formulate_model(kakuro.model, space, codewords_only=True).qubo, space),
    )


def _qubo(name: str, qubo: Qubo) -> Case:
    most = 1000 if qubo.num_variables <= 8 else 100
    return Case(name, as_problem(qubo), {"binary": {"encoding": "binary"}}, lambda: qubo, most_searches=most)


def _board(name: str) -> Case:
    """One of Max Chess Pieces."""
    problem = as_problem(EXAMPLES / "chess" / f"{name}.txt")
    return Case(name, problem, {"encoding chosen": AUTO}, lambda: formulate_model(problem.model).qubo)


def _file(name: str) -> Case:
    read = read_problem(EXAMPLES / "qubo" / name)
    if read.qubo is not None:
        return _qubo(name, read.qubo)
    model = read.model
    make_qubo = lambda: formulate_model(model, quadratic=True).qubo  # noqa: E731
    return Case(name, as_problem(model), {"binary": ONE_HOT | {"encoding": "binary"}}, make_qubo)


MAKERS: dict[str, Callable[[str], Case]] = {
    "dense-8": lambda name: _qubo(name, dense(8)),
    "K4": _kakuro,
    "K7": _kakuro,
    "dense-12": lambda name: _qubo(name, dense(12)),
    **dict.fromkeys(("max-2x2-kings", "max-3x3-types", "max-3x3-mixed"), _board),
    **dict.fromkeys(("independent-12.qubo", "knapsack-12.lp"), _file),
}
NAMES = tuple(MAKERS)


def case(name: str) -> Case:
    """A case by its name."""
    return MAKERS[name](name)


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
    return proof_runs(settings.size, settings.confidence)


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


def enough_iterations(size: int, marked: int) -> int:
    """The fewest iterations with success probability 0.99, else the likeliest number."""
    best = best_iterations(size, marked)
    return next((k for k in range(best) if success_probability(size, marked, k) >= 0.99), best)


def walk_cost(walk: Walk, costs: dict[int, tuple[int, int]], preparation: int) -> int:
    """CX of all circuits of a walk; ``costs`` are of the start and an iteration, by threshold."""
    total = 0
    for threshold, iterations in walk:
        begin, each = costs[threshold] if iterations else (preparation, 0)
        total += begin + iterations * each
    return total


def spread(values: Sequence[int]) -> tuple[int, int]:
    """Mean and 99th percentile."""
    return round(float(np.mean(values))), round(float(np.percentile(values, 99)))
