r"""The Kakuro text format.

One line a row of the board, tokens apart by white space: ``#`` a black cell, ``.`` or ``_`` an
empty white cell, a number a white cell whose value is given, ``down\across`` a black cell with
sums (``16\``, ``\23``, ``23\7``). Above the board a line such as ``values 0..3`` changes the
values from 1..9. Lines that start with ``;`` or ``//`` are comments; blank lines are skipped.
One JSON object ``{"family": "kakuro", "grid": ["# 3\\ 4\\", ...], "values": [0, 3]}`` is read too,
and so is what `gatesolve.puzzles.kakuro.formats` lists: sums with commas or colons, puzz.link
addresses, MiniZinc data.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gatesolve.errors import InputError
from gatesolve.puzzles.json_text import json_family, json_object
from gatesolve.puzzles.kakuro.formats import dialect, foreign_rows, is_foreign, without_size
from gatesolve.puzzles.kakuro.grid import MAX_SIDE, Black, Cell, Grid, White, first_fault

DEFAULT_VALUES = (1, 9)
MAX_VALUE = 99

_CLUE = re.compile(r"([0-9]{0,4})\\([0-9]{0,4})")
_VALUES = re.compile(r"values\s+([0-9]{1,2})\s*\.\.\s*([0-9]{1,2})", re.IGNORECASE)


@dataclass(frozen=True)
class Line:
    """A line that is neither blank nor a comment: its 1-based number in the file and its tokens."""

    number: int
    tokens: tuple[str, ...]


def recognises(text: str) -> bool:
    """Whether the text looks like a Kakuro: JSON that says so, a line ``values``, or a sum token."""
    if text.lstrip().startswith("{"):
        return json_family(text) == "kakuro"
    lines = list(_lines(text))
    if any(line.tokens[0].lower() == "values" or any("\\" in token for token in line.tokens) for line in lines):
        return True
    return is_foreign(text) or dialect([line.tokens for line in lines]) is not None


def parse_text(text: str, source: str) -> tuple[Grid, int, int]:
    """The board and its smallest and largest value.

    Raises:
        InputError: with the line and the number of the token where the fault is.
    """
    header, rows = _header_and_rows(text, source)
    low, high = _parse_values(header, source) if header else DEFAULT_VALUES
    _check_shape(rows, source)
    grid = tuple(tuple(_parse_cell(token, row, k, source) for k, token in enumerate(row.tokens, 1)) for row in rows)
    fault = first_fault(grid, low, high)
    if fault:
        r, c = fault.position
        raise InputError(fault.message, source=source, row=rows[r].number, column=c + 1)
    return grid, low, high


def _header_and_rows(text: str, source: str) -> tuple[Line | None, list[Line]]:
    """The line ``values``, if there is one, and the rows of the board in native tokens."""
    if text.lstrip().startswith("{"):
        return _from_json(text, source)
    if is_foreign(text):
        return None, [Line(number, tokens) for number, tokens in enumerate(foreign_rows(text, source), 1)]
    header, rows = _split(text, source)
    translate = dialect([row.tokens for row in rows])
    if translate is not None:
        rows = rows[without_size([row.tokens for row in rows]) :]
        rows = [Line(row.number, tuple(map(translate, row.tokens))) for row in rows]
    return header, rows


def format_text(rows: Iterable[Iterable[str]], low: int, high: int) -> str:
    """Rows of tokens as text with aligned columns, below a line ``values`` where one is needed."""
    table = [list(row) for row in rows]
    widths = [max(len(token) for token in column) for column in zip(*table, strict=True)]
    lines = ["  ".join(t.ljust(w) for t, w in zip(row, widths, strict=True)).rstrip() for row in table]
    if (low, high) != DEFAULT_VALUES:
        lines.insert(0, f"values {low}..{high}")
    return "\n".join(lines) + "\n"


def token_of(cell: Cell) -> str:
    """The token a cell is written as."""
    if isinstance(cell, White):
        return "." if cell.given is None else str(cell.given)
    if cell == Black():
        return "#"
    down = "" if cell.down is None else str(cell.down)
    across = "" if cell.across is None else str(cell.across)
    return f"{down}\\{across}"


def _lines(text: str) -> Iterator[Line]:
    """The lines that say something."""
    for number, line in enumerate(text.split("\n"), 1):
        tokens = tuple(line.split())
        if tokens and not tokens[0].startswith((";", "//")):
            yield Line(number, tokens)


def _split(text: str, source: str) -> tuple[Line | None, list[Line]]:
    """The line ``values``, if there is one, and the rows of the board."""
    lines = list(_lines(text))
    headers = [k for k, line in enumerate(lines) if line.tokens[0].lower() == "values"]
    if headers and headers != [0]:
        wrong = lines[headers[-1]]
        raise InputError("write one line 'values', above the board", source=source, row=wrong.number, column=1)
    return (lines[0], lines[1:]) if headers else (None, lines)


def _from_json(text: str, source: str) -> tuple[Line | None, list[Line]]:
    """The same of a JSON object; rows are counted in its ``grid``."""
    data = json_object(text, source, "kakuro")
    grid, values = data.get("grid"), data.get("values")
    if not isinstance(grid, list) or not all(isinstance(row, str) for row in grid):
        raise InputError("JSON has no field 'grid' with a list of strings: write one string a row", source=source)
    rows = [Line(number, tuple(row.split())) for number, row in enumerate(grid, 1)]
    if values is None:
        return None, rows
    if not isinstance(values, list) or len(values) != 2 or not all(type(v) is int for v in values):
        raise InputError("JSON field 'values' is not a pair of integers: write it as [0, 3]", source=source)
    return Line(1, ("values", f"{values[0]}..{values[1]}")), rows


def _parse_values(header: Line, source: str) -> tuple[int, int]:
    """The range that a line ``values`` gives."""
    match = _VALUES.fullmatch(" ".join(header.tokens))
    if match is None:
        fault = f"a value range is written 'values LOW..HIGH' with numbers of 0..{MAX_VALUE}, such as values 0..3"
        raise InputError(fault, source=source, row=header.number, column=min(2, len(header.tokens)))
    low, high = int(match[1]), int(match[2])
    if low > high:
        fault = f"value range {low}..{high} is empty: write the smaller number first, values {high}..{low}"
        raise InputError(fault, source=source, row=header.number, column=2)
    return low, high


def _check_shape(rows: list[Line], source: str) -> None:
    """Raise unless the rows form a rectangle of a size that is read."""
    if not rows:
        raise InputError("no board: write its rows, such as '# 3\\ 4\\'", source=source)
    if len(rows) > MAX_SIDE:
        fault = f"{len(rows)} rows: a board has at most {MAX_SIDE}; give a smaller one"
        raise InputError(fault, source=source, row=rows[MAX_SIDE].number)
    width = len(rows[0].tokens)
    if width > MAX_SIDE:
        fault = f"{width} cells in a row: a board has at most {MAX_SIDE} columns; give a smaller one"
        raise InputError(fault, source=source, row=rows[0].number, column=MAX_SIDE + 1)
    for row in rows:
        have = len(row.tokens)
        if have != width:
            mend = "add the missing cells" if have < width else "remove the extra cells"
            fault = f"{_cells(have)} here but {width} in the board's first row: {mend}"
            raise InputError(fault, source=source, row=row.number, column=min(have, width) + 1)


def _cells(count: int) -> str:
    """``1 cell``, ``2 cells``."""
    return f"{count} cell{'' if count == 1 else 's'}"


def _parse_cell(token: str, row: Line, column: int, source: str) -> Cell:
    """The cell a token stands for."""
    if token == "#":
        return Black()
    if token in {".", "_"}:
        return White()
    if re.fullmatch("[0-9]{1,4}", token):
        return White(int(token))
    match = _CLUE.fullmatch(token)
    if match and (match[1] or match[2]):
        return Black(*(int(part) if part else None for part in match.groups()))
    shown = token if len(token) <= 20 else token[:20] + "..."
    # Written as ASCII, a control character or a look-alike from another script can be seen for what it is.
    shown = shown if shown.isascii() and shown.isprintable() else ascii(shown)
    mend = r"write # for a black cell, . for a white one, a number for a given value, or sums as 16\, \23 or 23\7"
    raise InputError(f"unknown token {shown}: {mend}", source=source, row=row.number, column=column)
