"""The shapes a galaxy can have: connected, symmetric about its dot, on cells of no other dot.

A dot with few shapes has them listed as they are. Where one has more than `FEW_SHAPES`, its reach is first narrowed by
deductions from the board's geometry, so the list is shorter but still holds the shape of every solution.

For the deductions two sets of cells are kept for every dot, what its galaxy *must* hold and what it *may* hold, and
narrowed until nothing changes by the rules of the puzzle alone:

- a cell and its opposite about the dot go together, so a cell whose opposite is gone goes too;
- what is cut off from the dot goes;
- a cell that one galaxy must hold goes from all others; a cell that only one may hold, it must;
- a cell without which the galaxy falls apart (some cell it must hold is cut off) it must hold.

Nothing is guessed, so every solution survives. A set of cells is one integer, a bit a cell.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from gatesolve.errors import DoesNotFitError
from gatesolve.puzzles.galaxies.board import Dot, GalaxiesBoard, core, mirror
from gatesolve.puzzles.grid import Cell

Cells = int
"""A set of cells, bit ``NumberedBoard.bit(cell)`` for each."""
FEW_SHAPES = 512
"""Up to so many shapes of one dot are listed without deductions; as many as a table block holds."""
MOST_SHAPES = 20_000
"""Most shapes of one dot that are listed at all."""

Shapes = tuple[Cells, ...]


class Reach(NamedTuple):
    """The cells that one galaxy must and may hold; both closed under its symmetry, the first inside the second."""

    must: Cells
    may: Cells


@dataclass(frozen=True)
class NumberedBoard:
    """A board with its cells numbered, one number a row left free so that steps never wrap."""

    board: GalaxiesBoard

    def bit(self, cell: Cell) -> Cells:
        """The set of this one cell."""
        return 1 << (cell[0] * self.stride + cell[1])

    @property
    def stride(self) -> int:
        """Numbers from a cell to the one below it."""
        return self.board.columns + 1

    @cached_property
    def all(self) -> Cells:
        """Every cell of the board."""
        return sum(self.bit(cell) for cell in self.board.cells)

    def cells(self, cells: Cells) -> Iterator[Cell]:
        """The cells of a set, row by row."""
        while cells:
            low = cells & -cells
            yield divmod(low.bit_length() - 1, self.stride)
            cells ^= low

    def opposite(self, cells: Cells, dot: Dot) -> Cells:
        """The cells opposite to those of a set, all of which must have one on the board."""
        if not cells:
            return 0
        pivot = (dot[0] - 1) * self.stride + dot[1] - 1  # bit k lies opposite to bit pivot - k
        turned, shift = int(bin(cells)[:1:-1], 2), pivot - cells.bit_length() + 1
        return turned << shift if shift >= 0 else turned >> -shift

    def symmetric(self, cells: Cells, dot: Dot) -> Cells:
        """The largest part of a set that is symmetric about a dot."""
        inside = cells & self.mirrored[dot]
        return inside & self.opposite(inside, dot)

    @cached_property
    def mirrored(self) -> dict[Dot, Cells]:
        """For each dot the cells whose opposite is on the board."""
        return {
            dot: sum(self.bit(cell) for cell in self.board.cells if self.board.holds(mirror(cell, dot)))
            for dot in self.board.dots
        }

    def grow_cells(self, cells: Cells) -> Cells:
        """The set with all neighbours, those outside the board too."""
        return cells | cells << 1 | cells >> 1 | cells << self.stride | cells >> self.stride

    def flood(self, start: Cells, allowed: Cells) -> Cells:
        """Return the cells that can be reached from ``start`` inside ``allowed``."""
        before, now = 0, start & allowed
        while now != before:
            before, now = now, self.grow_cells(now) & allowed
        return now


def reaches(sheet: NumberedBoard) -> list[Reach] | None:
    """The reach of each dot, narrowed as far as the deductions go; None when they find no solution."""
    dots = sheet.board.dots
    before: list[Reach] = []
    now = [Reach(sum(map(sheet.bit, core(dot))), sheet.all) for dot in dots]
    while now != before:
        before = now
        shared = _share_cells(sheet, before)
        if shared is None:
            return None
        now = []
        for dot, reach in zip(dots, shared, strict=True):
            narrowed = _narrow_reach(sheet, dot, reach)
            if narrowed is None:
                return None
            now.append(narrowed)
    return now


def _share_cells(sheet: NumberedBoard, known: Sequence[Reach]) -> list[Reach] | None:
    """Take what one galaxy must hold from the others; give what only one may hold to it."""
    owned = twice_owned = once = twice = 0
    for must, may in known:
        twice_owned |= owned & must
        owned |= must
        twice |= once & may
        once |= may
    if twice_owned or once != sheet.all:
        return None
    return [Reach(must | may & ~twice, may & ~(owned & ~must)) for must, may in known]


def _narrow_reach(sheet: NumberedBoard, dot: Dot, reach: Reach) -> Reach | None:
    """The deductions that look at one dot alone."""
    centre = sum(map(sheet.bit, core(dot)))
    may = sheet.flood(centre, sheet.symmetric(reach.may, dot))
    if reach.must & ~may:
        return None
    must = reach.must | sheet.opposite(reach.must, dot)
    if must == centre:
        return Reach(must, may)
    for cell in sheet.cells(may & ~must):
        pair = sheet.bit(cell) | sheet.bit(mirror(cell, dot))
        if must & ~sheet.flood(centre, may & ~pair):
            must |= pair
    return Reach(must, may)


def all_shapes(sheet: NumberedBoard, few: int = FEW_SHAPES, most: int = MOST_SHAPES) -> tuple[Shapes, ...] | None:
    """The shapes of every dot, or None when the deductions find that there is no solution.

    Dots with at most ``few`` shapes keep them all; only for others is anything deduced.

    Raises:
        DoesNotFitError: a dot has more than ``most`` shapes, whatever is deduced.
    """
    dots = sheet.board.dots
    cores = [sum(map(sheet.bit, core(dot))) for dot in dots]
    taken = sum(cores)
    alone = [Reach(centre, sheet.all & ~taken | centre) for centre in cores]
    listed = [list_shapes(sheet, dot, reach, few) for dot, reach in zip(dots, alone, strict=True)]
    known = reaches(sheet) if None in listed else alone
    if known is None:
        return None
    found = []
    for dot, reach, several in zip(dots, known, listed, strict=True):
        several = list_shapes(sheet, dot, reach, most) if several is None else several
        if several is None:
            place = f"half-row {dot[0]}, half-column {dot[1]}"
            mend = "a smaller board, or one with more dots, would fit"
            raise DoesNotFitError(f"the galaxy of the dot at {place} has more than {most} possible shapes: {mend}")
        found.append(several)
    return tuple(found)


def list_shapes(sheet: NumberedBoard, dot: Dot, reach: Reach, most: int) -> Shapes | None:
    """The shapes of one dot in its reach, or None when there are more than ``most``.

    From the dot outwards each pair of opposite cells at the rim is taken in or left out. Leaving
    out is tried only while all that the galaxy must hold can still be reached, so every path of
    decisions ends in a shape and no shape is met twice.
    """
    centre = sum(map(sheet.bit, core(dot)))
    waiting = [(centre, sheet.flood(centre, sheet.symmetric(reach.may, dot)))]
    found: list[Cells] = []
    while waiting:
        inside, allowed = waiting.pop()
        rim = sheet.grow_cells(inside) & allowed & ~inside
        if not rim:
            found.append(inside)
            if len(found) > most:
                return None
            continue
        (cell,) = sheet.cells(rim & -rim)
        pair = sheet.bit(cell) | sheet.bit(mirror(cell, dot))
        waiting.append((inside | pair, allowed))
        left = sheet.flood(inside, allowed & ~pair)
        if not reach.must & ~left:
            waiting.append((inside, left))
    return tuple(found)
