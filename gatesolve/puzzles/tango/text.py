"""The Tango text format, and the ways Tangos are written elsewhere.

One line a row, ``S`` for a given sun, ``M`` for a given moon and ``.`` for an empty cell (the signs
☀ and ☾ and their like, ``0`` and ``1``, ``_``, ``-``, ``*`` and ⬜ are read, too). Then one line a sign:
``r1c1 = r1c2`` for equal cells, ``r1c2 x r2c2`` for different ones; chains such as
``r1c1 = r1c2 x r2c2`` are read, and positions counted from 0 such as ``(0,1)x(1,1)``. A line
``tango 6x6`` (or just ``tango``) above the board tells the family; a board without any clue may be left out.
Lines that start with ``;``, ``//`` or ``#`` are comments; blank lines are skipped.

Read as well: one JSON object, ``{"family": "tango", "grid": ["0.....", ...], "signs":
[[[0, 2], [1, 2], "="], ...]}``, or ``{"symbols": [[0, 0, "S"], ...], "walls": [[[0, 2], [1, 2], "="],
...]}``, or ``{"prefilled": {"0,0": "☀️", ...}, "constraints": [["0,2", "1,2", "="], ...]}``, the last
two with ``"size"`` where it is not 6.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from gatesolve.errors import InputError
from gatesolve.puzzles.emoji import MOONS, SUNS, symbols
from gatesolve.puzzles.json_text import json_object
from gatesolve.puzzles.takuzu.board import MAX_SIDE, Cells, Rules, Sign
from gatesolve.puzzles.takuzu.faults import Fault
from gatesolve.puzzles.takuzu.faults import first_fault as first_board_fault
from gatesolve.puzzles.takuzu.lines import KEYWORDS, Entry, entries, is_sign, read_draft, sign_text
from gatesolve.puzzles.takuzu.text import EMPTY, json_entries, sign_entry

SYMBOLS = "SM"
"""What a sun (0) and a moon (1) are written as."""

_SIDE = 6
_CELLS: dict[str, int | None] = {
    **dict.fromkeys("Ss0🟡🟠" + SUNS, 0),
    **dict.fromkeys("Mm1🔵" + MOONS, 1),
    **EMPTY,
}
_HEAD = re.compile(r"tango(?:\s+([0-9]{1,3})\s*x\s*([0-9]{1,3}))?", re.IGNORECASE)
_JSON_FAMILY = re.compile(r'"family"\s*:\s*"(\w*)"')


def recognises(text: str) -> bool:
    """Whether the text looks like a Tango: JSON, a line ``tango``, suns and moons, or signs alone."""
    if text.lstrip().startswith("{"):
        family = _JSON_FAMILY.search(text)
        if family:
            return family[1] == "tango"
        return any(
            all(f'"{name}"' in text for name in pair) for pair in (("symbols", "walls"), ("prefilled", "constraints"))
        )
    lines = entries(text)
    if any(e.keyword == "tango" for e in lines):
        return True
    if not lines or any(e.keyword in KEYWORDS for e in lines):
        return False
    cells = {one for e in lines if not is_sign(e) for _, one in symbols(e.text)} - set(" \t")
    return cells <= set(_CELLS) - set("01") and bool(not cells or (cells & set(EMPTY) and cells - set(EMPTY)))


def parse_text(text: str, source: str) -> tuple[Cells, tuple[Sign, ...]]:
    """The clues and the signs of a board.

    Raises:
        InputError: with the line and the column where the fault is.
    """
    if text.lstrip().startswith("{"):
        lines = _from_json(json_object(text, source, "tango"), source)
    else:
        lines = _typed(entries(text), source)
    draft = read_draft(lines, _CELLS, False, source)
    fault_found = first_fault(draft.cells, draft.rules)
    if fault_found:
        raise draft.error(fault_found, source)
    return draft.cells, draft.rules.signs


def first_fault(cells: Cells, rules: Rules) -> Fault | None:
    """The first fault of the board, or None: one of any board of zeros and ones, or a sign that is too long."""
    found = first_board_fault(cells, rules)
    if found:
        return found
    for k, sign in enumerate(rules.signs):
        (a, b), (c, d) = sign.first, sign.second
        if abs(a - c) + abs(b - d) != 1:
            fault = f"the cells of {sign_text(sign)} are not neighbours: mend the sign, or read the board as takuzu"
            return Fault(fault, item=("sign", k))
    return None


def format_text(values: Sequence[Sequence[int | None]], signs: Sequence[Sign]) -> str:
    """The board in the text format."""
    rows = ["".join("." if v is None else SYMBOLS[v] for v in row) for row in values]
    return "\n".join([f"tango {len(values)}x{len(values[0])}", *rows, *map(sign_text, signs)]) + "\n"


def _typed(lines: list[Entry], source: str) -> list[Entry]:
    """The lines without those that only tell the family and the size; a board left out is put in, empty."""
    heads = [e for e in lines if e.keyword == "tango"]
    lines = [e for e in lines if e not in heads]
    for entry in lines:
        if entry.keyword in KEYWORDS:
            fault = f"a Tango has no line '{entry.keyword}': remove it, or read the board as takuzu"
            raise entry.fault(fault, source)
    sizes = [match for e in heads if (match := _HEAD.fullmatch(e.text))]
    if len(sizes) != len(heads) or len(heads) > 1:
        raise heads[-1].fault("write one line 'tango', or with the size such as 'tango 6x6'", source)
    size = (int(sizes[0][1]), int(sizes[0][2])) if sizes and sizes[0][1] else None
    rows = [e for e in lines if not is_sign(e)]
    if size and rows and len(rows) != size[0]:
        raise heads[0].fault(f"{size[0]} rows told but {len(rows)} are there: mend the size or the rows", source)
    if rows or not (size or lines):
        return lines
    height, width = size or (_SIDE, _SIDE)
    if max(height, width) > MAX_SIDE:
        raise heads[0].fault(f"{height} rows and {width} columns: a board has at most {MAX_SIDE} of each", source)
    return [Entry(heads[0].number if heads else None, "." * width)] * height + lines


def _from_json(data: dict[str, Any], source: str) -> list[Entry]:
    """The fields of a JSON object as lines of the text format."""
    if "grid" in data:
        return json_entries(data, source)[0]
    side = data.get("size", _SIDE)
    if not isinstance(side, int) or not 2 <= side <= MAX_SIDE:
        raise InputError(f"JSON field 'size' is {str(side)[:20]}: write 2 to {MAX_SIDE}", source=source)
    grid = [["."] * side for _ in range(side)]
    for r, c, symbol in _pieces(data, source):
        if not (0 <= r < side and 0 <= c < side) or symbol not in _CELLS:
            fault = f"JSON has {symbol!a} in row {r}, column {c}: rows and columns are 0 to {side - 1}, cells S or M"
            raise InputError(fault, source=source)
        grid[r][c] = symbol
    lines = [Entry(number, "".join(row)) for number, row in enumerate(grid, 1)]
    return lines + [sign_entry(sign, "walls", source) for sign in _signs(data, source)]


def _pieces(data: dict[str, Any], source: str) -> list[tuple[int, int, str]]:
    """The given suns and moons: row and column from 0, and a character."""
    found = []
    given = data.get("symbols", data.get("prefilled", []))
    for piece in [[key, value] for key, value in given.items()] if isinstance(given, dict) else given:
        match piece:
            case [int(r), int(c), str(symbol)]:
                found.append((r, c, symbol.replace("\ufe0f", "")))
            case [str(place), str(symbol)] if re.fullmatch(r"[0-9]{1,3}\s*,\s*[0-9]{1,3}", place):
                r, c = map(int, place.split(","))
                found.append((r, c, symbol.replace("\ufe0f", "")))
            case _:
                raise InputError(f'JSON has a piece {str(piece)[:40]}: write [0, 0, "S"]', source=source)
    return found


def _signs(data: dict[str, Any], source: str) -> list[object]:
    """The signs, each as ``[[0, 2], [1, 2], "="]``."""
    found: list[object] = []
    signs = data.get("walls", data.get("constraints", []))
    if not isinstance(signs, list):
        raise InputError('JSON has signs that are not a list: write [[[0, 2], [1, 2], "="]]', source=source)
    for sign in signs:
        match sign:
            case [str(a), str(b), str(mark)] if re.fullmatch(
                r"[0-9]{1,3},[0-9]{1,3};[0-9]{1,3},[0-9]{1,3}", f"{a};{b}"
            ):
                found.append([[int(n) for n in a.split(",")], [int(n) for n in b.split(",")], mark])
            case _:
                found.append(sign)
    return found
