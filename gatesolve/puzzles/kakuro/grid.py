"""The Kakuro board: its cells, its runs, and what makes a board faulty before anyone solves it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from gatesolve.puzzles.base import Fault
from gatesolve.puzzles.grid import Cell, cell_name

Direction = Literal["across", "down"]

MAX_SIDE = 100
"""Most rows or columns of a board; a board far above what any backend could hold."""


@dataclass(frozen=True)
class Black:
    """A black cell, with the sum of the run below it and of the run to its right, if it has them."""

    down: int | None = None
    across: int | None = None


@dataclass(frozen=True)
class White:
    """A white cell, with its value if that is given as a clue."""

    given: int | None = None


Clues = tuple[tuple[Black | White, ...], ...]


@dataclass(frozen=True)
class Run:
    """A longest straight stretch of white cells.

    Args:
        direction: across (read to the right) or down.
        cells: positions of its cells, in reading order.
        clue: position of the black cell before it; None at the edge of the board.
        total: the sum written in that cell, if any.
    """

    direction: Direction
    cells: tuple[Cell, ...]
    clue: Cell | None
    total: int | None


def white_cells(grid: Clues) -> dict[Cell, White]:
    """The white cells by position, row by row."""
    return {(r, c): cell for r, row in enumerate(grid) for c, cell in enumerate(row) if isinstance(cell, White)}


def find_runs(grid: Clues) -> tuple[Run, ...]:
    """All stretches of white cells, of one cell too: those across row by row, then those down."""
    white = white_cells(grid)
    runs: list[Run] = []
    directions: tuple[tuple[Direction, int, int], ...] = (("across", 0, 1), ("down", 1, 0))
    for direction, dr, dc in directions:
        for r, c in white:
            if (r - dr, c - dc) in white:
                continue
            length = 1
            while (r + length * dr, c + length * dc) in white:
                length += 1
            cells = tuple((r + k * dr, c + k * dc) for k in range(length))
            at_edge = r - dr < 0 or c - dc < 0
            head = None if at_edge else grid[r - dr][c - dc]
            total = getattr(head, direction, None)
            runs.append(Run(direction, cells, None if at_edge else (r - dr, c - dc), total))
    return tuple(runs)


def first_fault(grid: Clues, low: int, high: int) -> Fault | None:
    """The first fault of the board, reading row by row, or None if it has none.

    Faults are what can be told without solving: the shape of the runs, missing or misplaced sums,
    sums that no values can make, and given values out of range.
    """
    runs = find_runs(grid)
    starts = {(run.cells[0], run.direction): run for run in runs}
    in_run = {cell for run in runs if len(run.cells) > 1 or run.total is not None for cell in run.cells}
    if all(len(run.cells) == 1 for run in runs):
        return Fault("the board has no run of two or more white cells: write . for a white cell", (0, 0))
    for r, row in enumerate(grid):
        for c, cell in enumerate(row):
            if isinstance(cell, Black):
                across = _sum_fault("across", cell.across, starts.get(((r, c + 1), "across")))
                down = _sum_fault("down", cell.down, starts.get(((r + 1, c), "down")))
                message = down or across
            else:
                across = _missing_sum(starts.get(((r, c), "across")))
                down = _missing_sum(starts.get(((r, c), "down")))
                lonely = None if (r, c) in in_run else "a white cell in no run: make it black (#)"
                message = _given_fault(cell, low, high) or lonely or across or down
            if message:
                return Fault(message, (r, c))
    return None


def contradiction(grid: Clues, low: int, high: int) -> str | None:
    """Why the board has no solution, where the sum of one run shows it."""
    for run in find_runs(grid):
        length = len(run.cells)
        if run.total is None:
            continue
        name = f"the sum {run.total} {run.direction} of the run from {cell_name(run.cells[0])}"
        if length > high - low + 1:
            return f"{name} needs {length} different values and {low}..{high} has only {high - low + 1}"
        least, most = _extreme_sums(length, low, high)
        if length == 1 and not least <= run.total <= most:
            cell = cell_name(run.cells[0])
            return f"the sum {run.total} {run.direction} of the one cell {cell} is outside {low}..{high}"
        if not least <= run.total <= most:
            return f"{name} cannot be made: {length} different values of {low}..{high} make {least}..{most}"
    return None


def _sum_fault(direction: Direction, total: int | None, run: Run | None) -> str | None:
    """What is wrong with a sum written in a black cell, ``run`` being the run it leads."""
    if total is None or run is not None:
        return None
    name = f"sum {total} {direction}"
    beside = "to its right" if direction == "across" else "below it"
    return f"{name} has no white cell {beside}: remove the sum, or make that cell white (.)"


def _extreme_sums(length: int, low: int, high: int) -> tuple[int, int]:
    """Smallest and largest sum of ``length`` different values; every sum between can be made too."""
    return sum(range(low, low + length)), sum(range(high - length + 1, high + 1))


def _missing_sum(run: Run | None) -> str | None:
    """What is wrong with a run of two or more cells that has no sum."""
    if run is None or len(run.cells) == 1 or run.total is not None:
        return None
    across = run.direction == "across"
    token, side = ("\\SUM", "left") if across else ("SUM\\", "top")
    if run.clue is not None:
        mend = f"write {token} in the black cell {'to the left' if across else 'above'}"
    else:
        mend = f"add a {'column' if across else 'row'} of black cells at the {side}, with {token} in the one before it"
    return f"the run of {len(run.cells)} cells {run.direction} that starts here has no sum: {mend}"


def _given_fault(cell: White, low: int, high: int) -> str | None:
    """What is wrong with a given value."""
    if cell.given is None or low <= cell.given <= high:
        return None
    return f"given {cell.given} is outside {low}..{high}: write . for an empty cell, or widen the line 'values'"
