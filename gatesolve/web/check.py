"""A typed board: its picture, or the place of its fault; and its cells, for the page to draw on."""

from __future__ import annotations

import re
import traceback
from collections.abc import Mapping
from contextlib import suppress
from itertools import groupby
from threading import Lock
from typing import Any, NamedTuple

from gatesolve.api.words import render_told
from gatesolve.errors import GatesolveError, InputError, one_line
from gatesolve.files import unify_lines
from gatesolve.puzzles import Puzzle, parse
from gatesolve.puzzles.drawn import board_of_post
from gatesolve.puzzles.reading import Token
from gatesolve.puzzles.registry import choose_family, family_named
from gatesolve.puzzles.sudoku import Sudoku
from gatesolve.web.boards import label

Place = tuple[int, int]
LARGEST = 20
"""Most rows and columns of a board that can be drawn by hand."""
_SYMBOLS = {"takuzu": ".01", "tango": ".SM", "tents": ".T^", "galaxies": ".o*#", "kakuro": ".#"}
_REGIONS = "ABCDEFGHIJKLMNOPQRST"
_CHESS = ".KQRBNP#@"
SOURCE = "board"
INTERNAL = "internal error of gatesolve: the terminal that runs gatesolve web describes it; please report it"
"""Message of the page for an error in the program itself."""
# matplotlib caches fonts, and threads share the cache.
_DRAWING = Lock()


class BoardCells(NamedTuple):
    """A board to draw on.

    Attributes:
        spans: for each cell the line, the first character and the length of its text, from 0; None for an empty corner.
            The counts of Tents are a row and a column of cells; edges and corners of Galaxies are cells, too.
        symbols: the symbols that can be written.
        tokens: the cells by row and column, and their places in the text.
    """

    spans: list[list[list[int] | None]]
    symbols: str
    tokens: Mapping[Place, Token]

    def find(self, row: int | None, column: int | None) -> Place | None:
        """Return the cell of a fault, given by its row and column in the text."""
        named = ((token.line.number, token.column) for token in self.tokens.values())
        return next((cell for cell, at in zip(self.tokens, named, strict=True) if at == (row, column)), None)


def find_cells(family: str, text: str) -> BoardCells | None:
    """Return the cells of a text; None where it is not written cell by cell."""
    try:
        places = family_named(family).read_any(unify_lines(text)).places
    except GatesolveError:
        return None
    located = ((_locate(key, family), token) for key, token in places.items())
    tokens = {cell: token for cell, token in located if cell is not None and isinstance(token, Token)}
    if not tokens:
        return None
    rows, columns = (max(place) + 1 for place in zip(*tokens, strict=True))
    symbols = _list_symbols(family, {token.text for token in tokens.values()}, columns)
    corner = family == "tents"
    most = 2 * LARGEST if family == "galaxies" else LARGEST + corner
    # Every cell must have a token; Tents lack the corner above the row counts.
    if symbols is None or max(rows, columns) > most or len(tokens) != rows * columns - corner:
        return None
    spans: list[list[list[int] | None]] = [[None] * columns for _ in range(rows)]
    for _, row in groupby(sorted(tokens), key=lambda cell: cell[0]):
        cells = list(row)
        found = _find_spans([tokens[cell] for cell in cells])
        if found is None:
            return None
        for (r, c), span in zip(cells, found, strict=True):
            spans[r][c] = span
    return BoardCells(spans, symbols, tokens)


def _locate(key: Any, family: str) -> Place | None:
    """Return the row and column of a cell, None for anything else."""
    match key:
        # The counts of Tents are above and left of the board.
        case ("columns", (_, c)):
            return 0, c + 1
        case ("rows", (r, _)):
            return r + 1, 0
        case (int(r), int(c)):
            return (r + 1, c + 1) if family == "tents" else (r, c)
        case _:
            return None


def _list_symbols(family: str, used: set[str], columns: int) -> str | None:
    """Return the symbols that can be written into cells; None where a cell contains something else."""
    if family == "sudoku":
        symbols = ".123456789"[: columns + 1]
    elif family == "chess":
        known = _CHESS + "".join(sorted(one for one in used if one not in _CHESS and len(one) == 1))
        # In a chess puzzle with regions the first grid is theirs.
        symbols = _REGIONS[:columns] + "." if "A" in used else known
    elif family in ("queens", "starbattle"):
        symbols = _REGIONS[:columns] + (".#@" if used & set(".#@") or family == "starbattle" else "")
    elif family in _SYMBOLS:
        symbols = _SYMBOLS[family]
    else:
        return None
    also = {"tents": r"\d+|\?", "galaxies": r"[|+-]", "kakuro": r"\d+|\d*\\\d*"}.get(family, r"(?!)")
    return symbols if all(one in symbols or re.fullmatch(also, one) for one in used) else None


def _find_spans(row: list[Token]) -> list[list[int]] | None:
    """Return the spans of the cells of one row."""
    line = row[0].line
    if line.number is None or any(token.line != line for token in row):
        return None
    # Columns count characters in some formats, words in others; both are tried against the text.
    words = [found.start() for found in re.finditer(r"\S+", line.text)]
    by_word = [words[token.column - 1] if token.column <= len(words) else -1 for token in row]
    for starts in ([token.column - 1 for token in row], by_word):
        spans = [[line.number - 1, start, len(token.text)] for start, token in zip(starts, row, strict=True)]
        ends = [0, *(start + length for _, start, length in spans)]
        # Each cell is at its expected start, none before the end of another.
        if all(
            start >= end and line.text[start : start + length] == token.text
            for (_, start, length), end, token in zip(spans, ends, row, strict=False)
        ):
            return spans
    return None


def describe_internal(error: Exception) -> str:
    """One line for the terminal: the error and the line of the program that raised it."""
    last = traceback.extract_tb(error.__traceback__)[-1:]
    place = "".join(f" at {frame.filename}:{frame.lineno}" for frame in last)
    return one_line(f"internal error, please report it: {type(error).__name__}{place}: {str(error)[:300]}")


def check_board(family: str, text: str) -> dict[str, Any]:
    """Return the page's view of a text while it is typed.

    If the text is not written cell by cell, ``drawable`` is the same board as such a text. If it is faulty,
    ``family`` is another family that recognises it.
    """
    found: dict[str, Any] = dict.fromkeys(
        ("title", "svg", "fault", "note", "doubt", "walls", "cells", "symbols", "drawable", "family")
    )
    cells = find_cells(family, text)
    if cells is not None:
        found |= {"cells": cells.spans, "symbols": cells.symbols}
    try:
        puzzle = parse(text, family, SOURCE)
    except InputError as error:
        at = None if cells is None else cells.find(error.row, error.column)
        fault = {"message": str(error), "row": error.row, "column": error.column, "cell": at}
        return {**found, "fault": render_told(fault, label), "family": _find_other(family, unify_lines(text))}
    said = render_told({"note": puzzle.contradiction, "doubt": puzzle.doubt}, label)
    known = {"title": puzzle.title, "svg": draw_svg(puzzle), **said}
    if cells is None:
        texts = [puzzle.text()]
        if isinstance(puzzle, Sudoku):
            side = len(puzzle.cells)
            # A killer's text without values has no grid of cells, so an empty one is added.
            texts.append(f"{texts[0]}board\n" + f"{'.' * side}\n" * side)
        known["drawable"] = next((text for text in texts if find_cells(family, text) is not None), None)
    return {**found, **known, "walls": None if cells is None else _walls(puzzle, cells)}


def _find_other(family: str, text: str) -> str | None:
    """Return another family that recognises the text, or the board in a post."""
    for board in filter(None, (text, board_of_post(text))):
        with suppress(GatesolveError):
            other = choose_family(board, SOURCE)
            return None if other is family_named(family) else other.family
    return None


def draw_svg(puzzle: Puzzle, solution: dict[str, int] | None = None) -> str:
    """Return the puzzle's own picture."""
    with _DRAWING:
        return puzzle.image("svg", solution).decode()


def _walls(puzzle: Puzzle, cells: BoardCells) -> dict[str, list[list[bool]]] | None:
    """Return whether a thick wall is right of each cell, and below it; None where not only cells can be drawn on."""
    picture = puzzle.picture({}, drawing=True)
    if picture.size != (len(cells.spans), len(cells.spans[0])):
        return None
    rows, columns = map(range, picture.size)
    return {
        name: [[bool(wall(r, c)) for c in columns] for r in rows]
        for name, wall in (("right", picture.right), ("below", picture.below))
    }
