"""Coloured and Max Chess Pieces (arXiv:2410.06429, section 2.6): one 0/1 variable a cell and piece."""

from __future__ import annotations

from itertools import combinations

from gatesolve.puzzles.chess import Chess, threats, variable_name
from gatesolve.puzzles.grid import Cell
from gatesolve.qubo.published.formula import FormulaTerms, Published, clear_beside, ones
from gatesolve.qubo.published.queens import PAPER

Standing = tuple[Cell, str]
Threats = dict[tuple[str, str], int]


def chess(puzzle: Chess, keep: bool = False) -> Published:
    """One piece a region and no threats, equation (25); or as much worth as can be, equation (27).

    A threat costs 1, one in both directions 2. Where cells may hold several pieces (the paper has one a cell), two
    on one cell cost 1. `sufficient` is the factor lambda of equation (27).
    """
    standing = [(cell, piece) for cell in puzzle.usable() for piece in puzzle.holds(cell)]
    costs = _threats(puzzle, standing)
    known = _deduce_given(puzzle, standing, costs)
    sheet = FormulaTerms({variable_name(*s): f"{s[1]} at r{s[0][0] + 1}c{s[0][1] + 1}" for s in standing}, known, keep)
    worth = {variable_name(*s): puzzle.weight_of(s[1]) if puzzle.maximise else 0 for s in standing}
    factor = sufficient(worth, costs) if puzzle.maximise else 1
    for (a, b), cost in costs.items():
        sheet.together([(a, b)], factor * cost)
    # No two states of worth differ by more than all worth there is.
    region_factor = 1 + sum(map(abs, worth.values())) if puzzle.maximise else 1
    for cells in puzzle.list_regions().values():
        sheet.exactly((variable_name(*s) for s in standing if s[0] in cells), 1, region_factor)
    for name, value in worth.items():
        sheet.add(sheet.literal(name), -value)
    source = f"{PAPER}, section 2.6, eq. {'(27)' if puzzle.maximise else '(25)'}"
    return sheet.finish(source, dict, ones(variable_name(*s) for s in standing), grounded=not puzzle.maximise)


def sufficient(worth: dict[str, int], costs: Threats) -> int:
    """A lambda with which no minimiser has a threat: above the lesser worth of any two pieces that threaten.

    Taking the lesser of two such pieces off the board saves at least lambda times 1 and loses its worth, so with
    ``lambda > min(worth)`` for every pair every state with a threat has one of less energy; a paper's board of equal
    pieces needs 2, where 1 would leave ties.
    """
    return 1 + max((max(0, min(worth[a], worth[b])) for a, b in costs), default=0)


def _threats(board: Chess, standing: list[Standing]) -> Threats:
    """How many of two pieces threaten the other; 1 for two on one cell."""
    found: Threats = {}
    for a, b in combinations(standing, 2):
        count = 1 if a[0] == b[0] else len(list(threats(board, dict((a, b)))))
        if count:
            found[variable_name(*a), variable_name(*b)] = count
    return found


def _deduce_given(board: Chess, standing: list[Standing], costs: Threats) -> dict[str, int]:
    """Deduce from given pieces: themselves, what they may not stand with, and the rest of their regions."""
    placed = {variable_name(cell, piece) for cell, piece in board.list_given().items()}
    known = clear_beside(dict.fromkeys(placed, 1), costs)
    for cells in board.list_regions().values():
        if set(cells) & set(board.list_given()):
            inside = [variable_name(*s) for s in standing if s[0] in cells]
            known |= {name: 0 for name in inside if name not in placed}
    return known
