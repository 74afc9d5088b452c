"""Galaxies (Tentai Show): cut the board into connected regions, each symmetric about its one dot."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import and_, or_
from typing import TYPE_CHECKING, Any, ClassVar

from gatesolve.puzzles.base import Puzzle
from gatesolve.puzzles.galaxies import text
from gatesolve.puzzles.galaxies.board import Board, contradiction, first_fault, mirror
from gatesolve.puzzles.galaxies.picture import board_picture
from gatesolve.puzzles.galaxies.rules import broken_rules, galaxies_of, owners
from gatesolve.puzzles.galaxies.shapes import Cells, Shapes, Sheet, all_shapes
from gatesolve.puzzles.galaxies.text import draft_of_json
from gatesolve.puzzles.grid import Cell, cell_name
from gatesolve.puzzles.picture import Picture
from gatesolve.puzzles.reading import count

if TYPE_CHECKING:
    import cpmpy


@dataclass(frozen=True)
class Galaxies(Board, Puzzle):
    """One Galaxies board; docs/formats.md says how it is written.

    Dots and their galaxies are numbered from 0 in reading order. The variable ``r{i}c{j}_d{k}`` is
    1 when the cell in row i, column j (both from 1) and its opposite about dot k are in galaxy k;
    of two opposite cells the first in reading order gives the name. Only cells that some possible
    shape of the galaxy holds have a variable.
    """

    family: ClassVar[str] = "galaxies"
    summary: ClassVar[str] = "connected, point-symmetric regions around each dot"
    example: ClassVar[str] = ".|.|.\n-+-+-\no|o|o\n-+-+-\n.|.|.\n"
    fault_prefix: ClassVar[str] = "half-grid: "

    recognises = staticmethod(text.recognises)
    read = staticmethod(text.read)
    read_json = staticmethod(draft_of_json)

    first_fault = first_fault
    find_contradiction = contradiction

    @cached_property
    def shapes(self) -> tuple[Shapes, ...] | None:
        """The possible shapes of each galaxy; None when deductions found that there is no solution.

        Raises:
            DoesNotFitError: a galaxy has too many shapes to list.
        """
        return all_shapes(Sheet(self))

    @property
    def title(self) -> str:
        holes = f", {count(len(self.holes), 'hole')}" if self.holes else ""
        return f"Galaxies {self.rows}x{self.columns}: {count(len(self.dots), 'dot')}{holes}"

    def to_cpmpy(self) -> cpmpy.Model:
        """The board as a CPMpy model: a table of shapes for each galaxy, each cell in one galaxy.

        Raises:
            DoesNotFitError: a galaxy has too many shapes to list.
        """
        import cpmpy as cp

        if self.shapes is None:
            return cp.Model(cp.BoolVal(False))
        sheet = Sheet(self)
        model = cp.Model()
        holders: dict[Cell, list[Any]] = {cell: [] for cell in self.cells}
        for k, several in enumerate(self.shapes):
            always, ever = reduce(and_, several), reduce(or_, several)
            loose = []
            for cell in self._named(sheet, k, ever):
                fixed = bool(always & sheet.bit(cell))
                # A cell of every shape is a domain of one value, so that no later stage spends a qubit on it.
                variable = cp.intvar(int(fixed), 1, name=f"{cell_name(cell)}_d{k}")
                for held in {cell, mirror(cell, self.dots[k])}:
                    holders[held].append(variable)
                if not fixed:
                    loose.append((cell, variable))
            if loose:
                rows = [[int(bool(shape & sheet.bit(cell))) for cell, _ in loose] for shape in several]
                model += cp.Table([variable for _, variable in loose], rows)
        for variables in holders.values():
            model += cp.sum(variables) == 1 if variables else cp.BoolVal(False)
        return model

    def board(self, solution: Mapping[str, int]) -> list[list[str]]:
        """The finished board: the number of each cell's galaxy, ``#`` for a hole, ``.`` for none."""
        found = self._owners(solution)
        held = {cell: str(found.get(cell, ".")) for cell in self.cells}
        return [[held.get((r, c), "#") for c in range(self.columns)] for r in range(self.rows)]

    def check(self, solution: Mapping[str, int]) -> list[str]:
        galaxies, faults = galaxies_of(self, solution)
        return faults + broken_rules(self, galaxies)

    def text(self, solution: Mapping[str, int] | None = None) -> str:
        """The board in its file format; with a solution only the walls between galaxies are drawn."""
        return text.format_text(self, None if solution is None else self._owners(solution))

    def picture(self, solution: Mapping[str, int], drawing: bool) -> Picture:
        """Dots where they lie, walls between galaxies heavy."""
        return board_picture(self, self._owners(solution), drawing)

    def _owners(self, solution: Mapping[str, int]) -> dict[Cell, int]:
        return owners(self, galaxies_of(self, solution)[0])

    def _named(self, sheet: Sheet, k: int, cells: Cells) -> Iterator[Cell]:
        """Of each pair of opposite cells the first in reading order."""
        return (cell for cell in sheet.cells(cells) if cell <= mirror(cell, self.dots[k]))
