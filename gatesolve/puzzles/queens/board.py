"""The Queens board: its cells, how many queens its lines and regions hold, and how far queens see."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from gatesolve.puzzles.attack_lines import Step, Wrap
from gatesolve.puzzles.grid import BLOCKED, OUTSIDE, Cell, Grid, cell_name, cells_by_name
from gatesolve.puzzles.lettergrid import MAX_SIDE

QUEEN = "Q"
MANY = MAX_SIDE * MAX_SIDE
"""More queens than fit, and farther than any board: no upper end, and no end of sight."""


class Interval(NamedTuple):
    """How many queens: ``low`` to ``high``, both included."""

    low: int
    high: int

    def __str__(self) -> str:
        if self.low == self.high:
            return str(self.low)
        return f"{self.low}..{'*' if self.high == MANY else self.high}" if self.low or self.high < MANY else "*"


ONE = Interval(1, 1)


class Region(NamedTuple):
    """Cells that hold a number of queens together; regions may overlap."""

    name: str
    queens: Interval
    cells: tuple[Cell, ...]


class Slope(NamedTuple):
    """A line of attack: steps of ``rows`` down and ``columns`` to the right, and their mirror images.

    Attributes:
        rows: rows of one step.
        columns: columns of one step.
        one_way: in this direction only, without the mirror images.
        reach: how many steps a queen attacks along it; None for as many as the board says.
    """

    rows: int
    columns: int
    one_way: bool = False
    reach: int | None = None

    @property
    def steps(self) -> tuple[Step, ...]:
        """The directions in which queens attack."""
        p, q = self.rows, self.columns
        return ((p, q),) if self.one_way else tuple(dict.fromkeys(((p, q), (p, -q), (-p, q), (-p, -q))))

    def __str__(self) -> str:
        if self.one_way:
            word = f"{self.rows:+}/{self.columns:+}"
        else:
            word = "1" if (self.rows, self.columns) == (1, 1) else f"{self.rows}/{self.columns}"
        return word if self.reach is None else f"{word}*{'all' if self.reach == MANY else self.reach}"


DIAGONALS = (Slope(1, 1),)


@dataclass(frozen=True)
class Board:
    """A Queens puzzle as it is read.

    Attributes:
        marks: the board, one character a cell: ``.`` free, ``Q`` a queen that is given, ``#`` a cell
            that holds no queen, ``@`` one outside the board.
        rows: how many queens each row holds.
        columns: how many queens each column holds.
        colours: the name of each cell's region, ``.`` for none; no rows when there are no such regions.
        counts: how many queens each region of ``colours`` holds, in order of appearance.
        extra: further regions, which may overlap.
        slopes: lines along which queens attack.
        reach: how many steps each cell's queen attacks along them; one row of one number when all are equal.
        attacks: cells whose queen attacks further cells, each with those.
        wrap: which edges of the board meet.
    """

    marks: tuple[str, ...]
    rows: tuple[Interval, ...]
    columns: tuple[Interval, ...]
    colours: Grid = ()
    counts: tuple[Interval, ...] = ()
    extra: tuple[Region, ...] = ()
    slopes: tuple[Slope, ...] = DIAGONALS
    reach: tuple[tuple[int, ...], ...] = ((MANY,),)
    attacks: tuple[tuple[Cell, tuple[Cell, ...]], ...] = ()
    wrap: Wrap = "none"

    @property
    def size(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self.marks), len(self.marks[0])

    def usable(self) -> list[Cell]:
        """The cells that can hold a queen, row by row."""
        return [(r, c) for r, row in enumerate(self.marks) for c, m in enumerate(row) if m not in (BLOCKED, OUTSIDE)]

    def placed(self) -> list[Cell]:
        """The cells of the queens that are given."""
        return [(r, c) for r, row in enumerate(self.marks) for c, m in enumerate(row) if m == QUEEN]

    def reach_of(self, cell: Cell) -> int:
        """How many steps a queen on a cell attacks."""
        return self.reach[0][0] if self.uniform else self.reach[cell[0]][cell[1]]

    @property
    def uniform(self) -> bool:
        """Whether queens reach equally far from every cell."""
        return len(self.reach) == 1 and len(self.reach[0]) == 1

    def coloured(self) -> list[Region]:
        """The regions of the letter grid."""
        cells = cells_by_name(self.colours)
        return [Region(name, n, tuple(cells[name])) for name, n in zip(cells, self.counts, strict=True)]

    def counted(self) -> Iterator[Region]:
        """Everything that holds a number of queens: rows, columns, regions."""
        height, width = self.size
        for r, count in enumerate(self.rows):
            yield Region(f"row {r + 1}", count, tuple((r, c) for c in range(width)))
        for c, count in enumerate(self.columns):
            yield Region(f"column {c + 1}", count, tuple((r, c) for r in range(height)))
        for region in (*self.coloured(), *self.extra):
            yield region._replace(name=f"region {region.name}")


def cells_text(cells: tuple[Cell, ...]) -> str:
    """Cells by their names."""
    return " ".join(cell_name(cell) for cell in cells)
