"""Kakuro: fill the white cells so that every run makes its sum with different values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from gatesolve.errors import InputError
from gatesolve.puzzles.base import Family
from gatesolve.puzzles.kakuro.grid import (
    Cell,
    Grid,
    Run,
    White,
    cell_name,
    contradiction,
    find_runs,
    first_fault,
    white_cells,
)
from gatesolve.puzzles.kakuro.rules import broken_rules
from gatesolve.puzzles.kakuro.text import format_text, parse_text, recognises, token_of

if TYPE_CHECKING:
    import cpmpy
    from rich.console import RenderableType


@dataclass(frozen=True)
class Kakuro:
    """One Kakuro board; see `gatesolve.puzzles.kakuro.text` for how it is written.

    The variable of the white cell in row i, column j of the board (both from 1, the row and column
    of clues counted) is named ``r{i}c{j}``.

    Args:
        grid: the cells, row by row.
        low: smallest value of a cell.
        high: largest value of a cell.

    Raises:
        InputError: the board is faulty in a way that can be told without solving it.
    """

    grid: Grid
    low: int = 1
    high: int = 9

    family: ClassVar[str] = "kakuro"

    def __post_init__(self) -> None:
        fault = first_fault(self.grid, self.low, self.high)
        if fault:
            raise InputError(fault.message, row=fault.position[0] + 1, column=fault.position[1] + 1)

    @classmethod
    def parse(cls, text: str, source: str = "<text>") -> Kakuro:
        """Read a board from its text, `gatesolve.puzzles.parse` with the family told.

        Raises:
            InputError: with the line and the number of the token where the fault is.
        """
        return cls(*parse_text(text, source))

    @cached_property
    def runs(self) -> tuple[Run, ...]:
        """The runs of two or more cells, those across first."""
        return tuple(run for run in find_runs(self.grid) if len(run.cells) > 1)

    @property
    def title(self) -> str:
        """One line: the size of the board, its white cells, runs and values."""
        size = f"{len(self.grid)}x{len(self.grid[0])}"
        cells = len(white_cells(self.grid))
        return f"Kakuro {size}: {cells} cells, {len(self.runs)} runs, values {self.low}..{self.high}"

    @property
    def contradiction(self) -> str | None:
        """Why the board has no solution, where that can be told without solving."""
        return contradiction(self.grid, self.low, self.high)

    def to_cpmpy(self) -> cpmpy.Model:
        """The board as a CPMpy model: for each run an all-different and a sum."""
        import cpmpy

        variables = {}
        for position, cell in white_cells(self.grid).items():
            # A given value is a domain of one value, so that no later stage spends a qubit on it.
            low, high = (self.low, self.high) if cell.given is None else (cell.given, cell.given)
            variables[position] = cpmpy.intvar(low, high, name=cell_name(position))
        model = cpmpy.Model()
        for run in self.runs:
            cells = [variables[position] for position in run.cells]
            model += cpmpy.AllDifferent(cells)
            model += cpmpy.sum(cells) == run.total
        return model

    def board(self, solution: Mapping[str, int]) -> list[list[str]]:
        """The finished board: ``#`` for a black cell, the value for a white one."""
        return [["#" if t == "#" or "\\" in t else t for t in row] for row in self._tokens(solution)]

    def check(self, solution: Mapping[str, int]) -> list[str]:
        """The rules of Kakuro that the finished board breaks, in words; empty when it is right."""
        return broken_rules(self.grid, self.low, self.high, solution)

    def text(self, solution: Mapping[str, int] | None = None) -> str:
        """The board in its file format; with a solution its values stand in the white cells."""
        return format_text(self._tokens(solution), self.low, self.high)

    def render(self, solution: Mapping[str, int] | None = None) -> RenderableType:
        """The picture for a terminal: sums dim, given values underlined, answers bold."""
        from gatesolve.puzzles.kakuro.picture import terminal_picture

        return terminal_picture(self.grid, solution or {})

    def draw(self, path: Path | str, solution: Mapping[str, int] | None = None) -> None:
        """Write the picture as PNG or SVG, by the suffix of ``path``.

        Raises:
            InputError: another suffix, or a place that cannot be written to.
        """
        from gatesolve.puzzles.kakuro.picture import draw_picture

        draw_picture(self.grid, solution or {}, Path(path))

    def _tokens(self, solution: Mapping[str, int] | None) -> list[list[str]]:
        """The tokens of the file format, with the answers in the white cells that have one."""

        def token(position: tuple[int, int], cell: Cell) -> str:
            value = (solution or {}).get(cell_name(position)) if isinstance(cell, White) else None
            return token_of(cell) if value is None else str(value)

        return [[token((r, c), cell) for c, cell in enumerate(row)] for r, row in enumerate(self.grid)]


_EXAMPLE = """\
values 0..3
#   3\\  4\\
\\3  .   .
\\4  .   .
"""
FAMILY = Family(
    Kakuro.family,
    recognises,
    Kakuro.parse,
    "digits so that every run makes its sum without repeating a digit",
    _EXAMPLE,
    ("values",),
)
