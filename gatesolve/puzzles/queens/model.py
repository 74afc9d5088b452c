"""Which cells of a Queens board see each other, as sets of cells of which at most one holds a queen."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from gatesolve.puzzles.attack_lines import Line, Step, lines, windows
from gatesolve.puzzles.grid import Cell
from gatesolve.puzzles.queens.board import DIAGONALS, Board


def conflicts(board: Board) -> list[tuple[Cell, ...]]:
    """Sets of cells that say together which pairs of queens attack each other."""
    usable = set(board.usable())
    squares = _squares_say_it(board)
    found: dict[frozenset[Cell], tuple[Cell, ...]] = {}
    for clique in (*_squares(board), *_of_their_own(board)) if squares else attacks(board):
        cells = tuple(cell for cell in clique if cell in usable)
        in_line = len({r for r, _ in cells}) == 1 or len({c for _, c in cells}) == 1
        if len(cells) > 1 and not (squares and in_line):  # what is left of a square can be said by its line's sum
            found.setdefault(frozenset(cells), cells)
    return list(found.values())


def attacks(board: Board) -> Iterator[tuple[Cell, ...]]:
    """Sets of cells of which each attacks each other one or is attacked by it, every such pair in some set."""
    yield from _along_lines(board)
    yield from _of_their_own(board)


def _squares_say_it(board: Board) -> bool:
    """Whether no two queens may touch at all: neighbours by the counts of lines, corners by attack."""
    ones = all(count.high <= 1 for count in (*board.rows, *board.columns))
    return ones and board.slopes == DIAGONALS and board.reach == ((1,),) and board.wrap == "none"


def _squares(board: Board) -> Iterator[tuple[Cell, ...]]:
    """All 2x2 squares: one sum in place of two pairs, and stronger than both."""
    height, width = board.size
    for r, c in ((r, c) for r in range(height - 1) for c in range(width - 1)):
        yield (r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)


def _of_their_own(board: Board) -> Iterator[tuple[Cell, ...]]:
    """Cells that attack others whatever line they lie on."""
    return ((cell, other) for cell, others in board.attacks for other in others)


def _along_lines(board: Board) -> Iterator[tuple[Cell, ...]]:
    """Stretches of each line of attack; pairs where queens reach differently far."""
    steps = (step for slope in board.slopes for step in slope.steps)
    for ahead in dict.fromkeys(max(step, _back(step)) for step in steps):
        for line in lines(ahead, board.size, board.wrap):
            # how far each cell of the line sees along it, and back
            sight = [(_sight(board, cell, ahead), _sight(board, cell, _back(ahead))) for cell in line.cells]
            if len(set(sight)) == 1:
                yield from windows(line, max(sight[0]))
            else:
                yield from _pairs(line, sight)


def _pairs(line: Line, sight: list[tuple[int, int]]) -> Iterator[tuple[Cell, ...]]:
    """Pairs of cells of a line of which one sees the other."""
    n = len(line.cells)
    for (i, a), (j, b) in combinations(enumerate(line.cells), 2):
        direct, around = j - i, n - j + i
        seen = max(sight[i][0], sight[j][1]) >= direct
        if seen or (line.closed and max(sight[i][1], sight[j][0]) >= around):
            yield a, b


def _sight(board: Board, cell: Cell, step: Step) -> int:
    """How many steps in one direction a queen on a cell attacks."""
    own = (slope.reach for slope in board.slopes if step in slope.steps)
    return max((board.reach_of(cell) if reach is None else reach for reach in own), default=0)


def _back(step: Step) -> Step:
    return (-step[0], -step[1])
