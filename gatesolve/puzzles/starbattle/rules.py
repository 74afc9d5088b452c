"""The rules of Star Battle, judged on stars that stand on a board, and what makes a board faulty.

Written apart from the model: stars are counted and measured from each other one by one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

from gatesolve.puzzles.base import Fault, misread
from gatesolve.puzzles.grid import BLOCKED, FREE, OUTSIDE, Cell, Grid, cell_name, cells_by_name, list_touching
from gatesolve.puzzles.reading import count


def broken_rules(regions: Grid, stars: int, placed: Collection[Cell], solution: Mapping[str, int]) -> list[str]:
    """The rules that a finished board breaks, in words; empty when it is right."""
    usable = {cell_name(cell): cell for cell in _usable(regions)}
    broken = misread(solution, dict.fromkeys(usable, (0, 1)), "holds no star: it is no cell for one", "not 0 or 1")
    standing = [cell for name, cell in usable.items() if solution.get(name) == 1]
    broken += [f"{cell_name(cell)} has no star where one is given" for cell in placed if cell not in standing]
    broken += [f"stars at {cell_name(a)} and {cell_name(b)} touch" for a, b in list_touching(standing)]
    for r in range(len(regions)):
        broken += _miscounted(f"row {r + 1}", sum(cell[0] == r for cell in standing), stars)
    for c in range(len(regions[0])):
        broken += _miscounted(f"column {c + 1}", sum(cell[1] == c for cell in standing), stars)
    for name, cells in sorted(cells_by_name(regions, (FREE, BLOCKED, OUTSIDE)).items()):
        broken += _miscounted(f"region {name}", len(set(cells) & set(standing)), stars)
    return broken


def _usable(regions: Grid) -> dict[Cell, str]:
    """The cells that can hold a star, each with the name of its region."""
    found = {(r, c): name for r, row in enumerate(regions) for c, name in enumerate(row)}
    return {cell: name for cell, name in found.items() if name not in (BLOCKED, OUTSIDE)}


def _miscounted(place: str, number: int, stars: int) -> list[str]:
    return [] if number == stars else [f"{place} has {count(number, 'star')}, not {stars}"]


def first_fault(regions: Grid, stars: int, placed: Collection[Cell]) -> Fault | None:
    """What makes this no Star Battle board, or None; that of a given star is in the grid ``board``."""
    height, width = len(regions), len(regions[0])
    if stars < 1:
        return Fault("a board with no stars: write 'stars 1' or more")
    if height != width:
        fault = f"{height} rows but {width} columns: with {stars} in each, both must hold as many stars; make it square"
        return Fault(fault, (height - 1, width - 1))
    if not _usable(regions):
        return Fault("no cell of the board can hold a star: write . or a region's letter for a free cell", (0, 0))
    for r, c in placed:
        if regions[r][c] in (BLOCKED, OUTSIDE):
            return Fault("a star on a cell that holds none: remove it", ("board", (r, c)))
    return None


def contradiction(regions: Grid, stars: int, placed: Collection[Cell]) -> str | None:
    """Why the board has no solution, where a row, column or region, their number, or the given stars show it."""
    found = _room_fault(regions, stars) or _placed_fault(regions, stars, placed)
    names = {name for row in regions for name in row}
    number = len(names - {BLOCKED, OUTSIDE, FREE})
    if found or not number or number == len(regions) or (FREE in names and number < len(regions)):
        return found
    return f"{number} regions of {stars} on {len(regions)} rows of {stars}: both must hold as many stars"


def _room_fault(regions: Grid, stars: int) -> str | None:
    """Every row, column and region must have the cells for its stars."""
    cells = _usable(regions)
    rows, columns, names = Counter(r for r, _ in cells), Counter(c for _, c in cells), Counter(cells.values())
    for k in range(len(regions)):
        for place, room in (("row", rows[k]), ("column", columns[k])):
            if room < stars:
                return f"{place} {k + 1} has {count(room, 'cell')} for its {count(stars, 'star')}"
    if len(regions) < 2 * stars - 1:
        return f"{stars} stars that do not touch need {2 * stars - 1} cells in a row"
    for name, room in names.items():
        if name != FREE and room < stars:
            return f"region {name} has {count(room, 'cell')} for its {stars} stars"
    return None


def _placed_fault(regions: Grid, stars: int, placed: Collection[Cell]) -> str | None:
    """Given stars must stand apart, and not too many together."""
    counts: Counter[str] = Counter()
    for r, c in placed:
        places = [f"row {r + 1}", f"column {c + 1}"] + [f"region {regions[r][c]}"] * (regions[r][c] != FREE)
        counts.update(places)
        for place in places:
            if counts[place] > stars:
                return f"{counts[place]} stars are given in {place}, which holds {stars}"
    for a, b in list_touching(placed):
        return f"the given stars at {cell_name(a)} and {cell_name(b)} touch"
    return None
