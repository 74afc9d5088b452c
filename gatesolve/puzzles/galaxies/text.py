"""Reading and writing Galaxies as text, and reading what other programs write; docs/formats.md has the formats."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from gatesolve.errors import InputError
from gatesolve.puzzles.base import Draft, cell_places
from gatesolve.puzzles.foreign import Link, bare_text, game_id_steps, link_of
from gatesolve.puzzles.galaxies.board import MAX_SIDE, Dot, GalaxiesBoard
from gatesolve.puzzles.grid import Cell
from gatesolve.puzzles.json_text import json_cells
from gatesolve.puzzles.reading import Line, Row, Token, check_rows, check_size, lines_of, show_token, size_of

DOT, BLACK_DOT, HOLE = "o", "*", "#"
_DOTS = {"o": False, "O": False, "*": True, "@": True}
_NONE = ".|-+"
_STEPS = {"0": (1, 1), "1": (1, 2), "2": (2, 1), "3": (2, 2)}
_GAME_ID = re.compile(r"([0-9]{1,4})x([0-9]{1,4})(?:d[a-z])?:([a-zA-Z]+)")
_BASE32 = "0123456789abcdefghijklmnopqrstuv"


def recognises(text: str) -> bool:
    """Whether the text looks like Galaxies: a format named so, a half-grid, or tokens that only Galaxies has."""
    if _foreign(text, named=False):
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
    if reader := _foreign(text):
        return Draft(tuple(vars(reader(source)).values()))
    lines = lines_of(text, source)
    if not lines:
        raise InputError("no board: write the half-grid, such as 'o|.' for a row of two cells", source=source)
    tokens = _body(lines)
    return _from_tokens(tokens, source) if _is_tokens(tokens) else _from_half_grid(lines)


def format_text(board: GalaxiesBoard, owners: Mapping[Cell, int] | None = None) -> str:
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
    rows = [[Token(sign, k, line) for k, sign in enumerate(line.start.text, line.start.column)] for line in lines]
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
                raise token.fault(f"unexpected {show_token(token.text)} on the half-grid: {mend}")
    black = frozenset((y, x) for y, x in dots if _DOTS[rows[y - 1][x - 1].text])
    size = (len(rows) + 1) // 2, (len(rows[0]) + 1) // 2
    return Draft((*size, tuple(dots), black, frozenset(holes)), cell_places(rows))


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
    return Draft((len(rows), len(rows[0]), tuple(sorted(dots))), places)


def _foreign(text: str, named: bool = True) -> Callable[[str], GalaxiesBoard] | None:
    """Return a reader of another program's board, given its source; None for any other text.

    Unruly's game ids look alike but end exactly behind the last cell; one that does is taken only if ``named``.
    """
    bare = bare_text(text)
    if link := link_of(bare, "tentaisho"):
        return partial(_from_link, link)
    match = _GAME_ID.fullmatch(bare)
    known = match and (named or list(game_id_steps(match[3]))[-1][0] != int(match[1]) * int(match[2]) + 1)
    return partial(_from_game_id, match) if match and known else None


def recognises_json(data: Mapping[str, Any]) -> bool:
    """Whether a JSON object has dots on a half-grid."""
    return "dots_half" in data


def draft_of_json(data: dict[str, Any], source: str) -> Draft:
    """The board of a JSON object."""
    rows, columns = data.get("rows"), data.get("cols")
    if type(rows) is not int or type(columns) is not int:
        raise InputError("JSON has no fields 'rows' and 'cols' with the board's size: add them", source=source)
    check_size(rows, columns, MAX_SIDE, source)
    dots = _pairs(data, "dots_half", source)
    black = _pairs(data, "black", source) if "black" in data else ()
    if set(black) - set(dots):
        raise InputError("JSON field 'black' has a place that is not in 'dots_half': add it there", source=source)
    holes = json_cells(data, "holes", (rows, columns), source)
    return Draft(tuple(vars(_board(rows, columns, dots, black, holes, source)).values()))


def _pairs(data: dict[str, Any], field: str, source: str) -> tuple[tuple[int, int], ...]:
    pairs = data.get(field)

    def is_pair(pair: object) -> bool:
        return isinstance(pair, list) and len(pair) == 2 and all(type(n) is int and abs(n) < 1000 for n in pair)

    if not isinstance(pairs, list) or not all(map(is_pair, pairs)):
        raise InputError(f"JSON has no field '{field}' with a list of pairs: write it as [[1, 4], ...]", source=source)
    return tuple((r, c) for r, c in pairs)


def _from_game_id(match: re.Match[str], source: str) -> GalaxiesBoard:
    columns, rows = int(match[1]), int(match[2])
    check_size(rows, columns, MAX_SIDE, source)
    width, places = 2 * columns - 1, (2 * columns - 1) * (2 * rows - 1)
    steps = list(game_id_steps(match[3]))
    if steps[-1][0] > places:
        fault = f"the game id speaks of {steps[-1][0]} places, the half-grid has {places}: copy the whole id"
        raise InputError(fault, source=source)
    marked = [((at - 1) // width + 1, (at - 1) % width + 1, letter) for at, letter in steps if letter != "z"]
    dots, black = [(y, x) for y, x, _ in marked], [(y, x) for y, x, letter in marked if letter.isupper()]
    return _board(rows, columns, dots, black, (), source)


def _from_link(link: Link, source: str) -> GalaxiesBoard:
    rows, columns, body = link
    check_size(rows, columns, MAX_SIDE, source)
    width, places = 2 * columns - 1, (2 * columns - 1) * (2 * rows - 1)
    dots: list[Dot] = []
    black: list[Dot] = []
    at = k = 0
    while at < places and k < len(body):
        letter, k = body[k], k + 1
        if "g" <= letter <= "z":
            at += ord(letter) - ord("f")
            continue
        if letter not in "0123456789abcdef":
            raise InputError(f"the link has an unknown letter {letter!a}: copy it again", source=source)
        value = int(letter, 16)
        dots.append((at // width + 1, at % width + 1))
        black += [dots[-1]] * (value % 2)
        at += value // 2 + 1
    holes: list[Cell] = []
    for n, letter in enumerate(body[k:]):
        if letter not in _BASE32:
            raise InputError(f"the link has an unknown letter {letter!a}: copy it again", source=source)
        bits = f"{_BASE32.index(letter):05b}"
        numbers = (5 * n + b for b, bit in enumerate(bits) if bit == "1")
        holes += [divmod(number, columns) for number in numbers if number < rows * columns]
    return _board(rows, columns, dots, black, holes, source)


def _board(
    rows: int, columns: int, dots: Sequence[Dot], black: Sequence[Dot], holes: Sequence[Cell], source: str
) -> GalaxiesBoard:
    for y, x in dots:
        if not (1 <= y < 2 * rows and 1 <= x < 2 * columns):
            fault = f"a dot at half-row {y}, half-column {x}: they go from 1 to {2 * rows - 1} and {2 * columns - 1}"
            raise InputError(f"{fault}; move it inside", source=source, row=y, column=x)
    if len(set(dots)) < len(dots):
        y, x = next(dot for k, dot in enumerate(dots) if dot in dots[:k])
        raise InputError("this dot is given twice on the half-grid: remove one", source=source, row=y, column=x)
    return GalaxiesBoard(rows, columns, tuple(sorted(dots)), frozenset(black), frozenset(holes))
