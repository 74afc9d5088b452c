"""The board of zeros and ones of Takuzu and Tango: its optional rules, its faults, and the judging.

The judging is independent of the model on purpose: lines are read as strings, without tables or sums.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

from gatesolve.puzzles.base import Fault, misread
from gatesolve.puzzles.grid import Cell, by_cell, cell_name, named_lines
from gatesolve.puzzles.pieces import PieceGroup

Cells = tuple[tuple[int | None, ...], ...]
"""Given zeros and ones row by row, None for an empty cell."""
Wrap = Literal["none", "rows", "columns", "both"]
"""The lines that are rings, with their last cell next to their first: all rows, all columns, or both (a torus)."""
WRAPS: tuple[Wrap, ...] = get_args(Wrap)
MAX_SIDE = 50


@dataclass(frozen=True)
class Sign:
    """Two cells that are equal (``=``) or different (``x``), at any distance."""

    first: Cell
    equal: bool
    second: Cell

    def __str__(self) -> str:
        return f"{cell_name(self.first)} {'=' if self.equal else 'x'} {cell_name(self.second)}"


@dataclass(frozen=True)
class Rules:
    """The rules of a board besides its clues; no three equal cells in line always holds.

    Attributes:
        unique: no two rows are equal, and no two columns.
        row_ones: number of ones in each row, None for any number; empty for half of every row.
        column_ones: number of ones in each column, likewise.
        diagonals: no three equal cells in line diagonally either.
        wrap: which lines are rings.
        regions: cells with a number of ones; they may overlap.
        signs: pairs of equal or different cells.
    """

    unique: bool = True
    row_ones: tuple[int | None, ...] = ()
    column_ones: tuple[int | None, ...] = ()
    diagonals: bool = False
    wrap: Wrap = "none"
    regions: tuple[PieceGroup, ...] = ()
    signs: tuple[Sign, ...] = ()

    @property
    def rings(self) -> tuple[bool, bool]:
        """Whether the rows are rings, and whether the columns are."""
        return self.wrap in ("rows", "both"), self.wrap in ("columns", "both")


@dataclass(frozen=True)
class TakuzuLine:
    """One row or column, such as ``row 1``, and its ones, None for any number; the ends of a ring are neighbours."""

    name: str
    cells: tuple[Cell, ...]
    ones: int | None
    ring: bool

    @property
    def triples(self) -> list[tuple[Cell, ...]]:
        """Return each three cells in line, across the ends of a ring too."""
        n = len(self.cells)
        # A ring of two cells has no three different ones.
        starts = range(n if self.ring and n > 2 else n - 2)
        return [tuple(self.cells[(k + i) % n] for i in range(3)) for k in starts]


def takuzu_lines(cells: Cells, rules: Rules) -> tuple[TakuzuLine, ...]:
    """Return the rows, then the columns."""
    height, width = len(cells), len(cells[0])
    ones = (rules.row_ones or (width // 2,) * height) + (rules.column_ones or (height // 2,) * width)
    rings = [rules.rings[0]] * height + [rules.rings[1]] * width
    named = named_lines((height, width))
    return tuple(map(TakuzuLine, named, map(tuple, named.values()), ones, rings))


def list_triples(cells: Cells, rules: Rules) -> list[tuple[Cell, ...]]:
    """Return all three cells that may not be equal: those of each line, then the diagonal ones."""
    straight = [triple for line in takuzu_lines(cells, rules) for triple in line.triples]
    return straight + (diagonal_triples(cells, rules.wrap) if rules.diagonals else [])


def diagonal_triples(cells: Cells, wrap: Wrap) -> list[tuple[Cell, ...]]:
    """Return three cells in line diagonally, down to the right and down to the left, across the edges of rings too."""
    height, width = len(cells), len(cells[0])
    down, across = wrap in ("columns", "both") and height > 2, wrap in ("rows", "both") and width > 2
    triples = []
    for step in (1, -1):
        for r in range(height if down else height - 2):
            columns = range(width) if across else range(width - 2) if step == 1 else range(2, width)
            triples += [tuple(((r + k) % height, (c + step * k) % width) for k in range(3)) for c in columns]
    return triples


@dataclass
class Ties:
    """Cells that are equal or opposite: each points to another cell, with 1 where it is the opposite."""

    parent: dict[Cell, tuple[Cell, int]]

    def root(self, cell: Cell) -> tuple[Cell, int]:
        """Return the cell that stands for this one, and 1 if this one is its opposite."""
        odd = 0
        while self.parent[cell][0] != cell:
            cell, step = self.parent[cell]
            odd ^= step
        return cell, odd

    def tie(self, first: Cell, second: Cell, odd: int) -> bool:
        """Tie two cells as equal (0) or opposite (1), and return whether earlier ties allow it.

        The leftmost cell, then the highest, stands for the others.
        """
        (a, x), (b, y) = self.root(first), self.root(second)
        if a == b:
            return x ^ y == odd
        keep, drop = sorted((a, b), key=lambda cell: (cell[1], cell[0]))
        self.parent[drop] = (keep, x ^ y ^ odd)
        return True


def most_equal(length: int, ring: bool) -> int:
    """Most equal cells of a line without three in a row."""
    if ring and length > 2:
        return 2 * length // 3
    return length - length // 3


class TakuzuBoard:
    """A board of zeros and ones, which ``symbols`` names: the variable ``r{i}c{j}`` of each cell is 0 or 1."""

    cells: Cells
    rules: Rules
    symbols: ClassVar[str] = "01"

    def first_fault(self) -> Fault | None:
        """Return the first fault of the board, or None.

        The place of a fault of a rule is its kind and its number, such as ``("sign", 0)``.
        """
        return _shape_fault(self.cells, self.rules) or next(_item_faults(self.cells, self.rules), None)

    def diagonal_triples(self) -> list[tuple[Cell, ...]]:
        """Return the cells in line diagonally that may not be equal, three each."""
        return diagonal_triples(self.cells, self.rules.wrap) if self.rules.diagonals else []

    @property
    def contradiction(self) -> str | None:
        kinds = (_region_contradictions, _line_contradictions, _sign_contradictions)
        return next((message for find in kinds for message in find(self.cells, self.rules)), None)

    def check(self, solution: Mapping[str, int]) -> list[str]:
        rules, symbols = self.rules, self.symbols
        names = {cell_name(cell): given for cell, given in by_cell(self.cells).items()}
        broken = misread(solution, dict.fromkeys(names, (0, 1)), "is not a cell of the board", "neither 0 nor 1")
        for name, given in names.items():
            if given is not None and solution.get(name) == 1 - given:
                broken.append(f"{name} is {symbols[1 - given]} where {symbols[given]} is given")
        if any(solution.get(name) not in (0, 1) for name in names):
            # The lines of an unfinished board are meaningless.
            return broken
        width = len(self.cells[0])
        rows = ["".join(symbols[solution[cell_name((r, c))]] for c in range(width)) for r in range(len(self.cells))]
        columns = ["".join(column) for column in zip(*rows, strict=True)]
        row_ring, column_ring = rules.rings
        broken += _broken_lines("row", rows, rules.row_ones, row_ring, rules.unique, symbols)
        broken += _broken_lines("column", columns, rules.column_ones, column_ring, rules.unique, symbols)
        if rules.diagonals:
            broken += _broken_diagonals(rows, row_ring, column_ring)
        return broken + list(_broken_relations(rows, rules, symbols))


def _shape_fault(cells: Cells, rules: Rules) -> Fault | None:
    height, width = len(cells), len(cells[0]) if cells else 0
    if not 2 <= height <= MAX_SIDE or not 2 <= width <= MAX_SIDE:
        return Fault(f"a board of {height} rows and {width} columns: both must be 2 to {MAX_SIDE}; give another one")
    for r, row in enumerate(cells):
        if len(row) != width:
            return Fault(f"{len(row)} cells in a row but {width} in the first: add or remove cells", (r, 0))
        for c, value in enumerate(row):
            if value not in (None, 0, 1):
                return Fault(f"value {value}: a cell holds 0 or 1", (r, c))
    kinds = (("rows", rules.row_ones, height, width), ("columns", rules.column_ones, width, height))
    for kind, ones, lines, length in kinds:
        if not ones and length % 2:
            return Fault(f"{kind} of {length} cells cannot be half ones: tell the ones of each in a line '{kind}'")
        if ones and len(ones) != lines:
            return Fault(f"{len(ones)} numbers of ones for {lines} {kind}: write one number, or -, for each", (kind, 0))
    return None


def _item_faults(cells: Cells, rules: Rules) -> Iterator[Fault]:
    """Yield cells of regions and signs that are not on the board, or twice in one region."""
    on_board = by_cell(cells)
    items = [("region", k, region.cells) for k, region in enumerate(rules.regions)]
    items += [("sign", k, (sign.first, sign.second)) for k, sign in enumerate(rules.signs)]
    for kind, k, listed in items:
        for cell in listed:
            if cell not in on_board:
                yield Fault(f"no cell {cell_name(cell)} on the board: correct the {kind}", (kind, k))
            if kind == "region" and listed.count(cell) > 1:
                yield Fault(f"cell {cell_name(cell)} twice in one region: write it once", (kind, k))


def _line_contradictions(cells: Cells, rules: Rules) -> Iterator[str]:
    for line in takuzu_lines(cells, rules):
        length, most = len(line.cells), most_equal(len(line.cells), line.ring)
        # The same bound holds for the zeros.
        if line.ones is not None and not length - most <= line.ones <= most:
            fault = f"{line.name} cannot have {line.ones} ones in {length} cells without three equal cells in line"
            yield f"{fault}: {length - most}..{most} would do"
        values = [cells[r][c] for r, c in line.cells]
        for triple in line.triples:
            value, *others = {cells[r][c] for r, c in triple}
            if value is not None and not others:
                yield f"three given cells with {value} in line in {line.name}, from {cell_name(triple[0])} on"
        if line.ones is not None:
            for value, allowed in ((0, length - line.ones), (1, line.ones)):
                if values.count(value) > allowed:
                    yield f"{values.count(value)} given cells with {value} in {line.name}, which holds {allowed}"


def _region_contradictions(cells: Cells, rules: Rules) -> Iterator[str]:
    for region in rules.regions:
        given = [cells[r][c] for r, c in region.cells]
        least, most = given.count(1), len(given) - given.count(0)
        if region.held.low > most or region.held.high < least:
            fault = f"a region of {len(given)} cells cannot have {region.held} ones: its clues leave {least}..{most}"
            yield f"{fault} ({cell_name(region.cells[0])} ...)"


def _sign_contradictions(cells: Cells, rules: Rules) -> Iterator[str]:
    # A cell off the board holds the constant zero, to which given cells are tied.
    zero = (-1, -1)
    on_board = by_cell(cells)
    ties = Ties({cell: (cell, 0) for cell in (zero, *on_board)})
    for cell, value in on_board.items():
        if value is not None:
            ties.tie(zero, cell, value)
    for sign in rules.signs:
        if not ties.tie(sign.first, sign.second, int(not sign.equal)):
            yield f"the sign {sign} contradicts the clues and the signs before it"


def _broken_lines(
    kind: str, lines: list[str], ones: tuple[int | None, ...], ring: bool, unique: bool, symbols: str
) -> Iterator[str]:
    for number, line in enumerate(lines, 1):
        # On a ring the first two cells follow the last.
        read = line + line[:2] if ring and len(line) > 2 else line
        for symbol in symbols:
            if symbol * 3 in read:
                yield f"{kind} {number}: {line} has three {symbol} in line"
        wanted = ones[number - 1] if ones else len(line) / 2
        if wanted is not None and line.count(symbols[1]) != wanted:
            yield f"{kind} {number}: {line} has {line.count(symbols[1])} times {symbols[1]}, not {wanted:g}"
        if unique and line in lines[: number - 1]:
            yield f"{kind} {number} equals {kind} {lines.index(line) + 1}: {line}"


def _broken_diagonals(rows: list[str], row_ring: bool, column_ring: bool) -> Iterator[str]:
    """Yield three in line diagonally, from their middle cell."""
    height, width = len(rows), len(rows[0])

    def at(r: int, c: int) -> str:
        """Return the content of a cell; nothing off the board."""
        # On a ring of two, the cells before and after the middle one are the same cell.
        if column_ring and height > 2:
            r %= height
        if row_ring and width > 2:
            c %= width
        return rows[r][c] if 0 <= r < height and 0 <= c < width else ""

    for r, row in enumerate(rows):
        for c, middle in enumerate(row):
            for slope in (1, -1):
                if at(r - 1, c - slope) == middle == at(r + 1, c + slope):
                    side = "right" if slope == 1 else "left"
                    yield f"three {middle} in line diagonally, down to the {side}, {cell_name((r, c))} in the middle"


def _broken_relations(rows: list[str], rules: Rules, symbols: str) -> Iterator[str]:
    for region in rules.regions:
        count = sum(rows[r][c] == symbols[1] for r, c in region.cells)
        if not region.held.low <= count <= region.held.high:
            yield f"region of {cell_name(region.cells[0])}: {count} times {symbols[1]}, not {region.held}"
    for sign in rules.signs:
        one, other = (rows[r][c] for r, c in (sign.first, sign.second))
        if (one == other) != sign.equal:
            yield f"{sign}: they are {one} and {other}"
