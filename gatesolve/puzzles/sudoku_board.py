"""The Sudoku board: its boxes and cages, its faults, and the judging of a finished board.

The judging is independent of the model on purpose: values are searched one by one in every row, column, box and cage.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gatesolve.puzzles.base import Fault, misread, overwritten
from gatesolve.puzzles.grid import Cell, by_cell, cell_name, cells_of, describe_pieces, piece_fault
from gatesolve.puzzles.reading import count

Cells = tuple[tuple[int | None, ...], ...]
"""Given values row by row, None for an empty cell."""
Box = tuple[int, int]
"""Rows and columns of a box."""
Regions = tuple[tuple[int, ...], ...]
"""The number of the box of each cell, row by row; boxes are numbered from 0 as they appear."""
MAX_SIDE = 36


class Cage(NamedTuple):
    """Cells with different values that add up to a sum."""

    total: int
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class SudokuBoard:
    """All clues of a board.

    Attributes:
        box: rows and columns of a box; None where ``regions`` defines the boxes.
        diagonals: whether the two long diagonals contain every value once, too.
        regions: the boxes of a jigsaw; empty where ``box`` defines them.
        cages: the cages of a killer, in the order of their first cells.
    """

    cells: Cells
    box: Box | None
    diagonals: bool = False
    regions: Regions = ()
    cages: tuple[Cage, ...] = ()

    @property
    def boxes(self) -> Regions:
        """Return the box of each cell, from ``box`` or ``regions``."""
        if self.box is None:
            return self.regions
        side, (height, width) = len(self.cells), self.box
        return tuple(tuple(r // height * (side // width) + c // width for c in range(side)) for r in range(side))

    def first_fault(self) -> Fault | None:
        side = len(self.cells)
        if not 1 <= side <= MAX_SIDE:
            return Fault(f"{side} rows: a sudoku has 1 to {MAX_SIDE}; give another board", (0, 0))
        for r, row in enumerate(self.cells):
            if len(row) != side:
                return Fault(f"{len(row)} cells in a row of a board of {side} rows: a sudoku is square", (r, 0))
        if self.box is not None and (min(self.box) < 1 or self.box[0] * self.box[1] != side):
            height, width = self.box
            fault = f"a box of {height}x{width} does not hold the values 1..{side}: rows times columns must be {side}"
            return Fault(fault, (0, 0))
        if (found := _region_fault(self) or _cage_fault(self)) is not None:
            return found
        for cell, value in by_cell(self.cells).items():
            if value is not None and not 1 <= value <= side:
                return Fault(f"value {value} is outside 1..{side}: write . for an empty cell", cell)
        return None

    @property
    def contradiction(self) -> str | None:
        seen: dict[tuple[str, int], str] = {}
        in_cage = {cell: f"cage {k}" for k, cage in enumerate(self.cages) for cell in cage.cells}
        for cell, value in by_cell(self.cells).items():
            if value is None:
                continue
            for place in (*_places(self, *cell), *([in_cage[cell]] if cell in in_cage else ())):
                other = seen.setdefault((place, value), cell_name(cell))
                if other != cell_name(cell):
                    return f"{value} is given at {other} and at {cell_name(cell)}, in the same {place.split()[0]}"
        side = len(self.cells)
        for cage in self.cages:
            where, number = cell_name(cage.cells[0]), len(cage.cells)
            if number > side:
                return f"the cage at {where} has {number} cells, and there are only {side} different values"
            least, most = sum(range(1, number + 1)), sum(range(side - number + 1, side + 1))
            if not least <= cage.total <= most:
                values = count(number, "different value")
                return f"the cage at {where} adds up to {cage.total}, but {values} make {least}..{most}"
        return None

    @property
    def doubt(self) -> str | None:
        return describe_pieces((f"the cage of sum {cage.total}", cage.cells) for cage in self.cages)

    def check(self, solution: Mapping[str, int]) -> list[str]:
        side = len(self.cells)
        given = {cell_name(cell): value for cell, value in by_cell(self.cells).items()}
        broken = misread(solution, dict.fromkeys(given, range(1, side + 1)), "is not a cell of the board")
        broken += overwritten(solution, given)
        counts: dict[str, Counter[int]] = {}
        for r, c in cells_of((side, side)):
            value = solution.get(cell_name((r, c)))
            for place in _places(self, r, c):
                counts.setdefault(place, Counter()).update(() if value is None else (value,))
        for place, values in counts.items():
            broken += [f"{place}: {v} stands {n} times" for v, n in sorted(values.items()) if n > 1]
        for cage in self.cages:
            place, names = f"cage of {cell_name(cage.cells[0])}", map(cell_name, cage.cells)
            held = [solution[name] for name in names if name in solution]
            broken += [f"{place}: {v} stands {n} times" for v, n in sorted(Counter(held).items()) if n > 1]
            # The sum is judged once all of the cage is filled in.
            if len(held) == len(cage.cells) and sum(held) != cage.total:
                broken.append(f"{place}: {' + '.join(map(str, held))} = {sum(held)}, not {cage.total}")
        return broken


def default_box(side: int) -> Box | None:
    """Return the squarest box of ``side`` cells that is wider than high; None when it would be a single row.

    6 gives boxes of 2 rows and 3 columns, 8 of 2 and 4, 12 of 3 and 4: the usual shapes.
    """
    rows = max((r for r in range(2, math.isqrt(side) + 1) if side % r == 0), default=None)
    return None if rows is None else (rows, side // rows)


def number_boxes(names: Sequence[Sequence[Hashable]]) -> Regions:
    """Return boxes with any names as numbers in the order of appearance."""
    order = {name: k for k, name in enumerate(dict.fromkeys(name for row in names for name in row))}
    return tuple(tuple(order[name] for name in row) for row in names)


def _region_fault(board: SudokuBoard) -> Fault | None:
    """Return the fault if a box of a jigsaw does not have a cell for each value."""
    side = len(board.cells)
    if board.box is not None:
        return None
    for r in range(max(side, len(board.regions))):
        width = len(board.regions[r]) if r < len(board.regions) else 0
        if width != side or r >= side:
            fault = f"row {r + 1} of the boxes has {width} cells: the board is {side}x{side}"
            return Fault(fault, ("boxes", (min(r, side - 1), 0)))
    sizes = Counter(number for row in board.regions for number in row)
    for cell, number in by_cell(board.regions).items():
        if sizes[number] != side:
            fault = f"this box has {sizes[number]} cells: each has {side}, one for each value; move its border"
            return Fault(fault, ("boxes", cell))
    for number in sizes:
        apart = piece_fault([cell for cell, box in by_cell(board.regions).items() if box == number], "this box")
        if apart is not None:
            return Fault(apart[1], ("boxes", apart[0]))
    return None


def _cage_fault(board: SudokuBoard) -> Fault | None:
    side = len(board.cells)
    taken: set[Cell] = set()
    for cage in board.cages:
        if not cage.cells:
            return Fault(f"a cage of sum {cage.total} without cells: remove it, or give it some", ("cages", (0, 0)))
        for r, c in cage.cells:
            if not (0 <= r < side and 0 <= c < side):
                fault = f"a cage has cell {cell_name((r, c))}, which is outside the board of {side}x{side}: remove it"
                return Fault(fault, ("cages", (0, 0)))
            if (r, c) in taken:
                return Fault("this cell is in a cage twice: keep it in one cage, once", ("cages", (r, c)))
            taken.add((r, c))
    return None


def _places(board: SudokuBoard, r: int, c: int) -> Iterator[str]:
    """Yield the names of everything but cages that a cell must differ within, as a player would say them."""
    yield f"row {r + 1}"
    yield f"column {c + 1}"
    if board.box is None:
        number = board.regions[r][c]
        first = next((i, row.index(number)) for i, row in enumerate(board.regions) if number in row)
        yield f"box of {cell_name(first)}"
    else:
        top, left = r - r % board.box[0], c - c % board.box[1]
        yield f"box of rows {top + 1}..{top + board.box[0]}, columns {left + 1}..{left + board.box[1]}"
    if board.diagonals and r == c:
        yield "diagonal from the top left"
    if board.diagonals and r + c + 1 == len(board.cells):
        yield "diagonal from the top right"
