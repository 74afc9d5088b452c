"""The Star Battle text formats.

A person types a line ``stars 2`` and the board, one letter a cell, the same letter for the cells of
a region::

    stars 1
    AABB
    ABBB
    CCDD
    CDDD

``@`` is a cell outside the board, ``#`` a cell in no region that holds no star, ``.`` a cell in no
region that may hold one. As many regions as rows are asked for, unless a line ``unsolvable`` says
that the board is meant to have no solution. Rows of numbers apart by blanks or commas are read too, and one list of
n*n numbers. Below a line ``board`` the stars that are given stand as ``*`` in a second grid.
``;`` and ``//`` begin a comment line.

Also read: the header ``ROWS COLUMNS STARS`` of puzzlekit and janko, codes (see
`gatesolve.puzzles.starbattle.codes`), and JSON objects
``{"family": "starbattle", "size": 4, "stars": 1, "regions": ["AABB", ...]}``
(with ``"n_solutions": 0`` for the line ``unsolvable``).
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from gatesolve.errors import InputError
from gatesolve.puzzles.json_text import json_family, json_object
from gatesolve.puzzles.lettergrid import (
    BLOCKED,
    FREE,
    OUTSIDE,
    Cell,
    Grid,
    Line,
    checked,
    file_place,
    grid_of,
    grid_text,
    json_cells,
    lines_of,
    named_by_letters,
    rows_of_list,
    sections,
)
from gatesolve.puzzles.starbattle.codes import is_code, parse_code
from gatesolve.puzzles.starbattle.rules import first_fault

STAR = "*"
Board = tuple[Grid, int, tuple[Cell, ...]]
"""Regions, stars in each, and the cells of given stars."""

_KEYWORDS = ("stars", "regions", "board")
_TRIPLE = re.compile(r"\s*(\d+)\s+(\d+)\s+(\d+)\s*")
_MEANT = "a letter for a region, # for a cell without a star, @ for one outside the board"


def recognises(text: str) -> bool:
    """Whether the text looks like a Star Battle: JSON that says so, a code, a line ``stars``, or a puzzlekit header."""
    if text.lstrip().startswith("{"):
        return json_family(text) == "starbattle"
    lines = lines_of(text)
    if any(line.keyword == "stars" for line in lines) or (len(lines) == 1 and is_code(lines[0].text)):
        return True
    triple = _TRIPLE.fullmatch(lines[0].text) if lines else None
    # three numbers above as many rows as the first says, each of as many tokens as the second
    return triple is not None and [len(line.words) for line in lines[1:]] == [int(triple[2])] * int(triple[1])


def parse_text(text: str, source: str) -> Board:
    """The board that a text in any of the formats describes.

    Raises:
        InputError: with the line and the column where the fault is.
    """
    lines = lines_of(text)
    rows: Sequence[Line] = lines
    marks: Sequence[Line] = ()
    placed: tuple[Cell, ...] = ()
    triple = _TRIPLE.fullmatch(lines[0].text) if len(lines) > 1 else None
    if len(lines) == 1 and is_code(lines[0].text):
        regions, stars = parse_code(lines[0].text, source)
    else:
        if text.lstrip().startswith("{"):
            rows, stars, placed = _from_json(text, source)
        elif triple:
            rows, stars = _below_triple(lines, triple, source), int(triple[3])
        else:
            rows, stars, placed, marks = _typed(text, source)
        regions = checked(grid_of(rows, source), rows, (FREE, BLOCKED, OUTSIDE), _MEANT, source, letters=True)
        regions = named_by_letters(regions)
    fault = first_fault(regions, stars, ())
    if fault is None and placed:
        fault, rows = first_fault(regions, stars, placed), marks or rows
    if fault:
        line, column = file_place(rows, fault.position)
        raise InputError(fault.message, source=source, row=line, column=column)
    return regions, stars, placed


def format_text(regions: Grid, stars: int, placed: Sequence[Cell]) -> str:
    """The board as a person would type it."""
    lines = [f"stars {stars}", *grid_text(regions)]
    if placed:
        at = set(placed)
        marks = (tuple(STAR if (r, c) in at else FREE for c in range(len(row))) for r, row in enumerate(regions))
        lines += ["board", *grid_text(marks)]
    return "\n".join(lines) + "\n"


def _from_json(text: str, source: str) -> tuple[Sequence[Line], int, tuple[Cell, ...]]:
    data = json_object(text, source)
    if data.get("family", "starbattle") != "starbattle":
        fault = f"JSON of family {str(data['family'])[:20]!r}, read as starbattle: name its family"
        raise InputError(fault, source=source)
    rows = rows_of_list(data.get("regions"), "regions", source)
    stars = data.get("stars", 1)
    if type(stars) is not int:
        raise InputError("JSON field 'stars' is not a number: write how many stars a row holds", source=source)
    size = (len(rows), len(rows[0].cells()) if rows else 0)
    if data.get("size", size[0]) != size[0]:
        fault = f"JSON field 'size' is {str(data['size'])[:20]} but 'regions' has {size[0]} rows: make them agree"
        raise InputError(fault, source=source)
    return rows, stars, tuple(sorted(set(json_cells(data, "fixed", size, source))))


def _below_triple(lines: Sequence[Line], triple: re.Match[str], source: str) -> Sequence[Line]:
    height, width = int(triple[1]), int(triple[2])
    if len(lines) - 1 != height or any(len(line.cells()) != width for line in lines[1:]):
        wrong = next((line for line in lines[1:] if len(line.cells()) != width), lines[-1])
        fault = f"the first line says {height} rows of {width} cells but the board has others: make them agree"
        raise InputError(fault, source=source, row=wrong.number, column=1)
    return lines[1:]


def _typed(text: str, source: str) -> tuple[Sequence[Line], int, tuple[Cell, ...], Sequence[Line]]:
    """The rows of regions, the stars (1 if no line says them), and the given stars with the rows they stand in."""
    parts = sections(text, _KEYWORDS, ("regions", "board"), source)
    if "" in parts.blocks and "regions" in parts.blocks:
        line = parts.blocks[""][0]
        raise InputError("two grids of regions: keep one of them", source=source, row=line.number, column=1)
    rows = _squared(parts.blocks.get("regions") or parts.blocks.get("", ()), source)
    header = parts.single("stars", source)
    marks = parts.blocks.get("board", ())
    stars = 1 if header is None else _stars(header, source)
    return rows, stars, _placed(marks, rows, source) if marks else (), marks


def _squared(rows: Sequence[Line], source: str) -> Sequence[Line]:
    """The rows; one list of n*n numbers is cut into n of them."""
    if len(rows) != 1 or "," not in rows[0].text:
        return rows
    tokens = [token for _, token in rows[0].cells()]
    side = math.isqrt(len(tokens))
    if side * side != len(tokens):
        fault = f"a list of {len(tokens)} cells is not the n*n cells of a board: copy it again in full"
        raise InputError(fault, source=source, row=rows[0].number, column=len(tokens))
    return [Line(rows[0].number, ",".join(tokens[k * side : (k + 1) * side]) + ",") for k in range(side)]


def _stars(header: Line, source: str) -> int:
    match = re.fullmatch(r"\s*stars\s*[:=]?\s*(\d{1,2})\s*", header.text)
    if match is None:
        raise InputError("write the number of stars as 'stars 2'", source=source, row=header.number, column=1)
    return int(match[1])


def _placed(marks: Sequence[Line], rows: Sequence[Line], source: str) -> tuple[Cell, ...]:
    """The given stars of a grid below ``board``."""
    allowed = (STAR, FREE, BLOCKED, OUTSIDE)
    grid = checked(grid_of(marks, source), marks, allowed, "* for a given star, . for none", source)
    if (len(grid), len(grid[0])) != (len(rows), len(rows[0].cells()) if rows else 0):
        fault = "the grid below 'board' has another size than the regions: give it a row and a column for each"
        raise InputError(fault, source=source, row=marks[0].number, column=1)
    return tuple((r, c) for r, row in enumerate(grid) for c, token in enumerate(row) if token == STAR)
