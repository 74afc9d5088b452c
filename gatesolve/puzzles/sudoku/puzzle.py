"""Sudoku: every value once in each row, column and box; boxes of any shape, and cages that add up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from gatesolve.puzzles.base import Puzzle
from gatesolve.puzzles.grid import cell_name
from gatesolve.puzzles.picture import Picture
from gatesolve.puzzles.reading import count
from gatesolve.puzzles.sudoku import text
from gatesolve.puzzles.sudoku.grid import Board, Cage, number_boxes
from gatesolve.puzzles.sudoku.picture import board_picture

if TYPE_CHECKING:
    import cpmpy


@dataclass(frozen=True)
class Sudoku(Board, Puzzle):
    """One Sudoku board; docs/formats.md says how it is written.

    The variable of the cell in row i, column j (both from 1) is named ``r{i}c{j}``.
    """

    family: ClassVar[str] = "sudoku"
    summary: ClassVar[str] = "every row, column and box holds each digit once"
    example: ClassVar[str] = "box 2x2\n2. | 43\n.. | 2.\n---+---\n.. | ..\n.2 | 3.\n"
    headers: ClassVar[tuple[str, ...]] = ("sudoku", "box", "boxes", "cages")

    recognises = staticmethod(text.recognises)
    read = staticmethod(text.read)
    read_json = staticmethod(text.draft_of_json)

    def __post_init__(self) -> None:
        super().__post_init__()
        # In one order, so that equal boards are equal, however their boxes and cages were listed.
        cages = sorted(Cage(cage.total, tuple(sorted(cage.cells))) for cage in self.cages)
        object.__setattr__(self, "cages", tuple(sorted(cages, key=lambda cage: cage.cells)))
        object.__setattr__(self, "regions", number_boxes(self.regions))

    @property
    def title(self) -> str:
        side = len(self.cells)
        clues = sum(value is not None for row in self.cells for value in row)
        boxes = f"boxes of {self.box[0]} rows x {self.box[1]} columns" if self.box else "boxes of any shape"
        words = [boxes, count(clues, "clue")] + [count(len(self.cages), "cage")] * bool(self.cages)
        return f"Sudoku {side}x{side}: {', '.join(words + ['diagonals'] * self.diagonals)}"

    def to_cpmpy(self) -> cpmpy.Model:
        """The board as a CPMpy model: an all-different a row, column, box (diagonal, cage), and the sums of cages."""
        import cpmpy

        side = len(self.cells)
        # A given value is a domain of one value, so that no later stage spends a qubit on it.
        x = [
            [cpmpy.intvar(given or 1, given or side, name=cell_name((r, c))) for c, given in enumerate(row)]
            for r, row in enumerate(self.cells)
        ]
        boxes: list[list[Any]] = [[] for _ in range(side)]
        for cells, numbers in zip(x, self.boxes, strict=True):
            for cell, number in zip(cells, numbers, strict=True):
                boxes[number].append(cell)
        groups = [*x, *map(list, zip(*x, strict=True)), *boxes]
        if self.diagonals:
            groups += [[x[k][k] for k in range(side)], [x[k][side - 1 - k] for k in range(side)]]
        model = cpmpy.Model([cpmpy.AllDifferent(group) for group in groups])
        for cage in self.cages:
            inside = [x[r][c] for r, c in cage.cells]
            if len(inside) > 1:
                model += cpmpy.AllDifferent(inside)
            model += cpmpy.sum(inside) == cage.total
        return model

    def board(self, solution: Mapping[str, int]) -> list[list[str]]:
        """The finished board as decimal numbers, ``.`` where no value is known."""
        return [["." if value is None else str(value) for value in row] for row in self._filled(solution)]

    def text(self, solution: Mapping[str, int] | None = None) -> str:
        """The board in its file format; with a solution its values stand in the empty cells."""
        return text.format_text(self, self._filled(solution or {}))

    def picture(self, solution: Mapping[str, int], drawing: bool) -> Picture:
        """Boxes in heavy lines, cages in light or dashed ones with their sums, answers bold or blue."""
        return board_picture(self, self._filled(solution), drawing)

    def _filled(self, solution: Mapping[str, int]) -> list[list[int | None]]:
        """Given values, and answers in the cells without one."""
        return [
            [solution.get(cell_name((r, c))) if given is None else given for c, given in enumerate(row)]
            for r, row in enumerate(self.cells)
        ]
