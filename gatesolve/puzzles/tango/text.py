"""Reading Tangos as text; docs/formats.md has the format, and the ways they are written elsewhere."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from gatesolve.errors import InputError
from gatesolve.files import show_json
from gatesolve.puzzles.base import Draft
from gatesolve.puzzles.emoji import MOONS, SUNS
from gatesolve.puzzles.json_text import json_bool, json_cells_of, refuse_fields
from gatesolve.puzzles.reading import Line, lines_of
from gatesolve.puzzles.takuzu.board import MAX_SIDE
from gatesolve.puzzles.takuzu.text import COMMENTS, EMPTY, KEYWORDS, draft_of, is_sign, json_lines, sign_line, tokens_in

SYMBOLS = "SM"
"""What a sun (0) and a moon (1) are written as."""

_GRID_FIELDS = ("grid", "signs", "rows", "cols", "unique_lines")
_PIECE_FIELDS = ("symbols", "walls", "prefilled", "constraints", "size")
JSON_FIELDS = (*_GRID_FIELDS, *_PIECE_FIELDS)

_SIDE = 6
_CELLS: dict[str, int | None] = {**dict.fromkeys("Ss0🟡🟠" + SUNS, 0), **dict.fromkeys("Mm1🔵" + MOONS, 1), **EMPTY}
_HEAD = re.compile(r"\s*tango(?:\s+([0-9]{1,3})\s*x\s*([0-9]{1,3}))?\s*", re.IGNORECASE)


def recognises(text: str) -> bool:
    """Whether the text looks like a Tango: a line ``tango``, suns and moons, or signs alone."""
    lines = lines_of(text, "", COMMENTS)
    words = {line.word for line in lines}
    if "tango" in words:
        return True
    if not lines or words & set(KEYWORDS):
        return False
    cells = tokens_in([line for line in lines if not is_sign(line)])
    return cells <= set(_CELLS) - set("01") and bool(not cells or (cells & set(EMPTY) and cells - set(EMPTY)))


def recognises_json(data: Mapping[str, Any]) -> bool:
    """Whether a JSON object has the fields of other programs, or a board of suns and moons."""
    if "grid" not in data:
        return any(pair <= data.keys() for pair in ({"symbols", "walls"}, {"prefilled", "constraints"}))
    used = {token for row in json_cells_of(data["grid"]) for token in row}
    return (
        data.get("unique_lines") is not True
        and used <= {*_CELLS}
        and bool(used - {*EMPTY})
        and bool(used & {*EMPTY} or used - set("01"))
    )


def read(text: str, source: str) -> Draft:
    """The clues and the signs of a board."""
    return _draft(_drop_head(lines_of(text, source, COMMENTS), source), source)


def _draft(lines: list[Line], source: str) -> Draft:
    draft = draft_of(lines, _CELLS, False, source)
    cells, rules = draft.clues
    return replace(draft, clues=(cells, rules.signs))


def _drop_head(lines: list[Line], source: str) -> list[Line]:
    """The lines without those that only tell the family and the size; a board left out is put in, empty."""
    heads = [line for line in lines if line.word == "tango"]
    lines = [line for line in lines if line not in heads]
    for line in lines:
        if line.word in KEYWORDS:
            raise line.start.fault(f"a Tango has no line '{line.word}': remove it, or read the board as takuzu")
    sizes = [match for line in heads if (match := _HEAD.fullmatch(line.text))]
    if len(sizes) != len(heads) or len(heads) > 1:
        raise heads[-1].start.fault("write one line 'tango', or with the size such as 'tango 6x6'")
    size = (int(sizes[0][1]), int(sizes[0][2])) if sizes and sizes[0][1] else None
    rows = [line for line in lines if not is_sign(line)]
    if size and rows and len(rows) != size[0]:
        raise heads[0].start.fault(f"the size says {size[0]} rows but {len(rows)} are there: mend the size or the rows")
    if rows or not (size or lines):
        return lines
    height, width = size or (_SIDE, _SIDE)
    if max(height, width) > MAX_SIDE:
        raise heads[0].start.fault(f"{height} rows and {width} columns: a board has at most {MAX_SIDE} of each")
    return [Line(heads[0].number if heads else None, "." * width, source)] * height + lines


def draft_of_json(data: dict[str, Any], source: str) -> Draft:
    """The board of a JSON object in any of its forms."""
    refuse_fields(data, _GRID_FIELDS if "grid" in data else _PIECE_FIELDS, source)
    if json_bool(data, "unique_lines", False, source):
        raise InputError("a Tango may have equal lines: leave out 'unique_lines', or read it as takuzu", source=source)
    for one, other in (("symbols", "prefilled"), ("walls", "constraints")):
        if one in data and other in data:
            raise InputError(f"JSON fields '{one}' and '{other}' mean the same: keep one", source=source)
    if "grid" in data:
        return _draft(json_lines(data, source), source)
    side = data.get("size", _SIDE)
    if not isinstance(side, int) or not 2 <= side <= MAX_SIDE:
        raise InputError(f"JSON field 'size' is {show_json(side)}: write 2 to {MAX_SIDE}", source=source)
    grid = [["."] * side for _ in range(side)]
    for r, c, symbol in _pieces(data, source):
        if not (0 <= r < side and 0 <= c < side) or symbol not in _CELLS:
            fault = f"JSON has {show_json(symbol)} in row {r}, column {c}"
            raise InputError(f"{fault}: rows and columns are 0 to {side - 1}, cells S or M", source=source)
        grid[r][c] = symbol
    lines = [Line(number, "".join(row), source) for number, row in enumerate(grid, 1)]
    return _draft(lines + [sign_line(sign, "walls", source) for sign in _signs(data, source)], source)


def _pieces(data: dict[str, Any], source: str) -> list[tuple[int, int, str]]:
    """The given suns and moons: row and column from 0, and a character."""
    found = []
    given = data.get("symbols", data.get("prefilled", []))
    if not isinstance(given, list | dict):
        raise InputError('JSON has pieces that are not a list: write [[0, 0, "S"]]', source=source)
    for piece in [[key, value] for key, value in given.items()] if isinstance(given, dict) else given:
        match piece:
            case [int(r), int(c), str(symbol)] if type(r) is type(c) is int:
                pass
            case [str(place), str(symbol)] if re.fullmatch(r"[0-9]{1,3}\s*,\s*[0-9]{1,3}", place):
                r, c = map(int, place.split(","))
            case _:
                raise InputError(f'JSON has a piece {show_json(piece, 40)}: write [0, 0, "S"]', source=source)
        found.append((r, c, symbol.replace("\ufe0f", "")))
    return found


def _signs(data: dict[str, Any], source: str) -> list[object]:
    """The signs, each as ``[[0, 2], [1, 2], "="]``."""
    found: list[object] = []
    signs = data.get("walls", data.get("constraints", []))
    if not isinstance(signs, list):
        raise InputError('JSON has signs that are not a list: write [[[0, 2], [1, 2], "="]]', source=source)
    for sign in signs:
        match sign:
            case [str(a), str(b), str(mark)] if re.fullmatch("[0-9]{1,3},[0-9]{1,3};[0-9]{1,3},[0-9]{1,3}", f"{a};{b}"):
                found.append([[int(n) for n in a.split(",")], [int(n) for n in b.split(",")], mark])
            case _:
                found.append(sign)
    return found
