"""The rules of Star Battle, judged on stars that stand on a board, and what makes a board faulty.

Written apart from the model: stars are counted and measured from each other one by one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from itertools import combinations

from gatesolve.puzzles.lettergrid import BLOCKED, FREE, OUTSIDE, Cell, Fault, Grid, cell_name


def broken_rules(regions: Grid, stars: int, placed: Collection[Cell], solution: Mapping[str, int]) -> list[str]:
    """The rules that a finished board breaks, in words; empty when it is right."""
    usable = {
        cell_name((r, c)): (r, c)
        for r, row in enumerate(regions)
        for c, region in enumerate(row)
        if region not in (BLOCKED, OUTSIDE)
    }
    broken = [f"{name} holds no star: it is no cell for one" for name in solution if name not in usable]
    broken += [f"{name} has no value" for name in usable if name not in solution]
    broken += [f"{n} is {v}, not 0 or 1" for n, v in solution.items() if n in usable and v not in (0, 1)]
    standing = [cell for name, cell in usable.items() if solution.get(name) == 1]
    broken += [f"{cell_name(cell)} has no star where one is given" for cell in placed if cell not in standing]
    broken += [f"stars at {cell_name(a)} and {cell_name(b)} touch" for a, b in touching(standing)]
    for r in range(len(regions)):
        broken += _miscounted(f"row {r + 1}", sum(cell[0] == r for cell in standing), stars)
    for c in range(len(regions[0])):
        broken += _miscounted(f"column {c + 1}", sum(cell[1] == c for cell in standing), stars)
    in_region = Counter(regions[r][c] for r, c in standing)
    for name in sorted({name for row in regions for name in row} - {FREE, BLOCKED, OUTSIDE}):
        broken += _miscounted(f"region {name}", in_region[name], stars)
    return broken


def _miscounted(place: str, count: int, stars: int) -> list[str]:
    return [] if count == stars else [f"{place} has {count} star{'' if count == 1 else 's'}, not {stars}"]


def touching(cells: Collection[Cell]) -> Iterator[tuple[Cell, Cell]]:
    """Pairs of cells that share a side or a corner."""
    return ((a, b) for a, b in combinations(cells, 2) if abs(a[0] - b[0]) <= 1 and abs(a[1] - b[1]) <= 1)


def first_fault(regions: Grid, stars: int, placed: Collection[Cell]) -> Fault | None:
    """What makes this no Star Battle board, or None."""
    height, width = len(regions), len(regions[0])
    if stars < 1:
        return Fault(None, "a board with no stars: write 'stars 1' or more")
    if height != width:
        fault = f"{height} rows but {width} columns: with {stars} in each, both must hold as many stars; make it square"
        return Fault((height - 1, width - 1), fault)
    if all(name in (BLOCKED, OUTSIDE) for row in regions for name in row):
        return Fault((0, 0), "no cell of the board can hold a star: write . or a region's letter for a free cell")
    for r, c in placed:
        if regions[r][c] in (BLOCKED, OUTSIDE):
            return Fault((r, c), "a star on a cell that holds none: remove it")
    return None


def contradiction(regions: Grid, stars: int, placed: Collection[Cell]) -> str | None:
    """Why the board has no solution, where a row, column or region, their number, or the given stars show it."""
    found = _room_fault(regions, stars) or _placed_fault(regions, stars, placed)
    names = {name for row in regions for name in row}
    count = len(names - {BLOCKED, OUTSIDE, FREE})
    if found or not count or count == len(regions) or (FREE in names and count < len(regions)):
        return found
    return f"{count} regions of {stars} on {len(regions)} rows of {stars}: both must hold as many stars"


def _room_fault(regions: Grid, stars: int) -> str | None:
    """Every row, column and region must have the cells for its stars."""
    cells = {
        (r, c): name for r, row in enumerate(regions) for c, name in enumerate(row) if name not in (BLOCKED, OUTSIDE)
    }
    rows, columns, names = Counter(r for r, _ in cells), Counter(c for _, c in cells), Counter(cells.values())
    for k in range(len(regions)):
        for place, count in (("row", rows[k]), ("column", columns[k])):
            if count < stars:
                return f"{place} {k + 1} has {count} cells for its {stars} stars"
    if len(regions) < 2 * stars - 1:
        return f"{stars} stars that do not touch need {2 * stars - 1} cells in a row"
    for name, count in names.items():
        if name != FREE and count < stars:
            return f"region {name} has {count} cells for its {stars} stars"
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
    for a, b in touching(placed):
        return f"the given stars at {cell_name(a)} and {cell_name(b)} touch"
    return None
