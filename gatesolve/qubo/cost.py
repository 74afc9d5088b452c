"""The cost that a search compares with a threshold: weights of broken constraints, as in weighted CSPs.

Everything that Grover Adaptive Search minimises has this form. Violation counts have a weight for each constraint. A
linear objective has weights for the binary digits of each variable's share. A Qubo has a weight for each product of
variables, or for the digits of what a few variables together contribute.
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
"""Most combinations of codewords for which a constraint is tabulated once and spread over the space."""
COST_BITS = 62
"""Costs stay below 2 to this power, so that their sums fit in signed 64-bit integers."""
CHUNK = 1 << 16
"""Number of codewords on which other constraints are evaluated at a time."""


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
        error: the energy of a cost differs from the true one by at most this much, either way.
        goal: a term, and the number of leading ``terms`` whose paid weights sum to its value.
    """

    terms: tuple[SoftConstraint, ...]
    base: Fraction = Fraction(0)
    unit: Fraction = Fraction(1)
    error: Fraction = Fraction(0)
    goal: tuple[Term, int] | None = field(default=None, compare=False)

    @property
    def most(self) -> int:
        """Return the cost with every constraint broken."""
        return sum(term.weight for term in self.terms)

    def evaluate(self, columns: Columns) -> NDArray[np.int64]:
        """Return the cost of each row; ``columns`` maps a variable's name to an array of values."""
        shape = np.broadcast_shapes(*(np.shape(c) for c in columns.values())) if columns else ()
        total = np.zeros(shape, dtype=np.int64)
        for term in self.terms:
            held = np.broadcast_to(term.constraint.holds(columns), shape)
            total += np.where(held, 0, term.weight)
        return total

    def energy(self, cost: int) -> Fraction:
        """Return the energy that a cost stands for."""
        return self.base + self.unit * cost


def check_range(most: int) -> None:
    """Refuse costs up to ``most`` that machine words cannot hold: 2^62 or more."""
    if most >= 1 << COST_BITS:
        # Annealing works on floats, so it is an alternative up to their greatest exponent.
        anneal = "use pipeline='anneal', or" if most.bit_length() <= sys.float_info.max_exp else "give"
        raise DoesNotFitError(
            f"does not fit: the objective's values span 2^{most.bit_length() - 1}, and at most 2^{COST_BITS} fit: "
            f"{anneal} coefficients of more similar sizes"
        )


def tabulate_costs(cost: Cost, space: Space, report: Callable[[int, int], None] = lambda *_: None) -> NDArray[np.int64]:
    """Return the cost of every codeword, in codeword order.

    For most constraints this is one addition a codeword; ``report`` gets the constraints done and their number.
    """
    # Block 0 varies fastest, so it is the last axis. Blocks of one codeword get no axis: numpy allows only 64.
    costs = np.zeros([block.size for block in reversed(space.blocks) if block.size > 1], dtype=np.int64)
    flat = costs.reshape(-1)
    for number, term in enumerate(cost.terms):
        read = {space.home[name][0] for name in term.constraint.scope}
        blocks = [space.blocks[k] for k in sorted(read, reverse=True)]
        # A table over the constraint's blocks is broadcast along all other axes: the constraint is evaluated once a
        # combination, not once a codeword.
        if math.prod(block.size for block in blocks) <= LOCAL_ROWS:
            held = tabulate(term.constraint.holds, [(block.variables, block.values) for block in blocks])
            sizes = [block.size if k in read else 1 for k, block in enumerate(space.blocks) if block.size > 1]
            costs += np.where(held, 0, term.weight).reshape(sizes[::-1])
        else:
            for start in range(0, space.size, CHUNK):
                numbers = np.arange(start, min(start + CHUNK, space.size))
                held = np.broadcast_to(term.constraint.holds(space.values(numbers)), numbers.shape)
                flat[start : start + len(numbers)] += np.where(held, 0, term.weight)
        report(number + 1, len(cost.terms))
    return flat
