"""Sudokus in one line from other programs: game ids of sgt Solo, and puzz.link addresses."""

from __future__ import annotations

import re
from collections.abc import Iterable

from gatesolve.errors import InputError
from gatesolve.puzzles.sudoku.grid import MAX_SIDE, Board, Cage, Cells, Position, Regions, default_box, numbered

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


def read_id(text: str, source: str) -> Board:
    """All that a game id or an address gives.

    Raises:
        InputError: the id is faulty.
    """
    text = text.strip()
    link = _LINK.fullmatch(text)
    if link:
        return _read_link(int(link[1]), int(link[2]), link[3].rstrip("/"), source)
    match = _SOLO.fullmatch(text)
    assert match is not None  # `is_id` said so
    # Solo counts blocks: C columns of them and R rows, so a block is C rows high and R columns wide.
    height, width = int(match[1]), int(match[2] or 1)
    jigsaw, killer = "j" in match[3], "k" in match[3]
    if jigsaw and width != 1:
        fault = "a jigsaw whose blocks have a shape: write its side alone, such as 9j"
        raise InputError(fault, source=source, row=1, column=match.start(3) + 1)
    side = height * width
    _check_side(side, source)
    parts = _sections(match[4], match.start(4), 1 + jigsaw + 2 * killer, source)
    cells = _fill(_solo_cells(*parts[0], source), side, "the game id", source)
    regions = _blocks(*parts[1], side, source) if jigsaw else ()
    cages: tuple[Cage, ...] = ()
    if killer:
        sums = _fill(_solo_cells(*parts[-1], source), side, "the game id's list of sums", source)
        cages = _cages(_blocks(*parts[-2], side, source), sums, parts[-1][1], source)
    return Board(cells, None if jigsaw else (height, width), "x" in match[3], regions, cages)


def _sections(description: str, offset: int, number: int, source: str) -> list[tuple[str, int]]:
    """The parts of a description between commas, each with its place: clues, blocks of a jigsaw, cages and sums."""
    parts = [(match[1], offset + match.start(1)) for match in re.finditer(r"(?:^|,)([^,]*)", description)]
    if len(parts) != number:
        fault = f"the game id has {len(parts)} parts between commas, not {number}: copy all of it"
        raise InputError(fault, source=source, row=1, column=offset + 1)
    return parts


def _blocks(description: str, offset: int, side: int, source: str) -> Regions:
    """Blocks from the borders between cells: those right of cells, row by row, then those below, column by column.

    Letters count the borders without a line before the next one with a line: ``_`` none, ``a``..``y`` 1 to 25; ``z`` is
    25 of them and no line. A last line stands behind the last border.
    """
    inner = side * (side - 1)
    names = {(r, c): (r, c) for r in range(side) for c in range(side)}
    place = 0
    for k, letter in enumerate(description):
        run = 0 if letter == "_" else ord(letter) - ord("a") + 1
        if not (letter == "_" or "a" <= letter <= "z"):
            fault = f"unknown {letter!a} among the blocks of a game id: they are letters a..z and _"
            raise InputError(fault, source=source, row=1, column=offset + k + 1)
        for border in range(place, min(place + min(run, 25), 2 * inner)):
            line, at = divmod(border % inner, side - 1)
            here, there = ((line, at), (line, at + 1)) if border < inner else ((at, line), (at + 1, line))
            _join(names, here, there)
        place += min(run, 25) + (letter != "z")
    if place != 2 * inner + 1:
        fault = f"the game id tells {place - 1} borders of its blocks, not {2 * inner}: copy all of it"
        raise InputError(fault, source=source, row=1, column=offset + len(description))
    return numbered(tuple(tuple(str(_root(names, (r, c))) for c in range(side)) for r in range(side)))


def _root(names: dict[Position, Position], cell: Position) -> Position:
    while names[cell] != cell:
        cell = names[cell]
    return cell


def _join(names: dict[Position, Position], here: Position, there: Position) -> None:
    names[_root(names, here)] = _root(names, there)


def _cages(blocks: Regions, sums: Cells, offset: int, source: str) -> tuple[Cage, ...]:
    """The cages, each with the sum that stands in its first cell."""
    cells: dict[int, list[Position]] = {}
    for r, row in enumerate(blocks):
        for c, number in enumerate(row):
            cells.setdefault(number, []).append((r, c))
    cages = []
    for inside in cells.values():
        told = [total for r, c in inside if (total := sums[r][c]) is not None]
        if len(told) != 1:
            fault = f"the cage of r{inside[0][0] + 1}c{inside[0][1] + 1} has {len(told)} sums: copy the id again"
            raise InputError(fault, source=source, row=1, column=offset + 1)
        cages.append(Cage(told[0], tuple(inside)))
    return tuple(cages)


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


def _read_link(columns: int, rows: int, body: str, source: str) -> Board:
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
    return Board(_fill(cells, rows, "the address", source), box)


def _fill(values: Iterable[int | None], side: int, where: str, source: str) -> Cells:
    """The cells cut into rows."""
    cells = list(values)
    if len(cells) != side * side:
        fault = f"{where} has {len(cells)} cells, not {side} x {side} = {side * side}: copy all of it"
        raise InputError(fault, source=source, row=1)
    return tuple(tuple(cells[k * side : (k + 1) * side]) for k in range(side))
