"""The Star Battle board, what makes one faulty, and the rules, judged on stars that stand on it.

The judging is written apart from the model: stars are counted and measured from each other one by one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from gatesolve.puzzles.base import Fault, misread
from gatesolve.puzzles.grid import (
    CLOSED,
    FREE,
    Cell,
    Grid,
    by_cell,
    cell_name,
    cells_by_name,
    list_touching,
    name_regions,
    piece_fault,
)
from gatesolve.puzzles.reading import count


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
