"""The rules of Queens, judged on queens that stand on a board, and what makes a board faulty.

Written apart from the model: queens are counted, and each pair of them is asked whether some number
of steps leads from one to the other; no lines of cells are drawn.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import combinations
from math import lcm

from gatesolve.puzzles.base import Fault, misread
from gatesolve.puzzles.grid import Cell, cell_name
from gatesolve.puzzles.queens.board import MANY, QUEEN, Board, Region
from gatesolve.puzzles.reading import count


def broken_rules(board: Board, solution: Mapping[str, int]) -> list[str]:
    """The rules that a finished board breaks, in words; empty when it is right."""
    usable = {cell_name(cell): cell for cell in board.usable()}
    broken = misread(solution, dict.fromkeys(usable, (0, 1)), "holds no queen: it is no cell for one", "not 0 or 1")
    standing = [cell for name, cell in usable.items() if solution.get(name) == 1]
    broken += [f"{cell_name(cell)} has no queen where one is given" for cell in board.placed() if cell not in standing]
    broken += [f"queens at {cell_name(a)} and {cell_name(b)} attack each other" for a, b in attacking(board, standing)]
    for region in board.counted():
        queens = len(set(region.cells) & set(standing))
        if not region.queens.low <= queens <= region.queens.high:
            broken.append(f"{region.name} has {count(queens, 'queen')}, not {region.queens}")
    return broken


def attacking(board: Board, cells: Collection[Cell]) -> Iterator[tuple[Cell, Cell]]:
    """Pairs of queens of which one sees the other."""
    return ((a, b) for a, b in combinations(cells, 2) if _sees(board, a, b) or _sees(board, b, a))


def _sees(board: Board, a: Cell, b: Cell) -> bool:
    """Whether some number of steps within the reach of ``a`` leads from it to ``b``, or its own attacks do."""
    if any(cell == a and b in others for cell, others in board.attacks):
        return True
    height, width = board.size
    for p, q, one_way, reach in board.slopes:
        # After as many steps as the lcm every closed line has come round.
        farthest = min(board.reach_of(a) if reach is None else reach, lcm(height, width))
        for dr, dc in ((p, q),) if one_way else ((p, q), (p, -q), (-p, q), (-p, -q)):
            for steps in range(1, farthest + 1):
                down, right = b[0] - a[0] - steps * dr, b[1] - a[1] - steps * dc
                if board.wrap == "torus":
                    down %= height
                elif abs(steps * dr) >= height:
                    break
                if board.wrap != "none":
                    right %= width
                elif abs(steps * dc) >= width:
                    break
                if down == 0 == right:
                    return True
    return False


def first_fault(board: Board) -> Fault | None:
    """What makes this no board for queens, or None."""
    return None if board.usable() else Fault("no cell of the board can hold a queen: write . for a free cell", (0, 0))


def contradiction(board: Board) -> str | None:
    """Why the board has no solution, where a region, two given queens or the counts show it."""
    usable = set(board.usable())
    for region in board.counted():
        room = len(usable & set(region.cells))
        if region.queens.low > room:
            return f"{region.name} has {count(room, 'cell')} for its {region.queens} queens"
        given = [cell for cell in region.cells if board.marks[cell[0]][cell[1]] == QUEEN]
        if len(given) > region.queens.high:
            return f"{len(given)} queens are given in {region.name}, which holds {region.queens}"
    for a, b in attacking(board, board.placed()):
        return f"the given queens at {cell_name(a)} and {cell_name(b)} attack each other"
    return _count_fault(board)


def _count_fault(board: Board) -> str | None:
    """Rows, columns and a division into regions must be able to hold the same number of queens."""
    low, high = _total([r for r in board.counted() if r.name.startswith("row ")])
    coloured = board.coloured()
    covered = {cell for region in coloured for cell in region.cells}
    ways = [("columns", [r for r in board.counted() if r.name.startswith("column ")]), ("regions", coloured)]
    for name, regions in ways if coloured else ways[:1]:
        other_low, other_high = _total(regions)
        short = other_high < low and (name == "columns" or covered >= set(board.usable()))
        if short or other_low > high:
            fault = f"the {len(regions)} {name} hold {_range(other_low, other_high)} queens"
            return f"{fault} but the {board.size[0]} rows hold {_range(low, high)}"
    return None


def _total(regions: list[Region]) -> tuple[int, int]:
    return sum(region.queens.low for region in regions), min(MANY, sum(region.queens.high for region in regions))


def _range(low: int, high: int) -> str:
    return str(low) if low == high else f"{low} or more" if high == MANY else f"{low}..{high}"
