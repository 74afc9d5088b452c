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
    """What can be told to be wrong with a board without solving it, or None."""
    height, width = len(regions), len(regions[0])
    if stars < 1:
        return Fault(None, "a board with no stars: write 'stars 1' or more")
    if height != width:
        fault = f"{height} rows but {width} columns: with {stars} in each, both must hold as many stars; make it square"
        return Fault((height - 1, width - 1), fault)
    return _room_fault(regions, stars) or _placed_fault(regions, stars, placed)


def count_fault(regions: Grid, stars: int) -> Fault | None:
    """Rows and regions must ask for the same number of stars.

    This is apart from `first_fault`: such a board has no solution, but can be meant to have none.
    """
    cells: dict[str, list[Cell]] = {}
    for r, row in enumerate(regions):
        for c, name in enumerate(row):
            cells.setdefault(name, []).append((r, c))
    names = [name for name in cells if name not in (BLOCKED, OUTSIDE, FREE)]
    if not names or len(names) == len(regions) or (FREE in cells and len(names) < len(regions)):
        return None
    # With one too many, the smallest is the likeliest slip; with one too few, the largest.
    sized = sorted(names, key=lambda name: len(cells[name]))
    suspect = sized[0] if len(names) > len(regions) else sized[-1]
    fault = f"{len(names)} regions on {len(regions)} rows of {stars}: draw as many regions as rows"
    return Fault(cells[suspect][0], f"{fault}, or write 'unsolvable'")


def _room_fault(regions: Grid, stars: int) -> Fault | None:
    """Every row, column and region must have the cells for its stars."""
    cells = {
        (r, c): name for r, row in enumerate(regions) for c, name in enumerate(row) if name not in (BLOCKED, OUTSIDE)
    }
    rows, columns, names = Counter(r for r, _ in cells), Counter(c for _, c in cells), Counter(cells.values())
    for k in range(len(regions)):
        for place, count, cell in (("row", rows[k], (k, 0)), ("column", columns[k], (0, k))):
            if count < stars:
                return Fault(cell, f"{place} {k + 1} has {count} cells for its {stars} stars: open more, or ask fewer")
            if len(regions) < 2 * stars - 1:
                return Fault(
                    cell, f"{stars} stars that do not touch need {2 * stars - 1} cells in a {place}: ask fewer"
                )
    for cell, name in cells.items():
        if name != FREE and names[name] < stars:
            return Fault(cell, f"region {name} has {names[name]} cells for its {stars} stars: enlarge it, or ask fewer")
    return None


def _placed_fault(regions: Grid, stars: int, placed: Collection[Cell]) -> Fault | None:
    """Given stars must stand on cells for stars, apart, and not too many together."""
    counts: Counter[str] = Counter()
    for r, c in placed:
        if regions[r][c] in (BLOCKED, OUTSIDE):
            return Fault((r, c), "a star on a cell that holds none: remove it")
        places = [f"row {r + 1}", f"column {c + 1}"] + [f"region {regions[r][c]}"] * (regions[r][c] != FREE)
        counts.update(places)
        for place in places:
            if counts[place] > stars:
                return Fault((r, c), f"{counts[place]} stars given in {place}, which holds {stars}: remove one")
    for a, b in touching(placed):
        return Fault(b, f"the given stars at {cell_name(a)} and {cell_name(b)} touch: remove one")
    return None
