"""Star Battle (Two Not Touch): stars in every row, column and region, none touching another."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from gatesolve.extensions import cpmpy
from gatesolve.puzzles.base import Draft, Fault, Forms, Puzzle, piece_variable
from gatesolve.puzzles.grid import (
    CLOSED,
    FREE,
    NO_REGION,
    Cell,
    Grid,
    by_cell,
    cell_name,
    cells_by_name,
    draw_rooms,
    grid_text,
    list_squares,
    list_touching,
    name_by_letters,
    named_lines,
    piece_fault,
    rows_and_columns,
)
from gatesolve.puzzles.picture import Look, Picture, pieces_picture
from gatesolve.puzzles.pieces import PieceBoard, PieceGroup, PieceRange, name_regions
from gatesolve.puzzles.reading import Code, JsonBoard, Line, Sections, check_equal, count, grid_of, lines_of, link

STAR = "*"
_KEYWORDS = ("stars", "unsolvable", "regions", "board")
_SBN = r"(?P<flags>([4-9A-P])\2\s*[1-9])\s*[A-Za-z]\s*(?P<body>[0-9A-Za-z_-]+)(?:~[^\n]*)?"
"""Star Battle Notation: the side twice in base 36, the stars, and the walls."""
_BASE_64 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_"


@dataclass(frozen=True)
class StarBattle(PieceBoard, Puzzle):
    """One Star Battle board; docs/families.md describes its format.

    The variable of the cell in row i and column j (both from 1), named ``r{i}c{j}``, is 1 for a star.

    Attributes:
        regions: the name of each cell's region: ``@`` outside the board, ``#`` for a cell without a star, ``.`` for one
            in no region.
        stars: number of stars in each row, column and region.
        placed: the cells of given stars.
    """

    regions: Grid
    stars: int
    placed: tuple[Cell, ...] = ()

    family: ClassVar[str] = "starbattle"
    summary: ClassVar[str] = "Place the same number of stars in each row, column and region; no two may touch."
    example: ClassVar[str] = "stars 1\nABDD\nABDD\nABCD\nACCD\n"
    headers: ClassVar[tuple[str, ...]] = ("stars",)
    json_fields: ClassVar[tuple[str, ...]] = ("regions", "stars", "size", "fixed")
    piece: ClassVar[str] = "star"
    clash: ClassVar[str] = "touch"

    @property
    def size(self) -> tuple[int, int]:
        return len(self.regions), len(self.regions[0])

    def usable(self) -> list[Cell]:
        return [cell for cell, name in by_cell(self.regions).items() if name not in CLOSED]

    def list_given(self) -> tuple[Cell, ...]:
        return self.placed

    def list_groups(self) -> Iterator[PieceGroup]:
        regions = {f"region {name}": cells for name, cells in sorted(cells_by_name(self.regions).items())}
        for name, cells in {**named_lines(self.size), **regions}.items():
            yield PieceGroup(name, PieceRange(self.stars, self.stars), tuple(cells))

    def list_clashes(self, cells: Collection[Cell]) -> Iterator[tuple[Cell, Cell]]:
        return list_touching(cells)

    def first_fault(self) -> Fault | None:
        """Return the first fault of the board, or None; for a given star it refers to the grid ``board``."""
        height, width = self.size
        if self.stars < 1:
            return Fault("a board with no stars: write 'stars 1' or more")
        if height != width:
            fault = f"{height} rows but {width} columns: with {self.stars} in each, both must hold as many stars"
            return Fault(f"{fault}; make it square", (height - 1, width - 1))
        usable = set(self.usable())
        if not usable:
            return Fault("no cell of the board can hold a star: write . or a region's letter for a free cell", (0, 0))
        for cell in self.placed:
            if cell not in usable:
                return Fault("a star on a cell that holds none: remove it", ("board", cell))
        for name, cells in cells_by_name(self.regions).items():
            if (apart := piece_fault(cells, f"region {name}")) is not None:
                return Fault(apart[1], apart[0])
        return None

    @property
    def contradiction(self) -> str | None:
        names = {name for row in self.regions for name in row}
        number, side, stars = len(names - {*CLOSED, FREE}), len(self.regions), self.stars
        if side < 2 * stars - 1:
            return f"{stars} stars that do not touch need {2 * stars - 1} cells in a row"
        found = super().contradiction
        if found or not number or number == side or (FREE in names and number < side):
            return found
        fault = f"{number} regions of {stars} on {side} rows of {stars}: both must hold as many stars"
        return fault + name_regions(self.regions)

    @staticmethod
    def foreign() -> Forms:
        return {
            link("starbattle", r"(?P<flags>\d{1,4})/"): lambda code: Draft((_parse_link(code), int(code.flags))),
            _SBN: lambda code: Draft((_parse_sbn(code), int(code.flags[-1]))),
        }

    @classmethod
    def recognises(cls, text: str) -> bool:
        lines = lines_of(text)
        if any(line.keyword == "stars" for line in lines) or super().recognises(text):
            return True
        triple = _triple(lines)
        # three numbers above as many rows as the first says, each of as many tokens as the second
        return triple is not None and [len(line.words) for line in lines[1:]] == [triple[1]] * triple[0]

    @staticmethod
    def read(text: str) -> Draft:
        lines = lines_of(text)
        if triple := _triple(lines):
            height, width, stars = triple
            wrong = [line for line in lines[1:] if len(line.cells()) != width]
            if wrong or len(lines) - 1 != height:
                fault = f"the first line says {height} rows of {width} cells but the board has others: make them agree"
                raise [*wrong, lines[-1]][0].fault(fault, 1)
            return _draft(lines[1:], stars)
        parts = Sections.of(lines, _KEYWORDS, ("regions", "board"))
        if "" in parts.blocks and "regions" in parts.blocks:
            raise parts.blocks[""][0].fault("two grids of regions: keep one of them", 1)
        rows = _cut_rows(parts.blocks.get("regions") or parts.blocks.get("", ()))
        header = parts.single("stars")
        match = re.fullmatch(r"\s*stars\s*[:=]?\s*(\d{1,2})\s*", header.text) if header else None
        if header and match is None:
            raise header.fault("write the number of stars as 'stars 2'", 1)
        return _draft(rows, int(match[1]) if match else 1, parts.blocks.get("board", ()))

    @staticmethod
    def recognises_json(data: JsonBoard) -> bool:
        return bool(data.tokens("regions"))

    @classmethod
    def read_json(cls, data: JsonBoard) -> Draft:
        rows = data.rows("regions")
        is_number = "number: write how many stars a row holds"
        stars = data.get_valid("stars", lambda stars: type(stars) is int, is_number, 1)
        size = len(rows), len(rows[0].cells())
        data.check_sides(size)
        return _draft(rows, stars, placed=sorted(set(data.cells("fixed", size))))

    @property
    def title(self) -> str:
        regions = count(len(cells_by_name(self.regions)), "region")
        return f"Star Battle {self.size[0]}x{self.size[1]}: {count(self.stars, 'star')} a row, {regions}"

    def to_cpmpy(self) -> cpmpy.Model:
        stars = {cell: piece_variable(cell_name(cell), cell in self.placed) for cell in self.usable()}
        model = cpmpy.Model()
        for cells in (*rows_and_columns(self.size), *cells_by_name(self.regions).values()):
            model += cpmpy.sum([stars[cell] for cell in cells if cell in stars]) == self.stars
        # Any two cells of a 2x2 square touch, so one sum a square is complete.
        apart: dict[Collection[Cell], None] = {}
        for square in list_squares(self.size):
            apart[square] = None
            # Redundant sums: a part of a square inside a line or region strengthens that line's own sum. Boards of the
            # collections shrink by up to 2^16 states, and the patterns of a row then contain no neighbours.
            if self.stars > 1:
                halves = (square[:2], square[2:], square[::2], square[1::2])
                regions = {self.regions[i][j] for i, j in square} - {FREE}
                parts = (tuple(cell for cell in square if self.regions[cell[0]][cell[1]] == n) for n in sorted(regions))
                apart.update(dict.fromkeys((*halves, *parts)))
        for near in apart:
            together = [stars[cell] for cell in near if cell in stars]
            if len(together) > 1:
                model += cpmpy.sum(together) <= 1
        return model

    def board(self, solution: Mapping[str, int]) -> list[list[str]]:
        stars = {cell for cell in self.usable() if cell in self.placed or solution.get(cell_name(cell)) == 1}
        shown = {cell: STAR if cell in stars else FREE for cell in self.usable()}
        return [[shown.get((r, c), name) for c, name in enumerate(row)] for r, row in enumerate(self.regions)]

    def text(self, solution: Mapping[str, int] | None = None) -> str:
        shown = self.board(solution or {})
        lines = [f"stars {self.stars}", *grid_text(self.regions)]
        if any(STAR in row for row in shown):
            marks = ([STAR if mark == STAR else FREE for mark in row] for row in shown)
            lines += ["board", *grid_text(marks)]
        return "\n".join(lines) + "\n"

    def picture(self, solution: Mapping[str, int], drawing: bool) -> Picture:
        shown = self.board(solution)

        def show_cell(cell: Cell) -> Look:
            starred = shown[cell[0]][cell[1]] == STAR
            return Look("★" if starred else "", answer=cell not in self.placed)

        return pieces_picture(shown, self.regions, show_cell, drawing)


def _draft(rows: Sequence[Line], stars: int, marks: Sequence[Line] = (), placed: Sequence[Cell] = ()) -> Draft:
    """Return the board of its grid of regions and its given stars, which a second grid may mark."""
    meant = "a letter for a region, # for a cell without a star, @ for one outside the board"
    regions = grid_of(rows, NO_REGION, meant, letters=True)
    if marks:
        grid = grid_of(marks, (STAR, *NO_REGION), "* for a given star, . for none")
        check_equal(marks, grid, regions)
        placed = cells_by_name(grid).get(STAR, [])
    on_marks = {("board", cell): token for cell, token in by_cell(row.cells() for row in marks or rows).items()}
    places = by_cell(line.cells() for line in rows) | on_marks
    return Draft((name_by_letters(regions), stars, tuple(placed)), places)


def _triple(lines: Sequence[Line]) -> list[int] | None:
    words = lines[0].words if len(lines) > 1 else []
    return list(map(int, words)) if len(words) == 3 and all(w.isdecimal() and len(w) < 5 for w in words) else None


def _cut_rows(rows: Sequence[Line]) -> Sequence[Line]:
    """Return the rows; one list of n*n numbers is cut into n of them."""
    if len(rows) != 1 or "," not in rows[0].text:
        return rows
    words = [token.text for token in rows[0].cells()]
    side = math.isqrt(len(words))
    if side * side != len(words):
        fault = f"a list of {len(words)} cells is not the n*n cells of a board: copy it again in full"
        raise rows[0].fault(fault, len(words))
    return [Line(rows[0].number, ",".join(words[k * side : (k + 1) * side]) + ",") for k in range(side)]


def _parse_sbn(code: Code) -> Grid:
    side = int(code.flags[0], 36)
    each = side * (side - 1)
    _check_length(code, letters := code.body[: -(-2 * each // 6)], -(-2 * each // 6))
    bits = code.bits(letters, _BASE_64)[-2 * each :]
    floors = bits[each:]
    return draw_rooms((side, side), lambda r, c: bits[r * (side - 1) + c], lambda r, c: floors[c * (side - 1) + r])


def _parse_link(code: Code) -> Grid:
    """Side walls row by row, then floors row by row, each part padded with zero bits behind."""
    rows, columns = code.check_size()
    first, second = -(-(columns - 1) * rows // 5), -(-columns * (rows - 1) // 5)
    _check_length(code, code.body, first + second)
    bits = code.bits(code.body)
    floors = bits[5 * first :]
    return draw_rooms((rows, columns), lambda r, c: bits[r * (columns - 1) + c], lambda r, c: floors[r * columns + c])


def _check_length(code: Code, letters: str, length: int) -> None:
    if len(letters) != length:
        fault = f"code of {len(letters)} characters for the walls where the board has {length}: copy it again in full"
        raise code.fault(fault)
