"""A board as it is typed: its picture, or where its fault is; and its cells, for the page to draw on."""

from __future__ import annotations

import traceback
from threading import Lock
from typing import Any

from gatesolve.api.words import render_told
from gatesolve.errors import InputError, one_line
from gatesolve.puzzles import Puzzle, parse
from gatesolve.puzzles.sudoku.puzzle import Sudoku
from gatesolve.web.boards import label
from gatesolve.web.cells import BoardCells, find_cells

SOURCE = "board"
INTERNAL = "internal error of gatesolve: the terminal that runs gatesolve web describes it; please report it"
"""Shown on the page for an error that is a fault of the program."""
_DRAWING = Lock()  # matplotlib keeps fonts that threads share


def describe_internal(error: Exception) -> str:
    """One line for the terminal: the error and the line of the program that raised it."""
    last = traceback.extract_tb(error.__traceback__)[-1:]
    place = "".join(f" at {frame.filename}:{frame.lineno}" for frame in last)
    return one_line(f"internal error, please report it: {type(error).__name__}{place}: {str(error)[:300]}")


def check_board(family: str, text: str) -> dict[str, Any]:
    """Return the page's view of a text while it is typed.

    Of a text that is not written cell by cell, ``drawable`` is the same board as a text that is.
    """
    found: dict[str, Any] = dict.fromkeys(
        ("title", "svg", "fault", "note", "doubt", "walls", "cells", "symbols", "drawable")
    )
    cells = find_cells(family, text)
    if cells is not None:
        found |= {"cells": cells.spans, "symbols": cells.symbols}
    try:
        puzzle = parse(text, family, SOURCE)
    except InputError as error:
        at = None if cells is None else cells.find(error.row, error.column)
        fault = {"message": str(error), "row": error.row, "column": error.column, "cell": at}
        return {**found, "fault": render_told(fault, label)}
    said = render_told({"note": puzzle.contradiction, "doubt": puzzle.doubt}, label)
    known = {"title": puzzle.title, "svg": draw_svg(puzzle), **said}
    if cells is None:
        known["drawable"] = _write_cells(puzzle)
    return {**found, **known, "walls": None if cells is None else _walls(puzzle, cells)}


def _write_cells(puzzle: Puzzle) -> str | None:
    """The board as a text that is written cell by cell, if it can be; without values a killer's text has no cells."""
    texts = [puzzle.text()]
    if isinstance(puzzle, Sudoku):
        side = len(puzzle.cells)
        texts.append(f"{texts[0]}board\n" + f"{'.' * side}\n" * side)
    return next((text for text in texts if find_cells(puzzle.family, text) is not None), None)


def draw_svg(puzzle: Puzzle, solution: dict[str, int] | None = None) -> str:
    """The puzzle's own picture."""
    with _DRAWING:
        return puzzle.image("svg", solution).decode()


def _walls(puzzle: Puzzle, cells: BoardCells) -> dict[str, list[list[bool]]] | None:
    """Whether a thick wall stands right of each cell, and below it; None where not only cells are drawn on."""
    picture = puzzle.picture({}, drawing=True)
    if picture.size != (len(cells.spans), len(cells.spans[0])):
        return None
    rows, columns = map(range, picture.size)
    return {
        name: [[bool(wall(r, c)) for c in columns] for r in rows]
        for name, wall in (("right", picture.right), ("below", picture.below))
    }
