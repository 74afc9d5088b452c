"""Cells of a board: their names, their neighbours, regions of them, and lines of attack across them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, TypeVar

from gatesolve.puzzles.emoji import is_emoji

Cell = tuple[int, int]
"""0-based row and column."""
Grid = tuple[tuple[str, ...], ...]
"""One token a cell, row by row."""
T = TypeVar("T")
FREE, BLOCKED, OUTSIDE = ".", "#", "@"
"""An empty cell, a cell where nothing may stand, and a cell outside an irregular board."""
CLOSED = (BLOCKED, OUTSIDE)
"""The marks of cells that hold no piece."""
NO_REGION = (FREE, *CLOSED)
"""The marks of cells that are in no region."""
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
Step = tuple[int, int]
"""Rows down and columns to the right."""
Wrap = Literal["none", "cylinder", "torus"]
"""Which edges meet: none; left and right; or both pairs."""


def cell_name(cell: Cell) -> str:
    """Return name of the variable of a cell, such as ``r1c2``: row and column counted from 1."""
    return f"r{cell[0] + 1}c{cell[1] + 1}"


def cells_text(cells: Iterable[Cell]) -> str:
    """Return cells by their names, such as ``r1c1 r1c2``."""
    return " ".join(map(cell_name, cells))


def cells_of(size: tuple[int, int]) -> list[Cell]:
    """Return the cells of a board of the given rows and columns, row by row."""
    return [(r, c) for r in range(size[0]) for c in range(size[1])]


def rows_and_columns(size: tuple[int, int]) -> list[list[Cell]]:
    """Return the cells of each row, then those of each column, of a board of the given size."""
    height, width = map(range, size)
    return [*([(r, c) for c in width] for r in height), *([(r, c) for r in height] for c in width)]


def named_lines(size: tuple[int, int]) -> dict[str, list[Cell]]:
    """Return the cells of each row and column by its name, such as ``row 1`` or ``column 1``."""
    words = [f"{word} {k + 1}" for word, number in zip(("row", "column"), size, strict=True) for k in range(number)]
    return dict(zip(words, rows_and_columns(size), strict=True))


def by_cell(grid: Iterable[Iterable[T]]) -> dict[Cell, T]:
    """Return the content of a grid's cells, row by row."""
    return {(r, c): held for r, row in enumerate(grid) for c, held in enumerate(row)}


def grid_of_cells(size: tuple[int, int], held: Callable[[Cell], T]) -> tuple[tuple[T, ...], ...]:
    """Return a grid of the given size with the content of each cell."""
    return tuple(tuple(held((r, c)) for c in range(size[1])) for r in range(size[0]))


def neighbours(cell: Cell) -> tuple[Cell, Cell, Cell, Cell]:
    """Return the cells that share a side with a cell, on the board or not."""
    r, c = cell
    return (r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c)


def areas(cells: Iterable[Cell], joined: Callable[[Cell, Cell], bool]) -> list[list[Cell]]:
    """Return the connected areas of some cells, in order of appearance; ``joined`` decides for two neighbours."""
    left = dict.fromkeys(cells)
    found = []
    while left:
        start = next(iter(left))
        del left[start]
        area = [start]
        # ``area`` grows during the loop, which makes this a breadth-first search.
        for cell in area:
            near = [other for other in neighbours(cell) if other in left and joined(cell, other)]
            area += near
            for other in near:
                del left[other]
        found.append(area)
    return found


def piece_fault(cells: Iterable[Cell], what: str) -> tuple[Cell, str] | None:
    """Return the smallest separate piece of cells that must be connected, and the fault; None if they are connected."""
    pieces = areas(cells, lambda *_: True)
    if len(pieces) < 2:
        return None
    largest, *_, smallest = sorted(pieces, key=len, reverse=True)
    apart = f"{what} is in {len(pieces)} pieces, and that of {cell_name(smallest[0])} does not touch that of "
    apart += cell_name(largest[0])
    return smallest[0], f"{apart}: redraw the borders so that all its cells hang together"


def is_numbered(rows: Collection[Sequence[str]]) -> bool:
    """Return whether at least half of the rows have a number above 0 twice, side by side."""
    # Such rows are numbered regions: two equal digits are never neighbours in a board of digits.
    twice = (any(a == b and a.isdecimal() and int(a) for a, b in pairwise(row)) for row in rows)
    return sum(twice) * 2 >= len(rows)


def describe_pieces(regions: Iterable[tuple[str, Iterable[Cell]]]) -> str | None:
    """Describe the first of some regions that is in several pieces, where the rules allow that; None for none."""
    faults = (piece_fault(cells, name) for name, cells in regions)
    return next((fault[1] for fault in faults if fault is not None), None)


def draw_rooms(size: tuple[int, int], right: Callable[[int, int], bool], below: Callable[[int, int], bool]) -> Grid:
    """Return regions from the walls right of and below the cells, named by letters in order of appearance."""

    def joined(a: Cell, b: Cell) -> bool:
        wall = right if a[0] == b[0] else below
        # Of two neighbours the smaller one is the left or the upper one, to which the wall belongs.
        return not wall(*min(a, b))

    rooms = areas(cells_of(size), joined)
    names = {cell: LETTERS[k] if k < len(LETTERS) else f"R{k + 1}" for k, room in enumerate(rooms) for cell in room}
    return grid_of_cells(size, names.__getitem__)


def cells_by_name(grid: Iterable[Iterable[str]]) -> dict[str, list[Cell]]:
    """Return the cells of each region, by its name, in order of appearance, without free, blocked and outer cells."""
    found: dict[str, list[Cell]] = {}
    for cell, name in by_cell(grid).items():
        if name not in NO_REGION:
            found.setdefault(name, []).append(cell)
    return found


def name_by_letters(grid: Grid) -> Grid:
    """Rename regions that are numbers or emoji to letters, in order of appearance.

    Grids that name their regions by letters, and those with more regions than letters, stay unchanged.
    """
    names = list(cells_by_name(grid))
    renamed = all(name.isdigit() for name in names) or all(map(is_emoji, names))
    if not renamed or len(names) > len(LETTERS):
        return grid
    letter = dict(zip(names, LETTERS, strict=False))
    return tuple(tuple(letter.get(token, token) for token in row) for row in grid)


def grid_text(grid: Iterable[Sequence[str]]) -> list[str]:
    """Return the rows of a grid as lines, without gaps when every token is one character and no row spells a word."""
    rows = [list(row) for row in grid]
    lines = ["".join(row) for row in rows]
    # A row of small letters, such as "board", could be a header.
    if all(len(token) == 1 for row in rows for token in row) and not any(re.fullmatch("[a-z]{2,}", t) for t in lines):
        return lines
    width = max(len(token) for row in rows for token in row)
    # A row of one token has no gap to mark it as one token, so it gets a comma.
    return [" ".join(t.ljust(width) for t in row).rstrip() + ("," if len(row) == 1 else "") for row in rows]


def list_squares(size: tuple[int, int]) -> Iterator[tuple[Cell, Cell, Cell, Cell]]:
    """Return all squares of 2x2 cells: two cells touch exactly when some square contains both."""
    return (((r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)) for r, c in cells_of((size[0] - 1, size[1] - 1)))


def list_touching(cells: Collection[Cell]) -> Iterator[tuple[Cell, Cell]]:
    """Yield pairs of cells that share a side or a corner, each pair once, in reading order."""
    inside = set(cells)
    for r, c in sorted(inside):
        # Only neighbours that come later in reading order, so that each pair occurs once.
        after = ((r, c + 1), (r + 1, c - 1), (r + 1, c), (r + 1, c + 1))
        yield from (((r, c), other) for other in after if other in inside)


@dataclass(frozen=True)
class AttackLine:
    """Cells one step apart; ``closed`` when the last leads to the first."""

    cells: tuple[Cell, ...]
    closed: bool = False


def take_step(cell: Cell, step: Step, size: tuple[int, int], wrap: Wrap) -> Cell | None:
    """Return the cell one step further, or None off the board."""
    r, c = cell[0] + step[0], cell[1] + step[1]
    if wrap == "torus":
        r %= size[0]
    if wrap != "none":
        c %= size[1]
    return (r, c) if 0 <= r < size[0] and 0 <= c < size[1] else None


def lines(step: Step, size: tuple[int, int], wrap: Wrap) -> list[AttackLine]:
    """Divide the board into its lines along a step, each cell in exactly one; lines of one cell are left out."""
    seen: set[Cell] = set()
    found: list[AttackLine] = []
    back = (-step[0], -step[1])
    for cell in cells_of(size):
        if cell in seen:
            continue
        before = _walk(cell, back, size, wrap)
        # Walk back to the start of the line, or once around if it is closed.
        closed = len(before) > 1 and take_step(before[-1], back, size, wrap) == cell
        line = _walk(cell if closed else before[-1], step, size, wrap)
        seen.update(line)
        if len(line) > 1:
            found.append(AttackLine(tuple(line), closed))
    return found


def _walk(cell: Cell, step: Step, size: tuple[int, int], wrap: Wrap) -> list[Cell]:
    """Return the cells from a cell on, until the edge or the cell itself."""
    path = [cell]
    # Steps on a ring are permutations, so the first cell that repeats is the one at the start.
    while (after := take_step(path[-1], step, size, wrap)) is not None and after != cell:
        path.append(after)
    return path


def windows(line: AttackLine, reach: int) -> Iterator[tuple[Cell, ...]]:
    """Yield the largest sets of cells of a line of which any two are at most ``reach`` steps apart."""
    n = len(line.cells)
    # On a short line, or a closed one that is short enough both ways round, all cells see each other.
    if n <= reach + 1 or (line.closed and n <= 2 * reach + 1):
        yield line.cells
        return
    twice = line.cells + line.cells if line.closed else line.cells
    # A closed line has a window at every cell; an open one ends where the last window ends.
    for k in range(n if line.closed else n - reach):
        yield twice[k : k + reach + 1]


def cut(line: AttackLine, stops: Iterable[Cell]) -> list[AttackLine]:
    """Return the pieces of a line between some cells; the pieces of a closed line that is cut are open."""
    stopping = set(stops)
    places = [k for k, cell in enumerate(line.cells) if cell in stopping]
    if not places:
        return [line]
    # A closed line is read from just after a stop, so that no piece runs across the reading's end.
    start = places[0] + 1 if line.closed else 0
    turned = line.cells[start:] + line.cells[:start]
    pieces: list[list[Cell]] = [[]]
    for cell in turned:
        if cell in stopping:
            pieces.append([])
        else:
            pieces[-1].append(cell)
    return [AttackLine(tuple(piece)) for piece in pieces if len(piece) > 1]
