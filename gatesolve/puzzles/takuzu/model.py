"""The rules of Takuzu and Tango as a CPMpy model over one 0/1 variable a cell."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from gatesolve.puzzles.base import cell_variables, count_between
from gatesolve.puzzles.grid import Cell, by_cell
from gatesolve.puzzles.takuzu.board import Cells, Line, Rules, diagonal_triples, lines_of

if TYPE_CHECKING:
    import cpmpy

TABLE_CELLS = 16
"""Longest line given as the table of its legal patterns: 1,296 of them for half ones."""


def legal_patterns(length: int, ones: int | None, ring: bool) -> list[list[int]]:
    """All zeros and ones of a line without three equal in line, with so many ones, in ascending order."""
    numbers = np.arange(1 << length)
    bits = numbers[:, None] >> np.arange(length - 1, -1, -1) & 1
    legal = np.ones(len(bits), dtype=bool)
    for k in range(length if ring and length > 2 else length - 2):
        three = bits[:, k] + bits[:, (k + 1) % length] + bits[:, (k + 2) % length]
        legal &= (three == 1) | (three == 2)
    if ones is not None:
        legal &= bits.sum(axis=1) == ones
    found: list[list[int]] = bits[legal].tolist()
    return found


def to_cpmpy(cells: Cells, rules: Rules) -> cpmpy.Model:
    """The board as a CPMpy model: a table a line, linear constraints for everything else."""
    import cpmpy

    x = cell_variables(by_cell(cells), 0, 1)
    model = cpmpy.Model()
    lines = lines_of(cells, rules)
    short = {(len(a.cells), a.ones, a.ring) for a in lines if len(a.cells) <= TABLE_CELLS}
    patterns = {kind: legal_patterns(*kind) for kind in short}
    for line in lines:
        values = [x[p] for p in line.cells]
        if len(values) > TABLE_CELLS:
            model += list(_long_line(values, line))
        else:
            legal = patterns[len(values), line.ones, line.ring]
            model += cpmpy.Table(values, legal) if legal else cpmpy.BoolVal(False)
    if rules.diagonals:
        for triple in diagonal_triples(cells, rules.wrap):
            model += [cpmpy.sum([x[p] for p in triple]) >= 1, cpmpy.sum([x[p] for p in triple]) <= 2]
    for region in rules.regions:
        model += count_between([x[p] for p in region.cells], region.least, region.most)
    for sign in rules.signs:
        a, b = x[sign.first], x[sign.second]
        model += (a - b == 0) if sign.equal else (a + b == 1)
    if rules.unique:
        model += list(_unequal_lines(cells, lines, x))
    return model


def _long_line(values: list[Any], line: Line) -> Iterator[Any]:
    """A line too long for a table."""
    import cpmpy

    length = len(values)
    for k in range(length if line.ring else length - 2):
        three = cpmpy.sum([values[k], values[(k + 1) % length], values[(k + 2) % length]])
        yield three >= 1
        yield three <= 2
    if line.ones is not None:
        yield cpmpy.sum(values) == line.ones


def _unequal_lines(cells: Cells, lines: tuple[Line, ...], x: dict[Cell, Any]) -> Iterator[Any]:
    """No two rows and no two columns equal: read as binary numbers, their difference is not 0.

    So the rule costs one linear constraint a pair and no variable. The terms of two cells that face each
    other stand side by side, the highest first: after each pair the partial sum is either 0, or too large for
    what follows to bring it back, so three states are all a reader of the terms needs.
    """
    import cpmpy

    for a, b in combinations(lines, 2):
        if a.kind != b.kind or (a.ones != b.ones and None not in (a.ones, b.ones)):
            continue
        given = [(cells[p[0]][p[1]], cells[q[0]][q[1]]) for p, q in zip(a.cells, b.cells, strict=True)]
        if (0, 1) in given or (1, 0) in given:
            continue
        terms = []
        for k, (p, q) in enumerate(zip(reversed(a.cells), reversed(b.cells), strict=True)):
            if None in given[-1 - k]:
                terms += [-(1 << k) * x[q], (1 << k) * x[p]]
        yield cpmpy.sum(terms[::-1]) != 0 if terms else cpmpy.BoolVal(False)
