"""Kakuro: fill the white cells so that every run makes its sum with different values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from gatesolve.puzzles.base import Fault, Puzzle
from gatesolve.puzzles.grid import Cell, cell_name
from gatesolve.puzzles.kakuro.grid import Clues, Run, White, contradiction, find_runs, first_fault, white_cells
from gatesolve.puzzles.kakuro.picture import drawn_board, terminal_board
from gatesolve.puzzles.kakuro.rules import broken_rules
from gatesolve.puzzles.kakuro.text import draft_of_json, format_text, read, recognises, token_of
from gatesolve.puzzles.picture import Picture

if TYPE_CHECKING:
    import cpmpy
    from rich.console import RenderableType


@dataclass(frozen=True)
class Kakuro(Puzzle):
    """One Kakuro board; docs/kakuro.md says how it is written.

    The variable of the white cell in row i, column j of the board (both from 1, the row and column
    of clues counted) is named ``r{i}c{j}``.

    Args:
        grid: the cells, row by row.
        low: smallest value of a cell.
        high: largest value of a cell.
    """

    grid: Clues
    low: int = 1
    high: int = 9

    family: ClassVar[str] = "kakuro"
    summary: ClassVar[str] = "digits so that every run makes its sum without repeating a digit"
    example: ClassVar[str] = "values 0..3\n#   3\\  4\\\n\\3  .   .\n\\4  .   .\n"
    headers: ClassVar[tuple[str, ...]] = ("values",)

    recognises = staticmethod(recognises)
    read = staticmethod(read)
    read_json = staticmethod(draft_of_json)

    def first_fault(self) -> Fault | None:
        return first_fault(self.grid, self.low, self.high)

    @cached_property
    def runs(self) -> tuple[Run, ...]:
        """The runs of two or more cells and those of one cell with a sum; those across first."""
        return tuple(run for run in find_runs(self.grid) if len(run.cells) > 1 or run.total is not None)

    @property
    def title(self) -> str:
        size = f"{len(self.grid)}x{len(self.grid[0])}"
        cells = len(white_cells(self.grid))
        return f"Kakuro {size}: {cells} cells, {len(self.runs)} runs, values {self.low}..{self.high}"

    @property
    def contradiction(self) -> str | None:
        return contradiction(self.grid, self.low, self.high)

    def to_cpmpy(self) -> cpmpy.Model:
        """The board as a CPMpy model: for each run an all-different and a sum."""
        import cpmpy

        variables = {}
        for cell, white in white_cells(self.grid).items():
            # A given value is a domain of one value, so that no later stage spends a qubit on it.
            low, high = (self.low, self.high) if white.given is None else (white.given, white.given)
            variables[cell] = cpmpy.intvar(low, high, name=cell_name(cell))
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

    def check(self, solution: Mapping[str, int]) -> list[str]:
        return broken_rules(self.grid, self.low, self.high, solution)

    def text(self, solution: Mapping[str, int] | None = None) -> str:
        """The board in its file format; with a solution its values stand in the white cells."""
        return format_text(self._tokens(solution or {}), self.low, self.high)

    def render(self, solution: Mapping[str, int] | None = None) -> RenderableType:
        """The picture for a terminal: sums dim, given values underlined, answers bold."""
        return terminal_board(self.grid, solution or {})

    def picture(self, solution: Mapping[str, int], drawing: bool) -> Picture:
        """Black cells cut by a diagonal, the sum down below it, across above."""
        return drawn_board(self.grid, solution)

    def _tokens(self, solution: Mapping[str, int]) -> list[list[str]]:
        """The tokens of the file format, with the answers in the white cells that have one."""

        def token(cell: Cell) -> str:
            held = self.grid[cell[0]][cell[1]]
            value = solution.get(cell_name(cell)) if isinstance(held, White) else None
            return token_of(held) if value is None else str(value)

        return [[token((r, c)) for c in range(len(row))] for r, row in enumerate(self.grid)]
