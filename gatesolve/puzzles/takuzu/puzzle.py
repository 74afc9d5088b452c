"""Takuzu (Binairo), and the boards of zeros and ones that it shares with Tango."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar

from gatesolve.puzzles.base import Puzzle, cell_variables, count_between, fill_in
from gatesolve.puzzles.grid import Cell, by_cell, cell_name, grid_of_cells
from gatesolve.puzzles.picture import REGION_FILLS, Look, Picture, draw_mark, walls_between
from gatesolve.puzzles.reading import count
from gatesolve.puzzles.takuzu import text
from gatesolve.puzzles.takuzu.board import Cells, Rules, Sign, TakuzuBoard, TakuzuLine, diagonal_triples, lines_of

if TYPE_CHECKING:
    import cpmpy
    from matplotlib.axes import Axes

TABLE_CELLS = 16
"""Longest line given as the table of its legal patterns: 1,296 of them for half ones."""
_GIVEN_FILL = "#e9e9ed"
_SUN, _MOON = "#f2a200", "#3f5fae"


class ZeroOneBoard(TakuzuBoard, Puzzle):
    """A board of zeros and ones: its model, its texts and its pictures."""

    def to_cpmpy(self) -> cpmpy.Model:
        """The board as a CPMpy model: a table of legal patterns a line, linear constraints for the rest."""
        import cpmpy

        cells, rules = self.cells, self.rules
        x = cell_variables(by_cell(cells), 0, 1)
        model = cpmpy.Model()
        lines = lines_of(cells, rules)
        short = {(len(a.cells), a.ones, a.ring) for a in lines if len(a.cells) <= TABLE_CELLS}
        patterns = {kind: legal_patterns(*kind) for kind in short}
        for line in lines:
            values = [x[p] for p in line.cells]
            if len(values) > TABLE_CELLS:
                model += list(_long_line(values, line))
            else:
                legal = patterns[len(values), line.ones, line.ring]
                model += cpmpy.Table(values, legal) if legal else cpmpy.BoolVal(False)
        if rules.diagonals:
            for triple in diagonal_triples(cells, rules.wrap):
                model += [cpmpy.sum([x[p] for p in triple]) >= 1, cpmpy.sum([x[p] for p in triple]) <= 2]
        for region in rules.regions:
            for constraint in count_between([x[p] for p in region.cells], region.least, region.most):
                model += constraint
        for sign in rules.signs:
            a, b = x[sign.first], x[sign.second]
            model += (a - b == 0) if sign.equal else (a + b == 1)
        if rules.unique:
            model += list(_unequal_lines(cells, lines, x))
        return model

    def board(self, solution: Mapping[str, int]) -> list[list[str]]:
        """The finished board, ``.`` where no value is known."""
        return [["." if v is None else self.symbols[v] for v in row] for row in fill_in(self.cells, solution)]

    def picture(self, solution: Mapping[str, int], drawing: bool) -> Picture:
        """Answers bold or blue, regions walled off, signs on the borders; given cells grey, framed on regions.

        In a terminal, what cannot be shown on a cell or a border stands in notes below.
        """
        rules, values, suns = self.rules, by_cell(fill_in(self.cells, solution)), self.symbols != "01"
        size = len(self.cells), len(self.cells[0])
        regions = grid_of_cells(size, lambda cell: tuple(k for k, one in enumerate(rules.regions) if cell in one.cells))
        symbols = ("", "") if suns and drawing else "☀☾" if suns else "01"

        def look(cell: Cell) -> Look:
            (r, c), value = cell, values[cell]
            given, inside = self.cells[r][c] is not None, regions[r][c]
            fill = REGION_FILLS[inside[-1] % len(REGION_FILLS)] if inside else _GIVEN_FILL if given else "white"
            heads = [rules.regions[k].ones for k in inside if rules.regions[k].cells[0] == cell]
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

        notes = [f"{cell_name(r.cells[0])} ... ({len(r.cells)} cells): {r.ones} ones" for r in rules.regions]
        notes = [] if drawing else notes + [str(sign) for sign in rules.signs if not _border(sign)]
        notes += ["no three equal in line diagonally either"] * rules.diagonals
        notes += {"none": [], "both": ["rows and columns are rings"]}.get(rules.wrap, [f"{rules.wrap} are rings"])
        return Picture(
            looks,
            *walls_between(regions),
            _ones_texts(rules.column_ones),
            _ones_texts(rules.row_ones),
            {border: "=" if sign.equal else "x" for sign in rules.signs if (border := _border(sign))},
            (rules.wrap in ("rows", "both"), rules.wrap in ("columns", "both")),
            tuple(notes),
            paint=paint,
        )


@dataclass(frozen=True)
class Takuzu(ZeroOneBoard):
    """One Takuzu board; docs/formats.md says how it is written.

    The variable of the cell in row i, column j (both from 1) is named ``r{i}c{j}``.
    """

    cells: Cells
    rules: Rules = field(default_factory=Rules)

    family: ClassVar[str] = "takuzu"
    summary: ClassVar[str] = "zeros and ones, as many of each in a line, never three alike in a row"
    example: ClassVar[str] = "unique yes\n...1\n.1..\n....\n.1.1\n"
    headers: ClassVar[tuple[str, ...]] = ("takuzu", "binairo", "unique", "wrap")

    recognises = staticmethod(text.recognises)
    read = staticmethod(text.read)
    recognises_json = staticmethod(text.recognises_json)
    read_json = staticmethod(text.draft_of_json)
    json_fields: ClassVar[tuple[str, ...]] = (*text.JSON_FIELDS, "lines")
    json_mends: ClassVar[Mapping[str, str]] = text.MENDS

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
        return text.format_text(fill_in(self.cells, solution or {}), self.rules)


def legal_patterns(length: int, ones: int | None, ring: bool) -> list[list[int]]:
    """All zeros and ones of a line without three equal in line, with so many ones, in ascending order."""
    import numpy as np

    numbers = np.arange(1 << length)
    bits = numbers[:, None] >> np.arange(length - 1, -1, -1) & 1
    legal = np.ones(len(bits), dtype=bool)
    for k in range(length if ring and length > 2 else length - 2):
        three = bits[:, k] + bits[:, (k + 1) % length] + bits[:, (k + 2) % length]
        legal &= (three == 1) | (three == 2)
    if ones is not None:
        legal &= bits.sum(axis=1) == ones
    found: list[list[int]] = bits[legal].tolist()
    return found


def _long_line(values: list[Any], line: TakuzuLine) -> Iterator[Any]:
    """A line too long for a table."""
    import cpmpy

    length = len(values)
    for k in range(length if line.ring else length - 2):
        three = cpmpy.sum([values[k], values[(k + 1) % length], values[(k + 2) % length]])
        yield three >= 1
        yield three <= 2
    if line.ones is not None:
        yield cpmpy.sum(values) == line.ones


def _unequal_lines(cells: Cells, lines: tuple[TakuzuLine, ...], x: dict[Cell, Any]) -> Iterator[Any]:
    """No two rows and no two columns equal: read as binary numbers, their difference is not 0.

    So the rule costs one linear constraint a pair and no variable. The terms of two cells that face each
    other stand side by side, the highest first: after each pair the partial sum is either 0, or too large for
    what follows to bring it back, so three states are all a reader of the terms needs.
    """
    import cpmpy

    for a, b in combinations(lines, 2):
        if a.kind != b.kind or (a.ones != b.ones and None not in (a.ones, b.ones)):
            continue
        given = [(cells[p[0]][p[1]], cells[q[0]][q[1]]) for p, q in zip(a.cells, b.cells, strict=True)]
        if (0, 1) in given or (1, 0) in given:
            continue
        terms = []
        for k, (p, q) in enumerate(zip(reversed(a.cells), reversed(b.cells), strict=True)):
            if None in given[-1 - k]:
                terms += [-(1 << k) * x[q], (1 << k) * x[p]]
        yield cpmpy.sum(terms[::-1]) != 0 if terms else cpmpy.BoolVal(False)


def _ones_texts(ones: Sequence[int | None]) -> tuple[str, ...]:
    """The numbers of ones beside the lines; none where no line has one."""
    return tuple("" if n is None else str(n) for n in ones) if any(n is not None for n in ones) else ()


def _border(sign: Sign) -> tuple[int, int, str] | None:
    """The border between the cells of a sign, if they are neighbours."""
    (a, b), (c, d) = sorted((sign.first, sign.second))
    return {(0, 1): (a, b, "right"), (1, 0): (a, b, "below")}.get((c - a, d - b))


def _draw_long_sign(axes: Axes, sign: Sign, taken: Sequence[tuple[int, int]], points: float) -> tuple[int, int]:
    """A bow from cell to cell with the sign on a corner of cells, near its middle, so that it hides no cell or sign.

    Returns the corner (column, row), none of those ``taken`` where another is near.
    """
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path as Curve

    (y0, x0), (y1, x1) = ((r + 0.5, c + 0.5) for r, c in (sign.first, sign.second))
    x, y = (x0 + x1) / 2 + (y1 - y0) * 0.1, (y0 + y1) / 2 - (x1 - x0) * 0.1
    near = [(round(x) + dx, round(y) + dy) for dx in range(-2, 3) for dy in range(-2, 3)]
    top = min(near, key=lambda corner: (corner in taken, (corner[0] - x) ** 2 + (corner[1] - y) ** 2))
    bend = (2 * top[0] - (x0 + x1) / 2, 2 * top[1] - (y0 + y1) / 2)
    curve = Curve([(x0, y0), bend, (x1, y1)], [Curve.MOVETO, Curve.CURVE3, Curve.CURVE3])
    axes.add_patch(PathPatch(curve, fill=False, edgecolor="#b04a4a", linewidth=1.2, alpha=0.6, zorder=2.5))
    draw_mark(axes, top, "=" if sign.equal else "x", points, "#b04a4a", 0.8)
    return top


def _draw_piece(axes: Axes, centre: tuple[float, float], value: int, fill: str) -> None:
    """A sun with rays, or a crescent: drawn, so that no font is needed."""
    from matplotlib.patches import Circle, RegularPolygon

    if value == 0:
        for turn in (0.0, 0.7854, 0.3927, 1.1781):  # eighths of a half turn: four squares make the rays
            axes.add_patch(RegularPolygon(centre, 4, radius=0.31, orientation=turn, facecolor=_SUN))
        axes.add_patch(Circle(centre, 0.2, facecolor="#ffd34d", edgecolor="white", linewidth=0.6))
    else:
        axes.add_patch(Circle(centre, 0.27, facecolor=_MOON))
        axes.add_patch(Circle((centre[0] + 0.12, centre[1] - 0.07), 0.22, facecolor=fill))
