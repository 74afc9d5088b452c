"""The Galaxies board: its dots, the symmetry about each, what makes it faulty, and the rules, judged on an answer.

The judging is written apart from the model on purpose: the galaxies are sets of cells, turned half round and walked
through; neither shapes nor reaches are used.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

from gatesolve.puzzles.base import Fault
from gatesolve.puzzles.grid import Cell, areas, cell_name, cells_of

Dot = tuple[int, int]
"""A place on the half-grid, row first: cell (r, c) has its centre at (2r+1, 2c+1)."""
MAX_SIDE = 60
"""Most rows or columns of a board."""
_NAME = re.compile(r"r([1-9][0-9]*)c([1-9][0-9]*)_d(0|[1-9][0-9]*)")


@dataclass(frozen=True)
class GalaxiesBoard:
    """The clues.

    The dots are in reading order, and a galaxy is called by the number of its dot, counted from 0. Those that are drawn
    ``black`` are among them; ``holes`` are cells that are not on the board.
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

    def first_fault(self) -> Fault | None:
        """Return the first fault of the board, or None; its place is of the half-grid, counted from 0."""
        if not self.dots:
            return Fault("the board has no dot: every galaxy has one; write o for it", (0, 0))
        for dot in self.dots:
            if not all(map(self.holds, core(dot))):
                fault = "a dot on a hole or the board's edge: move it inside, or fill the hole (.)"
                return Fault(fault, (dot[0] - 1, dot[1] - 1))
        return None

    @property
    def contradiction(self) -> str | None:
        """Why the board has no solution, where two dots show it."""
        claimed: dict[Cell, Dot] = {}
        for dot in self.dots:
            for cell in core(dot):
                other = claimed.setdefault(cell, dot)
                if other != dot:
                    dots = " and ".join(f"half-row {y}, half-column {x}" for y, x in (other, dot))
                    return f"two dots claim cell {cell_name(cell)}, those of {dots}"
        return None


def core(dot: Dot) -> tuple[Cell, ...]:
    """The one, two or four cells that a dot lies in or on the edge of: they are in its galaxy."""
    rows, columns = ({(at - 1) // 2, at // 2} for at in dot)
    return tuple((r, c) for r in sorted(rows) for c in sorted(columns))


def mirror(cell: Cell, dot: Dot) -> Cell:
    """The cell opposite to a cell about a dot; it may lie outside the board."""
    return dot[0] - cell[0] - 1, dot[1] - cell[1] - 1


def broken_rules(board: GalaxiesBoard, galaxies: Sequence[Set[Cell]]) -> list[str]:
    """The rules that galaxies, one set of cells a dot, break; empty when they are right."""
    broken = []
    for cell in board.cells:
        holders = [k for k, cells in enumerate(galaxies) if cell in cells]
        if len(holders) != 1:
            shown = " and ".join(map(str, holders))
            broken.append(f"{cell_name(cell)} is in " + (f"galaxies {shown}" if holders else "no galaxy"))
    for k, cells in enumerate(galaxies):
        broken += [f"galaxy {k} {fault}" for fault in _broken_by_one(board, k, cells)]
    return broken


def _broken_by_one(board: GalaxiesBoard, k: int, cells: Set[Cell]) -> Iterator[str]:
    y, x = board.dots[k]
    for r, c in sorted(cells):
        if not board.holds((r, c)):
            yield f"holds r{r + 1}c{c + 1}, which is not on the board"
    for other, (oy, ox) in enumerate(board.dots):
        # A dot touches the cells whose centres are at most one half-step away both ways.
        touched = {(r, c) for r, c in cells if abs(2 * r + 1 - oy) <= 1 and abs(2 * c + 1 - ox) <= 1}
        if other == k and not touched:
            yield "does not hold its own dot"
        if other != k and touched:
            r, c = min(touched)
            yield f"holds r{r + 1}c{c + 1}, where the dot of galaxy {other} is"
    if cells != {(y - 1 - r, x - 1 - c) for r, c in cells}:
        r, c = min((r, c) for r, c in cells if (y - 1 - r, x - 1 - c) not in cells)
        yield f"is not symmetric: it holds r{r + 1}c{c + 1} but not the opposite cell r{y - r}c{x - c}"
    pieces = len(areas(sorted(cells), lambda a, b: True))
    if pieces > 1:
        yield f"is in {pieces} pieces"


def galaxies_of(board: GalaxiesBoard, solution: Mapping[str, int]) -> tuple[list[set[Cell]], list[str]]:
    """The cells a solution gives to each galaxy, and what is wrong with the way it does so.

    A variable that is 1 puts the cell it names and the opposite one into its galaxy.
    """
    galaxies: list[set[Cell]] = [set() for _ in board.dots]
    faults = []
    for name, value in solution.items():
        match = _NAME.fullmatch(name)
        if match is None or int(match[3]) >= len(board.dots):
            faults.append(f"{name} is not a cell and a galaxy of this board")
        elif value == 1:
            r, c, (y, x) = int(match[1]) - 1, int(match[2]) - 1, board.dots[int(match[3])]
            galaxies[int(match[3])] |= {(r, c), (y - 1 - r, x - 1 - c)}
        elif value != 0:
            faults.append(f"{name} is {value}, neither 0 nor 1")
    return galaxies, faults
