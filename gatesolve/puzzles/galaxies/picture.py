"""Pictures of a Galaxies board: for a terminal, and as PNG or SVG."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from gatesolve.puzzles import picture
from gatesolve.puzzles.drawing import INK
from gatesolve.puzzles.galaxies.board import Board, Cell
from gatesolve.puzzles.picture import REGION_FILLS, Look, Picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from rich.console import RenderableType

Owners = Mapping[Cell, int]
_WHITE_DOT, _BLACK_DOT = "○", "●"
_HOLE_FILL, _BLACK_FILL = "#4a4a4e", "#a9a9b0"


def terminal_picture(board: Board, owners: Owners) -> RenderableType:
    """The board in box-drawing characters, its dots on cells, edges and corners, walls between galaxies heavy."""
    from rich.text import Text

    drawn = picture.terminal(_picture(board, owners, symbols=True))
    assert isinstance(drawn, Text)
    lines = [list(line) for line in drawn.plain.split("\n")]
    for y, x in board.dots:
        # A cell is two lines high and four characters wide, so the half-grid's steps are one and two.
        lines[y][2 * x] = _BLACK_DOT if (y, x) in board.black else _WHITE_DOT
    return Text("\n".join(map("".join, lines)), no_wrap=True)


def draw_picture(board: Board, owners: Owners, path: Path) -> None:
    """Write the board with round dots; galaxies that were found are walled off and coloured.

    On a board with black dots their galaxies are shaded and the others left white, which shows the
    board's hidden picture.

    Raises:
        InputError: the suffix is neither .png nor .svg, or the place cannot be written to.
    """

    def extra(axes: Axes, points: float) -> None:
        from matplotlib.patches import Circle

        for y, x in board.dots:
            fill = INK if (y, x) in board.black else "white"
            circle = Circle((x / 2, y / 2), 0.16, facecolor=fill, edgecolor=INK, linewidth=points / 30, zorder=5)
            axes.add_patch(circle)

    picture.draw(_picture(board, owners, symbols=False), path, extra)


def _picture(board: Board, owners: Owners, symbols: bool) -> Picture:
    def side(cell: Cell) -> int | None:
        """What tells the two sides of a wall apart: the galaxy, -1 outside the board, -2 a hole."""
        return owners.get(cell) if board.holds(cell) else -2 if cell in board.holes else -1

    def look(cell: Cell) -> Look:
        if not board.holds(cell):
            return Look("###" if symbols else "", fill=_HOLE_FILL)
        if cell not in owners:
            return Look()
        if board.black:
            return Look(fill=_BLACK_FILL if board.dots[owners[cell]] in board.black else "white")
        return Look(fill=REGION_FILLS[owners[cell] % len(REGION_FILLS)])

    return Picture(
        cells=tuple(tuple(look((r, c)) for c in range(board.columns)) for r in range(board.rows)),
        right=lambda r, c: side((r, c)) != side((r, c + 1)),
        below=lambda r, c: side((r, c)) != side((r + 1, c)),
    )
