"""Grover Adaptive Search: CX an iteration and of a run, ours beside qiskit-optimization's GroverOptimizer and Qamomile.

    python -m benchmarks gas [--only NAME ...] [--peer-python PATH] [--write | --check]

All get the same polynomials and draw their runs by one schedule, ours. The peers' circuits are lowered by Qiskit at
level 3, and a value circuit is simulated on states before it counts. ``--peer-python`` names an interpreter that has
``qamomile[qiskit]`` and qiskit-optimization; without it Qamomile's rows stay. The table is in docs/gas.md.
"""

from __future__ import annotations

import argparse
import base64
import io
import warnings
from collections.abc import Sequence
from dataclasses import replace
from importlib import metadata
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from qiskit import QuantumCircuit, qpy
from qiskit.circuit.library import grover_operator

from benchmarks.core import report
from benchmarks.core.places import DOCS
from benchmarks.core.processes import ask
from benchmarks.core.report import say
from benchmarks.core.rows import OURS, Row, Table
from benchmarks.core.suite import Asked, Suite
from benchmarks.peers import qiskit as peer_qiskit
from benchmarks.suites import gas_cases
from benchmarks.suites.gas_cases import FEWEST, Case, Histogram, Walk, bits_of, our_walk, spread, walk_cost
from gatesolve.api import about
from gatesolve.circuit import count
from gatesolve.pipelines.gas.pipeline import AdaptiveSearch, make_settings
from gatesolve.qubo import Qubo

GENERAL = "cx+u"
CHECKED = 16
"""States drawn on which a value circuit is simulated."""
BUILT = 16
"""Thresholds at which our circuits are built beside the last one; at others they count as the dearest of these."""
SECONDS = 900
Pair = tuple[QuantumCircuit, QuantumCircuit]
"""A, which prepares the values from zero, and the operator that is iterated; the variables come first."""


def value_qubits(least: int, most: int) -> int:
    """The fewest that hold, signed, every energy and its difference to every other."""
    spread = most - least
    return next(m for m in range(1, 64) if max(spread, most) < 1 << m - 1 and min(-spread, least) >= -(1 << m - 1))


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


def operators(qubo: Qubo, width: int, threshold: int) -> Pair:
    """As GroverOptimizer builds them: two's complement, sign first."""
    from qiskit.circuit.library import QuadraticForm

    n = qubo.num_variables
    quadratic, linear = matrices(qubo)
    prepare = QuantumCircuit(n + width)
    prepare.h(range(n))
    with warnings.catch_warnings():
        # Deprecated, and what GroverOptimizer uses.
        warnings.simplefilter("ignore", DeprecationWarning)
        form = QuadraticForm(width, quadratic, linear, float(qubo.offset) - threshold, little_endian=False)
        prepare.compose(form, inplace=True)
    # The qubit that its oracle declares and never uses.
    oracle = QuantumCircuit(n + width + 1)
    oracle.z(n)
    return prepare, grover_operator(oracle, prepare)


def check(qubo: Qubo, prepare: QuantumCircuit, sign: int, threshold: int, seed: int = 2026) -> int:
    """Simulate A without H on the variables, Z on the sign and A's inverse, lowered, on drawn states and an optimum.

    Matrix product states: the values are numbers in the end, so little is entangled on the way.

    Returns:
        On how many states.

    Raises:
        AssertionError: other states are marked than those below the threshold.
    """
    from qiskit_aer import AerSimulator

    n = qubo.num_variables
    value = prepare.copy_empty_like()
    for instruction in prepare.data:
        if instruction.operation.name != "h" or prepare.find_bit(instruction.qubits[0]).index >= n:
            value.append(instruction)
    marking = value.copy()
    marking.z(sign)
    marking.compose(value.inverse(), inplace=True)
    lowered = peer_qiskit.transpiled(marking, n, GENERAL)
    best = int(np.argmin(qubo.energies(bits_of(np.arange(1 << n), qubo))))
    numbers = np.unique([best, *np.random.default_rng(seed).integers(0, 1 << n, size=CHECKED)])
    circuits = []
    for number in numbers:
        state = QuantumCircuit(lowered.num_qubits)
        for qubit in np.flatnonzero(number >> np.arange(n) & 1):
            state.x(int(qubit))
        # Back to zero: for other numbers Aer 0.18 looks the amplitude up in the order of its own swaps.
        circuit = state.compose(lowered).compose(state)
        circuit.save_amplitudes([0])
        circuits.append(circuit)
    result = AerSimulator(method="matrix_product_state").run(circuits).result()
    found = np.array([result.data(place)["amplitudes"][0] for place in range(len(numbers))])
    found *= np.where(qubo.energies(bits_of(numbers, qubo)) < threshold, -1, 1)

    assert np.allclose(np.abs(found), 1), "a state is moved, or ancillas are set"
    assert np.allclose(found, found[0]), "other states are marked"
    return len(numbers)


def as_request(qubo: Qubo, width: int, threshold: float = 0) -> dict[str, object]:
    """What peers/qiskit_optimization.py reads."""
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
    ours = [int(peer_qiskit.merged(one).count_ops().get("cx", 0)) for one in operators(qubo, width, threshold)]
    assert answer["cx"] == ours, f"GroverOptimizer's own circuits have {answer['cx']} CX, rebuilt {ours}"
    return str(answer["version"])


PAGE = DOCS / "gas.md"
THEIRS, QAMOMILE = "GroverOptimizer", "Qamomile"
SEARCHES = 300
TABLE = Table(
    "gas",
    """
    problem       key      name of the case
    method        key      gatesolve, GroverOptimizer or Qamomile
    variant       key      the polynomial; ours also the encoding of a model
    version       version  of gatesolve, Qiskit or Qamomile
    states        int      of the search space
    optima        int      states that are optimal
    qubits        int      of the circuit at the last threshold
    preparation   int      CX of the start
    iteration     int      CX of one iteration at the last threshold, below which only the optima are
    calls         float    mean number of iterations and runs until an optimum is measured
    run           int      CX of all circuits until then, the mean over the searches
    searches      int      searches drawn
    checked       int      states on which the circuit at the last threshold was followed exactly
    """,
)

Style = Literal["auto", "counter", "fourier"]
OTHER: dict[str, Style] = {"counter": "fourier", "fourier": "counter"}


def our_rows(case: Case, searches: int) -> list[Row]:
    """Our rows of a problem; those for the fewest qubits only where they have fewer."""
    found = list[Row]()
    for variant in case.variants:
        search = case.prepared(variant)
        program = search.compile_unlowered(search.ranked.lowest + 1, iterations=0).program
        if variant.endswith(FEWEST) and program.num_qubits >= found[-1].qubits:
            continue
        states = Histogram.of(search.ranked.costs)
        walks = draw_walks(search, states, searches)
        say(f"{case.name}, {variant}: {searches} searches drawn")
        found.append(_our_row(case, variant, search, states, walks))
    return found


def draw_walks(search: AdaptiveSearch, states: Histogram, searches: int) -> list[Walk]:
    """Whole searches, by their seeds; the few that miss the optimum are left out."""
    settings = make_settings(search)
    return [walk for seed in range(searches) if (walk := our_walk(states, replace(settings, seed=seed)))]


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


def passed(walks: Sequence[Walk]) -> set[int]:
    """Thresholds at which a circuit is iterated."""
    return {threshold for walk in walks for threshold, iterations in walk if iterations}


def _our_row(case: Case, variant: str, search: AdaptiveSearch, states: Histogram, walks: Sequence[Walk]) -> Row:
    last = states.lowest + 1
    compiled = search.compile(last, iterations=1)
    program = compiled.program
    start, each = program.resources("preparation").cx, program.resources("iteration").cx
    thresholds = np.array(sorted(passed(walks) - {last}), dtype=int)
    say(f"{case.name}, {variant}: {len(thresholds) + 1} thresholds, iteration {each} CX")
    places = np.unique(np.linspace(0, len(thresholds) - 1, BUILT).astype(int))[: len(thresholds)]
    built = costs(search, thresholds[places].tolist())
    dearest = max(built.values(), key=max) if built else (start, each)
    by_threshold = {**dict.fromkeys(thresholds.tolist(), dearest), **built, last: (start, each)}
    return _row(case, OURS, variant, about.version(), states).replace(
        qubits=program.num_qubits,
        preparation=start,
        iteration=each,
        checked=compiled.certificate.checked,
        **_drawn(walks, by_threshold, start),
    )


def _row(case: Case, method: str, variant: str, version: str, states: Histogram) -> Row:
    size, optima = states.size, states.marked(states.lowest + 1)
    return TABLE.row(case.name, method, variant, version, states=size, optima=optima)


def _drawn(walks: Sequence[Walk], by_threshold: dict[int, tuple[int, int]], start: int) -> dict[str, Any]:
    calls = sum(k + 1 for walk in walks for _, k in walk) / len(walks)
    run, _ = spread([walk_cost(walk, by_threshold, start) for walk in walks])
    return {"calls": calls, "run": run, "searches": len(walks)}


def _energy_at(states: Histogram, ranked: Histogram, cost: int) -> int:
    """Return the energy of a threshold among our costs, which have the order of the energies."""
    return int(states.values[min(np.searchsorted(ranked.values, cost), len(ranked.values) - 1)])


def peer_rows(case: Case, searches: int, python: str | None) -> list[Row]:
    """The peers' rows of each polynomial, Qamomile's only with an interpreter that has it."""
    found = []
    for form, qubo in case.forms.items():
        states = gas_cases.histogram(qubo)
        # Our walks, whose costs are the energies in another unit; without iterations a threshold does not matter.
        search = case.prepared(form)
        ranked = Histogram.of(search.ranked.costs)
        walks = [
            tuple((_energy_at(states, ranked, cost), k) for cost, k in walk)
            for walk in draw_walks(search, ranked, searches)
        ]
        thresholds = [states.lowest + 1, *sorted(passed(walks) - {states.lowest + 1})]
        if max(map(len, qubo.terms)) <= 2:
            width = value_qubits(int(states.values[0]), int(states.values[-1]))
            # The threshold is one number more or less in one-qubit phases, so an iteration has as many CX at every one.
            pair = operators(qubo, width, thresholds[0])
            row = _row(case, THEIRS, form, metadata.version("qiskit"), states)
            found.append(_peer_row(row, qubo, dict.fromkeys(thresholds, pair), qubo.num_variables, walks))
            if python:
                version = same_as_installed(python, qubo, width, thresholds[0])
                say(f"{case.name}: the circuits of qiskit-optimization {version} have as many CX as those rebuilt")
        if python:
            version, pairs = qamomile(python, qubo, thresholds)
            row = _row(case, QAMOMILE, form, version, states)
            found.append(_peer_row(row, qubo, pairs, -1, walks))
            if case.scale > 1 and qubo is [*case.forms.values()][-1]:
                found += _rounded(case, row, qubo, python, thresholds[0])
    return found


def qamomile(
    python: str, qubo: Qubo, thresholds: Sequence[int], scale: int = 1, **options: object
) -> tuple[str, dict[int, Pair]]:
    """Its version and circuits by threshold, at its own width there; coefficients and thresholds divided by a scale."""
    terms = [[m, float(c) / scale] for m, c in qubo.polynomial.items() if m]
    request = {
        "terms": terms, "offset": float(qubo.offset) / scale, "thresholds": [t / scale for t in thresholds],
        "options": options
    }  # fmt: skip
    answer = ask(python, "qamomile", request, SECONDS)
    loaded = {
        int(width): tuple(qpy.load(io.BytesIO(base64.b64decode(text)))) for width, text in answer["circuits"].items()
    }
    pairs = {t: loaded[width] for t, width in zip(thresholds, answer["widths"], strict=True)}
    return str(answer["version"]), pairs


ROUNDINGS: dict[str, dict[str, object]] = {
    "real coefficients": {"approximate_real_coefficients": False},
    "rounded to 8 bits": {"quantization_parameter": 8},
    "rounded automatically": {},
}


def _rounded(case: Case, row: Row, qubo: Qubo, python: str, last: int) -> list[Row]:
    """Qamomile's other ways with real coefficients. They mark what is below a threshold approximately: no runs."""
    found = []
    for name, options in ROUNDINGS.items():
        (pair,) = qamomile(python, qubo, [last], case.scale, **options)[1].values()
        start, each = _lowered(pair, qubo)
        cells = {"qubits": pair[1].num_qubits, "preparation": start, "iteration": each}
        found.append(row.replace(variant=f"{row.variant}, {name}", **cells))
    return found


def _lowered(pair: Pair, qubo: Qubo) -> tuple[int, int]:
    begun = (qubo.num_variables, pair[1].num_qubits)
    start, each = (
        count(peer_qiskit.transpiled(one, data, GENERAL), GENERAL).cx for one, data in zip(pair, begun, strict=True)
    )
    return start, each


def _peer_row(row: Row, qubo: Qubo, pairs: dict[int, Pair], sign: int, walks: Sequence[Walk]) -> Row:
    """Count and check the circuits at the first threshold, the last of a search; count those of other widths."""
    say(f"{row}: {len(pairs)} thresholds")
    lowered = {
        pair[0].num_qubits: _lowered(pair, qubo) for pair in {id(pair): pair for pair in pairs.values()}.values()
    }
    by_threshold = {threshold: lowered[pair[0].num_qubits] for threshold, pair in pairs.items()}
    last, (prepare, operator) = next(iter(pairs.items()))
    start, each = by_threshold[last]
    checked = check(qubo, prepare, sign % prepare.num_qubits, last)
    counts = {"qubits": operator.num_qubits, "preparation": start, "iteration": each, "checked": checked}
    # Without iterations the variables are measured at once.
    return row.replace(**counts, **_drawn(walks, by_threshold, 0))


HEADER = ["problem", "library", "gets", "states", "qubits", "CX an iteration", "calls", "CX of a run",
          "times gatesolve on the same polynomial"]  # fmt: skip


def lines(rows: Sequence[Row]) -> list[list[object]]:
    """One line a row under `HEADER`."""
    same = {(row.problem, row.variant): row.run for row in rows if row.method == OURS}
    return [
        [
            row.problem, row.method, row.variant, row.states, row.qubits, row.iteration,
            row.calls and f"{row.calls:.1f}", row.run,
            f"{row.run / same[row.problem, row.variant]:.1f}" if row.run and row.method != OURS else None
        ]
        for row in rows
    ]  # fmt: skip


def measure(name: str, asked: Asked) -> list[Row]:
    """Make all rows of a problem."""
    case = gas_cases.case(name)
    return [*our_rows(case, asked.searches), *peer_rows(case, asked.searches, asked.peer_python)]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the peers' interpreter and the number of searches."""
    parser.add_argument("--peer-python", metavar="PATH", help="interpreter that has qiskit-optimization and Qamomile")
    parser.add_argument("--searches", type=int, default=SEARCHES, help="whole searches drawn")


SUITE = Suite(
    TABLE,
    list_cases=lambda: gas_cases.NAMES,
    measure=measure,
    show=lambda rows: (HEADER, lines(rows)),
    make_pages=lambda rows: report.fill(PAGE, {"gas": report.markdown_table(HEADER, lines(rows))}),
    add_options=add_options,
    stays=lambda row, asked: row.method == QAMOMILE and not asked.peer_python,
)
