"""Writing a finished board to a file: text, picture, or the whole result as JSON."""

from __future__ import annotations

import json
from pathlib import Path

from gatesolve.errors import InputError
from gatesolve.export import replace_file
from gatesolve.result import Result

SUFFIXES = (".txt", ".png", ".svg", ".json")


def check_board_suffix(path: Path) -> None:
    """Refuse a file name whose suffix names no format, before any work is done.

    Raises:
        InputError: with the suffixes that do.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise InputError(f"cannot tell the format: end the name in {', '.join(SUFFIXES)}", source=str(path))


def write_board(result: Result, path: Path) -> None:
    """Write what was found: ``.txt`` and pictures show the board, ``.json`` holds everything ``--json`` prints.

    Raises:
        InputError: unknown suffix, a place that cannot be written to, or a picture of a bare model.
    """
    check_board_suffix(path)
    suffix = path.suffix.lower()
    if suffix == ".json":
        replace_file(path, (json.dumps(result.as_dict(), indent=2) + "\n").encode())
        return
    puzzle = result.problem.puzzle
    if puzzle is None:
        raise InputError("a bare model has no board: name a .json file", source=str(path))
    if suffix == ".txt":
        replace_file(path, puzzle.text(result.solution).encode())
    else:
        puzzle.draw(path, result.solution)
