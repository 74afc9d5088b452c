"""Rows of gas.py: what one way of searching takes an iteration and a solution, kept in gas.csv."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from benchmarks.core.csv_rows import read_rows, write_rows
from benchmarks.core.places import RESULTS
from benchmarks.suites.gas_walks import Walk
from gatesolve.pipelines.amplification import best_iterations, success_probability

FILE = RESULTS / "gas.csv"
OURS, THEIRS, W_START = "gatesolve", "GroverOptimizer", "W start"
WANTED = 0.99
SEARCHES = 1000


@dataclass(frozen=True)
class Row:
    """One way of searching one problem.

    Attributes:
        problem: name of the case.
        method: who.
        variant: for ours the encoding and the value oracle at the last threshold; "only" where no other was allowed.
        version: of gatesolve, or of Qiskit.
        states: of the search space.
        optima: how many of them are optimal.
        qubits: of the circuit at the last threshold.
        value_qubits: of the peers' value register, the fewest that are right.
        preparation: CX of the start.
        iteration: CX of one iteration at the last threshold, below which only the optima are.
        least: CX of the cheapest iteration among all thresholds that the searches passed.
        most: of the dearest.
        iterations: at the last threshold, the fewest with probability 0.99 or, if there are none, the likeliest.
        probability: of an optimum then.
        circuit: CX of that one circuit.
        mean: CX of all circuits until an optimum is measured, the mean over the searches.
        high: the 99th percentile of that.
        calls: mean number of iterations and runs until then.
        proof: CX of the runs after that until the search stops with confidence 0.999.
        found: of the searches, how many measured an optimum before they stopped.
        searches: how many were drawn.
        checked: states on which the circuit at the last threshold was followed exactly.
    """

    problem: str
    method: str
    variant: str
    version: str
    states: int
    optima: int
    qubits: int
    value_qubits: int | None
    preparation: int
    iteration: int
    least: int | None
    most: int | None
    iterations: int
    probability: float
    circuit: int
    mean: int | None
    high: int | None
    calls: float | None
    proof: int | None
    found: int | None
    searches: int
    checked: int

    @property
    def key(self) -> tuple[str, str, str]:
        """What names a row."""
        return self.problem, self.method, self.variant


def enough_iterations(size: int, marked: int) -> int:
    """The fewest iterations with success probability 0.99, else the likeliest number."""
    best = best_iterations(size, marked)
    return next((k for k in range(best) if success_probability(size, marked, k) >= WANTED), best)


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


def read(path: Path = FILE) -> list[Row]:
    """The recorded rows; none without a file."""
    return read_rows(Row, path)


def write(rows: Iterable[Row], path: Path = FILE) -> None:
    """Replace the file."""
    write_rows(rows, Row, path)


def merged(fresh: Sequence[Row], recorded: Sequence[Row], names: Sequence[str]) -> list[Row]:
    """The fresh rows, with those recorded for other problems, in the order of ``names``."""
    measured = {row.problem for row in fresh}
    kept = [row for row in recorded if row.problem not in measured and row.problem in names]
    return sorted([*fresh, *kept], key=lambda row: names.index(row.problem))


def differences(fresh: Sequence[Row], recorded: Sequence[Row]) -> list[str]:
    """One line for every row that is not the recorded one; those of another version of Qiskit are passed over."""
    before = {row.key: row for row in recorded}
    lines = []
    for row in fresh:
        old = before.get(row.key)
        if old is None:
            lines.append(f"{', '.join(row.key)}: not recorded")
        elif row.method == OURS or row.version == old.version:
            now, then = asdict(row), asdict(old)
            changed = [
                f"{name} {then[name]} -> {now[name]}" for name in now if name != "version" and now[name] != then[name]
            ]
            lines += [f"{', '.join(row.key)}: {', '.join(changed)}"] if changed else []
    return lines
