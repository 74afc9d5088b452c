"""The Galaxies text formats.

To type: the half-grid, one character for each cell centre, edge and corner inside the board, so a
board of R rows and C columns is 2R-1 lines of 2C-1 characters. ``o`` is a dot (``*`` a black one)
wherever it lies; elsewhere a cell is ``.`` (``#`` for a hole in the board), an edge ``|`` or ``-``
and a corner ``+``. This is a board of two rows and three columns, with a dot in the first cell and
one on the corner between the other four::

    o|.|.
    -+-o-
    .|.|.

Any of ``.|-+`` may stand for a place without a dot, so walls may be drawn for legibility. Lines
that start with ``;`` or ``//`` are comments.

Read too: puzzlekit's layout, one token a cell (``0`` a dot in its middle, ``1`` on its right edge,
``2`` on its lower edge, ``3`` on its lower right corner, ``-`` none), with or without a first line
``ROWS COLUMNS``, and what `gatesolve.puzzles.galaxies.formats` lists.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from gatesolve.errors import InputError
from gatesolve.puzzles.galaxies.board import MAX_SIDE, Board, Cell, Dot, first_fault
from gatesolve.puzzles.galaxies.formats import foreign_board, is_foreign

DOT, BLACK_DOT, HOLE = "o", "*", "#"
_DOTS = {"o": False, "O": False, "*": True, "@": True}
_NONE = ".|-+"
_STEPS = {"0": (1, 1), "1": (1, 2), "2": (2, 1), "3": (2, 2)}


@dataclass(frozen=True)
class Row:
    """A line that is neither blank nor a comment: its 1-based number, its indent and its text."""

    number: int
    indent: int
    text: str


def recognises(text: str) -> bool:
    """Whether the text looks like Galaxies: a format named so, a half-grid, or tokens that only Galaxies has."""
    if is_foreign(text, told=False):
        return True
    if text.lstrip().startswith("{"):
        return False
    joined = "".join(row.text for row in _rows(text))
    used = set(joined)
    if used <= set(_DOTS) | set(_NONE) | {HOLE}:
        return bool(used & set(_DOTS)) and bool(used & set("|+"))
    rows = list(_rows(text))
    body = _body(rows)
    # Of the board: the line of its size has digits of its own.
    used = {token for row in body for token in row.text.split()}
    if not _is_tokens(body) or not used <= {*_STEPS, "-"} or "-" not in used:
        return False
    if "0" in used and used & {"2", "3"}:
        return True
    # Below its size other families have boards of so few digits as well, but no rectangles, and no 0 with an odd side.
    return len(body) < len(rows) and (_is_oblong(body) or ("0" in used and len(body) % 2 == 1))


def parse_text(text: str, source: str) -> Board:
    """The board of a text.

    Raises:
        InputError: with the line and column where the fault is.
    """
    if is_foreign(text) or text.lstrip().startswith("{"):
        board = foreign_board(text, source)
        fault = first_fault(board)
        if fault:
            raise InputError(f"half-grid: {fault.message}", source=source, row=fault.place[0], column=fault.place[1])
        return board
    rows = list(_rows(text))
    if not rows:
        raise InputError("no board: write the half-grid, such as 'o|.' for a row of two cells", source=source)
    tokens = _body(rows)
    if _is_tokens(tokens):
        board, place = _from_tokens(tokens, source)
    else:
        board, place = _from_half_grid(rows, source)
    fault = first_fault(board)
    if fault:
        line, column = place[fault.place]
        raise InputError(fault.message, source=source, row=line, column=column)
    return board


def format_text(board: Board, owners: Mapping[Cell, int] | None = None) -> str:
    """The board as it would be typed; given the owners of its cells, only walls between galaxies are drawn."""

    def sign(y: int, x: int) -> str:
        if (y, x) in board.dots:
            return BLACK_DOT if (y, x) in board.black else DOT
        cells = [(r, c) for r in {(y - 1) // 2, y // 2} for c in {(x - 1) // 2, x // 2}]
        if y % 2 and x % 2:
            return HOLE if cells[0] in board.holes else "."
        if owners is not None and len({owners.get(cell) for cell in cells}) == 1:
            return "."
        return "|" if y % 2 else "-" if x % 2 else "+"

    lines = ("".join(sign(y, x) for x in range(1, 2 * board.columns)) for y in range(1, 2 * board.rows))
    return "\n".join(lines) + "\n"


def _rows(text: str) -> Iterator[Row]:
    """The lines that say something."""
    for number, line in enumerate(text.split("\n"), 1):
        bare = line.strip()
        if bare and not bare.startswith((";", "//")):
            yield Row(number, len(line) - len(line.lstrip()), bare)


def _body(rows: list[Row]) -> list[Row]:
    """The rows without a first line that gives the numbers of rows and columns."""
    size = re.fullmatch(r"([0-9]{1,3})\s+([0-9]{1,3})", rows[0].text) if len(rows) > 1 else None
    return rows[1:] if size and len(rows) == int(size[1]) + 1 else rows


def _is_oblong(body: list[Row]) -> bool:
    return any(len(row.text.split()) != len(body) for row in body)


def _is_tokens(rows: list[Row]) -> bool:
    """Whether the rows are puzzlekit's tokens: single characters apart."""
    return any(token in _STEPS for row in rows for token in row.text.split()) and all(
        len(token) == 1 for row in rows for token in row.text.split()
    )


Places = Mapping[Dot, tuple[int, int]]
"""Line and column in the file, both from 1, of each place of the half-grid."""


def _from_half_grid(rows: list[Row], source: str) -> tuple[Board, Places]:
    width, height = len(rows[0].text), len(rows)
    for row in rows:
        have = len(row.text)
        if have != width:
            fault = f"{have} characters here but {width} in the first row: make all rows of the half-grid equal"
            raise InputError(fault, source=source, row=row.number, column=row.indent + min(have, width))
    for size, word, mend in ((width, "characters in a row", "cells"), (height, "lines", "rows of cells")):
        if size % 2 == 0:
            fault = f"{size} {word}: a half-grid has an odd number, cells at odd places and edges between ({mend})"
            raise InputError(fault, source=source, row=rows[-1].number, column=rows[-1].indent + width)
        if size >= 2 * MAX_SIDE:
            fault = f"{(size + 1) // 2} {mend}: a board has at most {MAX_SIDE} a side; give a smaller one"
            raise InputError(fault, source=source, row=rows[0].number)
    places: dict[Dot, tuple[int, int]] = {}
    dots: list[Dot] = []
    holes: list[Cell] = []
    for y, row in enumerate(rows, 1):
        for x, sign in enumerate(row.text, 1):
            places[y, x] = row.number, row.indent + x
            if sign in _DOTS:
                dots.append((y, x))
            elif sign == HOLE and y % 2 and x % 2:
                holes.append((y // 2, x // 2))
            elif sign not in _NONE:
                mend = "write o or * for a dot, . for a cell, # (in a cell's place) for a hole, | - + between cells"
                shown = sign if sign.isascii() and sign.isprintable() else ascii(sign)
                fault = f"unexpected {shown} on the half-grid: {mend}"
                raise InputError(fault, source=source, row=row.number, column=row.indent + x)
    black = frozenset(dot for dot in dots if _DOTS[rows[dot[0] - 1].text[dot[1] - 1]])
    return Board((height + 1) // 2, (width + 1) // 2, tuple(dots), black, frozenset(holes)), places


def _from_tokens(rows: list[Row], source: str) -> tuple[Board, Places]:
    table = [row.text.split() for row in rows]
    columns = len(table[0])
    if max(len(rows), columns) > MAX_SIDE:
        fault = f"{len(rows)} rows of {columns} cells: a board has at most {MAX_SIDE} a side; give a smaller one"
        raise InputError(fault, source=source, row=rows[0].number)
    places: dict[Dot, tuple[int, int]] = {}
    dots: list[Dot] = []
    for r, (row, tokens) in enumerate(zip(rows, table, strict=True)):
        if len(tokens) != columns:
            fault = f"{len(tokens)} cells here but {columns} in the board's first row: make the rows equal"
            raise InputError(fault, source=source, row=row.number, column=min(len(tokens), columns))
        for c, token in enumerate(tokens):
            if token not in _STEPS and token not in "-.":
                fault = f"unknown token {token!a}: write 0, 1, 2 or 3 where a dot is, - for none"
                raise InputError(fault, source=source, row=row.number, column=c + 1)
            for dy, dx in _STEPS.values():
                places.setdefault((2 * r + dy, 2 * c + dx), (row.number, c + 1))
            if token in _STEPS:
                dy, dx = _STEPS[token]
                dots.append((2 * r + dy, 2 * c + dx))
    return Board(len(rows), columns, tuple(sorted(dots))), places
