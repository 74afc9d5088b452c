"""Sudoku: every value once in each row, column and box; boxes of any shape, and cages that add up."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from gatesolve.errors import InputError
from gatesolve.extensions import cpmpy
from gatesolve.puzzles.base import Draft, Forms, Puzzle, cell_variables, differ_and_add_up, fill_in
from gatesolve.puzzles.grid import (
    FREE,
    LETTERS,
    Cell,
    Grid,
    by_cell,
    cell_name,
    cells_by_name,
    draw_rooms,
    grid_of_cells,
    grid_text,
    is_numbered,
    rows_and_columns,
)
from gatesolve.puzzles.picture import INK, Look, Picture, walls_between
from gatesolve.puzzles.reading import (
    Code,
    JsonBoard,
    Line,
    Row,
    Sections,
    Token,
    check_rows,
    count,
    grid_of,
    lines_of,
    link,
)
from gatesolve.puzzles.sudoku_board import MAX_SIDE, Box, Cage, Cells, Regions, SudokuBoard, default_box, number_boxes

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_INSET = 0.08
"""Distance of a cage's outline from the edges of its cells."""
_CAGE = "#4a4a52"
_SOLO = (
    # Unruly and Galaxies ids hold letters only, capitals too; those of Tents have commas.
    r"(?=[^:]*[jk]|[0-9]+x[0-9][^:]*:[^,A-Z]*[0-9][^,A-Z]*$)"
    r"(?P<rows>[0-9]{1,3})(?:x(?P<columns>[0-9]{1,3}))?(?P<flags>[a-z0-9]*):(?P<body>\S*)"
)
"""A game id of sgt Solo with a size in two numbers, or of a jigsaw or killer (j, k)."""
LABELS = ("boxes", "cages", "board")
"""Lines above a grid of the boxes, of the cages, or of the given values."""
_SUM = re.compile(r"([A-Za-z0-9_]{1,12})=([0-9]{1,4})")
KEYWORDS = (*LABELS, "box", "diagonals", "sudoku", "sums")
_BOX = re.compile(r"box\s*[:=]?\s*([0-9]{1,2})\s*[x ,]\s*([0-9]{1,2})")
_RULE = re.compile(r"(?=.*[-+=])[-+=|\s]+")
_BLANKS = ".0_*-"
_COMMENTS = (";", "//", "#")
_BOXES = "a letter for each box"


@dataclass(frozen=True)
class Sudoku(SudokuBoard, Puzzle):
    """One Sudoku board; docs/families.md describes its format.

    The variable of the cell in row i, column j (both from 1) is named ``r{i}c{j}``.
    """

    family: ClassVar[str] = "sudoku"
    summary: ClassVar[str] = "Fill the cells so that every row, column and box holds each digit once."
    example: ClassVar[str] = "box 2x2\n2. | 43\n.. | 2.\n---+---\n3. | ..\n.2 | 3.\n"
    headers: ClassVar[tuple[str, ...]] = ("sudoku", "box", "boxes", "cages")
    json_fields: ClassVar[tuple[str, ...]] = ("grid", "board", "size", "box", "regions", "cages", "diagonals")
    json_mends: ClassVar[Mapping[str, str]] = {
        "boxes": "write 'regions', with rows of letters, or 'box', such as [2, 3]",
        "sums": "write 'cages', each with its sum and cells",
        "diagonal": "write 'diagonals', true or false",
    }
    json_doubts: ClassVar[Mapping[str, str]] = {
        "cages": "could be a killer sudoku, whose boxes hold each digit once, or a kenken, which has none and is not "
        "read"
    }

    @staticmethod
    def foreign() -> Forms:
        return {link("sudoku"): _read_link, _SOLO: _read_solo}

    @classmethod
    def recognises(cls, text: str) -> bool:
        if super().recognises(text):
            return True
        body = [line for line in _lines(text) if line.keyword not in KEYWORDS]
        return bool(body) and (_double(body) is not None or _looks_like_grid(_drop_rules(_drop_size(body))))

    @staticmethod
    def read(text: str) -> Draft:
        parts = Sections.of(_lines(text), KEYWORDS, LABELS)
        if "" in parts.blocks and "board" in parts.blocks:
            raise parts.blocks[""][0].fault("a grid without a name beside 'board': keep one of the two", 1)
        body = parts.blocks.get("board", parts.blocks.get("", ()))
        areas = {label: rows for label, rows in parts.blocks.items() if label in ("boxes", "cages")}
        box, diagonals, sums = _options(parts)
        regions, cages = Regions(), tuple[Cage, ...]()
        if not areas and (double := _double(body)):
            side = len(double) // 2
            areas = {"boxes": tuple(double[side:])}
            upper, regions, cages = double_grid(double[:side], double[side:])
            rows = _rows([Line(line.number, line.text.strip()) for line in upper], not upper)
            return _draft(rows, side, areas, (box, diagonals, regions, cages))
        rows = _rows(body, bool(areas))
        side = len(rows)
        if "boxes" in areas:
            regions = number_boxes(_square(areas["boxes"], (), _BOXES, side))
            side = side or len(regions)
        if "cages" in areas:
            cages = cages_of(areas["cages"], sums, side)
        return _draft(rows, side or len(areas.get("cages", ())), areas, (box, diagonals, regions, cages))

    @staticmethod
    def recognises_json(data: JsonBoard) -> bool:
        if isinstance(data.get("box"), list) or {"regions", "cages"} <= data.keys():
            return True
        grid = data.get("grid", data.get("board"))
        # A board in one string is cut into rows.
        if isinstance(grid, str) and len(grid) == math.isqrt(len(grid)) ** 2:
            side = math.isqrt(len(grid))
            grid = [grid[k * side : (k + 1) * side] for k in range(side)]
        rows = JsonBoard(grid=grid).tokens("grid")
        digits = {token for row in rows for token in row} - set(_BLANKS)
        # Values from 10 on may be written as letters: A is 10, and G is 16.
        known = {str(value) for value in range(1, len(rows) + 1)} | set("ABCDEFGabcdefg" if len(rows) > 9 else "")
        is_shaped = "regions" in data or default_box(len(rows)) is not None
        is_square = all(len(row) == len(rows) for row in rows)
        return is_shaped and is_square and set() < digits <= known and not is_numbered(rows)

    @classmethod
    def read_json(cls, data: JsonBoard) -> Draft:
        data.refuse_both("grid", "board")
        data.refuse_both("box", "regions")
        field = "board" if "board" in data else "grid"
        if isinstance(grid := data.get(field), str) and grid.strip():
            lines = [Line(1, grid.strip())]
        else:
            lines = data.rows(field) if field in data or "size" not in data else []
        box = data.pair("box", "[2, 3]")
        diagonals, rows = data.flag("diagonals", False), _rows(lines, not lines)
        side = len(rows) or data.side("size", MAX_SIDE)
        data.check_sides((side, side))
        regions = number_boxes(_square(data.rows("regions"), (), _BOXES, side)) if "regions" in data else ()
        wanted = 'list of cages: write each as {"sum": 11, "cells": [[0, 0], [0, 1]]}'
        listed = data.listed("cages", lambda c: isinstance(c, dict) and type(c.get("sum")) is int, wanted, [])
        for cage in map(JsonBoard, listed):
            cage.refuse_others(("sum", "cells", "color"))
        cages = tuple(Cage(c["sum"], tuple(JsonBoard(c).cells("cells", (side, side)))) for c in listed)
        return _draft(rows, side, {}, (box and (box[0], box[1]), diagonals, regions, cages))

    def __post_init__(self) -> None:
        super().__post_init__()
        # In one order, so that equal boards are equal, however their boxes and cages were listed.
        cages = [Cage(cage.total, tuple(sorted(cage.cells))) for cage in self.cages]
        object.__setattr__(self, "cages", tuple(sorted(cages, key=lambda cage: cage.cells)))
        object.__setattr__(self, "regions", number_boxes(self.regions))

    @property
    def title(self) -> str:
        side = len(self.cells)
        clues = sum(value is not None for row in self.cells for value in row)
        boxes = f"boxes of {self.box[0]} rows x {self.box[1]} columns" if self.box else "boxes of any shape"
        words = [boxes, count(clues, "clue")] + [count(len(self.cages), "cage")] * bool(self.cages)
        return f"Sudoku {side}x{side}: {', '.join(words + ['diagonals'] * self.diagonals)}"

    def to_cpmpy(self) -> cpmpy.Model:
        variables = cell_variables(by_cell(self.cells), 1, len(self.cells))
        constraints = [cpmpy.AllDifferent([variables[cell] for cell in group]) for group in self.list_groups()]
        for cage in self.cages:
            constraints += differ_and_add_up([variables[cell] for cell in cage.cells], cage.total)
        return cpmpy.Model(constraints)

    def list_groups(self) -> list[list[Cell]]:
        """Return the cells of each row, column, box and diagonal, which hold every value once."""
        side, boxes = len(self.cells), by_cell(self.boxes)
        groups = rows_and_columns((side, side)) + [[c for c in boxes if boxes[c] == number] for number in range(side)]
        diagonals = [(k, k) for k in range(side)], [(k, side - 1 - k) for k in range(side)]
        return [*groups, *(diagonals if self.diagonals else ())]

    def board(self, solution: Mapping[str, int]) -> list[list[str]]:
        return [["." if value is None else str(value) for value in row] for row in fill_in(self.cells, solution)]

    def text(self, solution: Mapping[str, int] | None = None) -> str:
        values = fill_in(self.cells, solution or {})
        side = len(values)
        lines = ["diagonals"] * self.diagonals
        lines += [f"box {self.box[0]}x{self.box[1]}"] if self.box else []
        if self.regions:
            lines += ["boxes", *grid_text([LETTERS[k] for k in row] for row in self.regions)]
        if self.cages:
            few = len(self.cages) <= len(LETTERS)
            names = LETTERS[: len(self.cages)] if few else [str(k) for k in range(1, len(self.cages) + 1)]
            named = list(zip(names, self.cages, strict=True))
            at = {cell: name for name, cage in named for cell in cage.cells}
            sums = [f"{name}={cage.total}" for name, cage in named]
            lines += ["cages", *grid_text(grid_of_cells((side, side), lambda cell: at.get(cell, FREE)))]
            lines += [" ".join(["sums", *sums[k : k + 12]]) for k in range(0, len(sums), 12)]
        if self.regions or self.cages:
            if all(value is None for row in values for value in row):
                return "\n".join(lines) + "\n"
            lines.append("board")
        height, wide = self.box or (side, side)
        width = len(str(side))
        gap = "" if width == 1 else " "
        for r, row in enumerate(values):
            # The rule is as wide as the cells of a box with the gaps between them, without the gap behind the last.
            if r and r % height == 0:
                lines.append("-+-".join(["-" * (wide * (width + len(gap)) - len(gap))] * (side // wide)))
            words = ["." if v is None else str(v) for v in row]
            groups = [gap.join(w.rjust(width) for w in words[k : k + wide]) for k in range(0, side, wide)]
            lines.append(" | ".join(groups))
        return "\n".join(lines) + "\n"

    def picture(self, solution: Mapping[str, int], drawing: bool) -> Picture:
        """Return boxes in heavy lines, answers bold or blue, the sum of a cage in or above its first cell.

        In a terminal there is no line between cells of one cage, or a dashed one where a box ends.
        """
        side, values = len(self.cells), fill_in(self.cells, solution)

        def look(cell: Cell) -> Look:
            (r, c), value = cell, values[cell[0]][cell[1]]
            fill = "#eef0f4" if self.diagonals and (r == c or r + c == side - 1) else "white"
            return Look("" if value is None else str(value), self.cells[r][c] is None, fill)

        def paint(axes: Axes, points: float) -> None:
            for cage in self.cages:
                _draw_cage(axes, cage, points)

        looks, walls = grid_of_cells((side, side), look), walls_between(self.boxes)
        if drawing or not self.cages:
            return Picture(looks, *walls, paint=paint)
        right, below = walls
        cage_of = {cell: k for k, cage in enumerate(self.cages) for cell in cage.cells}
        beside = {cell for cell, k in cage_of.items() if cage_of.get((cell[0], cell[1] + 1)) == k}
        above = {cell for cell, k in cage_of.items() if cage_of.get((cell[0] + 1, cell[1])) == k}
        # A wall inside a cage is the border of a box, and is dashed.
        marks = {(r, c, "right"): "┇" for r, c in beside if right(r, c)}
        marks |= {(r, c, "below"): "┅┅┅" for r, c in above if below(r, c)}
        # The cell above has room for the sum on its lower border. Cells of a cage are sorted, so the first is the top
        # one.
        marks |= {(cage.cells[0][0] - 1, cage.cells[0][1], "below"): str(cage.total)[:3] for cage in self.cages}
        return Picture(
            looks,
            lambda r, c: right(r, c) or (None if (r, c) in beside else False),
            lambda r, c: below(r, c) or (None if (r, c) in above else False),
            border_marks=marks,
        )


def _draw_cage(axes: Axes, cage: Cage, points: float) -> None:
    inside = set(cage.cells)
    for r, c in cage.cells:
        for dr, dc in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            if (r + dr, c + dc) not in inside:
                axes.plot(*_edge(inside, r, c, dr, dc), color=_CAGE, linewidth=0.8, dashes=(3, 2), zorder=2.2)
    r, c = cage.cells[0]
    box = {"facecolor": "white", "edgecolor": "none", "pad": 0.6}
    spot = (c + 0.05, r + 0.05)
    axes.text(*spot, str(cage.total), color=INK, fontsize=points * 0.2, ha="left", va="top", bbox=box, zorder=4)


def _edge(inside: set[Cell], r: int, c: int, dr: int, dc: int) -> tuple[list[float], list[float]]:
    """Return one side of a cell as columns and rows of its ends, slightly inside the cell."""
    ends = []
    for way in (-1, 1):
        step = (way, 0) if dr == 0 else (0, way)
        beside = (r + step[0], c + step[1])
        # At an outer corner an end meets the next side of the cell. Along a straight border it continues to the next
        # cell. At an inner corner it reaches past the cell to the border around it.
        reach = 0.5 - _INSET
        if beside in inside:
            reach = 0.5 + (_INSET if (beside[0] + dr, beside[1] + dc) in inside else 0)
        ends.append(way * reach)
    across = (0.5 - _INSET) * (dr + dc)
    if dr:
        return [c + 0.5 + end for end in ends], [r + 0.5 + across] * 2
    return [c + 0.5 + across] * 2, [r + 0.5 + end for end in ends]


def _read_solo(code: Code) -> Draft:
    # Solo counts blocks: C columns of them and R rows, so a block is C rows high and R columns wide.
    height, width, side = code.rows, code.columns, code.rows * code.columns
    jigsaw, killer = "j" in code.flags, "k" in code.flags
    # A jigsaw is written by its side alone, so the second number of the size is 1.
    if jigsaw and width != 1:
        fault = "a jigsaw whose blocks have a shape: write its side alone, such as 9j"
        raise code.fault(fault, -1 - len(code.flags))
    if not 1 <= side <= MAX_SIDE:
        raise code.line.fault(f"{side} rows: a board has 1 to {MAX_SIDE}; give another one", 1)
    parts = [(part[1], part.start(1)) for part in re.finditer(r"(?:^|,)([^,]*)", code.body)]
    # The parts are the values, the blocks of a jigsaw, and the cages of a killer with their sums.
    if len(parts) != (number := 1 + jigsaw + 2 * killer):
        raise code.fault(f"the game id has {len(parts)} parts between commas, not {number}: copy all of it", 0)
    cells = _in_rows(_solo_cells(code, *parts[0]), side, code)
    regions = number_boxes(_solo_blocks(code, *parts[1], side)) if jigsaw else ()
    cages = []
    if killer:
        sums = _in_rows(_solo_cells(code, *parts[-1]), side, code)
        for block in cells_by_name(_solo_blocks(code, *parts[-2], side)).values():
            written = [total for r, c in block if (total := sums[r][c]) is not None]
            if len(written) != 1:
                fault = f"the cage of {cell_name(block[0])} has {len(written)} sums: copy the id again"
                raise code.fault(fault, parts[-1][1])
            cages.append(Cage(written[0], tuple(block)))
    box = None if jigsaw else (height, width)
    return Draft((cells, box, "x" in code.flags, regions, tuple(cages)), anywhere=code.line)


def _solo_blocks(code: Code, part: str, at: int, side: int) -> Grid:
    """Return blocks from the borders between cells: those right of cells, row by row, then those below, by column.

    Letters count the borders without a line before the next one with a line: ``_`` none, ``a``..``y`` 1 to 25; ``z`` is
    25 of them and no line. A last line comes after the last border.
    """
    # Each row has side - 1 borders between its cells, and so has each column.
    inner = side * (side - 1)
    if odd := re.search("[^_a-z]", part):
        fault = f"unknown {odd[0]!a} among the blocks of a game id: they are letters a..z and _"
        raise code.fault(fault, at + odd.start())
    steps = list(code.steps("`", letters=part))
    borders = steps[-1][0] - 1 if steps else -1
    if borders != 2 * inner:
        fault = f"the game id tells {borders} borders of its blocks, not {2 * inner}: copy all of it"
        raise code.fault(fault, at + len(part) - 1)
    lines = {at - 1 for at, letter in steps if letter != "z"}
    return draw_rooms(
        (side, side), lambda r, c: r * (side - 1) + c in lines, lambda r, c: inner + c * (side - 1) + r in lines
    )


def _solo_cells(code: Code, part: str, at: int) -> list[int | None]:
    """Yield cells of a part of a Solo id: numbers are clues, letters 1 to 26 empty cells, ``_`` separates numbers."""
    cells: list[int | None] = []
    for match in re.finditer(r"[0-9]+|.", part):
        word = match[0]
        if word.isdecimal() and len(word) <= 3:
            cells.append(int(word))
        elif "a" <= word <= "z":
            cells += [None] * (ord(word) - ord("a") + 1)
        elif word != "_":
            fault = f"unknown {word[:10]!a} in a game id: write numbers, letters a..z for runs of empty cells and _"
            raise code.fault(fault, at + match.start())
    return cells


def _read_link(code: Code) -> Draft:
    side, columns = code.check_size(MAX_SIDE)
    box = default_box(side)
    if side != columns or box is None:
        fault = f"a board of {columns} columns and {side} rows: a sudoku is square and has boxes"
        raise code.line.fault(fault, 1)
    cells, rest = code.numbers(side * side)
    if rest:
        raise code.fault(f"the link goes on with {rest[:3]!a} behind its {side * side} cells: copy it again")
    return Draft((_in_rows(cells, side, code), box), anywhere=code.line)


def _in_rows(cells: Sequence[int | None], side: int, code: Code) -> Cells:
    if len(cells) != side * side:
        raise code.fault(f"{len(cells)} cells, not {side} x {side} = {side * side}: copy all of it")
    return tuple(tuple(cells[k * side : (k + 1) * side]) for k in range(side))


def cages_of(rows: Sequence[Line], sums: Sequence[Line], side: int) -> tuple[Cage, ...]:
    """Return the cages that a grid of letters draws, with their sums from lines such as ``sums A=3 B=11``."""
    totals: dict[str, int] = {}
    names = cells_by_name(_square(rows, (FREE,), "a letter for each cage, . for a cell in none", side))
    for token in (token for line in sums for token in line.tokens()[1:]):
        match = _SUM.fullmatch(token.text)
        if match is None:
            raise token.fault(f"{token.text[:20]!a} is not a sum: write the cage and its sum, such as A=11")
        if match[1] in totals:
            raise token.fault(f"a second sum of cage {match[1]}: keep one of the two")
        if match[1] not in names:
            raise token.fault(f"a sum of cage {match[1]}, which has no cell: write it into the grid, or remove the sum")
        totals[match[1]] = int(match[2])
    for name, cells in names.items():
        if name not in totals:
            fault = f"cage {name} has no sum: write it in a line such as 'sums {name}=11'"
            raise by_cell(line.cells() for line in rows)[cells[0]].fault(fault)
    return tuple(Cage(totals[name], tuple(cells)) for name, cells in names.items())


def double_grid(upper: Sequence[Line], lower: Sequence[Line]) -> tuple[Sequence[Line], Regions, tuple[Cage, ...]]:
    """Split puzzlekit's two grids one below the other: values and boxes, or sums in their cages and cages.

    They become the rows of values (none where there are none), the boxes and the cages.
    """
    side = len(upper)
    grid = _square(lower, (FREE,), "a number for each box or cage", side)
    names = cells_by_name(grid)
    # As many areas as rows, each of as many cells: these are boxes. Cages differ in size.
    if len(names) == side and all(len(cells) == side for cells in names.values()):
        return upper, number_boxes(grid), ()
    sums = _square(upper, (FREE, "-"), "the sum of a cage in its first cell, - elsewhere", side)
    cages = []
    for name, cells in names.items():
        written = [(r, c) for r, c in cells if sums[r][c].isdecimal()]
        if len(written) != 1:
            fault = f"cage {name} has {len(written)} sums: write one, in its first cell"
            raise by_cell(line.cells() for line in upper)[(written or cells)[-1]].fault(fault)
        cages.append(Cage(int(sums[written[0][0]][written[0][1]]), tuple(cells)))
    return [], (), tuple(cages)


def _square(rows: Sequence[Line], allowed: Sequence[str], meant: str, side: int) -> Grid:
    grid = grid_of(rows, allowed, meant, letters=True)
    wanted = side or len(grid)
    if (len(grid), len(grid[0])) != (wanted, wanted):
        fault = f"{len(grid)} rows of {len(grid[0])} cells in a grid of a board of {wanted}x{wanted}: make them agree"
        raise rows[-1].fault(fault)
    return grid


def _draft(
    rows: Sequence[Row],
    side: int,
    areas: Mapping[str, Sequence[Line]],
    rules: tuple[Box | None, bool, Regions, tuple[Cage, ...]],
) -> Draft:
    """Return the board with its cells, and boxes of the usual shape where none are drawn."""
    box, diagonals, regions, cages = rules
    # A board has either drawn boxes or one shape for all boxes, never both.
    box = None if regions else box or default_box(side)
    if box is None and not regions:
        fault = f"{side} rows: no boxes of several rows and columns; use 4, 6, 8, 9, 10, 12, ... rows or a line 'box'"
        raise rows[-1][0].line.fault(fault) if rows else InputError(fault)
    cells = tuple(tuple(_value(token, side) for token in row) for row in rows) or ((None,) * side,) * side
    places: dict[Any, Token | Line] = {**by_cell(rows)}
    for label, lines in areas.items():
        places |= {(label, cell): token for cell, token in by_cell(line.cells() for line in lines).items()}
    return Draft((cells, box, diagonals, regions, cages), places)


def _lines(text: str) -> list[Line]:
    """Return the lines without those of bars alone, a frame around the board; keywords in small letters."""
    lines = (line for line in lines_of(text, _COMMENTS) if line.text.strip("| \t"))
    return [Line(a.number, re.sub(r"\w+", a.word, a.text, count=1)) if a.word in KEYWORDS else a for a in lines]


def _double(body: Sequence[Line]) -> Sequence[Line] | None:
    """Return the rows of puzzlekit's two grids, below a line such as ``9 9``; None if the text is something else."""
    size = body[0].size if body else None
    if size is None or size[0] != size[1] or len(body) != 2 * size[0] + 1:
        return None
    return body[1:] if all(len(row.words) == size[0] for row in body[1:]) else None


def _drop_size(body: Sequence[Line]) -> Sequence[Line]:
    """Return the lines of the board without a first line such as ``9 9``."""
    size = body[0].size
    if size is None or size[0] != size[1] or len(body) < 3:
        return body
    # A line such as "4 4" may be a row of two cells: it is the size only if the rows below are longer, or as many as it
    # says.
    return body[1:] if len(body[1].words) > 2 or size[0] == len(body) - 1 else body


def _drop_rules(body: Sequence[Line]) -> Sequence[Line]:
    # Where ``-`` is an empty cell, a line of nothing else is a row.
    dash_is_cell = any("-" in line.text and not _RULE.fullmatch(line.text) for line in body)
    return [
        line for line in body if not _RULE.fullmatch(line.text) or (dash_is_cell and not set(line.text) & set("+="))
    ]


def _looks_like_grid(body: Sequence[Line]) -> bool:
    """Return whether there are empty cells and values above 1, in nothing but the characters of a board."""
    size = body[0].size if body else None
    if size and size[0] != size[1] and size[0] == len(body) - 1:
        return False  # a line with the numbers of rows and columns says that it is not square
    words = " ".join(line.text.strip().split(":")[0] for line in body).replace("|", " ")
    if re.fullmatch(r"[0-9A-Ga-g._*\- ]+", words) is None or not set(words) & set(_BLANKS):
        return False
    if set(words) <= set("0123- ") and "-" in words:
        return False  # the tokens of a Galaxies board: the family has to be told
    if len(body) == 1 or _is_board(body[0], len(body)):
        words = body[0].text.strip().split(":")[0]
        cells = len(words.split()) if " " in words else len(words)
        near_square = abs(cells - round(math.sqrt(cells)) ** 2) < 2
        # Almost a square number is accepted, so that reading can report a missing cell. Zeros and ones may be another
        # family's.
        return cells > 14 and near_square and re.search("[2-9A-Ga-g]", words) is not None
    plain = [line.text.replace("|", " ").strip() for line in body]
    if is_numbered([text.split() if " " in text else list(text) for text in plain]):
        return False
    # Ones alone and one sign for empty cells may be a Takuzu too.
    only_ones = set(words) - {" "} in [{"1", blank} for blank in "._*-"] and default_box(len(body)) is not None
    return len(body) > 1 and (re.search("[2-9]", words) is not None or only_ones)


def _options(parts: Sections) -> tuple[Box | None, bool, Sequence[Line]]:
    """Return the box, whether there are diagonals, and the lines of sums that the header lines tell."""
    header, sums = parts.single("box"), parts.headers.get("sums", ())
    match = _BOX.fullmatch(header.text.strip()) if header else None
    if header and "boxes" in parts.blocks:
        raise header.fault("a line 'box' beside a grid 'boxes': keep one of the two", 1)
    if header and match is None:
        raise header.fault("write the rows and columns of a box as 'box 2x3'", 1)
    if sums and "cages" not in parts.blocks:
        raise sums[0].fault("sums without cages: draw them in a grid below a line 'cages'", 1)
    for label in ("sudoku", *LABELS):
        parts.flag(label)
    return (int(match[1]), int(match[2])) if match else None, parts.flag("diagonals"), sums


def _rows(body: Sequence[Line], optional: bool = False) -> Sequence[Row]:
    """Return the cells as they are written, row by row; none if that is ``optional``."""
    body = _drop_rules(_drop_size(body)) if body else body
    if not body and optional:
        return []
    if len(body) == 1 or (body and _is_board(body[0], len(body))):
        return _one_line(body)
    chars = [line.letters(" \t|") for line in body]
    words = [tuple(Token(w, k, line) for k, w in enumerate(re.findall(r"[^\s|]+", line.text), 1)) for line in body]
    side = len(body)
    # Either one word or one character is a cell: the way in which more rows have as many cells as there are rows.
    fitting = [sum(len(row) == side for row in rows) for rows in (words, chars)]
    by_words = fitting[0] >= fitting[1] if any(fitting) else min(map(len, words), default=0) > 1
    rows = words if by_words else chars
    # The size is not limited here: the two messages below say more.
    check_rows(rows, max(MAX_SIDE, side, *map(len, rows)), "such as 53..7....")
    if len(rows[0]) != side:
        fault = f"{side} rows of {len(rows[0])} cells: a sudoku is square; add or remove rows"
        raise body[-1].fault(fault, len(rows[0]))
    if side > MAX_SIDE:
        raise body[MAX_SIDE].fault(f"{side} rows: a board has at most {MAX_SIDE}")
    return rows


def _is_board(line: Line, rows: int) -> bool:
    """Return whether a line of a text of so many rows is as long as a whole board."""
    cells = line.text.strip().split(":")[0]
    return len(cells) >= 16 and math.isqrt(len(cells)) ** 2 == len(cells) != rows and not set(cells) & set(" |")


def _one_line(body: Sequence[Line]) -> Sequence[Row]:
    if len(body) > 1 and _is_board(body[1], len(body)):
        raise body[1].fault(f"{len(body)} boards of one line each: give one", 1)
    # Collections write a comment behind a colon.
    text = body[0].text.split(":")[0].strip()
    if len(body) > 1:
        fault = f"{len(text)} cells in the first of {len(body)} rows: a sudoku is square; add or remove cells"
        raise body[0].fault(fault, len(body) + 1)
    words = text.split()
    tokens = [Token(t, k, body[0]) for k, t in enumerate(words if len(words) > 1 else text, 1)]
    side = math.isqrt(len(tokens))
    if side * side != len(tokens) or side > MAX_SIDE:
        fault = f"{len(tokens)} cells in one line: a board has 16, 36, 64, 81, 144 or 256; add or remove cells"
        raise body[0].fault(fault, len(tokens))
    return [tokens[k * side : (k + 1) * side] for k in range(side)]


def _value(token: Token, side: int) -> int | None:
    text = token.text
    if text in _BLANKS:
        return None
    if re.fullmatch("[0-9]{1,3}", text):
        return int(text)
    if re.fullmatch("[A-Za-z]", text) and side > 9:
        return ord(text.upper()) - ord("A") + 10
    mend = f"write a value of 1..{side}{' (A is 10)' if side > 9 else ''}, or . for an empty cell"
    raise token.fault(f"unknown cell {text[:10]!a}: {mend}")
