"""Boards of zeros and ones, half of each in every line, never three equal in line: Takuzu (Binairo) and Tango.

A Tango has suns and moons instead, and signs only between neighbouring cells.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from gatesolve.errors import InputError
from gatesolve.extensions import cpmpy
from gatesolve.files import show_json
from gatesolve.puzzles.base import Draft, Fault, Forms, Puzzle, cell_variables, count_between, fill_in
from gatesolve.puzzles.emoji import BLANKS, MOONS, SUNS
from gatesolve.puzzles.grid import Cell, by_cell, cell_name, grid_of_cells
from gatesolve.puzzles.picture import REGION_FILLS, Look, Picture, draw_mark, walls_between
from gatesolve.puzzles.pieces import PieceGroup, read_range
from gatesolve.puzzles.reading import (
    Code,
    JsonBoard,
    Line,
    Sections,
    Token,
    check_rows,
    count,
    game_id,
    is_pair,
    lines_of,
)
from gatesolve.puzzles.takuzu_board import MAX_SIDE, WRAPS, Cells, Rules, Sign, TakuzuBoard, takuzu_lines

if TYPE_CHECKING:
    from matplotlib.axes import Axes


TABLE_CELLS = 16
"""Longest line that becomes a table of its legal patterns: 1,296 of them for half ones."""
_GIVEN_FILL = "#e9e9ed"
_SUN, _MOON = "#f2a200", "#3f5fae"
_EMPTY: dict[str, int | None] = dict.fromkeys("._-*" + BLANKS)
_SYMBOLS: dict[str, int | None] = {"0": 0, "1": 1, "w": 0, "b": 1, "W": 0, "B": 1, **_EMPTY}
_ONE_TWO: dict[str, int | None] = {"1": 0, "2": 1, **_EMPTY}
_PAIRS = ("⚪⚫", "🔴🔵", "🟥🟦", "⬜⬛")
"""Emoji for 0 and 1: a board uses the first pair of which it has both."""
_NAMES = ("takuzu", "binairo")
_POSITION = re.compile(r"r([0-9]{1,3})c([0-9]{1,3})|\(\s*([0-9]{1,3})\s*,\s*([0-9]{1,3})\s*\)", re.IGNORECASE)
_CHAIN = re.compile(rf"\s*(?:{_POSITION.pattern})(?:\s*[=xX×≠]\s*(?:{_POSITION.pattern}))+\s*")
T = TypeVar("T")
_KEYWORDS = ("unique", "rows", "columns", "diagonals", "wrap", "region")
_COMMENTS = (";", "//", "#")
_UNRULY = game_id(".*", "u?")
_SKIPPED = " \t|"
_GRID_FIELDS = ("grid", "signs", "unique_lines", "rows", "cols")
_TANGO_FIELDS = ("grid", "signs", "rows", "cols", "unique_lines")
_PIECE_FIELDS = ("symbols", "walls", "prefilled", "constraints", "size")
"""Fields of a Tango without a grid, as other programs write it."""
_TANGO_SIDE = 6
_SUNS_AND_MOONS: dict[str, int | None] = {
    **dict.fromkeys("Ss0🟡🟠" + SUNS, 0),
    **dict.fromkeys("Mm1🔵" + MOONS, 1),
    **_EMPTY,
}
_TANGO_HEAD = re.compile(r"\s*tango(?:\s+([0-9]{1,3})\s*x\s*([0-9]{1,3}))?\s*", re.IGNORECASE)


class ZeroOneBoard(TakuzuBoard, Puzzle):
    """A board of zeros and ones: its model, its texts and its pictures."""

    def to_cpmpy(self) -> cpmpy.Model:
        """Return the board as a CPMpy model: a table of legal patterns a line, linear constraints for the rest."""
        cells, rules = self.cells, self.rules
        x = cell_variables(by_cell(cells), 0, 1)
        model = cpmpy.Model()
        lines = takuzu_lines(cells, rules)
        short = {(len(a.cells), a.ones, a.ring) for a in lines if len(a.cells) <= TABLE_CELLS}
        patterns = {kind: legal_patterns(*kind) for kind in short}
        for line in lines:
            values = [x[p] for p in line.cells]
            if len(values) > TABLE_CELLS:
                sums = (cpmpy.sum([x[p] for p in triple]) for triple in line.triples)
                limits = [limit for three in sums for limit in (three >= 1, three <= 2)]
                model += limits + ([] if line.ones is None else [cpmpy.sum(values) == line.ones])
            else:
                legal = patterns[len(values), line.ones, line.ring]
                model += cpmpy.Table(values, legal) if legal else cpmpy.BoolVal(False)
        for triple in self.diagonal_triples():
            model += [cpmpy.sum([x[p] for p in triple]) >= 1, cpmpy.sum([x[p] for p in triple]) <= 2]
        for region in rules.regions:
            for constraint in count_between([x[p] for p in region.cells], *region.held):
                model += constraint
        for sign in rules.signs:
            a, b = x[sign.first], x[sign.second]
            model += (a - b == 0) if sign.equal else (a + b == 1)
        if rules.unique:
            model += list(_unequal_lines(cells, rules, x))
        return model

    def board(self, solution: Mapping[str, int]) -> list[list[str]]:
        return [["." if v is None else self.symbols[v] for v in row] for row in fill_in(self.cells, solution)]

    def picture(self, solution: Mapping[str, int], drawing: bool) -> Picture:
        """Return answers bold or blue, regions walled off, signs on the borders; given cells grey or framed.

        In a terminal, rules without a place on a cell or a border are notes below.
        """
        rules, values, suns = self.rules, by_cell(fill_in(self.cells, solution)), self.symbols != "01"
        size = len(self.cells), len(self.cells[0])
        regions = grid_of_cells(size, lambda cell: tuple(k for k, one in enumerate(rules.regions) if cell in one.cells))
        symbols = ("", "") if suns and drawing else "☀☾" if suns else "01"

        def look(cell: Cell) -> Look:
            (r, c), value = cell, values[cell]
            given, inside = self.cells[r][c] is not None, regions[r][c]
            fill = REGION_FILLS[inside[-1] % len(REGION_FILLS)] if inside else _GIVEN_FILL if given else "white"
            heads = [str(rules.regions[k].held) for k in inside if rules.regions[k].cells[0] == cell]
            return Look("" if value is None else symbols[value], not given, fill, " ".join(heads))

        looks = grid_of_cells(size, look)

        def paint(axes: Axes, points: float) -> None:
            taken: list[tuple[int, int]] = []
            for sign in rules.signs:
                if not _border(sign):
                    taken.append(_draw_long_sign(axes, sign, taken, points))
            for (r, c), value in values.items():
                if suns and value is not None:
                    _draw_piece(axes, (c + 0.5, r + 0.5), value, looks[r][c].fill)

        notes = [f"{cell_name(r.cells[0])} ... ({len(r.cells)} cells): {r.held} ones" for r in rules.regions]
        notes = [] if drawing else notes + [str(sign) for sign in rules.signs if not _border(sign)]
        notes += ["no three equal in line diagonally either"] * rules.diagonals
        notes += {"none": [], "both": ["rows and columns are rings"]}.get(rules.wrap, [f"{rules.wrap} are rings"])
        return Picture(
            looks,
            *walls_between(regions),
            _ones_texts(rules.column_ones),
            _ones_texts(rules.row_ones),
            {border: "=" if sign.equal else "x" for sign in rules.signs if (border := _border(sign))},
            rules.rings,
            tuple(notes),
            paint=paint,
        )


@dataclass(frozen=True)
class Takuzu(ZeroOneBoard):
    """One Takuzu board; docs/families.md describes its format.

    The variable of the cell in row i, column j (both from 1) is named ``r{i}c{j}``.
    """

    cells: Cells
    rules: Rules = field(default_factory=Rules)

    family: ClassVar[str] = "takuzu"
    summary: ClassVar[str] = "Fill in zeros and ones: equally many in each line, never three alike in a row."
    example: ClassVar[str] = "unique yes\n...1\n.10.\n....\n.1.1\n"
    headers: ClassVar[tuple[str, ...]] = ("takuzu", "binairo", "unique", "wrap")
    json_fields: ClassVar[tuple[str, ...]] = (*_GRID_FIELDS, "lines")
    json_mends: ClassVar[Mapping[str, str]] = {
        "unique": "write 'unique_lines', true or false",
        **dict.fromkeys(("wrap", "columns", "region", "diagonals"), "write it as a line of text into the list 'lines'"),
    }

    @staticmethod
    def foreign() -> Forms:
        return {_UNRULY: _read_unruly}

    @classmethod
    def recognises(cls, text: str) -> bool:
        if code := Code.of(text, _UNRULY):
            steps = list(code.steps(skips="zZ"))
            whole = code.body.isalpha() and code.body.isascii() and steps[-1][0] == code.rows * code.columns + 1
            return bool(code.flags or whole)
        lines = lines_of(text, _COMMENTS)
        words = {line.word for line in lines}
        # The other header lines may also begin boards of other families.
        if words & {*_NAMES, "unique", "wrap"}:
            return "tango" not in words
        rows = [line for line in lines if not _is_sign(line)]
        sized = _is_sized(rows)
        used = _tokens_in(rows[sized:])
        if (pair := _pair(used)) is not None:
            blank = used - set(pair)
            return len(blank) == 1 and blank <= set(_EMPTY)
        known = used - set(_EMPTY)
        # Below its size a board may hold any pair of values. Without one, only zeros and ones are its own, and a bare
        # square of ones and twos may also be a Sudoku.
        square = len(rows) > 3 and len(rows) % 2 == 0 and all(len(line.letters()) == len(rows) for line in rows)
        bare = square and "-" not in used
        pairs = [set("01"), set("12"), set("wb")] if sized else [set("01"), *([set("12")] * bare)]
        # Half of an odd number of cells cannot be ones: the board belongs to another family.
        odd = sized and any(int(side) % 2 for side in rows[0].words)
        return len(rows) > 1 and not odd and bool(known and used - known) and any(known <= pair for pair in pairs)

    @staticmethod
    def read(text: str) -> Draft:
        lines = [line for line in lines_of(text, _COMMENTS) if line.word not in _NAMES]
        rows = _rows_among(lines)
        sized = _is_sized(rows)
        used = _tokens_in(rows[sized:])
        # Some programs write 1 and 2 for 0 and 1.
        symbols = _ONE_TWO if "2" in used and "0" not in used else _SYMBOLS
        if (pair := _pair(used)) is not None:
            symbols = {**symbols, pair[0]: 0, pair[1]: 1}
        return _draft_of([line for line in lines if not (sized and line is rows[0])], symbols, not sized)

    @staticmethod
    def recognises_json(data: JsonBoard) -> bool:
        used = {token for row in data.tokens("grid") for token in row}
        return used <= {"0", "1", *_EMPTY} and bool(used & {"0", "1"} and used & set(_EMPTY))

    @classmethod
    def read_json(cls, data: JsonBoard) -> Draft:
        return _draft_of(_json_lines(data), _SYMBOLS, data.flag("unique_lines", True))

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
        rules = self.rules
        lines = [f"unique {'yes' if rules.unique else 'no'}"]
        for name, ones in (("rows", rules.row_ones), ("columns", rules.column_ones)):
            if ones:
                lines.append(" ".join([name, *("-" if n is None else str(n) for n in ones)]))
        if rules.diagonals:
            lines.append("diagonals yes")
        if rules.wrap != "none":
            lines.append(f"wrap {rules.wrap}")
        lines += ["".join("." if v is None else str(v) for v in row) for row in fill_in(self.cells, solution or {})]
        lines += [" ".join(["region", str(r.held), *map(cell_name, r.cells)]) for r in rules.regions]
        return "\n".join([*lines, *map(str, rules.signs)]) + "\n"


@dataclass(frozen=True)
class Tango(ZeroOneBoard):
    """One Tango board; docs/families.md describes its format.

    The variable of the cell in row i, column j (both from 1) is named ``r{i}c{j}``; a sun is 0, a moon 1. Signs stand
    between neighbouring cells.
    """

    cells: Cells
    signs: tuple[Sign, ...] = ()

    family: ClassVar[str] = "tango"
    summary: ClassVar[str] = "Fill in suns and moons as in Takuzu; = and x between cells mean equal and different."
    example: ClassVar[str] = "tango 4x4\nS...\n.M..\nS..M\n....\nr1c1 = r1c2\nr2c3 x r3c3\n"
    headers: ClassVar[tuple[str, ...]] = ("tango",)
    symbols: ClassVar[str] = "SM"
    json_fields: ClassVar[tuple[str, ...]] = (*_TANGO_FIELDS, *_PIECE_FIELDS)

    @classmethod
    def recognises(cls, text: str) -> bool:
        lines = lines_of(text, _COMMENTS)
        words = {line.word for line in lines}
        if "tango" in words:
            return True
        if not lines or words & set(_KEYWORDS):
            return False
        cells = _tokens_in([line for line in lines if not _is_sign(line)])
        both = cells & set(_EMPTY) and cells - set(_EMPTY)
        return cells <= set(_SUNS_AND_MOONS) - set("01") and bool(both or not cells)

    @staticmethod
    def recognises_json(data: JsonBoard) -> bool:
        if "grid" not in data:
            return any(pair <= data.keys() for pair in ({"symbols", "walls"}, {"prefilled", "constraints"}))
        used = {token for row in data.tokens("grid") for token in row}
        return (
            data.get("unique_lines") is not True
            and used <= {*_SUNS_AND_MOONS}
            and bool(used - {*_EMPTY})
            and bool(used & {*_EMPTY} or used - set("01"))
        )

    @staticmethod
    def read(text: str) -> Draft:
        return _tango_draft(_drop_head(lines_of(text, _COMMENTS)))

    @classmethod
    def read_json(cls, data: JsonBoard) -> Draft:
        data.refuse_others(_TANGO_FIELDS if "grid" in data else _PIECE_FIELDS)
        if data.flag("unique_lines", False):
            raise InputError("a Tango may have equal lines: leave out 'unique_lines', or read it as takuzu")
        data.refuse_both("symbols", "prefilled")
        data.refuse_both("walls", "constraints")
        if "grid" in data:
            return _tango_draft(_json_lines(data))
        wanted = f"number of 2..{MAX_SIDE}: write the side of the board"
        side = data.get_valid("size", lambda side: type(side) is int and 2 <= side <= MAX_SIDE, wanted, _TANGO_SIDE)
        grid = [["."] * side for _ in range(side)]
        for (r, c), symbol in _pieces(data):
            if not (0 <= r < side and 0 <= c < side) or symbol not in _SUNS_AND_MOONS:
                fault = f"JSON has {show_json(symbol)} in row {r}, column {c}"
                raise InputError(f"{fault}: rows and columns are 0 to {side - 1}, cells S or M")
            grid[r][c] = symbol
        lines = [Line(number, "".join(row)) for number, row in enumerate(grid, 1)]
        return _tango_draft(lines + _sign_lines(data, "constraints" if "constraints" in data else "walls"))

    @cached_property
    def rules(self) -> Rules:  # type: ignore[override]
        """The board's rules as one of zeros and ones; equal lines are allowed."""
        return Rules(unique=False, signs=self.signs)

    def first_fault(self) -> Fault | None:
        if (found := super().first_fault()) is not None:
            return found
        for k, sign in enumerate(self.signs):
            (a, b), (c, d) = sign.first, sign.second
            if abs(a - c) + abs(b - d) != 1:
                fault = f"the cells of {sign} are not neighbours: correct the sign, or read the board as takuzu"
                return Fault(fault, ("sign", k))
        return None

    @property
    def title(self) -> str:
        clues = count(sum(v is not None for row in self.cells for v in row), "clue")
        return f"Tango {len(self.cells)}x{len(self.cells[0])}: {clues}, {count(len(self.signs), 'sign')}"

    def text(self, solution: Mapping[str, int] | None = None) -> str:
        rows = map("".join, self.board(solution or {}))
        return "\n".join([f"tango {len(self.cells)}x{len(self.cells[0])}", *rows, *map(str, self.signs)]) + "\n"


def legal_patterns(length: int, ones: int | None, ring: bool) -> list[list[int]]:
    """Return all zeros and ones of a line without three equal in line, with ``ones`` ones, in ascending order."""
    import numpy as np

    numbers = np.arange(1 << length)
    # The first cell is the highest bit: so ascending numbers are patterns in ascending order.
    bits = numbers[:, None] >> np.arange(length - 1, -1, -1) & 1
    legal = np.ones(len(bits), dtype=bool)
    # A ring of two cells has no three different ones.
    for k in range(length if ring and length > 2 else length - 2):
        three = bits[:, k] + bits[:, (k + 1) % length] + bits[:, (k + 2) % length]
        # Sums 0 and 3 are three equal cells.
        legal &= (three == 1) | (three == 2)
    if ones is not None:
        legal &= bits.sum(axis=1) == ones
    found: list[list[int]] = bits[legal].tolist()
    return found


def _unequal_lines(cells: Cells, rules: Rules, x: dict[Cell, Any]) -> Iterator[Any]:
    """Yield that no two rows and no two columns are equal: as binary numbers their difference is not 0."""
    # The rows come first.
    lines = takuzu_lines(cells, rules)
    for a, b in (*combinations(lines[: len(cells)], 2), *combinations(lines[len(cells) :], 2)):
        # Two lines with different numbers of ones, or with different given values in facing cells, differ anyway.
        if a.ones != b.ones and None not in (a.ones, b.ones):
            continue
        given = [(cells[p[0]][p[1]], cells[q[0]][q[1]]) for p, q in zip(a.cells, b.cells, strict=True)]
        if (0, 1) in given or (1, 0) in given:
            continue
        # One linear constraint a pair, and no variable. The terms of two facing cells are next to each other, the
        # highest first. After each pair the partial sum is 0, or too large for the rest to bring it back to 0. So a
        # reader of the terms needs only three states.
        terms = []
        for k, (p, q) in enumerate(zip(reversed(a.cells), reversed(b.cells), strict=True)):
            # Facing cells that are both given are equal here, so they cancel.
            if None in given[-1 - k]:
                terms += [-(1 << k) * x[q], (1 << k) * x[p]]
        yield cpmpy.sum(terms[::-1]) != 0 if terms else cpmpy.BoolVal(False)


def _ones_texts(ones: Sequence[int | None]) -> tuple[str, ...]:
    return tuple("" if n is None else str(n) for n in ones) if any(n is not None for n in ones) else ()


def _border(sign: Sign) -> tuple[int, int, str] | None:
    (a, b), (c, d) = sorted((sign.first, sign.second))
    return {(0, 1): (a, b, "right"), (1, 0): (a, b, "below")}.get((c - a, d - b))


def _draw_long_sign(axes: Axes, sign: Sign, taken: Sequence[tuple[int, int]], points: float) -> tuple[int, int]:
    """Draw a bow between two cells with the sign on a corner of cells near its middle; return that corner.

    The corner (column, row) is none of those ``taken`` if another is near, so that the sign hides no cell or sign.
    """
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path as Curve

    (y0, x0), (y1, x1) = ((r + 0.5, c + 0.5) for r, c in (sign.first, sign.second))
    x, y = (x0 + x1) / 2 + (y1 - y0) * 0.1, (y0 + y1) / 2 - (x1 - x0) * 0.1
    near = [(round(x) + dx, round(y) + dy) for dx in range(-2, 3) for dy in range(-2, 3)]
    top = min(near, key=lambda corner: (corner in taken, (corner[0] - x) ** 2 + (corner[1] - y) ** 2))
    # A quadratic Bezier curve passes halfway between its chord and its control point: this one passes through ``top``.
    bend = (2 * top[0] - (x0 + x1) / 2, 2 * top[1] - (y0 + y1) / 2)
    curve = Curve([(x0, y0), bend, (x1, y1)], [Curve.MOVETO, Curve.CURVE3, Curve.CURVE3])
    axes.add_patch(PathPatch(curve, fill=False, edgecolor="#b04a4a", linewidth=1.2, alpha=0.6, zorder=2.5))
    draw_mark(axes, top, "=" if sign.equal else "x", points, "#b04a4a", 0.8)
    return top


def _draw_piece(axes: Axes, centre: tuple[float, float], value: int, fill: str) -> None:
    """Draw a sun with rays, or a crescent, so that no font is needed."""
    from matplotlib.patches import Circle, RegularPolygon

    if value == 0:
        # Four squares, turned by eighths of a half turn, make the rays.
        for turn in (0.0, 0.7854, 0.3927, 1.1781):
            axes.add_patch(RegularPolygon(centre, 4, radius=0.31, orientation=turn, facecolor=_SUN))
        axes.add_patch(Circle(centre, 0.2, facecolor="#ffd34d", edgecolor="white", linewidth=0.6))
    else:
        axes.add_patch(Circle(centre, 0.27, facecolor=_MOON))
        axes.add_patch(Circle((centre[0] + 0.12, centre[1] - 0.07), 0.22, facecolor=fill))


def _json_lines(data: JsonBoard) -> list[Line]:
    """Return the fields ``grid``, ``lines`` and ``signs`` as lines of the text format."""
    rows = data.rows("grid")
    data.check_sides((len(rows), len(rows[0].letters(_SKIPPED))))
    wanted = "list of strings: write one string a line"
    lines = data.listed("lines", lambda line: isinstance(line, str) and line.strip(), wanted, [])
    return [*rows, *(Line(None, line) for line in lines), *_sign_lines(data, "signs")]


def _sign_lines(data: JsonBoard, field: str) -> list[Line]:
    """Return the signs of a field, each written ``[[0, 0], [0, 1], "="]``, as lines of the text format."""
    found = []
    for sign in data.listed(field, lambda _: True, 'list of signs: write [[[0, 0], [0, 1], "="]]', []):
        first, second, mark = sign if isinstance(sign, list) and len(sign) == 3 else (None, None, None)
        places = _json_place(first), _json_place(second)
        if None in places or mark not in ("=", "x"):
            raise InputError(f"JSON field '{field}' holds {show_json(sign, 40)}: write [[0, 0], [0, 1], \"=\"]")
        found.append(Line(None, f"{places[0]} {mark} {places[1]}"))
    return found


def _json_place(value: object) -> Cell | None:
    """Return the 0-based cell of a value ``[0, 1]`` or ``"0,1"`` of JSON; None for any other."""
    if isinstance(value, str) and (match := re.fullmatch(r"([0-9]{1,3})\s*,\s*([0-9]{1,3})", value)):
        return int(match[1]), int(match[2])
    return (value[0], value[1]) if isinstance(value, list) and is_pair(value) else None


def _pair(used: set[str]) -> str | None:
    """Return the emoji that stand for 0 and 1, if the board has any; circles alone may be of one kind only."""
    both = (pair for pair in _PAIRS if set(pair) <= used)
    return next(both, _PAIRS[0] if set(_PAIRS[0]) & used else None)


def _is_sized(rows: Sequence[Line]) -> bool:
    size = rows[0].size if rows else None
    return size is not None and size[0] == len(rows) - 1 > 1 and size[1] > 1


def _read_unruly(code: Code) -> Draft:
    """Return a game id: ``a``..``y`` skip 0..24 cells and give a 0, capitals a 1; ``z`` only skips 25 cells.

    The last letter gives the cell just past the end of the board.
    """
    height, width = code.check_size(MAX_SIDE, least=2)
    if odd := re.search("[^A-Za-z]", code.body):
        raise code.fault(f"unknown {odd[0]!a} in a game id: after the colon it has letters only", odd.start())
    values = ["."] * (width * height + 1)
    place = -1
    for k, (at, letter) in enumerate(code.steps(skips="zZ")):
        place = at - 1
        if place > width * height:
            raise code.fault(f"the game id goes on past the {width * height} cells of its board: copy it again", k)
        if letter not in "zZ":
            values[place] = str(int(letter.isupper()))
    if place != width * height:
        fault = f"the game id ends after {place + 1} of {width * height + 1} places: copy all of it"
        raise code.fault(fault, len(code.body))
    rows = [Line(1, "".join(values[r * width : (r + 1) * width])) for r in range(height)]
    return _draft_of(rows, _SYMBOLS, bool(code.flags))


def _is_sign(line: Line) -> bool:
    return _CHAIN.fullmatch(line.text) is not None


def _rows_among(lines: Sequence[Line]) -> list[Line]:
    return [line for line in lines if line.word not in _KEYWORDS and not _is_sign(line)]


def _tokens_in(rows: Sequence[Line]) -> set[str]:
    return {token.text for line in rows for token in line.letters(_SKIPPED)}


def _draft_of(lines: Sequence[Line], symbols: Mapping[str, int | None], unique: bool) -> Draft:
    """Return the board of lines of all kinds: its cells and its `Rules`.

    ``symbols`` maps each character of a cell to its value; lines must differ if ``unique``, unless a line overrides it.
    """
    parts = Sections.of((line for line in lines if not _is_sign(line)), _KEYWORDS, ())
    rows, regions = parts.blocks.get("", ()), parts.headers.get("region", ())
    settings = {word: line for word in _KEYWORDS[:-1] if (line := parts.single(word))}
    # Each sign of a chain is between neighbours in it.
    chains = [(line, pairwise(_POSITION.finditer(line.text))) for line in lines if _is_sign(line)]
    signs = [
        (Sign(_cell_at(a), line.text[a.end() : b.start()].strip() == "=", _cell_at(b)), line)
        for line, pairs in chains
        for a, b in pairs
    ]
    table = [line.letters(_SKIPPED) for line in rows]
    cells = tuple(tuple(_value(token, symbols) for token in row) for row in table)
    check_rows(table, MAX_SIDE, "a character a cell, . for an empty one")
    yes = {"yes": True, "no": False}
    rules = Rules(
        _choice(settings.get("unique"), yes, unique),
        _counts(settings.get("rows")),
        _counts(settings.get("columns")),
        _choice(settings.get("diagonals"), yes, False),
        _choice(settings.get("wrap"), {w: w for w in WRAPS}, "none"),
        tuple(map(_region, regions)),
        tuple(sign for sign, _ in signs),
    )
    places: dict[Any, Token | Line] = {**by_cell(table)}
    places |= {("sign", k): line.start for k, (_, line) in enumerate(signs)}
    places |= {("region", k): line.start for k, line in enumerate(regions)}
    places |= {(word, 0): line.start for word, line in settings.items()}
    return Draft((cells, rules), places, rows[-1])


def _cell_at(match: re.Match[str]) -> Cell:
    """Return the 0-based cell of ``r1c2`` (counted from 1) or ``(0,1)`` (counted from 0)."""
    return (int(match[1]) - 1, int(match[2]) - 1) if match[1] else (int(match[3]), int(match[4]))


def _choice(line: Line | None, choices: Mapping[str, T], default: T) -> T:
    if line is None:
        return default
    words = line.text.lower().split()
    if len(words) != 2 or words[1] not in choices:
        raise line.start.fault(f"write '{words[0]}' with one of {', '.join(choices)}")
    return choices[words[1]]


def _counts(line: Line | None) -> tuple[int | None, ...]:
    words = line.words[1:] if line else []
    if line and (not words or any(re.fullmatch("-|[0-9]{1,3}", word) is None for word in words)):
        raise line.start.fault(f"write '{line.word}' with a number of ones, or -, for each")
    return tuple(None if word == "-" else int(word) for word in words)


def _region(line: Line) -> PieceGroup:
    words = line.text.split(maxsplit=2)
    places = list(_POSITION.finditer(words[2])) if len(words) == 3 else []
    if not places or _POSITION.sub("", words[2]).replace(",", " ").strip():
        known = "'region 2 r1c1 r1c2' or 'region 1..2 r1c1 r1c2'"
        raise line.start.fault(f"write a region as its number of ones and its cells, such as {known}")
    return PieceGroup("", read_range(Token(words[1], 2, line), "ones"), tuple(map(_cell_at, places)))


def _value(token: Token, symbols: Mapping[str, int | None]) -> int | None:
    if token.text not in symbols:
        known = [s for s in symbols if s.isascii() and symbols[s] is not None][:2]
        mend = f"write {known[0]}, {known[1]} or . for an empty cell, or a line such as 'r1c1 = r1c2'"
        raise token.fault(f"unknown cell {token.text!a}: {mend}")
    return symbols[token.text]


def _tango_draft(lines: list[Line]) -> Draft:
    draft = _draft_of(lines, _SUNS_AND_MOONS, False)
    cells, rules = draft.clues
    return replace(draft, clues=(cells, rules.signs))


def _drop_head(lines: list[Line]) -> list[Line]:
    """Return the lines without those of the family and the size; a missing board is added, empty."""
    heads = [line for line in lines if line.word == "tango"]
    lines = [line for line in lines if line not in heads]
    for line in lines:
        if line.word in _KEYWORDS:
            raise line.start.fault(f"a Tango has no line '{line.word}': remove it, or read the board as takuzu")
    sizes = [match for line in heads if (match := _TANGO_HEAD.fullmatch(line.text))]
    if len(sizes) != len(heads) or len(heads) > 1:
        raise heads[-1].start.fault("write one line 'tango', or with the size such as 'tango 6x6'")
    size = (int(sizes[0][1]), int(sizes[0][2])) if sizes and sizes[0][1] else None
    rows = [line for line in lines if not _is_sign(line)]
    if size and rows and len(rows) != size[0]:
        raise heads[0].start.fault(f"the size says {size[0]} rows but {len(rows)} are there: make them agree")
    if size and rows and len(rows[0].letters(_SKIPPED)) != size[1]:
        raise heads[0].start.fault(f"the size says {size[1]} columns but the first row has others: make them agree")
    if rows or not (size or lines):
        return lines
    height, width = size or (_TANGO_SIDE, _TANGO_SIDE)
    if max(height, width) > MAX_SIDE:
        raise heads[0].start.fault(f"{height} rows and {width} columns: a board has at most {MAX_SIDE} of each")
    return [Line(heads[0].number if heads else None, "." * width)] * height + lines


def _pieces(data: JsonBoard) -> Iterator[tuple[Cell, str]]:
    """Return the given suns and moons: a list of ``[0, 0, "S"]`` or ``["0,0", "S"]``, or ``{"0,0": "S"}``."""
    field, wanted = "prefilled" if "prefilled" in data else "symbols", 'list of pieces: write [[0, 0, "S"]]'
    given = data.get_valid(field, lambda found: isinstance(found, list | dict), wanted, [])
    for piece in map(list, given.items()) if isinstance(given, dict) else given:
        *place, symbol = piece if isinstance(piece, list) and piece else [None]
        cell = _json_place(place[0] if len(place) == 1 else place)
        if cell is None or not isinstance(symbol, str):
            raise InputError(f'JSON has a piece {show_json(piece, 40)}: write [0, 0, "S"]')
        # An emoji may carry a variation selector.
        yield cell, symbol.replace("\ufe0f", "")
