"""The QUBOs that papers and blogs print for our puzzles, term by term, for comparison with ours.

May import puzzles besides what qubo may. A formula goes into the file of its source, and into the table here.
"""

from __future__ import annotations

from collections.abc import Callable

from gatesolve.errors import UnsupportedError
from gatesolve.puzzles import Puzzle
from gatesolve.qubo.published import boards
from gatesolve.qubo.published.formula import Published

__all__ = ["Published", "published_families", "published_qubo"]

_FORMULAS: dict[str, Callable[..., Published]] = {
    "kakuro": boards.kakuro,
    "sudoku": boards.sudoku,
    "takuzu": boards.takuzu,
    "tango": boards.takuzu,
    "chess": boards.chess,
    "queens": boards.queens,
    "starbattle": boards.starbattle,
    "tents": boards.tents,
    "galaxies": boards.galaxies,
}


def published_families() -> tuple[str, ...]:
    """Return the puzzle families with a published formula."""
    return tuple(_FORMULAS)


def published_qubo(puzzle: Puzzle, *, keep: bool = False) -> Published:
    """Return the formula of the paper or blog for a puzzle, on its board.

    Args:
        puzzle: a board of one of `published_families`.
        keep: keep variables that the clues determine; ``fixed`` then contains their values.

    Returns:
        The formula, its ground energy and its source; `Published.decode` maps its states to the board.

    Raises:
        UnsupportedError: no formula for the family, or one that does not cover this board.
    """
    if puzzle.family not in _FORMULAS:
        known = ", ".join(published_families())
        raise UnsupportedError(f"no published QUBO for {puzzle.family}: the families with one are {known}")
    return _FORMULAS[puzzle.family](puzzle, keep)
