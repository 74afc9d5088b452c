"""The commands ``gatesolve show`` and ``gatesolve families``, and the writing of boards to files."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gatesolve.cli.console import json_text, open_console
from gatesolve.cli.options import Family, File
from gatesolve.errors import InputError
from gatesolve.files import check_place, replace_file

if TYPE_CHECKING:
    from gatesolve.puzzles import Puzzle

PICTURES = (".txt", ".png", ".svg")


def show(
    *,
    file: File,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the picture instead: .txt, .png or .svg")
    ] = None,
    family: Family = None,
) -> None:
    """Draw a puzzle without solving it."""
    from gatesolve.puzzles import load

    if output is not None:
        check_board_place(output, PICTURES)
    puzzle = load(file, family)
    if output is not None:
        write_picture(puzzle, None, output)
        return
    out = open_console()
    out.print(puzzle.title, style="bold")
    out.print(puzzle.render())


def families() -> None:
    """List the puzzle families that can be read, with an example of each."""
    from gatesolve.puzzles import examples

    out = open_console()
    for name, summary, text in examples():
        out.print(f"[bold]{name}[/]: {summary}", markup=True)
        out.print(textwrap.indent(text, "    "))


def check_board_place(path: Path, suffixes: tuple[str, ...] = (*PICTURES, ".json")) -> None:
    """Refuse a suffix that names no format of a result, and a place that is not writable, before the work."""
    if path.suffix.lower() not in suffixes:
        raise InputError(f"unknown format: end the name in {', '.join(suffixes)}", source=str(path))
    if path.suffix.lower() in (".png", ".svg"):
        from gatesolve.puzzles.picture import kind_of

        kind_of(path)
    check_place(path)


def write_answer(
    whole: Callable[[], dict[str, Any]], puzzle: Puzzle | None, solution: Mapping[str, int] | None, path: Path
) -> None:
    """Write an answer: ``.txt`` and pictures show the board, ``.json`` contains ``whole``, the output of ``--json``."""
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
        from gatesolve.puzzles.picture import kind_of

        replace_file(path, puzzle.image(kind_of(path), solution))
