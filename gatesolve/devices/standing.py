"""How many codewords are as good as what: the yardstick for the best energy a device measured."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from gatesolve.api.adaptive import Adaptive
from gatesolve.encodings import unenforced
from gatesolve.qubo.cost import Cost, SoftConstraint, tabulate_costs

KEPT = 1_000
"""Most different energies kept in a record, the best ones."""


@dataclass(frozen=True)
class Yardstick:
    """What chance is measured by.

    Attributes:
        solutions: codewords that break no constraint.
        standing: energies of those, best first, with how many have each; empty where there is nothing to be made
            small or large, or levels do not tell energies exactly.
    """

    solutions: int
    standing: tuple[tuple[Fraction, int], ...]


def yardstick(ready: Adaptive) -> Yardstick:
    """Count the solutions and their energies classically, to judge a device's answers against chance.

    No circuit is made from these numbers, and no loop reads them.
    """
    rules = tuple(SoftConstraint(1, rule) for rule in unenforced(ready.found.model, ready.space))
    allowed = np.flatnonzero(tabulate_costs(Cost(rules), ready.space) == 0)
    if ready.problem.goal is None or ready.cost.error:
        return Yardstick(len(allowed), ())
    levels, first, counts = np.unique(ready.levels[allowed], return_index=True, return_counts=True)
    pairs = [
        (ready.problem.told(ready.energy(int(allowed[place]))), int(count))
        for _, place, count in zip(levels[:KEPT], first[:KEPT], counts[:KEPT], strict=True)
    ]
    return Yardstick(len(allowed), tuple(sorted(pairs, reverse=ready.problem.goal == "max")))
