"""The Sudoku board: its box shape, and what makes a board faulty before anyone solves it."""

from __future__ import annotations

import math
from typing import NamedTuple

Cells = tuple[tuple[int | None, ...], ...]
"""Given values row by row, None for an empty cell."""
Box = tuple[int, int]
"""Rows and columns of a box."""

MAX_SIDE = 36
"""Most rows of a board; far above what any backend could hold."""


class Fault(NamedTuple):
    """What is wrong with a board, and the cell where it is (0-based)."""

    row: int
    column: int
    message: str


def default_box(side: int) -> Box | None:
    """The squarest box of ``side`` cells that is wider than high; None when it would be a single row.

    6 gives boxes of 2 rows and 3 columns, 8 of 2 and 4, 12 of 3 and 4: the usual shapes.
    """
    rows = max((r for r in range(2, math.isqrt(side) + 1) if side % r == 0), default=None)
    return None if rows is None else (rows, side // rows)


def first_fault(cells: Cells, box: Box, diagonals: bool) -> Fault | None:
    """The first fault of the board, reading row by row, or None if it has none."""
    side = len(cells)
    if not 1 <= side <= MAX_SIDE:
        return Fault(0, 0, f"{side} rows: a sudoku has 1 to {MAX_SIDE}; give another board")
    if box[0] < 1 or box[1] < 1 or box[0] * box[1] != side:
        fault = f"a box of {box[0]}x{box[1]} does not hold the values 1..{side}: rows times columns must be {side}"
        return Fault(0, 0, fault)
    seen: dict[tuple[str, int, int], tuple[int, int]] = {}
    for r, row in enumerate(cells):
        if len(row) != side:
            return Fault(r, 0, f"{len(row)} cells in a row of a board of {side} rows: a sudoku is square")
        for c, value in enumerate(row):
            if value is None:
                continue
            if not 1 <= value <= side:
                return Fault(r, c, f"value {value} is outside 1..{side}: write . for an empty cell")
            for unit, number in _units_of(r, c, side, box, diagonals):
                other = seen.setdefault((unit, number, value), (r, c))
                if other != (r, c):
                    where = f"row {other[0] + 1}, column {other[1] + 1} of the board"
                    return Fault(r, c, f"{value} is also given at {where}, in the same {unit}: remove one of them")
    return None


def _units_of(r: int, c: int, side: int, box: Box, diagonals: bool) -> list[tuple[str, int]]:
    """The kinds and numbers of the units a cell lies in."""
    units = [("row", r), ("column", c), ("box", r // box[0] * (side // box[1]) + c // box[1])]
    if diagonals and r == c:
        units.append(("diagonal", 0))
    if diagonals and r + c == side - 1:
        units.append(("diagonal", 1))
    return units


def cell_name(r: int, c: int) -> str:
    """Name of the variable of a cell (0-based), such as ``r1c2``: row and column counted from 1."""
    return f"r{r + 1}c{c + 1}"
