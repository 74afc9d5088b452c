"""Permutation blocks beside the other encodings: CX of an iteration and of a whole search.

    python -m benchmarks permutation [--write | --check]

All at level `literal`, nothing deduced, as many iterations as find one of the board's solutions best. The table is in
docs/encodings.md; no other file has the rows.
"""

from __future__ import annotations

from collections.abc import Iterator

import gatesolve
from benchmarks.core import report
from benchmarks.core.boards import BOARDS
from benchmarks.core.places import DOCS
from benchmarks.core.suite import PageSuite
from gatesolve.cli.report import format_count
from gatesolve.programs.amplification import best_iterations

HEADER = ("board", "encoding", "states", "qubits", "iterations", "CX, iteration", "CX, search")
SOLUTIONS = {"6 queens as columns": 4, "8 queens as columns": 92, "magic square 3x3": 8}


def measure(board: str, encoding: str) -> list[object] | None:
    """A row of the table; None where the encoding falls back to another one."""
    made = gatesolve.compile(BOARDS[board](), presolve="none", level="literal", encoding=encoding, iterations=1)
    if made.encoding != encoding:
        return None
    program = made.program
    iterations = best_iterations(program.space.size, SOLUTIONS[board])
    once, start = (program.resources(name).cx or 0 for name in ("iteration", "preparation"))
    size, cx = program.space.size, start + iterations * once
    counts = [format_count(number) for number in (iterations, once, cx)]
    return [board, f"`{encoding}`", format_count(size), program.num_qubits, *counts]


def rows() -> Iterator[list[object]]:
    """Make the rows of each board, in the encodings that take it."""
    for board in SOLUTIONS:
        for encoding in ("one-hot", "binary", "table", "permutation"):
            if (row := measure(board, encoding)) is not None:
                yield row


SUITE = PageSuite(DOCS / "encodings.md", {"permutation": lambda asked: report.markdown_table(HEADER, [*rows()])})
