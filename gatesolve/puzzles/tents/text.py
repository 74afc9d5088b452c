"""Reading and writing Tents & Trees as text; docs/formats.md has the format."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from gatesolve.errors import InputError
from gatesolve.puzzles.base import Draft
from gatesolve.puzzles.reading import Row, Token, count, lines_of, shown, size_of
from gatesolve.puzzles.tents.board import FREE, MAX_SIDE, TENT, TREE, Board, Counts
from gatesolve.puzzles.tents.formats import foreign_board, is_foreign

_LETTERS = {"T": TREE, "t": TREE, "x": TREE, "X": TREE, "^": TENT, ".": FREE, "-": FREE, "_": FREE}
_COUNT = re.compile(r"[0-9]{1,3}|\?")
_ROW_TOKEN = re.compile(r"[TtxX^._-]+")
_NO_COUNT = "a row without its count: write the number of its tents (or ?) before its cells"


def recognises(text: str) -> bool:
    """Whether the text looks like Tents & Trees: a format named so, or counts above rows with trees."""
    if is_foreign(text):
        return True
    lines = list(_rows(text, ""))
    if len(lines) < 2 or not _are_counts(lines[0]):
        return False
    rows = [line for line in lines if not _are_counts(line)]
    cells = [token.text for line in rows for k, token in enumerate(line) if k or not _is_count(token)]
    return all(_ROW_TOKEN.fullmatch(cell) for cell in cells) and any(set(cell) & set("TtxX") for cell in cells)


def read(text: str, source: str) -> Draft:
    """The board of a text."""
    if is_foreign(text):
        return Draft((foreign_board(text, source),))
    columns, counts, rows = _parts(list(_rows(text, source)), source)
    cells = [_cells(row) for row in rows]
    _check_shape(columns, counts, cells)
    grid = tuple("".join(_LETTERS[cell.text] for cell in row) for row in cells)
    return Draft((Board(grid, _counts(counts), _counts(columns)),), anywhere=cells[0][0])


def format_text(board: Board) -> str:
    """The board as it would be typed."""
    written = ["?" if tents is None else str(tents) for tents in board.row_counts + board.column_counts]
    width, rows = max(map(len, written)), len(board.row_counts)
    lines = [" " * (width + 1) + " ".join(tents.rjust(width) for tents in written[rows:])]
    for tents, row in zip(written, board.grid, strict=False):
        lines.append(" ".join(cell.rjust(width) for cell in (tents, *row)))
    return "\n".join(lines) + "\n"


def _rows(text: str, source: str) -> Iterator[Row]:
    """The tokens of each line, each with its first character's column; where there are commas, they part the tokens."""
    for line in lines_of(text, source):
        if "," not in line.text:
            yield [Token(m[0], m.start() + 1, line) for m in re.finditer(r"\S+", line.text)]
            continue
        parts = [Token(m[0].strip() or FREE, m.start() + 1, line) for m in re.finditer(r"(?:^|(?<=,))[^,]*", line.text)]
        corner = parts[0].text == FREE and all(map(_is_count, parts[1:]))
        yield parts[1 if corner else 0 :]


def _is_count(token: Token) -> bool:
    """Whether a token is a count, known or missing."""
    return _COUNT.fullmatch(token.text) is not None


def _are_counts(row: Row) -> bool:
    """Whether the row holds nothing but counts; a missing one may be ``-`` where that is no cell."""
    known = sum(map(_is_count, row))
    return known == len(row) or (known > 1 and all(_is_count(token) or token.text == "-" for token in row))


def _parts(rows: list[Row], source: str) -> tuple[Row, Row, list[Row]]:
    """The column counts, the row counts, and the cells of each row."""
    if len(rows) < 2:
        raise InputError("no board: write a line of column counts, then each row behind its count", source=source)
    if not _is_count(rows[-1][0]):  # puzzlekit: rows without counts, perhaps below a line of two sizes
        first = 1 if _is_sized(rows) else 0
        counts = rows[first : first + 2]
        if not all(map(_are_counts, counts)):
            raise next((t for row in rows[:2] for t in row if not _is_count(t)), rows[0][0]).fault(_NO_COUNT)
        return counts[0], counts[1], rows[first + 2 :]
    for token in rows[0]:
        if not _is_count(token):
            fault = f"column count {shown(token.text)} is not a number: write numbers, ? where one is missing"
            raise token.fault(fault)
    for row in rows[1:]:
        if not _is_count(row[0]):
            raise row[0].fault(_NO_COUNT)
    return rows[0], [row[0] for row in rows[1:]], [row[1:] for row in rows[1:]]


def _is_sized(rows: list[Row]) -> bool:
    """Whether the first line gives the numbers of rows and columns of a puzzlekit layout."""
    return len(rows) > 3 and _are_counts(rows[2]) and size_of(rows[0][0].line) == (len(rows[2]), len(rows[1]))


def _cells(row: Row) -> Row:
    """One token a cell."""
    cells = [Token(letter, token.column + k, token.line) for token in row for k, letter in enumerate(token.text)]
    for cell in cells:
        if cell.text not in _LETTERS:
            mend = "write T for a tree, . for a free cell, ^ for a tent that is given"
            raise cell.fault(f"unknown cell {shown(cell.text)}: {mend}")
    return cells


def _check_shape(columns: Row, counts: Row, cells: Sequence[Row]) -> None:
    """Raise unless there are as many counts as rows and columns, of a size that is read."""
    for word, row in (("column", columns), ("row", counts)):
        if len(row) > MAX_SIDE:
            raise row[MAX_SIDE].fault(f"{len(row)} {word}s: a board has at most {MAX_SIDE}; give a smaller one")
    if len(counts) != len(cells):
        raise counts[0].line.fault(f"{len(counts)} row counts but {len(cells)} rows: give each row one count")
    for head, row in zip(counts, cells, strict=True):
        if len(row) != len(columns):
            mend = "add the missing cells" if len(row) < len(columns) else "remove the extra cells"
            at = row[min(len(row) - 1, len(columns))] if row else head
            raise at.fault(f"{count(len(row), 'cell')} here but {len(columns)} column counts: {mend}")


def _counts(row: Row) -> Counts:
    return tuple(int(token.text) if token.text.isdecimal() else None for token in row)
