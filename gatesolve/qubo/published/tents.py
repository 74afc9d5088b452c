"""Tents & Trees (arXiv:2410.06429, section 2.5): one 0/1 variable for each cell beside a tree."""

from __future__ import annotations

from gatesolve.puzzles.grid import Cell, cell_name
from gatesolve.puzzles.tents import TENT, TREE, Tents
from gatesolve.qubo.published.formula import FormulaTerms, Named, Published, clear_beside
from gatesolve.qubo.published.queens import PAPER, neighbours


def tents(puzzle: Tents, keep: bool = False) -> Published:
    """Counts, no two tents that touch, and one or two tents around each tree: equation (22).

    Solutions have the energy ``trees / 4``. Missing counts have no term.
    """
    around = {tree: [cell for _, cell in puzzle.places(tree)] for tree in puzzle.cells(TREE)}
    cells = sorted({cell for places in around.values() for cell in places})
    touching = [(cell_name(a), cell_name(b)) for a, b in neighbours(cells)]
    known = clear_beside({cell_name(cell): 1 for cell in puzzle.cells(TENT)}, touching)
    sheet = FormulaTerms({cell_name(cell): f"a tent at {cell_name(cell)}" for cell in cells}, known, keep)
    for axis, counts in enumerate((puzzle.row_counts, puzzle.column_counts)):
        for number, count in enumerate(counts):
            if count is not None:
                sheet.exactly((cell_name(cell) for cell in cells if cell[axis] == number), count)
    sheet.together(touching)
    for places in around.values():
        sheet.either(sheet.literals(map(cell_name, places)), 1)

    def read(state: Named) -> dict[str, int]:
        return _shared_out(puzzle, {cell for cell in cells if state[cell_name(cell)]})

    stands_for = {cell_name(cell): [(name, 1) for name in puzzle.into[cell]] for cell in cells}
    caveat = "that each tree has a tent of its own: two trees may share one while a third has two"
    return sheet.finish(f"{PAPER}, section 2.5, eq. (22)", read, stands_for, caveat)


def _shared_out(puzzle: Tents, standing: set[Cell]) -> dict[str, int]:
    """The puzzle's variables for tents at some cells: a tent of its own for as many trees as can have one.

    Tents that no tree is left for go to a tree beside them, so that none is lost to the judge.
    """
    owner: dict[Cell, Cell] = {}

    def give(tree: Cell, tried: set[Cell]) -> bool:
        for _, cell in puzzle.places(tree):
            if cell in standing and cell not in tried:
                tried.add(cell)
                if cell not in owner or give(owner[cell], tried):
                    owner[cell] = tree
                    return True
        return False

    for tree in puzzle.cells(TREE):
        give(tree, set())
    values = {name: 0 for names in puzzle.into.values() for name in names}
    for cell in standing:
        candidates = puzzle.into[cell]
        mine = [n for n in candidates if cell in owner and n.startswith(f"{cell_name(owner[cell])}_")]
        values[(mine or list(candidates))[0]] = 1
    return values
