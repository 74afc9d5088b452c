"""Sudokus as models of their empty cells, from what the clues leave; used by the contests' commands."""

from __future__ import annotations

from itertools import product
from pathlib import Path

from gatesolve.model import AllDifferent, Constraint, Model, Table, Variable

Cell = tuple[int, int]


def read_clues(path: Path) -> dict[Cell, int]:
    """The digit of each cell, 0 where it is empty, below two lines of head."""
    lines = [line.replace(" ", "") for line in path.read_text().splitlines()[2:]]
    return {(r, c): 0 if word == "." else int(word) for r, line in enumerate(lines) for c, word in enumerate(line)}


def list_units(box: int) -> list[list[Cell]]:
    """Rows, columns and boxes of a board whose boxes have this width and height."""
    cells = list(product(range(box**2), repeat=2))
    parts = (lambda r, c: r, lambda r, c: c, lambda r, c: (r // box, c // box))
    return [[k for k in cells if part(*k) == one] for part in parts for one in dict.fromkeys(part(*k) for k in cells)]


def list_candidates(clues: dict[Cell, int], box: int) -> dict[str, tuple[int, ...]]:
    """For each empty cell the digits that no clue in its row, column or box has."""
    units, digits = list_units(box), range(1, box**2 + 1)
    seen = {cell: {clues[other] for unit in units if cell in unit for other in unit} for cell in clues}
    return {
        _name(cell): tuple(digit for digit in digits if digit not in seen[cell])
        for cell, clue in clues.items()
        if not clue
    }


def state_model(clues: dict[Cell, int], box: int, domains: dict[str, tuple[int, ...]] | None = None) -> Model:
    """Empty cells that differ in each row, column and box, over their candidates or wider domains.

    Where a domain is wider than the candidates, that no clue repeats is a constraint on the cell.
    """
    candidates = list_candidates(clues, box)
    domains = candidates if domains is None else domains
    groups = [tuple(_name(cell) for cell in unit if not clues[cell]) for unit in list_units(box)]
    constraints: list[Constraint] = [AllDifferent(group) for group in groups if len(group) > 1]
    constraints += [
        Table((cell,), tuple((digit,) for digit in kept))
        for cell, kept in candidates.items()
        if len(kept) < len(domains[cell])
    ]
    return Model(tuple(Variable(cell, kept) for cell, kept in domains.items()), tuple(constraints))


def _name(cell: Cell) -> str:
    return f"r{cell[0] + 1}c{cell[1] + 1}"
