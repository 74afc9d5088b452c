"""Tango: suns and moons, half of each in every line, never three equal in line, with ``=`` and ``x`` signs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from gatesolve.errors import InputError
from gatesolve.puzzles.base import Family
from gatesolve.puzzles.takuzu.board import Cells, Rules, Sign
from gatesolve.puzzles.takuzu.faults import contradiction
from gatesolve.puzzles.takuzu.puzzle import filled
from gatesolve.puzzles.takuzu.rules import broken_rules
from gatesolve.puzzles.tango.text import SYMBOLS, first_fault, format_text, parse_text, recognises

if TYPE_CHECKING:
    import cpmpy
    from rich.console import RenderableType


@dataclass(frozen=True)
class Tango:
    """One Tango board; see `gatesolve.puzzles.tango.text` for how it is written.

    The variable of the cell in row i, column j (both from 1) is named ``r{i}c{j}``; a sun is 0, a moon 1.

    Args:
        cells: the given suns and moons row by row, None for an empty cell.
        signs: pairs of neighbouring cells that are equal or different.

    Raises:
        InputError: the board is faulty in a way that can be told without solving it.
    """

    cells: Cells
    signs: tuple[Sign, ...] = ()

    family: ClassVar[str] = "tango"

    def __post_init__(self) -> None:
        fault = first_fault(self.cells, self.rules)
        if fault:
            row, column = (None, None) if fault.cell is None else (fault.cell[0] + 1, fault.cell[1] + 1)
            raise InputError(fault.message, row=row, column=column)

    @classmethod
    def parse(cls, text: str, source: str = "<text>") -> Tango:
        """Read a board from its text, `gatesolve.puzzles.parse` with the family told.

        Raises:
            InputError: with the line and the column where the fault is.
        """
        return cls(*parse_text(text, source))

    @property
    def rules(self) -> Rules:
        """What the board asks for, as a board of zeros and ones; equal lines are allowed."""
        return Rules(unique=False, signs=self.signs)

    @property
    def title(self) -> str:
        """One line: the size of the board, its number of clues and of signs."""
        clues = sum(v is not None for row in self.cells for v in row)
        return f"Tango {len(self.cells)}x{len(self.cells[0])}: {clues} clues, {len(self.signs)} signs"

    @property
    def contradiction(self) -> str | None:
        """Why the board has no solution, where that can be told without solving."""
        return contradiction(self.cells, self.rules)

    def to_cpmpy(self) -> cpmpy.Model:
        """The board as a CPMpy model: a table of legal patterns a line, a linear constraint a sign."""
        from gatesolve.puzzles.takuzu.model import to_cpmpy

        return to_cpmpy(self.cells, self.rules)

    def board(self, solution: Mapping[str, int]) -> list[list[str]]:
        """The finished board: ``S`` and ``M``, ``.`` where no value is known."""
        return [["." if v is None else SYMBOLS[v] for v in row] for row in filled(self.cells, solution)]

    def check(self, solution: Mapping[str, int]) -> list[str]:
        """The rules of Tango that the finished board breaks, in words; empty when it is right."""
        return broken_rules(self.cells, self.rules, solution, SYMBOLS)

    def text(self, solution: Mapping[str, int] | None = None) -> str:
        """The board in its file format; with a solution its values stand in the empty cells."""
        return format_text(filled(self.cells, solution or {}), self.signs)

    def render(self, solution: Mapping[str, int] | None = None) -> RenderableType:
        """The picture for a terminal: suns and moons, answers bold, signs on the borders."""
        from gatesolve.puzzles.takuzu.picture import terminal_picture

        return terminal_picture(self.cells, self.rules, filled(self.cells, solution or {}), ("☀", "☾"))

    def draw(self, path: Path | str, solution: Mapping[str, int] | None = None) -> None:
        """Write the picture as PNG or SVG, by the suffix of ``path``.

        Raises:
            InputError: another suffix, or a place that cannot be written to.
        """
        from gatesolve.puzzles.takuzu.picture import draw_picture

        draw_picture(self.cells, self.rules, filled(self.cells, solution or {}), Path(path), suns=True)


_EXAMPLE = """\
tango 4x4
S...
.M..
...M
....
r1c1 = r1c2
r2c3 x r3c3
"""
FAMILY = Family(
    Tango.family,
    recognises,
    Tango.parse,
    "suns and moons as in Takuzu, with = and x between cells",
    _EXAMPLE,
    ("tango",),
)
