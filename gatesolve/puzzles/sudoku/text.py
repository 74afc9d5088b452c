"""Reading and writing Sudokus as text; docs/formats.md has the format, and the ways they are written elsewhere."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from gatesolve.errors import InputError
from gatesolve.files import show_json
from gatesolve.puzzles.base import Draft, cell_places
from gatesolve.puzzles.foreign import Link, game_id_steps, link_of
from gatesolve.puzzles.grid import (
    FREE,
    LETTERS,
    Cell,
    Grid,
    cell_name,
    cells_by_name,
    draw_rooms,
    grid_of_cells,
    grid_text,
    is_numbered,
)
from gatesolve.puzzles.json_text import (
    check_sides,
    json_bool,
    json_cells,
    json_cells_of,
    json_side,
    refuse_fields,
    rows_of_list,
)
from gatesolve.puzzles.lettergrid import grid_of, places_in
from gatesolve.puzzles.reading import Line, Row, Token, check_rows, lines_of, size_of
from gatesolve.puzzles.sudoku.grid import MAX_SIDE, Cage, Cells, Regions, SudokuBoard, default_box, number_boxes

_SOLO = re.compile(r"([0-9]{1,3})(?:x([0-9]{1,3}))?([a-z0-9]*):(\S*)")
LABELS = ("boxes", "cages", "board")
"""Lines above a grid: of the boxes, of the cages, of the given values."""
_SUM = re.compile(r"([A-Za-z0-9_]{1,12})=([0-9]{1,4})")
_HEADER = re.compile(r"(box|diagonals|sudoku|sums)\b.*", re.IGNORECASE)
_BOX = re.compile(r"box\s+([0-9]{1,2})\s*[x ,]\s*([0-9]{1,2})", re.IGNORECASE)
_RULE = re.compile(r"(?=.*[-+=])[-+=|\s]+")
_BLANKS = ".0_*-"
_COMMENTS = (";", "//", "#")
DOUBTS = {
    "cages": "could be a killer sudoku, whose boxes hold each digit once, or a kenken, which has none and is not read"
}
MENDS = {
    "boxes": "write 'regions', with rows of letters, or 'box', such as [2, 3]",
    "sums": "write 'cages', each with its sum and cells",
    "diagonal": "write 'diagonals', true or false",
}
"""What stands in typed boards, and what a JSON object calls it."""


def id_reader(text: str) -> Callable[[Line], SudokuBoard] | None:
    """Return a reader of an sgt Solo game id or a puzz.link address, given its line; None for any other text."""
    if link := link_of(text, "sudoku"):
        return partial(_read_link, link)
    match = _SOLO.fullmatch(text.strip())
    if match is None:
        return None
    # Unruly and Galaxies ids hold letters only, capitals too; those of Tents have commas.
    plain = match[2] and re.search("[0-9]", match[4]) and not re.search("[,A-Z]", match[4])
    return partial(_read_solo, match) if plain or set(match[3]) & {"j", "k"} else None


def _read_solo(match: re.Match[str], line: Line) -> SudokuBoard:
    # Solo counts blocks: C columns of them and R rows, so a block is C rows high and R columns wide.
    height, width = int(match[1]), int(match[2] or 1)
    jigsaw, killer = "j" in match[3], "k" in match[3]
    if jigsaw and width != 1:
        raise line.fault("a jigsaw whose blocks have a shape: write its side alone, such as 9j", match.start(3) + 1)
    side = height * width
    _check_side(side, line)
    offset, number = match.start(4), 1 + jigsaw + 2 * killer
    parts = [(part[1], offset + part.start(1)) for part in re.finditer(r"(?:^|,)([^,]*)", match[4])]
    if len(parts) != number:
        raise line.fault(f"the game id has {len(parts)} parts between commas, not {number}: copy all of it", offset + 1)
    cells = _in_rows(_solo_cells(*parts[0], line), side, "the game id", line)
    regions = number_boxes(_blocks(*parts[1], side, line)) if jigsaw else ()
    cages: tuple[Cage, ...] = ()
    if killer:
        sums = _in_rows(_solo_cells(*parts[-1], line), side, "the game id's list of sums", line)
        blocks = cells_by_name(_blocks(*parts[-2], side, line)).values()
        cages = tuple(_cage(block, sums, line, parts[-1][1] + 1) for block in blocks)
    return SudokuBoard(cells, None if jigsaw else (height, width), "x" in match[3], regions, cages)


def _blocks(description: str, offset: int, side: int, line: Line) -> Grid:
    """Blocks from the borders between cells: those right of cells, row by row, then those below, column by column.

    Letters count the borders without a line before the next one with a line: ``_`` none, ``a``..``y`` 1 to 25; ``z`` is
    25 of them and no line. A last line stands behind the last border.
    """
    inner = side * (side - 1)
    for k, letter in enumerate(description, offset + 1):
        if not (letter == "_" or "a" <= letter <= "z"):
            raise line.fault(f"unknown {letter!a} among the blocks of a game id: they are letters a..z and _", k)
    steps = list(game_id_steps(description, "`"))
    borders = steps[-1][0] - 1 if steps else -1
    if borders != 2 * inner:
        fault = f"the game id tells {borders} borders of its blocks, not {2 * inner}: copy all of it"
        raise line.fault(fault, offset + len(description))
    lines = {at - 1 for at, letter in steps if letter != "z"}
    return draw_rooms(
        (side, side), lambda r, c: r * (side - 1) + c in lines, lambda r, c: inner + c * (side - 1) + r in lines
    )


def _cage(block: Sequence[Cell], sums: Cells, line: Line, column: int) -> Cage:
    """A cage with the sum that stands in its first cell."""
    written = [total for r, c in block if (total := sums[r][c]) is not None]
    if len(written) != 1:
        raise line.fault(f"the cage of {cell_name(block[0])} has {len(written)} sums: copy the id again", column)
    return Cage(written[0], tuple(block))


def _check_side(side: int, line: Line) -> None:
    if not 1 <= side <= MAX_SIDE:
        raise line.fault(f"{side} rows: a board has 1 to {MAX_SIDE}; give another one", 1)


def _solo_cells(description: str, offset: int, line: Line) -> list[int | None]:
    """Cells of a Solo description: numbers are clues, letters runs of 1..26 empty cells, ``_`` parts numbers."""
    cells: list[int | None] = []
    for match in re.finditer(r"[0-9]+|.", description):
        part = match[0]
        if part.isdecimal() and len(part) <= 3:
            cells.append(int(part))
        elif "a" <= part <= "z":
            cells += [None] * (ord(part) - ord("a") + 1)
        elif part != "_":
            fault = f"unknown {part[:10]!a} in a game id: write numbers, letters a..z for runs of empty cells and _"
            raise line.fault(fault, offset + match.start() + 1)
    return cells


def _read_link(link: Link, line: Line) -> SudokuBoard:
    """A puzz.link body: one hex digit a value, ``-hh`` or ``+hhh`` for more, ``g``..``z`` skip 1..20 cells."""
    _check_side(max(link.rows, link.columns), line)
    if link.rows != link.columns:
        raise line.fault(f"a board of {link.columns} columns and {link.rows} rows: a sudoku is square", 1)
    box = default_box(link.rows)
    if box is None:
        raise line.fault(f"{link.rows} rows: no boxes of several rows and columns", 1)
    cells: list[int | None] = []
    for match in re.finditer(r"-([0-9a-f]{2})|\+([0-9a-f]{3})|([0-9a-f])|([g-z])|(\.)|(.)", link.body):
        if match[6]:
            fault = f"unknown {match[6]!a} in an address: write hex digits, letters g..z or ."
            raise line.fault(fault, match.start() + 1)
        if match[4]:
            cells += [None] * (ord(match[4]) - ord("g") + 1)
        else:
            digits = match[1] or match[2] or match[3]
            cells.append(int(digits, 16) if digits else None)
    return SudokuBoard(_in_rows(cells, link.rows, "the address", line), box)


def _in_rows(cells: Sequence[int | None], side: int, where: str, line: Line) -> Cells:
    if len(cells) != side * side:
        raise line.fault(f"{where} has {len(cells)} cells, not {side} x {side} = {side * side}: copy all of it")
    return tuple(tuple(cells[k * side : (k + 1) * side]) for k in range(side))


def regions_of(rows: Sequence[Line], side: int | None, source: str) -> Regions:
    """The boxes that a grid of letters draws; ``side`` is that of the board, if another grid tells it."""
    return number_boxes(_square(rows, (), "a letter for each box", side, source))


def cages_of(rows: Sequence[Line], sums: Sequence[Line], side: int | None, source: str) -> tuple[Cage, ...]:
    """The cages that a grid of letters draws, with their sums from lines such as ``sums A=3 B=11``."""
    totals: dict[str, int] = {}
    names = cells_by_name(_square(rows, (FREE,), "a letter for each cage, . for a cell in none", side, source))
    for token in (token for line in sums for token in line.tokens()[1:]):
        match = _SUM.fullmatch(token.text)
        if match is None:
            raise token.fault(f"{token.text[:20]!a} is no sum: write the cage and its sum, such as A=11")
        if match[1] in totals:
            raise token.fault(f"a second sum of cage {match[1]}: keep one of the two")
        if match[1] not in names:
            raise token.fault(f"a sum of cage {match[1]}, which has no cell: write it into the grid, or remove the sum")
        totals[match[1]] = int(match[2])
    for name, cells in names.items():
        if name not in totals:
            fault = f"cage {name} has no sum: write it in a line such as 'sums {name}=11'"
            raise places_in(rows)[cells[0]].fault(fault)
    return tuple(Cage(totals[name], tuple(cells)) for name, cells in names.items())


def double_grid(rows: Sequence[Line], source: str) -> tuple[list[Line], Regions, tuple[Cage, ...]]:
    """Puzzlekit's two grids below one another: values and boxes, or sums in their cages and cages.

    They become the rows of values, none where there are none, the boxes and the cages.
    """
    side = len(rows) // 2
    upper, lower = list(rows[:side]), list(rows[side:])
    grid = _square(lower, (FREE,), "a number for each box or cage", side, source)
    names = cells_by_name(grid)
    if len(names) == side and all(len(cells) == side for cells in names.values()):
        return upper, number_boxes(grid), ()
    sums = _square(upper, (FREE, "-"), "the sum of a cage in its first cell, - elsewhere", side, source)
    cages = []
    for name, cells in names.items():
        written = [(r, c) for r, c in cells if sums[r][c].isdecimal()]
        if len(written) != 1:
            fault = f"cage {name} has {len(written)} sums: write one, in its first cell"
            raise places_in(upper)[(written or cells)[-1]].fault(fault)
        cages.append(Cage(int(sums[written[0][0]][written[0][1]]), tuple(cells)))
    return [], (), tuple(cages)


def json_areas(data: dict[str, Any], side: int, source: str) -> tuple[Regions, tuple[Cage, ...]]:
    """The fields ``regions`` (rows of letters) and ``cages`` (objects with ``sum`` and 0-based ``cells``)."""
    regions: Regions = ()
    if "regions" in data:
        regions = regions_of(rows_of_list(data["regions"], "regions", source), side, source)
    listed = data.get("cages", [])
    if not isinstance(listed, list) or not all(isinstance(c, dict) and type(c.get("sum")) is int for c in listed):
        fault = 'JSON field \'cages\' is no list of cages: write each as {"sum": 11, "cells": [[0, 0], [0, 1]]}'
        raise InputError(fault, source=source)
    for cage in listed:
        refuse_fields(cage, ("sum", "cells", "color"), source)
    return regions, tuple(Cage(cage["sum"], tuple(json_cells(cage, "cells", (side, side), source))) for cage in listed)


def areas_text(board: SudokuBoard) -> list[str]:
    """The lines of the grid of boxes, of that of cages and of their sums, as far as they are drawn."""
    lines = ["boxes", *grid_text([LETTERS[k] for k in row] for row in board.regions)] if board.regions else []
    if not board.cages:
        return lines
    names = LETTERS if len(board.cages) <= len(LETTERS) else [str(k) for k in range(1, len(board.cages) + 1)]
    at = {cell: name for cage, name in zip(board.cages, names, strict=False) for cell in cage.cells}
    grid = grid_of_cells((len(board.cells),) * 2, lambda cell: at.get(cell, FREE))
    sums = [f"{name}={cage.total}" for cage, name in zip(board.cages, names, strict=False)]
    by_twelve = (" ".join(["sums", *sums[k : k + 12]]) for k in range(0, len(sums), 12))
    return [*lines, "cages", *grid_text(grid), *by_twelve]


def _square(rows: Sequence[Line], allowed: Sequence[str], meant: str, side: int | None, source: str) -> Grid:
    """A grid of names as large as the board."""
    grid = grid_of(rows, source, allowed, meant, letters=True)
    wanted = side or len(grid)
    if (len(grid), len(grid[0])) != (wanted, wanted):
        fault = f"{len(grid)} rows of {len(grid[0])} cells in a grid of a board of {wanted}x{wanted}: make them agree"
        raise rows[-1].fault(fault)
    return grid


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
