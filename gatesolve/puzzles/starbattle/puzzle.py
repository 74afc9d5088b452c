"""Star Battle (Two Not Touch): stars in every row, column and region, none touching another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from gatesolve.puzzles.base import Fault, Puzzle, misread, piece_variable
from gatesolve.puzzles.grid import (
    CLOSED,
    FREE,
    Cell,
    Grid,
    by_cell,
    cell_name,
    cells_by_name,
    list_squares,
    list_touching,
    name_regions,
    piece_fault,
)
from gatesolve.puzzles.picture import Look, Picture, pieces_picture
from gatesolve.puzzles.reading import count
from gatesolve.puzzles.starbattle import text

if TYPE_CHECKING:
    import cpmpy


@dataclass(frozen=True)
class StarBattleBoard:
    """The name of each cell's region, the stars in every row, column and region, and the cells of given stars.

    A region's name is ``@`` outside the board, ``#`` for a cell that holds no star, ``.`` for one in no region.
    """

    regions: Grid
    stars: int
    placed: tuple[Cell, ...] = ()

    @property
    def usable(self) -> dict[Cell, str]:
        """The cells that can hold a star, each with the name of its region."""
        return {cell: name for cell, name in by_cell(self.regions).items() if name not in CLOSED}

    def first_fault(self) -> Fault | None:
        """Return the first fault of the board, or None; that of a given star is in the grid ``board``."""
        height, width = len(self.regions), len(self.regions[0])
        if self.stars < 1:
            return Fault("a board with no stars: write 'stars 1' or more")
        if height != width:
            fault = f"{height} rows but {width} columns: with {self.stars} in each, both must hold as many stars"
            return Fault(f"{fault}; make it square", (height - 1, width - 1))
        if not self.usable:
            return Fault("no cell of the board can hold a star: write . or a region's letter for a free cell", (0, 0))
        for cell in self.placed:
            if cell not in self.usable:
                return Fault("a star on a cell that holds none: remove it", ("board", cell))
        for name, cells in cells_by_name(self.regions).items():
            if (apart := piece_fault(cells, f"region {name}")) is not None:
                return Fault(apart[1], apart[0])
        return None

    @property
    def contradiction(self) -> str | None:
        """Why the board has no solution, where a row, column or region, their number, or the given stars show it."""
        found = _room_fault(self) or _placed_fault(self)
        names = {name for row in self.regions for name in row}
        number, side, stars = len(names - {*CLOSED, FREE}), len(self.regions), self.stars
        if found or not number or number == side or (FREE in names and number < side):
            return found
        fault = f"{number} regions of {stars} on {side} rows of {stars}: both must hold as many stars"
        return fault + name_regions(self.regions)

    def check(self, solution: Mapping[str, int]) -> list[str]:
        usable = {cell_name(cell): cell for cell in self.usable}
        broken = misread(solution, dict.fromkeys(usable, (0, 1)), "holds no star: it is no cell for one", "not 0 or 1")
        standing = [cell for name, cell in usable.items() if solution.get(name) == 1]
        broken += [f"{cell_name(cell)} has no star where one is given" for cell in self.placed if cell not in standing]
        broken += [f"stars at {cell_name(a)} and {cell_name(b)} touch" for a, b in list_touching(standing)]
        places = {f"row {k + 1}": sum(r == k for r, _ in standing) for k in range(len(self.regions))}
        places |= {f"column {k + 1}": sum(c == k for _, c in standing) for k in range(len(self.regions[0]))}
        for name, cells in sorted(cells_by_name(self.regions).items()):
            places[f"region {name}"] = len(set(cells) & set(standing))
        wrong = ((place, number) for place, number in places.items() if number != self.stars)
        return broken + [f"{place} has {count(number, 'star')}, not {self.stars}" for place, number in wrong]


def _room_fault(board: StarBattleBoard) -> str | None:
    """Every row, column and region must have the cells for its stars."""
    cells, stars = board.usable, board.stars
    rows, columns, names = Counter(r for r, _ in cells), Counter(c for _, c in cells), Counter(cells.values())
    for k in range(len(board.regions)):
        for place, room in (("row", rows[k]), ("column", columns[k])):
            if room < stars:
                return f"{place} {k + 1} has {count(room, 'cell')} for its {count(stars, 'star')}"
    if len(board.regions) < 2 * stars - 1:
        return f"{stars} stars that do not touch need {2 * stars - 1} cells in a row"
    for name, room in names.items():
        if name != FREE and room < stars:
            return f"region {name} has {count(room, 'cell')} for its {stars} stars"
    return None


def _placed_fault(board: StarBattleBoard) -> str | None:
    """Given stars must stand apart, and not too many together."""
    counts: Counter[str] = Counter()
    for r, c in board.placed:
        region = board.regions[r][c]
        places = [f"row {r + 1}", f"column {c + 1}"] + [f"region {region}"] * (region != FREE)
        counts.update(places)
        for place in places:
            if counts[place] > board.stars:
                return f"{counts[place]} stars are given in {place}, which holds {board.stars}"
    for a, b in list_touching(board.placed):
        return f"the given stars at {cell_name(a)} and {cell_name(b)} touch"
    return None


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
