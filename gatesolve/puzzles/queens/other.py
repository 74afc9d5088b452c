"""Queens boards in other people's formats, JSON and CSPLib's ``.param``; docs/formats.md lists them."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from gatesolve.errors import InputError
from gatesolve.puzzles.base import Draft
from gatesolve.puzzles.grid import (
    BLOCKED,
    CLOSED,
    FREE,
    NO_REGION,
    Cell,
    Grid,
    areas,
    by_cell,
    cells_by_name,
    is_numbered,
    name_by_letters,
)
from gatesolve.puzzles.json_text import (
    check_sides,
    json_cells,
    json_cells_of,
    json_side,
    refuse_fields,
    rows_of_list,
)
from gatesolve.puzzles.lettergrid import MAX_SIDE, grid_of, places_in
from gatesolve.puzzles.queens.board import ONE, QUEEN, QueensBoard
from gatesolve.puzzles.reading import Line

_REGION_FIELDS = ("regions", "colorRegions", "board")
JSON_FIELDS = (*_REGION_FIELDS, "size", "fixed", "blocked", "diags", "stars", "regionColors")
"""Fields of a JSON object; the last one has colours for a screen."""
MENDS = dict.fromkeys(
    ("torus", "cylinder", "reach", "slopes", "attack", "region", "columns"),
    "write the board as text, which has such a line",
)
"""What stands in typed boards, and what to do about it in a JSON object."""
_LISTS = ("diags", "blocks", "init")
_NAME = r"^[^\S\n]*(?:letting\s+)?{}\s*(?:=|\bbe\b)"
_PARAM = re.compile(_NAME.format("(diags|blocks|init)"), re.MULTILINE)


def is_param(text: str) -> bool:
    """Whether the text is a ``.param`` file of CSPLib 079 or 080."""
    return _PARAM.search(text) is not None


def recognises_json(data: Mapping[str, Any]) -> bool:
    """Whether a JSON object has regions, or a side with cells that are given or blocked.

    The field ``board`` has to hold as many regions as rows, each in one piece, or numbers side by side.
    """
    if data.get("stars", 1) != 1:
        return False
    if "board" in data:
        rows = json_cells_of(data["board"])
        cells = by_cell(rows)
        pieces = areas(cells, lambda a, b: cells[a] == cells[b])
        is_whole = len(pieces) == len(rows) == len(set(cells.values()))
        return bool(rows) and FREE not in cells.values() and (is_whole or is_numbered(rows))
    has_regions = isinstance(data.get("regions"), list) or "colorRegions" in data
    return has_regions or any(field in data for field in ("fixed", "blocked", "diags"))


def read_param(text: str, source: str) -> QueensBoard:
    """The board of a ``.param`` file."""
    side = _read_letting(text, "n", source)
    if not re.fullmatch(r"\d{1,4}", side) or not 1 <= int(side) <= MAX_SIDE:
        fault = f"a board of side {side[:20]}: write 'letting n = 8' with a side of 1..{MAX_SIDE}"
        raise InputError(fault, source=source, row=_line_of(text, "n"))
    n = int(side)
    cells: dict[str, Collection[Cell]] = {}
    for name in _LISTS:
        line = _line_of(text, name)
        if line is None:
            continue
        pairs = _pairs(_read_letting(text, name, source))
        if pairs is None:
            raise InputError(f"'{name}' is no list of pairs: write it as [[3,0],[7,1]]", source=source, row=line)
        if name == "diags":
            cells[name] = _on_diagonals(pairs[: _count_diagonals(text, len(pairs), source)], n, source, line)
        else:
            cells[name] = _inside(pairs, name, n, source, line)
    return _plain((n, n), cells.get("init", ()), {*cells.get("diags", ()), *cells.get("blocks", ())})


def _count_diagonals(text: str, listed: int, source: str) -> int:
    """How many of the diagonals count: the first ``numdiags``, which is all of them where it is not told."""
    line = _line_of(text, "numdiags")
    told = str(listed) if line is None else _read_letting(text, "numdiags", source)
    if not re.fullmatch(r"\d{1,4}", told) or int(told) > listed:
        fault = f"numdiags is {told[:20]} but 'diags' has {listed} pairs: write at most as many as there are"
        raise InputError(fault, source=source, row=line)
    return int(told)


def _inside(pairs: Iterable[tuple[int, int]], name: str, n: int, source: str, line: int) -> list[Cell]:
    """Cells of the board, 0-based; blocks are counted from 1 and given queens from 0."""
    first = 1 if name == "blocks" else 0
    for r, c in pairs:
        if not (first <= r < n + first and first <= c < n + first):
            what = "block" if name == "blocks" else "queen"
            fault = f"{what} [{r},{c}] is outside the board: write rows and columns of {first}..{n + first - 1}"
            raise InputError(fault, source=source, row=line)
    return [(r - first, c - first) for r, c in pairs]


def draft_of_json(data: dict[str, Any], source: str) -> Draft:
    """The board of a JSON object."""
    if data.get("stars", 1) != 1:
        raise InputError("JSON of several stars a row is a Star Battle: write its family as starbattle", source=source)
    rows = _region_rows(data, source)
    size = (len(rows), len(grid_of(rows, source)[0])) if rows else (json_side(data, "size", MAX_SIDE, source),) * 2
    check_sides(data, size, source)
    queens = json_cells(data, "fixed", size, source)
    blocked = set(json_cells(data, "blocked", size, source))
    if "diags" in data:
        pairs = _pairs(json.dumps(data["diags"]))
        if pairs is None:
            raise InputError("JSON field 'diags' is not a list of [number, type] pairs", source=source)
        blocked |= _on_diagonals(pairs, size[0], source, None)
    plain = _plain(size, queens, blocked)
    if not rows:
        return Draft(tuple(vars(plain).values()))
    regions = read_regions(rows, source)
    colours, marks = split_marks(regions, tuple(tuple(row) for row in plain.marks))
    counts = (ONE,) * len(cells_by_name(colours))
    board = QueensBoard(marks, plain.rows, plain.columns, colours, counts, reach=((1,),))
    return Draft(tuple(vars(board).values()), places_in(rows))


def read_regions(rows: Sequence[Line], source: str) -> Grid:
    """A grid of regions, with marks where no queen stands."""
    meant = "a letter for a region, . for no region, # for a cell without a queen, @ for one outside the board"
    return grid_of(rows, source, NO_REGION, meant, letters=True)


def split_marks(regions: Grid, board: Grid = ()) -> tuple[Grid, tuple[str, ...]]:
    """The names of regions alone, and the marks of both grids together."""
    marks = tuple(
        "".join(
            board[r][c] if board and board[r][c] != FREE else token if token in CLOSED else FREE
            for c, token in enumerate(row)
        )
        for r, row in enumerate(regions)
    )
    names = tuple(tuple(FREE if token in CLOSED else token for token in row) for row in regions)
    return name_by_letters(names), marks


def _region_rows(data: Mapping[str, Any], source: str) -> list[Line]:
    """The rows of regions, in whichever field they are; none for N-queens."""
    told = [field for field in _REGION_FIELDS if field in data]
    if len(told) > 1:
        raise InputError(f"JSON fields '{told[0]}' and '{told[1]}' both have regions: keep one", source=source)
    regions = data.get("regions")
    if isinstance(regions, list) and regions and all(isinstance(region, dict) for region in regions):
        side = json_side(data, "size", MAX_SIDE, source)
        names: dict[Cell, int] = {}
        for k, region in enumerate(regions):
            refuse_fields(region, ("cells", "color"), source)
            names.update(dict.fromkeys(json_cells(region, "cells", (side, side), source), k))
        missing = [(r, c) for r in range(side) for c in range(side) if (r, c) not in names]
        if missing:
            fault = f"cell {list(missing[0])} is in no region: add it to one of 'regions'"
            raise InputError(fault, source=source, row=missing[0][0] + 1, column=missing[0][1] + 1)
        return [Line(r + 1, " ".join(str(names[r, c]) for c in range(side)), source) for r in range(side)]
    return rows_of_list(data[told[0]], told[0], source) if told else []


def _plain(size: tuple[int, int], queens: Iterable[Cell], blocked: Collection[Cell]) -> QueensBoard:
    """The N-queens board with some queens given and some cells blocked."""
    marks = dict.fromkeys(blocked, BLOCKED) | dict.fromkeys(queens, QUEEN)
    rows = tuple("".join(marks.get((r, c), FREE) for c in range(size[1])) for r in range(size[0]))
    return QueensBoard(rows, (ONE,) * size[0], (ONE,) * size[1])


def _on_diagonals(pairs: Iterable[tuple[int, int]], n: int, source: str, line: int | None) -> set[Cell]:
    """The cells on excluded diagonals."""
    cells: set[Cell] = set()
    for number, kind in pairs:
        if kind not in (0, 1) or not 0 <= number <= 2 * n - 2:
            fault = f"diagonal [{number},{kind}]: write a number of 0..{2 * n - 2} and a type, 0 or 1"
            raise InputError(fault, source=source, row=line)
        # A type 1 keeps the sum of row and column, a type 0 their difference.
        rows = ((r, number - r if kind else r + n - 1 - number) for r in range(n))
        cells |= {(r, c) for r, c in rows if 0 <= c < n}
    return cells


def _read_letting(text: str, name: str, source: str) -> str:
    """Return the value of a line ``letting name = ...`` or ``name = ...``, up to the next one."""
    end = _NAME.format(r"\w+")
    match = re.search(rf"{_NAME.format(name)}\s*(.*?)(?={end}|\Z)", text, re.MULTILINE | re.DOTALL)
    if match is None:
        raise InputError(f"no line 'letting {name} = ...': add it", source=source, row=_line_of(text, name))
    return re.sub(r"\$[^\n]*", "", match[1]).strip()


def _line_of(text: str, name: str) -> int | None:
    """The line of the file where ``name`` is told, with or without ``letting``."""
    match = re.search(rf"^[^\S\n]*(?:letting\s+)?{name}\b", text, re.MULTILINE)
    return None if match is None else text.count("\n", 0, match.start()) + 1


def _pairs(text: str) -> list[tuple[int, int]] | None:
    """A list of pairs of integers, or None if the text is something else."""
    if not re.fullmatch(r"\s*\[(\s*\[\s*-?\d{1,4}\s*,\s*-?\d{1,4}\s*\]\s*,?)*\s*\]\s*", text):
        return None
    return [(int(a), int(b)) for a, b in re.findall(r"(-?\d+)\s*,\s*(-?\d+)", text)]
