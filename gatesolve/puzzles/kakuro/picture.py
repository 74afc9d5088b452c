"""Pictures of a Kakuro board: for a terminal (rich), and drawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from gatesolve.puzzles.drawing import INK, write
from gatesolve.puzzles.grid import Cell, cell_name
from gatesolve.puzzles.kakuro.grid import Black, Clues, White
from gatesolve.puzzles.picture import Look, Picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from rich.console import RenderableType

Answers = Mapping[str, int]


def terminal_board(grid: Clues, answers: Answers) -> RenderableType:
    """A box-drawn board: sums on grey, given values underlined, answers bold."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    blacks = [held for row in grid for held in row if isinstance(held, Black)]
    half = max(len(_digits(total)) for black in blacks for total in (black.down, black.across))  # a board has sums
    width = 2 * half + 1

    def shown(cell: Cell, held: Black | White) -> Text:
        if isinstance(held, White):
            style = "bold" if held.given is None else "underline"
            return Text(_digits(_value(cell, held, answers)), style=style)
        # The backslash stands in the middle of the cell, so the two sums of a cell keep their sides.
        sums = f"{_digits(held.down):>{half}}\\{_digits(held.across):<{half}}"
        return Text("#".center(width) if held == Black() else sums, style="grey70 on grey19")

    table = Table(box=box.SQUARE, show_header=False, show_lines=True, padding=0)
    for _ in grid[0]:
        # One width for all columns; no wrapping, so that a cell keeps to its one line.
        table.add_column(justify="center", min_width=width, no_wrap=True)
    for r, row in enumerate(grid):
        table.add_row(*(shown((r, c), held) for c, held in enumerate(row)))
    return table


def drawn_board(grid: Clues, answers: Answers) -> Picture:
    """The classical picture: black cells cut by a diagonal, the sum down below it, across above."""

    def look(cell: Cell, held: Black | White) -> Look:
        if isinstance(held, Black):
            return Look(fill=INK)
        return Look(_digits(_value(cell, held, answers)), answer=held.given is None)

    def paint(axes: Axes, points: float) -> None:
        for r, row in enumerate(grid):
            for c, held in enumerate(row):
                if isinstance(held, Black) and held != Black():
                    axes.plot([c, c + 1], [r, r + 1], color="white", linewidth=points / 50, solid_capstyle="butt")
                    write(axes, (c + 0.29, r + 0.75), _digits(held.down), "white", points * 0.27)
                    write(axes, (c + 0.71, r + 0.27), _digits(held.across), "white", points * 0.27)

    return Picture(
        tuple(tuple(look((r, c), held) for c, held in enumerate(row)) for r, row in enumerate(grid)),
        right=lambda _, c: c + 1 == len(grid[0]),
        below=lambda r, _: r + 1 == len(grid),
        paint=paint,
    )


def _value(cell: Cell, held: White, answers: Answers) -> int | None:
    return answers.get(cell_name(cell)) if held.given is None else held.given


def _digits(value: int | None) -> str:
    """The number, or nothing for None."""
    return "" if value is None else str(value)
