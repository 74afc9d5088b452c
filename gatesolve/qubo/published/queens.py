"""Queens (arXiv:2410.06429, section 2) and Two Not Touch: one 0/1 variable a cell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gatesolve.puzzles.grid import BLOCKED, OUTSIDE, Cell, cell_name, cells_by_name
from gatesolve.puzzles.queens import Queens, attacks
from gatesolve.puzzles.queens_board import QueensBoard, QueensRegion
from gatesolve.puzzles.starbattle import StarBattle
from gatesolve.qubo.forms import exactly
from gatesolve.qubo.polynomial import Number, add, scale, variable
from gatesolve.qubo.published.formula import FormulaTerms, Published, all_pairs, clear_beside, ones
from gatesolve.qubo.qubo import Qubo

PAPER = "arXiv:2410.06429v2"


def queens(puzzle: Queens, keep: bool = False) -> Published:
    """Rows, columns, diagonals and regions: equations (4), (9), (14), (16) and (18) to (20), as the board asks.

    Lines and regions with one number of queens are squares, those with two consecutive numbers squares about the
    middle (ground 1/4 each), pairs that attack each other cost 1. Of regions that share out the whole board the
    largest is left out, as the paper leaves out one: its count follows from the others'.

    Raises:
        UnsupportedError: a line or region with three or more possible numbers of queens.
    """
    names = {cell: cell_name(cell) for cell in puzzle.usable()}
    attacking = all_pairs([names[cell] for cell in clique if cell in names] for clique in attacks(puzzle))
    regions = [region._replace(cells=tuple(c for c in region.cells if c in names)) for region in puzzle.list_groups()]
    known = _deduce_given(puzzle, regions, attacking)
    sheet = FormulaTerms({name: f"a queen at {name}" for name in names.values()}, known, keep)
    spare = _spare(puzzle, regions)
    for region in regions:
        if region is not spare:
            inside = sheet.literals(names[cell] for cell in region.cells)
            sheet.between(inside, *region.queens, f"queens in {region.name}")
    sheet.together(attacking)
    return sheet.finish(f"{PAPER}, section 2, eq. (4), (9), (16)-(20)", dict, ones(names.values()))


def starbattle(puzzle: StarBattle, keep: bool = False) -> Published:
    """Two Not Touch: squares for rows, columns and regions; each of two touching stars counts the other.

    The text has one star; here it is as many as the board asks.
    """
    grid = puzzle.regions
    height, width = len(grid), len(grid[0])
    cells = [(r, c) for r in range(height) for c in range(width) if grid[r][c] not in (BLOCKED, OUTSIDE)]
    groups = [[cell for cell in cells if cell[0] == r] for r in range(height)]
    groups += [[cell for cell in cells if cell[1] == c] for c in range(width)]
    groups += cells_by_name(grid).values()
    touching = [(cell_name(a), cell_name(b)) for a, b in neighbours(cells)]
    known = clear_beside({cell_name(cell): 1 for cell in puzzle.placed}, touching)
    sheet = FormulaTerms({cell_name(cell): f"a star at {cell_name(cell)}" for cell in cells}, known, keep)
    for group in groups:
        sheet.exactly(map(cell_name, group), puzzle.stars)
    sheet.together(touching, 2)  # the text sums over ordered pairs
    source = "Rogetzer, Seelig and Heinreichsberger, 'Two not touch', constraints 1 to 4"
    return sheet.finish(source, dict, ones(map(cell_name, cells)))


def neighbours(cells: list[Cell]) -> Iterator[tuple[Cell, Cell]]:
    """Pairs of cells that touch at a side or a corner, once each."""
    inside = set(cells)
    for r, c in cells:
        yield from (((r, c), to) for to in ((r, c + 1), (r + 1, c - 1), (r + 1, c), (r + 1, c + 1)) if to in inside)


def _deduce_given(board: QueensBoard, regions: list[QueensRegion], attacks: list[tuple[str, str]]) -> dict[str, int]:
    """The cells that given queens determine: what they attack, and full lines and regions."""
    known = clear_beside({cell_name(cell): 1 for cell in board.list_given()}, attacks)
    for region in regions:
        inside = [cell_name(cell) for cell in region.cells]
        if sum(known.get(name, 0) for name in inside) >= region.queens.high:
            known.update({name: 0 for name in inside if not known.get(name)})
    return known


def _spare(board: QueensBoard, regions: list[QueensRegion]) -> QueensRegion | None:
    """The largest coloured region, if its count follows from the rows' and the other regions'."""
    coloured = [r for r in regions if r.name in {f"region {region.name}" for region in board.list_regions()}]
    coloured = coloured[: len(board.list_regions())]  # further regions may bear the same names
    rows = [r for r in regions if r.name.startswith("row ")]
    exact = all(r.queens.low == r.queens.high for r in (*coloured, *rows))
    covered = [cell for region in coloured for cell in region.cells]
    if not coloured or not exact or sorted(covered) != sorted(board.usable()):
        return None
    if sum(r.queens.low for r in coloured) != sum(r.queens.low for r in rows):
        return None
    return max(coloured, key=lambda region: len(region.cells))


def pick_smallest(numbers: Sequence[Number], count: int, gamma: Number) -> Qubo:
    """Choose ``count`` of ``numbers`` with the least sum: ``sum(n x) + gamma * (sum(x) - count)**2``.

    With a ``gamma`` above the largest of the numbers minus the least, every minimiser chooses ``count``. The text
    prints -2985 x - 2979 y - 2981 z + 2000 (xy + xz + yz) for the numbers 17, 21, 19 and ``gamma`` 1000; that is the
    formula of 15, 21, 19 (17 gives -2983), and the choice, x and z, is the same.

    Source: D. Rogetzer, J. Seelig, C. Heinreichsberger, 'Two not touch', basic principles.
    """
    chosen = [variable(k) for k in range(len(numbers))]
    cost = add(scale(x, n) for x, n in zip(chosen, numbers, strict=True))
    names = [f"x{k}" for k in range(len(numbers))]
    return Qubo.of(names, add([cost, scale(exactly(chosen, count), gamma)]), [f"{n} is chosen" for n in numbers])
