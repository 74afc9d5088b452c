"""Star Battle (Two Not Touch): stars in every row, column and region, none touching another."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from gatesolve.errors import InputError
from gatesolve.puzzles.base import Draft, Fault, Puzzle, misread, piece_variable
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
    name_regions,
    piece_fault,
)
from gatesolve.puzzles.picture import Look, Picture, pieces_picture
from gatesolve.puzzles.reading import (
    MAX_SIDE,
    Line,
    Link,
    Token,
    check_sides,
    check_size,
    count,
    grid_of,
    json_cells,
    json_cells_of,
    lines_of,
    link_of,
    places_in,
    rows_of_list,
    sections,
)

if TYPE_CHECKING:
    import cpmpy


STAR = "*"
_KEYWORDS = ("stars", "unsolvable", "regions", "board")
_SBN = re.compile(r"([4-9A-P])\1\s*([1-9])\s*[A-Za-z]\s*([0-9A-Za-z_-]+)(?:~.*)?")
_BODY = re.compile(r"(\d{1,4})/(\S*)")
_BASE_64 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_"
_BASE_32 = "0123456789abcdefghijklmnopqrstuv"


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

    @staticmethod
    def recognises(text: str) -> bool:
        """Whether the text looks like a Star Battle: a code, a line ``stars``, or a puzzlekit header."""
        lines = lines_of(text, "")
        if any(line.keyword == "stars" for line in lines) or (len(lines) == 1 and _code_reader(lines[0].text)):
            return True
        triple = _triple(lines)
        # three numbers above as many rows as the first says, each of as many tokens as the second
        return triple is not None and [len(line.words) for line in lines[1:]] == [triple[1]] * triple[0]

    @staticmethod
    def read(text: str, source: str) -> Draft:
        """The regions, the stars a row, and the cells of the stars that are given."""
        lines = lines_of(text, source)
        if len(lines) == 1 and (reader := _code_reader(lines[0].text)):
            return Draft((*reader(source), ()))
        if triple := _triple(lines):
            height, width, stars = triple
            wrong = [line for line in lines[1:] if len(line.cells()) != width]
            if wrong or len(lines) - 1 != height:
                fault = f"the first line says {height} rows of {width} cells but the board has others: make them agree"
                raise [*wrong, lines[-1]][0].fault(fault, 1)
            return _draft(lines[1:], stars, (), source)
        parts = sections(text, _KEYWORDS, ("regions", "board"), source)
        if "" in parts.blocks and "regions" in parts.blocks:
            raise parts.blocks[""][0].fault("two grids of regions: keep one of them", 1)
        rows = _cut_rows(parts.blocks.get("regions") or parts.blocks.get("", ()))
        header = parts.single("stars")
        match = re.fullmatch(r"\s*stars\s*[:=]?\s*(\d{1,2})\s*", header.text) if header else None
        if header and match is None:
            raise header.fault("write the number of stars as 'stars 2'", 1)
        return _draft(rows, int(match[1]) if match else 1, parts.blocks.get("board", ()), source)

    @staticmethod
    def recognises_json(data: Mapping[str, Any]) -> bool:
        """Whether a JSON object has rows of regions."""
        return bool(json_cells_of(data.get("regions")))

    @staticmethod
    def read_json(data: dict[str, Any], source: str) -> Draft:
        """The board of a JSON object."""
        rows = rows_of_list(data.get("regions"), "regions", source)
        stars = data.get("stars", 1)
        if type(stars) is not int:
            raise InputError("JSON field 'stars' is not a number: write how many stars a row holds", source=source)
        size = (len(rows), len(rows[0].cells()) if rows else 0)
        check_sides(data, size, source)
        draft = _draft(rows, stars, (), source)
        placed = tuple(sorted(set(json_cells(data, "fixed", size, source))))
        return Draft((*draft.clues[:2], placed), {**draft.places, **{("board", c): t for c, t in draft.places.items()}})

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
        shown = {cell: STAR if cell in stars else FREE for cell in self.usable}
        return [[shown.get((r, c), name) for c, name in enumerate(row)] for r, row in enumerate(self.regions)]

    def text(self, solution: Mapping[str, int] | None = None) -> str:
        """The board in its file format; with a solution its stars stand in a second grid."""
        stars = cells_by_name(self.board(solution or {})).get(STAR, [])
        return format_text(self.regions, self.stars, stars)

    def picture(self, solution: Mapping[str, int], drawing: bool) -> Picture:
        """Heavy walls between regions, answers bold or blue."""
        shown = self.board(solution)

        def show_cell(cell: Cell) -> Look:
            starred = shown[cell[0]][cell[1]] == STAR
            return Look("★" if starred else "", answer=cell not in self.placed)

        return pieces_picture(shown, self.regions, show_cell, drawing)


def _draft(rows: Sequence[Line], stars: int, marks: Sequence[Line], source: str) -> Draft:
    """The board of its grid of regions and its grid of given stars."""
    meant = "a letter for a region, # for a cell without a star, @ for one outside the board"
    regions = grid_of(rows, source, NO_REGION, meant, letters=True)
    places: dict[Any, Token] = {**places_in(rows)}
    placed: list[Cell] = []
    if marks:
        grid = grid_of(marks, source, (STAR, *NO_REGION), "* for a given star, . for none")
        if (len(grid), len(grid[0])) != (len(regions), len(regions[0])):
            fault = "the grid below 'board' has another size than the regions: give it a row and a column for each"
            raise marks[0].fault(fault, 1)
        placed = cells_by_name(grid).get(STAR, [])
        places |= {("board", cell): token for cell, token in places_in(marks).items()}
    return Draft((name_by_letters(regions), stars, tuple(placed)), places)


def format_text(regions: Grid, stars: int, placed: Collection[Cell]) -> str:
    """The board as a person would type it."""
    lines = [f"stars {stars}", *grid_text(regions)]
    if placed:
        marks = [[STAR if (r, c) in placed else FREE for c in range(len(row))] for r, row in enumerate(regions)]
        lines += ["board", *grid_text(marks)]
    return "\n".join(lines) + "\n"


def _triple(lines: Sequence[Line]) -> list[int] | None:
    """The rows, columns and stars of a first line of three numbers above a board."""
    words = lines[0].words if len(lines) > 1 else []
    return list(map(int, words)) if len(words) == 3 and all(w.isdecimal() and len(w) < 5 for w in words) else None


def _cut_rows(rows: Sequence[Line]) -> Sequence[Line]:
    """The rows; one list of n*n numbers is cut into n of them."""
    if len(rows) != 1 or "," not in rows[0].text:
        return rows
    words = [token.text for token in rows[0].cells()]
    side = math.isqrt(len(words))
    if side * side != len(words):
        fault = f"a list of {len(words)} cells is not the n*n cells of a board: copy it again in full"
        raise rows[0].fault(fault, len(words))
    return [Line(rows[0].number, ",".join(words[k * side : (k + 1) * side]) + ",", rows[0].source) for k in range(side)]


def _code_reader(text: str) -> Callable[[str], tuple[Grid, int]] | None:
    """Return a reader of a code's regions and stars, given its source; None for any other text."""
    link = link_of(text, "starbattle")
    if link and (body := _BODY.fullmatch(link.body)):
        return lambda source: (_parse_link(link._replace(body=body[2]), source), int(body[1]))
    if sbn := _SBN.fullmatch(text.strip()):
        side = int(sbn[1]) if sbn[1].isdigit() else ord(sbn[1]) - ord("A") + 10
        return lambda source: (_parse_sbn(side, sbn[3], source), int(sbn[2]))
    return None


def _parse_sbn(side: int, walls: str, source: str) -> Grid:
    """Side walls row by row, then floors column by column, padded with zero bits in front."""
    each = side * (side - 1)
    length = -(-2 * each // 6)
    bits = _bits(walls[:length], _BASE_64, 6, length, source)[-2 * each :]
    floors = bits[each:]
    return draw_rooms((side, side), lambda r, c: bits[r * (side - 1) + c], lambda r, c: floors[c * (side - 1) + r])


def _parse_link(link: Link, source: str) -> Grid:
    """Side walls row by row, then floors row by row, each part padded with zero bits behind."""
    rows, columns, walls = link
    check_size(rows, columns, MAX_SIDE, source)
    first, second = -(-(columns - 1) * rows // 5), -(-columns * (rows - 1) // 5)
    bits = _bits(walls, _BASE_32, 5, first + second, source)
    floors = bits[5 * first :]
    return draw_rooms((rows, columns), lambda r, c: bits[r * (columns - 1) + c], lambda r, c: floors[r * columns + c])


def _bits(text: str, alphabet: str, width: int, length: int, source: str) -> list[bool]:
    """The bits of a code, most significant first."""
    if len(text) != length:
        fault = f"code of {len(text)} characters for the walls where the board has {length}: copy it again in full"
        raise InputError(fault, source=source)
    wrong = [c for c in text if c not in alphabet]
    if wrong:
        raise InputError(f"unknown character {wrong[0]!r} in the code: copy it again", source=source)
    return [bool(alphabet.index(c) >> (width - 1 - k) & 1) for c in text for k in range(width)]
