"""Pictures of a Tents & Trees board: for a terminal, and as PNG or SVG."""

from __future__ import annotations

from collections.abc import Set
from pathlib import Path
from typing import TYPE_CHECKING

from gatesolve.puzzles import picture
from gatesolve.puzzles.drawing import ANSWER, INK
from gatesolve.puzzles.picture import Look, Picture
from gatesolve.puzzles.tents.board import TENT, TREE, Board, Cell

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from rich.console import RenderableType

_TENT_SIGN = "▲"
_GRASS, _TREE_FILL = "#eef6e6", "white"


def terminal_picture(board: Board, tents: Set[Cell]) -> RenderableType:
    """Trees as T, tents as triangles (found ones bold), counts above and at the left."""
    return picture.terminal(_picture(board, tents, symbols=True))


def draw_picture(board: Board, tents: Set[Cell], path: Path) -> None:
    """Write green trees and triangular tents; tents that were found are blue.

    Raises:
        InputError: the suffix is neither .png nor .svg, or the place cannot be written to.
    """

    def extra(axes: Axes, points: float) -> None:
        for r, c in board.cells(TREE):
            _draw_tree(axes, r, c)
        for r, c in {*tents, *board.cells(TENT)}:
            _draw_tent(axes, r, c, INK if board.grid[r][c] == TENT else ANSWER, points)

    picture.draw(_picture(board, tents, symbols=False), path, extra)


def _picture(board: Board, tents: Set[Cell], symbols: bool) -> Picture:
    def look(r: int, c: int) -> Look:
        given = board.grid[r][c]
        fill = _TREE_FILL if given == TREE else _GRASS if tents else "white"
        if not symbols:
            return Look(fill=fill)
        if given == TREE:
            return Look(TREE)
        found = (r, c) in tents and given != TENT
        return Look(_TENT_SIGN if found or given == TENT else "", answer=found)

    rows, columns = board.size
    return Picture(
        cells=tuple(tuple(look(r, c) for c in range(columns)) for r in range(rows)),
        right=lambda _, c: c + 1 == columns,
        below=lambda r, _: r + 1 == rows,
        above_texts=tuple(_shown(count) for count in board.column_counts),
        left_texts=tuple(_shown(count) + " " for count in board.row_counts),
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
