"""The rules of Sudoku, judged on a finished board.

Written apart from the model on purpose: values are sought one by one in every
row, column, box and cage, and nothing here uses the groups the model is made from.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from gatesolve.puzzles.base import misread, overwritten
from gatesolve.puzzles.grid import cell_name
from gatesolve.puzzles.sudoku.grid import Board, Cage


def broken_rules(board: Board, solution: Mapping[str, int]) -> list[str]:
    """The rules that the board breaks once filled in, in words; empty when it is right."""
    side = len(board.cells)
    given = {cell_name((r, c)): value for r, row in enumerate(board.cells) for c, value in enumerate(row)}
    broken = misread(solution, dict.fromkeys(given, range(1, side + 1)), "is not a cell of the board")
    broken += overwritten(solution, {name: value for name, value in given.items() if value is not None})
    counts: dict[str, Counter[int]] = {}
    for r in range(side):
        for c in range(side):
            value = solution.get(cell_name((r, c)))
            for place in _places(board, r, c):
                counts.setdefault(place, Counter()).update(() if value is None else (value,))
    for place, values in counts.items():
        broken += [f"{place}: {v} stands {n} times" for v, n in sorted(values.items()) if n > 1]
    for cage in board.cages:
        broken += _broken_in_cage(cage, solution)
    return broken


def _places(board: Board, r: int, c: int) -> Iterator[str]:
    """The names of everything but cages that a cell must differ within, as a player would say them."""
    yield f"row {r + 1}"
    yield f"column {c + 1}"
    if board.box is None:
        number = board.regions[r][c]
        first = next((i, row.index(number)) for i, row in enumerate(board.regions) if number in row)
        yield f"box of {cell_name(first)}"
    else:
        top, left = r - r % board.box[0], c - c % board.box[1]
        yield f"box of rows {top + 1}..{top + board.box[0]}, columns {left + 1}..{left + board.box[1]}"
    if board.diagonals and r == c:
        yield "diagonal from the top left"
    if board.diagonals and r + c + 1 == len(board.cells):
        yield "diagonal from the top right"


def _broken_in_cage(cage: Cage, solution: Mapping[str, int]) -> Iterator[str]:
    """The rules broken in one cage: no value twice, and the sum, once all of it is filled in."""
    values = [solution[name] for name in (cell_name(cell) for cell in cage.cells) if name in solution]
    place = f"cage of {cell_name(cage.cells[0])}"
    for value, times in sorted(Counter(values).items()):
        if times > 1:
            yield f"{place}: {value} stands {times} times"
    if len(values) == len(cage.cells) and sum(values) != cage.total:
        yield f"{place}: {' + '.join(map(str, values))} = {sum(values)}, not {cage.total}"
