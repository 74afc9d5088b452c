"""How long a part of a divided search takes: chosen, compiled, certified, searched, and with what else there is to it.

    python benchmarks/leaf.py [--max-space 2^20] [--parts 8] [examples/sudoku/inkala-2006.txt]

The first figure is the CPU seconds in all, dividing and counting CX and T included; the second is the seconds by the
clock until the part is searched. Before them another board is solved, so that no import is measured.
"""

from __future__ import annotations

import argparse
import contextlib
import time
from itertools import pairwise
from pathlib import Path

import gatesolve
from gatesolve.api.division.account import LeafRecord
from gatesolve.api.division.run import LeafEvent

SUDOKU = Path(__file__).parents[1] / "examples" / "sudoku"


class Enough(Exception):
    """As many parts as were asked for are searched."""


def main() -> None:
    """Print the mean, and each part's states and seconds."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("file", nargs="?", type=Path, default=SUDOKU / "inkala-2006.txt")
    arguments.add_argument("--max-space", default="2^20")
    arguments.add_argument("--parts", type=int, default=8)
    chosen = arguments.parse_args()
    base, _, power = chosen.max_space.partition("^")
    gatesolve.solve(SUDOKU / "inkala-2010.txt", max_space=2**16)
    moments = [time.process_time()]
    records: list[LeafRecord] = []

    def note(event: LeafEvent) -> None:
        moments.append(time.process_time())
        records.append(event.record)
        if len(records) == chosen.parts:
            raise Enough

    with contextlib.suppress(Enough):
        gatesolve.solve(chosen.file, max_space=int(base) ** int(power or 1), search_refuted=True, on_leaf=note)
    spent = [after - before for before, after in pairwise(moments)]
    for record, seconds in zip(records, spent, strict=True):
        print(f"{record.space_size:>12,} states {seconds:6.2f} s in all {record.seconds:6.2f} s until searched")
    searched = [(seconds, record.seconds) for record, seconds in zip(records, spent, strict=True) if record.space_size]
    whole, until = (sum(column) / len(searched) for column in zip(*searched, strict=True))
    print(
        f"mean of the {len(searched)} that deduction did not refute: {whole:.2f} s in all, {until:.2f} s until searched"
    )


if __name__ == "__main__":
    main()
