"""The rules of Kakuro, judged on a finished board.

Written apart from the model on purpose: lines are read as a person would, token by token, and
nothing here uses the runs that the model is made from.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from gatesolve.puzzles.base import misread, overwritten
from gatesolve.puzzles.grid import cell_name
from gatesolve.puzzles.kakuro.grid import Black, Clues, Direction, White


def broken_rules(grid: Clues, low: int, high: int, solution: Mapping[str, int]) -> list[str]:
    """The rules that the board breaks once filled in, in words; empty when it is right."""
    cells = {cell_name((r, c)): held for r, row in enumerate(grid) for c, held in enumerate(row)}
    white = {name: held.given for name, held in cells.items() if isinstance(held, White)}
    broken = misread(solution, dict.fromkeys(white, range(low, high + 1)), "is not a white cell")
    broken += overwritten(solution, {name: given for name, given in white.items() if given is not None})
    if not white.keys() <= solution.keys():
        return broken  # sums of an unfinished board mean nothing
    for r, row in enumerate(grid):
        values = [solution.get(cell_name((r, c)), 0) for c in range(len(row))]
        broken += _broken_in_line(row, values, "across", f"row {r + 1}")
    for c, column in enumerate(zip(*grid, strict=True)):
        values = [solution.get(cell_name((r, c)), 0) for r in range(len(column))]
        broken += _broken_in_line(column, values, "down", f"column {c + 1}")
    return broken


def _broken_in_line(
    line: Sequence[Black | White], values: Sequence[int], direction: Direction, place: str
) -> Iterator[str]:
    """The rules broken along one row or column: each black cell ends a run and begins the next."""
    wanted: int | None = None
    run: list[int] = []
    for held, value in zip([*line, Black()], [*values, 0], strict=True):
        if isinstance(held, White):
            run.append(value)
            continue
        shown = " + ".join(map(str, run))
        if wanted is not None and sum(run) != wanted:
            yield f"{place}: {shown} = {sum(run)}, not {wanted} ({direction})"
        for twice in sorted({v for v in run if run.count(v) > 1}):
            yield f"{place}: {twice} is repeated in {shown} ({direction})"
        wanted, run = (held.across if direction == "across" else held.down), []
