"""Boards with pieces of one kind: the number in each line and region, and the judging."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Collection, Iterable, Mapping
from typing import ClassVar, NamedTuple

from gatesolve.puzzles.base import misread
from gatesolve.puzzles.grid import Cell, Grid, cell_name, cells_by_name, cells_text
from gatesolve.puzzles.reading import MAX_SIDE, Token, count

MANY = MAX_SIDE * MAX_SIDE
"""More pieces than fit, and farther than any board: no upper limit, and no limit of sight."""
_RANGE = re.compile(r"(\d{1,4})(?:\.\.(\d{1,4}|\*))?|\*")


class PieceRange(NamedTuple):
    """A number of pieces: ``low`` to ``high``, both included."""

    low: int
    high: int

    def __str__(self) -> str:
        if self.low == self.high:
            return str(self.low)
        return f"{self.low}..{'*' if self.high == MANY else self.high}" if self.low or self.high < MANY else "*"


ONE = PieceRange(1, 1)


def read_range(token: Token, what: str) -> PieceRange:
    """Return a number of pieces, of the plural ``what``, such as ``1``, ``0..2`` or ``*`` for any."""
    match = _RANGE.fullmatch(token.text)
    if match is None:
        raise token.fault(f"{token.shown} is not a number of {what}: write one such as 1, 0..2 or *")
    low = int(match[1] or 0)
    high = MANY if token.text.endswith("*") else int(match[2] or low)
    if low > high:
        raise token.fault(f"{token.text} is empty: write the smaller number first, {high}..{low}")
    return PieceRange(low, high)


class PieceGroup(NamedTuple):
    """Cells with a common number of pieces, such as a row or a region."""

    name: str
    held: PieceRange
    cells: tuple[Cell, ...]


def name_regions(grid: Grid) -> str:
    """Return the regions' names and the smallest, often a mistyped one, for a fault in their number."""
    cells = cells_by_name(grid)
    if len(cells) < 2:
        return ""
    smallest = min(cells, key=lambda name: len(cells[name]))
    return f": regions {' '.join(cells)}, the smallest {smallest} at {cells_text(cells[smallest][:1])}"


class PieceBoard:
    """A board that is judged by counting its pieces and by searching for two that ``clash``, by the verb for it.

    The variable of each cell that can hold a piece, such as ``r1c2``, is 1 where one stands.
    """

    piece: ClassVar[str]
    clash: ClassVar[str]

    @abstractmethod
    def usable(self) -> Collection[Cell]:
        """Return the cells that can hold a piece, row by row."""

    @abstractmethod
    def list_given(self) -> Collection[Cell]:
        """Return the cells of the pieces that are given."""

    @abstractmethod
    def list_groups(self) -> Iterable[PieceGroup]:
        """Return everything that holds a number of pieces: rows, columns, regions."""

    @abstractmethod
    def list_clashes(self, cells: Collection[Cell]) -> Iterable[tuple[Cell, Cell]]:
        """Return the pairs of some cells on which no two pieces may stand."""

    @property
    def contradiction(self) -> str | None:
        """Return why the board has no solution, if a line, a region or two given pieces show it."""
        usable, given = set(self.usable()), self.list_given()
        for name, held, cells in self.list_groups():
            room, placed = len(usable & set(cells)), len(set(given) & set(cells))
            if held.low > room:
                return f"{name} has {count(room, 'cell')} for its {held} {self.piece}{'' if held == ONE else 's'}"
            if placed > held.high:
                return f"{placed} {self.piece}s are given in {name}, which holds {held}"
        for a, b in self.list_clashes(given):
            return f"the given {self.piece}s at {cell_name(a)} and {cell_name(b)} {self.clash}"
        return None

    def check(self, solution: Mapping[str, int]) -> list[str]:
        """Judge a finished board by counting, without the model."""
        usable = {cell_name(cell): cell for cell in self.usable()}
        stranger = f"cannot hold a {self.piece}"
        broken = misread(solution, dict.fromkeys(usable, (0, 1)), stranger, "not 0 or 1")
        standing = [cell for name, cell in usable.items() if solution.get(name) == 1]
        missing = (cell_name(cell) for cell in self.list_given() if cell not in standing)
        broken += [f"{name} has no {self.piece} where one is given" for name in missing]
        pairs = ((cell_name(a), cell_name(b)) for a, b in self.list_clashes(standing))
        broken += [f"{self.piece}s at {a} and {b} {self.clash}" for a, b in pairs]
        for name, held, cells in self.list_groups():
            number = len(set(cells) & set(standing))
            if not held.low <= number <= held.high:
                broken.append(f"{name} has {count(number, self.piece)}, not {held}")
        return broken
