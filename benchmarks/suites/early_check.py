"""Searches with an early check beside the same without one: oracle calls, CX and T of a run, chance of success.

    python -m benchmarks early-check [--write | --check]

One constraint at a time (level `literal`), nothing deduced, in binary; the last boards are whole Sudokus with default
options. A board has a row for each search, and one row where no early check pays. The table is in docs/savings.md; no
other file has the rows.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import gatesolve
from benchmarks.core import report
from benchmarks.core.places import DOCS, EXAMPLES
from benchmarks.core.suite import PageSuite
from gatesolve.cli.report import format_count
from gatesolve.costs.physical_counts import count_section
from gatesolve.programs.amplification import ideal_success
from gatesolve.programs.program import Program

PAGE = DOCS / "savings.md"
HEADER = (
    "board", "states", "early check", "blocks", "pass", "listed classically", "qubits", "whole oracle, calls",
    "early check, calls",
    "CX", "T", "rotations", "success"
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
    early, iterations = program.search.early_check, program.iterations
    calls = 0 if early is None else early.rounds * (1 + 2 * iterations)
    sections = [(one.name, one.times) for one in program.sections if one.times]
    cx = sum(times * (program.resources(name).cx or 0) for name, times in sections)
    counted = [(times, count_section(program, name)) for name, times in sections]
    size = program.space.size
    return [
        board,
        f"2^{math.log2(size):.1f}",
        early and f"{early.conditions} conditions, {early.rounds} round{'s' if early.rounds > 1 else ''}",
        early and len(early.blocks),
        early and f"{len(early.passing)} of {early.of}",
        early and format_count(early.counted),
        program.num_qubits,
        format_count(iterations),
        format_count(calls) if calls else None,
        format_count(cx),
        format_count(sum(times * one.t for times, one in counted)),
        format_count(sum(times * one.rotations for times, one in counted)),
        f"{ideal_success(program, marked):.4f}",
    ]


def rows(words: Sequence[str] = ("",)) -> Iterator[list[object]]:
    """Make the rows of each board that has one of some words in its name."""
    for board, path, options in CASES:
        for early in (False, True) if any(word.lower() in board.lower() for word in words) else ():
            made = gatesolve.compile(EXAMPLES / path, early_check=early, **options)
            if not early or made.program.search.early_check is not None:
                yield measure(board, made.program, made.certificate.marked or 1)


SUITE = PageSuite(PAGE, {"early": lambda asked: report.markdown_table(HEADER, [*rows()])})
