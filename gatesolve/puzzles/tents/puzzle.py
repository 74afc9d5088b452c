"""Tents & Trees: every tree gets a tent of its own beside it, and no two tents touch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from gatesolve.puzzles.base import Puzzle, count_between
from gatesolve.puzzles.drawing import ANSWER, INK
from gatesolve.puzzles.grid import Cell, cell_name, grid_of_cells, list_squares
from gatesolve.puzzles.picture import Look, Picture, walls_around
from gatesolve.puzzles.reading import count
from gatesolve.puzzles.tents import text
from gatesolve.puzzles.tents.board import TENT, TREE, TentsBoard, broken_rules, tents_of

if TYPE_CHECKING:
    import cpmpy
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class Tents(TentsBoard, Puzzle):
    """One Tents & Trees board; docs/formats.md says how it is written.

    The tent of the tree in row i, column j (both from 1) lies above, left of, right of or below it:
    the variable ``r{i}c{j}_up`` (``_left``, ``_right``, ``_down``) is 1 for the one that is true.
    Only cells inside the board that hold no tree have a variable.
    """

    family: ClassVar[str] = "tents"
    summary: ClassVar[str] = "a tent beside each tree, none touching, counts by row and column"
    example: ClassVar[str] = "  1 0 1 0 1\n1 . T . . .\n0 T . . . .\n2 . . . T .\n"

    recognises = staticmethod(text.recognises)
    read = staticmethod(text.read)
    recognises_json = staticmethod(text.recognises_json)
    read_json = staticmethod(text.draft_of_json)
    json_fields: ClassVar[tuple[str, ...]] = ("grid", "row_counts", "col_counts", "rows", "cols")

    @cached_property
    def into(self) -> Mapping[Cell, tuple[str, ...]]:
        """For each cell where a tent may lie, the variables that put one there."""
        found: dict[Cell, tuple[str, ...]] = {}
        for tree in self.cells(TREE):
            for word, cell in self.places(tree):
                found[cell] = (*found.get(cell, ()), _name(tree, word))
        return found

    @property
    def title(self) -> str:
        rows, columns = self.size
        counts = self.row_counts + self.column_counts
        missing = counts.count(None)
        tail = f", {missing} of {len(counts)} counts missing" if missing else ""
        return f"Tents & Trees {rows}x{columns}: {count(len(list(self.cells(TREE))), 'tree')}{tail}"

    def to_cpmpy(self) -> cpmpy.Model:
        """The board as a CPMpy model: one tent a tree, at most one tent in any 2x2 cells, the counts.

        No other constraint is needed to keep tents apart, and none to keep two trees from one cell.
        """
        import cpmpy as cp

        choices = {tree: [_name(tree, word) for word, _ in self.places(tree)] for tree in self.cells(TREE)}
        variable: dict[str, Any] = {name: cp.boolvar(name=name) for names in choices.values() for name in names}
        model = cp.Model([cp.sum([variable[n] for n in names]) == 1 for names in choices.values()])

        def tents_in(cells: Sequence[Cell]) -> list[Any]:
            return [variable[name] for cell in cells for name in self.into.get(cell, ())]

        def exactly(cells: list[Cell], tents: int | None) -> list[Any]:
            return [] if tents is None else count_between(tents_in(cells), tents, tents)

        rows, columns = self.size
        for square in list_squares((max(2, rows), max(2, columns))):
            close = tents_in(square)
            if len(close) > 1:
                model += cp.sum(close) <= 1
        for r, tents in enumerate(self.row_counts):
            model += exactly([(r, c) for c in range(columns)], tents)
        for c, tents in enumerate(self.column_counts):
            model += exactly([(r, c) for r in range(rows)], tents)
        for cell in self.cells(TENT):
            model += exactly([cell], 1)
        return model

    def board(self, solution: Mapping[str, int]) -> list[list[str]]:
        """The finished board: ``T`` for a tree, ``^`` for a tent, ``.`` for grass."""
        tents = self._tents(solution)
        return [[TENT if (r, c) in tents else held for c, held in enumerate(row)] for r, row in enumerate(self.grid)]

    def check(self, solution: Mapping[str, int]) -> list[str]:
        tents, faults = tents_of(self, solution)
        return faults + broken_rules(self, tents)

    def text(self, solution: Mapping[str, int] | None = None) -> str:
        return text.format_text(replace(self, grid=tuple(map("".join, self.board(solution or {})))))

    def picture(self, solution: Mapping[str, int], drawing: bool) -> Picture:
        """Trees, tents (found ones bold or blue), counts above and at the left; in a terminal as T and triangles."""
        tents = self._tents(solution)

        def look(cell: Cell) -> Look:
            given = self.grid[cell[0]][cell[1]]
            if drawing:
                return Look(fill="#eef6e6" if tents and given != TREE else "white")
            if given == TREE:
                return Look(TREE)
            return Look("▲" if cell in tents or given == TENT else "", answer=cell in tents and given != TENT)

        def paint(axes: Axes, points: float) -> None:
            for cell in self.cells(TREE):
                _draw_tree(axes, *cell)
            for r, c in {*tents, *self.cells(TENT)}:
                _draw_tent(axes, r, c, INK if self.grid[r][c] == TENT else ANSWER, points)

        above, left = (tuple("" if n is None else str(n) for n in ns) for ns in (self.column_counts, self.row_counts))
        return Picture(
            grid_of_cells(self.size, look),
            *walls_around(self.size),
            above,
            tuple(f"{text} " for text in left),
            paint=paint,
        )

    def _tents(self, solution: Mapping[str, int]) -> set[Cell]:
        return {cell for cell, names in self.into.items() if any(solution.get(name) == 1 for name in names)}


def _name(tree: Cell, word: str) -> str:
    return f"{cell_name(tree)}_{word}"


def _draw_tree(axes: Axes, r: int, c: int) -> None:
    from matplotlib.patches import Circle, Rectangle

    axes.add_patch(Rectangle((c + 0.44, r + 0.55), 0.12, 0.32, facecolor="#8a5a2b"))
    for x, y, radius in ((0.36, 0.5, 0.19), (0.64, 0.5, 0.19), (0.5, 0.32, 0.21)):
        axes.add_patch(Circle((c + x, r + y), radius, facecolor="#3b8f3e"))


def _draw_tent(axes: Axes, r: int, c: int, colour: str, points: float) -> None:
    from matplotlib.patches import Polygon

    axes.add_patch(Polygon([(c + 0.5, r + 0.18), (c + 0.14, r + 0.82), (c + 0.86, r + 0.82)], facecolor=colour))
    axes.add_patch(Polygon([(c + 0.5, r + 0.45), (c + 0.37, r + 0.82), (c + 0.63, r + 0.82)], facecolor="white"))
    axes.plot((c + 0.45, c + 0.5, c + 0.55), (r + 0.1, r + 0.2, r + 0.1), color=colour, linewidth=points / 30)
