"""Pictures of Sudoku boards: boxes in thick lines, cages dashed, each with its sum in the first cell."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from gatesolve.puzzles.drawing import INK
from gatesolve.puzzles.grid import Cell, cells_of
from gatesolve.puzzles.picture import Look, Picture, walls_between
from gatesolve.puzzles.sudoku.grid import Board, Cage

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Values = Sequence[Sequence[int | None]]

_INSET = 0.08
"""How far inside its cells a cage is drawn."""
_CAGE = "#4a4a52"


def board_picture(board: Board, values: Values, drawing: bool) -> Picture:
    """The board; in a terminal no line parts the cells of a cage, or a dashed one where a box ends.

    The sum of a cage stands in or above its first cell.
    """
    side = len(board.cells)

    def look(r: int, c: int, value: int | None) -> Look:
        fill = "#eef0f4" if board.diagonals and (r == c or r + c == side - 1) else "white"
        return Look("" if value is None else str(value), board.cells[r][c] is None, fill)

    def paint(axes: Axes, points: float) -> None:
        for cage in board.cages:
            _draw_cage(axes, cage, points)

    cells = tuple(tuple(look(r, c, value) for c, value in enumerate(row)) for r, row in enumerate(values))
    walls = walls_between(board.boxes)
    if drawing or not board.cages:
        return Picture(cells, *walls, paint=paint)
    return Picture(cells, *_walls_of_cages(board, *walls), border_marks=_marks_of_cages(board, *walls))


Walls = Callable[[int, int], bool | None]


def _walls_of_cages(board: Board, right: Walls, below: Walls) -> tuple[Walls, Walls]:
    """The walls of a terminal's picture: those of the boxes, and none inside a cage."""
    together = _in_one_cage(board)
    return (
        lambda r, c: right(r, c) or (None if together((r, c), (r, c + 1)) else False),
        lambda r, c: below(r, c) or (None if together((r, c), (r + 1, c)) else False),
    )


def _marks_of_cages(board: Board, right: Walls, below: Walls) -> dict[tuple[int, int, str], str]:
    """Dashes where a box ends inside a cage, and the sums."""
    together = _in_one_cage(board)
    every = cells_of((len(board.cells),) * 2)
    marks = {(r, c, "right"): "┇" for r, c in every if right(r, c) and together((r, c), (r, c + 1))}
    marks |= {(r, c, "below"): "┅┅┅" for r, c in every if below(r, c) and together((r, c), (r + 1, c))}
    return marks | {(cage.cells[0][0] - 1, cage.cells[0][1], "below"): str(cage.total)[:3] for cage in board.cages}


def _in_one_cage(board: Board) -> Callable[[Cell, Cell], bool]:
    cage_of = {cell: k for k, cage in enumerate(board.cages) for cell in cage.cells}
    return lambda a, b: a in cage_of and cage_of[a] == cage_of.get(b)


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
