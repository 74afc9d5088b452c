"""Reading the lines of a Takuzu or Tango file, one by one; docs/formats.md has the format."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, TypeVar

from gatesolve.puzzles.base import Draft, cell_places
from gatesolve.puzzles.grid import Cell
from gatesolve.puzzles.reading import Line, Token, check_rows
from gatesolve.puzzles.takuzu.board import MAX_SIDE, WRAPS, Region, Rules, Sign

_POSITION = re.compile(r"r([0-9]{1,3})c([0-9]{1,3})|\(\s*([0-9]{1,3})\s*,\s*([0-9]{1,3})\s*\)", re.IGNORECASE)
_CHAIN = re.compile(rf"\s*(?:{_POSITION.pattern})(?:\s*[=xX×≠]\s*(?:{_POSITION.pattern}))+\s*")
_RANGE = re.compile(r"([0-9]{1,4})(?:\.\.([0-9]{1,4}|\*))?")
T = TypeVar("T")

KEYWORDS = ("unique", "rows", "columns", "diagonals", "wrap", "region")
COMMENTS = (";", "//", "#")
_SKIPPED = " \t|"


def word_of(line: Line) -> str:
    """Its first word in small letters."""
    return line.words[0].lower()


def is_sign(line: Line) -> bool:
    """Whether the line holds signs, such as ``r1c1 = r1c2``."""
    return _CHAIN.fullmatch(line.text) is not None


def rows_among(lines: Sequence[Line]) -> list[Line]:
    """The lines that are rows of the board."""
    return [line for line in lines if word_of(line) not in KEYWORDS and not is_sign(line)]


def tokens_in(rows: Sequence[Line]) -> set[str]:
    """What the cells of some rows hold."""
    return {token.text for line in rows for token in line.letters(_SKIPPED)}


def read_draft(lines: Sequence[Line], symbols: Mapping[str, int | None], unique: bool, source: str) -> Draft:
    """The board that lines of all kinds make together: its cells and its `Rules`.

    Args:
        lines: neither blank nor comments.
        symbols: what each character of a cell stands for.
        unique: whether lines must differ, unless a line ``unique`` says so.
        source: what to call the text in messages.
    """
    settings = {word_of(line): line for line in lines if word_of(line) in KEYWORDS[:-1]}
    regions = [line for line in lines if word_of(line) == "region"]
    signs = [(sign, line) for line in lines if is_sign(line) for sign in _signs(line)]
    rows = rows_among(lines)
    table = [line.letters(_SKIPPED) for line in rows]
    cells = tuple(tuple(_value(token, symbols) for token in row) for row in table)
    check_rows(table, MAX_SIDE, source, "a character a cell, . for an empty one")
    yes = {"yes": True, "no": False}
    rules = Rules(
        _choice(settings.get("unique"), yes, unique),
        _counts(settings.get("rows")),
        _counts(settings.get("columns")),
        _choice(settings.get("diagonals"), yes, False),
        _choice(settings.get("wrap"), {w: w for w in WRAPS}, "none"),
        tuple(map(_region, regions)),
        tuple(sign for sign, _ in signs),
    )
    places: dict[Any, Token | Line] = {**cell_places(table)}
    places |= {("sign", k): _start(line) for k, (_, line) in enumerate(signs)}
    places |= {("region", k): _start(line) for k, line in enumerate(regions)}
    places |= {(word, 0): _start(line) for word, line in settings.items()}
    return Draft((cells, rules), places, rows[-1])


def _start(line: Line) -> Token:
    return Token(line.text.strip(), line.indent + 1, line)


def _cell_at(match: re.Match[str]) -> Cell:
    """The 0-based cell of ``r1c2`` (counted from 1) or ``(0,1)`` (counted from 0)."""
    if match[1] is not None:
        return int(match[1]) - 1, int(match[2]) - 1
    return int(match[3]), int(match[4])


def _signs(line: Line) -> list[Sign]:
    """The signs of a chain, each between neighbours in it."""
    pairs = pairwise(_POSITION.finditer(line.text))
    return [Sign(_cell_at(a), line.text[a.end() : b.start()].strip() == "=", _cell_at(b)) for a, b in pairs]


def _choice(line: Line | None, choices: Mapping[str, T], default: T) -> T:
    """What the second word of a line chooses."""
    if line is None:
        return default
    words = line.text.lower().split()
    if len(words) != 2 or words[1] not in choices:
        raise line.fault(f"write '{words[0]}' with one of {', '.join(choices)}", line.indent + 1)
    return choices[words[1]]


def _counts(line: Line | None) -> tuple[int | None, ...]:
    """Numbers of ones, ``-`` for any."""
    words = line.words[1:] if line else []
    if line and (not words or any(re.fullmatch("-|[0-9]{1,3}", word) is None for word in words)):
        raise line.fault(f"write '{word_of(line)}' with a number of ones, or -, for each", line.indent + 1)
    return tuple(None if word == "-" else int(word) for word in words)


def _region(line: Line) -> Region:
    words = line.text.split(maxsplit=2)
    places = list(_POSITION.finditer(words[2])) if len(words) == 3 else []
    rest = _POSITION.sub("", words[2]).replace(",", " ").strip() if places else "none"
    ones = _RANGE.fullmatch(words[1]) if not rest else None
    if ones is None:
        known = "'region 2 r1c1 r1c2' or 'region 1..2 r1c1 r1c2'"
        fault = f"write a region as its number of ones and its cells, such as {known}"
        raise line.fault(fault, line.indent + 1)
    least = int(ones[1])
    most = least if ones[2] is None else max(least, len(places)) if ones[2] == "*" else int(ones[2])
    if least > most:
        fault = f"no number of ones is in {words[1]}: write the smaller one first, as in 1..2"
        raise line.fault(fault, line.indent + 1)
    return Region(least, most, tuple(map(_cell_at, places)))


def _value(token: Token, symbols: Mapping[str, int | None]) -> int | None:
    if token.text not in symbols:
        known = [s for s in symbols if s.isascii() and symbols[s] is not None][:2]
        mend = f"write {known[0]}, {known[1]} or . for an empty cell, or a line such as 'r1c1 = r1c2'"
        raise token.fault(f"unknown cell {token.text!a}: {mend}")
    return symbols[token.text]
