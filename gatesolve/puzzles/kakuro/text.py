"""Reading and writing Kakuros as text, and reading what other programs write; docs/kakuro.md has the formats.

Sums with commas or colons are two dialects of our grid; puzz.link addresses and MiniZinc data are whole boards.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from gatesolve.errors import InputError
from gatesolve.puzzles.base import Draft, cell_places
from gatesolve.puzzles.foreign import Link, bare_text, link_of
from gatesolve.puzzles.json_text import check_sides, json_cells_of, json_rows
from gatesolve.puzzles.kakuro.grid import MAX_SIDE, Black, White
from gatesolve.puzzles.reading import Line, Row, Token, check_rows, check_size, lines_of, show_token

DEFAULT_VALUES = (1, 9)
MAX_VALUE = 99

_CLUE = re.compile(r"([0-9]{0,4})\\([0-9]{0,4})")
_VALUES = re.compile(r"values\s+([0-9]{1,2})\s*\.\.\s*([0-9]{1,2})", re.IGNORECASE)
Tokens = tuple[str, ...]

_OTHER_CLUE = re.compile(r"([0-9]{0,4})([,:])([0-9]{0,4})")
_MINIZINC = re.compile(r"\bgrid_data\s*=")
_SUMS = "0123456789abcdefghijABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""The sums 0 (none) to 45 in a puzz.link address."""


def recognises(text: str) -> bool:
    """Whether the text looks like a Kakuro: a line ``values``, a sum token, or a format named so."""
    rows = [line.tokens() for line in lines_of(text, "")]
    if any(row[0].text.lower() == "values" or any("\\" in token.text for token in row) for row in rows):
        return True
    return bool(_foreign(text) or _dialect(rows))


def read(text: str, source: str) -> Draft:
    """The board, its smallest and its largest value."""
    if reader := _foreign(text):
        lines = [Line(number, " ".join(row), source) for number, row in enumerate(reader(source), 1)]
        return _draft([line.tokens() for line in lines], DEFAULT_VALUES, source)
    lines = lines_of(text, source)
    headers = [line for line in lines if line.word == "values"]
    if headers and headers != lines[:1]:
        raise headers[-1].fault("write one line 'values', above the board", 1)
    values = _values(headers[0]) if headers else DEFAULT_VALUES
    rows: Sequence[Row] = [line.tokens() for line in lines[len(headers) :]]
    if sign := _dialect(rows):
        rows = [[t._replace(text=_native(t.text, sign)) for t in row] for row in rows[_is_sized(rows) :]]
    return _draft(rows, values, source)


def recognises_json(data: Mapping[str, Any]) -> bool:
    """Whether a JSON object has a board with sums."""
    return any("\\" in token for row in json_cells_of(data.get("grid")) for token in row)


def draft_of_json(data: dict[str, Any], source: str) -> Draft:
    """The board of a JSON object; rows are counted in its ``grid``."""
    rows, values = json_rows(data, "grid", source), data.get("values", list(DEFAULT_VALUES))
    if not isinstance(values, list) or len(values) != 2 or not all(type(v) is int for v in values):
        raise InputError("JSON field 'values' is not a pair of integers: write it as [0, 3]", source=source)
    draft = _draft([row.tokens() for row in rows], _values(Line(1, f"values {values[0]}..{values[1]}", source)), source)
    check_sides(data, (len(rows), len(draft.clues[0][0])), source)
    return draft


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
    return _token(*("" if total is None else str(total) for total in (held.down, held.across)))


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
    raise token.fault(f"unknown token {show_token(text)}: {mend}")


def _dialect(rows: Sequence[Row]) -> str:
    """The sign between the sums of another program, a comma or a colon; empty for the native format."""
    tokens = {token.text for row in rows for token in row}
    if any(set(token) & set("\\=[]|{}") for token in tokens):
        return ""
    signs = {match[2] for match in map(_OTHER_CLUE.fullmatch, tokens) if match and match[3]}
    # Lists of numbers have commas too, but neither black cells nor a comma before a number.
    return "," if "," in signs and tokens & {"-", "#"} else ":" if ":" in signs else ""


def _native(token: str, sign: str) -> str:
    """The native token for one of a dialect."""
    match = _OTHER_CLUE.fullmatch(token)
    if match and match[2] == sign:
        return _token(match[1], match[3])
    return {"-": "#", "0": "."}.get(token, token) if sign == "," else token


def _is_sized(rows: Sequence[Row]) -> bool:
    """Whether the first line gives the numbers of rows and columns below it."""
    sized = len(rows) > 2 and [t.text for t in rows[0]] == [str(len(rows) - 1), str(len(rows[1]))]
    return sized and len(rows[1]) != 2


def _foreign(text: str) -> Callable[[str], list[Tokens]] | None:
    """Return a reader of puzz.link or MiniZinc boards as native tokens, given its source; None for any other text."""
    bare = bare_text(text)
    if link := link_of(bare, "kakuro"):
        return partial(_from_link, link)
    return partial(_from_minizinc, bare) if _MINIZINC.search(bare) and "h_clue" in bare else None


def _from_link(link: Link, source: str) -> list[Tokens]:
    rows, columns, body = link
    check_size(rows, columns, MAX_SIDE - 1, source)
    cells: list[str] = []
    k = 0

    def total() -> str:
        """The sum written next, without a 0 for none."""
        nonlocal k
        letter, k = body[k : k + 1], k + 1
        if not letter or letter not in _SUMS:
            raise InputError(f"the link breaks off at {body[max(0, k - 2) : k]!a}: copy the whole link", source=source)
        value = _SUMS.index(letter)
        return str(value) if value else ""

    while len(cells) < rows * columns:
        letter = body[k : k + 1]
        if "k" <= letter <= "z":
            cells += ["."] * (ord(letter) - ord("j"))
            k += 1
        elif letter == ".":
            cells.append("#")
            k += 1
        else:
            cells.append(_token(total(), total()))
    if len(cells) > rows * columns:
        raise InputError(f"the link has more cells than {rows}x{columns}: copy it again", source=source)
    # The sums above the board and left of it follow, for the runs that start at its edge.
    table = [cells[r * columns : (r + 1) * columns] for r in range(rows)]
    above = [_token(total(), "") if cell == "." else "#" for cell in table[0]]
    left = [_token("", total()) if row[0] == "." else "#" for row in table]
    return [("#", *above), *((head, *row) for head, row in zip(left, table, strict=True))]


def _token(down: str, across: str) -> str:
    return f"{down}\\{across}" if down or across else "#"


def _from_minizinc(text: str, source: str) -> list[Tokens]:
    mask = _numbers(text, "grid_data", source)
    if not mask or any(len(row) != len(mask[0]) or set(row) - {0, 1} for row in mask):
        raise InputError("MiniZinc 'grid_data' is not rows of 0 and 1 of one length: correct it", source=source)
    check_size(len(mask), len(mask[0]), MAX_SIDE - 1, source)
    sums: list[dict[tuple[int, int], str]] = []
    for field, dr, dc in (("v_clue", 1, 0), ("h_clue", 0, 1)):
        numbers = [number for row in _numbers(text, field, source) for number in row]
        clues = [tuple(numbers[k : k + 4]) for k in range(0, len(numbers), 4)]
        for clue in clues:
            if len(clue) < 4 or not _fits(mask, clue[0] - 1, clue[1] - 1, dr, dc, clue[2]):
                shown = ", ".join(map(str, clue))
                fault = f"MiniZinc '{field}' has {shown}, not the row, column, length and sum of a run of grid_data"
                raise InputError(f"{fault}: correct it", source=source)
        sums.append({(r - 1, c - 1): str(total) for r, c, _, total in clues})

    def token(r: int, c: int) -> str:
        return "." if mask[r][c] else _token(*(found.get((r, c), "") for found in sums))

    return [tuple(token(r, c) for c in range(len(mask[0]))) for r in range(len(mask))]


def _fits(mask: Sequence[Sequence[int]], r: int, c: int, dr: int, dc: int, length: int) -> bool:
    """Whether a run of just this length starts behind the black cell in row r, column c (from 0)."""

    def white(steps: int) -> int:
        row, column = r + steps * dr, c + steps * dc
        return mask[row][column] if 0 <= row < len(mask) and 0 <= column < len(mask[0]) else 0

    inside = 0 <= r < len(mask) and 0 <= c < len(mask[0]) and 0 < length <= MAX_SIDE
    return inside and not white(0) and all(map(white, range(1, length + 1))) and not white(length + 1)


def _numbers(text: str, field: str, source: str) -> list[list[int]]:
    match = re.search(rf"\b{field}\s*=\s*\[\|([-0-9,|\s]*)\|\s*\]", text)
    if match is None:
        raise InputError(f"MiniZinc data without '{field} = [| ... |]': add it", source=source)
    rows: Iterable[str] = match[1].split("|")
    return [[int(number) for number in re.findall(r"-?[0-9]{1,6}", row)] for row in rows]
