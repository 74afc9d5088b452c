"""Pictures of a Queens board; the rules that its cells cannot show are notes below it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gatesolve.puzzles.lettergrid import BLOCKED, OUTSIDE, cell_name
from gatesolve.puzzles.picture import Look, Picture, walls_between
from gatesolve.puzzles.queens.board import DIAGONALS, MANY, ONE, QUEEN, Board, Region, Slope, cells_text
from gatesolve.puzzles.region_looks import CHEQUERED, FILLS, WRAP_NOTES, region_fills

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def queens_picture(board: Board, shown: Sequence[Sequence[str]], drawing: bool) -> Picture:
    """The board with its queens.

    Args:
        board: the puzzle.
        shown: one mark a cell, answers included.
        drawing: for an image rather than a terminal: cells that hold no queen are filled, not hatched.
    """
    fills = region_fills(board.colours) if board.colours else {}
    further = dict.fromkeys(board.usable(), "")
    for region in board.extra:
        for cell in region.cells:
            further[cell] = f"{further.get(cell, '')} {region.name}".strip()

    def look(r: int, c: int) -> Look:
        mark = shown[r][c]
        if mark in (BLOCKED, OUTSIDE):
            return Look("" if drawing else mark * 3, fill=FILLS[mark])
        symbol = ("♛" if drawing else QUEEN) if mark == QUEEN else ""
        fill = fills[board.colours[r][c]] if fills else CHEQUERED[(r + c) % 2]
        return Look(symbol, answer=board.marks[r][c] != QUEEN, fill=fill, mark=further[r, c])

    height, width = board.size
    # Cells outside the board are walled off like a region of their own.
    names = [
        [(board.colours[r][c] if fills else "", board.marks[r][c] == OUTSIDE) for c in range(width)]
        for r in range(height)
    ]
    right, below = walls_between(names)
    counts = [tuple("" if count == ONE else str(count) for count in line) for line in (board.columns, board.rows)]
    above, left = (line if any(line) else () for line in counts)
    cells = tuple(tuple(look(r, c) for c in range(width)) for r in range(height))
    around = (board.wrap != "none", board.wrap == "torus")
    return Picture(cells, right, below, above, left, wrap=around, notes=tuple(_notes(board, drawing)))


def draw_attacks(board: Board, axes: Axes) -> None:
    """Arrows from cells to those that their queens attack wherever they lie."""
    for (r, c), others in board.attacks:
        for i, j in others:
            style = {"arrowstyle": "-|>", "color": "#b04a4a", "alpha": 0.6, "shrinkA": 6, "shrinkB": 6}
            axes.annotate("", (j + 0.5, i + 0.5), (c + 0.5, r + 0.5), arrowprops=style)


def _notes(board: Board, drawing: bool) -> list[str]:
    """The rules that the cells do not show, one line each."""
    found = []
    if any(count != ONE for count in (*board.rows, *board.columns)):
        found.append("numbers beside the board: queens in that line; one where there is none")
    if len(set(board.counts)) == 1 and board.counts[0] != ONE:
        found.append(f"every region: {board.counts[0]} queens")
    elif board.counts:
        found += [_region_note(region) for region in board.coloured() if region.queens != ONE]
    found += [_region_note(region) for region in board.extra]
    if board.wrap != "none":
        found.append(WRAP_NOTES[board.wrap])
    if board.slopes != DIAGONALS:
        found.append("lines of attack: " + (", ".join(map(_slope_words, board.slopes)) or "none"))
    if not board.uniform:
        found.append("reach of a queen, cell by cell:")
        found += [" ".join("*" if n == MANY else str(n) for n in row) for row in board.reach]
    elif board.reach[0][0] not in (1 if board.colours else MANY,):
        reach = board.reach[0][0]
        found.append(f"queens attack {'along whole lines' if reach == MANY else _steps(reach)}")
    attacks = () if drawing else board.attacks  # arrows in a drawing
    found += [f"a queen on {cell_name(cell)} attacks {cells_text(others)} too" for cell, others in attacks]
    return found


def _slope_words(slope: Slope) -> str:
    way = f"{slope.rows:+}/{slope.columns:+} one way" if slope.one_way else f"{slope.rows}/{slope.columns}"
    return way if slope.reach is None else f"{way} {'to the end' if slope.reach == MANY else _steps(slope.reach)}"


def _steps(reach: int) -> str:
    return f"{reach} step{'' if reach == 1 else 's'}"


def _region_note(region: Region) -> str:
    return f"region {region.name}: {region.queens} queens in {cells_text(region.cells)}"
