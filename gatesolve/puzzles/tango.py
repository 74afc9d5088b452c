"""Tango: suns and moons, half of each in every line, never three equal in line, with ``=`` and ``x`` signs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar

from gatesolve.errors import InputError
from gatesolve.files import show_json
from gatesolve.puzzles.base import Draft, Fault
from gatesolve.puzzles.emoji import MOONS, SUNS
from gatesolve.puzzles.grid import Cell
from gatesolve.puzzles.reading import JsonBoard, Line, count, json_cells_of, lines_of
from gatesolve.puzzles.takuzu import (
    COMMENTS,
    EMPTY,
    KEYWORDS,
    ZeroOneBoard,
    draft_of,
    is_sign,
    json_lines,
    json_place,
    sign_lines,
    tokens_in,
)
from gatesolve.puzzles.takuzu_board import MAX_SIDE, Cells, Rules, Sign

SYMBOLS = "SM"
"""What a sun (0) and a moon (1) are written as."""
_GRID_FIELDS = ("grid", "signs", "rows", "cols", "unique_lines")
_PIECE_FIELDS = ("symbols", "walls", "prefilled", "constraints", "size")
JSON_FIELDS = (*_GRID_FIELDS, *_PIECE_FIELDS)
_SIDE = 6
_CELLS: dict[str, int | None] = {**dict.fromkeys("Ss0🟡🟠" + SUNS, 0), **dict.fromkeys("Mm1🔵" + MOONS, 1), **EMPTY}
_HEAD = re.compile(r"\s*tango(?:\s+([0-9]{1,3})\s*x\s*([0-9]{1,3}))?\s*", re.IGNORECASE)


@dataclass(frozen=True)
class Tango(ZeroOneBoard):
    """One Tango board; docs/families.md says how it is written.

    The variable of the cell in row i, column j (both from 1) is named ``r{i}c{j}``; a sun is 0, a moon 1. Signs stand
    between neighbouring cells.
    """

    cells: Cells
    signs: tuple[Sign, ...] = ()
    rules: Rules = field(init=False, repr=False, compare=False)

    family: ClassVar[str] = "tango"
    summary: ClassVar[str] = "suns and moons as in Takuzu, with = and x between cells"
    example: ClassVar[str] = "tango 4x4\nS...\n.M..\n...M\n....\nr1c1 = r1c2\nr2c3 x r3c3\n"
    headers: ClassVar[tuple[str, ...]] = ("tango",)
    symbols: ClassVar[str] = SYMBOLS
    json_fields: ClassVar[tuple[str, ...]] = JSON_FIELDS

    @classmethod
    def recognises(cls, text: str) -> bool:
        """Whether the text looks like a Tango: a line ``tango``, suns and moons, or signs alone."""
        lines = lines_of(text, COMMENTS)
        words = {line.word for line in lines}
        if "tango" in words:
            return True
        if not lines or words & set(KEYWORDS):
            return False
        cells = tokens_in([line for line in lines if not is_sign(line)])
        return cells <= set(_CELLS) - set("01") and bool(not cells or (cells & set(EMPTY) and cells - set(EMPTY)))

    @staticmethod
    def recognises_json(data: JsonBoard) -> bool:
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

    @staticmethod
    def read(text: str) -> Draft:
        """The clues and the signs of a board."""
        return _draft(_drop_head(lines_of(text, COMMENTS)))

    @classmethod
    def read_json(cls, data: JsonBoard) -> Draft:
        """The board of a JSON object in any of its forms."""
        data.refuse_others(_GRID_FIELDS if "grid" in data else _PIECE_FIELDS)
        if data.flag("unique_lines", False):
            raise InputError("a Tango may have equal lines: leave out 'unique_lines', or read it as takuzu")
        data.refuse_both("symbols", "prefilled")
        data.refuse_both("walls", "constraints")
        if "grid" in data:
            return _draft(json_lines(data))
        wanted = f"number of 2..{MAX_SIDE}: write the side of the board"
        side = data.get_valid("size", lambda side: type(side) is int and 2 <= side <= MAX_SIDE, wanted, _SIDE)
        grid = [["."] * side for _ in range(side)]
        for (r, c), symbol in _pieces(data):
            if not (0 <= r < side and 0 <= c < side) or symbol not in _CELLS:
                fault = f"JSON has {show_json(symbol)} in row {r}, column {c}"
                raise InputError(f"{fault}: rows and columns are 0 to {side - 1}, cells S or M")
            grid[r][c] = symbol
        lines = [Line(number, "".join(row)) for number, row in enumerate(grid, 1)]
        return _draft(lines + sign_lines(data, "constraints" if "constraints" in data else "walls"))

    def __post_init__(self) -> None:
        # What the board asks for, as a board of zeros and ones; equal lines are allowed.
        object.__setattr__(self, "rules", Rules(unique=False, signs=self.signs))
        super().__post_init__()

    def first_fault(self) -> Fault | None:
        if (found := super().first_fault()) is not None:
            return found
        for k, sign in enumerate(self.signs):
            (a, b), (c, d) = sign.first, sign.second
            if abs(a - c) + abs(b - d) != 1:
                fault = f"the cells of {sign} are not neighbours: mend the sign, or read the board as takuzu"
                return Fault(fault, ("sign", k))
        return None

    @property
    def title(self) -> str:
        clues = count(sum(v is not None for row in self.cells for v in row), "clue")
        return f"Tango {len(self.cells)}x{len(self.cells[0])}: {clues}, {count(len(self.signs), 'sign')}"

    def text(self, solution: Mapping[str, int] | None = None) -> str:
        rows = map("".join, self.board(solution or {}))
        return "\n".join([f"tango {len(self.cells)}x{len(self.cells[0])}", *rows, *map(str, self.signs)]) + "\n"


def _draft(lines: list[Line]) -> Draft:
    draft = draft_of(lines, _CELLS, False)
    cells, rules = draft.clues
    return replace(draft, clues=(cells, rules.signs))


def _drop_head(lines: list[Line]) -> list[Line]:
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
    return [Line(heads[0].number if heads else None, "." * width)] * height + lines


def _pieces(data: JsonBoard) -> Iterator[tuple[Cell, str]]:
    """The given suns and moons: a list of ``[0, 0, "S"]`` or ``["0,0", "S"]``, or an object of ``"0,0": "S"``."""
    field, wanted = "prefilled" if "prefilled" in data else "symbols", 'list of pieces: write [[0, 0, "S"]]'
    given = data.get_valid(field, lambda found: isinstance(found, list | dict), wanted, [])
    for piece in map(list, given.items()) if isinstance(given, dict) else given:
        *place, symbol = piece if isinstance(piece, list) and piece else [None]
        cell = json_place(place[0] if len(place) == 1 else place)
        if cell is None or not isinstance(symbol, str):
            raise InputError(f'JSON has a piece {show_json(piece, 40)}: write [0, 0, "S"]')
        yield cell, symbol.replace("\ufe0f", "")
