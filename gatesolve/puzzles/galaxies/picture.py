"""Pictures of a Galaxies board: for a terminal, and drawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from gatesolve.puzzles.drawing import INK
from gatesolve.puzzles.galaxies.board import Board
from gatesolve.puzzles.grid import Cell
from gatesolve.puzzles.picture import REGION_FILLS, Look, Picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Owners = Mapping[Cell, int]
_WHITE_DOT, _BLACK_DOT = "○", "●"
_HOLE_FILL, _BLACK_FILL = "#4a4a4e", "#a9a9b0"


def board_picture(board: Board, owners: Owners, drawing: bool) -> Picture:
    """The board with its dots on cells, edges and corners, and walls between the galaxies that were found.

    On a board with black dots their galaxies are shaded and the others left white, which shows the
    board's hidden picture; on any other each galaxy has a colour.
    """

    def side(cell: Cell) -> int | None:
        """What tells the two sides of a wall apart: the galaxy, -1 outside the board, -2 a hole."""
        return owners.get(cell) if board.holds(cell) else -2 if cell in board.holes else -1

    def look(cell: Cell) -> Look:
        if not board.holds(cell):
            return Look("" if drawing else "###", fill=_HOLE_FILL)
        if cell not in owners:
            return Look()
        if board.black:
            return Look(fill=_BLACK_FILL if board.dots[owners[cell]] in board.black else "white")
        return Look(fill=REGION_FILLS[owners[cell] % len(REGION_FILLS)])

    def paint(axes: Axes, points: float) -> None:
        from matplotlib.patches import Circle

        for y, x in board.dots:
            fill = INK if (y, x) in board.black else "white"
            circle = Circle((x / 2, y / 2), 0.16, facecolor=fill, edgecolor=INK, linewidth=points / 30, zorder=5)
            axes.add_patch(circle)

    return Picture(
        cells=tuple(tuple(look((r, c)) for c in range(board.columns)) for r in range(board.rows)),
        right=lambda r, c: side((r, c)) != side((r, c + 1)),
        below=lambda r, c: side((r, c)) != side((r + 1, c)),
        # A cell is two lines high and four characters wide, so the half-grid's steps are one and two.
        stamps={(y, 2 * x): _BLACK_DOT if (y, x) in board.black else _WHITE_DOT for y, x in board.dots},
        paint=paint,
    )
