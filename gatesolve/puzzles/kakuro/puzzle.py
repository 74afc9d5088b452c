"""Kakuro: fill the white cells so that every run makes its sum with different values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from gatesolve.puzzles.base import Puzzle, cell_variables
from gatesolve.puzzles.drawing import INK, write
from gatesolve.puzzles.grid import Cell, Grid, by_cell, cell_name, grid_of_cells
from gatesolve.puzzles.kakuro import text
from gatesolve.puzzles.kakuro.grid import Black, KakuroBoard
from gatesolve.puzzles.picture import Look, Picture, walls_around

if TYPE_CHECKING:
    import cpmpy
    from matplotlib.axes import Axes
    from rich.console import RenderableType


@dataclass(frozen=True)
class Kakuro(KakuroBoard, Puzzle):
    """One Kakuro board; docs/kakuro.md says how it is written.

    The variable of the white cell in row i, column j of the board (both from 1, the row and column
    of clues counted) is named ``r{i}c{j}``.
    """

    family: ClassVar[str] = "kakuro"
    summary: ClassVar[str] = "digits so that every run makes its sum without repeating a digit"
    example: ClassVar[str] = "values 0..3\n#   3\\  4\\\n\\3  .   .\n\\4  .   .\n"
    headers: ClassVar[tuple[str, ...]] = ("values",)

    recognises = staticmethod(text.recognises)
    read = staticmethod(text.read)
    recognises_json = staticmethod(text.recognises_json)
    read_json = staticmethod(text.draft_of_json)
    json_fields: ClassVar[tuple[str, ...]] = ("grid", "values", "rows", "cols")

    @property
    def title(self) -> str:
        size = f"{len(self.grid)}x{len(self.grid[0])}"
        return f"Kakuro {size}: {len(self.white)} cells, {len(self.runs)} runs, values {self.low}..{self.high}"

    def to_cpmpy(self) -> cpmpy.Model:
        """The board as a CPMpy model: for each run an all-different and a sum."""
        import cpmpy

        variables = cell_variables(self.white, self.low, self.high)
        model = cpmpy.Model()
        for run in self.runs:
            cells = [variables[cell] for cell in run.cells]
            if len(cells) > 1:
                model += cpmpy.AllDifferent(cells)
            model += cpmpy.sum(cells) == run.total
        return model

    def board(self, solution: Mapping[str, int]) -> list[list[str]]:
        """The finished board: ``#`` for a black cell, the value for a white one."""
        return [["#" if "\\" in token else token for token in row] for row in self._tokens(solution)]

    def text(self, solution: Mapping[str, int] | None = None) -> str:
        return text.format_text(self._tokens(solution or {}), self.low, self.high)

    def render(self, solution: Mapping[str, int] | None = None) -> RenderableType:
        """The picture for a terminal: box-drawn, sums on grey, given values underlined, answers bold."""
        from rich import box
        from rich.table import Table
        from rich.text import Text

        blacks = [held for row in self.grid for held in row if isinstance(held, Black)]
        half = max(len(_digits(total)) for held in blacks for total in (held.down, held.across))  # a board has sums
        width = 2 * half + 1

        def show_cell(cell: Cell) -> Text:
            held = self.grid[cell[0]][cell[1]]
            if not isinstance(held, Black):
                style = "bold" if held.given is None else "underline"
                return Text(_digits(self._value(cell, solution or {})), style=style)
            # The backslash stands in the middle of the cell, so the two sums of a cell keep their sides.
            sums = f"{_digits(held.down):>{half}}\\{_digits(held.across):<{half}}"
            return Text("#".center(width) if held == Black() else sums, style="grey70 on grey19")

        table = Table(box=box.SQUARE, show_header=False, show_lines=True, padding=0)
        for _ in self.grid[0]:
            # One width for all columns; no wrapping, so that a cell keeps to its one line.
            table.add_column(justify="center", min_width=width, no_wrap=True)
        for row in grid_of_cells((len(self.grid), len(self.grid[0])), show_cell):
            table.add_row(*row)
        return table

    def picture(self, solution: Mapping[str, int], drawing: bool) -> Picture:
        """The classical picture: black cells cut by a diagonal, the sum down below it, across above."""

        def look(cell: Cell) -> Look:
            if cell not in self.white:
                return Look(fill=INK)
            return Look(_digits(self._value(cell, solution)), answer=self.white[cell] is None)

        def paint(axes: Axes, points: float) -> None:
            for (r, c), held in by_cell(self.grid).items():
                if isinstance(held, Black) and held != Black():
                    axes.plot([c, c + 1], [r, r + 1], color="white", linewidth=points / 50, solid_capstyle="butt")
                    write(axes, (c + 0.29, r + 0.75), _digits(held.down), "white", points * 0.27)
                    write(axes, (c + 0.71, r + 0.27), _digits(held.across), "white", points * 0.27)

        size = len(self.grid), len(self.grid[0])
        return Picture(grid_of_cells(size, look), *walls_around(size), paint=paint)

    def _value(self, cell: Cell, solution: Mapping[str, int]) -> int | None:
        """Return the value of a white cell: its given value, or the answer."""
        given = self.white[cell]
        return solution.get(cell_name(cell)) if given is None else given

    def _tokens(self, solution: Mapping[str, int]) -> Grid:
        """The tokens of the file format, with the answers in the white cells that have one."""

        def token(cell: Cell) -> str:
            value = solution.get(cell_name(cell)) if cell in self.white else None
            return text.token_of(self.grid[cell[0]][cell[1]]) if value is None else str(value)

        return grid_of_cells((len(self.grid), len(self.grid[0])), token)


def _digits(value: int | None) -> str:
    return "" if value is None else str(value)
