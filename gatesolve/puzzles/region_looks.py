"""How regions look: fills that tell neighbours apart, and walls between them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from gatesolve.puzzles.attack_lines import Wrap
from gatesolve.puzzles.grid import BLOCKED, FREE, OUTSIDE, Cell, Grid, cells_of, region_names
from gatesolve.puzzles.picture import REGION_FILLS, Look, Picture, walls_between

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FILLS = {FREE: "white", BLOCKED: "#b9b9bd", OUTSIDE: "#6e6e73"}
"""Fills of cells in no region, of those where nothing may stand, and of those outside the board."""

CHEQUERED = ("#f4ead9", "#dcc7a5")
"""Fills of a chessboard, for boards without regions."""

WRAP_NOTES: Mapping[Wrap, str] = {
    "cylinder": "cylinder: left and right edge meet",
    "torus": "torus: opposite edges meet",
}
"""What is said below a board whose edges meet."""


def pieces_picture(
    marks: Sequence[Sequence[str]],
    regions: Grid,
    held: Callable[[Cell], Look],
    drawing: bool,
    *,
    wrap: Wrap = "none",
    beside: tuple[tuple[str, ...], tuple[str, ...]] = ((), ()),
    notes: Sequence[str] = (),
    paint: Callable[[Axes, float], None] | None = None,
) -> Picture:
    """A board on which pieces stand, its regions coloured and walled off.

    Args:
        marks: which cells hold nothing and which lie outside the board.
        regions: the name of each cell's region; no rows for a chequered board.
        held: what a cell shows, but for its fill.
        drawing: for an image rather than a terminal: cells that hold nothing are filled, not hatched.
        wrap: which edges meet.
        beside: texts above the columns, and left of the rows.
        notes: lines below the board.
        paint: what is drawn on top.
    """
    size = len(marks), len(marks[0])
    fills = region_fills(regions) if regions else {}
    # Cells outside the board are walled off like a region of their own.
    names = [
        [(regions[r][c] if fills else "", mark == OUTSIDE) for c, mark in enumerate(row)] for r, row in enumerate(marks)
    ]
    looks: dict[Cell, Look] = {}
    for r, c in cells_of(size):
        if (mark := marks[r][c]) in (BLOCKED, OUTSIDE):
            looks[r, c] = Look("" if drawing else mark * 3, fill=FILLS[mark])
        else:
            looks[r, c] = replace(held((r, c)), fill=fills[regions[r][c]] if fills else CHEQUERED[(r + c) % 2])
    return Picture(
        tuple(tuple(looks[r, c] for c in range(size[1])) for r in range(size[0])),
        *walls_between(names),
        *beside,
        wrap=(wrap != "none", wrap == "torus"),
        notes=(*([WRAP_NOTES[wrap]] if wrap != "none" else []), *notes),
        paint=paint,
    )


def region_fills(regions: Grid) -> dict[str, str]:
    """A fill for each region: two that touch, corners included, have different ones while fills last."""
    near: dict[str, set[str]] = {name: set() for name in region_names(regions)}
    for r, row in enumerate(regions):
        for c, name in enumerate(row):
            for other in _after(regions, r, c):
                if name in near and other in near and other != name:
                    near[name].add(other)
                    near[other].add(name)
    fills = dict(FILLS)
    for k, name in enumerate(near):
        taken = {fills[other] for other in near[name] if other in fills}
        # Starting further on each time uses all the fills, so that distant regions differ too where they can.
        turned = REGION_FILLS[k % len(REGION_FILLS) :] + REGION_FILLS[: k % len(REGION_FILLS)]
        fills[name] = next((fill for fill in turned if fill not in taken), turned[0])
    return fills


def _after(regions: Grid, r: int, c: int) -> list[str]:
    """The names in the cells touching a cell that come after it, reading row by row."""
    cells = ((r, c + 1), (r + 1, c - 1), (r + 1, c), (r + 1, c + 1))
    return [regions[i][j] for i, j in cells if i < len(regions) and 0 <= j < len(regions[0])]
