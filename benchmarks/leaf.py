"""CPU seconds that a part of a divided search takes: chosen, compiled, certified, searched, its CX and T counted.

    python benchmarks/leaf.py [--max-space 2^20] [--parts 8] [examples/sudoku/inkala-2006.txt]

What dividing takes is in the figure too. Before it another board is solved, so that no import is measured.
"""

from __future__ import annotations

import argparse
import contextlib
import time
from itertools import pairwise
from pathlib import Path

import gatesolve
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
    states: list[int] = []

    def note(event: LeafEvent) -> None:
        moments.append(time.process_time())
        states.append(event.record.space_size)
        if len(states) == chosen.parts:
            raise Enough

    with contextlib.suppress(Enough):
        gatesolve.solve(chosen.file, max_space=int(base) ** int(power or 1), keep_refutable=True, on_leaf=note)
    spent = [after - before for before, after in pairwise(moments)]
    for size, seconds in zip(states, spent, strict=True):
        print(f"{size:>12,} states {seconds:6.2f} s")
    searched = [seconds for size, seconds in zip(states, spent, strict=True) if size]
    print(f"mean of the {len(searched)} that deduction did not refute: {sum(searched) / len(searched):.2f} s")


if __name__ == "__main__":
    main()
