"""Lines of attack on rectangular, cylindrical and toroidal boards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from gatesolve.puzzles.grid import Cell

Step = tuple[int, int]
"""Rows down and columns to the right."""

Wrap = Literal["none", "cylinder", "torus"]
"""Which edges meet: none; left and right; or both pairs."""


@dataclass(frozen=True)
class AttackLine:
    """Cells one step apart; ``closed`` when the last leads to the first."""

    cells: tuple[Cell, ...]
    closed: bool = False


def take_step(cell: Cell, step: Step, size: tuple[int, int], wrap: Wrap) -> Cell | None:
    """The cell one step on, or None off the board."""
    r, c = cell[0] + step[0], cell[1] + step[1]
    if wrap == "torus":
        r %= size[0]
    if wrap != "none":
        c %= size[1]
    return (r, c) if 0 <= r < size[0] and 0 <= c < size[1] else None


def lines(step: Step, size: tuple[int, int], wrap: Wrap) -> list[AttackLine]:
    """The board cut into its lines along a step, each cell in exactly one; lines of one cell are left out."""
    seen: set[Cell] = set()
    found: list[AttackLine] = []
    back = (-step[0], -step[1])
    for cell in ((r, c) for r in range(size[0]) for c in range(size[1])):
        if cell in seen:
            continue
        before = _walk(cell, back, size, wrap)
        closed = len(before) > 1 and take_step(before[-1], back, size, wrap) == cell
        line = _walk(cell if closed else before[-1], step, size, wrap)
        seen.update(line)
        if len(line) > 1:
            found.append(AttackLine(tuple(line), closed))
    return found


def _walk(cell: Cell, step: Step, size: tuple[int, int], wrap: Wrap) -> list[Cell]:
    """The cells from a cell on, until the edge or the cell itself."""
    path = [cell]
    while (after := take_step(path[-1], step, size, wrap)) is not None and after != cell:
        path.append(after)
    return path


def windows(line: AttackLine, reach: int) -> Iterator[tuple[Cell, ...]]:
    """The largest sets of cells of a line of which any two are at most ``reach`` steps apart."""
    n = len(line.cells)
    if n <= reach + 1 or (line.closed and n <= 2 * reach + 1):
        yield line.cells
        return
    twice = line.cells + line.cells if line.closed else line.cells
    for k in range(n if line.closed else n - reach):
        yield twice[k : k + reach + 1]


def cut(line: AttackLine, stops: Iterable[Cell]) -> list[AttackLine]:
    """The pieces of a line between some cells; the pieces of a closed line that is cut are open."""
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
