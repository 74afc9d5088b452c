"""Grover Adaptive Search: CX an iteration and a solution, ours beside qiskit-optimization's GroverOptimizer.

    python -m benchmarks gas [--only NAME ...] [--peer-python PATH] [--write | --check]

Beside them stands GroverOptimizer's circuit started from W states, without penalties for one-hot. Every circuit is
followed exactly on states of its space before it counts. The table is in docs/gas.md.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from dataclasses import replace
from importlib import metadata

import numpy as np

from benchmarks.core import report
from benchmarks.core.places import DOCS
from benchmarks.core.report import say
from benchmarks.core.rows import OURS, Row, Table
from benchmarks.core.suite import Asked, Suite
from benchmarks.suites import gas_cases, gas_peers
from benchmarks.suites.gas_cases import (
    Case,
    Histogram,
    Walk,
    enough_iterations,
    last_runs,
    optimizer_walk,
    our_walk,
    spread,
    walk_cost,
)  # fmt: skip
from gatesolve.api import about
from gatesolve.encodings.space import Space
from gatesolve.pipelines.amplification import success_probability
from gatesolve.pipelines.gas.compile import AdaptiveSearch
from gatesolve.pipelines.gas.run import make_settings
from gatesolve.pipelines.task import Compiled
from gatesolve.qubo import Qubo

PAGE = DOCS / "gas.md"
THEIRS, W_START = "GroverOptimizer", "W start"
SEARCHES = 1000
TABLE = Table(
    "gas",
    """
    problem       key      name of the case
    method        key      gatesolve, GroverOptimizer or W start
    variant       key      ours: encoding and value oracle at the last threshold; "only" where no other was allowed
    version       version  of gatesolve, or of Qiskit
    states        int      of the search space
    optima        int      states that are optimal
    qubits        int      of the circuit at the last threshold
    value_qubits  int      of the peers' value register, the fewest that are right
    preparation   int      CX of the start
    iteration     int      CX of one iteration at the last threshold, below which only the optima are
    least         int      CX of the cheapest iteration among all thresholds that the searches passed
    most          int      CX of the dearest
    iterations    int      at the last threshold: the fewest with probability 0.99, or else the likeliest
    probability   float    of an optimum then
    circuit       int      CX of that one circuit
    mean          int      CX of all circuits until an optimum is measured, the mean over the searches
    high          int      the 99th percentile of that
    calls         float    mean number of iterations and runs until then
    proof         int      CX of the runs after that until the search stops with confidence 0.999
    found         int      searches that measured an optimum before they stopped
    searches      int      searches drawn
    checked       int      states on which the circuit at the last threshold was followed exactly
    """,
)

OTHER = {"counter": "fourier", "fourier": "counter"}
MANY = 16
"""Thresholds up to which each value oracle is made at all of them; of more only the cheaper one is, as searches do."""


def our_rows(case: Case, searches: int) -> list[Row]:
    """Our rows of a problem: for each variant the cheaper value oracle, for the first one the other too."""
    found = []
    for variant in case.variants:
        search = case.prepared(variant)
        states = Histogram.of(search.ranked.costs)
        settings = make_settings(search)
        walks = [our_walk(states, replace(settings, seed=seed)) for seed in range(searches)]
        say(f"{case.name}, {variant}: {searches} searches drawn")
        found.append(_our_row(case, variant, search, states, walks, "auto"))
        if len(found) == 1:
            other = OTHER[found[0].variant.split(", ")[1]]
            found.append(_our_row(case, variant, search, states, walks, other))
    return found


def costs(search: AdaptiveSearch, thresholds: Sequence[int]) -> dict[int, tuple[int, int]]:
    """CX of the lowered start and of a lowered iteration by threshold, each oracle certified first."""
    found = {}
    for threshold in thresholds:
        program = search.compile_unlowered(threshold, iterations=0).program
        found[threshold] = program.section_resources("preparation").cx, program.section_resources("iteration").cx
    return found


def _our_row(
    case: Case, variant: str, search: AdaptiveSearch, states: Histogram, walks: Sequence[Walk], value: str
) -> Row:
    search = replace(search, options=replace(search.options, value=value))
    lowest = states.lowest + 1
    compiled: Compiled = search.compile(lowest, iterations=1)
    program = compiled.program
    start, each = program.section_resources("preparation").cx, program.section_resources("iteration").cx
    optima = states.marked(lowest)
    iterations = enough_iterations(states.size, optima)
    done = [walk for walk in walks if walk]
    passed = sorted({threshold for walk in done for threshold, k in walk if k} - {lowest})
    say(f"{case.name}, {variant}, {value}: {len(passed) + 1} thresholds, iteration {each} CX")
    by_threshold = {lowest: (start, each)}
    total: tuple[int | None, int | None] = None, None
    ends: tuple[int | None, int | None] = None, None
    if value == "auto" or len(passed) < MANY:
        by_threshold |= costs(search, passed)
        total = spread([walk_cost(walk, by_threshold, start) for walk in done])
        ends = min(e for _, e in by_threshold.values()), max(e for _, e in by_threshold.values())
    # These are run below the optimum, where nothing is marked.
    proof = last_runs(states, make_settings(search))
    begin, again = costs(search, [states.lowest])[states.lowest] if proof else (0, 0)
    return TABLE.row(
        problem=case.name,
        method=OURS,
        variant=f"{variant}, {program.oracle.style if value == 'auto' else value + ' only'}",
        version=about.version(),
        states=states.size,
        optima=optima,
        qubits=program.num_qubits,
        value_qubits=None,
        preparation=start,
        iteration=each,
        least=ends[0],
        most=ends[1],
        iterations=iterations,
        probability=success_probability(states.size, optima, iterations),
        circuit=start + iterations * each,
        mean=total[0],
        high=total[1],
        calls=sum(k + 1 for walk in done for _, k in walk) / len(done),
        proof=len(proof) * begin + sum(proof) * again,
        found=len(done),
        searches=len(walks),
        checked=compiled.certificate.checked,
    )


def peer_rows(case: Case, searches: int) -> list[Row]:
    """GroverOptimizer, and the start from W states where variables are one-hot; a note for what is left out."""
    found = []
    if case.energies is None:
        say(f"{case.name}: GroverOptimizer is left out: its {case.qubo.num_variables} variables have too many states")
    else:
        found.append((THEIRS, case.qubo, case.energies, None))
    if case.inside is not None:
        qubo, space = case.inside
        energies = np.rint(qubo.energies(space.bits(np.arange(space.size)))).astype(np.int64)
        found.append((W_START, qubo, Histogram.of(energies), space))
    made = []
    for method, qubo, energies, space in found:
        try:
            made.append(_peer_row(case, method, qubo, energies, space, searches))
        except (AssertionError, OverflowError) as error:
            say(f"{case.name}: {method} is left out, not shown to be right: {error}")
    return made


def _peer_row(case: Case, method: str, qubo: Qubo, energies: Histogram, space: Space | None, searches: int) -> Row:
    lowest = energies.lowest + 1
    circuit = gas_peers.counted(
        qubo, gas_peers.value_qubits(int(energies.values[0]), int(energies.values[-1])), lowest, space
    )
    optima, start, each = energies.marked(lowest), circuit.preparation, circuit.iteration
    iterations = enough_iterations(energies.size, optima)
    ended = [optimizer_walk(energies, math.log2(energies.size), seed) for seed in range(searches)]
    # The threshold is one number more or less in one-qubit phases, so an iteration has as many CX at every one.
    total = [sum(start + k * each for _, k in end.walk) for end in ended]
    mean, high = spread(total)
    return TABLE.row(
        problem=case.name,
        method=method,
        variant="",
        version=metadata.version("qiskit"),
        states=energies.size,
        optima=optima,
        qubits=circuit.qubits,
        value_qubits=circuit.value_qubits,
        preparation=start,
        iteration=each,
        least=each,
        most=each,
        iterations=iterations,
        probability=success_probability(energies.size, optima, iterations),
        circuit=start + iterations * each,
        mean=mean,
        high=high,
        calls=sum(k + 1 for end in ended for _, k in end.walk) / searches,
        proof=None,
        found=sum(end.found for end in ended),
        searches=searches,
        checked=circuit.checked,
    )


HEADER = ["problem", "search", "states", "qubits", "CX an iteration", "iterations", "P", "one circuit",
          "a search (mean)", "99 of 100", "found"]  # fmt: skip


def lines(rows: Sequence[Row]) -> list[list[object]]:
    """One line a row under `HEADER`."""
    return [
        [
            row.problem, f"{row.method}, {row.variant}" if row.variant else row.method, row.states, row.qubits,
            row.iteration, row.iterations, row.probability, row.circuit, row.mean, row.high,
            f"{row.found:,} of {row.searches:,}"
        ]
        for row in rows
    ]  # fmt: skip


def compared(name: str, python: str) -> str:
    """Whether GroverOptimizer's own circuits are those that were rebuilt."""
    case = gas_cases.case(name)
    if case.energies is None:
        return "GroverOptimizer's own circuits not compared"
    least, most = int(case.energies.values[0]), int(case.energies.values[-1])
    width = gas_peers.value_qubits(least, most)
    version = gas_peers.same_as_installed(python, case.qubo, width, least + 1)
    return f"the circuits of qiskit-optimization {version} have as many CX as those rebuilt"


def measure(name: str, asked: Asked) -> list[Row]:
    """Make all rows of a problem."""
    case = gas_cases.case(name)
    searches = min(asked.searches, case.most_searches)
    if asked.peer_python:
        say(f"{name}: {compared(name, asked.peer_python)}")
    return [*our_rows(case, searches), *peer_rows(case, searches)]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the peer's interpreter and the number of searches."""
    parser.add_argument("--peer-python", metavar="PATH", help="interpreter that has qiskit-optimization")
    parser.add_argument("--searches", type=int, default=SEARCHES, help="whole searches drawn")


SUITE = Suite(
    TABLE,
    list_cases=lambda: gas_cases.NAMES,
    measure=measure,
    show=lambda rows: (HEADER, lines(rows)),
    make_pages=lambda rows: report.fill(PAGE, {"gas": report.markdown_table(HEADER, lines(rows))}),
    add_options=add_options,
)
