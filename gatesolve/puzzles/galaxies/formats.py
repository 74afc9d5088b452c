"""Galaxies boards as other programs write them; docs/formats.md lists the formats."""

from __future__ import annotations

import re
from typing import Any

from gatesolve.errors import InputError
from gatesolve.puzzles.base import Draft
from gatesolve.puzzles.galaxies.board import MAX_SIDE, Board, Dot
from gatesolve.puzzles.grid import Cell
from gatesolve.puzzles.json_text import json_cells
from gatesolve.puzzles.reading import Link, bare_text, check_size, link_of

_GAME_ID = re.compile(r"([0-9]{1,4})x([0-9]{1,4})(?:d[a-z])?:([a-zA-Z]+)")
_BASE32 = "0123456789abcdefghijklmnopqrstuv"


def is_foreign(text: str, named: bool = True) -> bool:
    """Whether the text is a board in one of these formats.

    Args:
        text: any text.
        named: whether it is known to be of this family. Unruly's game ids look alike but end exactly
            behind the last cell; an id that ends there is taken for Galaxies only then.
    """
    bare = bare_text(text)
    if link_of(bare, "tentaisho"):
        return True
    match = _GAME_ID.fullmatch(bare)
    return match is not None and (named or _length(match[3]) != int(match[1]) * int(match[2]) + 1)


def foreign_board(text: str, source: str) -> Board:
    """The board of a text for which `is_foreign` holds."""
    bare = bare_text(text)
    if link := link_of(bare, "tentaisho"):
        return _from_link(link, source)
    match = _GAME_ID.fullmatch(bare)
    assert match is not None  # `is_foreign` said so
    return _from_game_id(match, source)


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
    holes = tuple(json_cells(data, "holes", (rows, columns), source))
    return Draft((_board(rows, columns, dots, black, holes, source),))


def _pairs(data: dict[str, Any], field: str, source: str) -> tuple[tuple[int, int], ...]:
    pairs = data.get(field)

    def is_pair(pair: object) -> bool:
        return isinstance(pair, list) and len(pair) == 2 and all(type(n) is int and abs(n) < 1000 for n in pair)

    if not isinstance(pairs, list) or not all(map(is_pair, pairs)):
        raise InputError(f"JSON has no field '{field}' with a list of pairs: write it as [[1, 4], ...]", source=source)
    return tuple((r, c) for r, c in pairs)


def _steps(letters: str) -> list[tuple[int, str]]:
    """How far each letter of a game id moves, its own place counted, and the letter."""
    return [(25 if letter == "z" else ord(letter.lower()) - ord("a") + 1, letter) for letter in letters]


def _length(letters: str) -> int:
    return sum(step for step, _ in _steps(letters))


def _from_game_id(match: re.Match[str], source: str) -> Board:
    columns, rows = int(match[1]), int(match[2])
    check_size(rows, columns, MAX_SIDE, source)
    width, places = 2 * columns - 1, (2 * columns - 1) * (2 * rows - 1)
    if _length(match[3]) > places:
        fault = f"the game id speaks of {_length(match[3])} places, the half-grid has {places}: copy the whole id"
        raise InputError(fault, source=source)
    dots: list[Dot] = []
    black: list[Dot] = []
    at = 0
    for step, letter in _steps(match[3]):
        at += step
        if letter != "z":
            y, x = divmod(at - 1, width)
            dots.append((y + 1, x + 1))
            black += [dots[-1]] * letter.isupper()
    return _board(rows, columns, tuple(dots), tuple(black), (), source)


def _from_link(link: Link, source: str) -> Board:
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
    return _board(rows, columns, tuple(dots), tuple(black), tuple(holes), source)


def _board(
    rows: int, columns: int, dots: tuple[Dot, ...], black: tuple[Dot, ...], holes: tuple[Cell, ...], source: str
) -> Board:
    for y, x in dots:
        if not (1 <= y < 2 * rows and 1 <= x < 2 * columns):
            fault = f"a dot at half-row {y}, half-column {x}: they go from 1 to {2 * rows - 1} and {2 * columns - 1}"
            raise InputError(f"{fault}; move it inside", source=source, row=y, column=x)
    if len(set(dots)) < len(dots):
        y, x = next(dot for k, dot in enumerate(dots) if dot in dots[:k])
        raise InputError("this dot is given twice on the half-grid: remove one", source=source, row=y, column=x)
    return Board(rows, columns, tuple(sorted(dots)), frozenset(black), frozenset(holes))
