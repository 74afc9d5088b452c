"""Sudokus in one line from other programs: game ids of sgt Solo, and puzz.link addresses."""

from __future__ import annotations

import re
from collections.abc import Iterable

from gatesolve.errors import InputError
from gatesolve.puzzles.sudoku.grid import MAX_SIDE, Box, Cells, default_box

_SOLO = re.compile(r"([0-9]{1,3})(?:x([0-9]{1,3}))?([a-z0-9]*):(\S*)")
_LINK = re.compile(r"(?:\S*[?/])?sudoku/([0-9]{1,3})/([0-9]{1,3})/(\S*)")


def is_id(text: str) -> bool:
    """Whether the text is one game id of sgt Solo or one puzz.link address."""
    text = text.strip()
    if _LINK.fullmatch(text):
        return True
    match = _SOLO.fullmatch(text)
    if match is None:
        return False
    if match[2] is None or set(match[3]) & {"j", "k"}:
        return "j" in match[3] or "k" in match[3]
    # Unruly and Galaxies ids hold letters only, capitals too; those of Tents have commas.
    return re.search("[0-9]", match[4]) is not None and re.search("[,A-Z]", match[4]) is None


def read_id(text: str, source: str) -> tuple[Cells, Box, bool]:
    """The given values, the box shape and whether the diagonals count.

    Raises:
        InputError: the id is faulty, or of a variant that is not read.
    """
    text = text.strip()
    link = _LINK.fullmatch(text)
    if link:
        return _read_link(int(link[1]), int(link[2]), link[3].rstrip("/"), source)
    match = _SOLO.fullmatch(text)
    assert match is not None  # `is_id` said so
    for letter, variant in (("j", "jigsaw"), ("k", "killer")):
        if letter in match[3]:
            fault = f"a {variant} sudoku, which is not read: give one with plain boxes"
            raise InputError(fault, source=source, row=1, column=match.start(3) + match[3].index(letter) + 1)
    # Solo counts blocks: C columns of them and R rows, so a block is C rows high and R columns wide.
    box = (int(match[1]), int(match[2]))
    side = box[0] * box[1]
    _check_side(side, source)
    values = _solo_cells(match[4], match.start(4), source)
    return _fill(values, side, "the game id", source), box, "x" in match[3]


def _check_side(side: int, source: str) -> None:
    if not 1 <= side <= MAX_SIDE:
        fault = f"{side} rows: a board has 1 to {MAX_SIDE}; give another one"
        raise InputError(fault, source=source, row=1, column=1)


def _solo_cells(description: str, offset: int, source: str) -> list[int | None]:
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
            raise InputError(fault, source=source, row=1, column=offset + match.start() + 1)
    return cells


def _read_link(columns: int, rows: int, body: str, source: str) -> tuple[Cells, Box, bool]:
    """A puzz.link body: one hex digit a value, ``-hh`` or ``+hhh`` for more, ``g``..``z`` skip 1..20 cells."""
    _check_side(max(rows, columns), source)
    if rows != columns:
        fault = f"a board of {columns} columns and {rows} rows: a sudoku is square"
        raise InputError(fault, source=source, row=1, column=1)
    box = default_box(rows)
    if box is None:
        raise InputError(f"{rows} rows: no boxes of several rows and columns", source=source, row=1, column=1)
    cells: list[int | None] = []
    for match in re.finditer(r"-([0-9a-f]{2})|\+([0-9a-f]{3})|([0-9a-f])|([g-z])|(\.)|(.)", body):
        if match[6]:
            fault = f"unknown {match[6]!a} in an address: write hex digits, letters g..z or ."
            raise InputError(fault, source=source, row=1, column=match.start() + 1)
        if match[4]:
            cells += [None] * (ord(match[4]) - ord("g") + 1)
        else:
            digits = match[1] or match[2] or match[3]
            cells.append(int(digits, 16) if digits else None)
    return _fill(cells, rows, "the address", source), box, False


def _fill(values: Iterable[int | None], side: int, where: str, source: str) -> Cells:
    """The cells cut into rows."""
    cells = list(values)
    if len(cells) != side * side:
        fault = f"{where} has {len(cells)} cells, not {side} x {side} = {side * side}: copy all of it"
        raise InputError(fault, source=source, row=1)
    return tuple(tuple(cells[k * side : (k + 1) * side]) for k in range(side))
