"""Tango: suns and moons, half of each in every line, never three equal in line, with ``=`` and ``x`` signs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from gatesolve.puzzles.base import Fault
from gatesolve.puzzles.reading import count
from gatesolve.puzzles.takuzu.board import Cells, Rules, Sign
from gatesolve.puzzles.takuzu.puzzle import ZeroOneBoard
from gatesolve.puzzles.tango import text


@dataclass(frozen=True)
class Tango(ZeroOneBoard):
    """One Tango board; docs/formats.md says how it is written.

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
    symbols: ClassVar[str] = text.SYMBOLS

    recognises = staticmethod(text.recognises)
    recognises_json = staticmethod(text.recognises_json)
    read = staticmethod(text.read)
    read_json = staticmethod(text.draft_of_json)
    json_fields: ClassVar[tuple[str, ...]] = text.JSON_FIELDS

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
