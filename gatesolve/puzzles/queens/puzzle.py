"""Queens: N-queens, LinkedIn Queens, and the general form with counts, regions, reaches and wrapped boards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from gatesolve.puzzles.base import Puzzle
from gatesolve.puzzles.grid import FREE, Cell, cell_name
from gatesolve.puzzles.picture import Picture
from gatesolve.puzzles.queens.board import DIAGONALS, ONE, QUEEN, Board
from gatesolve.puzzles.queens.format import format_text, read, recognises
from gatesolve.puzzles.queens.model import conflicts
from gatesolve.puzzles.queens.other import draft_of_json, recognises_json
from gatesolve.puzzles.queens.picture import queens_picture
from gatesolve.puzzles.reading import count

if TYPE_CHECKING:
    import cpmpy


@dataclass(frozen=True)
class Queens(Board, Puzzle):
    """One Queens board; docs/formats.md says how it is written.

    The variable of the cell in row i and column j (both from 1), named ``r{i}c{j}``, is 1 for a
    queen; cells that hold none have no variable.
    """

    family: ClassVar[str] = "queens"
    summary: ClassVar[str] = "queens by row, column and region, at the distance asked for"
    example: ClassVar[str] = "BAAA\nBBBC\nDDCC\nDDDD\n"
    headers: ClassVar[tuple[str, ...]] = ("queens", "slopes", "reach")
    # Names by which the same boards are known elsewhere; the text never tells them apart.
    aliases: ClassVar[tuple[str, ...]] = ("queens_linkedin", "nqueens")

    recognises = staticmethod(recognises)
    recognises_json = staticmethod(recognises_json)
    read = staticmethod(read)
    read_json = staticmethod(draft_of_json)

    @property
    def expects_one_solution(self) -> bool:
        """Whether a published puzzle of this kind has exactly one solution: those with regions have."""
        return bool(self.colours)

    @property
    def title(self) -> str:
        height, width = self.size
        touching = (self.slopes, self.reach, self.attacks, self.wrap) == (DIAGONALS, ((1,),), (), "none")
        linkedin = self.colours and touching
        words = [f"{'LinkedIn Queens' if linkedin else 'Queens'} {height}x{width}"]
        counts = {*self.rows, *self.columns, *self.counts}
        words.append("one a row" if counts == {ONE} else "counts by line")
        words += [count(len(self.counts), "region")] * bool(self.counts)
        words += [count(len(self.extra), "further region")] * bool(self.extra)
        words += [f"{len(self.placed())} given"] * bool(self.placed())
        words += [self.wrap] * (self.wrap != "none")
        return f"{words[0]}: {', '.join(words[1:])}"

    def to_cpmpy(self) -> cpmpy.Model:
        """The board as a CPMpy model: sums over rows, columns and regions, and over cells that see each other."""
        import cpmpy

        given = set(self.placed())
        queens: dict[Cell, Any] = {}
        for cell in self.usable():
            name = cell_name(cell)
            queens[cell] = cpmpy.intvar(1, 1, name=name) if cell in given else cpmpy.boolvar(name=name)
        # Named even where no rule reads it, so that every cell is a variable of the model.
        model = cpmpy.Model([queen >= 0 for queen in queens.values()])
        for region in self.counted():
            cells = [queens[cell] for cell in region.cells if cell in queens]
            low, high = region.queens
            if not cells:
                model += [cpmpy.BoolVal(False)] * (low > 0)
                continue
            if low == high:
                model += cpmpy.sum(cells) == low
                continue
            if low > 0:
                model += cpmpy.sum(cells) >= low
            if high < len(cells):
                model += cpmpy.sum(cells) <= high
        for clique in conflicts(self):
            model += cpmpy.sum([queens[cell] for cell in clique]) <= 1
        return model

    def board(self, solution: Mapping[str, int]) -> list[list[str]]:
        """The finished board: ``Q`` for a queen, ``.`` for none, ``#`` and ``@`` as in the text."""
        return [
            [QUEEN if m == FREE and solution.get(cell_name((r, c))) == 1 else m for c, m in enumerate(row)]
            for r, row in enumerate(self.marks)
        ]

    def text(self, solution: Mapping[str, int] | None = None) -> str:
        """The board in its file format; with a solution its queens stand in the grid ``board``."""
        marks = tuple("".join(row) for row in self.board(solution or {}))
        return format_text(replace(self, marks=marks))

    def picture(self, solution: Mapping[str, int], drawing: bool) -> Picture:
        """Heavy walls between regions, answers bold or blue, other rules in words below."""
        return queens_picture(self, self.board(solution), drawing)
