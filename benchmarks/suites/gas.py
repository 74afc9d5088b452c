"""Grover Adaptive Search: CX an iteration and a solution, ours beside qiskit-optimization's GroverOptimizer.

    python -m benchmarks gas [--only NAME ...] [--peer-python PATH] [--write | --check]

Beside them stands GroverOptimizer's circuit started from W states, without penalties for one-hot. Every circuit is
followed exactly on states of its space before it counts. The table is in docs/gas.md.
"""

from __future__ import annotations

import argparse
import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import metadata
from typing import Literal

import numpy as np
from qiskit import QuantumCircuit
from qiskit.circuit.library import grover_operator

from benchmarks.core import report
from benchmarks.core.follow import Codewords
from benchmarks.core.places import DOCS
from benchmarks.core.processes import ask
from benchmarks.core.report import say
from benchmarks.core.rows import OURS, Row, Table
from benchmarks.core.suite import Asked, Suite
from benchmarks.peers import qiskit as peer_qiskit
from benchmarks.suites import gas_cases
from benchmarks.suites.gas_cases import (
    Case,
    Histogram,
    Walk,
    enough_iterations,
    last_runs,
    matrices,
    optimizer_walk,
    our_walk,
    spread,
    walk_cost,
)
from gatesolve.api import about
from gatesolve.circuit import count
from gatesolve.encodings import Space
from gatesolve.errors import DoesNotFitError
from gatesolve.pipelines import Compiled
from gatesolve.pipelines.gas.pipeline import AdaptiveSearch, make_settings
from gatesolve.programs import success_probability
from gatesolve.qubo import Qubo

GENERAL = "cx+u"
BRANCHES = 1 << 15
"""Basis states in superposition up to which a lowered oracle is followed."""
MOST_CHECKED = 256
SECONDS = 900


@dataclass(frozen=True)
class Counted:
    """A circuit of the peer's kind at one threshold.

    Attributes:
        qubits: variables and value register, and Qiskit's own idle qubit.
        value_qubits: of the register.
        preparation: CX of A.
        iteration: CX of the operator that is iterated.
        checked: states on which its lowered oracle was followed exactly.
    """

    qubits: int
    value_qubits: int
    preparation: int
    iteration: int
    checked: int


def value_qubits(least: int, most: int) -> int:
    """The fewest that hold, signed, every energy and its difference to every other."""
    spread = most - least
    return next(m for m in range(1, 64) if max(spread, most) < 1 << m - 1 and min(-spread, least) >= -(1 << m - 1))


def value_circuit(qubo: Qubo, width: int, threshold: int) -> QuantumCircuit:
    """The energy less the threshold onto ``width`` zeroed qubits behind the variables, two's complement, sign first."""
    from qiskit.circuit.library import QuadraticForm

    quadratic, linear = matrices(qubo)
    with warnings.catch_warnings():
        # Deprecated, and what GroverOptimizer uses.
        warnings.simplefilter("ignore", DeprecationWarning)
        form = QuadraticForm(width, quadratic, linear, float(qubo.offset) - threshold, little_endian=False)
        circuit = QuantumCircuit(qubo.num_variables + width)
        return circuit.compose(form)


def start_circuit(num_qubits: int, space: Space | None) -> QuantumCircuit:
    """H on every variable, or for a one-hot space a W state on each block's qubits."""
    circuit = QuantumCircuit(num_qubits)
    if space is None:
        circuit.h(range(num_qubits))
        return circuit
    for block, first in zip(space.blocks, space.offsets, strict=True):
        circuit.x(first)
        for k in range(block.num_qubits - 1):
            # What is still on this qubit is shared with those after it.
            angle = 2 * math.acos(math.sqrt(1 / (block.num_qubits - k)))
            circuit.cry(angle, first + k, first + k + 1)
            circuit.cx(first + k + 1, first + k)
    return circuit


def operators(qubo: Qubo, width: int, threshold: int, space: Space | None) -> tuple[QuantumCircuit, QuantumCircuit]:
    """A, and the operator that is iterated, as GroverOptimizer builds them."""
    n = qubo.num_variables
    prepare = QuantumCircuit(n + width)
    prepare.compose(start_circuit(n, space), range(n), inplace=True)
    prepare.compose(value_circuit(qubo, width, threshold), inplace=True)
    # The qubit that its oracle declares and never uses.
    oracle = QuantumCircuit(n + width + 1)
    oracle.z(n)
    return prepare, grover_operator(oracle, prepare)


def counted(qubo: Qubo, width: int, threshold: int, space: Space | None = None) -> Counted:
    """Build, check and count.

    Raises:
        AssertionError: the lowered oracle marks other states than those below the threshold.
    """
    prepare, operator = operators(qubo, width, threshold, space)
    data = qubo.num_variables
    checked = check(qubo, width, threshold, space)
    preparation = count(peer_qiskit.transpiled(prepare, data, GENERAL), GENERAL).cx
    iteration = count(peer_qiskit.transpiled(operator, operator.num_qubits, GENERAL), GENERAL).cx
    return Counted(operator.num_qubits, width, preparation, iteration, checked)


def check(qubo: Qubo, width: int, threshold: int, space: Space | None = None, seed: int = 2026) -> int:
    """Follow the lowered value circuit, Z on the sign and the lowered inverse exactly on states of the search space.

    Returns:
        On how many, drawn where there are more than fit.

    Raises:
        AssertionError: other states are marked than those below the threshold.
    """
    n = qubo.num_variables
    size = space.size if space is not None else 1 << n
    most = max(min(BRANCHES >> width, MOST_CHECKED), 8)
    numbers = np.arange(size)
    if size > most:
        numbers = np.unique(np.random.default_rng(seed).integers(0, size, size=most))
    bits = space.bits(numbers) if space is not None else (numbers >> np.arange(n)[:, None] & 1).astype(bool)
    value = value_circuit(qubo, width, threshold)
    marking = value.copy()
    marking.z(n)
    marking.compose(value.inverse(), inplace=True)
    below = qubo.energies(bits) < threshold
    return Codewords(bits, below).follow(peer_qiskit.transpiled(marking, n, GENERAL))


def as_request(qubo: Qubo, width: int, threshold: float = 0) -> dict[str, object]:
    """What peer_gas.py reads."""
    quadratic, linear = matrices(qubo)
    offset = float(qubo.offset)
    return {
        "quadratic": quadratic.tolist(), "linear": linear.tolist(), "offset": offset, "width": width,
        "threshold": threshold
    }  # fmt: skip


def same_as_installed(python: str, qubo: Qubo, width: int, threshold: int) -> str:
    """The version of qiskit-optimization whose own circuits have as many CX as ours of its pieces.

    Raises:
        AssertionError: they have not.
        ImportError: it is not installed there.
    """
    answer = ask(python, "qiskit_optimization", {"what": "count", **as_request(qubo, width, threshold)}, SECONDS)
    prepare, operator = operators(qubo, width, threshold, None)
    ours = [int(peer_qiskit.merged(circuit).count_ops().get("cx", 0)) for circuit in (prepare, operator)]
    assert answer["cx"] == ours, f"GroverOptimizer's own circuits have {answer['cx']} CX, rebuilt {ours}"
    return str(answer["version"])


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

Style = Literal["auto", "counter", "fourier"]
OTHER: dict[str, Style] = {"counter": "fourier", "fourier": "counter"}
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


def with_style(search: AdaptiveSearch, style: Style) -> AdaptiveSearch:
    """Return the search with value oracles of another style."""
    return replace(search, options=replace(search.options, value_oracle=style))


def costs(search: AdaptiveSearch, thresholds: Sequence[int]) -> dict[int, tuple[int, int]]:
    """CX of the lowered start and of a lowered iteration by threshold, each oracle certified first."""
    found = {}
    for threshold in thresholds:
        program = search.compile_unlowered(threshold, iterations=0).program
        found[threshold] = program.resources("preparation").cx, program.resources("iteration").cx
    return found


def _our_row(
    case: Case, variant: str, search: AdaptiveSearch, states: Histogram, walks: Sequence[Walk], value: Style
) -> Row:
    search = with_style(search, value)
    lowest = states.lowest + 1
    compiled: Compiled = search.compile(lowest, iterations=1)
    program = compiled.program
    start, each = program.resources("preparation").cx, program.resources("iteration").cx
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
        except (AssertionError, DoesNotFitError) as error:
            say(f"{case.name}: {method} is left out, not shown to be right: {error}")
    return made


def _peer_row(case: Case, method: str, qubo: Qubo, energies: Histogram, space: Space | None, searches: int) -> Row:
    lowest = energies.lowest + 1
    circuit = counted(qubo, value_qubits(int(energies.values[0]), int(energies.values[-1])), lowest, space)
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
    width = value_qubits(least, most)
    version = same_as_installed(python, case.qubo, width, least + 1)
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
