"""The cost a search compares with a threshold: weights paid for constraints that are broken, as in weighted CSPs.

Everything that Grover Adaptive Search minimises is written this way: violation counts (a weight for each constraint
of the model), a linear objective (weights for the binary digits of each variable's share) and a Qubo (a weight
for each product of variables, or for the digits of what a few variables together contribute).
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from gatesolve.encodings.space import Space
from gatesolve.errors import DoesNotFitError
from gatesolve.model import Constraint
from gatesolve.model.constraints import Columns, tabulate
from gatesolve.model.terms import Term

LOCAL_ROWS = 1 << 20
"""Combinations of codewords of a constraint's blocks up to which it is tabulated once and spread over the space."""
COST_BITS = 62
"""Costs stay below 2 to this power, so that sums of them are whole numbers of a machine."""
CHUNK = 1 << 16
"""Codewords on which other constraints are worked out at a time."""


@dataclass(frozen=True)
class SoftConstraint:
    """``weight`` (a whole number, at least 1) is paid where ``constraint`` is broken."""

    weight: int
    constraint: Constraint


@dataclass(frozen=True)
class Cost:
    """``energy = base + unit * (sum of the weights of broken constraints)``, up to ``error``.

    The sum, a whole number from 0 to ``most``, is what circuits compute: the *cost* of an assignment.

    Attributes:
        terms: the soft constraints.
        base: the energy of cost 0.
        unit: the energy of one unit of cost; positive.
        error: the energy that a cost stands for differs from the true one by at most this much, either way.
        goal: a term whose value is what the first so many terms are paid together, and how many.
    """

    terms: tuple[SoftConstraint, ...]
    base: Fraction = Fraction(0)
    unit: Fraction = Fraction(1)
    error: Fraction = Fraction(0)
    goal: tuple[Term, int] | None = field(default=None, compare=False)

    @property
    def most(self) -> int:
        """The cost with every constraint broken."""
        return sum(term.weight for term in self.terms)

    def evaluate(self, columns: Columns) -> NDArray[np.int64]:
        """The cost of each row; ``columns`` maps a variable's name to an array of values."""
        shape = np.broadcast_shapes(*(np.shape(c) for c in columns.values())) if columns else ()
        total = np.zeros(shape, dtype=np.int64)
        for term in self.terms:
            held = np.broadcast_to(term.constraint.holds(columns), shape)
            total += np.where(held, 0, term.weight)
        return total

    def energy(self, cost: int) -> Fraction:
        """The energy that a cost stands for."""
        return self.base + self.unit * cost


def check_range(most: int) -> None:
    """Refuse costs up to ``most`` where machine words do not hold them.

    Raises:
        DoesNotFitError: 2^62 or more.
    """
    if most >= 1 << COST_BITS:
        # Samplers take floats.
        anneal = "use pipeline='anneal', or" if most.bit_length() <= sys.float_info.max_exp else "give"
        raise DoesNotFitError(
            f"does not fit: what is to be made small or large takes values 2^{most.bit_length() - 1} apart, "
            f"2^{COST_BITS} at most are told apart: {anneal} coefficients of more like sizes"
        )


def tabulate_costs(cost: Cost, space: Space, report: Callable[[int, int], None] = lambda *_: None) -> NDArray[np.int64]:
    """The cost of every codeword, in codeword order.

    For most constraints this is one addition a codeword; ``report`` is called with constraints done and to do.
    """
    # Block 0 is the fastest, so the last axis is its; blocks of one codeword are no axes.
    costs = np.zeros([block.size for block in reversed(space.blocks) if block.size > 1], dtype=np.int64)
    for number, term in enumerate(cost.terms):
        _pay(costs, term, space)
        report(number + 1, len(cost.terms))
    return costs.reshape(-1)


def _pay(costs: NDArray[np.int64], term: SoftConstraint, space: Space) -> None:
    read = {space.home[name][0] for name in term.constraint.scope}
    blocks = [space.blocks[k] for k in sorted(read, reverse=True)]
    if math.prod(block.size for block in blocks) <= LOCAL_ROWS:
        held = tabulate(term.constraint.holds, [(block.variables, block.values) for block in blocks])
        sizes = [block.size if k in read else 1 for k, block in enumerate(space.blocks) if block.size > 1]
        costs += np.where(held, 0, term.weight).reshape(sizes[::-1])
        return
    flat = costs.reshape(-1)
    for start in range(0, space.size, CHUNK):
        numbers = np.arange(start, min(start + CHUNK, space.size))
        held = np.broadcast_to(term.constraint.holds(space.values(numbers)), numbers.shape)
        flat[start : start + len(numbers)] += np.where(held, 0, term.weight)
