"""Galaxies (Tentai Show) as a Japanese blog has it: cells times dots, one-hot."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from gatesolve.puzzles.galaxies import Galaxies
from gatesolve.puzzles.galaxies_board import GalaxiesBoard, core, mirror
from gatesolve.puzzles.grid import Cell, cell_name
from gatesolve.qubo.forms import equal
from gatesolve.qubo.polynomial import Number
from gatesolve.qubo.published.formula import FormulaTerms, Named, Published


def galaxies(puzzle: Galaxies, weak: Number = 0) -> Published:
    """Each cell in one galaxy, each dot's own cells in its, opposite cells alike, cells without an opposite out.

    All these have weight 1 (the blog adds each opposite pair twice with 1/2), so galaxies that obey them have energy
    0, and minus the offset without it: -32 on the blog's board, where three of them have it.

    ``weak`` is the reward for two neighbouring cells in one galaxy; the blog takes 1/10, for -34.1. It is a nudge
    towards galaxies in one piece, no proof, so there is no known ground energy then.
    """
    dots = range(len(puzzle.dots))
    names = {_name(cell, k): f"{cell_name(cell)} in galaxy {k}" for cell in puzzle.cells for k in dots}
    sheet = FormulaTerms(names, {}, keep=True)
    for cell in puzzle.cells:
        sheet.exactly((_name(cell, k) for k in dots), 1)
    for k, dot in enumerate(puzzle.dots):
        for cell in puzzle.cells:
            other = mirror(cell, dot)
            if cell in core(dot):
                sheet.exactly([_name(cell, k)], 1)
            elif puzzle.holds(other):
                mine, its = sheet.literals([_name(cell, k), _name(other, k)])
                sheet.add(equal(mine, its), Fraction(1, 2))
            else:
                sheet.exactly([_name(cell, k)], 0)
        if weak:
            sheet.together(((_name(a, k), _name(b, k)) for a, b in _side_by_side(puzzle)), -weak)

    leads = {_name(cell, k): _leader(puzzle, cell, k) for cell in puzzle.cells for k in dots}
    return sheet.finish(
        "a blog on pencil puzzles by QUBO, 'Galaxies' (in Japanese): settings 1 to " + ("5" if weak else "4"),
        lambda state: _read(puzzle, state),
        {name: [(lead, 1)] if lead else [] for name, lead in leads.items()},
        "that galaxies are in one piece",
        grounded=not weak,
    )


def _read(board: GalaxiesBoard, state: Named) -> dict[str, int]:
    """The puzzle's variables; a pair of opposite cells of which one is in the galaxy counts as out of it."""
    values: dict[str, int] = {}
    for cell in board.cells:
        for k, dot in enumerate(board.dots):
            lead, other = _leader(board, cell, k), mirror(cell, dot)
            if lead:
                values[lead] = state[_name(cell, k)] & state[_name(other, k)]
    return values


def _leader(board: GalaxiesBoard, cell: Cell, k: int) -> str | None:
    """The puzzle's variable for a cell and its opposite about a dot; None if that lies outside the board."""
    other = mirror(cell, board.dots[k])
    return _name(min(cell, other), k) if board.holds(other) else None


def _side_by_side(board: GalaxiesBoard) -> Iterable[tuple[Cell, Cell]]:
    for r, c in board.cells:
        yield from (((r, c), other) for other in ((r + 1, c), (r, c + 1)) if board.holds(other))


def _name(cell: Cell, k: int) -> str:
    return f"{cell_name(cell)}_d{k}"
