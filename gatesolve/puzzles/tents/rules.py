"""The rules of Tents & Trees, judged on a finished board.

Written apart from the model on purpose: only where the tents stand is looked at, and the pairing of
trees and tents is found anew by augmenting paths.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set

from gatesolve.puzzles.grid import Cell, cell_name, list_touching, neighbours
from gatesolve.puzzles.tents.board import FREE, TENT, TREE, Board, Counts


def broken_rules(board: Board, tents: Set[Cell]) -> list[str]:
    """The rules that tents at these cells break, in words; empty when the board is right."""
    return [
        *_broken_in_cells(board, tents),
        *_broken_counts("row", board.row_counts, [r for r, _ in tents]),
        *_broken_counts("column", board.column_counts, [c for _, c in tents]),
        *_broken_pairing(board, tents),
    ]


def _broken_in_cells(board: Board, tents: Set[Cell]) -> Iterator[str]:
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
    for k, count in enumerate(counts):
        if count is not None and lines.count(k) != count:
            yield f"{word} {k + 1} has {lines.count(k)} tents, not {count}"


def _broken_pairing(board: Board, tents: Set[Cell]) -> Iterator[str]:
    """Whether every tree can have a tent of its own beside it, and every tent a tree."""
    owner: dict[Cell, Cell] = {}
    for tree in board.cells(TREE):
        if not _paired(tree, tents, owner, set()):
            yield f"the tree at {cell_name(tree)} cannot have a tent of its own"
    for tent in sorted(set(tents) - set(owner)):
        yield f"the tent at {cell_name(tent)} cannot have a tree of its own"


def _paired(tree: Cell, tents: Set[Cell], owner: dict[Cell, Cell], tried: set[Cell]) -> bool:
    """Give ``tree`` a tent, moving other trees to other tents where needed; whether it worked."""
    for tent in neighbours(tree):
        if tent in tents and tent not in tried:
            tried.add(tent)
            if tent not in owner or _paired(owner[tent], tents, owner, tried):
                owner[tent] = tree
                return True
    return False


def tents_of(board: Board, solution: Mapping[str, int]) -> tuple[set[Cell], list[str]]:
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
