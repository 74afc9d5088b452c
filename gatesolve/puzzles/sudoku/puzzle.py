"""Sudoku: every value once in each row, column and box; boxes of any shape, and cages that add up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from gatesolve.puzzles.base import Puzzle, cell_variables, fill_in
from gatesolve.puzzles.drawing import INK
from gatesolve.puzzles.grid import Cell, by_cell, grid_of_cells
from gatesolve.puzzles.picture import Look, Picture, walls_between
from gatesolve.puzzles.reading import count
from gatesolve.puzzles.sudoku import text
from gatesolve.puzzles.sudoku.grid import Cage, SudokuBoard, number_boxes

if TYPE_CHECKING:
    import cpmpy
    from matplotlib.axes import Axes

_INSET = 0.08
"""How far inside its cells a cage is drawn."""
_CAGE = "#4a4a52"


@dataclass(frozen=True)
class Sudoku(SudokuBoard, Puzzle):
    """One Sudoku board; docs/formats.md says how it is written.

    The variable of the cell in row i, column j (both from 1) is named ``r{i}c{j}``.
    """

    family: ClassVar[str] = "sudoku"
    summary: ClassVar[str] = "every row, column and box holds each digit once"
    example: ClassVar[str] = "box 2x2\n2. | 43\n.. | 2.\n---+---\n.. | ..\n.2 | 3.\n"
    headers: ClassVar[tuple[str, ...]] = ("sudoku", "box", "boxes", "cages")

    recognises = staticmethod(text.recognises)
    read = staticmethod(text.read)
    recognises_json = staticmethod(text.recognises_json)
    read_json = staticmethod(text.draft_of_json)
    json_fields: ClassVar[tuple[str, ...]] = ("grid", "board", "size", "box", "regions", "cages", "diagonals")
    json_mends: ClassVar[Mapping[str, str]] = text.MENDS
    json_doubts: ClassVar[Mapping[str, str]] = text.DOUBTS

    def __post_init__(self) -> None:
        super().__post_init__()
        # In one order, so that equal boards are equal, however their boxes and cages were listed.
        cages = [Cage(cage.total, tuple(sorted(cage.cells))) for cage in self.cages]
        object.__setattr__(self, "cages", tuple(sorted(cages, key=lambda cage: cage.cells)))
        object.__setattr__(self, "regions", number_boxes(self.regions))

    @property
    def title(self) -> str:
        side = len(self.cells)
        clues = sum(value is not None for row in self.cells for value in row)
        boxes = f"boxes of {self.box[0]} rows x {self.box[1]} columns" if self.box else "boxes of any shape"
        words = [boxes, count(clues, "clue")] + [count(len(self.cages), "cage")] * bool(self.cages)
        return f"Sudoku {side}x{side}: {', '.join(words + ['diagonals'] * self.diagonals)}"

    def to_cpmpy(self) -> cpmpy.Model:
        """The board as a CPMpy model: an all-different a row, column, box (diagonal, cage), and the sums of cages."""
        import cpmpy

        side = len(self.cells)
        variables = cell_variables(by_cell(self.cells), 1, side)
        x = [[variables[r, c] for c in range(side)] for r in range(side)]
        boxes: list[list[Any]] = [[] for _ in range(side)]
        for cell, number in by_cell(self.boxes).items():
            boxes[number].append(variables[cell])
        groups = [*x, *map(list, zip(*x, strict=True)), *boxes]
        if self.diagonals:
            groups += [[x[k][k] for k in range(side)], [x[k][side - 1 - k] for k in range(side)]]
        model = cpmpy.Model([cpmpy.AllDifferent(group) for group in groups])
        for cage in self.cages:
            inside = [variables[cell] for cell in cage.cells]
            if len(inside) > 1:
                model += cpmpy.AllDifferent(inside)
            model += cpmpy.sum(inside) == cage.total
        return model

    def board(self, solution: Mapping[str, int]) -> list[list[str]]:
        """The finished board as decimal numbers, ``.`` where no value is known."""
        return [["." if value is None else str(value) for value in row] for row in fill_in(self.cells, solution)]

    def text(self, solution: Mapping[str, int] | None = None) -> str:
        return text.format_text(self, fill_in(self.cells, solution or {}))

    def picture(self, solution: Mapping[str, int], drawing: bool) -> Picture:
        """Boxes in heavy lines, answers bold or blue, the sum of a cage in or above its first cell.

        In a terminal no line parts the cells of a cage, or a dashed one where a box ends.
        """
        side, values = len(self.cells), fill_in(self.cells, solution)

        def look(cell: Cell) -> Look:
            (r, c), value = cell, values[cell[0]][cell[1]]
            fill = "#eef0f4" if self.diagonals and (r == c or r + c == side - 1) else "white"
            return Look("" if value is None else str(value), self.cells[r][c] is None, fill)

        def paint(axes: Axes, points: float) -> None:
            for cage in self.cages:
                _draw_cage(axes, cage, points)

        looks, walls = grid_of_cells((side, side), look), walls_between(self.boxes)
        if drawing or not self.cages:
            return Picture(looks, *walls, paint=paint)
        right, below = walls
        cage_of = {cell: k for k, cage in enumerate(self.cages) for cell in cage.cells}
        beside = {cell for cell, k in cage_of.items() if cage_of.get((cell[0], cell[1] + 1)) == k}
        above = {cell for cell, k in cage_of.items() if cage_of.get((cell[0] + 1, cell[1])) == k}
        marks = {(r, c, "right"): "┇" for r, c in beside if right(r, c)}
        marks |= {(r, c, "below"): "┅┅┅" for r, c in above if below(r, c)}
        marks |= {(cage.cells[0][0] - 1, cage.cells[0][1], "below"): str(cage.total)[:3] for cage in self.cages}
        return Picture(
            looks,
            lambda r, c: right(r, c) or (None if (r, c) in beside else False),
            lambda r, c: below(r, c) or (None if (r, c) in above else False),
            border_marks=marks,
        )


def _draw_cage(axes: Axes, cage: Cage, points: float) -> None:
    """Dashes along the inside of the cage's border, and its sum in the corner of its first cell."""
    inside = set(cage.cells)
    for r, c in cage.cells:
        for dr, dc in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            if (r + dr, c + dc) not in inside:
                axes.plot(*_edge(inside, r, c, dr, dc), color=_CAGE, linewidth=0.8, dashes=(3, 2), zorder=2.2)
    r, c = cage.cells[0]
    box = {"facecolor": "white", "edgecolor": "none", "pad": 0.6}
    spot = (c + 0.05, r + 0.05)
    axes.text(*spot, str(cage.total), color=INK, fontsize=points * 0.2, ha="left", va="top", bbox=box, zorder=4)


def _edge(inside: set[Cell], r: int, c: int, dr: int, dc: int) -> tuple[list[float], list[float]]:
    """One side of a cell as columns and rows of its ends, drawn in a little.

    An end meets the next side of the cell where that is a border, too; goes on to the next cell where that has the same
    border; and at an inner corner reaches past the cell to the border round it.
    """
    ends = []
    for way in (-1, 1):
        step = (way, 0) if dr == 0 else (0, way)
        beside = (r + step[0], c + step[1])
        reach = 0.5 - _INSET
        if beside in inside:
            reach = 0.5 + (_INSET if (beside[0] + dr, beside[1] + dc) in inside else 0)
        ends.append(way * reach)
    across = (0.5 - _INSET) * (dr + dc)
    if dr:
        return [c + 0.5 + end for end in ends], [r + 0.5 + across] * 2
    return [c + 0.5 + across] * 2, [r + 0.5 + end for end in ends]
