"""One call of a constraint-checking Grover oracle: gatesolve beside Qiskit, PennyLane and Qrisp.

    python -m benchmarks gate-counts [--peer-python PATH] [--qrisp-python PATH] [--write | --check]

The same model at the same presolve setting for all; every lowered circuit, ours too, is followed exactly on all
codewords, or on a sample of a large board's, before its numbers count. gate_counts.csv records all rows.
``--write`` replaces it and the tables in benchmarks/README.md, ``--check`` compares with it: rows of peers that are
missing stay as they are, and exit 1 says that something else changed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence

from benchmarks.core import report
from benchmarks.core.peers import Note, list_absent
from benchmarks.suites import cases, ours, records, tables
from benchmarks.suites import gate_peers as peers
from benchmarks.suites.cases import Case
from benchmarks.suites.records import Row


def measure(case: Case, missing: Sequence[str], pythons: dict[str, str], note: Note) -> list[Row]:
    """Rows of a puzzle, by all libraries that are not missing; a note for each circuit that is left out."""
    makers: dict[str, Callable[[], list[Row]]] = {
        records.OURS: lambda: ours.rows(case, note),
        "Qiskit": lambda: peers.qiskit_rows(case, note),
        "PennyLane": lambda: peers.pennylane_rows(case, pythons["PennyLane"], note),
        "Qrisp": lambda: peers.qrisp_rows(case, pythons["Qrisp"], note),
    }
    return [row for library, make in makers.items() if library not in missing for row in make()]


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer-python", default=sys.executable, metavar="PATH", help="interpreter that has PennyLane")
    parser.add_argument("--qrisp-python", default=sys.executable, metavar="PATH", help="interpreter that has Qrisp")
    parser.add_argument("--puzzle", choices=cases.NAMES, action="append", help="only this one; may be repeated")
    parser.add_argument("--library", choices=records.LIBRARIES, action="append", help="only this one; may be repeated")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--write", action="store_true", help="replace gate_counts.csv and the tables in the README")
    what.add_argument("--check", action="store_true", help="compare with gate_counts.csv; exit 1 if anything differs")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str]) -> int:
    """Measure, print, and write or compare as asked, puzzle by puzzle."""
    chosen = parsed(arguments)
    pythons = {"PennyLane": chosen.peer_python, "Qrisp": chosen.qrisp_python}
    missing = list_absent(chosen.library or records.LIBRARIES, records.LIBRARIES, pythons, _say)
    changes = 0
    for name in chosen.puzzle or cases.NAMES:
        fresh = measure(cases.case(name), missing, pythons, _say)
        if chosen.check:
            changed = records.differences(fresh, records.read())
            changes += len(changed)
            _say("\n".join([*changed, f"{name}: {len(fresh)} rows, {len(changed)} differ"]))
            continue
        rows = records.merged(fresh, records.read(), cases.NAMES, missing)
        _say(report.text_table(tables.HEADER, tables.lines([row for row in rows if row in fresh])))
        if chosen.write:
            records.write(rows)
            report.write_section("gate_counts", tables.section(rows))
    return int(bool(changes))


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
