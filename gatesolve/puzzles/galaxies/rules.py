"""The rules of Galaxies, judged on a finished board.

Written apart from the model on purpose: the galaxies are sets of cells, turned half round and
walked through; neither shapes nor reaches are used.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set

from gatesolve.puzzles.galaxies.board import Board
from gatesolve.puzzles.grid import Cell, areas

_NAME = re.compile(r"r([1-9][0-9]*)c([1-9][0-9]*)_d(0|[1-9][0-9]*)")


def broken_rules(board: Board, galaxies: Sequence[Set[Cell]]) -> list[str]:
    """The rules that galaxies, one set of cells a dot, break; empty when they are right."""
    broken = []
    for r in range(board.rows):
        for c in range(board.columns):
            holders = [k for k, cells in enumerate(galaxies) if (r, c) in cells]
            if (r, c) not in board.holes and len(holders) != 1:
                shown = " and ".join(map(str, holders))
                broken.append(f"r{r + 1}c{c + 1} is in " + (f"galaxies {shown}" if holders else "no galaxy"))
    for k, cells in enumerate(galaxies):
        broken += [f"galaxy {k} {fault}" for fault in _broken_by_one(board, k, cells)]
    return broken


def _broken_by_one(board: Board, k: int, cells: Set[Cell]) -> Iterator[str]:
    """What is wrong with the galaxy of dot ``k``."""
    y, x = board.dots[k]
    for r, c in sorted(cells):
        if not (0 <= r < board.rows and 0 <= c < board.columns) or (r, c) in board.holes:
            yield f"holds r{r + 1}c{c + 1}, which is not on the board"
    for other, (oy, ox) in enumerate(board.dots):
        # A dot touches the cells whose centres are at most one half-step away both ways.
        touched = {(r, c) for r, c in cells if abs(2 * r + 1 - oy) <= 1 and abs(2 * c + 1 - ox) <= 1}
        if other == k and not touched:
            yield "does not hold its own dot"
        if other != k and touched:
            r, c = min(touched)
            yield f"holds r{r + 1}c{c + 1}, where the dot of galaxy {other} is"
    if cells != {(y - 1 - r, x - 1 - c) for r, c in cells}:
        r, c = min((r, c) for r, c in cells if (y - 1 - r, x - 1 - c) not in cells)
        yield f"is not symmetric: it holds r{r + 1}c{c + 1} but not the opposite cell r{y - r}c{x - c}"
    pieces = len(areas(sorted(cells), lambda a, b: True))
    if pieces > 1:
        yield f"is in {pieces} pieces"


def galaxies_of(board: Board, solution: Mapping[str, int]) -> tuple[list[set[Cell]], list[str]]:
    """The cells a solution gives to each galaxy, and what is wrong with the way it does so.

    A variable that is 1 puts the cell it names and the opposite one into its galaxy.
    """
    galaxies: list[set[Cell]] = [set() for _ in board.dots]
    faults = []
    for name, value in solution.items():
        match = _NAME.fullmatch(name)
        if match is None or int(match[3]) >= len(board.dots):
            faults.append(f"{name} is not a cell and a galaxy of this board")
        elif value == 1:
            r, c, (y, x) = int(match[1]) - 1, int(match[2]) - 1, board.dots[int(match[3])]
            galaxies[int(match[3])] |= {(r, c), (y - 1 - r, x - 1 - c)}
        elif value != 0:
            faults.append(f"{name} is {value}, neither 0 nor 1")
    return galaxies, faults


def owners(board: Board, galaxies: Sequence[Set[Cell]]) -> dict[Cell, int]:
    """For each cell in a galaxy the number of the (first) galaxy that holds it."""
    found: dict[Cell, int] = {}
    for k, cells in enumerate(galaxies):
        for cell in cells:
            found.setdefault(cell, k)
    return {cell: k for cell, k in found.items() if board.holds(cell)}
