"""What makes a board of zeros and ones faulty before anyone solves it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from gatesolve.puzzles.takuzu.board import MAX_SIDE, Cells, Line, Position, Rules, cell_name, lines_of, most_equal


class Fault(NamedTuple):
    """What is wrong with a board.

    Attributes:
        message: the fault and its mend.
        cell: the cell where it is, if it is in one.
        item: the kind of rule it is in and its number there, such as ``("sign", 0)``, if it is in one.
        contradicts: the board is well formed but has no solution.
    """

    message: str
    cell: Position | None = None
    item: tuple[str, int] | None = None
    contradicts: bool = False


def first_fault(cells: Cells, rules: Rules) -> Fault | None:
    """The first thing that makes this no board of zeros and ones, or None."""
    shape = _shape_fault(cells, rules)
    return shape or next((fault for fault in _faults(cells, rules) if not fault.contradicts), None)


def contradiction(cells: Cells, rules: Rules) -> str | None:
    """Why the board has no solution, where a line, a region or the signs show it."""
    return next((fault.message for fault in _faults(cells, rules) if fault.contradicts), None)


def _faults(cells: Cells, rules: Rules) -> Iterator[Fault]:
    yield from _region_faults(cells, rules)
    yield from _line_faults(cells, rules)
    yield from _sign_faults(cells, rules)


def _shape_fault(cells: Cells, rules: Rules) -> Fault | None:
    height, width = len(cells), len(cells[0]) if cells else 0
    if not 2 <= height <= MAX_SIDE or not 2 <= width <= MAX_SIDE:
        return Fault(f"a board of {height} rows and {width} columns: both must be 2 to {MAX_SIDE}; give another one")
    for r, row in enumerate(cells):
        if len(row) != width:
            return Fault(f"{len(row)} cells in a row but {width} in the first: mend its length", (r, 0))
        for c, value in enumerate(row):
            if value not in (None, 0, 1):
                return Fault(f"value {value}: a cell holds 0 or 1", (r, c))
    for kind, ones, lines, length in (
        ("rows", rules.row_ones, height, width),
        ("columns", rules.column_ones, width, height),
    ):
        if not ones and length % 2:
            return Fault(f"{kind} of {length} cells cannot be half ones: tell the ones of each in a line '{kind}'")
        if ones and len(ones) != lines:
            fault = f"{len(ones)} numbers of ones for {lines} {kind}: write one number, or -, for each"
            return Fault(fault, item=(kind, 0))
    return None


def _line_faults(cells: Cells, rules: Rules) -> Iterator[Fault]:
    for line in lines_of(cells, rules):
        length, most = len(line.cells), most_equal(len(line.cells), line.ring)
        if line.ones is not None and not length - most <= line.ones <= most:
            fault = f"{line.name} cannot have {line.ones} ones in {length} cells without three equal cells in line"
            yield Fault(f"{fault}: {length - most}..{most} would do", contradicts=True)
            return
        yield from _given_faults(cells, line)


def _given_faults(cells: Cells, line: Line) -> Iterator[Fault]:
    """Clues of a line that contradict each other."""
    length = len(line.cells)
    values = [cells[r][c] for r, c in line.cells]
    for k in range(length if line.ring and length > 2 else length - 2):
        if values[k] is not None and values[k] == values[(k + 1) % length] == values[(k + 2) % length]:
            name = cell_name(line.cells[k])
            yield Fault(f"three given cells with {values[k]} in line in {line.name}, from {name} on", contradicts=True)
    if line.ones is None:
        return
    for value, allowed in ((0, length - line.ones), (1, line.ones)):
        found = [position for position, given in zip(line.cells, values, strict=True) if given == value]
        if len(found) > allowed:
            fault = f"{len(found)} given cells with {value} in {line.name}, which holds {allowed}"
            yield Fault(fault, contradicts=True)


def _region_faults(cells: Cells, rules: Rules) -> Iterator[Fault]:
    for k, region in enumerate(rules.regions):
        item = ("region", k)
        for position in region.cells:
            if not _inside(cells, position):
                yield Fault(f"no cell {cell_name(position)} on the board: mend the region", item=item)
                return
            if region.cells.count(position) > 1:
                yield Fault(f"cell {cell_name(position)} twice in one region: write it once", item=item)
        given = [cells[r][c] for r, c in region.cells]
        least, most = given.count(1), len(given) - given.count(0)
        if region.least > most or region.most < least:
            fault = f"a region of {len(given)} cells cannot have {region.ones} ones: its clues leave {least}..{most}"
            yield Fault(f"{fault} ({cell_name(region.cells[0])} ...)", contradicts=True)


def _inside(cells: Cells, position: Position) -> bool:
    return 0 <= position[0] < len(cells) and 0 <= position[1] < len(cells[0])


def _sign_faults(cells: Cells, rules: Rules) -> Iterator[Fault]:
    """Signs off the board, and signs that contradict the clues or each other.

    Cells joined by signs form groups that are known but for one value; given cells all
    join the group of the constant zero. Each cell keeps the way to its group's root and
    whether it differs from it.
    """
    zero = (-1, -1)
    to_root: dict[Position, tuple[Position, int]] = {}

    def root_of(position: Position) -> tuple[Position, int]:
        differs = 0
        while position in to_root:
            position, step = to_root[position]
            differs ^= step
        return position, differs

    given = [((r, c), v, zero) for r, row in enumerate(cells) for c, v in enumerate(row) if v is not None]
    for position, value, _ in given:
        to_root[position] = (zero, value)
    for k, sign in enumerate(rules.signs):
        for position in (sign.first, sign.second):
            if not _inside(cells, position):
                yield Fault(f"no cell {cell_name(position)} on the board: mend the sign", item=("sign", k))
                return
        (a, differs_a), (b, differs_b) = root_of(sign.first), root_of(sign.second)
        differ = differs_a ^ differs_b ^ (not sign.equal)
        if a != b:
            # the root of the given cells stays a root
            to_root[b if a == zero else a] = (a if a == zero else b, differ)
        elif differ:
            pair = f"{cell_name(sign.first)} {'=' if sign.equal else 'x'} {cell_name(sign.second)}"
            yield Fault(f"the sign {pair} contradicts the clues and the signs before it", contradicts=True)
