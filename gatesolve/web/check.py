"""A board as it is typed: its picture, or where its fault is; and its cells, for the page to draw on."""

from __future__ import annotations

import re
from threading import Lock
from typing import Any

from gatesolve.errors import GatesolveError, InputError
from gatesolve.files import unify_lines
from gatesolve.puzzles import Puzzle, parse
from gatesolve.puzzles.reading import Token
from gatesolve.puzzles.registry import family_named

SOURCE = "board"
LARGEST = 20
"""Rows and columns up to which a board is drawn on by hand."""
_SYMBOLS = {"sudoku": ".123456789", "takuzu": ".01", "tango": ".SM"}
_REGIONS = "ABCDEFGHIJKLMNOPQRST"
_DRAWING = Lock()  # matplotlib keeps fonts that threads share


def check_board(family: str, text: str) -> dict[str, Any]:
    """What the page shows of a text while it is typed."""
    found: dict[str, Any] = {"title": None, "svg": None, "fault": None, "note": None, "walls": None}
    found |= _cells(family, text)
    try:
        puzzle = parse(text, family, SOURCE)
    except InputError as error:
        return {**found, "fault": {"message": str(error), "row": error.row, "column": error.column}}
    known = {"title": puzzle.title, "svg": draw_svg(puzzle), "note": puzzle.contradiction}
    return {**found, **known, "walls": _walls(puzzle) if found["cells"] else None}


def draw_svg(puzzle: Puzzle, solution: dict[str, int] | None = None) -> str:
    """The puzzle's own picture."""
    with _DRAWING:
        return puzzle.image("svg", solution).decode()


def _walls(puzzle: Puzzle) -> dict[str, list[list[bool]]]:
    """Whether a thick wall stands right of each cell, and below it."""
    picture = puzzle.picture({}, drawing=True)
    rows, columns = map(range, picture.size)
    return {
        name: [[bool(wall(r, c)) for c in columns] for r in rows]
        for name, wall in (("right", picture.right), ("below", picture.below))
    }


def _cells(family: str, text: str) -> dict[str, Any]:
    """Where each cell of a grid stands in the text, as ``[line, character]`` from 0; nothing where it is no plain grid.

    The text stays what counts: the page changes a cell by changing its character.
    """
    nothing: dict[str, Any] = {"cells": None, "symbols": None}
    try:
        places = family_named(family).read(unify_lines(text), SOURCE).places
    except GatesolveError:
        return nothing
    tokens = {key: token for key, token in places.items() if isinstance(key[0], int) and isinstance(token, Token)}
    if family not in {*_SYMBOLS, "queens", "starbattle"} or not tokens:
        return nothing
    rows, columns = (max(place) + 1 for place in zip(*tokens, strict=True))
    if max(rows, columns) > LARGEST or len(tokens) != rows * columns:
        return nothing
    grid: list[list[list[int]]] = [[[] for _ in range(columns)] for _ in range(rows)]
    for (r, c), token in tokens.items():
        start = _find_start(token.line.text, token.text, token.column)
        if token.line.number is None or start is None:
            return nothing
        grid[r][c] = [token.line.number - 1, start]
    symbols = _SYMBOLS.get(family, _REGIONS)
    symbols = symbols[:columns] if family not in _SYMBOLS else symbols[: columns + 1 if family == "sudoku" else None]
    used = {token.text for token in tokens.values()}
    return {"cells": grid, "symbols": symbols} if used <= set(symbols) else nothing


def _find_start(line: str, text: str, column: int) -> int | None:
    """The character at which a cell of one character stands; its column counts characters or words."""
    if len(text) != 1:
        return None
    if line[column - 1 : column] == text:
        return column - 1
    words = [found.start() for found in re.finditer(r"\S+", line)]
    start = words[column - 1] if column <= len(words) else -1
    return start if start >= 0 and line[start] == text else None
