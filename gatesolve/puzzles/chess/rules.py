"""The rules of chess piece puzzles, judged on pieces that stand on a board, and what makes a board faulty.

Written apart from the model: each piece is walked over the board move by move, as a player would.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gatesolve.puzzles.base import Fault, misread
from gatesolve.puzzles.chess.board import Board, variable_name
from gatesolve.puzzles.grid import Cell, cell_name
from gatesolve.puzzles.reading import count


def standing_pieces(board: Board, solution: Mapping[str, int]) -> dict[Cell, str]:
    """What stands on each cell that is not empty."""
    return {
        cell: piece
        for cell in board.usable()
        for piece in board.holds(cell)
        if solution.get(variable_name(cell, piece)) == 1
    }


def broken_rules(board: Board, solution: Mapping[str, int]) -> list[str]:
    """The rules that a finished board breaks, in words; empty when it is right."""
    known = [variable_name(cell, piece) for cell in board.usable() for piece in board.holds(cell)]
    broken = misread(solution, dict.fromkeys(known, (0, 1)), "is no piece that may stand there", "not 0 or 1")
    for cell in board.usable():
        here = [piece for piece in board.holds(cell) if solution.get(variable_name(cell, piece)) == 1]
        if len(here) > 1:
            broken.append(f"{cell_name(cell)} holds {' and '.join(here)}: one piece a cell")
    standing = standing_pieces(board, solution)
    broken += [f"{cell_name(c)} has no {p} where one is given" for c, p in board.placed().items() if c not in standing]
    broken += [
        f"{standing[a]} at {cell_name(a)} threatens {standing[b]} at {cell_name(b)}"
        for a, b in threats(board, standing)
    ]
    for name, cells in board.coloured().items():
        pieces = sum(cell in standing for cell in cells)
        if pieces != 1:
            broken.append(f"region {name} has {count(pieces, 'piece')}, not 1")
    return broken


def threats(board: Board, standing: Mapping[Cell, str]) -> Iterator[tuple[Cell, Cell]]:
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


def _walk(board: Board, cell: Cell, step: Cell, farthest: int, stops: set[Cell]) -> Iterator[Cell]:
    """The cells a piece reaches in one direction. Pieces do not stop it; where one stands, it is threatened."""
    height, width = board.size
    r, c = cell
    for _ in range(farthest):
        r, c = r + step[0], c + step[1]
        if board.wrap == "torus":
            r = r % height
        if board.wrap != "none":
            c = c % width
        if not (0 <= r < height and 0 <= c < width) or (r, c) in stops or (r, c) == cell:
            return
        yield r, c


def first_fault(board: Board) -> Fault | None:
    """What makes this no board for pieces, or None."""
    return None if board.usable() else Fault("no cell of the board can hold a piece: write . for a free cell", (0, 0))


def contradiction(board: Board) -> str | None:
    """Why the board has no solution, where a region or two given pieces show it."""
    placed = board.placed()
    for name, cells in board.coloured().items():
        given = [cell for cell in cells if cell in placed]
        if len(given) > 1:
            return f"region {name} has {len(given)} pieces given but holds one"
        if not any(board.holds(cell) for cell in cells):
            return f"region {name} has no cell that can hold a piece"
    for a, b in threats(board, placed):
        return f"the given {placed[a]} at {cell_name(a)} threatens the given {placed[b]} at {cell_name(b)}"
    return None
