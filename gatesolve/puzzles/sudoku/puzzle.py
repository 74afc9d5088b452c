"""Sudoku: every value once in each row, column and box."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from gatesolve.errors import InputError
from gatesolve.puzzles.base import Family
from gatesolve.puzzles.sudoku.grid import Box, Cells, cell_name, first_fault
from gatesolve.puzzles.sudoku.rules import broken_rules
from gatesolve.puzzles.sudoku.text import format_text, parse_text, recognises

if TYPE_CHECKING:
    import cpmpy
    from rich.console import RenderableType

    from gatesolve.puzzles.picture import Picture


@dataclass(frozen=True)
class Sudoku:
    """One Sudoku board; see `gatesolve.puzzles.sudoku.text` for how it is written.

    The variable of the cell in row i, column j (both from 1) is named ``r{i}c{j}``.

    Args:
        cells: the given values row by row, None for an empty cell.
        box: rows and columns of a box.
        diagonals: whether the two long diagonals hold every value once, too.

    Raises:
        InputError: the board is faulty in a way that can be told without solving it.
    """

    cells: Cells
    box: Box
    diagonals: bool = False

    family: ClassVar[str] = "sudoku"

    def __post_init__(self) -> None:
        fault = first_fault(self.cells, self.box, self.diagonals)
        if fault:
            raise InputError(fault.message, row=fault.row + 1, column=fault.column + 1)

    @classmethod
    def parse(cls, text: str, source: str = "<text>") -> Sudoku:
        """Read a board from its text, `gatesolve.puzzles.parse` with the family told.

        Raises:
            InputError: with the line and the column where the fault is.
        """
        return cls(*parse_text(text, source))

    @property
    def title(self) -> str:
        """One line: the size of the board, its boxes and its number of clues."""
        side = len(self.cells)
        clues = sum(value is not None for row in self.cells for value in row)
        boxes = f"boxes of {self.box[0]} rows x {self.box[1]} columns"
        return f"Sudoku {side}x{side}: {boxes}, {clues} clues{', diagonals' if self.diagonals else ''}"

    def to_cpmpy(self) -> cpmpy.Model:
        """The board as a CPMpy model: an all-different a row, column, box (and diagonal)."""
        import cpmpy

        side, (height, width) = len(self.cells), self.box
        # A given value is a domain of one value, so that no later stage spends a qubit on it.
        x = [
            [cpmpy.intvar(given or 1, given or side, name=cell_name(r, c)) for c, given in enumerate(row)]
            for r, row in enumerate(self.cells)
        ]
        groups = [*x, *map(list, zip(*x, strict=True))]
        for top in range(0, side, height):
            for left in range(0, side, width):
                groups.append([v for row in x[top : top + height] for v in row[left : left + width]])
        if self.diagonals:
            groups += [[x[k][k] for k in range(side)], [x[k][side - 1 - k] for k in range(side)]]
        return cpmpy.Model([cpmpy.AllDifferent(group) for group in groups])

    def board(self, solution: Mapping[str, int]) -> list[list[str]]:
        """The finished board as decimal numbers, ``.`` where no value is known."""
        return [["." if value is None else str(value) for value in row] for row in self._filled(solution)]

    def check(self, solution: Mapping[str, int]) -> list[str]:
        """The rules of Sudoku that the finished board breaks, in words; empty when it is right."""
        return broken_rules(self.cells, self.box, self.diagonals, solution)

    def text(self, solution: Mapping[str, int] | None = None) -> str:
        """The board in its file format; with a solution its values stand in the empty cells."""
        return format_text(self._filled(solution or {}), self.box, self.diagonals)

    def render(self, solution: Mapping[str, int] | None = None) -> RenderableType:
        """The picture for a terminal: boxes in heavy lines, answers bold."""
        from gatesolve.puzzles.picture import terminal

        return terminal(self._picture(solution or {}))

    def draw(self, path: Path | str, solution: Mapping[str, int] | None = None) -> None:
        """Write the picture as PNG or SVG, by the suffix of ``path``.

        Raises:
            InputError: another suffix, or a place that cannot be written to.
        """
        from gatesolve.puzzles.picture import draw

        draw(self._picture(solution or {}), path)

    def _filled(self, solution: Mapping[str, int]) -> list[list[int | None]]:
        """Given values, and answers in the cells without one."""
        return [
            [solution.get(cell_name(r, c)) if given is None else given for c, given in enumerate(row)]
            for r, row in enumerate(self.cells)
        ]

    def _picture(self, solution: Mapping[str, int]) -> Picture:
        from gatesolve.puzzles.picture import Look, Picture, walls_between

        side, (height, width) = len(self.cells), self.box
        right, below = walls_between([[(r // height, c // width) for c in range(side)] for r in range(side)])

        def look(r: int, c: int, value: int | None) -> Look:
            fill = "#eef0f4" if self.diagonals and (r == c or r + c == side - 1) else "white"
            return Look("" if value is None else str(value), self.cells[r][c] is None, fill)

        rows = enumerate(self._filled(solution))
        cells = tuple(tuple(look(r, c, value) for c, value in enumerate(row)) for r, row in rows)
        return Picture(cells, right, below)


_EXAMPLE = """\
box 2x2
2. | 43
.. | 2.
---+---
.. | ..
.2 | 3.
"""
FAMILY = Family(Sudoku.family, recognises, Sudoku.parse, "every row, column and box holds each digit once", _EXAMPLE)
