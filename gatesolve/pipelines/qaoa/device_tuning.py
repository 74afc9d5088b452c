"""QAOA's angles tuned on a device: rounds of circuits, each one batch, replayed from what they measured.

It starts at the exactly simulated angles, which are right for a perfect device, and looks for what this one needs
instead. The first round goes through a grid of scales of all gammas and of all betas. Every further one measures the
centre and pairs of circuits about it, along directions at right angles: both scales in turn, and random ones. A
parabola through each three values gives the step along its direction (a response surface, Box and Wilson, J. R. Stat.
Soc. B 13 (1951) 1; random directions measured in pairs as in SPSA, Spall, IEEE Trans. Autom. Control 37 (1992) 332).
Then the start and all centres are measured once more, the best is taken (the start, unless another is better by more
than the errors), and its angles are measured with all the shots. Those last shots have had no part in the choice.

The loop knows neither device nor store: ``next_round`` is a function of the plan and of all that was measured so far.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from gatesolve.errors import InputError
from gatesolve.model.content import content_key
from gatesolve.pipelines.qaoa.angles import Angles, Schedule, Units
from gatesolve.simulate.qaoa_objective import Aim, aim_at

Kind = Literal["scan", "explore", "compare", "final"]
Rows = tuple[tuple[float, ...], ...]
"""A schedule as plain numbers: (layers, 2), or (layers, 1 + mixers)."""
MOST_ROUNDS, MOST_BATCH = 1_000, 1_000
LARGEST = 1 << 62
"""Of costs, on either side of 0."""
CLOSE = 1e-6
"""Angles asked for again may differ by as much, from one machine's arithmetic to another's."""
SCAN = 9
"""Circuits of the first round, where a batch has room for them."""
SHRINK = 0.7
"""The radius of a round over that of the one before."""
REACH = 2.0
"""A step is at most so many times as far as the pair that it was read from."""
Vector = NDArray[np.float64]
Pairs = tuple[tuple[int, int], ...]


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


@dataclass(frozen=True)
class Value:
    """An aim as measured, with its standard error."""

    mean: float
    error: float


@dataclass(frozen=True)
class TuningEnd:
    """The end of a search: the aim at the start and at the best, as compared; None where no shot was a codeword."""

    start: Value | None
    best: Value | None


@dataclass(frozen=True)
class _Search:
    """Where the search is after some rounds.

    Attributes:
        centre: of the next round.
        base: the centre of the lowest value measured, and that value; None before the first.
        radius: of the next round.
        centres: all so far, the start first.
    """

    centre: Vector
    base: tuple[Vector, Value] | None
    radius: float
    centres: tuple[Vector, ...]


def next_round(plan: TuningPlan, history: Sequence[TuningOutcome]) -> TuningRequest | TuningEnd:
    """What comes after the rounds so far: the same for the same plan and history, always.

    Raises:
        InputError: the history is of another search, out of order, or longer than the search.
    """
    start = np.array(plan.schedule, dtype=np.float64).reshape(-1)
    search = _Search(start, None, plan.radius, (start,))
    for number in range(plan.rounds):
        scan = number == 0 and plan.batch >= SCAN
        directions = [] if scan else _directions(plan, search.centre, number)
        points = _scan(plan, search) if scan else _points(search, directions)
        request = _request(plan, number, "scan" if scan else "explore", points)
        if number == len(history):
            return request
        _check(request, history[number])
        values = [measure_aim(pairs, plan.aim, plan.factor) for pairs in history[number].costs]
        search = _follow_scan(search, points, values) if scan else _after(search, directions, values)
    chosen, number = start, plan.rounds
    compared: list[Value | None] = []
    if plan.rounds:
        centres = _last_centres(search, plan.batch)
        request = _request(plan, number, "compare", centres)
        if number == len(history):
            return request
        _check(request, history[number])
        compared = [measure_aim(pairs, plan.aim, plan.factor) for pairs in history[number].costs]
        chosen, number = centres[_choose_place(compared)], number + 1
    request = _request(plan, number, "final", [chosen])
    if number == len(history):
        return request
    _check(request, history[number])
    if len(history) > number + 1:
        raise InputError(f"{len(history)} rounds were measured in a search of {number + 1}: it is of another one")
    ends = compared or [measure_aim(pairs, plan.aim, plan.factor) for pairs in history[-1].costs]
    return TuningEnd(ends[0], ends[_choose_place(ends)])


def measure_aim(pairs: Pairs, aim: Aim, factor: float) -> Value | None:
    """An aim of measured costs and their shots, as `aim_at`; None where there are none."""
    if not pairs:
        return None
    costs, shots = np.array(pairs, dtype=np.float64).T
    weights = shots / shots.sum()
    result, shares = aim_at(aim, factor)(costs, weights)
    variance = float(((shares - shares @ weights) ** 2) @ weights)
    return Value(result, math.sqrt(variance / float(shots.sum())))


def _directions(plan: TuningPlan, centre: Vector, number: int) -> list[tuple[Vector, float]]:
    """Directions at right angles, each of length 1, with the length along it that a radius of 1 stands for."""
    wanted = min((plan.batch - 1) // 2, len(centre))
    gammas = _gammas(plan)
    # Every other round, the first one too unless that is a scan.
    scaling = number % 2 == (plan.batch >= SCAN)
    rng = np.random.default_rng((plan.seed, number))
    found: list[tuple[Vector, float]] = []
    scales = [centre * gammas, centre * ~gammas] if scaling else []
    whole = float(np.linalg.norm(centre)) or 1.0
    while len(found) < wanted:
        vector = scales.pop(0) if scales else rng.standard_normal(len(centre))
        size = float(np.linalg.norm(vector))
        length = size if scaling and len(found) < 2 else whole
        for other, _ in found:
            vector = vector - (vector @ other) * other
        rest = float(np.linalg.norm(vector))
        if rest > 1e-6 * max(size, 1e-300):
            found.append((vector / rest, length))
    return found


def _scan(plan: TuningPlan, search: _Search) -> list[Vector]:
    """All gammas and all betas as they are, larger or smaller; the centre first."""
    gammas = _gammas(plan)
    scales = (1.0, 1 + search.radius, 1 / (1 + search.radius))
    return [search.centre * np.where(gammas, gamma, beta) for gamma in scales for beta in scales]


def _follow_scan(search: _Search, points: list[Vector], values: list[Value | None]) -> _Search:
    """From the best of a scan on, whose value is not held against what follows: the lowest of many is too low."""
    best, middle = _lowest(values), values[0]
    found = values[best]
    if found is None or (middle is not None and found.mean > middle.mean - math.hypot(found.error, middle.error)):
        return search
    return _Search(points[best], None, search.radius, (*search.centres, points[best]))


def _gammas(plan: TuningPlan) -> NDArray[np.bool_]:
    """Which numbers of a schedule are gammas."""
    columns = len(plan.schedule[0])
    which: NDArray[np.bool_] = np.arange(len(plan.schedule) * columns) % columns == 0
    return which


def _points(search: _Search, directions: list[tuple[Vector, float]]) -> list[Vector]:
    points = [search.centre]
    for direction, length in directions:
        away = search.radius * length * direction
        points += [search.centre + away, search.centre - away]
    return points


def _after(search: _Search, directions: list[tuple[Vector, float]], values: list[Value | None]) -> _Search:
    """The search after a round of values at the centre and the pairs about it."""
    middle, base = values[0], search.base
    if middle is None:
        return _Search(search.centre, base, search.radius * SHRINK, search.centres)
    if base is not None and middle.mean > base[1].mean + math.hypot(middle.error, base[1].error):
        # The last step led uphill: halfway back, and closer about.
        centre = (search.centre + base[0]) / 2
        return _Search(centre, base, search.radius * SHRINK**2, (*search.centres, centre))
    centre = search.centre
    for (direction, length), above, below in zip(directions, values[1::2], values[2::2], strict=True):
        if above is not None and below is not None:
            centre = centre + _move(middle, above, below) * search.radius * length * direction
    return _Search(centre, (search.centre, middle), search.radius * SHRINK, (*search.centres, centre))


def _move(middle: Value, above: Value, below: Value) -> float:
    """To the lowest point of the parabola through values at 0, 1 and -1, less where the slope is little but noise."""
    slope = (above.mean - below.mean) / 2
    noise = (above.error**2 + below.error**2) / 4
    if not slope**2 + noise:
        return 0.0
    bend = above.mean + below.mean - 2 * middle.mean
    wish = -slope / bend if bend > abs(slope) / REACH else -math.copysign(REACH / 2 if bend <= 0 else REACH, slope)
    return wish * slope**2 / (slope**2 + noise)


def _last_centres(search: _Search, batch: int) -> list[Vector]:
    """The start and the latest centres, each once, as many as fit a batch."""
    start, *later = search.centres
    kept: list[Vector] = []
    for centre in reversed(later):
        if all(np.abs(centre - other).max() > 1e-12 for other in (start, *kept)):
            kept.append(centre)
    return [start, *reversed(kept[: batch - 1])]


def _lowest(values: list[Value | None]) -> int:
    """The place of the lowest value, the latest of equal ones; the first where there is none."""
    best = 0
    for place, found in enumerate(values):
        held = values[best]
        if found is not None and (held is None or found.mean <= held.mean):
            best = place
    return best


def _choose_place(values: list[Value | None]) -> int:
    """The place of the lowest value, but of the first one unless the other is lower by more than their errors."""
    best = _lowest(values)
    start, found = values[0], values[best]
    if start is None or found is None:
        return best
    return best if found.mean < start.mean - math.hypot(start.error, found.error) else 0


def _request(plan: TuningPlan, number: int, kind: Kind, points: Sequence[Vector]) -> TuningRequest:
    columns = len(plan.schedule[0])
    schedules = tuple(tuple(tuple(float(x) for x in row) for row in point.reshape(-1, columns)) for point in points)
    return TuningRequest(plan.key(), number, kind, schedules, plan.final_shots if kind == "final" else plan.shots)


def _check(request: TuningRequest, outcome: TuningOutcome) -> None:
    if outcome.request.search != request.search:
        raise InputError(f"round {request.round} was measured for another problem, device or options")
    if not request.same(outcome.request):
        raise InputError(f"round {request.round} was measured at other angles than this search asks for: begin anew")
