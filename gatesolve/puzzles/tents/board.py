"""The Tents & Trees board: its cells, its counts, what makes it faulty, and the rules, judged on an answer.

The judging is written apart from the model on purpose: only where the tents stand is looked at, and the pairing of
trees and tents is found anew by augmenting paths.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass

from gatesolve.puzzles.base import Fault
from gatesolve.puzzles.grid import Cell, by_cell, cell_name, list_touching, neighbours
from gatesolve.puzzles.reading import count

Counts = tuple[int | None, ...]
"""Tents of each row or column; None where the count is missing."""

TREE, TENT, FREE = "T", "^", "."
MAX_SIDE = 100
"""Most rows or columns of a board."""

DIRECTIONS: tuple[tuple[str, int, int], ...] = (("up", -1, 0), ("left", 0, -1), ("right", 0, 1), ("down", 1, 0))
"""Where a tent can lie, seen from its tree: name, step in rows, step in columns."""


@dataclass(frozen=True)
class TentsBoard:
    """The clues: one string a row (`TREE`, `TENT` for a tent that is given, `FREE`) and the tents of each line."""

    grid: tuple[str, ...]
    row_counts: Counts
    column_counts: Counts

    @property
    def size(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self.grid), len(self.grid[0])

    def cells(self, letter: str) -> Iterator[Cell]:
        """The cells that hold ``letter``, row by row."""
        return (cell for cell, held in by_cell(self.grid).items() if held == letter)

    def places(self, tree: Cell) -> Iterator[tuple[str, Cell]]:
        """The cells where a tree's tent may lie: inside the board and not a tree; with the direction's name."""
        rows, columns = self.size
        for name, dr, dc in DIRECTIONS:
            r, c = tree[0] + dr, tree[1] + dc
            if 0 <= r < rows and 0 <= c < columns and self.grid[r][c] != TREE:
                yield name, (r, c)

    def first_fault(self) -> Fault | None:
        return None if any(self.cells(TREE)) else Fault("the board has no tree: write T for a tree", (0, 0))

    @property
    def contradiction(self) -> str | None:
        """Why the board has no solution, where a tree, a given tent or a count shows it."""
        places = {tree: {cell for _, cell in self.places(tree)} for tree in self.cells(TREE)}
        for tree, free in places.items():
            if not free:
                return f"the tree at {cell_name(tree)} has no free cell beside it"
        beside = {cell for free in places.values() for cell in free}
        for tent in self.cells(TENT):
            if tent not in beside:
                return f"the given tent at {cell_name(tent)} has no tree beside it"
        for a, b in list_touching(list(self.cells(TENT))):
            return f"the given tents at {cell_name(a)} and {cell_name(b)} touch"
        return _count_fault(self, len(places))


def _count_fault(board: TentsBoard, trees: int) -> str | None:
    """Return the fault of the counts: more than a line can hold, or sums that are not the number of trees."""
    height, width = board.size
    lines = (("row", board.row_counts, width), ("column", board.column_counts, height))
    for part, counts, length in lines:
        for k, tents in enumerate(counts):
            if tents is not None and tents > (length + 1) // 2:
                return f"{part} {k + 1} cannot hold {count(tents, 'tent')}, as tents never touch"
    for part, counts, _ in lines:
        known = [tents for tents in counts if tents is not None]
        if sum(known) > trees or (len(known) == len(counts) and sum(known) != trees):
            return f"the {part} counts add up to {sum(known)} but {count(trees, 'tree')} must have one tent each"
    return None


def broken_rules(board: TentsBoard, tents: Set[Cell]) -> list[str]:
    """The rules that tents at these cells break, in words; empty when the board is right."""
    return [
        *_broken_in_cells(board, tents),
        *_broken_counts("row", board.row_counts, [r for r, _ in tents]),
        *_broken_counts("column", board.column_counts, [c for _, c in tents]),
        *_broken_pairing(board, tents),
    ]


def _broken_in_cells(board: TentsBoard, tents: Set[Cell]) -> Iterator[str]:
    """Tents on trees or outside, tents that touch, given tents that are gone."""
    rows, columns = board.size
    for r, c in sorted(tents):
        if not (0 <= r < rows and 0 <= c < columns):
            yield f"the tent at {cell_name((r, c))} is outside the board"
        elif board.grid[r][c] not in (FREE, TENT):
            yield f"the tent at {cell_name((r, c))} stands on a tree"
    yield from (f"the tents at {cell_name(a)} and {cell_name(b)} touch" for a, b in list_touching(tents))
    yield from (f"{cell_name(cell)} has no tent where one is given" for cell in board.cells(TENT) if cell not in tents)


def _broken_counts(word: str, counts: Counts, lines: list[int]) -> Iterator[str]:
    for k, tents in enumerate(counts):
        if tents is not None and lines.count(k) != tents:
            yield f"{word} {k + 1} has {lines.count(k)} tents, not {tents}"


def _broken_pairing(board: TentsBoard, tents: Set[Cell]) -> Iterator[str]:
    """Whether every tree can have a tent of its own beside it, and every tent a tree."""
    owner: dict[Cell, Cell] = {}
    for tree in board.cells(TREE):
        if not _find_tent(tree, tents, owner, set()):
            yield f"the tree at {cell_name(tree)} cannot have a tent of its own"
    for tent in sorted(set(tents) - set(owner)):
        yield f"the tent at {cell_name(tent)} cannot have a tree of its own"


def _find_tent(tree: Cell, tents: Set[Cell], owner: dict[Cell, Cell], tried: set[Cell]) -> bool:
    """Give ``tree`` a tent, moving other trees to other tents where needed; whether it worked."""
    for tent in neighbours(tree):
        if tent in tents and tent not in tried:
            tried.add(tent)
            if tent not in owner or _find_tent(owner[tent], tents, owner, tried):
                owner[tent] = tree
                return True
    return False


def tents_of(board: TentsBoard, solution: Mapping[str, int]) -> tuple[set[Cell], list[str]]:
    """Where the tents of a solution stand, and what is wrong with the way it names them."""
    steps = {"up": (-1, 0), "left": (0, -1), "right": (0, 1), "down": (1, 0)}
    tents: set[Cell] = set()
    faults: list[str] = []
    known: set[str] = set()
    for r, c in board.cells(TREE):
        pitched = []
        for word, (dr, dc) in steps.items():
            known.add(variable := f"{cell_name((r, c))}_{word}")
            if solution.get(variable) == 1:
                pitched.append((r + dr, c + dc))
            elif solution.get(variable, 0) != 0:
                faults.append(f"{variable} is {solution[variable]}, neither 0 nor 1")
        if len(pitched) != 1:
            faults.append(f"the tree at {cell_name((r, c))} is given {len(pitched)} tents, not 1")
        faults += [f"the tent at {cell_name(tent)} is given to two trees" for tent in pitched if tent in tents]
        tents.update(pitched)
    faults += [f"{variable} is not a place beside a tree" for variable in solution if variable not in known]
    return tents, faults
