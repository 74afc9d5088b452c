"""The Tents & Trees board: its cells, its counts, and what makes a board faulty before anyone solves it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

Cell = tuple[int, int]
"""0-based row and column."""
Counts = tuple[int | None, ...]
"""Tents of each row or column; None where the count is missing."""
Part = Literal["cell", "row", "column"]

TREE, TENT, FREE = "T", "^", "."
MAX_SIDE = 100
"""Most rows or columns of a board."""

DIRECTIONS: tuple[tuple[str, int, int], ...] = (("up", -1, 0), ("left", 0, -1), ("right", 0, 1), ("down", 1, 0))
"""Where a tent can lie, seen from its tree: name, step in rows, step in columns."""


class Fault(NamedTuple):
    """What is wrong with a board, and the cell, row count or column count where it is."""

    message: str
    part: Part
    position: Cell

    @property
    def row(self) -> int | None:
        """The board's row, counted from 1, unless the fault is a column's."""
        return None if self.part == "column" else self.position[0] + 1

    @property
    def column(self) -> int | None:
        """The board's column, counted from 1, unless the fault is a row's."""
        return None if self.part == "row" else self.position[1] + 1


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
    """The first fault that can be told without solving, or None."""
    trees = list(board.cells(TREE))
    if not trees:
        return Fault("the board has no tree: write T for a tree", "cell", (0, 0))
    for tree in trees:
        if not any(True for _ in board.places(tree)):
            return Fault("a tree with no free cell beside it: free a cell (.) next to it", "cell", tree)
    return _given_fault(board) or _count_fault(board, len(trees))


def _given_fault(board: Board) -> Fault | None:
    """What is wrong with the tents that are given."""
    given = set(board.cells(TENT))
    beside = {cell for tree in board.cells(TREE) for _, cell in board.places(tree)}
    for r, c in sorted(given):
        if (r, c) not in beside:
            return Fault("a tent with no tree beside it: remove it, or plant a tree (T) next to it", "cell", (r, c))
        if given & {(r, c + 1), (r + 1, c - 1), (r + 1, c), (r + 1, c + 1)}:
            return Fault("two given tents touch here: tents never touch; remove one", "cell", (r, c))
    return None


def _count_fault(board: Board, trees: int) -> Fault | None:
    """What is wrong with the counts: more than a line can hold, or sums that are not the number of trees."""
    lines: tuple[tuple[Part, Counts, int], ...] = (
        ("row", board.row_counts, len(board.column_counts)),
        ("column", board.column_counts, len(board.row_counts)),
    )
    for part, counts, length in lines:
        most = (length + 1) // 2
        for k, count in enumerate(counts):
            if count is not None and count > most:
                message = f"{part} {k + 1} cannot hold {count} tents, as tents never touch: write at most {most}"
                return Fault(message, part, (k, k))
    for part, counts, _ in lines:
        known = [count for count in counts if count is not None]
        if sum(known) > trees or (len(known) == len(counts) and sum(known) != trees):
            have = "1 tree" if trees == 1 else f"{trees} trees"
            message = f"the {part} counts add up to {sum(known)} but {have} must have one tent each"
            return Fault(f"{message}: correct a count or a tree", part, (0, 0))
    return None
