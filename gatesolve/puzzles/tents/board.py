"""The Tents & Trees board: its cells, its counts, and what makes a board faulty before anyone solves it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gatesolve.puzzles.base import Fault
from gatesolve.puzzles.grid import Cell, cell_name, list_touching
from gatesolve.puzzles.reading import count

Counts = tuple[int | None, ...]
"""Tents of each row or column; None where the count is missing."""

TREE, TENT, FREE = "T", "^", "."
MAX_SIDE = 100
"""Most rows or columns of a board."""

DIRECTIONS: tuple[tuple[str, int, int], ...] = (("up", -1, 0), ("left", 0, -1), ("right", 0, 1), ("down", 1, 0))
"""Where a tent can lie, seen from its tree: name, step in rows, step in columns."""


@dataclass(frozen=True)
class Board:
    """The clues: one string a row (`TREE`, `TENT` for a tent that is given, `FREE`) and the counts.

    Args:
        grid: the rows, all of one length.
        row_counts: tents of each row.
        column_counts: tents of each column.
    """

    grid: tuple[str, ...]
    row_counts: Counts
    column_counts: Counts

    @property
    def size(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self.grid), len(self.grid[0])

    def cells(self, letter: str) -> Iterator[Cell]:
        """The cells that hold ``letter``, row by row."""
        return ((r, c) for r, row in enumerate(self.grid) for c, held in enumerate(row) if held == letter)

    def places(self, tree: Cell) -> Iterator[tuple[str, Cell]]:
        """The cells where a tree's tent may lie: inside the board and not a tree; with the direction's name."""
        rows, columns = self.size
        for name, dr, dc in DIRECTIONS:
            r, c = tree[0] + dr, tree[1] + dc
            if 0 <= r < rows and 0 <= c < columns and self.grid[r][c] != TREE:
                yield name, (r, c)


def first_fault(board: Board) -> Fault | None:
    """What makes this no board of trees, or None."""
    return None if any(board.cells(TREE)) else Fault("the board has no tree: write T for a tree", (0, 0))


def contradiction(board: Board) -> str | None:
    """Why the board has no solution, where a tree, a given tent or a count shows it."""
    trees = list(board.cells(TREE))
    for tree in trees:
        if not any(True for _ in board.places(tree)):
            return f"the tree at {cell_name(tree)} has no free cell beside it"
    beside = {cell for tree in trees for _, cell in board.places(tree)}
    for tent in board.cells(TENT):
        if tent not in beside:
            return f"the given tent at {cell_name(tent)} has no tree beside it"
    for a, b in list_touching(list(board.cells(TENT))):
        return f"the given tents at {cell_name(a)} and {cell_name(b)} touch"
    return _count_fault(board, len(trees))


def _count_fault(board: Board, trees: int) -> str | None:
    """What is wrong with the counts: more than a line can hold, or sums that are not the number of trees."""
    lines = (
        ("row", board.row_counts, len(board.column_counts)),
        ("column", board.column_counts, len(board.row_counts)),
    )
    for part, counts, length in lines:
        for k, tents in enumerate(counts):
            if tents is not None and tents > (length + 1) // 2:
                return f"{part} {k + 1} cannot hold {count(tents, 'tent')}, as tents never touch"
    for part, counts, _ in lines:
        known = [tents for tents in counts if tents is not None]
        if sum(known) > trees or (len(known) == len(counts) and sum(known) != trees):
            return f"the {part} counts add up to {sum(known)} but {count(trees, 'tree')} must have one tent each"
    return None
