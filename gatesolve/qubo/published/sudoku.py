"""Sudoku and Kakuro: one variable for each value of each cell."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import factorial

from gatesolve.errors import UnsupportedError
from gatesolve.puzzles.grid import cell_name
from gatesolve.puzzles.kakuro import Kakuro
from gatesolve.puzzles.sudoku import Sudoku
from gatesolve.qubo.published.formula import FormulaTerms, Named, Published, all_pairs


def sudoku(puzzle: Sudoku, keep: bool = False) -> Published:
    """One value a cell (-1 for each, +2 for each pair of them), and 1 for equal values in a row, column or box.

    Without its offset a solution's energy is minus the number of cells that have variables, -81 on an empty 9x9
    board. The blog annealed spins whose couplings between cells lack the linear part of the pairs; where every cell
    has one value that differs from this by a constant.

    Raises:
        UnsupportedError: the board has cages, of whose sums the blog has no formula.
    """
    if puzzle.cages:
        raise UnsupportedError("the published QUBO for sudoku has no sums of cages: give a board without cages")
    side = len(puzzle.cells)
    values = range(1, side + 1)
    every = [(r, c) for r in range(side) for c in range(side)]
    units = [[(r, c) for c in range(side)] for r in range(side)] + [[(r, c) for r in range(side)] for c in range(side)]
    units += [[(r, c) for r, c in every if puzzle.boxes[r][c] == number] for number in range(side)]
    if puzzle.diagonals:
        units += [[(k, k) for k in range(side)], [(k, side - 1 - k) for k in range(side)]]
    cells = [cell_name(cell) for cell in every]
    seen = all_pairs([cell_name(cell) for cell in unit] for unit in units)
    given = {cell_name((r, c)): v for r, c in every if (v := puzzle.cells[r][c]) is not None}
    known = {_name(cell, v): 0 for pair in seen for cell, other in (pair, pair[::-1]) if (v := given.get(other))}
    known |= {_name(cell, v): int(v == mine) for cell, mine in given.items() for v in values}
    sheet = _make_sheet(cells, values, known, keep)
    for cell in cells:
        sheet.exactly((_name(cell, v) for v in values), 1)
    sheet.together((_name(a, v), _name(b, v)) for a, b in seen for v in values)
    source = (
        "Y. Minato, 'Solving the world's most difficult SUDOKU problem using ising model' (2019): sel(9, 1) and pairs"
    )
    return _publish(sheet, source, cells, values)


def kakuro(puzzle: Kakuro, keep: bool = False) -> Published:
    """One value a cell (weight 40), different values in a run (1), values that occur in a run's sums (10).

    The blog squares ``sum over the ways to make the sum, cell by cell, of the variables - their number``: 4 and -3 for
    two cells, 36 and -11 for three. That says that each cell has a value of *some* way, not that all have those
    of one, so wrong sums can have the ground energy, too. The blog adds the offset of its last run alone; here every
    square has its own, so that solutions have energy 0. In runs longer than the blog's, and where values occur in
    unequally many ways, each value counts once.
    """
    values = range(puzzle.low, puzzle.high + 1)
    white = {cell_name(position): given for position, given in puzzle.white.items()}
    known = {_name(cell, v): int(v == given) for cell, given in white.items() if given is not None for v in values}
    sheet = _make_sheet(list(white), values, known, keep)
    runs = [([cell_name(position) for position in run.cells], run.total) for run in puzzle.runs]
    for a, b in all_pairs(cells for cells, _ in runs):
        sheet.together((_name(a, v), _name(b, v)) for v in values)
    for cells, total in runs:
        ways = [way for way in combinations(values, len(cells)) if sum(way) == total]
        times = {v: sum(v in way for way in ways) * factorial(len(cells) - 1) for v in values}
        often = set(times.values()) - {0}
        weight = often.pop() if len(often) == 1 and len(cells) <= 3 else 1
        allowed = [_name(cell, v) for cell in cells for v in values if times[v]]
        sheet.exactly(allowed, len(cells), 10 * weight**2)
    for cell in white:
        sheet.exactly((_name(cell, v) for v in values), 1, 40)
    source = "V. Uotila's blog on Kakuro with Grover's algorithm (2022), 'Encode constraints as QUBO'"
    caveat = "the sums: each cell has a value of some way to make its run's sum, not all of one way"
    return _publish(sheet, source, list(white), values, caveat)


def _name(cell: str, value: int) -> str:
    return f"{cell}_{value}"


def _make_sheet(cells: Sequence[str], values: range, known: Named, keep: bool) -> FormulaTerms:
    return FormulaTerms({_name(cell, v): f"{cell} = {v}" for cell in cells for v in values}, known, keep)


def _publish(sheet: FormulaTerms, source: str, cells: Sequence[str], values: range, caveat: str = "") -> Published:
    """A state stands for the value of each cell: of several the first, and none where there is none."""

    def read(state: Named) -> dict[str, int]:
        held = {cell: [v for v in values if state[_name(cell, v)]] for cell in cells}
        return {cell: several[0] for cell, several in held.items() if several}

    stands_for = {_name(cell, v): [(cell, v)] for cell in cells for v in values}
    return sheet.finish(source, read, stands_for, caveat)
