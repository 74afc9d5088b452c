"""The shapes a galaxy can have: connected, symmetric about its dot, on cells of no other dot.

A dot with few shapes has them listed as they are. Where a dot has more than `FEW_SHAPES`, its
reach is first narrowed by the deductions of `gatesolve.puzzles.galaxies.reach`, so the list is
shorter but still holds the shape of every solution.
"""

from __future__ import annotations

from gatesolve.errors import DoesNotFitError
from gatesolve.puzzles.galaxies.board import Dot, core, mirror
from gatesolve.puzzles.galaxies.reach import Cells, Reach, Sheet, reaches

FEW_SHAPES = 512
"""Up to so many shapes of one dot are listed without deductions; as many as a table block holds."""
MOST_SHAPES = 20_000
"""Most shapes of one dot that are listed at all."""

Shapes = tuple[Cells, ...]


def all_shapes(sheet: Sheet, few: int = FEW_SHAPES, most: int = MOST_SHAPES) -> tuple[Shapes, ...] | None:
    """The shapes of every dot.

    Args:
        sheet: the board.
        few: dots with at most so many shapes keep them all.
        most: most shapes of one dot.

    Returns:
        One list of shapes a dot, or None when the deductions, where they are used, find no solution.

    Raises:
        DoesNotFitError: a dot has more than ``most`` shapes, whatever is deduced.
    """
    dots = sheet.board.dots
    cores = [sum(map(sheet.bit, core(dot))) for dot in dots]
    taken = sum(cores)
    alone = [Reach(centre, sheet.all & ~taken | centre) for centre in cores]
    listed = [shapes(sheet, dot, reach, few) for dot, reach in zip(dots, alone, strict=True)]
    if None not in listed:
        return tuple(several for several in listed if several is not None)
    known = reaches(sheet)
    if known is None:
        return None
    return tuple(
        _within(sheet, dot, reach, most) if several is None else several
        for dot, reach, several in zip(dots, known, listed, strict=True)
    )


def _within(sheet: Sheet, dot: Dot, reach: Reach, most: int) -> Shapes:
    """The shapes of one dot in its reach; raises when there are more than ``most``."""
    found = shapes(sheet, dot, reach, most)
    if found is None:
        raise DoesNotFitError(
            f"the galaxy of the dot at half-row {dot[0]}, half-column {dot[1]} has more than {most} possible shapes: "
            "a smaller board, or one with more dots, would fit"
        )
    return found


def shapes(sheet: Sheet, dot: Dot, reach: Reach, most: int) -> Shapes | None:
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
        rim = sheet.grown(inside) & allowed & ~inside
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
