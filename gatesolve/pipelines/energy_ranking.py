"""How many codewords have which energy: what the best energy that a device measured is held against."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from gatesolve.errors import InputError
from gatesolve.pipelines.ranking import RankedSpace

KEPT = 1_000
"""Most different energies kept in a record, the best ones."""


@dataclass(frozen=True)
class EnergyRanking:
    """What chance is measured by.

    Attributes:
        solutions: codewords that break no constraint.
        energies: energies of those, best first, with how many have each; empty where there is nothing to be made
            small or large, or costs do not tell energies exactly.
    """

    solutions: int
    energies: tuple[tuple[Fraction, int], ...]


def rank_energies(ranked: RankedSpace) -> EnergyRanking:
    """Count the solutions and their energies classically, to judge a device's answers against chance.

    No circuit is made from these numbers, and no loop reads them.
    """
    allowed = np.flatnonzero(ranked.keeps_rules())
    if ranked.problem.goal is None or ranked.cost.error:
        return EnergyRanking(len(allowed), ())
    costs, first, counts = np.unique(ranked.costs[allowed], return_index=True, return_counts=True)
    pairs = [
        (ranked.problem.restore_energy(ranked.energy(int(allowed[place]))), int(count))
        for _, place, count in zip(costs[:KEPT], first[:KEPT], counts[:KEPT], strict=True)
    ]
    return EnergyRanking(len(allowed), tuple(sorted(pairs, reverse=ranked.problem.goal == "max")))


def count_costs(ranked: RankedSpace, states: Mapping[int, int]) -> dict[int, int]:
    """Shots by cost of measured basis states, without those outside the space."""
    found: dict[int, int] = {}
    for state, shots in states.items():
        values = ranked.space.decode(state)
        number = None if values is None else ranked.space.number(values)
        if number is not None:
            cost = int(ranked.costs[number])
            found[cost] = found.get(cost, 0) + shots
    return found


class OtherLayoutError(InputError):
    """A search cannot go on, because its problem is now laid out differently."""


def require_same_space(known: str, recorded: str, search: str) -> None:
    """Refuse to go on with a search whose problem is now laid out differently.

    ``known`` is the hash of the space and its energies as they are made now, ``recorded`` that of when it began.

    Raises:
        OtherLayoutError: they differ.
    """
    if known != recorded:
        raise OtherLayoutError(
            f"job {search} was begun by another version of gatesolve, which lays this problem out differently: "
            "go on with that version, or submit it anew with again=True"
        )
