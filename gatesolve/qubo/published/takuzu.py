"""Takuzu and Tango (arXiv:2410.06429, section 3): one 0/1 variable a cell, fewer where signs tie cells together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gatesolve.puzzles.grid import Cell, cell_name
from gatesolve.puzzles.takuzu import Takuzu
from gatesolve.puzzles.takuzu_board import Cells, Rules, TakuzuLine, diagonal_triples, takuzu_lines
from gatesolve.puzzles.tango import Tango
from gatesolve.qubo.forms import Polynomial, differ, equal, exactly, negate
from gatesolve.qubo.published.formula import FormulaTerms, Named, Published, ones
from gatesolve.qubo.published.queens import PAPER


def takuzu(puzzle: Takuzu | Tango, keep: bool = False) -> Published:
    """Triples, counts and signs: equations (38) to (45), or (50) with the variables tied by signs eliminated.

    Solutions have the energy 1/4 for each triple: ``(NM - N - M) / 2`` on a plain board. Wrapped boards, diagonals,
    regions and counts of each line are the paper's section 3.3; lines with any number of ones have no term. Regions
    with two consecutive numbers of ones are written as those of queens are, in equation (15).

    With ``keep`` there is a variable for every cell and a term for every sign. Otherwise the clues, what the paper
    deduces from them at once (section 3.2), and all but one of the cells that signs tie together are no variables.

    Raises:
        UnsupportedError: a region with three or more possible numbers of ones.
    """
    cells, rules = puzzle.cells, puzzle.rules
    every = [(r, c) for r in range(len(cells)) for c in range(len(cells[0]))]
    given = {p: v for p in every if (v := cells[p[0]][p[1]]) is not None}
    ties = _Ties({p: (p, 0) for p in every})
    if not keep:
        for sign in rules.signs:
            ties.tie(sign.first, sign.second, int(not sign.equal))
        given = _deduce_given(cells, rules, ties, given)
    known = {cell_name(p): v for p, v in given.items()}
    free = [p for p in every if keep or (p not in given and ties.root(p)[0] == p)]
    meanings = {cell_name(p): f"1 at {cell_name(p)}" for p in every if p in free or p in given}
    sheet = FormulaTerms(meanings, known, keep)
    value = {p: _value(sheet, ties, p) for p in every}
    for triple in _triples(cells, rules):
        sheet.either([value[p] for p in triple], 1)
    for line in takuzu_lines(cells, rules):
        if line.ones is not None:
            sheet.add(exactly([value[p] for p in line.cells], line.ones))
    for region in rules.regions:
        inside = [value[p] for p in region.cells]
        sheet.between(inside, region.least, region.most, f"ones in the region of {cell_name(region.cells[0])}")
    if keep:
        for sign in rules.signs:
            sheet.add((equal if sign.equal else differ)(value[sign.first], value[sign.second]))

    def read(state: Named) -> dict[str, int]:
        return {cell_name(p): state[cell_name(root)] ^ odd for p, (root, odd) in ((p, ties.root(p)) for p in every)}

    caveat = "that no two rows and no two columns are equal" if rules.unique else ""
    source = f"{PAPER}, section 3, eq. {'(38)-(45)' if keep else '(50)'}"
    return sheet.finish(source, read, ones(map(cell_name, every)), caveat)


@dataclass
class _Ties:
    """Cells that are equal or opposite: each points to another cell, with 1 where it is the opposite."""

    parent: dict[Cell, tuple[Cell, int]]

    def root(self, cell: Cell) -> tuple[Cell, int]:
        """The cell whose variable is kept, and 1 if this one is its opposite."""
        odd = 0
        while self.parent[cell][0] != cell:
            cell, step = self.parent[cell]
            odd ^= step
        return cell, odd

    def tie(self, first: Cell, second: Cell, odd: int) -> None:
        """Two cells are equal (0) or opposite (1). The leftmost cell, then the highest, keeps its variable."""
        (a, x), (b, y) = self.root(first), self.root(second)
        if a != b:
            keep, drop = sorted((a, b), key=lambda cell: (cell[1], cell[0]))
            self.parent[drop] = (keep, x ^ y ^ odd)


def _value(sheet: FormulaTerms, ties: _Ties, cell: Cell) -> Polynomial:
    """The polynomial that is the cell's value."""
    if cell_name(cell) in sheet.known or cell_name(cell) in sheet.names:
        return sheet.literal(cell_name(cell))
    root, odd = ties.root(cell)
    literal = sheet.literal(cell_name(root))
    return negate(literal) if odd else literal


def _triples(cells: Cells, rules: Rules) -> Iterator[tuple[Cell, ...]]:
    """Three cells in line, over the edges of rings too."""
    for line in takuzu_lines(cells, rules):
        n = len(line.cells)
        for k in range(n if line.ring and n > 2 else n - 2):
            yield tuple(line.cells[(k + i) % n] for i in range(3))
    if rules.diagonals:
        yield from diagonal_triples(cells, rules.wrap)


def _deduce_given(cells: Cells, rules: Rules, ties: _Ties, given: dict[Cell, int]) -> dict[Cell, int]:
    """The clues and what follows from them at once: tied cells, full lines, and the third of a triple.

    Where two rules contradict each other the first stays; the energy then shows that there is no solution.
    """
    known = dict(given)
    triples = list(_triples(cells, rules))
    while True:
        found: dict[Cell, int] = {}
        values: dict[Cell, int] = {}
        for cell, value in known.items():
            root, odd = ties.root(cell)
            values.setdefault(root, value ^ odd)
        for cell in ties.parent:
            root, odd = ties.root(cell)
            if root in values:
                found.setdefault(cell, values[root] ^ odd)
        for line in takuzu_lines(cells, rules):
            found |= _full(line, known)
        for triple in triples:
            held = [known[p] for p in triple if p in known]
            rest = [p for p in triple if p not in known]
            if len(rest) == 1 and held[0] == held[1]:
                found.setdefault(rest[0], 1 - held[0])
        fresh = {cell: value for cell, value in found.items() if cell not in known}
        if not fresh:
            return known
        known |= fresh


def _full(line: TakuzuLine, known: dict[Cell, int]) -> dict[Cell, int]:
    """Deduce the rest of a line that has all its ones, or all its zeros."""
    if line.ones is None:
        return {}
    held = [known[p] for p in line.cells if p in known]
    rest = [p for p in line.cells if p not in known]
    if sum(held) == line.ones:
        return dict.fromkeys(rest, 0)
    return dict.fromkeys(rest, 1) if len(held) - sum(held) == len(line.cells) - line.ones else {}
