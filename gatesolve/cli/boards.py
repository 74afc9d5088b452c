"""Writing boards to files: text, pictures, or a whole result as JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from gatesolve.api.result import Result
from gatesolve.cli.words import json_text
from gatesolve.errors import InputError
from gatesolve.files import replace_file
from gatesolve.puzzles import Puzzle

PICTURES = (".txt", ".png", ".svg")
SUFFIXES = (*PICTURES, ".json")


def check_board_suffix(path: Path) -> None:
    """Refuse a file name whose suffix names no format of a result, before any work is done."""
    _check(path, SUFFIXES)


def check_picture_suffix(path: Path) -> None:
    """Refuse a file name whose suffix names no format of a board."""
    _check(path, PICTURES)


def _check(path: Path, suffixes: tuple[str, ...]) -> None:
    if path.suffix.lower() not in suffixes:
        raise InputError(f"cannot tell the format: end the name in {', '.join(suffixes)}", source=str(path))


def write_board(result: Result, path: Path) -> None:
    """Write what was found: ``.txt`` and pictures show the board, ``.json`` holds everything ``--json`` prints."""
    write_answer(result.as_dict, result.problem.puzzle, result.solution, path)


def write_answer(
    whole: Callable[[], dict[str, Any]], puzzle: Puzzle | None, solution: Mapping[str, int] | None, path: Path
) -> None:
    """Write an answer as the suffix says: ``whole`` gives all there is, for ``.json``."""
    check_board_suffix(path)
    if path.suffix.lower() == ".json":
        replace_file(path, (json_text(whole()) + "\n").encode())
    elif puzzle is None:
        raise InputError("a bare model has no board: name a .json file", source=str(path))
    else:
        write_picture(puzzle, solution, path)


def write_picture(puzzle: Puzzle, solution: Mapping[str, int] | None, path: Path) -> None:
    """Write a puzzle, with its answer if there is one, as text in its own format or as a picture."""
    check_picture_suffix(path)
    if path.suffix.lower() == ".txt":
        replace_file(path, puzzle.text(solution).encode())
    else:
        replace_file(path, puzzle.image(path.suffix.lower().removeprefix("."), solution))
