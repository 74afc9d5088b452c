"""Takuzu (Binairo), and the boards of zeros and ones that it shares with Tango."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from gatesolve.puzzles.base import Fault, Puzzle
from gatesolve.puzzles.grid import cell_name
from gatesolve.puzzles.picture import Picture
from gatesolve.puzzles.reading import count
from gatesolve.puzzles.takuzu import text
from gatesolve.puzzles.takuzu.board import Cells, Rules, contradiction, first_fault
from gatesolve.puzzles.takuzu.picture import board_picture
from gatesolve.puzzles.takuzu.rules import broken_rules

if TYPE_CHECKING:
    import cpmpy


class ZeroOneBoard(Puzzle):
    """A board of zeros and ones, whatever they are called: the variable ``r{i}c{j}`` of each cell is 0 or 1."""

    symbols: ClassVar[str] = "01"

    @abstractmethod
    def _clues(self) -> tuple[Cells, Rules]:
        """The given values and what the board asks for besides."""

    def first_fault(self) -> Fault | None:
        return first_fault(*self._clues())

    @property
    def contradiction(self) -> str | None:
        return contradiction(*self._clues())

    def to_cpmpy(self) -> cpmpy.Model:
        """The board as a CPMpy model: a table of legal patterns a line, linear constraints for the rest."""
        from gatesolve.puzzles.takuzu.model import to_cpmpy

        return to_cpmpy(*self._clues())

    def board(self, solution: Mapping[str, int]) -> list[list[str]]:
        """The finished board, ``.`` where no value is known."""
        return [["." if v is None else self.symbols[v] for v in row] for row in self._filled(solution)]

    def check(self, solution: Mapping[str, int]) -> list[str]:
        return broken_rules(*self._clues(), solution, self.symbols)

    def picture(self, solution: Mapping[str, int], drawing: bool) -> Picture:
        """Answers bold or blue, regions in heavy lines, signs on the borders."""
        return board_picture(*self._clues(), self._filled(solution), drawing, suns=self.symbols != "01")

    def _filled(self, solution: Mapping[str, int]) -> list[list[int | None]]:
        """Given values, and answers in the cells without one."""
        return [
            [solution.get(cell_name((r, c))) if given is None else given for c, given in enumerate(row)]
            for r, row in enumerate(self._clues()[0])
        ]


@dataclass(frozen=True)
class Takuzu(ZeroOneBoard):
    """One Takuzu board; docs/formats.md says how it is written.

    The variable of the cell in row i, column j (both from 1) is named ``r{i}c{j}``.

    Args:
        cells: the given zeros and ones row by row, None for an empty cell.
        rules: what the board asks for besides.
    """

    cells: Cells
    rules: Rules = field(default_factory=Rules)

    family: ClassVar[str] = "takuzu"
    summary: ClassVar[str] = "zeros and ones, as many of each in a line, never three alike in a row"
    example: ClassVar[str] = "unique yes\n...1\n.1..\n....\n.1.1\n"
    headers: ClassVar[tuple[str, ...]] = ("takuzu", "binairo", "unique", "wrap")

    recognises = staticmethod(text.recognises)
    read = staticmethod(text.read)
    read_json = staticmethod(text.draft_of_json)

    def _clues(self) -> tuple[Cells, Rules]:
        return self.cells, self.rules

    @property
    def title(self) -> str:
        rules = self.rules
        clues = sum(v is not None for row in self.cells for v in row)
        parts = [count(clues, "clue"), f"equal lines {'forbidden' if rules.unique else 'allowed'}"]
        parts += ["own counts of ones"] * bool(rules.row_ones or rules.column_ones) + ["diagonals"] * rules.diagonals
        parts += {"none": [], "both": ["torus"]}.get(rules.wrap, [f"{rules.wrap} are rings"])
        items = (("region", rules.regions), ("sign", rules.signs))
        parts += [count(len(found), name) for name, found in items if found]
        return f"Takuzu {len(self.cells)}x{len(self.cells[0])}: {', '.join(parts)}"

    def text(self, solution: Mapping[str, int] | None = None) -> str:
        """The board in its file format; with a solution its values stand in the empty cells."""
        return text.format_text(self._filled(solution or {}), self.rules)
