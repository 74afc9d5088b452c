"""Further tables of docs/gas.md: random Qubos, the schedule of searches, and every threshold of K4 and K7.

    python -m benchmarks gas-tables --only random [--peer-python PATH] [--write]
    python -m benchmarks gas-tables --only schedule [--write]
    python -m benchmarks gas-tables --only thresholds [--write]

``random``: does the search of 200 Qubos of 4 to 12 variables end at the optimum, ours and GroverOptimizer's. A quarter
each have whole coefficients, real ones, tiny ones (1e-9 to 1e-6) and ones of mixed scales (1e-3 to 1e3), all of both
signs. The optimum is that of all states in exact arithmetic. ``schedule``: oracle calls of adaptive searches in spaces
whose costs all differ, beside the rule of 9 sqrt(N) calls. ``thresholds``: CX of an iteration at every threshold.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from benchmarks.core import report
from benchmarks.core.report import say
from benchmarks.core.suite import PageSuite
from benchmarks.suites import gas, gas_cases
from benchmarks.suites.gas_cases import Case, Histogram, our_walk
from gatesolve.api import Options, plan_problem
from gatesolve.formats import as_problem
from gatesolve.pipelines import Settings
from gatesolve.pipelines.gas.pipeline import AdaptiveSearch, make_settings, prepare_search
from gatesolve.pipelines.gas.search import (
    GasOutcome,
    Measurement,
    adaptive_search,
    count_calls,
    make_schedule,
    proof_runs,
)
from gatesolve.planning import Clock
from gatesolve.qubo import Qubo, as_written
from gatesolve.simulate import list_marked, run_grover

KINDS = ("whole", "real", "tiny", "mixed")
NUMBER = 200
FEW = 6
"""Variables up to which the circuit at the last threshold is certified, and GroverOptimizer run."""
PEERS_MOST = 11
"""Variables and value qubits together up to which GroverOptimizer is run."""
PATIENCE = 10
HALVED = 10
LABELS = {
    "whole": "whole, -20 to 20",
    "real": "normal, standard deviation 3",
    "tiny": "magnitudes 1e-9 to 1e-6",
    "mixed": "magnitudes 1e-3 to 1e3",
    "all": f"all {NUMBER} above",
    "small": f"{HALVED} further QUBOs: whole, -7 to 7",
    "halved": f"the same {HALVED}, all coefficients halved",
}


def random_qubo(number: int) -> Qubo:
    """The Qubo of that number: its kind by turns, its size and coefficients drawn."""
    draw = np.random.default_rng((2026, number))
    n = int(draw.integers(4, 13))
    kind = KINDS[number % 4]

    def coefficient() -> float:
        sign = 1 if draw.random() < 0.5 else -1
        if kind == "whole":
            return int(draw.integers(-20, 21))
        if kind == "real":
            return float(draw.normal(0, 3))
        if kind == "tiny":
            return sign * float(10 ** draw.uniform(-9, -6))
        return sign * float(10 ** draw.uniform(-3, 3))

    pairs = [(i, j) for i in range(n) for j in range(i + 1, n) if draw.random() < 0.7]
    terms = {m: coefficient() for m in [(), *((i,) for i in range(n)), *pairs]}
    return Qubo.of([f"x{i}" for i in range(n)], terms)


def small_qubo(number: int) -> Qubo:
    """Four variables, whole coefficients from -7 to 7."""
    draw = np.random.default_rng((2027, number))
    monomials = [(i,) for i in range(4)] + [(i, j) for i in range(4) for j in range(i + 1, 4)]
    return Qubo.of("abcd", {m: int(draw.integers(-7, 8)) for m in monomials})


@dataclass(frozen=True)
class Searched:
    """One search of one Qubo.

    Attributes:
        search: the problem, ranked.
        outcome: what the search came to.
        energy: of the best measured state, in exact arithmetic; None if none was measured.
        optimum: the lowest energy of all states, exactly.
    """

    search: AdaptiveSearch
    outcome: GasOutcome
    energy: Fraction | None
    optimum: Fraction

    @property
    def found(self) -> bool:
        """Whether the best measured state has the lowest energy exactly."""
        return self.energy == self.optimum

    @property
    def wrong(self) -> bool:
        """Whether it says that it is finished though a state is lower by more than twice the stated error."""
        far = self.energy is None or self.energy - self.optimum > 2 * self.search.ranked.cost.error
        return self.outcome.finished and far


def search(qubo: Qubo, seed: int = 0) -> Searched:
    """Prepare a Qubo as `gatesolve solve` does and search it with exact probabilities."""
    options = Options(pipeline="gas", encoding="binary", seed=seed, level="minimised")
    problem = as_problem(qubo)
    prepared = prepare_search(problem, plan_problem(problem, options, Clock()), options, Clock())
    ranked = prepared.ranked

    def sample(threshold: int, iterations: int, seed: int) -> Measurement:
        ((number, _),) = run_grover(list_marked(ranked.costs < threshold), iterations).sample(1, seed).items()
        return prepared.measurement(number)

    outcome = adaptive_search(sample, make_settings(prepared))
    best = None if outcome.state.best is None else ranked.space.assignment(outcome.state.best.key)
    energy = None if best is None else _exact(qubo, [best[name] for name in qubo.names])
    return Searched(prepared, outcome, energy, optimum(qubo))


def optimum(qubo: Qubo) -> Fraction:
    """The lowest energy, its coefficients taken as the decimals they are written as."""
    terms = {m: as_written(c) for m, c in qubo.polynomial.items()}
    bits = (np.arange(1 << qubo.num_variables) >> np.arange(qubo.num_variables)[:, None] & 1).astype(object)
    total = np.zeros(bits.shape[1], dtype=object)
    for monomial, c in terms.items():
        total = total + c * np.prod(bits[list(monomial)], axis=0) if monomial else total + c
    return Fraction(min(total))


def certified_last(searched: Searched) -> int:
    """States on which the circuit of the search's last threshold was checked; 0 where nothing is below it.

    Raises:
        CertificateError: it marks something else.
    """
    threshold = searched.outcome.state.threshold
    if not threshold:
        return 0
    return searched.search.compile(threshold, iterations=1).certificate.checked


RANDOM = ["coefficients", "optimum found", "wrong verdicts", "costs exact", "oracle calls (mean)", "GroverOptimizer"]


def random_lines(python: str | None, number: int = NUMBER) -> list[list[object]]:
    """One line a kind under `RANDOM`, and one for whole coefficients halved.

    Args:
        python: an interpreter that has qiskit-optimization; None leaves it out.
        number: Qubos in all.

    Raises:
        AssertionError: a search ended wrongly more often than its confidence allows.
    """
    start = time.perf_counter()
    searched = [search(random_qubo(k), seed=k) for k in range(number)]
    say(f"{number} Qubos searched in {time.perf_counter() - start:.0f} s")
    checked = [certified_last(one) for one in searched if one.search.ranked.space.size <= 1 << FEW]
    say(f"{len(checked)} circuits at last thresholds (up to {FEW} variables) certified on {sum(checked)} states")
    theirs = peers(python) if python is not None else {}
    found = [_told(kind, searched[k :: len(KINDS)], theirs) for k, kind in enumerate(KINDS)]
    found.append(_told("all", searched, theirs))
    return [*found, *([LABELS[kind], *[None] * 4, theirs.get(kind)] for kind in ("small", "halved"))]


def _told(kind: str, part: Sequence[Searched], theirs: dict[str, str]) -> list[object]:
    calls = round(float(np.mean([one.outcome.state.oracle_calls for one in part])))
    exact = sum(not one.search.ranked.cost.error for one in part)
    found, wrong = sum(one.found for one in part), sum(one.wrong for one in part)
    return [LABELS[kind], f"{found} of {len(part)}", wrong, f"{exact} of {len(part)}", calls, theirs.get(kind)]


def peers(python: str) -> dict[str, str]:
    """How many optima GroverOptimizer finds: of each kind, and of whole coefficients halved."""
    numbers = [k for k in range(NUMBER) if random_qubo(k).num_variables <= FEW]
    numbers = [k for k in numbers if random_qubo(k).num_variables + _width(random_qubo(k)) <= PEERS_MOST]
    good = dict(zip(numbers, _by_optimizer(python, [random_qubo(k) for k in numbers]), strict=True))
    parts = {kind: [good[n] for n in numbers if KINDS[n % len(KINDS)] == kind] for kind in KINDS}
    parts["all"] = list(good.values())
    wholes = [small_qubo(k) for k in range(HALVED)]
    halves = [replace(q, terms={m: c / 2 for m, c in q.terms.items()}, offset=q.offset / 2) for q in wholes]
    parts |= {"small": _by_optimizer(python, wholes), "halved": _by_optimizer(python, halves)}
    return {kind: f"{sum(part)} of {len(part)}" for kind, part in parts.items()}


def _by_optimizer(python: str, qubos: Sequence[Qubo]) -> list[bool]:
    problems = [gas.as_request(qubo, _width(qubo)) for qubo in qubos]
    request = {"what": "solve", "problems": problems, "seed": 1, "iterations": PATIENCE, "shots": 1024}
    answer = gas.ask(python, "qiskit_optimization", request, gas.SECONDS)
    found = answer["found"]
    assert isinstance(found, list)
    return [_exact(qubo, bits) == optimum(qubo) for qubo, bits in zip(qubos, found, strict=True)]


def _width(qubo: Qubo) -> int:
    """The value qubits a user would take who rounds the range of the energies outwards."""
    bits = (np.arange(1 << qubo.num_variables) >> np.arange(qubo.num_variables)[:, None] & 1).astype(bool)
    energies = qubo.energies(bits)
    return gas.value_qubits(math.floor(energies.min()), math.ceil(energies.max()))


def _exact(qubo: Qubo, bits: Sequence[int]) -> Fraction:
    return sum((as_written(c) for m, c in qubo.polynomial.items() if all(bits[i] for i in m)), start=Fraction(0))


SIZES = tuple(1 << bits for bits in (4, 8, 12, 14, 17, 20))
SEARCHES = 300
SPANS = 10
"""Spans of 9 sqrt(N) calls without a find until the chance of a miss is below 1/1000."""
SCHEDULE = ["states N", "our runs without improvement", "our calls", "chance of a miss at most",
            "usual schedule: calls", "usual / ours", "calls until the optimum (mean)", "optimum missed"]  # fmt: skip


def schedule_lines(sizes: Sequence[int] = SIZES, searches: int = SEARCHES) -> list[list[object]]:
    """One line a size under `SCHEDULE`."""
    found: list[list[object]] = []
    for size in sizes:
        runs = proof_runs(size)
        calls, rule = count_calls(runs), SPANS * math.ceil(9 * math.sqrt(size))
        missed = make_schedule(size).bound_miss_after(runs)
        histogram = Histogram.of(np.arange(size))
        walks = [our_walk(histogram, Settings("schedule", size, seed)) for seed in range(searches)]
        done = [sum(iterations + 1 for _, iterations in walk) for walk in walks if walk]
        found.append([size, len(runs), calls, f"{missed:.6f}", rule, f"{rule / calls:.1f}", round(float(np.mean(done))),
                      f"{len(walks) - len(done)} of {len(walks)}"])  # fmt: skip
        say(f"M = {size}: {searches} searches drawn")
    return found


THRESHOLDS = ["problem", "threshold", "states below", "counter: CX an iteration", "fourier: CX an iteration"]


def every_threshold(case: Case) -> list[list[object]]:
    """For each threshold that leaves some states out: how many it lets in, CX of an iteration by both value oracles."""
    variant = "one-hot"
    search = case.prepared(variant)
    states = Histogram.of(search.ranked.costs)
    thresholds = list(range(states.lowest + 1, int(states.values[-1]) + 1))
    found = []
    for value in gas.OTHER:
        say(f"{case.name}, {variant}, {value}: {len(thresholds)} thresholds")
        found.append(gas.costs(gas.with_style(search, value), thresholds))
    return [[case.name, t, states.marked(t), *(part[t][1] for part in found)] for t in thresholds]


def threshold_lines() -> list[list[object]]:
    """Return the lines of both boards under `THRESHOLDS`."""
    return [line for name in ("K4", "K7") for line in every_threshold(gas_cases.case(name))]


SUITE = PageSuite(
    gas.PAGE,
    {
        "gas-random": lambda asked: report.markdown_table(RANDOM, random_lines(asked.peer_python)),
        "gas-schedule": lambda asked: report.markdown_table(SCHEDULE, schedule_lines()),
        "gas-thresholds": lambda asked: report.markdown_table(THRESHOLDS, threshold_lines()),
    },
    lambda parser: parser.add_argument("--peer-python", metavar="PATH", help="has qiskit-optimization"),
)
