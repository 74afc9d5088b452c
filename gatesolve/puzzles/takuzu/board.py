"""The board of zeros and ones that Takuzu and Tango share, with every rule a board may add."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from gatesolve.puzzles.grid import Cell, cell_name

Cells = tuple[tuple[int | None, ...], ...]
"""Given zeros and ones row by row, None for an empty cell."""
Wrap = Literal["none", "rows", "columns", "both"]
"""Which lines are rings, their last cell beside their first: all rows, all columns, or both (a torus)."""
WRAPS: tuple[Wrap, ...] = get_args(Wrap)

MAX_SIDE = 50
"""Most rows or columns of a board; far above what any backend could hold."""


@dataclass(frozen=True)
class Sign:
    """Two cells that are equal (``=``) or different (``x``), however far apart."""

    first: Cell
    equal: bool
    second: Cell

    def __str__(self) -> str:
        return f"{cell_name(self.first)} {'=' if self.equal else 'x'} {cell_name(self.second)}"


@dataclass(frozen=True)
class Region:
    """Cells that hold ``least`` to ``most`` ones; regions may overlap."""

    least: int
    most: int
    cells: tuple[Cell, ...]

    @property
    def ones(self) -> str:
        """The number of ones as it is written: ``2``, or ``1..3``."""
        return str(self.least) if self.least == self.most else f"{self.least}..{self.most}"


@dataclass(frozen=True)
class Rules:
    """What a board asks for besides its clues; no three equal cells in line is always asked.

    Attributes:
        unique: no two rows are equal, and no two columns.
        row_ones: ones in each row, None where any number will do; empty for half of every row.
        column_ones: the same of each column.
        diagonals: no three equal cells in line diagonally either.
        wrap: which lines are rings.
        regions: cells with a count of ones.
        signs: pairs of equal or different cells.
    """

    unique: bool = True
    row_ones: tuple[int | None, ...] = ()
    column_ones: tuple[int | None, ...] = ()
    diagonals: bool = False
    wrap: Wrap = "none"
    regions: tuple[Region, ...] = ()
    signs: tuple[Sign, ...] = ()


@dataclass(frozen=True)
class Line:
    """One row or column.

    Attributes:
        kind: ``row`` or ``column``.
        number: 0-based.
        cells: its cells in order.
        ones: how many ones it holds, None for any number.
        ring: whether its last cell is beside its first.
    """

    kind: Literal["row", "column"]
    number: int
    cells: tuple[Cell, ...]
    ones: int | None
    ring: bool

    @property
    def name(self) -> str:
        """Such as ``row 1``: counted from 1."""
        return f"{self.kind} {self.number + 1}"


def lines_of(cells: Cells, rules: Rules) -> tuple[Line, ...]:
    """The rows, then the columns."""
    height, width = len(cells), len(cells[0])
    rows, columns = rules.row_ones or (width // 2,) * height, rules.column_ones or (height // 2,) * width
    row_ring, column_ring = rules.wrap in ("rows", "both"), rules.wrap in ("columns", "both")
    across = [Line("row", r, tuple((r, c) for c in range(width)), rows[r], row_ring) for r in range(height)]
    down = [Line("column", c, tuple((r, c) for r in range(height)), columns[c], column_ring) for c in range(width)]
    return *across, *down


def diagonal_triples(cells: Cells, wrap: Wrap) -> list[tuple[Cell, Cell, Cell]]:
    """Three cells in line diagonally, down to the right and down to the left, over the edges of rings too."""
    height, width = len(cells), len(cells[0])
    down, across = wrap in ("columns", "both") and height > 2, wrap in ("rows", "both") and width > 2
    triples = []
    for step in (1, -1):
        for r in range(height if down else height - 2):
            columns = range(width) if across else range(width - 2) if step == 1 else range(2, width)
            for c in columns:
                a, b, d = (((r + k) % height, (c + step * k) % width) for k in range(3))
                triples.append((a, b, d))
    return triples


def most_equal(length: int, ring: bool) -> int:
    """Most equal cells of a line without three in a row."""
    if ring and length > 2:
        return 2 * length // 3
    return length - length // 3
