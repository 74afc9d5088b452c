"""The Queens board: the number of queens in its parts, the reach of queens, its faults, and the judging.

The judging is independent of the model: queens are counted, and for each pair it is checked whether some number of
steps leads from one to the other. It uses no lines of cells.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import lcm
from typing import ClassVar, NamedTuple

from gatesolve.puzzles.base import Fault
from gatesolve.puzzles.grid import CLOSED, FREE, Cell, Grid, Wrap, by_cell, cells_by_name, describe_pieces, named_lines
from gatesolve.puzzles.pieces import MANY, PieceBoard, PieceGroup, PieceRange, name_regions
from gatesolve.puzzles.reading import count

QUEEN = "Q"
MARKS = (FREE, QUEEN, *CLOSED)


class AttackSlope(NamedTuple):
    """A line of attack: steps of ``rows`` down and ``columns`` to the right, and their mirror images.

    If ``one_way``, queens attack in this direction only. The reach is the number of steps that they attack along it;
    None for the board's default.
    """

    rows: int
    columns: int
    one_way: bool = False
    reach: int | None = None

    @property
    def steps(self) -> tuple[Cell, ...]:
        """The directions in which queens attack."""
        p, q = self.rows, self.columns
        return ((p, q),) if self.one_way else tuple(dict.fromkeys(((p, q), (p, -q), (-p, q), (-p, -q))))

    def __str__(self) -> str:
        if self.one_way:
            word = f"{self.rows:+}/{self.columns:+}"
        else:
            word = "1" if (self.rows, self.columns) == (1, 1) else f"{self.rows}/{self.columns}"
        return word if self.reach is None else f"{word}*{'all' if self.reach == MANY else self.reach}"


DIAGONALS = (AttackSlope(1, 1),)


@dataclass(frozen=True)
class QueensBoard(PieceBoard):
    """A Queens puzzle as it was read.

    Attributes:
        marks: the board, one character a cell: ``.`` free, ``Q`` a queen that is given, ``#`` a cell without a queen,
            ``@`` one outside the board.
        rows: number of queens in each row.
        columns: number of queens in each column.
        colours: the name of each cell's region, ``.`` for none; no rows when there are no such regions.
        counts: number of queens in each region of ``colours``, in order of appearance.
        extra: further regions, which may overlap.
        slopes: lines along which queens attack.
        reach: number of steps that each cell's queen attacks along them; one row of one number when all are equal.
        attacks: cells whose queen attacks further cells, each with those.
        wrap: the edges of the board that meet.
    """

    marks: tuple[str, ...]
    rows: tuple[PieceRange, ...]
    columns: tuple[PieceRange, ...]
    colours: Grid = ()
    counts: tuple[PieceRange, ...] = ()
    extra: tuple[PieceGroup, ...] = ()
    slopes: tuple[AttackSlope, ...] = DIAGONALS
    reach: tuple[tuple[int, ...], ...] = ((MANY,),)
    attacks: tuple[tuple[Cell, tuple[Cell, ...]], ...] = ()
    wrap: Wrap = "none"

    piece: ClassVar[str] = "queen"
    clash: ClassVar[str] = "attack each other"

    @property
    def size(self) -> tuple[int, int]:
        return len(self.marks), len(self.marks[0])

    def usable(self) -> list[Cell]:
        return [cell for cell, mark in by_cell(self.marks).items() if mark not in CLOSED]

    def list_given(self) -> list[Cell]:
        return [cell for cell, mark in by_cell(self.marks).items() if mark == QUEEN]

    def reach_of(self, cell: Cell) -> int:
        """Return the number of steps that a queen on a cell attacks."""
        return self.reach[0][0] if self.uniform else self.reach[cell[0]][cell[1]]

    @property
    def uniform(self) -> bool:
        """Return whether queens have the same reach from every cell."""
        return len(self.reach) == 1 and len(self.reach[0]) == 1

    def list_regions(self) -> list[PieceGroup]:
        """Return the regions of the letter grid."""
        cells = cells_by_name(self.colours)
        return [PieceGroup(name, n, tuple(cells[name])) for name, n in zip(cells, self.counts, strict=True)]

    def list_groups(self) -> Iterator[PieceGroup]:
        lines = zip(named_lines(self.size).items(), self.rows + self.columns, strict=True)
        yield from (PieceGroup(name, held, tuple(cells)) for (name, cells), held in lines)
        for region in (*self.list_regions(), *self.extra):
            yield region._replace(name=f"region {region.name}")

    def list_clashes(self, cells: Collection[Cell]) -> Iterator[tuple[Cell, Cell]]:
        return ((a, b) for a, b in combinations(cells, 2) if _sees(self, a, b) or _sees(self, b, a))

    def first_fault(self) -> Fault | None:
        fault = Fault("no cell of the board can hold a queen: write . for a free cell", (0, 0))
        return None if self.usable() else fault

    @property
    def contradiction(self) -> str | None:
        return super().contradiction or _count_fault(self)

    @property
    def doubt(self) -> str | None:
        return describe_pieces((f"region {name}", cells) for name, cells in cells_by_name(self.colours).items())


def _sees(board: QueensBoard, a: Cell, b: Cell) -> bool:
    """Return whether ``a`` attacks ``b``, by steps within its reach or by its further attacks."""
    if any(cell == a and b in others for cell, others in board.attacks):
        return True
    height, width = board.size
    for p, q, one_way, reach in board.slopes:
        # After lcm(rows, columns) steps every closed line is complete.
        farthest = min(board.reach_of(a) if reach is None else reach, lcm(height, width))
        for dr, dc in ((p, q),) if one_way else ((p, q), (p, -q), (-p, q), (-p, -q)):
            for steps in range(1, farthest + 1):
                down, right = b[0] - a[0] - steps * dr, b[1] - a[1] - steps * dc
                if board.wrap == "torus":
                    down %= height
                elif abs(steps * dr) >= height:
                    break
                if board.wrap != "none":
                    right %= width
                elif abs(steps * dc) >= width:
                    break
                if down == 0 == right:
                    return True
    return False


def _count_fault(board: QueensBoard) -> str | None:
    """Return the fault if rows, columns and a division into regions cannot all hold the same number of queens."""
    low, high = _total(board.rows)
    covered = {cell for region in board.list_regions() for cell in region.cells} >= set(board.usable())
    for name, counts, everywhere in (("column", board.columns, True), ("region", board.counts, covered)):
        held = _total(counts)
        if counts and (held[0] > high or (everywhere and held[1] < low)):
            queens = "queen" if held == (1, 1) else "queens"
            fault = f"the {_hold(len(counts), name)} {_range(*held)} {queens}"
            fault += f" but the {_hold(board.size[0], 'row')} {_range(low, high)}"
            return fault if name == "column" else fault + name_regions(board.colours)
    return None


def _hold(number: int, noun: str) -> str:
    return f"{count(number, noun)} hold{'s' if number == 1 else ''}"


def _total(counts: Sequence[PieceRange]) -> tuple[int, int]:
    return sum(one.low for one in counts), min(MANY, sum(one.high for one in counts))


def _range(low: int, high: int) -> str:
    return str(low) if low == high else f"{low} or more" if high == MANY else f"{low}..{high}"
