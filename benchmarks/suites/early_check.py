"""Searches with an early check beside the same without one: oracle calls, CX and T of a run, chance of success.

python -m benchmarks early-check [--write]

One constraint at a time (level `literal`), nothing deduced, in binary; the last boards are whole Sudokus with default
options. Prints a row a search, and one row for a board in which no early check pays; `--write` replaces the table of
docs/early.md.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Sequence

import gatesolve
from benchmarks.core import report
from benchmarks.core.places import DOCS, ROOT
from gatesolve.cli.report import format_count
from gatesolve.costs.physical_counts import count_section
from gatesolve.pipelines.amplification import ideal_success
from gatesolve.pipelines.program import Program

PAGE = DOCS / "early.md"
HEADER = (
    "board", "states", "early check", "blocks", "pass", "listed classically", "qubits", "whole oracle, calls",
    "early check, calls",
    "CX", "T", "rotations", "success",
)  # fmt: skip
BARE = {"presolve": "none", "encoding": "binary", "level": "literal"}
CASES: tuple[tuple[str, str, dict[str, str]], ...] = (
    ("contest Kakuro (K7)", "kakuro/contest.txt", BARE),
    ("Sudoku 4x4", "sudoku/small.txt", BARE),
    ("Takuzu 4x4", "takuzu/small.txt", BARE),
    ("Queens 4x4", "queens/tiny-4x4.txt", BARE),
    ("Tents 3x5", "tents/weak-3x5.txt", BARE),
    ("Sudoku, Inkala 2010", "sudoku/inkala-2010.txt", {}),
    ("Sudoku, Inkala 2012", "sudoku/inkala-2012.txt", {}),
)


def measure(board: str, program: Program, marked: int) -> list[object]:
    """A row of the table."""
    early, iterations = program.early, program.iterations
    calls = 0 if early is None else early.rounds * (1 + 2 * iterations)
    sections = [(one.name, one.times) for one in program.sections if one.times]
    cx = sum(times * (program.section_resources(name).cx or 0) for name, times in sections)
    counted = [(times, count_section(program, name)) for name, times in sections]
    size = program.space.size
    return [
        board,
        f"2^{math.log2(size):.1f}",
        None
        if early is None
        else f"{early.conditions} conditions, {early.rounds} round{'s' if early.rounds > 1 else ''}",
        None if early is None else len(early.blocks),
        None if early is None else f"{len(early.passing)} of {early.of}",
        None if early is None else format_count(early.counted),
        program.num_qubits,
        format_count(iterations),
        format_count(calls) if calls else None,
        format_count(cx),
        format_count(sum(times * one.t for times, one in counted)),
        format_count(sum(times * one.rotations for times, one in counted)),
        f"{ideal_success(program, marked):.4f}",
    ]


def rows() -> Iterator[list[object]]:
    """Each board without an early check and with one, where one is made."""
    for board, path, options in CASES:
        for early in (False, True):
            made = gatesolve.compile(ROOT / "examples" / path, early_check=early, **options)
            if early and made.program.early is None:
                continue
            yield measure(board, made.program, made.certificate.marked or 1)


def main(arguments: Sequence[str]) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="replace the table of docs/early.md")
    chosen = parser.parse_args(arguments)
    measured = list(rows())
    print(report.text_table(HEADER, measured))
    if chosen.write:
        report.write_table(PAGE, "early", HEADER, measured)
    return 0
