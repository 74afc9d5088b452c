"""Takuzu (Binairo): zeros and ones, half of each in every line, never three equal in line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from gatesolve.errors import InputError
from gatesolve.puzzles.base import Family
from gatesolve.puzzles.takuzu.board import Cells, Rules, cell_name
from gatesolve.puzzles.takuzu.faults import contradiction, first_fault
from gatesolve.puzzles.takuzu.rules import broken_rules
from gatesolve.puzzles.takuzu.text import format_text, parse_text, recognises

if TYPE_CHECKING:
    import cpmpy
    from rich.console import RenderableType


@dataclass(frozen=True)
class Takuzu:
    """One Takuzu board; see `gatesolve.puzzles.takuzu.text` for how it is written.

    The variable of the cell in row i, column j (both from 1) is named ``r{i}c{j}``.

    Args:
        cells: the given zeros and ones row by row, None for an empty cell.
        rules: what the board asks for besides.

    Raises:
        InputError: the board is faulty in a way that can be told without solving it.
    """

    cells: Cells
    rules: Rules = field(default_factory=Rules)

    family: ClassVar[str] = "takuzu"

    def __post_init__(self) -> None:
        fault = first_fault(self.cells, self.rules)
        if fault:
            row, column = (None, None) if fault.cell is None else (fault.cell[0] + 1, fault.cell[1] + 1)
            raise InputError(fault.message, row=row, column=column)

    @classmethod
    def parse(cls, text: str, source: str = "<text>") -> Takuzu:
        """Read a board from its text, `gatesolve.puzzles.parse` with the family told.

        Raises:
            InputError: with the line and the column where the fault is.
        """
        return cls(*parse_text(text, source))

    @property
    def title(self) -> str:
        """One line: the size of the board, its number of clues and its rules."""
        rules = self.rules
        clues = sum(v is not None for row in self.cells for v in row)
        parts = [f"{clues} clues", f"equal lines {'forbidden' if rules.unique else 'allowed'}"]
        parts += ["own counts of ones"] * bool(rules.row_ones or rules.column_ones) + ["diagonals"] * rules.diagonals
        parts += {"none": [], "both": ["torus"]}.get(rules.wrap, [f"{rules.wrap} are rings"])
        parts += [
            f"{len(found)} {name}" for name, found in (("regions", rules.regions), ("signs", rules.signs)) if found
        ]
        return f"Takuzu {len(self.cells)}x{len(self.cells[0])}: {', '.join(parts)}"

    @property
    def contradiction(self) -> str | None:
        """Why the board has no solution, where that can be told without solving."""
        return contradiction(self.cells, self.rules)

    def to_cpmpy(self) -> cpmpy.Model:
        """The board as a CPMpy model: a table of legal patterns a line, linear constraints for the rest."""
        from gatesolve.puzzles.takuzu.model import to_cpmpy

        return to_cpmpy(self.cells, self.rules)

    def board(self, solution: Mapping[str, int]) -> list[list[str]]:
        """The finished board: ``0`` and ``1``, ``.`` where no value is known."""
        return [["." if v is None else str(v) for v in row] for row in filled(self.cells, solution)]

    def check(self, solution: Mapping[str, int]) -> list[str]:
        """The rules of Takuzu that the finished board breaks, in words; empty when it is right."""
        return broken_rules(self.cells, self.rules, solution)

    def text(self, solution: Mapping[str, int] | None = None) -> str:
        """The board in its file format; with a solution its values stand in the empty cells."""
        return format_text(filled(self.cells, solution or {}), self.rules)

    def render(self, solution: Mapping[str, int] | None = None) -> RenderableType:
        """The picture for a terminal: answers bold, regions in heavy lines, signs on the borders."""
        from gatesolve.puzzles.takuzu.picture import terminal_picture

        return terminal_picture(self.cells, self.rules, filled(self.cells, solution or {}), ("0", "1"))

    def draw(self, path: Path | str, solution: Mapping[str, int] | None = None) -> None:
        """Write the picture as PNG or SVG, by the suffix of ``path``.

        Raises:
            InputError: another suffix, or a place that cannot be written to.
        """
        from gatesolve.puzzles.takuzu.picture import draw_picture

        draw_picture(self.cells, self.rules, filled(self.cells, solution or {}), Path(path), suns=False)


def filled(cells: Cells, solution: Mapping[str, int]) -> list[list[int | None]]:
    """Given values, and answers in the cells without one."""
    return [
        [solution.get(cell_name((r, c))) if given is None else given for c, given in enumerate(row)]
        for r, row in enumerate(cells)
    ]


_EXAMPLE = """\
unique yes
...1
.1..
....
.1.1
"""
FAMILY = Family(
    Takuzu.family,
    recognises,
    Takuzu.parse,
    "zeros and ones, as many of each in a line, never three alike in a row",
    _EXAMPLE,
    ("takuzu", "binairo", "unique", "wrap"),
)
