"""The cost a search compares with a threshold: weights paid for constraints that are broken.

Everything that Grover Adaptive Search minimises is written this way: violation counts (a weight for each constraint
of the model), a linear objective (weights for the binary digits of each variable's share) and a Qubo (a weight
for each product of variables, or for the digits of what a few variables together contribute).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from gatesolve.model import Constraint
from gatesolve.model.constraints import Columns


@dataclass(frozen=True)
class SoftConstraint:
    """``weight`` (a whole number, at least 1) is paid where ``constraint`` is broken."""

    weight: int
    constraint: Constraint


@dataclass(frozen=True)
class Cost:
    """``energy = base + unit * (sum of the weights of broken constraints)``, up to ``error``.

    The sum, a whole number from 0 to ``most``, is what circuits compute: the *level* of an assignment.

    Attributes:
        terms: the soft constraints.
        base: the energy of level 0.
        unit: the energy of one level; positive.
        error: the energy told by the level differs from the true one by at most this much, either way.
    """

    terms: tuple[SoftConstraint, ...]
    base: Fraction = Fraction(0)
    unit: Fraction = Fraction(1)
    error: Fraction = Fraction(0)

    @property
    def most(self) -> int:
        """The level with every constraint broken."""
        return sum(term.weight for term in self.terms)

    def levels(self, columns: Columns) -> NDArray[np.int64]:
        """The level of each row; ``columns`` maps a variable's name to an array of values."""
        shape = np.broadcast_shapes(*(np.shape(c) for c in columns.values())) if columns else ()
        total = np.zeros(shape, dtype=np.int64)
        for term in self.terms:
            held = np.broadcast_to(term.constraint.holds(columns), shape)
            total += np.where(held, 0, term.weight)
        return total

    def energy(self, level: int) -> Fraction:
        """The energy a level stands for."""
        return self.base + self.unit * level
