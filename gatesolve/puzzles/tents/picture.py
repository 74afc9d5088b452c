"""Pictures of a Tents & Trees board: for a terminal, and drawn."""

from __future__ import annotations

from collections.abc import Set
from typing import TYPE_CHECKING

from gatesolve.puzzles.drawing import ANSWER, INK
from gatesolve.puzzles.grid import Cell
from gatesolve.puzzles.picture import Look, Picture
from gatesolve.puzzles.tents.board import TENT, TREE, Board

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_TENT_SIGN = "▲"
_GRASS = "#eef6e6"


def board_picture(board: Board, tents: Set[Cell], drawing: bool) -> Picture:
    """Trees, tents (found ones bold or blue), counts above and at the left; in a terminal as T and triangles."""

    def look(r: int, c: int) -> Look:
        given = board.grid[r][c]
        if drawing:
            return Look(fill=_GRASS if tents and given != TREE else "white")
        if given == TREE:
            return Look(TREE)
        found = (r, c) in tents and given != TENT
        return Look(_TENT_SIGN if found or given == TENT else "", answer=found)

    def paint(axes: Axes, points: float) -> None:
        for r, c in board.cells(TREE):
            _draw_tree(axes, r, c)
        for r, c in {*tents, *board.cells(TENT)}:
            _draw_tent(axes, r, c, INK if board.grid[r][c] == TENT else ANSWER, points)

    rows, columns = board.size
    return Picture(
        cells=tuple(tuple(look(r, c) for c in range(columns)) for r in range(rows)),
        right=lambda _, c: c + 1 == columns,
        below=lambda r, _: r + 1 == rows,
        above_texts=tuple(_shown(count) for count in board.column_counts),
        left_texts=tuple(_shown(count) + " " for count in board.row_counts),
        paint=paint,
    )


def _shown(count: int | None) -> str:
    return "" if count is None else str(count)


def _draw_tree(axes: Axes, r: int, c: int) -> None:
    """A brown trunk below a green crown."""
    from matplotlib.patches import Circle, Rectangle

    axes.add_patch(Rectangle((c + 0.44, r + 0.55), 0.12, 0.32, facecolor="#8a5a2b"))
    for x, y, radius in ((0.36, 0.5, 0.19), (0.64, 0.5, 0.19), (0.5, 0.32, 0.21)):
        axes.add_patch(Circle((c + x, r + y), radius, facecolor="#3b8f3e"))


def _draw_tent(axes: Axes, r: int, c: int, colour: str, points: float) -> None:
    """A triangle with an open door."""
    from matplotlib.patches import Polygon

    axes.add_patch(Polygon([(c + 0.5, r + 0.18), (c + 0.14, r + 0.82), (c + 0.86, r + 0.82)], facecolor=colour))
    axes.add_patch(Polygon([(c + 0.5, r + 0.45), (c + 0.37, r + 0.82), (c + 0.63, r + 0.82)], facecolor="white"))
    axes.plot((c + 0.45, c + 0.5, c + 0.55), (r + 0.1, r + 0.2, r + 0.1), color=colour, linewidth=points / 30)
