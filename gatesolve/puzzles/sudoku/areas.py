"""Boxes of any shape and cages as they are written: grids of letters, sums beside them, JSON fields."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from gatesolve.errors import InputError
from gatesolve.puzzles.grid import FREE, LETTERS, Grid, cells_by_name, grid_of_cells, grid_text
from gatesolve.puzzles.json_text import json_cells, refuse_fields, rows_of_list
from gatesolve.puzzles.lettergrid import grid_of, places_in
from gatesolve.puzzles.reading import Line
from gatesolve.puzzles.sudoku.grid import Cage, Regions, SudokuBoard, number_boxes

LABELS = ("boxes", "cages", "board")
"""Lines above a grid: of the boxes, of the cages, of the given values."""
_SUM = re.compile(r"([A-Za-z0-9_]{1,12})=([0-9]{1,4})")


def regions_of(rows: Sequence[Line], side: int | None, source: str) -> Regions:
    """The boxes that a grid of letters draws; ``side`` is that of the board, if another grid tells it."""
    return number_boxes(_square(rows, (), "a letter for each box", side, source))


def cages_of(rows: Sequence[Line], sums: Sequence[Line], side: int | None, source: str) -> tuple[Cage, ...]:
    """The cages that a grid of letters draws, with their sums from lines such as ``sums A=3 B=11``."""
    totals: dict[str, int] = {}
    names = cells_by_name(_square(rows, (FREE,), "a letter for each cage, . for a cell in none", side, source))
    for token in (token for line in sums for token in line.tokens()[1:]):
        match = _SUM.fullmatch(token.text)
        if match is None:
            raise token.fault(f"{token.text[:20]!a} is no sum: write the cage and its sum, such as A=11")
        if match[1] in totals:
            raise token.fault(f"a second sum of cage {match[1]}: keep one of the two")
        if match[1] not in names:
            raise token.fault(f"a sum of cage {match[1]}, which has no cell: write it into the grid, or remove the sum")
        totals[match[1]] = int(match[2])
    for name, cells in names.items():
        if name not in totals:
            fault = f"cage {name} has no sum: write it in a line such as 'sums {name}=11'"
            raise places_in(rows)[cells[0]].fault(fault)
    return tuple(Cage(totals[name], tuple(cells)) for name, cells in names.items())


def double_grid(rows: Sequence[Line], source: str) -> tuple[list[Line], Regions, tuple[Cage, ...]]:
    """Puzzlekit's two grids below one another: values and boxes, or sums in their cages and cages.

    They become the rows of values, none where there are none, the boxes and the cages.
    """
    side = len(rows) // 2
    upper, lower = list(rows[:side]), list(rows[side:])
    grid = _square(lower, (FREE,), "a number for each box or cage", side, source)
    names = cells_by_name(grid)
    if len(names) == side and all(len(cells) == side for cells in names.values()):
        return upper, number_boxes(grid), ()
    sums = _square(upper, (FREE, "-"), "the sum of a cage in its first cell, - elsewhere", side, source)
    cages = []
    for name, cells in names.items():
        written = [(r, c) for r, c in cells if sums[r][c].isdecimal()]
        if len(written) != 1:
            fault = f"cage {name} has {len(written)} sums: write one, in its first cell"
            raise places_in(upper)[(written or cells)[-1]].fault(fault)
        cages.append(Cage(int(sums[written[0][0]][written[0][1]]), tuple(cells)))
    return [], (), tuple(cages)


def json_areas(data: dict[str, Any], side: int, source: str) -> tuple[Regions, tuple[Cage, ...]]:
    """The fields ``regions`` (rows of letters) and ``cages`` (objects with ``sum`` and 0-based ``cells``)."""
    regions: Regions = ()
    if "regions" in data:
        regions = regions_of(rows_of_list(data["regions"], "regions", source), side, source)
    listed = data.get("cages", [])
    if not isinstance(listed, list) or not all(isinstance(c, dict) and type(c.get("sum")) is int for c in listed):
        fault = 'JSON field \'cages\' is no list of cages: write each as {"sum": 11, "cells": [[0, 0], [0, 1]]}'
        raise InputError(fault, source=source)
    for cage in listed:
        refuse_fields(cage, ("sum", "cells", "color"), source)
    return regions, tuple(Cage(cage["sum"], tuple(json_cells(cage, "cells", (side, side), source))) for cage in listed)


def areas_text(board: SudokuBoard) -> list[str]:
    """The lines of the grid of boxes, of that of cages and of their sums, as far as they are drawn."""
    lines = ["boxes", *grid_text([LETTERS[k] for k in row] for row in board.regions)] if board.regions else []
    if not board.cages:
        return lines
    names = LETTERS if len(board.cages) <= len(LETTERS) else [str(k) for k in range(1, len(board.cages) + 1)]
    at = {cell: name for cage, name in zip(board.cages, names, strict=False) for cell in cage.cells}
    grid = grid_of_cells((len(board.cells),) * 2, lambda cell: at.get(cell, FREE))
    sums = [f"{name}={cage.total}" for cage, name in zip(board.cages, names, strict=False)]
    by_twelve = (" ".join(["sums", *sums[k : k + 12]]) for k in range(0, len(sums), 12))
    return [*lines, "cages", *grid_text(grid), *by_twelve]


def _square(rows: Sequence[Line], allowed: Sequence[str], meant: str, side: int | None, source: str) -> Grid:
    """A grid of names as large as the board."""
    grid = grid_of(rows, source, allowed, meant, letters=True)
    wanted = side or len(grid)
    if (len(grid), len(grid[0])) != (wanted, wanted):
        fault = f"{len(grid)} rows of {len(grid[0])} cells in a grid of a board of {wanted}x{wanted}: make them agree"
        raise rows[-1].fault(fault)
    return grid
