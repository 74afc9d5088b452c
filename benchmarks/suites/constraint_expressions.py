"""Rows of `constraints` that are written as expressions of CPMpy's: one constraint each, and boards of 0/1 squares."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import cpmpy as cp

from benchmarks.core.places import ROOT
from benchmarks.core.problems import K7
from gatesolve.model import Model
from gatesolve.model.from_cpmpy import from_cpmpy
from gatesolve.puzzles import load

Found = dict[str, tuple[int | None, int | None]]
"""CX for each encoding: before, and by hand."""


def number(count: int, values: int) -> cp.expressions.variables.NDVarArray:
    return cp.intvar(0, values - 1, shape=count, name="x")


def keep_distance(values: int, least: bool) -> cp.expressions.core.Expression:
    """Two numbers one apart, or at least two."""
    x, y = number(2, values)
    return abs(x - y) >= 2 if least else abs(x - y) == 1


def keep_apart(values: int) -> cp.expressions.core.Expression:
    """Tasks of two and of three time steps that do not overlap."""
    x, y = number(2, values)
    return (x + 2 <= y) | (y + 3 <= x)


def count_twice() -> cp.expressions.core.Expression:
    return cp.Count(number(6, 5), 3) == 2


def count_each() -> cp.expressions.core.Expression:
    return cp.GlobalCardinalityCount(number(6, 3), [0, 1, 2], [2, 2, 2])


def pick_cell() -> cp.expressions.core.Expression:
    """The cell that an index picks is the result."""
    return cp.Element(number(4, 8), cp.intvar(0, 3, name="index")) == cp.intvar(0, 7, name="result")


def less_or_alike() -> cp.expressions.core.Expression:
    x, y, z = number(3, 8)
    return (x < y) | (x == z)


def imply_order() -> cp.expressions.core.Expression:
    x, y, z = number(3, 8)
    return (x == 3).implies(y <= z)


def go_round(size: int) -> cp.expressions.core.Expression:
    return cp.Circuit(number(size, size))


def place_queens(size: int) -> list[cp.expressions.core.Expression]:
    """A 0/1 variable a square: one queen a row and a column, at most one a diagonal."""
    x = cp.boolvar(shape=(size, size), name="x")
    squares = [(r, c) for r in range(size) for c in range(size)]
    rising = [[x[r, c] for r, c in squares if r + c == k] for k in range(2 * size - 1)]
    falling = [[x[r, c] for r, c in squares if r - c == k] for k in range(1 - size, size)]
    lines = [cp.sum(list(line)) == 1 for line in (*x, *x.T)]
    return lines + [cp.sum(one) <= 1 for one in rising + falling if len(one) > 1]


def read_contest() -> Model:
    """The contest's Kakuro of seven cells as it is given: an all-different and a sum for each run."""
    return from_cpmpy(load(ROOT / "examples/kakuro/contest.txt").to_cpmpy())


EXPRESSIONS: list[tuple[str, Callable[[], object], Found]] = [
    ("abs(x - y) = 1, 8 values", partial(keep_distance, 8, False), {"binary": (44, 45)}),
    ("abs(x - y) = 1, 9 values", partial(keep_distance, 9, False), {"binary": (50, 67)}),
    ("abs(x - y) = 1, 16 values", partial(keep_distance, 16, False), {"binary": (80, 67)}),
    ("abs(x - y) >= 2, 8 values", partial(keep_distance, 8, True), {"binary": (168, 64)}),
    ("abs(x - y) >= 2, 9 values", partial(keep_distance, 9, True), {"binary": (330, 68)}),
    ("abs(x - y) >= 2, 16 values", partial(keep_distance, 16, True), {"binary": (390, 92)}),
    ("tasks of 2 and 3 apart, 8 values", partial(keep_apart, 8), {"binary": (148, 44)}),
    ("tasks of 2 and 3 apart, 9 values", partial(keep_apart, 9), {"binary": (276, 48)}),
    ("exactly 2 of 6 equal 3, 5 values", count_twice, {"binary": (438, 87), "one-hot": (84, 51)}),
    ("each of 3 values twice, 6 cells", count_each, {"binary": (320, 129), "one-hot": (300, 117)}),
    ("element, 4 cells of 8 values", pick_cell, {"binary": (None, 101), "one-hot": (None, 172)}),
    ("x < y or x = z, 8 values", less_or_alike, {"binary": (304, 52)}),
    (
        "x = 3 implies y <= z, 8 values",
        imply_order,
        {"binary": (154, 46), "one-hot": (82, 67), "domain-wall": (92, 62)},
    ),
    ("circuit of 4", partial(go_round, 4), {"binary": (50, 117), "one-hot": (37, None)}),
    ("circuit of 5", partial(go_round, 5), {"binary": (716, 214), "one-hot": (171, None)}),
    ("circuit of 6", partial(go_round, 6), {"binary": (None, 725), "one-hot": (617, None)}),
]
"""One constraint each: its name, what makes it, and what it took and takes by hand."""
SQUARES: list[tuple[str, Callable[[], object], Found]] = [
    ("6 queens as 0/1", partial(place_queens, 6), {"binary": (1481, 1350)}),
    ("8 queens as 0/1", partial(place_queens, 8), {"binary": (3031, 2532)}),
    ("Kakuro K7, contest.txt", read_contest, {"binary": (309, 248)}),
    ("Kakuro K7, ten disequalities", lambda: K7.model, {"binary": (357, 296)}),
]
"""Boards in the same form. K7's bars, 260 and 310, are aims of their own."""


def lower_expression(written: object) -> Model:
    """The model of what a row makes."""
    return written if isinstance(written, Model) else from_cpmpy(cp.Model(written))
