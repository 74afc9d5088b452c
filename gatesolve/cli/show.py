"""The commands ``gatesolve show`` and ``gatesolve families``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gatesolve.cli.console import open_console
from gatesolve.cli.options import Family, File


def show(
    *,
    file: File,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the picture instead: .txt, .png or .svg")
    ] = None,
    family: Family = None,
) -> None:
    """Draw a puzzle without solving it."""
    from gatesolve.cli import boards
    from gatesolve.puzzles import load

    if output is not None:
        boards.check_suffix(output, boards.PICTURES)
    puzzle = load(file, family)
    if output is not None:
        boards.write_picture(puzzle, None, output)
        return
    out = open_console()
    out.print(puzzle.title, style="bold")
    out.print(puzzle.render())


def families() -> None:
    """List the puzzle families that can be read, with an example of each."""
    import textwrap

    from gatesolve.puzzles import examples

    out = open_console()
    for name, summary, text in examples():
        out.print(f"[bold]{name}[/]: {summary}", markup=True)
        out.print(textwrap.indent(text, "    "))
