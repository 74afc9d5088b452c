"""The chess board: what may stand where, how pieces move, what makes it faulty, and the rules, judged on an answer.

The judging is written apart from the model: each piece is walked over the board move by move, as a player would.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from gatesolve.puzzles.attack_lines import Step, Wrap
from gatesolve.puzzles.base import Fault, misread
from gatesolve.puzzles.grid import (
    CLOSED,
    FREE,
    Cell,
    Grid,
    by_cell,
    cell_name,
    cells_by_name,
    cells_of,
    describe_pieces,
)
from gatesolve.puzzles.reading import count


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
class ChessBoard:
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
        """Return the worth of a piece."""
        return dict(self.weights).get(piece, 1)

    def holds(self, cell: Cell) -> str:
        """The letters of the pieces that may stand on a cell."""
        r, c = cell
        mark = self.marks[r][c]
        if mark in CLOSED:
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
        return [cell for cell, mark in by_cell(self.marks).items() if self.opaque and mark in CLOSED]

    def list_given(self) -> dict[Cell, str]:
        """The pieces that are given."""
        return {cell: mark for cell, mark in by_cell(self.marks).items() if mark not in (FREE, *CLOSED)}

    def list_regions(self) -> dict[str, list[Cell]]:
        """The cells of each region."""
        return cells_by_name(self.regions)

    def first_fault(self) -> Fault | None:
        fault = Fault("no cell of the board can hold a piece: write . for a free cell", (0, 0))
        return None if self.usable() else fault

    @property
    def contradiction(self) -> str | None:
        """Why the board has no solution, where a region or two given pieces show it."""
        placed = self.list_given()
        for name, cells in self.list_regions().items():
            given = [cell for cell in cells if cell in placed]
            if len(given) > 1:
                return f"region {name} has {len(given)} pieces given but holds one"
            if not any(self.holds(cell) for cell in cells):
                return f"region {name} has no cell that can hold a piece"
        for a, b in threats(self, placed):
            return f"the given {placed[a]} at {cell_name(a)} threatens the given {placed[b]} at {cell_name(b)}"
        return None

    @property
    def doubt(self) -> str | None:
        """The region that is in several pieces, which a board may have."""
        return describe_pieces((f"region {name}", cells) for name, cells in self.list_regions().items())

    def check(self, solution: Mapping[str, int]) -> list[str]:
        """The rules that a finished board breaks, in words; empty when it is right.

        That no other board is worth more is no rule a board can be judged by alone.
        """
        known = [variable_name(cell, piece) for cell in self.usable() for piece in self.holds(cell)]
        broken = misread(solution, dict.fromkeys(known, (0, 1)), "is no piece that may stand there", "not 0 or 1")
        for cell in self.usable():
            here = [piece for piece in self.holds(cell) if solution.get(variable_name(cell, piece)) == 1]
            if len(here) > 1:
                broken.append(f"{cell_name(cell)} holds {' and '.join(here)}: one piece a cell")
        standing = standing_pieces(self, solution)
        gone = ((cell_name(cell), piece) for cell, piece in self.list_given().items() if cell not in standing)
        broken += [f"{name} has no {piece} where one is given" for name, piece in gone]
        for a, b in threats(self, standing):
            broken.append(f"{standing[a]} at {cell_name(a)} threatens {standing[b]} at {cell_name(b)}")
        for name, cells in self.list_regions().items():
            pieces = sum(cell in standing for cell in cells)
            if pieces != 1:
                broken.append(f"region {name} has {count(pieces, 'piece')}, not 1")
        return broken


def variable_name(cell: Cell, piece: str) -> str:
    """Name of the variable that says a piece stands on a cell, such as ``r1c2N``."""
    return cell_name(cell) + piece


def standing_pieces(board: ChessBoard, solution: Mapping[str, int]) -> dict[Cell, str]:
    """Return the piece on each cell that is not empty."""
    pieces = ((cell, piece) for cell in board.usable() for piece in board.holds(cell))
    return {cell: piece for cell, piece in pieces if solution.get(variable_name(cell, piece)) == 1}


def threats(board: ChessBoard, standing: Mapping[Cell, str]) -> Iterator[tuple[Cell, Cell]]:
    """Pairs of cells of which the piece on the first threatens the piece on the second."""
    stops = set(board.stops())
    for cell, piece in standing.items():
        moves = board.moves_of(piece)
        reached: set[Cell] = set()
        for step in moves.leaps:
            reached.update(_walk(board, cell, step, 1, set()))
        for step in moves.slides:
            reached.update(_walk(board, cell, step, board.size[0] * board.size[1], stops))
        yield from ((cell, other) for other in sorted(reached) if other in standing and other != cell)


def _walk(board: ChessBoard, cell: Cell, step: Cell, farthest: int, stops: set[Cell]) -> Iterator[Cell]:
    """The cells a piece reaches in one direction. Pieces do not stop it; where one stands, it is threatened."""
    height, width = board.size
    r, c = cell
    for _ in range(farthest):
        r, c = r + step[0], c + step[1]
        if board.wrap == "torus":
            r %= height
        if board.wrap != "none":
            c %= width
        if not (0 <= r < height and 0 <= c < width) or (r, c) in stops or (r, c) == cell:
            return
        yield r, c
