"""T gates of whole searches by the limit on what approximated rotations change.

    python -m benchmarks rotations

Gates clifford+t, optimize t, level `literal`, nothing deduced, as many iterations as find one of the board's solutions
best. The last column is the bound on the change of the success probability that the report states.
"""

from __future__ import annotations

from collections.abc import Sequence

import gatesolve
from benchmarks.core.boards import BOARDS
from benchmarks.core.report import say, text_table
from benchmarks.core.suite import make_parser
from gatesolve.cli.report import format_count

CASES = (("bin packing 6 in 3", "binary"), ("6 queens as columns", "binary"), ("6 queens as columns", "auto"))
LIMITS = (None, 1e-2, 1e-3)
HEADER = ("board", "encoding", "rotation_error", "iterations", "T, iteration", "T, search", "change at most")


def measure(board: str, encoding: str, limit: float | None) -> list[str]:
    """Make a row of the table."""
    chosen = {"presolve": "none", "level": "literal", "gates": "clifford+t", "optimize": "t"}
    made = gatesolve.compile(BOARDS[board](), encoding=encoding, rotation_error=limit, **chosen)
    once, start = (made.program.resources(name).t or 0 for name in ("iteration", "preparation"))
    counts = [format_count(n) for n in (made.program.iterations, once, start + made.program.iterations * once)]
    change = next((note.split()[-1] for note in made.notes if note.startswith("approximated")), "")
    return [board, made.encoding, "" if limit is None else f"{limit:g}", *counts, change]


def main(arguments: Sequence[str]) -> int:
    """Print the table."""
    make_parser(__doc__).parse_args(arguments)
    say(text_table(HEADER, [measure(board, encoding, limit) for board, encoding in CASES for limit in LIMITS]))
    return 0
