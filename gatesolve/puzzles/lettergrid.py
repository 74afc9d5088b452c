"""Reading boards written as grids of letters, with header lines and labelled blocks around them.

Shared by the families that place pieces on a board: Star Battle, Queens and chess pieces. Lines
that start with ``;`` or ``//`` are comments and blank lines are skipped. A line whose first word
is one of a family's keywords is a header; any other line is a row of a grid, either one character
a cell or, when it holds white space or commas, one token a cell. An emoji is one character, however it is stored.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from gatesolve.errors import InputError
from gatesolve.puzzles.emoji import is_emoji, symbol, symbols

Cell = tuple[int, int]
"""0-based row and column."""

Grid = tuple[tuple[str, ...], ...]
"""One token a cell, row by row."""

MAX_SIDE = 64
"""Most rows or columns of a board; far above what any backend could hold."""

FREE, BLOCKED, OUTSIDE = ".", "#", "@"
"""An empty cell, a cell where nothing may stand, and a cell outside an irregular board."""

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class Line:
    """A line that says something: its 1-based number in the file and its text."""

    number: int
    text: str

    @property
    def words(self) -> list[str]:
        """Its words."""
        return self.text.split()

    @property
    def keyword(self) -> str:
        """Its first word if that is in small letters, without a colon or an equals sign behind it."""
        match = re.match(r"\s*([a-z]+)(?=[\s:=]|$)", self.text)
        return match[1] if match else ""

    def cells(self) -> list[tuple[int, str]]:
        """The cells of a row of a grid, each with its column in the file: the character's, or the token's number."""
        stripped = self.text.strip()
        if re.search(r"[\s,]", stripped):
            return list(enumerate(map(symbol, re.split(r"\s*,\s*|\s+", stripped.strip(","))), 1))
        indent = len(self.text) - len(self.text.lstrip())
        return [(place + indent + 1, one) for place, one in symbols(stripped)]


class Fault(NamedTuple):
    """What is wrong with a board, and the cell where it is, if it is at one."""

    position: Cell | None
    message: str


@dataclass(frozen=True)
class Sections:
    """A text taken apart: header lines by their first word, and grids by their label."""

    headers: Mapping[str, tuple[Line, ...]]
    blocks: Mapping[str, tuple[Line, ...]]

    def single(self, keyword: str, source: str) -> Line | None:
        """The one header line of a keyword, or None.

        Raises:
            InputError: there are two.
        """
        lines = self.headers.get(keyword, ())
        if len(lines) > 1:
            fault = f"a second line '{keyword}': keep one of the two"
            raise InputError(fault, source=source, row=lines[1].number, column=1)
        return lines[0] if lines else None


def lines_of(text: str) -> list[Line]:
    """The lines that are neither blank nor a comment."""
    numbered = (Line(number, line) for number, line in enumerate(text.split("\n"), 1))
    return [line for line in numbered if line.cells() and not line.text.lstrip().startswith((";", "//"))]


def sections(text: str, keywords: Collection[str], labels: Collection[str], source: str) -> Sections:
    """Take a text apart.

    Args:
        text: the text.
        keywords: first words of header lines, labels included.
        labels: those keywords that a grid may follow; a grid below no label is called ``""``.
        source: what to call the text in messages.

    Raises:
        InputError: two grids have the same label, or two have none.
    """
    headers: dict[str, tuple[Line, ...]] = {}
    blocks: dict[str, tuple[Line, ...]] = {}
    label, begun = "", False
    for line in lines_of(text):
        word = line.keyword
        if word in keywords:
            headers[word] = (*headers.get(word, ()), line)
            label, begun = (word if word in labels else ""), False
            continue
        if not begun and label in blocks:
            known = " or ".join(f"'{name}'" for name in labels)
            fault = f"a second grid {f'called {label!r}' if label else 'without a name'}: write {known} above it"
            raise InputError(fault, source=source, row=line.number, column=1)
        blocks[label] = (*blocks.get(label, ()), line)
        begun = True
    return Sections(headers, blocks)


def grid_of(rows: Sequence[Line], source: str) -> Grid:
    """The tokens of a grid's rows.

    Raises:
        InputError: it is empty, ragged or too large; with the line and column.
    """
    table = [row.cells() for row in rows]
    if not table:
        raise InputError("no board: write its rows, one letter a cell", source=source)
    if len(table) > MAX_SIDE:
        fault = f"{len(table)} rows: a board has at most {MAX_SIDE}; give a smaller one"
        raise InputError(fault, source=source, row=rows[MAX_SIDE].number)
    width = len(table[0])
    if width > MAX_SIDE:
        fault = f"{width} cells in a row: a board has at most {MAX_SIDE} columns; give a smaller one"
        raise InputError(fault, source=source, row=rows[0].number, column=MAX_SIDE + 1)
    for row, cells in zip(rows, table, strict=True):
        if len(cells) != width:
            mend = "add the missing cells" if len(cells) < width else "remove the extra cells"
            column = cells[-1][0] + 1 if len(cells) < width else cells[width][0]
            plural = "" if len(cells) == 1 else "s"
            fault = f"{len(cells)} cell{plural} here but {width} in the first row: {mend}"
            raise InputError(fault, source=source, row=row.number, column=column)
    return tuple(tuple(token for _, token in cells) for cells in table)


def rows_of_list(rows: Any, field: str, source: str) -> tuple[Line, ...]:
    """Rows of a grid in a JSON object: strings, or lists of letters or integers.

    Raises:
        InputError: it is something else.
    """
    fault = InputError(f"JSON field '{field}' is not a list of rows: write one string a row", source=source)
    if not isinstance(rows, list):
        raise fault
    lines = []
    for number, row in enumerate(rows, 1):
        if isinstance(row, list) and row and all(isinstance(v, str) or type(v) is int for v in row):
            lines.append(Line(number, " ".join(str(v) for v in row)))
        elif isinstance(row, str) and row.strip():
            lines.append(Line(number, row))
        else:
            raise fault
    return tuple(lines)


def file_place(rows: Sequence[Line], position: Cell | None) -> tuple[int | None, int | None]:
    """Where in the file a cell of the board is: its line, and its column in that line."""
    if position is None:
        return None, None
    r, c = position
    return (rows[r].number, rows[r].cells()[c][0]) if r < len(rows) else (r + 1, c + 1)


def checked(
    grid: Grid, rows: Sequence[Line], allowed: Collection[str], what: str, source: str, letters: bool = False
) -> Grid:
    """The grid, once every token is known to be allowed.

    Args:
        grid: the tokens.
        rows: the lines they come from.
        allowed: tokens that may be written.
        what: what may be written, in words.
        source: what to call the text in messages.
        letters: whether names of regions (letters and digits, or an emoji) may be written too.

    Raises:
        InputError: a token is unknown; with its place.
    """
    for r, row in enumerate(grid):
        for c, token in enumerate(row):
            if token in allowed or (letters and (is_emoji(token) or re.fullmatch("[A-Za-z0-9_]{1,12}", token))):
                continue
            line, column = file_place(rows, (r, c))
            raise InputError(f"unknown {shown(token)}: write {what}", source=source, row=line, column=column)
    return grid


def shown(token: str) -> str:
    """A token in a message: short, and a control character or a look-alike of a letter visible for what it is."""
    short = token if len(token) <= 20 else token[:20] + "..."
    return short if short.isascii() and short.isprintable() else ascii(short)


def named_by_letters(grid: Grid, keep: Collection[str] = (FREE, BLOCKED, OUTSIDE)) -> Grid:
    """The grid with regions called by numbers, or drawn in emoji, renamed to letters in order of appearance.

    Grids that name their regions by letters, and those with more regions than letters, stay as they are.
    """
    names = region_names(grid, keep)
    renamed = all(name.isdigit() for name in names) or all(map(is_emoji, names))
    if not renamed or len(names) > len(LETTERS):
        return grid
    letter = dict(zip(names, LETTERS, strict=False))
    return tuple(tuple(letter.get(token, token) for token in row) for row in grid)


def region_names(grid: Grid, keep: Collection[str] = (FREE, BLOCKED, OUTSIDE)) -> list[str]:
    """The names of the regions, in order of appearance."""
    return list(dict.fromkeys(token for row in grid for token in row if token not in keep))


def grid_text(grid: Iterable[Sequence[str]]) -> list[str]:
    """The rows of a grid as lines: without gaps when every token is one character."""
    rows = [list(row) for row in grid]
    if all(len(token) == 1 for row in rows for token in row):
        return ["".join(row) for row in rows]
    width = max(len(token) for row in rows for token in row)
    # a row of one token has no gap to tell it by, so it gets a comma
    return [" ".join(t.ljust(width) for t in row).rstrip() + ("," if len(row) == 1 else "") for row in rows]


def cell_name(cell: Cell) -> str:
    """Name of the variable of a cell, such as ``r1c2``: row and column counted from 1."""
    return f"r{cell[0] + 1}c{cell[1] + 1}"


def json_cells(data: Mapping[str, Any], field: str, size: tuple[int, int], source: str) -> list[Cell]:
    """A field with 0-based ``[row, column]`` pairs; empty when it is missing.

    Raises:
        InputError: it holds something else, or a cell outside the board.
    """
    found = data.get(field, [])
    pairs: list[Any] = found if isinstance(found, list) else [None]
    for pair in pairs:
        if not (isinstance(pair, list) and len(pair) == 2 and all(type(v) is int for v in pair)):
            raise InputError(f"JSON field '{field}' is not a list of [row, column] pairs", source=source)
        if not (0 <= pair[0] < size[0] and 0 <= pair[1] < size[1]):
            fault = f"JSON field '{field}' has cell {pair} outside the board of {size[0]}x{size[1]}: rows and columns count from 0"  # noqa: E501
            raise InputError(fault, source=source)
    return [(r, c) for r, c in pairs]


def json_side(data: Mapping[str, Any], field: str, source: str) -> int:
    """A field with the side of a board.

    Raises:
        InputError: it is missing or not a number of 1..MAX_SIDE.
    """
    side = data.get(field)
    if type(side) is not int or not 1 <= side <= MAX_SIDE:
        fault = f"JSON field '{field}' is not a number of 1..{MAX_SIDE}: write the side of the board"
        raise InputError(fault, source=source)
    return side
