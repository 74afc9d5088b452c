"""Star Battle (Two Not Touch): stars in every row, column and region, none touching another."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from gatesolve.puzzles.base import Puzzle, piece_variable
from gatesolve.puzzles.grid import FREE, Cell, cell_name, cells_by_name, list_squares
from gatesolve.puzzles.picture import Look, Picture, pieces_picture
from gatesolve.puzzles.reading import count
from gatesolve.puzzles.starbattle import text
from gatesolve.puzzles.starbattle.board import StarBattleBoard

if TYPE_CHECKING:
    import cpmpy


@dataclass(frozen=True)
class StarBattle(StarBattleBoard, Puzzle):
    """One Star Battle board; docs/formats.md says how it is written.

    The variable of the cell in row i and column j (both from 1), named ``r{i}c{j}``, is 1 for a star.
    """

    family: ClassVar[str] = "starbattle"
    summary: ClassVar[str] = "stars by row, column and region, none touching"
    example: ClassVar[str] = "stars 1\nABDD\nABDD\nABCD\nACCD\n"
    headers: ClassVar[tuple[str, ...]] = ("stars",)

    recognises = staticmethod(text.recognises)
    read = staticmethod(text.read)
    recognises_json = staticmethod(text.recognises_json)
    read_json = staticmethod(text.draft_of_json)
    json_fields: ClassVar[tuple[str, ...]] = ("regions", "stars", "size", "fixed")

    @property
    def title(self) -> str:
        regions = count(len(cells_by_name(self.regions)), "region")
        size = f"{len(self.regions)}x{len(self.regions[0])}"
        return f"Star Battle {size}: {count(self.stars, 'star')} a row, {regions}"

    def to_cpmpy(self) -> cpmpy.Model:
        """The board as a CPMpy model: sums over rows, columns and regions, and squares of touching cells."""
        import cpmpy

        stars = {cell: piece_variable(cell_name(cell), cell in self.placed) for cell in self.usable}
        model = cpmpy.Model()
        for cells in self._list_groups():
            model += cpmpy.sum([stars[cell] for cell in cells if cell in stars]) == self.stars
        for near in self._apart():
            together = [stars[cell] for cell in near if cell in stars]
            if len(together) > 1:
                model += cpmpy.sum(together) <= 1
        return model

    def _list_groups(self) -> Iterator[list[Cell]]:
        """The cells of every row, column and region."""
        height, width = len(self.regions), len(self.regions[0])
        yield from ([(r, c) for c in range(width)] for r in range(height))
        yield from ([(r, c) for r in range(height)] for c in range(width))
        yield from cells_by_name(self.regions).values()

    def _apart(self) -> list[Collection[Cell]]:
        """Sets of cells of which at most one holds a star.

        Any two cells of a 2x2 square touch, so one sum a square says it all. With several stars a
        row, the parts of a square in one row, column or region are said again: inside the scope of
        that line's own sum they make it stronger (boards of the collections shrink by up to 2^16
        states), and a row laid out as one block then has no pattern that touches.
        """
        apart: dict[Collection[Cell], None] = {}
        for square in list_squares((len(self.regions), len(self.regions[0]))):
            apart[square] = None
            if self.stars > 1:
                halves = (square[:2], square[2:], square[::2], square[1::2])
                regions = {self.regions[i][j] for i, j in square} - {FREE}
                parts = (tuple(cell for cell in square if self.regions[cell[0]][cell[1]] == n) for n in sorted(regions))
                apart.update(dict.fromkeys((*halves, *parts)))
        return list(apart)

    def board(self, solution: Mapping[str, int]) -> list[list[str]]:
        """The finished board: ``*`` for a star, ``.`` for none, ``#`` and ``@`` as in the text."""
        stars = {cell for cell in self.usable if cell in self.placed or solution.get(cell_name(cell)) == 1}
        shown = {cell: text.STAR if cell in stars else FREE for cell in self.usable}
        return [[shown.get((r, c), name) for c, name in enumerate(row)] for r, row in enumerate(self.regions)]

    def text(self, solution: Mapping[str, int] | None = None) -> str:
        """The board in its file format; with a solution its stars stand in a second grid."""
        stars = cells_by_name(self.board(solution or {})).get(text.STAR, [])
        return text.format_text(self.regions, self.stars, stars)

    def picture(self, solution: Mapping[str, int], drawing: bool) -> Picture:
        """Heavy walls between regions, answers bold or blue."""
        shown = self.board(solution)

        def show_cell(cell: Cell) -> Look:
            starred = shown[cell[0]][cell[1]] == text.STAR
            return Look("★" if starred else "", answer=cell not in self.placed)

        return pieces_picture(shown, self.regions, show_cell, drawing)
