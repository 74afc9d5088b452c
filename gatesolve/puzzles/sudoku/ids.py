"""Sudokus in one line from other programs: game ids of sgt Solo, and puzz.link addresses."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial

from gatesolve.puzzles.foreign import Link, game_id_steps, link_of
from gatesolve.puzzles.grid import Cell, Grid, cell_name, cells_by_name, draw_rooms
from gatesolve.puzzles.reading import Line
from gatesolve.puzzles.sudoku.grid import MAX_SIDE, Cage, Cells, SudokuBoard, default_box, number_boxes

_SOLO = re.compile(r"([0-9]{1,3})(?:x([0-9]{1,3}))?([a-z0-9]*):(\S*)")


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
