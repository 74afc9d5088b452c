"""Galaxies (Tentai Show): cut the board into connected regions, each symmetric about its one dot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import and_, or_
from typing import TYPE_CHECKING, Any, ClassVar

from gatesolve.puzzles.base import Puzzle
from gatesolve.puzzles.drawing import INK
from gatesolve.puzzles.galaxies import text
from gatesolve.puzzles.galaxies.board import GalaxiesBoard, broken_rules, galaxies_of, mirror
from gatesolve.puzzles.galaxies.shapes import NumberedBoard, Shapes, all_shapes
from gatesolve.puzzles.grid import Cell, cell_name, grid_of_cells
from gatesolve.puzzles.picture import REGION_FILLS, Look, Picture
from gatesolve.puzzles.reading import count

if TYPE_CHECKING:
    import cpmpy
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class Galaxies(GalaxiesBoard, Puzzle):
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
    recognises_json = staticmethod(text.recognises_json)
    read_json = staticmethod(text.draft_of_json)
    json_fields: ClassVar[tuple[str, ...]] = ("rows", "cols", "dots_half", "black", "holes")

    @cached_property
    def shapes(self) -> tuple[Shapes, ...] | None:
        """The possible shapes of each galaxy; None when deductions found that there is no solution."""
        return all_shapes(NumberedBoard(self))

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
        sheet = NumberedBoard(self)
        model = cp.Model()
        holders: dict[Cell, list[Any]] = {cell: [] for cell in self.cells}
        for k, several in enumerate(self.shapes):
            always, ever = reduce(and_, several), reduce(or_, several)
            loose = []
            # Of each pair of opposite cells the first in reading order.
            for cell in (cell for cell in sheet.cells(ever) if cell <= mirror(cell, self.dots[k])):
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
        return [list(row) for row in grid_of_cells((self.rows, self.columns), lambda cell: held.get(cell, "#"))]

    def check(self, solution: Mapping[str, int]) -> list[str]:
        galaxies, faults = galaxies_of(self, solution)
        return faults + broken_rules(self, galaxies)

    def text(self, solution: Mapping[str, int] | None = None) -> str:
        """The board in its file format; with a solution only the walls between galaxies are drawn."""
        return text.format_text(self, None if solution is None else self._owners(solution))

    def picture(self, solution: Mapping[str, int], drawing: bool) -> Picture:
        """The board with its dots on cells, edges and corners, and walls between the galaxies that were found.

        On a board with black dots their galaxies are shaded and the others left white, which shows the
        board's hidden picture; on any other each galaxy has a colour.
        """
        found = self._owners(solution)

        def side(r: int, c: int) -> int | None:
            """Return a value that the two sides of a wall do not share: the galaxy, -1 outside the board, -2 a hole."""
            return found.get((r, c)) if self.holds((r, c)) else -2 if (r, c) in self.holes else -1

        def look(cell: Cell) -> Look:
            if not self.holds(cell):
                return Look("" if drawing else "###", fill="#4a4a4e")
            if cell not in found:
                return Look()
            if self.black:
                return Look(fill="#a9a9b0" if self.dots[found[cell]] in self.black else "white")
            return Look(fill=REGION_FILLS[found[cell] % len(REGION_FILLS)])

        def paint(axes: Axes, points: float) -> None:
            from matplotlib.patches import Circle

            for y, x in self.dots:
                fill = INK if (y, x) in self.black else "white"
                circle = Circle((x / 2, y / 2), 0.16, facecolor=fill, edgecolor=INK, linewidth=points / 30, zorder=5)
                axes.add_patch(circle)

        return Picture(
            cells=grid_of_cells((self.rows, self.columns), look),
            right=lambda r, c: side(r, c) != side(r, c + 1),
            below=lambda r, c: side(r, c) != side(r + 1, c),
            # A cell is two lines high and four characters wide, so the half-grid's steps are one and two.
            stamps={(y, 2 * x): "●" if (y, x) in self.black else "○" for y, x in self.dots},
            paint=paint,
        )

    def _owners(self, solution: Mapping[str, int]) -> dict[Cell, int]:
        """For each cell in a galaxy the number of the (first) galaxy that holds it."""
        galaxies, _ = galaxies_of(self, solution)
        numbers = range(len(galaxies) - 1, -1, -1)
        return {cell: k for k in numbers for cell in galaxies[k] if self.holds(cell)}
