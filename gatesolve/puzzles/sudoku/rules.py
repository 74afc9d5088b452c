"""The rules of Sudoku, judged on a finished board.

Written apart from the model on purpose: values are sought one by one in every
row, column and box, and nothing here uses the groups the model is made from.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from gatesolve.puzzles.sudoku.grid import Box, Cells, cell_name


def broken_rules(cells: Cells, box: Box, diagonals: bool, solution: Mapping[str, int]) -> list[str]:
    """The rules that the board breaks once filled in, in words; empty when it is right."""
    side = len(cells)
    names = {cell_name(r, c) for r in range(side) for c in range(side)}
    broken = [f"{name} is not a cell of the board" for name in solution if name not in names]
    for r, row in enumerate(cells):
        for c, given in enumerate(row):
            name = cell_name(r, c)
            value = solution.get(name)
            if value is None:
                broken.append(f"{name} has no value")
            elif not 1 <= value <= side:
                broken.append(f"{name} is {value}, outside 1..{side}")
            elif given is not None and value != given:
                broken.append(f"{name} is {value} where {given} is given")
    counts: dict[str, Counter[int]] = {}
    for r in range(side):
        for c in range(side):
            value = solution.get(cell_name(r, c))
            for place in _places(r, c, side, box, diagonals):
                counts.setdefault(place, Counter()).update(() if value is None else (value,))
    for place, values in counts.items():
        broken += [f"{place}: {v} stands {n} times" for v, n in sorted(values.items()) if n > 1]
    return broken


def _places(r: int, c: int, side: int, box: Box, diagonals: bool) -> Iterator[str]:
    """The names of everything a cell must differ within, as a player would say them."""
    yield f"row {r + 1}"
    yield f"column {c + 1}"
    top, left = r - r % box[0], c - c % box[1]
    yield f"box of rows {top + 1}..{top + box[0]}, columns {left + 1}..{left + box[1]}"
    if diagonals and r == c:
        yield "diagonal from the top left"
    if diagonals and r + c + 1 == side:
        yield "diagonal from the top right"
