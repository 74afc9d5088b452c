"""Which cells of a Queens board see each other, as sets of cells of which at most one holds a queen."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from gatesolve.puzzles.attack_lines import lines, mirrored, windows
from gatesolve.puzzles.lettergrid import Cell
from gatesolve.puzzles.queens.board import Board


def conflicts(board: Board) -> list[tuple[Cell, ...]]:
    """Sets of cells that say together which pairs of queens attack each other."""
    usable = set(board.usable())
    squares = _squares_say_it(board)
    found: dict[frozenset[Cell], tuple[Cell, ...]] = {}
    for clique in _squares(board) if squares else _along_lines(board):
        cells = tuple(cell for cell in clique if cell in usable)
        in_line = len({r for r, _ in cells}) == 1 or len({c for _, c in cells}) == 1
        if len(cells) > 1 and not (squares and in_line):  # what is left of a square can be said by its line's sum
            found.setdefault(frozenset(cells), cells)
    return list(found.values())


def _squares_say_it(board: Board) -> bool:
    """Whether no two queens may touch at all: neighbours by the counts of lines, corners by attack."""
    ones = all(count.high <= 1 for count in (*board.rows, *board.columns))
    return ones and board.slopes == ((1, 1),) and board.reach == ((1,),) and board.wrap == "none"


def _squares(board: Board) -> Iterator[tuple[Cell, ...]]:
    """All 2x2 squares: one sum in place of two pairs, and stronger than both."""
    height, width = board.size
    for r, c in ((r, c) for r in range(height - 1) for c in range(width - 1)):
        yield (r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)


def _along_lines(board: Board) -> Iterator[tuple[Cell, ...]]:
    """Stretches of each line of attack; pairs where queens reach differently far."""
    for slope in board.slopes:
        for step in mirrored(slope):
            for line in lines(step, board.size, board.wrap):
                if board.uniform:
                    yield from windows(line, board.reach[0][0])
                    continue
                n = len(line.cells)
                for (i, a), (j, b) in combinations(enumerate(line.cells), 2):
                    apart = min(j - i, n - j + i) if line.closed else j - i
                    if apart <= max(board.reach_of(a), board.reach_of(b)):
                        yield a, b
