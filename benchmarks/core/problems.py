"""The two Kakuro of the contest (K7, K4) as gatesolve models, with full domains 0..3 and no presolve."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np

from gatesolve.encodings.block import make_binary, make_one_hot
from gatesolve.encodings.space import Space
from gatesolve.model import Linear, Model, NotEqual, Variable

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
K4 = Kakuro(
    "K4",
    4,
    ((0, 1), (0, 2), (1, 3), (2, 3)),
    (((0, 1), 3), ((0, 2), 3), ((2, 3), 4), ((1, 3), 4)),
)
