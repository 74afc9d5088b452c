"""The Tents & Trees text formats.

To type: a line of column counts, then each row behind its own count. ``T`` is a tree, ``.`` a
free cell, ``^`` a tent that is given; a count that is missing is ``?``::

      2 1 2 0 2 1
    1 . T . . . .
    2 . . . . T .

Cells may stand together (``1 .T....``). Lines that start with ``;`` or ``//`` are comments.

Read too: puzzlekit's layout (column counts, row counts, then rows with ``x`` for a tree and ``-``
for a free cell, with or without a first line ``ROWS COLUMNS``), the same with commas in place of
spaces, and what `gatesolve.puzzles.tents.formats` lists.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from gatesolve.errors import InputError
from gatesolve.puzzles.tents.board import FREE, MAX_SIDE, TENT, TREE, Board, Counts, first_fault
from gatesolve.puzzles.tents.formats import foreign_board, is_foreign

_LETTERS = {"T": TREE, "t": TREE, "x": TREE, "X": TREE, "^": TENT, ".": FREE, "-": FREE, "_": FREE}
_COUNT = re.compile(r"[0-9]{1,3}|\?")
_ROW_TOKEN = re.compile(r"[TtxX^._-]+")


@dataclass(frozen=True)
class Token:
    """A token and where it stands: its line and first column, both counted from 1."""

    text: str
    line: int
    column: int

    @property
    def is_count(self) -> bool:
        """Whether it is a count, known or missing."""
        return _COUNT.fullmatch(self.text) is not None


Line = tuple[Token, ...]


def recognises(text: str) -> bool:
    """Whether the text looks like Tents & Trees: a format named so, or counts above rows with trees."""
    if is_foreign(text):
        return True
    if text.lstrip().startswith("{"):
        return False
    lines = list(_lines(text))
    if len(lines) < 2 or not _is_counts(lines[0]):
        return False
    rows = [line for line in lines if not _is_counts(line)]
    cells = [token.text for line in rows for k, token in enumerate(line) if k or not token.is_count]
    return all(_ROW_TOKEN.fullmatch(cell) for cell in cells) and any(set(cell) & set("TtxX") for cell in cells)


def parse_text(text: str, source: str) -> Board:
    """The board of a text.

    Raises:
        InputError: with the line and column where the fault is.
    """
    if is_foreign(text) or text.lstrip().startswith("{"):
        return _checked(foreign_board(text, source), 1, 1, source)
    columns, counts, rows = _parts(list(_lines(text)), source)
    cells = [_cells(line, source) for line in rows]
    _check_shape(columns, counts, cells, source)
    grid = tuple("".join(_LETTERS[cell.text] for cell in row) for row in cells)
    return _checked(Board(grid, _counts(counts), _counts(columns)), cells[0][0].line, cells[0][0].column, source)


def _checked(board: Board, row: int, column: int, source: str) -> Board:
    """The board, unless it is none; its first cell stands in that row and column of the file."""
    fault = first_fault(board)
    if fault:
        raise InputError(fault, source=source, row=row, column=column)
    return board


def format_text(board: Board) -> str:
    """The board as it would be typed."""
    width = max(len(_shown(count)) for count in board.row_counts + board.column_counts)
    head = " ".join(_shown(count).rjust(width) for count in board.column_counts)
    lines = [" " * (width + 1) + head]
    for count, row in zip(board.row_counts, board.grid, strict=True):
        lines.append(" ".join([_shown(count).rjust(width), *(cell.rjust(width) for cell in row)]))
    return "\n".join(lines) + "\n"


def _shown(count: int | None) -> str:
    return "?" if count is None else str(count)


def _lines(text: str) -> Iterator[Line]:
    """The tokens of each line that says something; where there are commas, they part the tokens."""
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip() or line.lstrip().startswith((";", "//")):
            continue
        if "," not in line:
            yield tuple(Token(m[0], number, m.start() + 1) for m in re.finditer(r"\S+", line))
            continue
        starts = [0, *(m.end() for m in re.finditer(",", line))]
        parts = [(part.strip() or FREE, start + 1) for part, start in zip(line.split(","), starts, strict=True)]
        corner = parts[0][0] == FREE and all(_COUNT.fullmatch(part) for part, _ in parts[1:])
        yield tuple(Token(part, number, column) for part, column in parts[1 if corner else 0 :])


def _is_counts(line: Line) -> bool:
    """Whether the line holds nothing but counts; a missing one may be ``-`` where that is no cell."""
    known = sum(token.is_count for token in line)
    return known == len(line) or (known > 1 and all(token.is_count or token.text == "-" for token in line))


def _parts(lines: list[Line], source: str) -> tuple[Line, Line, list[Line]]:
    """The column counts, the row counts, and the cells of each row."""
    if len(lines) < 2:
        raise InputError("no board: write a line of column counts, then each row behind its count", source=source)
    if not lines[-1][0].is_count:  # puzzlekit: rows without counts, perhaps below a line of two sizes
        first = 1 if _is_size(lines) else 0
        counts = lines[first : first + 2]
        if not all(map(_is_counts, counts)):
            wrong = next((t for line in lines[:2] for t in line if not t.is_count), lines[0][0])
            fault = "a row without its count: write the number of its tents (or ?) before its cells"
            raise InputError(fault, source=source, row=wrong.line, column=wrong.column)
        return counts[0], counts[1], lines[first + 2 :]
    for token in lines[0]:
        if not token.is_count:
            fault = f"column count {_quoted(token)} is not a number: write numbers, ? where one is missing"
            raise InputError(fault, source=source, row=token.line, column=token.column)
    for line in lines[1:]:
        if not line[0].is_count:
            fault = "a row without its count: write the number of its tents (or ?) before its cells"
            raise InputError(fault, source=source, row=line[0].line, column=line[0].column)
    return lines[0], tuple(line[0] for line in lines[1:]), [line[1:] for line in lines[1:]]


def _is_size(lines: list[Line]) -> bool:
    """Whether the first line gives the numbers of rows and columns of a puzzlekit layout."""
    if len(lines) < 4 or len(lines[0]) != 2 or not all(t.text.isdecimal() for t in lines[0]):
        return False
    return _is_counts(lines[2]) and [int(t.text) for t in lines[0]] == [
        len(lines[2]),
        len(lines[1]),
    ]


def _cells(line: Line, source: str) -> Line:
    """One token a cell."""
    cells = tuple(Token(letter, token.line, token.column + k) for token in line for k, letter in enumerate(token.text))
    for cell in cells:
        if cell.text not in _LETTERS:
            fault = f"unknown cell {_quoted(cell)}: write T for a tree, . for a free cell, ^ for a tent that is given"
            raise InputError(fault, source=source, row=cell.line, column=cell.column)
    return cells


def _quoted(token: Token) -> str:
    text = token.text if len(token.text) <= 20 else token.text[:20] + "..."
    return text if text.isascii() and text.isprintable() else ascii(text)


def _check_shape(columns: Line, counts: Line, cells: list[Line], source: str) -> None:
    """Raise unless there are as many counts as rows and columns, of a size that is read."""
    for word, line in (("column", columns), ("row", counts)):
        if len(line) > MAX_SIDE:
            at = line[MAX_SIDE]
            fault = f"{len(line)} {word}s: a board has at most {MAX_SIDE}; give a smaller one"
            raise InputError(fault, source=source, row=at.line, column=at.column)
    if len(counts) != len(cells):
        fault = f"{len(counts)} row counts but {len(cells)} rows: give each row one count"
        raise InputError(fault, source=source, row=counts[0].line)
    for count, row in zip(counts, cells, strict=True):
        if len(row) != len(columns):
            mend = "add the missing cells" if len(row) < len(columns) else "remove the extra cells"
            at = row[min(len(row), len(columns)) - (len(row) < len(columns))] if row else count
            have = "1 cell" if len(row) == 1 else f"{len(row)} cells"
            fault = f"{have} here but {len(columns)} column counts: {mend}"
            raise InputError(fault, source=source, row=at.line, column=at.column)


def _counts(line: Line) -> Counts:
    return tuple(int(token.text) if token.text.isdecimal() else None for token in line)
