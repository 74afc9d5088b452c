"""Pictures of a Kakuro board: for a terminal (rich), and as PNG or SVG (matplotlib)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from gatesolve.puzzles.drawing import ANSWER, INK, check_suffix, new_sheet, save, write
from gatesolve.puzzles.kakuro.grid import Black, Cell, Grid, White, cell_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from rich.console import RenderableType

Answers = Mapping[str, int]


def terminal_picture(grid: Grid, answers: Answers) -> RenderableType:
    """A box-drawn board: sums on grey, given values underlined, answers bold."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    blacks = [cell for row in grid for cell in row if isinstance(cell, Black)]
    half = max(len(_digits(total)) for cell in blacks for total in (cell.down, cell.across))  # a board has sums
    width = 2 * half + 1

    def picture(position: tuple[int, int], cell: Cell) -> Text:
        if isinstance(cell, White):
            given = cell.given is not None
            value = cell.given if given else answers.get(cell_name(position))
            return Text(_digits(value), style="underline" if given else "bold")
        # The backslash stands in the middle of the cell, so the two sums of a cell keep their sides.
        sums = f"{_digits(cell.down):>{half}}\\{_digits(cell.across):<{half}}"
        return Text("#".center(width) if cell == Black() else sums, style="grey70 on grey19")

    table = Table(box=box.SQUARE, show_header=False, show_lines=True, padding=0)
    for _ in grid[0]:
        # One width for all columns; no wrapping, so that a cell keeps to its one line.
        table.add_column(justify="center", min_width=width, no_wrap=True)
    for r, row in enumerate(grid):
        table.add_row(*(picture((r, c), cell) for c, cell in enumerate(row)))
    return table


def draw_picture(grid: Grid, answers: Answers, path: Path) -> None:
    """Write the classical picture: black cells cut by a diagonal, the sum down below it, across above.

    Raises:
        InputError: the suffix is neither .png nor .svg, or the place cannot be written to.
    """
    check_suffix(path)  # before the work, not after it
    figure, axes, points = new_sheet(len(grid), len(grid[0]))
    for r, row in enumerate(grid):
        for c, cell in enumerate(row):
            if isinstance(cell, Black):
                _draw_black(axes, r, c, cell, points)
            else:
                _draw_white(axes, r, c, cell, answers, points)
    save(figure, path)


def _digits(value: int | None) -> str:
    """The number, or nothing for None."""
    return "" if value is None else str(value)


def _draw_black(axes: Axes, r: int, c: int, cell: Black, points: float) -> None:
    """A black cell; its diagonal and sums if it has any."""
    _draw_square(axes, r, c, INK)
    if cell == Black():
        return
    axes.plot([c, c + 1], [r, r + 1], color="white", linewidth=points / 50, solid_capstyle="butt")
    if cell.down is not None:
        write(axes, (c + 0.29, r + 0.75), str(cell.down), "white", points * 0.27)
    if cell.across is not None:
        write(axes, (c + 0.71, r + 0.27), str(cell.across), "white", points * 0.27)


def _draw_white(axes: Axes, r: int, c: int, cell: White, answers: Answers, points: float) -> None:
    """A white cell, with its given value or its answer."""
    _draw_square(axes, r, c, "white")
    value = cell.given if cell.given is not None else answers.get(cell_name((r, c)))
    if value is not None:
        write(axes, (c + 0.5, r + 0.5), str(value), ANSWER if cell.given is None else INK, points * 0.5)


def _draw_square(axes: Axes, r: int, c: int, fill: str) -> None:
    """The square of one cell with its border."""
    from matplotlib.patches import Rectangle

    axes.add_patch(Rectangle((c, r), 1, 1, facecolor=fill, edgecolor="#8a8a8e", linewidth=0.8, clip_on=False))
