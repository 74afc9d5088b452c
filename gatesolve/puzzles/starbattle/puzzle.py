"""Star Battle (Two Not Touch): stars in every row, column and region, none touching another."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from gatesolve.errors import InputError
from gatesolve.puzzles import picture
from gatesolve.puzzles.base import Family
from gatesolve.puzzles.lettergrid import BLOCKED, FREE, OUTSIDE, Cell, Grid, cell_name, region_names
from gatesolve.puzzles.region_looks import region_fills
from gatesolve.puzzles.starbattle.rules import broken_rules, contradiction, first_fault
from gatesolve.puzzles.starbattle.text import STAR, format_text, parse_text, recognises

if TYPE_CHECKING:
    import cpmpy
    from rich.console import RenderableType


@dataclass(frozen=True)
class StarBattle:
    """One Star Battle board; see `gatesolve.puzzles.starbattle.text` for how it is written.

    The variable of the cell in row i and column j (both from 1), named ``r{i}c{j}``, is 1 for a star.

    Args:
        regions: the name of each cell's region; ``@`` outside the board, ``#`` for a cell that
            holds no star, ``.`` for one in no region.
        stars: stars in every row, column and region.
        placed: cells of the stars that are given.

    Raises:
        InputError: the board is faulty in a way that can be told without solving it.
    """

    regions: Grid
    stars: int
    placed: tuple[Cell, ...] = ()

    family: ClassVar[str] = "starbattle"

    def __post_init__(self) -> None:
        fault = first_fault(self.regions, self.stars, self.placed)
        if fault:
            row, column = (None, None) if fault.position is None else (fault.position[0] + 1, fault.position[1] + 1)
            raise InputError(fault.message, row=row, column=column)

    @classmethod
    def parse(cls, text: str, source: str = "<text>") -> StarBattle:
        """Read a board from its text.

        Raises:
            InputError: with the line and the column where the fault is.
        """
        return cls(*parse_text(text, source))

    @property
    def title(self) -> str:
        """One line: the size of the board, its stars and regions."""
        count = len(region_names(self.regions))
        size = f"{len(self.regions)}x{len(self.regions[0])}"
        return f"Star Battle {size}: {self.stars} star{'' if self.stars == 1 else 's'} a row, {count} regions"

    @property
    def contradiction(self) -> str | None:
        """Why the board has no solution, where that can be told without solving."""
        return contradiction(self.regions, self.stars, self.placed)

    def to_cpmpy(self) -> cpmpy.Model:
        """The board as a CPMpy model: sums over rows, columns and regions, and squares of touching cells."""
        import cpmpy

        at = set(self.placed)
        stars: dict[Cell, Any] = {}
        for r, row in enumerate(self.regions):
            for c, region in enumerate(row):
                if region in (BLOCKED, OUTSIDE):
                    continue
                name = cell_name((r, c))
                stars[r, c] = cpmpy.intvar(1, 1, name=name) if (r, c) in at else cpmpy.boolvar(name=name)
        model = cpmpy.Model()
        for cells in self._counted():
            model += cpmpy.sum([stars[cell] for cell in cells if cell in stars]) == self.stars
        for near in self._apart():
            together = [stars[cell] for cell in near if cell in stars]
            if len(together) > 1:
                model += cpmpy.sum(together) <= 1
        return model

    def _counted(self) -> Iterator[list[Cell]]:
        """The cells of every row, column and region."""
        height, width = len(self.regions), len(self.regions[0])
        yield from ([(r, c) for c in range(width)] for r in range(height))
        yield from ([(r, c) for r in range(height)] for c in range(width))
        by_name: dict[str, list[Cell]] = {name: [] for name in region_names(self.regions)}
        for r, row in enumerate(self.regions):
            for c, name in enumerate(row):
                if name != FREE and name in by_name:
                    by_name[name].append((r, c))
        yield from by_name.values()

    def _apart(self) -> Iterator[Collection[Cell]]:
        """Sets of cells of which at most one holds a star.

        Any two cells of a 2x2 square touch, so one sum a square says it all. With several stars a
        row, the parts of a square in one row, column or region are said again: inside the scope of
        that line's own sum they make it stronger (boards of the collections shrink by up to 2^16
        states), and a row laid out as one block then has no pattern that touches.
        """
        height, width = len(self.regions), len(self.regions[0])
        apart: dict[Collection[Cell], None] = {}
        for r, c in ((r, c) for r in range(height - 1) for c in range(width - 1)):
            square = ((r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1))
            apart[square] = None
            if self.stars > 1:
                halves = (square[:2], square[2:], square[::2], square[1::2])
                regions = {self.regions[i][j] for i, j in square} - {FREE}
                parts = (tuple(cell for cell in square if self.regions[cell[0]][cell[1]] == n) for n in sorted(regions))
                apart.update(dict.fromkeys((*halves, *parts)))
        yield from apart

    def board(self, solution: Mapping[str, int]) -> list[list[str]]:
        """The finished board: ``*`` for a star, ``.`` for none, ``#`` and ``@`` as in the text."""
        return [[self._symbol((r, c), solution) for c in range(len(row))] for r, row in enumerate(self.regions)]

    def _symbol(self, cell: Cell, solution: Mapping[str, int]) -> str:
        region = self.regions[cell[0]][cell[1]]
        if region in (BLOCKED, OUTSIDE):
            return region
        return STAR if cell in self.placed or solution.get(cell_name(cell)) == 1 else FREE

    def check(self, solution: Mapping[str, int]) -> list[str]:
        """The rules that the finished board breaks, in words; empty when it is right."""
        return broken_rules(self.regions, self.stars, self.placed, solution)

    def text(self, solution: Mapping[str, int] | None = None) -> str:
        """The board in its file format; with a solution its stars stand in a second grid."""
        shown = self.board(solution or {})
        stars = [(r, c) for r, row in enumerate(shown) for c, token in enumerate(row) if token == STAR]
        return format_text(self.regions, self.stars, stars)

    def render(self, solution: Mapping[str, int] | None = None) -> RenderableType:
        """The picture for a terminal: heavy walls between regions, answers bold."""
        return picture.terminal(self._picture(solution or {}, drawing=False))

    def draw(self, path: Path | str, solution: Mapping[str, int] | None = None) -> None:
        """Write the picture as PNG or SVG, by the suffix of ``path``.

        Raises:
            InputError: another suffix, or a place that cannot be written to.
        """
        picture.draw(self._picture(solution or {}, drawing=True), path)

    def _picture(self, solution: Mapping[str, int], drawing: bool) -> picture.Picture:
        fills = region_fills(self.regions)
        at = set(self.placed)

        def look(cell: Cell, token: str) -> picture.Look:
            symbol = {STAR: "★", FREE: ""}.get(token, "" if drawing else token * 3)
            return picture.Look(symbol, answer=cell not in at, fill=fills[self.regions[cell[0]][cell[1]]])

        cells = tuple(
            tuple(look((r, c), token) for c, token in enumerate(row)) for r, row in enumerate(self.board(solution))
        )
        return picture.Picture(cells, *picture.walls_between(self.regions))


_EXAMPLE = """\
stars 1
ABDD
ABDD
ABCD
ACCD
"""
FAMILY = Family(
    StarBattle.family,
    recognises,
    StarBattle.parse,
    "stars by row, column and region, none touching",
    _EXAMPLE,
    ("stars",),
)
