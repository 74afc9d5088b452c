"""Pictures of Sudoku boards: boxes in thick lines, cages dashed, each with its sum in the first cell."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gatesolve.puzzles.drawing import INK
from gatesolve.puzzles.picture import Look, Picture, draw, terminal, walls_between
from gatesolve.puzzles.sudoku.grid import Board, Cage, Position

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from rich.console import RenderableType

Values = Sequence[Sequence[int | None]]

_INSET = 0.08
"""How far inside its cells a cage is drawn."""
_CAGE = "#4a4a52"


def terminal_picture(board: Board, values: Values) -> RenderableType:
    """The board in box-drawing characters.

    Within a cage no line parts the cells, or a dashed one where a box ends; its sum stands above its first cell.
    """
    picture = _picture(board, values)
    if not board.cages:
        return terminal(picture)
    side, cage_of = len(board.cells), _cage_of(board)

    def together(a: Position, b: Position) -> bool:
        return a in cage_of and cage_of[a] == cage_of.get(b)

    def right(r: int, c: int) -> bool | None:
        return picture.right(r, c) or (None if together((r, c), (r, c + 1)) else False)

    def below(r: int, c: int) -> bool | None:
        return picture.below(r, c) or (None if together((r, c), (r + 1, c)) else False)

    every = [(r, c) for r in range(side) for c in range(side)]
    marks = {(r, c, "right"): "┇" for r, c in every if right(r, c) and together((r, c), (r, c + 1))}
    marks |= {(r, c, "below"): "┅┅┅" for r, c in every if below(r, c) and together((r, c), (r + 1, c))}
    marks |= {(cage.cells[0][0] - 1, cage.cells[0][1], "below"): str(cage.total)[:3] for cage in board.cages}
    return terminal(Picture(picture.cells, right, below, border_marks=marks))


def draw_picture(board: Board, values: Values, path: Path | str) -> None:
    """Write the board as PNG or SVG.

    Raises:
        InputError: the suffix is neither .png nor .svg, or the place cannot be written to.
    """

    def extra(axes: Axes, points: float) -> None:
        for cage in board.cages:
            _draw_cage(axes, cage, points)

    draw(_picture(board, values), path, extra)


def _picture(board: Board, values: Values) -> Picture:
    """The board without its cages."""
    side = len(board.cells)

    def look(r: int, c: int, value: int | None) -> Look:
        fill = "#eef0f4" if board.diagonals and (r == c or r + c == side - 1) else "white"
        return Look("" if value is None else str(value), board.cells[r][c] is None, fill)

    cells = tuple(tuple(look(r, c, value) for c, value in enumerate(row)) for r, row in enumerate(values))
    return Picture(cells, *walls_between(board.boxes()))


def _cage_of(board: Board) -> dict[Position, int]:
    return {cell: k for k, cage in enumerate(board.cages) for cell in cage.cells}


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


def _edge(inside: set[Position], r: int, c: int, dr: int, dc: int) -> tuple[list[float], list[float]]:
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
