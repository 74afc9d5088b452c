"""The rules of Takuzu and Tango, judged on a finished board.

Written apart from the model on purpose: lines are read as strings, as a person
would, and nothing here uses the tables or sums that the model is made from.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gatesolve.puzzles.base import misread
from gatesolve.puzzles.grid import cell_name
from gatesolve.puzzles.takuzu.board import Cells, Rules


def broken_rules(cells: Cells, rules: Rules, solution: Mapping[str, int], symbols: str = "01") -> list[str]:
    """The rules that the board breaks once filled in, in words; ``symbols`` are what 0 and 1 are called there."""
    names = {cell_name((r, c)): given for r, row in enumerate(cells) for c, given in enumerate(row)}
    broken = misread(solution, dict.fromkeys(names, (0, 1)), "is not a cell of the board", "neither 0 nor 1")
    for name, given in names.items():
        if given is not None and solution.get(name) == 1 - given:
            broken.append(f"{name} is {symbols[1 - given]} where {symbols[given]} is given")
    if any(solution.get(name) not in (0, 1) for name in names):
        return broken  # the lines of an unfinished board mean nothing
    width = len(cells[0])
    rows = ["".join(symbols[solution[cell_name((r, c))]] for c in range(width)) for r in range(len(cells))]
    columns = ["".join(column) for column in zip(*rows, strict=True)]
    row_ring, column_ring = rules.wrap in ("rows", "both"), rules.wrap in ("columns", "both")
    broken += _broken_lines("row", rows, rules.row_ones, row_ring, rules.unique, symbols)
    broken += _broken_lines("column", columns, rules.column_ones, column_ring, rules.unique, symbols)
    if rules.diagonals:
        broken += _broken_diagonals(rows, row_ring, column_ring)
    return broken + list(_broken_relations(rows, rules, symbols))


def _broken_lines(
    kind: str, lines: list[str], ones: tuple[int | None, ...], ring: bool, unique: bool, symbols: str
) -> Iterator[str]:
    """Three in a row, wrong counts, and equal lines."""
    for number, line in enumerate(lines, 1):
        # on a ring the first two cells come again after the last
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
    """Three in line diagonally, seen from their middle cell."""
    height, width = len(rows), len(rows[0])

    def at(r: int, c: int) -> str:
        """What a cell holds; nothing off the board."""
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
    """Regions with wrong counts, and signs."""
    for region in rules.regions:
        count = sum(rows[r][c] == symbols[1] for r, c in region.cells)
        if not region.least <= count <= region.most:
            yield f"region of {cell_name(region.cells[0])}: {count} times {symbols[1]}, not {region.ones}"
    for sign in rules.signs:
        one, other = (rows[r][c] for r, c in (sign.first, sign.second))
        if (one == other) != sign.equal:
            yield f"{sign}: they are {one} and {other}"
