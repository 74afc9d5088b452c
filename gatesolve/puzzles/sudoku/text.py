r"""The Sudoku text format, and the ways Sudokus are written elsewhere.

One line a row, a digit for a given value and ``.`` for an empty cell (``0``, ``_``, ``*`` and ``-``
are read as empty, too). ``|``, blanks and lines such as ``---+---`` may part the boxes. Values from
10 up are letters (``A`` is 10), or all cells are parted by blanks and written as decimal numbers.
Above the board a line ``box 2x3`` tells the rows and columns of a box where they are not the
usual ones (2x2, 2x3, 2x4, 3x3, 3x4, 4x4), and a line ``diagonals`` that the long diagonals count.
Lines that start with ``;``, ``//`` or ``#`` are comments; blank lines are skipped.

Below a line ``boxes`` a grid of letters draws boxes of any shape (jigsaw). Below a line ``cages`` one draws
cages (killer), ``.`` being in none; lines such as ``sums A=3 B=11`` say what they add up to. Given values then
stand below a line ``board``, which may be left out where there are none.

Read as well: the whole board in one line (81 characters; what follows a ``:`` is dropped), a line
``9 9`` above the board or above puzzlekit's two grids of a jigsaw or killer, game ids of sgt Solo (``2x3:...``,
``9j:...``, ``3x3k:...``), puzz.link addresses (``sudoku/9/9/...``), and one JSON object
``{"family": "sudoku", "grid": "...", "box": [2, 3]}``, perhaps with ``regions`` and ``cages``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gatesolve.errors import InputError
from gatesolve.puzzles.json_text import json_family, json_object, refuse_fields
from gatesolve.puzzles.lettergrid import Line as AreaLine
from gatesolve.puzzles.lettergrid import json_side
from gatesolve.puzzles.sudoku.areas import (
    LABELS,
    Places,
    cages_of,
    cages_text,
    double_grid,
    json_areas,
    places_of,
    regions_of,
    regions_text,
)
from gatesolve.puzzles.sudoku.grid import MAX_SIDE, Board, Cells, default_box, first_fault
from gatesolve.puzzles.sudoku.ids import is_id, read_id

_HEADER = re.compile(r"(box|diagonals|sudoku|sums)\b.*", re.IGNORECASE)
_BOX = re.compile(r"box\s+([0-9]{1,2})\s*[x ,]\s*([0-9]{1,2})", re.IGNORECASE)
_SIZE = re.compile(r"([0-9]{1,2})\s+([0-9]{1,2})")
_RULE = re.compile(r"(?=.*[-+=])[-+=|\s]+")
_BLANKS = ".0_*-"


@dataclass(frozen=True)
class Token:
    """One cell as it is written, and its column in the file: the character, or the number of the word."""

    text: str
    column: int


@dataclass(frozen=True)
class Line:
    """A line that is neither blank nor a comment: its 1-based number in the file, its text and what stands before."""

    number: int
    text: str
    indent: int = 0


def recognises(text: str) -> bool:
    """Whether the text looks like a Sudoku: JSON, a game id, a line ``box``, ``boxes`` or ``cages``, or digits."""
    if text.lstrip().startswith("{"):
        return json_family(text) == "sudoku"
    if is_id(text):
        return True
    parts = _split(_lines(text))
    if parts.areas or any(line.text.lower().startswith(("box", "sudoku")) for line in parts.header):
        return True
    return bool(parts.body) and (
        _double(parts.body) is not None or _looks_like_grid(_without_rules(_without_size(parts.body)))
    )


def parse_text(text: str, source: str) -> Board:
    """All that the text gives.

    Raises:
        InputError: with the line and the column where the fault is.
    """
    if text.lstrip().startswith("{"):
        return _from_json(text, source)
    if is_id(text):
        board = read_id(text, source)
        line: Places = [[(1, None)] * len(board.cells)] * len(board.cells)
        return _checked(board, dict.fromkeys(("board", "boxes", "cages"), line), source)
    parts = _split(_lines(text))
    draft, sums = _options(parts, source)
    double = None if parts.areas else _double(parts.body)
    if double:
        upper, regions, cages = double_grid(double, source)
        rows, numbers = _rows([Line(line.number, line.text.strip()) for line in upper or ()], source, upper is None)
        places = {"boxes": places_of(double[len(double) // 2 :])}
        return _finished(draft._replace(regions=regions, cages=cages), rows, numbers, len(double) // 2, places, source)
    rows, numbers = _rows(parts.body, source, bool(parts.areas))
    side = len(rows) or None
    places = {label: places_of(area) for label, area in parts.areas.items()}
    if "boxes" in parts.areas:
        draft = draft._replace(regions=regions_of(parts.areas["boxes"], side, source))
        side = side or len(draft.regions)
    if "cages" in parts.areas:
        draft = draft._replace(cages=cages_of(parts.areas["cages"], sums, side, source))
        side = side or len(places["cages"])
    return _finished(draft, rows, numbers, side or 0, places, source)


def format_text(board: Board, values: Sequence[Sequence[int | None]]) -> str:
    """The header lines, the grids of boxes and cages, and the values, plain boxes parted by ``|`` and rules."""
    side = len(values)
    lines = ["diagonals"] * board.diagonals
    lines += regions_text(board.regions) if board.box is None else [f"box {board.box[0]}x{board.box[1]}"]
    lines += cages_text(board.cages, side) if board.cages else []
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


def _lines(text: str) -> list[Line]:
    """The lines that say something."""
    numbered = enumerate(text.split("\n"), 1)
    lines = [Line(number, line.strip(), len(line) - len(line.lstrip())) for number, line in numbered]
    return [line for line in lines if line.text and not line.text.startswith((";", "//", "#"))]


class Parts(NamedTuple):
    """Header lines, the rows of values, and the rows of the grids ``boxes`` and ``cages``."""

    header: list[Line]
    body: list[Line]
    areas: dict[str, list[AreaLine]]


def _split(lines: list[Line]) -> Parts:
    """The lines by what they are part of."""
    parts = Parts([], [], {})
    label = "board"
    for line in lines:
        if line.text.lower() in LABELS:
            label = line.text.lower()
        elif _HEADER.fullmatch(line.text):
            parts.header.append(line)
        elif label == "board":
            parts.body.append(line)
        else:
            parts.areas.setdefault(label, []).append(AreaLine(line.number, " " * line.indent + line.text))
    return parts


def _double(body: list[Line]) -> list[AreaLine] | None:
    """The rows of puzzlekit's two grids, below a line such as ``9 9``; None if the text is something else."""
    match = _SIZE.fullmatch(body[0].text) if body else None
    if match is None or match[1] != match[2] or len(body) != 2 * int(match[1]) + 1:
        return None
    rows = [AreaLine(line.number, line.text) for line in body[1:]]
    return rows if all(len(row.words) == int(match[1]) for row in rows) else None


def _without_size(body: list[Line]) -> list[Line]:
    """The lines of the board without a first line such as ``9 9``."""
    match = _SIZE.fullmatch(body[0].text)
    if match is None or match[1] != match[2] or len(body) < 3:
        return body
    told = len(body[1].text.split()) > 2 or int(match[1]) == len(body) - 1
    return body[1:] if told else body


def _without_rules(body: list[Line]) -> list[Line]:
    """The lines of the board without the rules between its boxes."""
    # Where ``-`` is an empty cell, a line of nothing else is a row.
    dash_is_cell = any("-" in line.text and not _RULE.fullmatch(line.text) for line in body)
    return [
        line for line in body if not _RULE.fullmatch(line.text) or (dash_is_cell and not set(line.text) & set("+="))
    ]


def _looks_like_grid(body: list[Line]) -> bool:
    """Whether there are empty cells and values above 1, in nothing but the characters of a board."""
    size = _SIZE.fullmatch(body[0].text) if body else None
    if size and size[1] != size[2] and int(size[1]) == len(body) - 1:
        return False  # a line with the numbers of rows and columns says that it is not square
    words = " ".join(line.text.split(":")[0] for line in body).replace("|", " ")
    if re.fullmatch(r"[0-9A-Ga-g._*\- ]+", words) is None or not set(words) & set(_BLANKS):
        return False
    if set(words) <= set("0123- ") and "-" in words:
        return False  # the tokens of a Galaxies board: the family has to be told
    if len(body) == 1 or _is_board(body[0].text, len(body)):
        words = body[0].text.split(":")[0]
        cells = len(words.split()) if " " in words else len(words)
        near_square = abs(cells - round(math.sqrt(cells)) ** 2) < 2
        return cells > 14 and near_square and re.search("[2-9A-Ga-g]", words) is not None
    if "0" in words and sum(map(_repeats, body)) * 2 >= len(body):
        return False  # numbered regions
    return len(body) > 2 and re.search("[2-9]", words) is not None


def _repeats(line: Line) -> bool:
    """Whether a value occurs twice in a row, as it does in most rows of numbered regions."""
    found = re.findall(r"[1-9][0-9]*" if " " in line.text else "[1-9]", line.text)
    return len(set(found)) < len(found)


def _options(parts: Parts, source: str) -> tuple[Board, list[AreaLine]]:
    """What the header lines say: the box shape if told and whether diagonals count, of a board without cells; sums."""
    box = None
    diagonals = False
    sums: list[AreaLine] = []
    for line in parts.header:
        words = line.text.lower().split()
        match = _BOX.fullmatch(line.text)
        fault = ""
        if match and "boxes" in parts.areas:
            fault = "a line 'box' beside a grid 'boxes': keep one of the two"
        elif match:
            box = (int(match[1]), int(match[2]))
        elif words == ["diagonals"]:
            diagonals = True
        elif words[0] == "sums":
            sums.append(AreaLine(line.number, line.text))
            fault = "" if "cages" in parts.areas else "sums without cages: draw them in a grid below a line 'cages'"
        elif words != ["sudoku"]:
            fault = f"unknown line '{line.text[:30]}': write 'box ROWSxCOLUMNS' such as box 2x3, or 'diagonals'"
        if fault:
            raise InputError(fault, source=source, row=line.number, column=1)
    return Board((), box, diagonals), sums


def _rows(body: list[Line], source: str, optional: bool = False) -> tuple[list[list[Token]], list[int]]:
    """The cells as they are written, row by row, and the number of the line of each row; none if ``optional``."""
    body = _without_rules(_without_size(body)) if body else body
    if not body and optional:
        return [], []
    if not body:
        raise InputError("no board: write its rows, such as 53..7....", source=source)
    if len(body) == 1 or _is_board(body[0].text, len(body)):
        return _one_line(body, source)
    chars = [[Token(t, line.indent + k) for k, t in enumerate(line.text, 1) if t not in " \t|"] for line in body]
    words = [[Token(m[0], k) for k, m in enumerate(re.finditer(r"[^\s|]+", line.text), 1)] for line in body]
    side = len(body)
    fitting = [sum(len(row) == side for row in rows) for rows in (words, chars)]
    by_words = fitting[0] >= fitting[1] if any(fitting) else min(map(len, words)) > 1
    rows, numbers = (words if by_words else chars), [line.number for line in body]
    _check_shape(rows, numbers, source)
    return rows, numbers


def _is_board(line: str, rows: int) -> bool:
    """Whether a line of a text of so many rows is as long as a whole board."""
    cells = line.split(":")[0]
    return len(cells) >= 16 and math.isqrt(len(cells)) ** 2 == len(cells) != rows and not set(cells) & set(" |")


def _one_line(body: list[Line], source: str) -> tuple[list[list[Token]], list[int]]:
    """A whole board in one line."""
    if len(body) > 1 and _is_board(body[1].text, len(body)):
        fault = f"{len(body)} boards of one line each: give one"
        raise InputError(fault, source=source, row=body[1].number, column=1)
    if len(body) > 1:
        fault = f"{len(body[0].text)} cells in the first of {len(body)} rows: a sudoku is square; mend its rows"
        raise InputError(fault, source=source, row=body[0].number, column=len(body) + 1)
    text = body[0].text.split(":")[0].strip()
    words = text.split()
    tokens = [Token(t, k) for k, t in enumerate(words if len(words) > 1 else text, 1)]
    side = math.isqrt(len(tokens))
    if side * side != len(tokens) or side > MAX_SIDE:
        fault = f"{len(tokens)} cells in one line: a board has 16, 36, 64, 81, 144 or 256; mend the line"
        raise InputError(fault, source=source, row=body[0].number, column=len(tokens))
    return [tokens[k * side : (k + 1) * side] for k in range(side)], [body[0].number] * side


def _finished(
    draft: Board, rows: list[list[Token]], numbers: list[int], side: int, places: dict[str, Places], source: str
) -> Board:
    """The draft with its cells, boxes of the usual shape where none are told, once all is known to be right."""
    box = None if draft.regions else draft.box or default_box(side)
    if box is None and not draft.regions:
        fault = f"{side} rows: no boxes of several rows and columns; use 4, 6, 8, 9, 10, 12, ... rows or a line 'box'"
        raise InputError(fault, source=source, row=numbers[-1] if numbers else None)
    cells: Cells = tuple(
        tuple(_value(token, side, number, source) for token in row) for row, number in zip(rows, numbers, strict=True)
    )
    places = {**places, "board": [[(n, t.column) for t in row] for row, n in zip(rows, numbers, strict=True)]}
    return _checked(draft._replace(cells=cells or ((None,) * side,) * side, box=box), places, source)


def _check_shape(rows: list[list[Token]], numbers: list[int], source: str) -> None:
    """Raise unless the rows form a square of a size that is read."""
    if not rows:
        raise InputError("no board: write its rows, such as 53..7....", source=source)
    width = len(rows[0])
    for row, number in zip(rows, numbers, strict=True):
        if len(row) != width:
            mend = "add the missing cells" if len(row) < width else "remove the extra cells"
            fault = f"{len(row)} cells here but {width} in the board's first row: {mend}"
            raise InputError(fault, source=source, row=number, column=min(len(row), width) + 1)
    if width != len(rows):
        fault = f"{len(rows)} rows of {width} cells: a sudoku is square; add or remove rows"
        raise InputError(fault, source=source, row=numbers[-1], column=width)
    if width > MAX_SIDE:
        raise InputError(f"{width} rows: a board has at most {MAX_SIDE}", source=source, row=numbers[MAX_SIDE])


def _value(token: Token, side: int, number: int, source: str) -> int | None:
    """The value a cell is given, None for an empty one."""
    text = token.text
    if text in _BLANKS:
        return None
    if re.fullmatch("[0-9]{1,3}", text):
        return int(text)
    if re.fullmatch("[A-Za-z]", text) and side > 9:
        return ord(text.upper()) - ord("A") + 10
    shown = ascii(text[:10])
    mend = f"write a value of 1..{side}{' (A is 10)' if side > 9 else ''}, or . for an empty cell"
    raise InputError(f"unknown cell {shown}: {mend}", source=source, row=number, column=token.column)


def _checked(board: Board, places: dict[str, Places], source: str) -> Board:
    """The board, unless it has a fault; told by its place in the file, or on the board where the file has none."""
    fault = first_fault(board)
    if fault:
        table = places.get(fault.part)
        row, column = table[fault.row][fault.column] if table else (fault.row + 1, fault.column + 1)
        raise InputError(fault.message, source=source, row=row, column=column)
    return board


_MENDS = {
    "boxes": "write 'regions', with rows of letters, or 'box', such as [2, 3]",
    "board": "write 'grid'",
    "sums": "write 'cages', each with its sum and cells",
    "diagonal": "write 'diagonals', true or false",
}
"""What stands in typed boards, and what a JSON object calls it."""


def _from_json(text: str, source: str) -> Board:
    """The board of a JSON object; its ``grid`` is a string, a list of strings or of lists of numbers."""
    data = json_object(text, source, "sudoku")
    refuse_fields(data, _MENDS, source)
    grid, box = data.get("grid"), data.get("box")
    if box is not None and not (isinstance(box, list) and len(box) == 2 and all(type(n) is int for n in box)):
        raise InputError("JSON field 'box' is not a pair of integers: write it as [2, 3]", source=source)
    if box is not None and "regions" in data:
        raise InputError("JSON fields 'box' and 'regions' both tell the boxes: keep one of the two", source=source)
    diagonals = data.get("diagonals", False)
    if not isinstance(diagonals, bool):
        raise InputError("JSON field 'diagonals' is neither true nor false: write one of them", source=source)
    rows, numbers = _json_rows(grid, source) if grid is not None or "size" not in data else ([], [])
    side = len(rows) or json_side(data, "size", source)
    draft = Board((), None if box is None else (box[0], box[1]), diagonals, *json_areas(data, side, source))
    return _finished(draft, rows, numbers, side, {}, source)


def _json_rows(grid: object, source: str) -> tuple[list[list[Token]], list[int]]:
    """The rows of the field ``grid``; rows are counted in it."""
    if isinstance(grid, list) and grid and all(isinstance(row, list) for row in grid):
        grid = [" ".join(_word(value) for value in row) for row in grid]
    rows: Iterable[object] = [grid] if isinstance(grid, str) else grid if isinstance(grid, list) else [None]
    lines = [Line(number, row.strip()) for number, row in enumerate(rows, 1) if isinstance(row, str) and row.strip()]
    if not lines:
        raise InputError("JSON has no field 'grid' with a board: write a string of all its cells", source=source)
    return _rows(lines, source)


def _word(value: object) -> str:
    return "." if value is None else str(value).strip().replace(" ", "?") or "."
