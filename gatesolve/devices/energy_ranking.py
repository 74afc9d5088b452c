"""Energies by how many codewords have each; and whether a search can go on in the space that it was begun in."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from gatesolve.api.adaptive import Adaptive
from gatesolve.api.adaptive_run import fingerprint
from gatesolve.encodings import unenforced
from gatesolve.errors import InputError
from gatesolve.qubo.cost import Cost, SoftConstraint
from gatesolve.qubo.levels import all_levels

KEPT = 1_000
"""Most different energies kept in a record, the best ones."""


@dataclass(frozen=True)
class EnergyRanking:
    """What chance is measured by.

    Attributes:
        solutions: codewords that break no constraint.
        energies: of those, best first, with how many have each; empty where there is nothing to be made small or
            large, or levels do not tell energies exactly.
    """

    solutions: int
    energies: tuple[tuple[Fraction, int], ...]


def rank_energies(ready: Adaptive) -> EnergyRanking:
    """Count the solutions and their energies classically, to judge a device's answers against chance.

    No circuit is made from these numbers, and no loop reads them.
    """
    rules = tuple(SoftConstraint(1, rule) for rule in unenforced(ready.found.model, ready.space))
    allowed = np.flatnonzero(all_levels(Cost(rules), ready.space) == 0)
    if ready.problem.goal is None or ready.cost.error:
        return EnergyRanking(len(allowed), ())
    levels, first, counts = np.unique(ready.levels[allowed], return_index=True, return_counts=True)
    pairs = [
        (ready.problem.told(ready.energy(int(allowed[place]))), int(count))
        for _, place, count in zip(levels[:KEPT], first[:KEPT], counts[:KEPT], strict=True)
    ]
    return EnergyRanking(len(allowed), tuple(sorted(pairs, reverse=ready.problem.goal == "max")))


class OtherLayoutError(InputError):
    """A search cannot go on, because its problem is now laid out differently."""


def require_same_space(ready: Adaptive, space_key: str, search: str) -> None:
    """Refuse to go on with a search whose problem is now laid out differently.

    Raises:
        OtherLayoutError: it is.
    """
    if space_key != fingerprint(ready):
        raise OtherLayoutError(
            f"job {search} was begun by another version of gatesolve, which lays this problem out differently: "
            "go on with that version, or submit it anew with again=True"
        )
