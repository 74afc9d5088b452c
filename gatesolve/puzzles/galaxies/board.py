"""The Galaxies board: its dots, the symmetry about each, and what makes a board faulty before anyone solves it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from gatesolve.puzzles.base import Fault
from gatesolve.puzzles.grid import Cell, cell_name, cells_of

Dot = tuple[int, int]
"""A place on the half-grid, row first: cell (r, c) has its centre at (2r+1, 2c+1)."""

MAX_SIDE = 60
"""Most rows or columns of a board."""


@dataclass(frozen=True)
class Board:
    """The clues.

    Args:
        rows: rows of cells.
        columns: columns of cells.
        dots: the dots in reading order; a galaxy is called by the number of its dot, counted from 0.
        black: those of the dots that are drawn black.
        holes: cells that are not on the board.
    """

    rows: int
    columns: int
    dots: tuple[Dot, ...]
    black: frozenset[Dot] = frozenset()
    holes: frozenset[Cell] = frozenset()

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """The cells on the board, row by row."""
        return tuple(cell for cell in cells_of((self.rows, self.columns)) if cell not in self.holes)

    def holds(self, cell: Cell) -> bool:
        """Whether the cell is on the board."""
        return 0 <= cell[0] < self.rows and 0 <= cell[1] < self.columns and cell not in self.holes


def core(dot: Dot) -> tuple[Cell, ...]:
    """The one, two or four cells that a dot lies in or on the edge of: they are in its galaxy."""
    rows, columns = ({(at - 1) // 2, at // 2} for at in dot)
    return tuple((r, c) for r in sorted(rows) for c in sorted(columns))


def mirror(cell: Cell, dot: Dot) -> Cell:
    """The cell opposite to a cell about a dot; it may lie outside the board."""
    return dot[0] - cell[0] - 1, dot[1] - cell[1] - 1


def first_fault(board: Board) -> Fault | None:
    """What makes this no Galaxies board, or None; at a place of the half-grid, counted from 0."""
    if not board.dots:
        return Fault("the board has no dot: every galaxy has one; write o for it", (0, 0))
    for dot in board.dots:
        if not all(map(board.holds, core(dot))):
            fault = "a dot on a hole or the board's edge: move it inside, or fill the hole (.)"
            return Fault(fault, (dot[0] - 1, dot[1] - 1))
    return None


def contradiction(board: Board) -> str | None:
    """Why the board has no solution, where two dots show it."""
    claimed: dict[Cell, Dot] = {}
    for dot in board.dots:
        for cell in core(dot):
            other = claimed.setdefault(cell, dot)
            if other != dot:
                dots = " and ".join(f"half-row {y}, half-column {x}" for y, x in (other, dot))
                return f"two dots claim cell {cell_name(cell)}, those of {dots}"
    return None
