"""Queens: N-queens, LinkedIn Queens, and the general form with counts, regions, reaches and wrapped boards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from gatesolve.errors import InputError
from gatesolve.puzzles import picture
from gatesolve.puzzles.base import Family
from gatesolve.puzzles.lettergrid import FREE, Cell, cell_name
from gatesolve.puzzles.queens.board import DIAGONALS, ONE, QUEEN, Board
from gatesolve.puzzles.queens.format import format_text, parse_text, recognises
from gatesolve.puzzles.queens.model import conflicts
from gatesolve.puzzles.queens.picture import draw_attacks, queens_picture
from gatesolve.puzzles.queens.rules import broken_rules, contradiction, first_fault

if TYPE_CHECKING:
    import cpmpy
    from rich.console import RenderableType


@dataclass(frozen=True)
class Queens:
    """One Queens board; see `gatesolve.puzzles.queens.text` for how it is written.

    The variable of the cell in row i and column j (both from 1), named ``r{i}c{j}``, is 1 for a
    queen; cells that hold none have no variable.

    Args:
        problem: the board, its counts, its regions and how queens attack.

    Raises:
        InputError: the board is faulty in a way that can be told without solving it.
    """

    problem: Board

    family: ClassVar[str] = "queens"

    def __post_init__(self) -> None:
        fault = first_fault(self.problem)
        if fault:
            row, column = (None, None) if fault.position is None else (fault.position[0] + 1, fault.position[1] + 1)
            raise InputError(fault.message, row=row, column=column)

    @classmethod
    def parse(cls, text: str, source: str = "<text>") -> Queens:
        """Read a board from its text.

        Raises:
            InputError: with the line and the column where the fault is.
        """
        return cls(parse_text(text, source))

    @property
    def title(self) -> str:
        """One line: the size of the board, its regions, what is given, and what sets it apart."""
        board = self.problem
        height, width = board.size
        touching = (board.slopes, board.reach, board.attacks, board.wrap) == (DIAGONALS, ((1,),), (), "none")
        linkedin = board.colours and touching
        words = [f"{'LinkedIn Queens' if linkedin else 'Queens'} {height}x{width}"]
        counts = {*board.rows, *board.columns, *board.counts}
        words.append("one a row" if counts == {ONE} else "counts by line")
        words += [f"{len(board.counts)} regions"] * bool(board.counts)
        words += [f"{len(board.extra)} further regions"] * bool(board.extra)
        words += [f"{len(board.placed())} given"] * bool(board.placed())
        words += [board.wrap] * (board.wrap != "none")
        return f"{words[0]}: {', '.join(words[1:])}"

    @property
    def contradiction(self) -> str | None:
        """Why the board has no solution, where that can be told without solving."""
        return contradiction(self.problem)

    def to_cpmpy(self) -> cpmpy.Model:
        """The board as a CPMpy model: sums over rows, columns and regions, and over cells that see each other."""
        import cpmpy

        given = set(self.problem.placed())
        queens: dict[Cell, Any] = {}
        for cell in self.problem.usable():
            name = cell_name(cell)
            queens[cell] = cpmpy.intvar(1, 1, name=name) if cell in given else cpmpy.boolvar(name=name)
        # Named even where no rule reads it, so that every cell is a variable of the model.
        model = cpmpy.Model([queen >= 0 for queen in queens.values()])
        for region in self.problem.counted():
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
        for clique in conflicts(self.problem):
            model += cpmpy.sum([queens[cell] for cell in clique]) <= 1
        return model

    def board(self, solution: Mapping[str, int]) -> list[list[str]]:
        """The finished board: ``Q`` for a queen, ``.`` for none, ``#`` and ``@`` as in the text."""
        return [
            [QUEEN if m == FREE and solution.get(cell_name((r, c))) == 1 else m for c, m in enumerate(row)]
            for r, row in enumerate(self.problem.marks)
        ]

    def check(self, solution: Mapping[str, int]) -> list[str]:
        """The rules that the finished board breaks, in words; empty when it is right."""
        return broken_rules(self.problem, solution)

    def text(self, solution: Mapping[str, int] | None = None) -> str:
        """The board in its file format; with a solution its queens stand in the grid ``board``."""
        marks = tuple("".join(row) for row in self.board(solution or {}))
        return format_text(replace(self.problem, marks=marks))

    def render(self, solution: Mapping[str, int] | None = None) -> RenderableType:
        """The picture for a terminal: heavy walls between regions, answers bold, other rules in words below."""
        return picture.terminal(queens_picture(self.problem, self.board(solution or {}), drawing=False))

    def draw(self, path: Path | str, solution: Mapping[str, int] | None = None) -> None:
        """Write the picture as PNG or SVG, by the suffix of ``path``.

        Raises:
            InputError: another suffix, or a place that cannot be written to.
        """
        drawn = queens_picture(self.problem, self.board(solution or {}), drawing=True)
        picture.draw(drawn, path, lambda axes, points: draw_attacks(self.problem, axes))


_EXAMPLE = """\
BAAA
BBBC
DDCC
DDDD
"""
FAMILY = Family(
    Queens.family,
    recognises,
    Queens.parse,
    "queens by row, column and region, at the distance asked for",
    _EXAMPLE,
    ("queens", "slopes", "reach"),
    alone=lambda puzzle: bool(puzzle.problem.colours),
)
ALIASES = tuple(Family(name, lambda text: False, Queens.parse) for name in ("queens_linkedin", "nqueens"))
"""Names by which the same boards are known elsewhere; the text never tells them apart from ``queens``."""
