"""Which pieces on which cells threaten each other, as sets of which at most one stands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gatesolve.puzzles.attack_lines import Line, Step, cut, lines, take_step
from gatesolve.puzzles.chess.board import Board
from gatesolve.puzzles.grid import Cell

Standing = tuple[Cell, str]
"""A cell and the letter of a piece on it."""
Clique = tuple[Standing, ...]


def conflicts(board: Board) -> list[Clique]:
    """Sets of standing pieces of which at most one may be: one piece a cell, and no threats.

    Each pair of pieces of which one threatens the other is in some set.
    """
    cells = {cell: board.holds(cell) for cell in board.usable()}
    found: dict[frozenset[Standing], Clique] = {}
    everything = (*_together(cells), *_leaping(board, cells), *_sliding(board, cells))
    # The widest first, so that a set inside another is seen to be said already.
    for clique in sorted(everything, key=len, reverse=True):
        found.setdefault(frozenset(clique), clique)
    widest: dict[Standing, list[frozenset[Standing]]] = {}
    kept = []
    for members, clique in found.items():
        if len(members) < 2 or any(members <= other for other in widest.get(clique[0], ())):
            continue
        kept.append(clique)
        for standing in clique:
            widest.setdefault(standing, []).append(members)
    return kept


def _together(cells: dict[Cell, str]) -> Iterator[Clique]:
    """One piece a cell."""
    yield from (_all(cell, pieces) for cell, pieces in cells.items())


def _all(cell: Cell, pieces: str) -> Clique:
    return tuple((cell, piece) for piece in pieces)


def _leaping(board: Board, cells: dict[Cell, str]) -> Iterator[Clique]:
    """Leapers on one cell with whatever stands on another that they threaten."""
    for cell, pieces in cells.items():
        targets: dict[Cell, str] = {}
        for piece in pieces:
            for step in board.moves_of(piece).leaps:
                to = take_step(cell, step, board.size, board.wrap)
                if to is not None and to != cell and piece not in targets.get(to, ""):
                    targets[to] = targets.get(to, "") + piece
        for to, threatening in targets.items():
            if to in cells:
                yield _all(cell, threatening) + _all(to, cells[to])


def _sliding(board: Board, cells: dict[Cell, str]) -> Iterator[Clique]:
    """All that slides along a line, with whatever stands on one cell of it."""
    steps = sorted({step for piece in "".join(cells.values()) for step in board.moves_of(piece).slides})
    for step in steps:
        back = (-step[0], -step[1])
        if back in steps and back < step:
            continue  # the same lines, read the other way
        for whole in lines(step, board.size, board.wrap):
            for line in cut(whole, board.stops()):
                yield from _on_line(board, cells, line, step, back)


def _on_line(board: Board, cells: dict[Cell, str], line: Line, step: Step, back: Step) -> Iterator[Clique]:
    """The sets of one line.

    Along a closed line a slide comes round, so it threatens every other cell whichever way it goes.
    """
    on_line = [cell for cell in line.cells if cell in cells]

    def sliders(cell: Cell, ways: Sequence[Step]) -> Clique:
        return tuple((cell, p) for p in cells[cell] if any(way in board.moves_of(p).slides for way in ways))

    both = [sliders(cell, (step, back)) for cell in on_line]
    one_way = any(len(sliders(cell, (way,))) != len(some) for cell, some in zip(on_line, both, strict=True)
                  for way in (step, back))  # fmt: skip
    if not one_way or line.closed:
        for k, cell in enumerate(on_line):
            others = tuple(s for j, some in enumerate(both) if j != k for s in some)
            if others:
                yield others + _all(cell, cells[cell])
        return
    for k, cell in enumerate(on_line):
        for j, target in enumerate(on_line):
            some = sliders(cell, (step if j > k else back,))
            if j != k and some:
                yield some + _all(target, cells[target])
