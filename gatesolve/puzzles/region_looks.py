"""How regions look: fills that tell neighbours apart, and walls between them."""

from __future__ import annotations

from collections.abc import Mapping

from gatesolve.puzzles.attack_lines import Wrap
from gatesolve.puzzles.lettergrid import BLOCKED, FREE, OUTSIDE, Grid, region_names
from gatesolve.puzzles.picture import REGION_FILLS

FILLS = {FREE: "white", BLOCKED: "#b9b9bd", OUTSIDE: "#6e6e73"}
"""Fills of cells in no region, of those where nothing may stand, and of those outside the board."""

CHEQUERED = ("#f4ead9", "#dcc7a5")
"""Fills of a chessboard, for boards without regions."""

WRAP_NOTES: Mapping[Wrap, str] = {
    "cylinder": "cylinder: left and right edge meet",
    "torus": "torus: opposite edges meet",
}
"""What is said below a board whose edges meet."""


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
