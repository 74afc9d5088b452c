"""Writing boards to files: text, pictures, or a whole result as JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from gatesolve.cli.words import json_text
from gatesolve.errors import InputError
from gatesolve.files import replace_file
from gatesolve.puzzles import Puzzle

PICTURES = (".txt", ".png", ".svg")
SUFFIXES = (*PICTURES, ".json")


def check_suffix(path: Path, suffixes: tuple[str, ...] = SUFFIXES) -> None:
    """Refuse a file name whose suffix names no format of a result, before any work is done."""
    if path.suffix.lower() not in suffixes:
        raise InputError(f"cannot tell the format: end the name in {', '.join(suffixes)}", source=str(path))


def write_answer(
    whole: Callable[[], dict[str, Any]], puzzle: Puzzle | None, solution: Mapping[str, int] | None, path: Path
) -> None:
    """Write an answer: ``.txt`` and pictures show the board, ``.json`` holds ``whole``, what ``--json`` prints."""
    if path.suffix.lower() == ".json":
        replace_file(path, (json_text(whole()) + "\n").encode())
    elif puzzle is None:
        raise InputError("a bare model has no board: name a .json file", source=str(path))
    else:
        write_picture(puzzle, solution, path)


def write_picture(puzzle: Puzzle, solution: Mapping[str, int] | None, path: Path) -> None:
    """Write a puzzle, with its answer if there is one, as text in its own format or as a picture."""
    if path.suffix.lower() == ".txt":
        replace_file(path, puzzle.text(solution).encode())
    else:
        replace_file(path, puzzle.image(path.suffix.lower().removeprefix("."), solution))
