"""Grover Adaptive Search: CX an iteration and a solution, ours beside qiskit-optimization's GroverOptimizer.

    python -m benchmarks gas [--problem NAME ...] [--peer-python PATH] [--write | --check]
    python -m benchmarks gas --random [--peer-python PATH] [--write]
    python -m benchmarks gas --schedule | --thresholds [--write]

Beside them stands GroverOptimizer's circuit started from W states, without penalties for one-hot. Every circuit is
followed exactly on states of its space before it counts. gas.csv records all rows; ``--write`` replaces them and the
table in docs/gas.md, ``--check`` compares with them. ``--random``: the optimum of 200 random Qubos. ``--schedule``:
oracle calls until a search stops. ``--thresholds``: an iteration at every threshold of K4 and K7.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from benchmarks.core import report
from benchmarks.core.places import DOCS
from benchmarks.suites import gas_cases, gas_ours, gas_peers, gas_random, gas_rows, gas_schedules
from benchmarks.suites.gas_rows import Row

PAGE = DOCS / "gas.md"

HEADER = ["problem", "search", "states", "optima", "qubits", "CX of the start", "CX an iteration",
          "at other thresholds", "iterations", "P", "CX of that circuit", "CX of a search", "99 of 100",
          "to stop", "found", "checked"]  # fmt: skip


def lines(rows: Sequence[Row]) -> list[list[object]]:
    """One line a row under `HEADER`."""
    return [
        [
            row.problem, f"{row.method}, {row.variant}" if row.variant else row.method, row.states, row.optima,
            row.qubits, row.preparation, row.iteration, _ends(row), row.iterations, row.probability, row.circuit,
            row.mean, row.high, row.proof, f"{row.found:,} of {row.searches:,}", row.checked,
        ]
        for row in rows
    ]  # fmt: skip


def _ends(row: Row) -> str | None:
    if row.least is None or row.most is None:
        return None
    return f"{row.least:,}" if row.least == row.most else f"{row.least:,} to {row.most:,}"


DOCS_HEADER = ["problem", "search", "states", "qubits", "CX an iteration", "iterations", "P", "one circuit",
               "a search (mean)", "99 of 100", "found"]  # fmt: skip
THRESHOLDS_HEADER = ["problem", "threshold", "states below", "counter: CX an iteration", "fourier: CX an iteration"]


def docs_lines(rows: Sequence[Row]) -> list[list[object]]:
    """One line a row under `DOCS_HEADER`."""
    return [
        [
            row.problem, f"{row.method}, {row.variant}" if row.variant else row.method, row.states, row.qubits,
            row.iteration, row.iterations, row.probability, row.circuit, row.mean, row.high,
            f"{row.found:,} of {row.searches:,}",
        ]
        for row in rows
    ]  # fmt: skip


def write_docs(name: str, header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Replace a marked table of docs/gas.md."""
    begin, end = f"<!-- table:{name} -->\n", "<!-- end -->"
    before, rest = PAGE.read_text(encoding="utf-8").split(begin)
    after = rest.split(end, 1)[1]
    PAGE.write_text(f"{before}{begin}{report.markdown_table(header, rows)}\n{end}{after}", encoding="utf-8")


def measure(name: str, searches: int) -> list[Row]:
    """All rows of a problem."""
    case = gas_cases.case(name)
    searches = min(searches, case.most_searches)
    return [*gas_ours.rows(case, searches, _say), *gas_peers.rows(case, searches, _say)]


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer-python", metavar="PATH", help="interpreter that has qiskit-optimization")
    parser.add_argument("--problem", choices=gas_cases.NAMES, action="append", help="only this one; may be repeated")
    parser.add_argument("--searches", type=int, default=gas_rows.SEARCHES, help="whole searches drawn")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--write", action="store_true", help="replace gas.csv and the tables in docs/gas.md")
    how.add_argument("--check", action="store_true", help="compare with gas.csv; exit 1 if anything differs")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--random", action="store_true", help="200 random Qubos instead")
    what.add_argument("--schedule", action="store_true", help="oracle calls of searches instead")
    what.add_argument("--thresholds", action="store_true", help="K4 and K7 at every threshold instead")
    return parser.parse_args(arguments)


def other_table(chosen: argparse.Namespace) -> tuple[str, Sequence[str], list[list[object]]] | None:
    """One of the further tables, if it is asked for: its name, header and lines."""
    if chosen.schedule:
        return "gas-schedule", gas_schedules.HEADER, gas_schedules.lines(_say)
    if chosen.random:
        return "gas-random", gas_random.HEADER, gas_random.lines(chosen.peer_python, _say)
    if chosen.thresholds:
        cases = [gas_cases.case(name) for name in ("K4", "K7")]
        found = [line for case in cases for line in gas_ours.every_threshold(case, _say)]
        return "gas-thresholds", THRESHOLDS_HEADER, found
    return None


def main(arguments: Sequence[str]) -> int:
    """Measure, print, and write or compare as asked, problem by problem."""
    chosen = parsed(arguments)
    if (other := other_table(chosen)) is not None:
        name, header, found = other
        _say(report.text_table(header, found))
        if chosen.write:
            write_docs(name, header, found)
        return 0
    changes = 0
    for name in chosen.problem or gas_cases.NAMES:
        fresh = measure(name, chosen.searches)
        if chosen.peer_python:
            _say(f"{name}: {compared(name, chosen.peer_python)}")
        if chosen.check:
            changed = gas_rows.differences(fresh, gas_rows.read())
            changes += len(changed)
            _say("\n".join([*changed, f"{name}: {len(fresh)} rows, {len(changed)} differ"]))
            continue
        _say(report.text_table(HEADER, lines(fresh)))
        if chosen.write:
            rows = gas_rows.merged(fresh, gas_rows.read(), gas_cases.NAMES)
            gas_rows.write(rows)
            write_docs("gas", DOCS_HEADER, docs_lines(rows))
    return int(bool(changes))


def compared(name: str, python: str) -> str:
    """Whether GroverOptimizer's own circuits are those that were rebuilt."""
    case = gas_cases.case(name)
    if case.energies is None:
        return "GroverOptimizer's own circuits not compared"
    least, most = int(case.energies.values[0]), int(case.energies.values[-1])
    width = gas_peers.value_qubits(least, most)
    version = gas_peers.same_as_installed(python, case.qubo, width, least + 1)
    return f"the circuits of qiskit-optimization {version} have as many CX as those rebuilt"


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
