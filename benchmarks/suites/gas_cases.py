"""The problems of adaptive searches, as models and as the polynomials that all libraries get, and whole searches drawn.

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
from gatesolve.encodings import Space, make_binary, make_one_hot
from gatesolve.formats import Problem, as_problem
from gatesolve.formats.files import read_problem
from gatesolve.model import Model
from gatesolve.pipelines import Settings
from gatesolve.pipelines.gas.pipeline import AdaptiveSearch, prepare_search
from gatesolve.pipelines.gas.search import Measurement, adaptive_search
from gatesolve.planning import Clock
from gatesolve.programs import success_probability
from gatesolve.qubo import Qubo, formulate_model


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
        return Histogram(found, np.concatenate([[0], np.cumsum(counts)]))

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
        forms: names of the polynomials that every library gets, with whole coefficients.
        model: what gatesolve gets beside them, where variables are integers.
        scale: of the coefficients, which were made whole by it.
    """

    name: str
    forms: dict[str, Qubo]
    model: Model | None = None
    scale: int = 1
    kept: dict[str, AdaptiveSearch] = field(default_factory=dict, compare=False)

    @cached_property
    def variants(self) -> dict[str, tuple[Problem, dict[str, str]]]:
        """Ours by name: the problem and the choices."""
        found = {name: (as_problem(self.model), choices) for name, choices in MODEL.items() if self.model}
        for name, qubo in self.forms.items():
            choices = {"encoding": "binary"}
            found |= {name: (as_problem(qubo), choices), name + FEWEST: (as_problem(qubo), {**choices, **NARROW})}
        return found

    def prepared(self, variant: str) -> AdaptiveSearch:
        """Ours, made once a variant."""
        if variant not in self.kept:
            problem, choices = self.variants[variant]
            options = Options(pipeline="gas", **{"level": "minimised", "presolve": "none", **choices})
            self.kept[variant] = prepare_search(problem, plan_problem(problem, options, Clock()), options, Clock())
        return self.kept[variant]


FEWEST = ", fewest qubits"
NARROW = {"optimize": "qubits"}
MODEL: dict[str, dict[str, str]] = {
    "encoding chosen": {},
    "encoding chosen" + FEWEST: NARROW,
    "one-hot": {"encoding": "one-hot"},
    "one-hot, literal": {"encoding": "one-hot", "level": "literal"},
}


def whole(qubo: Qubo) -> Qubo:
    """The same minima with whole coefficients: multiplied by their common denominator."""
    numbers = {m: Fraction(repr(float(c))) for m, c in qubo.polynomial.items()}
    factor = math.lcm(*(c.denominator for c in numbers.values()))
    return Qubo.of(qubo.names, {m: int(c * factor) for m, c in numbers.items()}, qubo.meanings, qubo.space)


def histogram(qubo: Qubo) -> Histogram:
    """Energies of all states of a Qubo with whole coefficients."""
    return Histogram.of(np.rint(qubo.energies(bits_of(np.arange(1 << qubo.num_variables), qubo))).astype(np.int64))


def bits_of(numbers: NDArray[np.int64], qubo: Qubo) -> NDArray[np.bool_]:
    """States by their numbers, one a column, the first variable lowest."""
    return (numbers >> np.arange(qubo.num_variables)[:, None] & 1).astype(bool)


def dense(n: int, seed: int = 2026) -> Qubo:
    """Whole coefficients from -9 to 9 for every variable and every pair."""
    draw = np.random.default_rng(seed)
    terms = {m: int(draw.integers(-9, 10)) for i in range(n) for m in ((i,), *((i, j) for j in range(i + 1, n)))}
    return Qubo.of([f"x{i}" for i in range(n)], terms)


def _model(name: str, model: Model, scale: int = 1) -> Case:
    forms = {}
    for encoding, make in {"one-hot": make_one_hot, "binary": make_binary}.items():
        qubo = whole(formulate_model(model, Space(tuple(make(v) for v in model.variables))).qubo)
        forms[f"{encoding} {_kind(qubo)}"] = qubo
    return Case(name, forms, model, scale)


def _kind(qubo: Qubo) -> str:
    return "QUBO" if qubo.degree <= 2 else "HUBO"


INTERFERENCE = {(0, 1): 1835, (0, 2): 1216, (0, 3): 10, (1, 2): 1762, (1, 3): 2333, (2, 3): 1371}
"""Thousandths, of pairs of access points on one channel: appendix A of arXiv:2208.05181."""


def _channels() -> Case:
    """Four access points, each on one of three channels."""
    import cpmpy as cp

    channel = cp.intvar(0, 2, shape=4, name="channel")
    total = cp.sum([cost * (channel[i] == channel[j]) for (i, j), cost in INTERFERENCE.items()])
    return _model("channels", as_problem(cp.Model(minimize=total)).model, 1000)


def _qubo(name: str, qubo: Qubo) -> Case:
    return Case(name, {_kind(qubo): whole(qubo)})


def _file(name: str) -> Case:
    qubo = read_problem(EXAMPLES / "qubo" / name).qubo
    assert qubo is not None
    return _qubo(name, qubo)


MAKERS: dict[str, Callable[[], Case]] = {
    "K4": lambda: _model("K4", K4.model),
    "channels": _channels,
    "dense-8": lambda: _qubo("dense-8", dense(8)),
    "dense-12": lambda: _qubo("dense-12", dense(12)),
    "independent-12.qubo": lambda: _file("independent-12.qubo"),
    "barker-7.json": lambda: _file("barker-7.json"),
}
NAMES = tuple(MAKERS)


def case(name: str) -> Case:
    """A case by its name."""
    return Case(name, {}, K7.model) if name == "K7" else MAKERS[name]()


Walk = tuple[tuple[int, int], ...]
"""Threshold and iterations of each run, the last of which measured the optimum."""


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
