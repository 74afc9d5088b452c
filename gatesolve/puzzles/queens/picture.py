"""Pictures of a Queens board; the rules that its cells cannot show are notes below it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gatesolve.puzzles.grid import Cell, cell_name
from gatesolve.puzzles.picture import Look, Picture, pieces_picture
from gatesolve.puzzles.queens.board import DIAGONALS, MANY, ONE, QUEEN, Board, Region, Slope, cells_text
from gatesolve.puzzles.reading import count

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def queens_picture(board: Board, shown: Sequence[Sequence[str]], drawing: bool) -> Picture:
    """The board with its queens; ``shown`` holds one mark a cell, answers included."""
    further = dict.fromkeys(board.usable(), "")
    for region in board.extra:
        for cell in region.cells:
            further[cell] = f"{further.get(cell, '')} {region.name}".strip()

    def held(cell: Cell) -> Look:
        r, c = cell
        symbol = ("♛" if drawing else QUEEN) if shown[r][c] == QUEEN else ""
        return Look(symbol, answer=board.marks[r][c] != QUEEN, mark=further[cell])

    def paint(axes: Axes, points: float) -> None:
        """Arrows from cells to those that their queens attack wherever they lie."""
        for (r, c), others in board.attacks:
            for i, j in others:
                style = {"arrowstyle": "-|>", "color": "#b04a4a", "alpha": 0.6, "shrinkA": 6, "shrinkB": 6}
                axes.annotate("", (j + 0.5, i + 0.5), (c + 0.5, r + 0.5), arrowprops=style)

    above, left = (
        tuple("" if held == ONE else str(held) for held in line) if set(line) != {ONE} else ()
        for line in (board.columns, board.rows)
    )
    return pieces_picture(
        shown, board.colours, held, drawing,
        wrap=board.wrap, beside=(above, left), notes=_notes(board, drawing), paint=paint,
    )  # fmt: skip


def _notes(board: Board, drawing: bool) -> list[str]:
    """The rules that the cells do not show, one line each."""
    found = []
    if {*board.rows, *board.columns} != {ONE}:
        found.append("numbers beside the board: queens in that line; one where there is none")
    if len(set(board.counts)) == 1 and board.counts[0] != ONE:
        found.append(f"every region: {board.counts[0]} queens")
    elif board.counts:
        found += [_region_note(region) for region in board.coloured() if region.queens != ONE]
    found += [_region_note(region) for region in board.extra]
    if board.slopes != DIAGONALS:
        found.append("lines of attack: " + (", ".join(map(_slope_words, board.slopes)) or "none"))
    if not board.uniform:
        found.append("reach of a queen, cell by cell:")
        found += [" ".join("*" if n == MANY else str(n) for n in row) for row in board.reach]
    elif board.reach[0][0] not in (1 if board.colours else MANY,):
        reach = board.reach[0][0]
        found.append(f"queens attack {'along whole lines' if reach == MANY else count(reach, 'step')}")
    attacks = () if drawing else board.attacks  # arrows in a drawing
    found += [f"a queen on {cell_name(cell)} attacks {cells_text(others)} too" for cell, others in attacks]
    return found


def _slope_words(slope: Slope) -> str:
    way = f"{slope.rows:+}/{slope.columns:+} one way" if slope.one_way else f"{slope.rows}/{slope.columns}"
    return (
        way if slope.reach is None else f"{way} {'to the end' if slope.reach == MANY else count(slope.reach, 'step')}"
    )


def _region_note(region: Region) -> str:
    return f"region {region.name}: {region.queens} queens in {cells_text(region.cells)}"
