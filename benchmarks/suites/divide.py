"""Boards of full size solved under several limits, with what is searched of them.

python -m benchmarks divide                 print the table of boards
python -m benchmarks divide --write         also replace divide.csv and the tables of docs/divided.md
python -m benchmarks divide --board NAME    only this board, others as recorded; may be repeated
python -m benchmarks divide --tables        measure nothing; the tables from divide.csv

Every solution is judged by the puzzle's own rules.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import gatesolve
from benchmarks.core import report
from benchmarks.core.csv_rows import read_rows, write_rows
from benchmarks.core.places import DOCS, RESULTS, ROOT
from gatesolve.cli.report import format_count, format_duration
from gatesolve.costs.physical_counts import count_section

FILE = RESULTS / "divide.csv"
PHYSICAL = RESULTS / "physical.csv"
PAGE = DOCS / "divided.md"
HEADER = (
    "board", "`--max-space`", "`--max-qubits`", "`--keep-refutable`", "solved on", "parts", "cut", "leaves", "states",
    "oracle calls", "CX", "T", "rotations", "qubits", "seconds", "classical nodes",
)  # fmt: skip
UNDIVIDED = (
    "board", "states", "logical qubits", "oracle calls", "physical qubits", "run time",
    "divided: parts", "cut classically", "leaves searched", "states", "qubits", "oracle calls", "backtracking: nodes",
)  # fmt: skip
MACHINE = "qubit_gate_ns_e3"


@dataclass(frozen=True)
class Row:
    """One board under one set of limits.

    Attributes:
        board: its name.
        max_space: log2 of the states of a space at most.
        max_qubits: data and ancillas at most; None for no limit.
        kept: whether parts that propagation refutes are searched where they fit.
        status: of the answer.
        rung: of the whole board, ``divided`` where it was divided.
        parts: come to; 1 where the board was not divided.
        cut: refuted by propagation.
        leaves: searched.
        states: in all of them.
        calls: of the oracle, in all.
        cx: in all.
        t: T gates in all, rotations not approximated.
        rotations: in all.
        qubits: of the largest circuit.
        seconds: of the whole solve, the comparison with backtracking and the first import included.
        nodes: of plain backtracking; None where the board was not divided.
    """

    board: str
    max_space: int
    max_qubits: int | None
    kept: int
    status: str
    rung: str
    parts: int
    cut: int
    leaves: int
    states: int
    calls: int
    cx: int
    t: int
    rotations: int
    qubits: int
    seconds: float
    nodes: int | None


def solve_board(board: str, power: int, qubits: int | None = None, kept: bool = False) -> Row:
    """Solve one of `boards` and say what it took."""
    problem, is_matched = boards()[board]
    # What matches exactly-one sums is left out where a board is to be solved without it.
    unmatched = patch("gatesolve.model.presolve.propagate.filter_exactly_one", lambda domains, constraints: {})
    start = time.perf_counter()
    with nullcontext() if is_matched else unmatched:
        found = gatesolve.solve(problem, max_space=1 << power, max_qubits=qubits, keep_refutable=kept)
    seconds = round(time.perf_counter() - start, 1)
    limits = (board, power, qubits, int(kept), found.status)
    division = found.division
    if division is None:
        program = found.compiled.program
        once = program.section_resources("iteration")
        counts = count_section(program, "iteration")
        calls = found.oracle_calls or 0
        spent = (calls * once.cx, calls * counts.t, calls * counts.rotations)
        searched = (found.space_size, calls, *spent, program.num_qubits)
        return Row(*limits, found.presolve, 1, 0, 1, *searched, seconds, None)
    totals = division.totals
    searched = tuple(totals[name] for name in ("states", "oracle_calls", "cx", "t", "rotations", "qubits"))
    tree = (division.nodes, division.cut, len(division.leaves))
    return Row(*limits, "divided", *tree, *searched, seconds, division.backtracking.nodes)


def boards() -> dict[str, tuple[Path, bool]]:
    """The boards, each with whether exactly-one sums may be matched."""
    examples = ROOT / "examples"
    found = {f"Sudoku, Inkala {year}": (examples / f"sudoku/inkala-{year}.txt", True) for year in (2006, 2010, 2012)}
    return found | {
        "Kakuro 17x17": (examples / "kakuro/newspaper-17x17.txt", True),
        "Queens 18x18": (examples / "queens/linkedin-18x18.txt", True),
        "Queens 18x18, no matching": (examples / "queens/linkedin-18x18.txt", False),
        "Star Battle 14x14, 3 stars": (examples / "starbattle/gatesolve-14x14-3.txt", True),
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
            f"{row.seconds:.1f}", row.nodes,
        ]
        for row in rows
    ]  # fmt: skip


def undivided(rows: Sequence[Row]) -> list[list[object]]:
    """The hardest Sudokus divided at 2^20, beside one search of all of each as physical.csv has it."""
    from benchmarks.suites import physical  # only here: its boards take a while to read

    whole = {r.case: r for r in read_rows(physical.Row, PHYSICAL) if r.presolve == "propagate" and r.model == MACHINE}
    return [
        [
            row.board, f"2^{one.states:.1f}", one.qubits, f"2^{math.log2(int(one.iterations)):.1f}",
            format_count(one.physical), format_duration(one.seconds),
            row.parts, row.cut, row.leaves, f"2^{math.log2(row.states):.1f}", row.qubits, row.calls, row.nodes,
        ]
        for row in rows
        if (row.max_space, row.max_qubits, row.kept) == (20, None, 0) and (one := whole.get(row.board))
    ]  # fmt: skip


def write_page(rows: Sequence[Row]) -> None:
    """Replace the tables of docs/divided.md."""
    report.write_table(PAGE, "divide", HEADER, lines(rows))
    report.write_table(PAGE, "undivided", UNDIVIDED, undivided(rows))


def main(arguments: Sequence[str]) -> int:
    """Solve and print, board by board."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--write", action="store_true", help="replace divide.csv and the tables")
    how.add_argument("--tables", action="store_true", help="measure nothing; tables from divide.csv")
    parser.add_argument("--board", action="append", choices=[*boards()], help="only this board; may be repeated")
    chosen = parser.parse_args(arguments)
    measured = () if chosen.tables else chosen.board or [*boards()]
    rows = [row for row in read_rows(Row, FILE) if row.board not in measured]
    for case in cases():
        if case[0] not in measured:
            continue
        rows.append(solve_board(*case))
        print(*lines(rows[-1:])[0], sep=" | ", flush=True)
    rows.sort(key=lambda row: [*boards()].index(row.board))
    if chosen.write or chosen.tables:
        write_rows(rows, Row, FILE)
        write_page(rows)
    return int(any(row.status != "solved" for row in rows))
