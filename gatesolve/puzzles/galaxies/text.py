"""Reading and writing Galaxies as text; docs/formats.md has the format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gatesolve.errors import InputError
from gatesolve.puzzles.base import Draft, cell_places
from gatesolve.puzzles.galaxies.board import MAX_SIDE, Board, Dot
from gatesolve.puzzles.galaxies.formats import foreign_board, is_foreign
from gatesolve.puzzles.grid import Cell
from gatesolve.puzzles.reading import Line, Row, Token, check_rows, lines_of, shown, size_of

DOT, BLACK_DOT, HOLE = "o", "*", "#"
_DOTS = {"o": False, "O": False, "*": True, "@": True}
_NONE = ".|-+"
_STEPS = {"0": (1, 1), "1": (1, 2), "2": (2, 1), "3": (2, 2)}


def recognises(text: str) -> bool:
    """Whether the text looks like Galaxies: a format named so, a half-grid, or tokens that only Galaxies has."""
    if is_foreign(text, named=False):
        return True
    lines = lines_of(text, "")
    if not lines:
        return False
    used = {sign for line in lines for sign in line.text.strip()}
    if used <= set(_DOTS) | set(_NONE) | {HOLE}:
        return bool(used & set(_DOTS)) and bool(used & set("|+"))
    body = _body(lines)
    # Of the board: the line of its size has digits of its own.
    used = {word for line in body for word in line.words}
    if not _is_tokens(body) or not used <= {*_STEPS, "-"} or "-" not in used:
        return False
    if "0" in used and used & {"2", "3"}:
        return True
    # Below its size other families have boards of so few digits as well, but no rectangles, and no 0 with an odd side.
    oblong = any(len(line.words) != len(body) for line in body)
    return len(body) < len(lines) and (oblong or ("0" in used and len(body) % 2 == 1))


def read(text: str, source: str) -> Draft:
    """The board of a text."""
    if is_foreign(text):
        return Draft((foreign_board(text, source),))
    lines = lines_of(text, source)
    if not lines:
        raise InputError("no board: write the half-grid, such as 'o|.' for a row of two cells", source=source)
    tokens = _body(lines)
    return _from_tokens(tokens, source) if _is_tokens(tokens) else _from_half_grid(lines)


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


def _body(lines: list[Line]) -> list[Line]:
    """The rows without a first line that gives the numbers of rows and columns."""
    size = size_of(lines[0])
    return lines[1:] if size and len(lines) == size[0] + 1 > 1 else lines


def _is_tokens(lines: list[Line]) -> bool:
    """Whether the rows are puzzlekit's tokens: single characters apart."""
    words = {word for line in lines for word in line.words}
    return not words.isdisjoint(_STEPS) and all(len(word) == 1 for word in words)


def _from_half_grid(lines: list[Line]) -> Draft:
    rows = [[Token(sign, k, line) for k, sign in enumerate(line.text.strip(), line.indent + 1)] for line in lines]
    _check_half_grid(rows)
    dots: list[Dot] = []
    holes: list[Cell] = []
    for y, row in enumerate(rows, 1):
        for x, token in enumerate(row, 1):
            if token.text in _DOTS:
                dots.append((y, x))
            elif token.text == HOLE and y % 2 and x % 2:
                holes.append((y // 2, x // 2))
            elif token.text not in _NONE:
                mend = "write o or * for a dot, . for a cell, # (in a cell's place) for a hole, | - + between cells"
                raise token.fault(f"unexpected {shown(token.text)} on the half-grid: {mend}")
    black = frozenset((y, x) for y, x in dots if _DOTS[rows[y - 1][x - 1].text])
    size = (len(rows) + 1) // 2, (len(rows[0]) + 1) // 2
    return Draft((Board(*size, tuple(dots), black, frozenset(holes)),), cell_places(rows))


def _check_half_grid(rows: Sequence[Row]) -> None:
    width, height = len(rows[0]), len(rows)
    for row in rows:
        if len(row) != width:
            fault = f"{len(row)} characters here but {width} in the first row: make all rows of the half-grid equal"
            raise row[min(len(row), width) - 1].fault(fault)
    for size, word, mend in ((width, "characters in a row", "cells"), (height, "lines", "rows of cells")):
        if size % 2 == 0:
            fault = f"{size} {word}: a half-grid has an odd number, cells at odd places and edges between ({mend})"
            raise rows[-1][-1].fault(fault)
        if size >= 2 * MAX_SIDE:
            fault = f"{(size + 1) // 2} {mend}: a board has at most {MAX_SIDE} a side; give a smaller one"
            raise rows[0][0].line.fault(fault)


def _from_tokens(lines: list[Line], source: str) -> Draft:
    rows = [line.tokens() for line in lines]
    check_rows(rows, MAX_SIDE, source)
    places: dict[Cell, Token] = {}
    dots: list[Dot] = []
    for (r, c), token in cell_places(rows).items():
        if token.text in _STEPS:
            dots.append((2 * r + _STEPS[token.text][0], 2 * c + _STEPS[token.text][1]))
        elif token.text not in "-.":
            raise token.fault(f"unknown token {token.text!a}: write 0, 1, 2 or 3 where a dot is, - for none")
        for dy, dx in _STEPS.values():
            places.setdefault((2 * r + dy - 1, 2 * c + dx - 1), token)
    return Draft((Board(len(rows), len(rows[0]), tuple(sorted(dots))),), places)
