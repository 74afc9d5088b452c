"""Reading and writing Sudokus as text; docs/formats.md has the format, and the ways they are written elsewhere."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from gatesolve.errors import InputError
from gatesolve.files import show_json
from gatesolve.puzzles.base import Draft, cell_places
from gatesolve.puzzles.grid import is_numbered
from gatesolve.puzzles.json_text import check_sides, json_bool, json_cells_of, json_side
from gatesolve.puzzles.lettergrid import places_in
from gatesolve.puzzles.reading import Line, Row, Token, check_rows, lines_of, size_of
from gatesolve.puzzles.sudoku.areas import LABELS, areas_text, cages_of, double_grid, json_areas, regions_of
from gatesolve.puzzles.sudoku.grid import MAX_SIDE, SudokuBoard, default_box
from gatesolve.puzzles.sudoku.ids import id_reader

_HEADER = re.compile(r"(box|diagonals|sudoku|sums)\b.*", re.IGNORECASE)
_BOX = re.compile(r"box\s+([0-9]{1,2})\s*[x ,]\s*([0-9]{1,2})", re.IGNORECASE)
_RULE = re.compile(r"(?=.*[-+=])[-+=|\s]+")
_BLANKS = ".0_*-"
_COMMENTS = (";", "//", "#")


class SudokuParts(NamedTuple):
    """Header lines, the rows of values, and the rows of the grids ``boxes`` and ``cages``."""

    header: list[Line]
    body: list[Line]
    areas: dict[str, list[Line]]


def recognises(text: str) -> bool:
    """Whether the text looks like a Sudoku: a game id, a line ``box``, ``boxes`` or ``cages``, or digits."""
    if id_reader(text):
        return True
    header, body, areas = _split(lines_of(text, "", _COMMENTS))
    if areas or any(line.text.lower().lstrip().startswith(("box", "sudoku")) for line in header):
        return True
    return bool(body) and (_double(body) is not None or _looks_like_grid(_drop_rules(_drop_size(body))))


def read(text: str, source: str) -> Draft:
    """All that the text gives."""
    if reader := id_reader(text):
        line = Line(1, text.strip(), source)
        return Draft(tuple(vars(reader(line)).values()), anywhere=line)
    parts = _split(lines_of(text, source, _COMMENTS))
    board, sums = _options(parts)
    double = None if parts.areas else _double(parts.body)
    if double:
        upper, regions, cages = double_grid(double, source)
        rows = _rows([Line(line.number, line.text.strip(), source) for line in upper], source, not upper)
        board = replace(board, regions=regions, cages=cages)
        return _draft(board, rows, len(double) // 2, {"boxes": double[len(double) // 2 :]}, source)
    rows = _rows(parts.body, source, bool(parts.areas))
    side = len(rows) or None
    if "boxes" in parts.areas:
        board = replace(board, regions=regions_of(parts.areas["boxes"], side, source))
        side = side or len(board.regions)
    if "cages" in parts.areas:
        board = replace(board, cages=cages_of(parts.areas["cages"], sums, side, source))
    return _draft(board, rows, side or len(parts.areas.get("cages", ())), parts.areas, source)


def _draft(
    board: SudokuBoard, rows: Sequence[Row], side: int, areas: Mapping[str, Sequence[Line]], source: str
) -> Draft:
    """The board with its cells, and boxes of the usual shape where none are drawn."""
    box = None if board.regions else board.box or default_box(side)
    if box is None and not board.regions:
        fault = f"{side} rows: no boxes of several rows and columns; use 4, 6, 8, 9, 10, 12, ... rows or a line 'box'"
        raise rows[-1][0].line.fault(fault) if rows else InputError(fault, source=source)
    cells = tuple(tuple(_value(token, side) for token in row) for row in rows) or ((None,) * side,) * side
    places: dict[Any, Token | Line] = {**cell_places(rows)}
    for label, lines in areas.items():
        places |= {(label, cell): token for cell, token in places_in(lines).items()}
    return Draft((cells, box, board.diagonals, board.regions, board.cages), places)


def recognises_json(data: Mapping[str, Any]) -> bool:
    """Whether a JSON object has a box, boxes with cages, or a square board of nothing but digits, however written."""
    if isinstance(data.get("box"), list) or {"regions", "cages"} <= data.keys():
        return True
    grid = data.get("grid", data.get("board"))
    if isinstance(grid, str) and len(grid) == math.isqrt(len(grid)) ** 2:
        side = math.isqrt(len(grid))
        grid = [grid[k * side : (k + 1) * side] for k in range(side)]
    rows = json_cells_of(grid)
    digits = {token for row in rows for token in row} - set(_BLANKS)
    known = {str(value) for value in range(1, len(rows) + 1)} | set("ABCDEFGabcdefg" if len(rows) > 9 else "")
    is_shaped = "regions" in data or default_box(len(rows)) is not None
    return (
        is_shaped and all(len(row) == len(rows) for row in rows) and set() < digits <= known and not is_numbered(rows)
    )


def draft_of_json(data: dict[str, Any], source: str) -> Draft:
    """The board of a JSON object; its ``grid`` or ``board`` is a string, or a list of strings or of lists."""
    if "grid" in data and "board" in data:
        raise InputError("JSON fields 'grid' and 'board' both tell the board: keep one of the two", source=source)
    grid, box = data.get("grid", data.get("board")), data.get("box")
    if box is not None and not (isinstance(box, list) and len(box) == 2 and all(type(n) is int for n in box)):
        raise InputError("JSON field 'box' is not a pair of integers: write it as [2, 3]", source=source)
    if box is not None and "regions" in data:
        raise InputError("JSON fields 'box' and 'regions' both tell the boxes: keep one of the two", source=source)
    diagonals = json_bool(data, "diagonals", False, source)
    rows = _json_rows(grid, source) if grid is not None or "size" not in data else []
    side = len(rows) or json_side(data, "size", MAX_SIDE, source)
    check_sides(data, (side, side), source)
    board = SudokuBoard((), None if box is None else (box[0], box[1]), diagonals, *json_areas(data, side, source))
    return _draft(board, rows, side, {}, source)


def format_text(board: SudokuBoard, values: Sequence[Sequence[int | None]]) -> str:
    """The header lines, the grids of boxes and cages, and the values, plain boxes parted by ``|`` and rules."""
    side = len(values)
    lines = ["diagonals"] * board.diagonals
    lines += [f"box {board.box[0]}x{board.box[1]}"] if board.box else []
    lines += areas_text(board)
    if board.regions or board.cages:
        if all(value is None for row in values for value in row):
            return "\n".join(lines) + "\n"
        lines.append("board")
    height, wide = board.box or (side, side)
    width = len(str(side))
    gap = "" if width == 1 else " "
    for r, row in enumerate(values):
        if r and r % height == 0:
            lines.append("-+-".join(["-" * (wide * (width + len(gap)) - len(gap))] * (side // wide)))
        words = ["." if v is None else str(v) for v in row]
        groups = [gap.join(w.rjust(width) for w in words[k : k + wide]) for k in range(0, side, wide)]
        lines.append(" | ".join(groups))
    return "\n".join(lines) + "\n"


def _split(lines: list[Line]) -> SudokuParts:
    """The lines by what they are part of."""
    parts = SudokuParts([], [], {})
    label = "board"
    for line in lines:
        text = line.text.strip()
        if not text.strip("| \t"):
            continue
        if text.lower() in LABELS:
            label = text.lower()
        elif _HEADER.fullmatch(text):
            parts.header.append(line)
        elif label == "board":
            parts.body.append(line)
        else:
            parts.areas.setdefault(label, []).append(line)
    return parts


def _double(body: list[Line]) -> list[Line] | None:
    """The rows of puzzlekit's two grids, below a line such as ``9 9``; None if the text is something else."""
    size = size_of(body[0]) if body else None
    if size is None or size[0] != size[1] or len(body) != 2 * size[0] + 1:
        return None
    return body[1:] if all(len(row.words) == size[0] for row in body[1:]) else None


def _drop_size(body: list[Line]) -> list[Line]:
    """The lines of the board without a first line such as ``9 9``."""
    size = size_of(body[0])
    if size is None or size[0] != size[1] or len(body) < 3:
        return body
    return body[1:] if len(body[1].words) > 2 or size[0] == len(body) - 1 else body


def _drop_rules(body: list[Line]) -> list[Line]:
    """The lines of the board without the rules between its boxes."""
    # Where ``-`` is an empty cell, a line of nothing else is a row.
    dash_is_cell = any("-" in line.text and not _RULE.fullmatch(line.text) for line in body)
    return [
        line for line in body if not _RULE.fullmatch(line.text) or (dash_is_cell and not set(line.text) & set("+="))
    ]


def _looks_like_grid(body: list[Line]) -> bool:
    """Whether there are empty cells and values above 1, in nothing but the characters of a board."""
    size = size_of(body[0]) if body else None
    if size and size[0] != size[1] and size[0] == len(body) - 1:
        return False  # a line with the numbers of rows and columns says that it is not square
    words = " ".join(line.text.strip().split(":")[0] for line in body).replace("|", " ")
    if re.fullmatch(r"[0-9A-Ga-g._*\- ]+", words) is None or not set(words) & set(_BLANKS):
        return False
    if set(words) <= set("0123- ") and "-" in words:
        return False  # the tokens of a Galaxies board: the family has to be told
    if len(body) == 1 or _is_board(body[0], len(body)):
        words = body[0].text.strip().split(":")[0]
        cells = len(words.split()) if " " in words else len(words)
        near_square = abs(cells - round(math.sqrt(cells)) ** 2) < 2
        return cells > 14 and near_square and re.search("[2-9A-Ga-g]", words) is not None
    plain = [line.text.replace("|", " ").strip() for line in body]
    if is_numbered([text.split() if " " in text else list(text) for text in plain]):
        return False
    # Ones alone and one sign for empty cells may be a Takuzu too.
    only_ones = set(words) - {" "} in [{"1", blank} for blank in "._*-"] and default_box(len(body)) is not None
    return len(body) > 1 and (re.search("[2-9]", words) is not None or only_ones)


def _options(parts: SudokuParts) -> tuple[SudokuBoard, list[Line]]:
    """A board without cells that has what the header lines say, and the lines of sums."""
    box = None
    diagonals = False
    sums: list[Line] = []
    for line in parts.header:
        words = line.text.lower().split()
        match = _BOX.fullmatch(line.text.strip())
        fault = ""
        if match and "boxes" in parts.areas:
            fault = "a line 'box' beside a grid 'boxes': keep one of the two"
        elif match:
            box = (int(match[1]), int(match[2]))
        elif words == ["diagonals"]:
            diagonals = True
        elif words[0] == "sums":
            sums.append(line)
            fault = "" if "cages" in parts.areas else "sums without cages: draw them in a grid below a line 'cages'"
        elif words != ["sudoku"]:
            mend = "write 'box ROWSxCOLUMNS' such as box 2x3, or 'diagonals'"
            fault = f"unknown line '{line.text.strip()[:30]}': {mend}"
        if fault:
            raise line.fault(fault, 1)
    return SudokuBoard((), box, diagonals), sums


def _rows(body: list[Line], source: str, optional: bool = False) -> Sequence[Row]:
    """The cells as they are written, row by row; none if that is ``optional``."""
    body = _drop_rules(_drop_size(body)) if body else body
    if not body and optional:
        return []
    if len(body) == 1 or (body and _is_board(body[0], len(body))):
        return _one_line(body)
    chars = [line.letters(" \t|") for line in body]
    words = [tuple(Token(w, k, line) for k, w in enumerate(re.findall(r"[^\s|]+", line.text), 1)) for line in body]
    side = len(body)
    fitting = [sum(len(row) == side for row in rows) for rows in (words, chars)]
    by_words = fitting[0] >= fitting[1] if any(fitting) else min(map(len, words), default=0) > 1
    rows = words if by_words else chars
    check_rows(rows, max(MAX_SIDE, side, *map(len, rows)), source, "such as 53..7....")
    if len(rows[0]) != side:
        fault = f"{side} rows of {len(rows[0])} cells: a sudoku is square; add or remove rows"
        raise body[-1].fault(fault, len(rows[0]))
    if side > MAX_SIDE:
        raise body[MAX_SIDE].fault(f"{side} rows: a board has at most {MAX_SIDE}")
    return rows


def _is_board(line: Line, rows: int) -> bool:
    """Whether a line of a text of so many rows is as long as a whole board."""
    cells = line.text.strip().split(":")[0]
    return len(cells) >= 16 and math.isqrt(len(cells)) ** 2 == len(cells) != rows and not set(cells) & set(" |")


def _one_line(body: list[Line]) -> Sequence[Row]:
    """A whole board in one line."""
    if len(body) > 1 and _is_board(body[1], len(body)):
        raise body[1].fault(f"{len(body)} boards of one line each: give one", 1)
    text = body[0].text.split(":")[0].strip()
    if len(body) > 1:
        fault = f"{len(text)} cells in the first of {len(body)} rows: a sudoku is square; mend its rows"
        raise body[0].fault(fault, len(body) + 1)
    words = text.split()
    tokens = [Token(t, k, body[0]) for k, t in enumerate(words if len(words) > 1 else text, 1)]
    side = math.isqrt(len(tokens))
    if side * side != len(tokens) or side > MAX_SIDE:
        fault = f"{len(tokens)} cells in one line: a board has 16, 36, 64, 81, 144 or 256; mend the line"
        raise body[0].fault(fault, len(tokens))
    return [tokens[k * side : (k + 1) * side] for k in range(side)]


def _value(token: Token, side: int) -> int | None:
    """The value a cell is given, None for an empty one."""
    text = token.text
    if text in _BLANKS:
        return None
    if re.fullmatch("[0-9]{1,3}", text):
        return int(text)
    if re.fullmatch("[A-Za-z]", text) and side > 9:
        return ord(text.upper()) - ord("A") + 10
    mend = f"write a value of 1..{side}{' (A is 10)' if side > 9 else ''}, or . for an empty cell"
    raise token.fault(f"unknown cell {text[:10]!a}: {mend}")


DOUBTS = {
    "cages": "could be a killer sudoku, whose boxes hold each digit once, or a kenken, which has none and is not read"
}
MENDS = {
    "boxes": "write 'regions', with rows of letters, or 'box', such as [2, 3]",
    "sums": "write 'cages', each with its sum and cells",
    "diagonal": "write 'diagonals', true or false",
}
"""What stands in typed boards, and what a JSON object calls it."""


def _json_rows(grid: object, source: str) -> Sequence[Row]:
    """The rows of the field ``grid``; rows are counted in it."""
    if isinstance(grid, list) and grid and all(isinstance(row, list) for row in grid):
        grid = [" ".join(_word(value) for value in row) for row in grid]
    rows: list[object] = [grid] if isinstance(grid, str) else grid if isinstance(grid, list) else [None]
    lines = [Line(k, row.strip(), source) for k, row in enumerate(rows, 1) if isinstance(row, str) and row.strip()]
    if not lines:
        raise InputError("JSON has no field 'grid' with a board: write a string of all its cells", source=source)
    return _rows(lines, source)


def _word(value: object) -> str:
    text = value if isinstance(value, str) else "." if value is None else show_json(value)
    return text.strip().replace(" ", "?") or "."
