"""The problems of qaoa.py: two boards of every family, and two files of energies."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.core.places import EXAMPLES
from gatesolve.api.problem import Problem, as_problem

MOST_STATES = 1 << 20
"""States of the largest space in which angles are optimised here."""
DEPTHS = (1, 2, 4, 8)
MORE = (1, 2, 4, 8, 10)


@dataclass(frozen=True)
class Case:
    """A problem.

    Attributes:
        name: as the tables show it.
        file: under examples/.
        presolve: ``none`` where a space of one qubit a value then fits, or where propagation leaves nothing to do.
        depths: layers of the circuits.
    """

    name: str
    file: str
    presolve: str = "none"
    depths: tuple[int, ...] = DEPTHS

    @property
    def problem(self) -> Problem:
        """For gatesolve."""
        return as_problem(EXAMPLES / self.file)

    @property
    def is_energy(self) -> bool:
        """Whether it is a file of energies."""
        return self.file.startswith("qubo/")


CASES = (
    Case("K4", "kakuro/small.txt", depths=MORE),
    Case("K7", "kakuro/contest.txt", depths=MORE),
    Case("sudoku small", "sudoku/small.txt"),
    Case("sudoku sgt-3x3de5", "sudoku/sgt-3x3de5.txt", "propagate"),
    Case("takuzu hakank-4x4", "takuzu/hakank-4x4.txt"),
    Case("takuzu cylinder-counts-6x6", "takuzu/cylinder-counts-6x6.txt", "propagate"),
    Case("tango small", "tango/small.txt"),
    Case("tango brohit-2025-04-26", "tango/brohit-2025-04-26.txt"),
    Case("queens tiny-4x4", "queens/tiny-4x4.txt"),
    Case("queens general-5x6", "queens/general-5x6.txt"),
    Case("starbattle tiny-4x4-1", "starbattle/tiny-4x4-1.txt"),
    Case("starbattle irregular-6x6-1", "starbattle/irregular-6x6-1.txt"),
    Case("tents pzpr-5x5", "tents/pzpr-5x5.txt"),
    Case("tents weak-3x5", "tents/weak-3x5.txt"),
    Case("galaxies sgt-7x7du-1", "galaxies/sgt-7x7du-1.txt", "propagate"),
    Case("galaxies pzpr-5x5", "galaxies/pzpr-5x5.txt"),
    Case("chess max-2x2-kings", "chess/max-2x2-kings.txt"),
    Case("chess max-3x3-types", "chess/max-3x3-types.txt"),
    Case("independent-12.qubo", "qubo/independent-12.qubo"),
    Case("partition-12.coo", "qubo/partition-12.coo"),
)
NAMES = tuple(case.name for case in CASES)


def case(name: str) -> Case:
    """A case by its name."""
    return CASES[NAMES.index(name)]
