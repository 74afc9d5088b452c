"""The problems of gate_counts.py: four small ones with full domains, and boards of examples/ across the families."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from benchmarks.core.places import EXAMPLES
from benchmarks.core.problems import K4, K7
from gatesolve.api.problem import as_problem
from gatesolve.encodings.block import make_binary
from gatesolve.encodings.space import Space
from gatesolve.model import AllDifferent, Linear, Model, Variable
from gatesolve.model.merge import merge_constraints
from gatesolve.model.presolve import presolve

ALL, BOARD_ALL = 1 << 16, 1 << 13
"""Codewords that are checked one and all, of the small problems and of boards; of a larger space a sample is."""
SAMPLE = 1 << 12
SEED = 2026


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
        return ALL if self.small else BOARD_ALL

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


def tried(model: Model, space: Space, most: int = ALL) -> NDArray[np.int64]:
    """Codewords on which an oracle is checked: all up to ``most``, or a drawn sample and up to a hundred solutions."""
    if space.size <= most:
        return np.arange(space.size)
    drawn = np.random.default_rng(SEED).integers(0, space.size, SAMPLE)
    return np.unique(np.concatenate([drawn, solved(model, space, 100)]))


def solved(model: Model, space: Space, most: int) -> NDArray[np.int64]:
    """Codewords of solutions: all of a space that is checked whole, else up to ``most`` by the reference solver."""
    if space.size <= ALL:
        return np.flatnonzero(wanted(model, space, np.arange(space.size)))
    from gatesolve.model.reference import find_solutions

    found = [space.number(row) for row in find_solutions(model, limit=most)]
    return np.array([number for number in found if number is not None], dtype=np.int64)


def wanted(model: Model, space: Space, numbers: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which of the codewords satisfy the model."""
    return np.broadcast_to(model.holds(space.values(numbers)), numbers.shape)


def patterns(model: Model, space: Space) -> list[tuple[tuple[int, bool], ...]]:
    """Every solution as pairs of a qubit and its value."""
    bits = space.bits(solved(model, space, ALL))
    return [tuple((qubit, bool(bit)) for qubit, bit in enumerate(column)) for column in bits.T]


def sudoku_s4() -> Model:
    """A 4x4 Sudoku with cells (0,0), (0,1), (1,0), (3,3) blank; clues are variables of one value."""
    rows = ("..34", ".412", "2143", "432.")
    cells = [(r, c) for r in range(4) for c in range(4)]
    domains = {(r, c): (1, 2, 3, 4) if rows[r][c] == "." else (int(rows[r][c]),) for r, c in cells}
    groups = [[cell for cell in cells if line(cell) == k] for line in (_row, _column, _box) for k in range(4)]
    variables = tuple(Variable(_name(cell), domains[cell]) for cell in cells)
    return Model(variables, tuple(AllDifferent(tuple(_name(cell) for cell in group)) for group in groups))


def queens_q4() -> Model:
    """Four queens on 4x4, one 0/1 variable a cell: rows and columns hold one, diagonals at most one."""
    cells = [(r, c) for r in range(4) for c in range(4)]
    lines = [[cell for cell in cells if line(cell) == k] for line in (_row, _column) for k in range(4)]
    diagonals = [[(r, c) for r, c in cells if r - c == k] for k in range(-2, 3)]
    diagonals += [[(r, c) for r, c in cells if r + c == k] for k in range(1, 6)]
    exact = [Linear(tuple((1, _name(cell)) for cell in line), "==", 1) for line in lines]
    most = [Linear(tuple((1, _name(cell)) for cell in line), "<=", 1) for line in diagonals]
    return Model(tuple(Variable(_name(cell), (0, 1)) for cell in cells), (*exact, *most))


def _name(cell: tuple[int, int]) -> str:
    return f"r{cell[0]}c{cell[1]}"


def _row(cell: tuple[int, int]) -> int:
    return cell[0]


def _column(cell: tuple[int, int]) -> int:
    return cell[1]


def _box(cell: tuple[int, int]) -> int:
    return 2 * (cell[0] // 2) + cell[1] // 2


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
