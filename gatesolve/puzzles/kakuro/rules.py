"""The rules of Kakuro, judged on a finished board.

Written apart from the model on purpose: lines are read as a person would, token by token, and
nothing here uses the runs that the model is made from.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from gatesolve.puzzles.kakuro.grid import Black, Cell, Direction, Grid, White, cell_name


def broken_rules(grid: Grid, low: int, high: int, solution: Mapping[str, int]) -> list[str]:
    """The rules that the board breaks once filled in, in words; empty when it is right."""
    cells = {cell_name((r, c)): cell for r, row in enumerate(grid) for c, cell in enumerate(row)}
    broken = [f"{name} is not a white cell" for name in solution if not isinstance(cells.get(name), White)]
    for name, cell in cells.items():
        if isinstance(cell, White):
            broken += _broken_in_cell(name, cell, solution.get(name), low, high)
    if any(isinstance(cell, White) and name not in solution for name, cell in cells.items()):
        return broken  # sums of an unfinished board mean nothing
    for r, row in enumerate(grid):
        values = [solution.get(cell_name((r, c)), 0) for c in range(len(row))]
        broken += _broken_in_line(row, values, "across", f"row {r + 1}")
    for c, column in enumerate(zip(*grid, strict=True)):
        values = [solution.get(cell_name((r, c)), 0) for r in range(len(column))]
        broken += _broken_in_line(column, values, "down", f"column {c + 1}")
    return broken


def _broken_in_cell(name: str, cell: White, value: int | None, low: int, high: int) -> Iterator[str]:
    """The rules one white cell breaks by itself."""
    if value is None:
        yield f"{name} has no value"
    elif not low <= value <= high:
        yield f"{name} is {value}, outside {low}..{high}"
    elif cell.given is not None and value != cell.given:
        yield f"{name} is {value} where {cell.given} is given"


def _broken_in_line(line: Sequence[Cell], values: Sequence[int], direction: Direction, place: str) -> Iterator[str]:
    """The rules broken along one row or column: each black cell ends a run and begins the next."""
    wanted: int | None = None
    run: list[int] = []
    for cell, value in zip([*line, Black()], [*values, 0], strict=True):
        if isinstance(cell, White):
            run.append(value)
            continue
        shown = " + ".join(map(str, run))
        if wanted is not None and sum(run) != wanted:
            yield f"{place}: {shown} = {sum(run)}, not {wanted} ({direction})"
        for twice in sorted({v for v in run if run.count(v) > 1}):
            yield f"{place}: {twice} is repeated in {shown} ({direction})"
        wanted, run = (cell.across if direction == "across" else cell.down), []
