"""QAOA in the Space beside Grover's search and GAS: P and CX at each depth, two boards of every family.

    python -m benchmarks qaoa [--problem NAME ...] [--write]
    python -m benchmarks qaoa --tables

P is the exact probability that one measurement is a solution, or optimal; CX are those of the whole lowered circuit,
so CX / P is what a solution costs on average. Angles are chosen by the costs' distribution, never by which states are
solutions. qaoa.csv records all rows; ``--write`` replaces those of the problems measured, and with them the tables and
the picture of docs/qaoa.md, as ``--tables`` does without measuring.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence

from benchmarks.core import report
from benchmarks.suites import qaoa_cases, qaoa_ours, qaoa_rows, qaoa_tables
from benchmarks.suites.qaoa_rows import Row
from gatesolve.errors import DoesNotFitError


def measure(case: qaoa_cases.Case) -> Iterator[list[Row]]:
    """All rows of a problem, those of one way at a time."""
    encodings = []
    for way, problem, options in qaoa_ours.ways(case, _say):
        yield list(qaoa_ours.qaoa_rows(case, way, problem, options, _say))
        if way != qaoa_rows.X:
            encodings.append(options.encoding)
    if case.problem.goal is None:
        yield [row for encoding in encodings for row in qaoa_ours.grover_rows(case, encoding, _say)]
    searched = []
    for encoding in encodings:
        try:
            searched.append(qaoa_ours.gas_row(case, encoding, _say))
        except DoesNotFitError as error:
            _say(f"{case.name}, GAS {encoding}: {error}")
    yield searched


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problem", choices=qaoa_cases.NAMES, action="append", help="only this one; may be repeated")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--write", action="store_true", help="replace qaoa.csv, the tables and the picture")
    how.add_argument("--tables", action="store_true", help="measure nothing; tables and picture from qaoa.csv")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str]) -> int:
    """Measure and print, problem by problem."""
    chosen = parsed(arguments)
    if chosen.tables:
        qaoa_tables.write_page(qaoa_rows.read())
        return 0
    for name in chosen.problem or qaoa_cases.NAMES:
        for fresh in measure(qaoa_cases.case(name)):
            _say(report.text_table(qaoa_tables.HEADER, qaoa_tables.lines(fresh)))
            if chosen.write:
                qaoa_rows.write(qaoa_rows.merged(fresh, qaoa_rows.read(), qaoa_cases.NAMES))
    if chosen.write and qaoa_tables.PAGE.exists():
        qaoa_tables.write_page(qaoa_rows.read())
    return 0


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
