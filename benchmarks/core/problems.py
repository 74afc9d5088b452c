"""Problems of several suites: two Kakuro of the contest, a Sudoku and four queens with full domains, and boards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Literal

import numpy as np

from benchmarks.core import follow
from benchmarks.core.places import EXAMPLES
from gatesolve.encodings import Space, make_binary, make_one_hot
from gatesolve.formats import as_problem
from gatesolve.model import AllDifferent, Linear, Model, NotEqual, Variable, merge_constraints, presolve

VALUES = range(4)


@dataclass(frozen=True)
class Kakuro:
    """A Kakuro as the contest writes it down.

    Attributes:
        name: short name used in tables.
        cells: number of variables, each in 0..3.
        unequal: pairs of cells that must differ.
        sums: cells of a run and their sum.
    """

    name: str
    cells: int
    unequal: tuple[tuple[int, int], ...]
    sums: tuple[tuple[tuple[int, ...], int], ...]

    @cached_property
    def model(self) -> Model:
        """The model, every constraint as written."""
        variables = tuple(Variable(f"x{i}", tuple(VALUES)) for i in range(self.cells))
        unequal = tuple(NotEqual(f"x{i}", f"x{j}") for i, j in self.unequal)
        sums = tuple(Linear(tuple((1, f"x{i}") for i in run), "==", total) for run, total in self.sums)
        return Model(variables, unequal + sums)

    @cached_property
    def binary_space(self) -> Space:
        """Two qubits a cell, qubit 2 i the low bit of cell i."""
        return Space(tuple(make_binary(v) for v in self.model.variables))

    @cached_property
    def one_hot_space(self) -> Space:
        """Four qubits a cell, qubit 4 i + j says that cell i holds j."""
        return Space(tuple(make_one_hot(v) for v in self.model.variables))

    @cached_property
    def solutions(self) -> tuple[tuple[int, ...], ...]:
        """All solutions, by trying every assignment."""
        found = np.flatnonzero(self.model.holds(self.binary_space.values(np.arange(self.binary_space.size))))
        rows = (self.binary_space.assignment(int(n)) for n in found)
        return tuple(tuple(row[f"x{i}"] for i in range(self.cells)) for row in rows)

    def options(self, run: tuple[int, ...], total: int) -> list[tuple[int, ...]]:
        """Ways to fill a run with different values that add up to ``total``."""
        ways = product(VALUES, repeat=len(run))
        return [way for way in ways if sum(way) == total and len(set(way)) == len(way)]


K7 = Kakuro(
    "K7",
    7,
    ((0, 1), (0, 2), (1, 3), (1, 5), (2, 3), (2, 4), (3, 4), (3, 5), (4, 6), (5, 6)),
    (((0, 2), 5), ((1, 3, 5), 3), ((4, 6), 1), ((2, 3, 4), 5), ((0, 1), 3), ((5, 6), 1)),
)
K4 = Kakuro("K4", 4, ((0, 1), (0, 2), (1, 3), (2, 3)), (((0, 1), 3), ((0, 2), 3), ((2, 3), 4), ((1, 3), 4)))
BOARD_ALL = 1 << 13
"""Codewords of a board's space that are checked one and all."""


@dataclass(frozen=True)
class Case:
    """A problem at a presolve setting.

    Attributes:
        name: as the tables show it.
        declared: the model as declared; an objective is left out, the oracle marks what the rules allow.
        presolve: the setting, for us and for the peers.
        small: one of K4, K7, S4, Q4, which get the rows that the boards do not.
    """

    name: str
    declared: Model
    presolve: Literal["none", "propagate"]
    small: bool = False

    @property
    def most(self) -> int:
        """The largest space that is checked whole."""
        return follow.ALL if self.small else BOARD_ALL

    @cached_property
    def model(self) -> Model:
        """After presolve."""
        return presolve(self.declared, self.presolve)[0]

    @cached_property
    def merged(self) -> Model:
        """The same with constraints inside the scope of another listed together with it, as the peers get it."""
        return merge_constraints(self.model)

    @cached_property
    def space(self) -> Space:
        """Every variable in binary, its values numbered from 0; a variable with one value has no qubit."""
        return Space(tuple(make_binary(v) for v in self.model.variables))


def patterns(model: Model, space: Space) -> list[tuple[tuple[int, bool], ...]]:
    """Every solution as pairs of a qubit and its value."""
    bits = space.bits(follow.solved(model, space, follow.ALL))
    return [tuple((qubit, bool(bit)) for qubit, bit in enumerate(column)) for column in bits.T]


def sudoku_s4() -> Model:
    """A 4x4 Sudoku with cells (0,0), (0,1), (1,0), (3,3) blank; clues are variables of one value."""
    rows = ("..34", ".412", "2143", "432.")
    cells = [(r, c) for r in range(4) for c in range(4)]
    domains = {(r, c): (1, 2, 3, 4) if rows[r][c] == "." else (int(rows[r][c]),) for r, c in cells}
    groups = [[cell for cell in cells if line(cell) == k] for line in LINES for k in range(4)]
    variables = tuple(Variable(_name(cell), domains[cell]) for cell in cells)
    return Model(variables, tuple(AllDifferent(tuple(_name(cell) for cell in group)) for group in groups))


def queens_q4() -> Model:
    """Four queens on 4x4, one 0/1 variable a cell: rows and columns hold one, diagonals at most one."""
    cells = [(r, c) for r in range(4) for c in range(4)]
    lines = [[cell for cell in cells if line(cell) == k] for line in LINES[:2] for k in range(4)]
    diagonals = [[(r, c) for r, c in cells if r - c == k] for k in range(-2, 3)]
    diagonals += [[(r, c) for r, c in cells if r + c == k] for k in range(1, 6)]
    exact = [Linear(tuple((1, _name(cell)) for cell in line), "==", 1) for line in lines]
    most = [Linear(tuple((1, _name(cell)) for cell in line), "<=", 1) for line in diagonals]
    return Model(tuple(Variable(_name(cell), (0, 1)) for cell in cells), (*exact, *most))


def _name(cell: tuple[int, int]) -> str:
    return f"r{cell[0]}c{cell[1]}"


LINES: tuple[Callable[[tuple[int, int]], int], ...] = (
    lambda cell: cell[0],
    lambda cell: cell[1],
    lambda cell: 2 * (cell[0] // 2) + cell[1] // 2,
)
"""The row, the column and the box of a cell in 4x4."""


SMALL = (
    Case("K4", K4.model, "none", True),
    Case("K7", K7.model, "none", True),
    Case("S4", sudoku_s4(), "none", True),
    Case("Q4", queens_q4(), "none", True),
)
BOARDS: tuple[tuple[str, Literal["none", "propagate"]], ...] = (
    ("kakuro/small.txt", "none"),
    ("sudoku/sgt-3x3de5.txt", "propagate"),
    ("takuzu/hakank-4x4.txt", "none"),
    ("takuzu/small.txt", "none"),
    ("tango/small.txt", "none"),
    ("queens/tiny-4x4.txt", "none"),
    ("queens/linkedin-6x6.txt", "propagate"),
    ("starbattle/tiny-4x4-1.txt", "none"),
    ("tents/sgt-4x4de-1.txt", "none"),
    ("galaxies/sgt-10x10du-2.txt", "propagate"),
    ("chess/max-3x3-types.txt", "none"),
    ("chess/max-5x5-types.txt", "propagate"),
)
NAMES = (*(case.name for case in SMALL), *(path.rsplit(".", 1)[0] for path, _ in BOARDS))


def case(name: str) -> Case:
    """The case called ``name``, one of `NAMES`."""
    for one in SMALL:
        if one.name == name:
            return one
    path, setting = next((path, setting) for path, setting in BOARDS if path.rsplit(".", 1)[0] == name)
    model = as_problem(EXAMPLES / path).model
    return Case(name, Model(model.variables, model.constraints), setting)
