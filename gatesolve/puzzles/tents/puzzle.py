"""Tents & Trees: every tree gets a tent of its own beside it, and no two tents touch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from gatesolve.errors import InputError
from gatesolve.puzzles.base import Family
from gatesolve.puzzles.tents.board import TENT, TREE, Board, Cell, Counts, contradiction, first_fault
from gatesolve.puzzles.tents.rules import broken_rules, tents_of
from gatesolve.puzzles.tents.text import format_text, parse_text, recognises

if TYPE_CHECKING:
    import cpmpy
    from rich.console import RenderableType


@dataclass(frozen=True)
class Tents:
    """One Tents & Trees board; see `gatesolve.puzzles.tents.text` for how it is written.

    The tent of the tree in row i, column j (both from 1) lies above, left of, right of or below it:
    the variable ``r{i}c{j}_up`` (``_left``, ``_right``, ``_down``) is 1 for the one that is true.
    Only cells inside the board that hold no tree have a variable.

    Args:
        clues: trees, tents that are given, and the counts that are known.

    Raises:
        InputError: the board is faulty in a way that can be told without solving it.
    """

    clues: Board

    family: ClassVar[str] = "tents"

    def __post_init__(self) -> None:
        fault = first_fault(self.clues)
        if fault:
            raise InputError(fault, row=1, column=1)

    @classmethod
    def parse(cls, text: str, source: str = "<text>") -> Tents:
        """Read a board from its text, `gatesolve.puzzles.parse` with the family told.

        Raises:
            InputError: with the line and column where the fault is.
        """
        return cls(parse_text(text, source))

    @cached_property
    def into(self) -> Mapping[Cell, tuple[str, ...]]:
        """For each cell where a tent may lie, the variables that put one there."""
        found: dict[Cell, tuple[str, ...]] = {}
        for tree in self.clues.cells(TREE):
            for word, cell in self.clues.places(tree):
                found[cell] = (*found.get(cell, ()), _name(tree, word))
        return found

    @property
    def title(self) -> str:
        """One line: the size of the board and its trees."""
        rows, columns = self.clues.size
        counts: Counts = self.clues.row_counts + self.clues.column_counts
        missing = sum(count is None for count in counts)
        tail = f", {missing} of {len(counts)} counts missing" if missing else ""
        trees = len(self._trees)
        return f"Tents & Trees {rows}x{columns}: {trees} tree{'' if trees == 1 else 's'}{tail}"

    @property
    def contradiction(self) -> str | None:
        """Why the board has no solution, where that can be told without solving."""
        return contradiction(self.clues)

    def to_cpmpy(self) -> cpmpy.Model:
        """The board as a CPMpy model: one tent a tree, at most one tent in any 2x2 cells, the counts.

        Two cells touch exactly when some 2x2 cells hold both, so no other constraint is needed
        to keep tents apart, and none to keep two trees from one cell.
        """
        import cpmpy as cp

        choices = {tree: [_name(tree, word) for word, _ in self.clues.places(tree)] for tree in self._trees}
        variable: dict[str, Any] = {name: cp.boolvar(name=name) for names in choices.values() for name in names}
        model = cp.Model([cp.sum([variable[n] for n in names]) == 1 for names in choices.values()])

        def tents_in(cells: list[Cell]) -> list[Any]:
            return [variable[name] for cell in cells for name in self.into.get(cell, ())]

        rows, columns = self.clues.size
        for r in range(max(1, rows - 1)):
            for c in range(max(1, columns - 1)):
                close = tents_in([(r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)])
                if len(close) > 1:
                    model += cp.sum(close) <= 1
        for r, count in enumerate(self.clues.row_counts):
            model += _exactly(tents_in([(r, c) for c in range(columns)]), count)
        for c, count in enumerate(self.clues.column_counts):
            model += _exactly(tents_in([(r, c) for r in range(rows)]), count)
        for cell in self.clues.cells(TENT):
            model += _exactly(tents_in([cell]), 1)
        return model

    def board(self, solution: Mapping[str, int]) -> list[list[str]]:
        """The finished board: ``T`` for a tree, ``^`` for a tent, ``.`` for grass."""
        return [list(row) for row in self._finished(solution)]

    def check(self, solution: Mapping[str, int]) -> list[str]:
        """The rules that the finished board breaks, in words; empty when it is right."""
        tents, faults = tents_of(self.clues, solution)
        return faults + broken_rules(self.clues, tents)

    def text(self, solution: Mapping[str, int] | None = None) -> str:
        """The board in its file format; with a solution its tents stand in it."""
        grid = self.clues.grid if solution is None else self._finished(solution)
        return format_text(Board(grid, self.clues.row_counts, self.clues.column_counts))

    def render(self, solution: Mapping[str, int] | None = None) -> RenderableType:
        """The picture for a terminal: T for trees, triangles for tents, those found bold."""
        from gatesolve.puzzles.tents.picture import terminal_picture

        return terminal_picture(self.clues, self._tents(solution))

    def draw(self, path: Path | str, solution: Mapping[str, int] | None = None) -> None:
        """Write the picture as PNG or SVG, by the suffix of ``path``.

        Raises:
            InputError: another suffix, or a place that cannot be written to.
        """
        from gatesolve.puzzles.tents.picture import draw_picture

        draw_picture(self.clues, self._tents(solution), Path(path))

    @property
    def _trees(self) -> list[Cell]:
        return list(self.clues.cells(TREE))

    def _tents(self, solution: Mapping[str, int] | None) -> set[Cell]:
        found = solution or {}
        return {cell for cell, names in self.into.items() if any(found.get(name) == 1 for name in names)}

    def _finished(self, solution: Mapping[str, int]) -> tuple[str, ...]:
        tents = self._tents(solution)
        return tuple(
            "".join(TENT if (r, c) in tents else held for c, held in enumerate(row))
            for r, row in enumerate(self.clues.grid)
        )


def _name(tree: Cell, word: str) -> str:
    return f"r{tree[0] + 1}c{tree[1] + 1}_{word}"


def _exactly(variables: list[Any], count: int | None) -> Any:
    """The constraint that ``count`` of the variables are 1; nothing for a missing count."""
    import cpmpy as cp

    if count is None:
        return []
    return cp.sum(variables) == count if variables else cp.BoolVal(count == 0)


_EXAMPLE = """\
  1 0 1 0 1
1 . T . . .
0 T . . . .
2 . . . T .
"""
FAMILY = Family(
    Tents.family, recognises, Tents.parse, "a tent beside each tree, none touching, counts by row and column", _EXAMPLE
)
