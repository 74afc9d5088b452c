"""The Kakuro board: its cells, its runs, what makes it faulty, and the rules, judged on a finished board.

The judging is written apart from the model on purpose: lines are read as a person would, token by token, and no runs
are used.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from gatesolve.puzzles.base import Fault, misread, overwritten
from gatesolve.puzzles.grid import Cell, by_cell, cell_name

Direction = Literal["across", "down"]

MAX_SIDE = 100
"""Most rows or columns of a board; a board far above what any backend could hold."""


@dataclass(frozen=True)
class Black:
    """A black cell, with the sum of the run below it and of the run to its right, if it has them."""

    down: int | None = None
    across: int | None = None


@dataclass(frozen=True)
class White:
    """A white cell, with its value if that is given as a clue."""

    given: int | None = None


Clues = tuple[tuple[Black | White, ...], ...]


@dataclass(frozen=True)
class Run:
    """A longest straight stretch of white cells in reading order.

    Its ``clue`` is the black cell before it, None at the edge of the board; ``total`` is the sum written there, if any.
    """

    direction: Direction
    cells: tuple[Cell, ...]
    clue: Cell | None
    total: int | None


@dataclass(frozen=True)
class KakuroBoard:
    """The cells row by row, and the smallest and the largest value of one."""

    grid: Clues
    low: int = 1
    high: int = 9

    @cached_property
    def white(self) -> dict[Cell, int | None]:
        """The white cells with their given values, row by row."""
        return {cell: held.given for cell, held in by_cell(self.grid).items() if isinstance(held, White)}

    @cached_property
    def runs(self) -> tuple[Run, ...]:
        """The runs of two or more cells and those of one cell with a sum; those across first."""
        return tuple(run for run in self.stretches() if len(run.cells) > 1 or run.total is not None)

    def stretches(self) -> Iterator[Run]:
        """All stretches of white cells, of one cell too: those across row by row, then those down."""
        directions: tuple[tuple[Direction, int, int], ...] = (("across", 0, 1), ("down", 1, 0))
        for direction, dr, dc in directions:
            for r, c in self.white:
                if (r - dr, c - dc) in self.white:
                    continue
                length = 1
                while (r + length * dr, c + length * dc) in self.white:
                    length += 1
                cells = tuple((r + k * dr, c + k * dc) for k in range(length))
                clue = None if r - dr < 0 or c - dc < 0 else (r - dr, c - dc)
                total = None if clue is None else getattr(self.grid[clue[0]][clue[1]], direction)
                yield Run(direction, cells, clue, total)

    def first_fault(self) -> Fault | None:
        """The first fault, row by row, in the shape of the runs, where sums stand, and the range of given values."""
        starts = {(run.cells[0], run.direction): run for run in self.stretches()}
        if all(len(run.cells) == 1 for run in starts.values()):
            return Fault("the board has no run of two or more white cells: write . for a white cell", (0, 0))
        in_run = {cell for run in self.runs for cell in run.cells}
        for (r, c), cell in by_cell(self.grid).items():
            if isinstance(cell, Black):
                across = _sum_fault("across", cell.across, starts.get(((r, c + 1), "across")))
                message = _sum_fault("down", cell.down, starts.get(((r + 1, c), "down"))) or across
            else:
                sums = (_missing_sum(starts.get(((r, c), "across"))), _missing_sum(starts.get(((r, c), "down"))))
                lonely = None if (r, c) in in_run else "a white cell in no run: make it black (#)"
                message = lonely or sums[0] or sums[1]
                if cell.given is not None and not self.low <= cell.given <= self.high:
                    mend = "write . for an empty cell, or widen the line 'values'"
                    message = f"given {cell.given} is outside {self.low}..{self.high}: {mend}"
            if message:
                return Fault(message, (r, c))
        return None

    @property
    def contradiction(self) -> str | None:
        """Why the board has no solution, where the sum of one run shows it."""
        low, high = self.low, self.high
        for run in self.stretches():
            length = len(run.cells)
            if run.total is None:
                continue
            name = f"the sum {run.total} {run.direction} of the run from {cell_name(run.cells[0])}"
            if length > high - low + 1:
                return f"{name} needs {length} different values and {low}..{high} has only {high - low + 1}"
            # Every sum between the two can be made too.
            least, most = sum(range(low, low + length)), sum(range(high - length + 1, high + 1))
            if length == 1 and not least <= run.total <= most:
                cell = cell_name(run.cells[0])
                return f"the sum {run.total} {run.direction} of the one cell {cell} is outside {low}..{high}"
            if not least <= run.total <= most:
                return f"{name} cannot be made: {length} different values of {low}..{high} make {least}..{most}"
        return None

    def check(self, solution: Mapping[str, int]) -> list[str]:
        white = {cell_name(cell): given for cell, given in self.white.items()}
        broken = misread(solution, dict.fromkeys(white, range(self.low, self.high + 1)), "is not a white cell")
        broken += overwritten(solution, white)
        if not white.keys() <= solution.keys():
            return broken  # sums of an unfinished board mean nothing
        rows = [[(held, solution.get(cell_name((r, c)), 0)) for c, held in enumerate(row)]
                for r, row in enumerate(self.grid)]  # fmt: skip
        for k, row in enumerate(rows, 1):
            broken += _broken_in_line(row, "across", f"row {k}")
        for k, column in enumerate(zip(*rows, strict=True), 1):
            broken += _broken_in_line(column, "down", f"column {k}")
        return broken


def _sum_fault(direction: Direction, total: int | None, run: Run | None) -> str | None:
    """Return the fault of a sum written in a black cell, ``run`` being the run it leads."""
    if total is None or run is not None:
        return None
    beside = "to its right" if direction == "across" else "below it"
    return f"sum {total} {direction} has no white cell {beside}: remove the sum, or make that cell white (.)"


def _missing_sum(run: Run | None) -> str | None:
    """Return the fault of a run of two or more cells that has no sum."""
    if run is None or len(run.cells) == 1 or run.total is not None:
        return None
    across = run.direction == "across"
    token, side = ("\\SUM", "left") if across else ("SUM\\", "top")
    if run.clue is not None:
        mend = f"write {token} in the black cell {'to the left' if across else 'above'}"
    else:
        mend = f"add a {'column' if across else 'row'} of black cells at the {side}, with {token} in the one before it"
    return f"the run of {len(run.cells)} cells {run.direction} that starts here has no sum: {mend}"


def _broken_in_line(line: Sequence[tuple[Black | White, int]], direction: Direction, place: str) -> Iterator[str]:
    """The rules broken along one row or column: each black cell ends a run and begins the next."""
    wanted: int | None = None
    run: list[int] = []
    for held, value in (*line, (Black(), 0)):
        if isinstance(held, White):
            run.append(value)
            continue
        shown = " + ".join(map(str, run))
        if wanted is not None and sum(run) != wanted:
            yield f"{place}: {shown} = {sum(run)}, not {wanted} ({direction})"
        for twice in sorted({v for v in run if run.count(v) > 1}):
            yield f"{place}: {twice} is repeated in {shown} ({direction})"
        wanted, run = (held.across if direction == "across" else held.down), []
