"""Boards of full size solved under several limits, with what is searched of them.

    python -m benchmarks divide [--only Kakuro ...] [--write | --check]

Every solution is judged by the puzzle's own rules. The tables are in docs/divided.md
and docs/contributors/tables.md.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from unittest.mock import patch

import gatesolve
from benchmarks.core import report
from benchmarks.core.places import DOCS, EXAMPLES
from benchmarks.core.rows import Row, Table
from benchmarks.core.suite import Asked, Suite
from benchmarks.suites import physical
from gatesolve.cli.report import format_count, format_duration
from gatesolve.costs.physical_counts import count_section

PAGE = DOCS / "divided.md"
TABLES = DOCS / "contributors" / "tables.md"
HEADER = (
    "board", "`--max-space`", "`--max-qubits`", "`--search-refuted`", "solved on", "parts", "cut", "leaves", "states",
    "oracle calls", "CX", "T", "rotations", "qubits", "seconds", "classical nodes"
)  # fmt: skip
UNDIVIDED = ("board", "states", "logical qubits", "oracle calls", "physical qubits", "run time")
DIVIDED = (
    "board", "parts visited", "refuted classically", "searched (leaves)", "states of the leaves",
    "qubits of the largest leaf", "oracle calls of the leaves", "backtracking: nodes"
)  # fmt: skip
MACHINE = "qubit_gate_ns_e3"
TABLE = Table(
    "divide",
    """
    board       key      its name
    max_space   key-int  log2 of the states of a space at most
    max_qubits  key-int  data and ancillas at most; empty without a limit
    kept        key-int  1 where parts that propagation refutes are searched where they fit
    status      str      of the answer
    rung        str      of the whole board, divided where it was divided
    parts       int      come to; 1 where the board was not divided
    cut         int      refuted by propagation
    leaves      int      searched
    states      int      in all of them
    calls       int      of the oracle, in all
    cx          int      in all
    t           int      T gates in all, rotations not approximated
    rotations   int      in all
    qubits      int      of the largest circuit
    seconds     seconds  of the whole solve, the comparison with backtracking and the first import included
    nodes       int      of plain backtracking; empty where the board was not divided
    """,
)


def solve_board(board: str, power: int, qubits: int | None = None, kept: bool = False) -> Row:
    """Solve one of `boards` and say what it took."""
    problem, is_matched = boards()[board]
    # What matches exactly-one sums is left out where a board is to be solved without it.
    unmatched = patch("gatesolve.model.presolve.propagate.filter_exactly_one", lambda domains, constraints: {})
    start = time.perf_counter()
    with nullcontext() if is_matched else unmatched:
        found = gatesolve.solve(problem, max_space=1 << power, max_qubits=qubits, search_refuted=kept)
    seconds = round(time.perf_counter() - start, 1)
    limits = (board, power, qubits, int(kept), found.status)
    division = found.division
    if division is None:
        program = found.compiled.program
        once = program.resources("iteration")
        counts = count_section(program, "iteration")
        calls = found.oracle_calls or 0
        spent = (calls * once.cx, calls * counts.t, calls * counts.rotations)
        searched = (found.space_size, calls, *spent, program.num_qubits)
        return TABLE.row(*limits, found.presolve, 1, 0, 1, *searched, seconds, None)
    totals = division.totals
    searched = tuple(totals[name] for name in ("states", "oracle_calls", "cx", "t", "rotations", "qubits"))
    tree = (division.nodes, division.cut, len(division.leaves))
    return TABLE.row(*limits, "divided", *tree, *searched, seconds, division.backtracking.nodes)


def boards() -> dict[str, tuple[Path, bool]]:
    """The boards, each with whether exactly-one sums may be matched."""
    years = (2006, 2010, 2012)
    found = {f"Sudoku, Inkala {year}": (EXAMPLES / f"sudoku/inkala-{year}.txt", True) for year in years}
    return found | {
        "Kakuro 17x17": (EXAMPLES / "kakuro/newspaper-17x17.txt", True),
        "Queens 18x18": (EXAMPLES / "queens/linkedin-18x18.txt", True),
        "Queens 18x18, no matching": (EXAMPLES / "queens/linkedin-18x18.txt", False),
        "Star Battle 14x14, 3 stars": (EXAMPLES / "starbattle/gatesolve-14x14-3.txt", True),
    }


def cases() -> Iterator[tuple[str, int, int | None, bool]]:
    """Boards and limits, in the order of the table."""
    for board in boards():
        hardest = board.startswith("Sudoku")
        for power in (24, 20, 16) if hardest else (20, 12):
            for qubits in (None, 100) if hardest else (None,):
                for kept in (False, True) if hardest else (False,):
                    yield board, power, qubits, kept


def lines(rows: Sequence[Row]) -> list[list[object]]:
    """The table of boards."""
    return [
        [
            row.board, f"2^{row.max_space}", row.max_qubits, "yes" if row.kept else "no",
            row.rung if row.status == "solved" else row.status, row.parts, row.cut, row.leaves,
            f"2^{math.log2(max(row.states, 1)):.1f}", row.calls, row.cx, row.t, row.rotations, row.qubits,
            f"{row.seconds:.1f}", row.nodes
        ]
        for row in rows
    ]  # fmt: skip


def undivided(rows: Sequence[Row]) -> list[list[object]]:
    """The hardest Sudokus divided at 2^20, beside one search of all of each as physical.csv has it."""
    whole = {r.case: r for r in physical.TABLE.read() if r.presolve == "propagate" and r.model == MACHINE}
    return [
        [
            row.board, f"2^{one.states:.1f}", one.qubits, f"2^{math.log2(int(one.iterations)):.1f}",
            format_count(one.physical), format_duration(one.seconds),
            row.parts, row.cut, row.leaves, f"2^{math.log2(row.states):.1f}", row.qubits,
            f"2^{math.log2(row.calls):.1f}", row.nodes
        ]
        for row in rows
        if (row.max_space, row.max_qubits, row.kept) == (20, None, 0) and (one := whole.get(row.board))
    ]  # fmt: skip


def make_pages(rows: Sequence[Row]) -> dict[Path, str]:
    """Return the page with the table beside the whole board, and the page of long tables with all rows."""
    found, width = undivided(rows), len(UNDIVIDED)
    tables = (UNDIVIDED, [row[:width] for row in found]), (DIVIDED, [[row[0], *row[width:]] for row in found])
    part = "\n\n".join(report.markdown_table(*table) for table in tables)
    whole = report.markdown_table(HEADER, lines(rows))
    return report.fill(PAGE, {"undivided": part}) | report.fill(TABLES, {"divide": whole})


def measure(name: str, asked: Asked) -> Iterator[Row]:
    """Solve a board under all its limits."""
    return (solve_board(*case) for case in cases() if case[0] == name)


SUITE = Suite(
    TABLE,
    list_cases=boards,
    measure=measure,
    show=lambda rows: (HEADER, lines(rows)),
    make_pages=make_pages,
    is_failed=lambda row: row.status != "solved",
)
