"""The chess board: what may stand where, how pieces move, and what they are worth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from gatesolve.puzzles.attack_lines import Step, Wrap
from gatesolve.puzzles.grid import BLOCKED, FREE, OUTSIDE, Cell, Grid, cell_name, cells_by_name, cells_of


class Moves(NamedTuple):
    """How a piece moves: to cells one leap away, and any number of steps along slides."""

    leaps: tuple[Step, ...] = ()
    slides: tuple[Step, ...] = ()


def around(p: int, q: int) -> tuple[Step, ...]:
    """A step in all its mirror images and turns."""
    return tuple(sorted({(a * i, b * j) for a, b in ((p, q), (q, p)) for i in (1, -1) for j in (1, -1)}))


_STRAIGHT, _DIAGONAL = around(0, 1), around(1, 1)

PIECES: Mapping[str, Moves] = {
    "K": Moves(leaps=_STRAIGHT + _DIAGONAL),
    "Q": Moves(slides=_STRAIGHT + _DIAGONAL),
    "R": Moves(slides=_STRAIGHT),
    "B": Moves(slides=_DIAGONAL),
    "N": Moves(leaps=around(1, 2)),
    # A pawn moves up the board; what it threatens are the two cells diagonally before it.
    "P": Moves(leaps=((-1, -1), (-1, 1))),
}
"""King, queen, rook, bishop, knight, pawn."""


@dataclass(frozen=True)
class Board:
    """A chess piece puzzle as it is read.

    Attributes:
        marks: one character a cell: ``.`` free, the letter of a piece that is given, ``#`` a cell that
            holds no piece, ``@`` one outside the board.
        pieces: letters of the pieces that a free cell may hold.
        moves: the moves of pieces defined by the puzzle.
        weights: the worth of pieces, where it is not 1.
        types: letters of the pieces that each cell may hold, ``.`` for ``pieces``; no rows when all are ``.``.
        regions: the name of each cell's region, ``.`` for none; no rows when there are none. Each
            holds one piece.
        maximise: whether the sum of weights is to be as large as can be.
        wrap: which edges of the board meet.
        opaque: whether slides stop at cells that hold no piece.
    """

    marks: tuple[str, ...]
    pieces: str
    moves: tuple[tuple[str, Moves], ...] = ()
    weights: tuple[tuple[str, int], ...] = ()
    types: Grid = ()
    regions: Grid = ()
    maximise: bool = True
    wrap: Wrap = "none"
    opaque: bool = False

    @property
    def size(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self.marks), len(self.marks[0])

    def moves_of(self, piece: str) -> Moves:
        """How a piece moves."""
        return dict(self.moves).get(piece) or PIECES[piece]

    def weight_of(self, piece: str) -> int:
        """What a piece is worth."""
        return dict(self.weights).get(piece, 1)

    def holds(self, cell: Cell) -> str:
        """The letters of the pieces that may stand on a cell."""
        r, c = cell
        mark = self.marks[r][c]
        if mark in (BLOCKED, OUTSIDE):
            return ""
        if mark != FREE:
            return mark
        allowed = self.types[r][c] if self.types else FREE
        return self.pieces if allowed == FREE else allowed

    def usable(self) -> list[Cell]:
        """The cells that may hold a piece, row by row."""
        return [cell for cell in cells_of(self.size) if self.holds(cell)]

    def stops(self) -> list[Cell]:
        """The cells at which slides stop."""
        if not self.opaque:
            return []
        return [(r, c) for r, row in enumerate(self.marks) for c, m in enumerate(row) if m in (BLOCKED, OUTSIDE)]

    def placed(self) -> dict[Cell, str]:
        """The pieces that are given."""
        free = (FREE, BLOCKED, OUTSIDE)
        return {(r, c): m for r, row in enumerate(self.marks) for c, m in enumerate(row) if m not in free}

    def coloured(self) -> dict[str, list[Cell]]:
        """The cells of each region."""
        return cells_by_name(self.regions)


def variable_name(cell: Cell, piece: str) -> str:
    """Name of the variable that says a piece stands on a cell, such as ``r1c2N``."""
    return cell_name(cell) + piece
