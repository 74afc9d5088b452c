"""Puzzle families: file formats, rules and pictures.

`load` reads a file and `parse` a text; both return a `Puzzle`.
"""

from __future__ import annotations

from pathlib import Path

from gatesolve.errors import InputError
from gatesolve.files import unify_lines
from gatesolve.puzzles import chess, galaxies, kakuro, queens, starbattle, sudoku, takuzu, tango, tents
from gatesolve.puzzles.base import Family, Puzzle
from gatesolve.puzzles.foreign import way_in
from gatesolve.puzzles.kakuro.puzzle import Kakuro
from gatesolve.puzzles.reading import read_text

__all__ = ["Family", "Kakuro", "Puzzle", "examples", "families", "has_one_solution", "load", "parse"]

# A new family is one new line here.
_FAMILIES: tuple[Family, ...] = (
    kakuro.FAMILY,
    sudoku.FAMILY,
    takuzu.FAMILY,
    tango.FAMILY,
    chess.FAMILY,
    queens.FAMILY, *queens.ALIASES,
    starbattle.FAMILY,
    tents.FAMILY,
    galaxies.FAMILY,
)  # fmt: skip


def families() -> tuple[str, ...]:
    """Names of the puzzle families that can be read."""
    return tuple(family.name for family in _FAMILIES)


def examples() -> tuple[tuple[str, str, str], ...]:
    """Name, rules in one line, and a small puzzle in the typed format, of each family."""
    return tuple((family.name, family.summary, family.example) for family in _FAMILIES if family.example)


def has_one_solution(puzzle: Puzzle) -> bool:
    """Whether a published puzzle of this kind has exactly one solution."""
    return any(family.alone(puzzle) for family in _FAMILIES if family.name == puzzle.family)


def load(source: Path | str, family: str | None = None) -> Puzzle:
    """Read one puzzle from a file, or from standard input for ``"-"``.

    Args:
        source: path of the file, or ``"-"``.
        family: its family; found from the text when None.

    Raises:
        InputError: the file cannot be read or its text is faulty; the message says where and the mend.
    """
    text, name = read_text(source)
    return parse(text, family, name)


def parse(text: str, family: str | None = None, source: str = "<text>") -> Puzzle:
    """Read one puzzle from its text.

    Args:
        text: the puzzle in its family's format.
        family: its family; found from the text when None.
        source: what to call the text in messages.

    Raises:
        InputError: the family is unknown or cannot be told, or the text is faulty.
    """
    text = unify_lines(text)
    if not text.strip():
        raise InputError("empty: write a puzzle into it", source=source)
    return _choose(text, family, source).parse(text, source)


def _choose(text: str, family: str | None, source: str) -> Family:
    """The family called ``family``, or the one that recognises the text."""
    known = ", ".join(name for name, _, _ in examples())
    if family is not None:
        named = [f for f in _FAMILIES if f.name == family]
        if not named:
            raise InputError(f"unknown puzzle family {family!r}: choose one of {known}")
        return named[0]
    words = {line.split(maxsplit=1)[0].lower() for line in text.split("\n") if line.strip()}
    told = [f for f in _FAMILIES if words & set(f.headers)]
    found = [f for f in told or _FAMILIES if f.recognises(text)]
    if not found and (mend := way_in(text, source)):
        raise InputError(mend, source=source)
    if len(found) != 1:
        names = " and ".join(f.name for f in found)
        fault = f"could be {names}" if found else "not recognised as a puzzle"
        raise InputError(f"{fault}: give family=NAME, one of {known}", source=source)
    return found[0]
