"""Reading and writing Tents & Trees as text, and reading what other programs write; docs/formats.md has the formats."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from gatesolve.errors import InputError
from gatesolve.puzzles.base import Draft, cell_places
from gatesolve.puzzles.foreign import Link, bare_text, game_id_steps, link_of
from gatesolve.puzzles.json_text import check_sides, json_rows
from gatesolve.puzzles.lettergrid import grid_of
from gatesolve.puzzles.reading import Row, Token, check_size, count, lines_of, show_token, size_of
from gatesolve.puzzles.tents.board import FREE, MAX_SIDE, TENT, TREE, Counts, TentsBoard

_LETTERS = {"T": TREE, "t": TREE, "x": TREE, "X": TREE, "^": TENT, ".": FREE, "-": FREE, "_": FREE}
_COUNT = re.compile(r"[0-9]{1,3}|\?")
_ROW_TOKEN = re.compile(r"[TtxX^._-]+")
_NO_COUNT = "a row without its count: write the number of its tents (or ?) before its cells"
_GAME_ID = re.compile(r"([0-9]{1,4})x([0-9]{1,4})(?:d[a-z])?:([a-z_]*)((?:,[0-9]{1,4})+)")


def recognises(text: str) -> bool:
    """Whether the text looks like Tents & Trees: a format named so, or counts above rows with trees."""
    if _foreign(text):
        return True
    lines = list(_rows(text, ""))
    if len(lines) < 2 or not _are_counts(lines[0]):
        return False
    rows = [line for line in lines if not _are_counts(line)]
    cells = [token.text for line in rows for k, token in enumerate(line) if k or not _is_count(token)]
    return all(_ROW_TOKEN.fullmatch(cell) for cell in cells) and any(set(cell) & set("TtxX") for cell in cells)


def read(text: str, source: str) -> Draft:
    """The board of a text."""
    if reader := _foreign(text):
        return Draft(tuple(vars(reader(source)).values()))
    columns, counts, rows = _parts(list(_rows(text, source)), source)
    cells = [_cells(row) for row in rows]
    _check_shape(columns, counts, cells)
    grid = tuple("".join(_LETTERS[cell.text] for cell in row) for row in cells)
    places: dict[Any, Token] = {**cell_places(cells)}
    places |= {("rows", (r, 0)): token for r, token in enumerate(counts)}
    places |= {("columns", (0, c)): token for c, token in enumerate(columns)}
    return Draft((grid, _counts(counts), _counts(columns)), places)


def format_text(board: TentsBoard) -> str:
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
            raise token.fault(
                f"column count {show_token(token.text)} is not a number: write numbers, ? where one is missing"
            )
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
            raise cell.fault(f"unknown cell {show_token(cell.text)}: {mend}")
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


def _foreign(text: str) -> Callable[[str], TentsBoard] | None:
    """Return a reader of another program's board, given its source; None for any other text."""
    bare = bare_text(text)
    if match := _GAME_ID.fullmatch(bare):
        return partial(_from_game_id, match)
    if link := link_of(bare, "tents"):
        return partial(_from_link, link)
    return partial(_from_minizinc, bare) if re.search(r"\brow_sums\s*=", bare) and "col_sums" in bare else None


def recognises_json(data: Mapping[str, Any]) -> bool:
    """Whether a JSON object has counts beside a board."""
    return "grid" in data and ("row_counts" in data or "col_counts" in data)


def draft_of_json(data: dict[str, Any], source: str) -> Draft:
    """The board of a JSON object: ``grid``, ``row_counts`` and ``col_counts``."""
    known = "T for a tree, . for a free cell"
    grid = grid_of(json_rows(data, "grid", source), source, (TREE, TENT, FREE), known, most=MAX_SIDE)
    check_sides(data, (len(grid), len(grid[0])), source)
    row_counts = _json_counts(data, "row_counts", len(grid), source)
    column_counts = _json_counts(data, "col_counts", len(grid[0]), source)
    return Draft((tuple(map("".join, grid)), row_counts, column_counts))


def _json_counts(data: dict[str, Any], field: str, length: int, source: str) -> Counts:
    counts = data.get(field)
    if not isinstance(counts, list) or not all(n is None or (type(n) is int and 0 <= n < 1000) for n in counts):
        fault = f"JSON has no field '{field}' with a list of counts: write numbers, null where one is missing"
        raise InputError(fault, source=source)
    if len(counts) != length:
        raise InputError(f"JSON field '{field}' has {len(counts)} counts: write {length}", source=source)
    return tuple(counts)


def _from_game_id(match: re.Match[str], source: str) -> TentsBoard:
    columns, rows = int(match[1]), int(match[2])
    check_size(rows, columns, MAX_SIDE, source)
    steps = list(game_id_steps(match[3], "`"))
    trees = [at - 1 for at, letter in steps if letter != "z"]
    last = steps[-1][0] - 1 if steps else -1
    # The last tree is not one: it stands just behind the last cell and closes the board.
    if last != rows * columns or not trees or trees.pop() != rows * columns:
        fault = f"the game id's trees end at cell {last} of {rows * columns}: copy the whole id"
        raise InputError(fault, source=source)
    counts = [int(part) for part in match[4].split(",")[1:]]
    if len(counts) != rows + columns:
        fault = f"the game id has {len(counts)} counts, but {columns} columns and {rows} rows: copy the whole id"
        raise InputError(fault, source=source)
    return _board(rows, columns, trees, tuple(counts[columns:]), tuple(counts[:columns]))


def _from_link(link: Link, source: str) -> TentsBoard:
    rows, columns, body = link
    check_size(rows, columns, MAX_SIDE, source)
    counts: list[int | None] = []
    k = 0
    while len(counts) < rows + columns:
        letter = body[k : k + 1]
        if "g" <= letter <= "z":
            counts += [None] * (ord(letter) - ord("f"))
            k += 1
            continue
        digits = body[k + 1 : k + 3] if letter == "-" else letter
        if not digits or set(digits) - set("0123456789abcdef"):
            raise InputError(f"the link's counts break off at {body[k : k + 3]!r}: copy the whole link", source=source)
        counts.append(int(digits, 16))
        k += 3 if letter == "-" else 1
    if len(counts) > rows + columns:
        raise InputError(f"the link has more counts than {columns} columns and {rows} rows", source=source)
    trees = []
    at = 0
    for letter in body[k:]:
        if not ("0" <= letter <= "9" or "a" <= letter <= "z"):
            raise InputError(f"the link has an unknown letter {letter!a}: copy it again", source=source)
        value = int(letter, 36)
        if value < 18:
            trees.append(at)
        at += value + 1 if value < 18 else value - 17
    if trees and trees[-1] >= rows * columns:
        raise InputError(f"the link has a tree behind the last of {rows}x{columns} cells: copy it again", source=source)
    return _board(rows, columns, trees, tuple(counts[columns:]), tuple(counts[:columns]))


def _from_minizinc(text: str, source: str) -> TentsBoard:
    def numbers(field: str) -> list[int]:
        match = re.search(rf"\b{field}\s*=\s*\[([-0-9,|\s]*)\]", text)
        if match is None:
            raise InputError(f"MiniZinc data without '{field} = [...]': add it", source=source)
        return [int(part) for part in re.findall(r"-?[0-9]{1,4}", match[1])]

    cells, rows, columns = numbers("a"), numbers("row_sums"), numbers("col_sums")
    check_size(len(rows), len(columns), MAX_SIDE, source)
    if len(cells) != len(rows) * len(columns) or set(cells) - {0, 1}:
        fault = f"MiniZinc 'a' is not {len(rows)}x{len(columns)} cells of 0 and 1 as the sums say: correct it"
        raise InputError(fault, source=source)
    # Data sets write -1 where a sum is not given.
    known = [tuple(None if n < 0 else n for n in counts) for counts in (rows, columns)]
    return _board(len(rows), len(columns), [k for k, cell in enumerate(cells) if cell], *known)


def _board(rows: int, columns: int, trees: list[int], row_counts: Counts, column_counts: Counts) -> TentsBoard:
    """The board with trees at these cells, counted row by row from 0."""
    held = set(trees)
    grid = tuple("".join(TREE if r * columns + c in held else FREE for c in range(columns)) for r in range(rows))
    return TentsBoard(grid, row_counts, column_counts)
