"""Puzzle families: file formats, rules and pictures.

`load` reads a file and `parse` a text; both return a `Puzzle`. This room depends on no qubits. Imports no other room.
A new family is one file with a class derived from `Puzzle` and one name in `registry`; another package adds one by an
entry point `gatesolve.families`, a program by `register`.
"""

from __future__ import annotations

import os
from pathlib import Path

from gatesolve.errors import InputError
from gatesolve.files import as_text, read_bytes, source_name, unify_lines
from gatesolve.puzzles.base import Draft, Fault, Puzzle, misread, overwritten
from gatesolve.puzzles.chess import Chess
from gatesolve.puzzles.drawn import board_of_post
from gatesolve.puzzles.galaxies import Galaxies
from gatesolve.puzzles.grid import Cell, cell_name
from gatesolve.puzzles.kakuro import Kakuro
from gatesolve.puzzles.picture import Look, Picture
from gatesolve.puzzles.queens import Queens
from gatesolve.puzzles.reading import cell_places, check_rows, lines_of
from gatesolve.puzzles.registry import all_families, choose_family, examples, families, family_named, register
from gatesolve.puzzles.starbattle import StarBattle
from gatesolve.puzzles.sudoku import Sudoku
from gatesolve.puzzles.takuzu import Takuzu, Tango
from gatesolve.puzzles.tents import Tents

__all__ = [
    "Cell", "Chess", "Draft", "Fault", "Galaxies", "Kakuro", "Look", "Picture", "Puzzle", "Queens", "StarBattle",
    "Sudoku", "Takuzu", "Tango", "Tents", "all_families", "cell_name", "cell_places", "check_rows", "examples",
    "families", "is_text", "lines_of", "load", "misread", "overwritten", "parse", "read_text", "register",
]  # fmt: skip

MAX_BYTES = 1 << 20
"""Largest input; far above any board that is typed by hand."""


def load(source: Path | str, family: str | None = None) -> Puzzle:
    """Read one puzzle from a file, from standard input for ``"-"``, or from its text.

    Args:
        source: path of the file, ``"-"``, or a text of several lines, which is the puzzle itself.
        family: its family; None detects it from the text.

    Returns:
        The puzzle, a board of one of `families()`; its clues are valid, but it may have no solution.

    Raises:
        InputError: the file cannot be read or its text is faulty; the message names the place and the correction.
    """
    if family is not None:
        # An unknown family is refused before anything is read.
        family_named(family)
    text, name = read_text(source)
    return parse(text, family, name)


def read_text(
    source: Path | str, limit: int = MAX_BYTES, mend: str = "give a file with one puzzle in it"
) -> tuple[str, str]:
    r"""Return a file, or standard input for ``"-"``, as UTF-8 text, and the name of its source in messages.

    A text of several lines is returned itself. Line ends become ``\n`` and a byte-order mark is dropped. ``mend`` is
    the advice for a file above the limit.
    """
    if is_text(source):
        return unify_lines(str(source)), "<text>"
    name = source_name(source)
    return as_text(read_bytes(source, limit, mend), name), name


def is_text(source: Path | str) -> bool:
    """Return whether the source is a puzzle's text rather than a path."""
    # A text has several lines, which no ordinary file name has.
    return isinstance(source, str) and "\n" in source.strip() and not os.path.exists(source)


def parse(text: str, family: str | None = None, source: str = "<text>") -> Puzzle:
    """Read one puzzle from its text.

    Args:
        text: the puzzle in its family's format.
        family: its family; None detects it from the text.
        source: the name of the text in messages.

    Raises:
        InputError: the family is unknown or ambiguous, or the text is faulty.
    """
    text = unify_lines(text)
    if not text.strip():
        raise InputError("empty: write a puzzle into it", source=source)
    try:
        return _parse(text, family, source)
    except InputError:
        # Perhaps a post with words around a board in emoji. If not, the first error is the better one.
        if (board := board_of_post(text)) is None:
            raise
        return _parse(board, family, source)


def _parse(text: str, family: str | None, source: str) -> Puzzle:
    chosen = choose_family(text, source) if family is None else family_named(family)
    return chosen.parse(text, source)
