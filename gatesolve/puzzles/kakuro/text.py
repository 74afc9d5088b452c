"""Reading and writing Kakuros as text; docs/kakuro.md has the format."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from gatesolve.errors import InputError
from gatesolve.puzzles.base import Draft, cell_places
from gatesolve.puzzles.json_text import json_rows
from gatesolve.puzzles.kakuro.formats import dialect, foreign_rows, is_foreign, without_size
from gatesolve.puzzles.kakuro.grid import MAX_SIDE, Black, White
from gatesolve.puzzles.reading import Line, Row, Token, check_rows, lines_of, shown

DEFAULT_VALUES = (1, 9)
MAX_VALUE = 99

_CLUE = re.compile(r"([0-9]{0,4})\\([0-9]{0,4})")
_VALUES = re.compile(r"values\s+([0-9]{1,2})\s*\.\.\s*([0-9]{1,2})", re.IGNORECASE)


def recognises(text: str) -> bool:
    """Whether the text looks like a Kakuro: a line ``values``, a sum token, or a format named so."""
    rows = [line.tokens() for line in lines_of(text, "")]
    if any(row[0].text.lower() == "values" or any("\\" in token.text for token in row) for row in rows):
        return True
    return is_foreign(text) or dialect(rows) is not None


def read(text: str, source: str) -> Draft:
    """The board, its smallest and its largest value."""
    if is_foreign(text):
        lines = [Line(number, " ".join(row), source) for number, row in enumerate(foreign_rows(text, source), 1)]
        return _draft([line.tokens() for line in lines], DEFAULT_VALUES, source)
    lines = lines_of(text, source)
    headers = [line for line in lines if line.words[0].lower() == "values"]
    if headers and headers != lines[:1]:
        raise headers[-1].fault("write one line 'values', above the board", 1)
    values = _values(headers[0]) if headers else DEFAULT_VALUES
    rows: Sequence[Row] = [line.tokens() for line in lines[len(headers) :]]
    if (translate := dialect(rows)) is not None:
        rows = [[t._replace(text=translate(t.text)) for t in row] for row in rows[without_size(rows) :]]
    return _draft(rows, values, source)


def draft_of_json(data: dict[str, Any], source: str) -> Draft:
    """The board of a JSON object; rows are counted in its ``grid``."""
    rows, values = json_rows(data, "grid", source), data.get("values", list(DEFAULT_VALUES))
    if not isinstance(values, list) or len(values) != 2 or not all(type(v) is int for v in values):
        raise InputError("JSON field 'values' is not a pair of integers: write it as [0, 3]", source=source)
    return _draft([row.tokens() for row in rows], _values(Line(1, f"values {values[0]}..{values[1]}", source)), source)


def _draft(rows: Sequence[Row], values: tuple[int, int], source: str) -> Draft:
    check_rows(rows, MAX_SIDE, source, "such as '# 3\\ 4\\'")
    return Draft((tuple(tuple(map(_cell, row)) for row in rows), *values), cell_places(rows))


def format_text(rows: Iterable[Iterable[str]], low: int, high: int) -> str:
    """Rows of tokens as text with aligned columns, below a line ``values`` where one is needed."""
    table = [list(row) for row in rows]
    widths = [max(len(token) for token in column) for column in zip(*table, strict=True)]
    lines = ["  ".join(t.ljust(w) for t, w in zip(row, widths, strict=True)).rstrip() for row in table]
    if (low, high) != DEFAULT_VALUES:
        lines.insert(0, f"values {low}..{high}")
    return "\n".join(lines) + "\n"


def token_of(held: Black | White) -> str:
    """The token a cell is written as."""
    if isinstance(held, White):
        return "." if held.given is None else str(held.given)
    down, across = ("" if total is None else str(total) for total in (held.down, held.across))
    return f"{down}\\{across}" if down or across else "#"


def _values(header: Line) -> tuple[int, int]:
    """The range that a line ``values`` gives."""
    match = _VALUES.fullmatch(header.text.strip())
    if match is None:
        fault = f"a value range is written 'values LOW..HIGH' with numbers of 0..{MAX_VALUE}, such as values 0..3"
        raise header.fault(fault, min(2, len(header.words)))
    low, high = int(match[1]), int(match[2])
    if low > high:
        fault = f"value range {low}..{high} is empty: write the smaller number first, values {high}..{low}"
        raise header.fault(fault, 2)
    return low, high


def _cell(token: Token) -> Black | White:
    """The cell a token stands for."""
    text = token.text
    if text == "#":
        return Black()
    if text in {".", "_"}:
        return White()
    if re.fullmatch("[0-9]{1,4}", text):
        return White(int(text))
    match = _CLUE.fullmatch(text)
    if match and (match[1] or match[2]):
        return Black(*(int(part) if part else None for part in match.groups()))
    mend = r"write # for a black cell, . for a white one, a number for a given value, or sums as 16\, \23 or 23\7"
    raise token.fault(f"unknown token {shown(text)}: {mend}")
