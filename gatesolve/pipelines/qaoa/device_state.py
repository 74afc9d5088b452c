"""What tuning QAOA's angles on a device asks for and measures."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from gatesolve.errors import InputError
from gatesolve.model.content import content_key
from gatesolve.pipelines.qaoa.angles import Angles, Schedule, Units
from gatesolve.simulate.qaoa_objective import Aim

Kind = Literal["scan", "explore", "compare", "final"]
Rows = tuple[tuple[float, ...], ...]
"""A schedule as plain numbers: (layers, 2), or (layers, 1 + mixers)."""
MOST_ROUNDS, MOST_BATCH = 1_000, 1_000
LARGEST = 1 << 62
"""Of costs, on either side of 0."""
CLOSE = 1e-6
"""Angles asked for again may differ by as much, from one machine's arithmetic to another's."""


@dataclass(frozen=True)
class TuningPlan:
    """All that determines a search for angles, but what the device measures.

    Attributes:
        problem: the caller's fingerprint of problem, options and device.
        schedule: where to start, without units: the exactly simulated angles.
        spread: unit of the gammas, as in ``Units``.
        mixers: units of the betas, one a mixer.
        aim: what is made small: ``gibbs``, ``cvar`` or ``mean`` of the cost.
        factor: eta of ``gibbs``, in whole units of a cost; the fraction of ``cvar``; of no meaning for ``mean``.
        rounds: in which angles are varied; one that compares and one with the best angles follow.
        batch: circuits of a round, at most: for each direction two, and the centre.
        shots: of each circuit but the last.
        final_shots: of the last.
        radius: how far angles are varied at first, as a share of themselves.
        seed: of the directions.
    """

    problem: str
    schedule: Rows
    spread: float
    mixers: tuple[float, ...]
    aim: Aim = "gibbs"
    factor: float = 1.0
    rounds: int = 4
    batch: int = 9
    shots: int = 1024
    final_shots: int = 4096
    radius: float = 0.25
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse what no search can be made of."""
        widths = {len(row) for row in self.schedule}
        if not self.schedule or widths not in ({2}, {1 + len(self.mixers)}):
            raise InputError("a schedule to tune has a row for each layer, of a gamma and one beta, or one a mixer")
        if not all(math.isfinite(x) for row in (*self.schedule, self.mixers, (self.spread, self.factor)) for x in row):
            raise InputError("an angle to start from, or its unit, is not a finite number")
        if self.aim not in get_args(Aim):
            raise InputError(f"the aim is {self.aim!r}; it must be one of {', '.join(get_args(Aim))}")
        if self.factor <= 0 or (self.aim == "cvar" and self.factor > 1):
            raise InputError(f"the factor of {self.aim} is {self.factor}; it is above 0, and of cvar at most 1")
        for name, value, least, most in (
            ("rounds", self.rounds, 0, MOST_ROUNDS),
            ("batch", self.batch, 3, MOST_BATCH),
            ("shots", self.shots, 1, 1 << 31),
            ("final_shots", self.final_shots, 1, 1 << 31),
            ("seed", self.seed, 0, 1 << 63),
        ):
            if not least <= value <= most:
                raise InputError(f"{name} is {value}; it must be from {least} to {most}")
        if not 0 < self.radius <= 1:
            raise InputError(f"the radius is {self.radius}; it must be above 0 and at most 1")

    @classmethod
    def of(cls, problem: str, schedule: Schedule, units: Units, **choices: Any) -> TuningPlan:
        """A plan that starts from a schedule and its units, as `choose_angles` returns them."""
        rows = tuple(tuple(float(x) for x in row) for row in schedule)
        return cls(problem, rows, float(units.spread), tuple(map(float, units.mixers)), **choices)

    def angles(self, rows: Rows) -> Angles:
        """The angles of a schedule in radians, for ``QaoaPlan.program``."""
        return Units(self.spread, self.mixers).angles(np.array(rows, dtype=np.float64))

    def key(self) -> str:
        """A fingerprint: equal for equal plans alone."""
        return content_key(self)


@dataclass(frozen=True)
class TuningRequest:
    """The circuits of one round, to be run as one batch.

    Attributes:
        search: the plan's fingerprint.
        round: its number, the first is 0.
        kind: ``scan`` (gammas and betas larger and smaller), ``explore`` (the centre first, then pairs
            about it), ``compare`` (centres) or ``final`` (the best).
        schedules: one a circuit; ``TuningPlan.angles`` turns each into angles.
        shots: of each circuit.
    """

    search: str
    round: int
    kind: Kind
    schedules: tuple[Rows, ...]
    shots: int

    def same(self, other: TuningRequest) -> bool:
        """Whether both ask for the same, up to the rounding of angles."""
        if (self.search, self.round, self.kind, self.shots) != (other.search, other.round, other.kind, other.shots):
            return False
        if [[len(row) for row in rows] for rows in self.schedules] != [[len(r) for r in s] for s in other.schedules]:
            return False
        pairs = zip(_flat(self.schedules), _flat(other.schedules), strict=True)
        return all(abs(mine - theirs) <= CLOSE for mine, theirs in pairs)


@dataclass(frozen=True)
class TuningOutcome:
    """What a round measured.

    Attributes:
        request: what was asked for.
        costs: for each circuit pairs of a cost and its shots, the lowest first; the other shots were no codewords.
    """

    request: TuningRequest
    costs: tuple[tuple[tuple[int, int], ...], ...]

    def __post_init__(self) -> None:
        """One entry a circuit, and no more shots than asked for."""
        if len(self.costs) != len(self.request.schedules):
            raise InputError(f"{len(self.costs)} results for {len(self.request.schedules)} circuits: give one each")
        for pairs in self.costs:
            known = [cost for cost, _ in pairs]
            if known != sorted(set(known)) or any(shots <= 0 or abs(cost) > LARGEST for cost, shots in pairs):
                raise InputError("the costs of a circuit are in order, each once, with the shots it had")
            if sum(shots for _, shots in pairs) > self.request.shots:
                raise InputError(f"more shots were measured than the {self.request.shots} asked for")

    @classmethod
    def of(cls, request: TuningRequest, measured: Sequence[Mapping[int, int]]) -> TuningOutcome:
        """From shots by cost, for each circuit of the request."""
        return cls(request, tuple(tuple(sorted((k, n) for k, n in counts.items() if n)) for counts in measured))


def _flat(schedules: Sequence[Rows]) -> list[float]:
    return [x for rows in schedules for row in rows for x in row]
