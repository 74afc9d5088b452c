"""Choosing QAOA's angles: schedules without units, named ones, and descent from them on one budget.

Layer k is exp(-i gamma_k cost) and then every block's mixer at its own beta_k. All mixers have the uniform
superposition as their highest state, so small costs are sought with positive gammas and negative betas. A *schedule* is
the same without units: gammas times the spread of the costs, betas over each mixer's unit.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gatesolve.encodings.mixer import Mixer
from gatesolve.errors import InputError
from gatesolve.pipelines.options import AngleChoice
from gatesolve.simulate.qaoa import LossSlope

Floats = NDArray[np.float64]
EVALUATIONS = 500
"""Evaluations by default."""
STILL = 1e-7
"""A descent ends when a step gains less than this, relative to the value or to 1."""
Report = Callable[[int, float, float], None]
"""Called with (evaluations made, best value, this value) after every evaluation."""
RAMPS: tuple[tuple[float, ...], tuple[float, ...]] = ((0.7, 1.0, 1.4), (0.5, 0.7, 0.9))
"""Candidates for the ends of the linear ramp: of gamma, in one over the spread, and of beta, in units of the mixer."""
RAMP = 1.0, 0.7
"""The ends of the ramp where none can be tried."""
SCALES: tuple[tuple[float, ...], tuple[float, ...]] = ((0.75, 1.0, 1.3), (0.85, 1.0, 1.15))
"""Factors tried on transferred angles: of all gammas, and of all betas."""
Schedule = NDArray[np.float64]
"""Shape (layers, 2): the gamma and the beta of each layer, without units; or (layers, 1 + mixers)."""
Named = tuple[str, Schedule]


@dataclass(frozen=True, eq=False)
class Angles:
    """The angles of every layer: gammas of shape (layers,), in radians a cost, betas of shape (layers, mixers)."""

    gammas: NDArray[np.float64]
    betas: NDArray[np.float64]


@dataclass(frozen=True)
class Units:
    """Units that turn a schedule into angles.

    ``spread`` is how much the cost varies among the codewords that a mixer mixes, 0 where all costs are equal;
    ``mixers`` has the unit of each mixer's beta.
    """

    spread: float
    mixers: tuple[float, ...]

    @classmethod
    def of(cls, costs: ArrayLike, sizes: Sequence[int], mixers: Sequence[Mixer]) -> Units:
        """Return the units of a cost in a space; ``mixers`` has one a block or one in all; raises as `cost_spread`."""
        # The global mixer mixes all codewords, as if they were one block.
        if len(mixers) == 1 and mixers[0].kind == "grover-global":
            sizes = [math.prod(sizes)]
        return cls(cost_spread(costs, sizes), tuple(mixer_unit(m, size) for m, size in zip(mixers, sizes, strict=True)))

    def angles(self, schedule: Schedule) -> Angles:
        """Return the angles of a schedule."""
        shape = len(schedule), len(self.mixers)
        betas = np.broadcast_to(schedule[:, 1:], shape) * np.array(self.mixers, dtype=np.float64)
        return Angles(schedule[:, 0] / (self.spread or 1.0), betas)


def cost_spread(costs: ArrayLike, sizes: Sequence[int]) -> float:
    """Return the root of the mean over blocks of the variance within the block, averaged over the other blocks.

    With one block it is the standard deviation of all costs. That of many blocks grows with their number, and good
    gammas do not fall with it, because a mixer compares codewords that differ in one block.

    Raises:
        InputError: a cost is no finite number, or there is not one a codeword.

    Cost: two passes over the costs a block.
    """
    given: NDArray[np.float64] = np.asarray(costs, dtype=np.float64)
    if given.shape != (math.prod(sizes),):
        raise InputError(f"the costs have shape {given.shape}: give one for each of {math.prod(sizes)} codewords")
    if not np.isfinite(given).all():
        bad = int(np.argmin(np.isfinite(given)))
        raise InputError(f"the cost of codeword {bad} is {given[bad]}: every cost must be a finite number")
    found, stride = [], 1
    for size in sizes:
        if size > 1:
            # The first block's position is the fastest in the order of codewords.
            found.append(float(given.reshape(-1, size, stride).var(axis=1).mean()))
        stride *= size
    return math.sqrt(sum(found) / len(found)) if found else 0.0


def mixer_unit(mixer: Mixer, size: int) -> float:
    """Return twice the inverse of the gap below the mixer's highest state, so that a beta moves as much in any block.

    A long ring's gap falls with the square of its length. Its unit stops at 1, that of the ring of four, because hops
    by more than a quarter turn move amplitude back.
    """
    if mixer.kind in ("grover", "grover-global"):
        return 2.0
    if mixer.kind == "x" or size <= 2:
        return 1.0
    return 2 / size if mixer.kind == "xy-complete" else min(1.0, 1 / (1 - math.cos(2 * math.pi / size)))


def ramp(layers: int, gamma: float, beta: float) -> Schedule:
    """Return a linear ramp: gammas rise to ``gamma``, betas fall from ``-beta`` to 0, both read at the layers' middles.

    Source: the annealing path cut into layers (arXiv:1411.4028, section VI); fixed ramps as in arXiv:2405.09169.
    """
    # The ramp is read at the middles of the layers, so no angle is exactly zero.
    time = (np.arange(layers) + 0.5) / max(layers, 1)
    return np.stack([gamma * time, -beta * (1 - time)], axis=1)


def ramps(layers: int) -> Iterator[Named]:
    """The ramps worth a look, named by their ends."""
    for gamma in RAMPS[0]:
        for beta in RAMPS[1]:
            yield f"ramp to {gamma:g} from {beta:g}", ramp(layers, gamma, beta)


def transfers(layers: int, mixers: Sequence[Mixer]) -> Iterator[Named]:
    """Yield transferred angles as they are, and with all gammas or all betas made larger or smaller."""
    schedule = transfer(layers, mixers)
    for gamma in SCALES[0]:
        for beta in SCALES[1]:
            yield f"transfer x {gamma:g}, {beta:g}", schedule * (gamma, beta)


def transfer(layers: int, mixers: Sequence[Mixer]) -> Schedule:
    """Return angles that are good on average for small instances, by the kind of mixer that most blocks have.

    A depth that is not in the table is interpolated from the next one below.
    """
    kinds = [mixer.kind for mixer in mixers] or ["grover"]
    # One table for all blocks: most models have one kind of block, and blocks share the gammas.
    return _read_row(load_table("table")[max(kinds, key=kinds.count)], layers)


def fix(layers: int, degree: int | None) -> Named:
    """Return published angles for blocks of two codewords, with their name.

    They are those for cuts of regular graphs (arXiv:2107.00677; of degree 3 arXiv:2503.12789). For other costs and
    depths they are those of the Sherrington-Kirkpatrick model (arXiv:2110.14206) in units of the costs' spread, as
    arXiv:2305.15201 does for weighted graphs.
    """
    table = load_table("fixed")
    if degree is not None and layers in (rows := table.get(str(degree), {})):
        # The spread of a cut's cost is half the root of the degree.
        return f"{degree}-regular graphs", _read_row(rows, layers) * (math.sqrt(degree) / 2, -1)
    return "Sherrington-Kirkpatrick", _read_row(table["sk"], layers) * (1, -1)


def _read_row(rows: dict[int, Schedule], layers: int) -> Schedule:
    """Return the row of a depth, or one interpolated from the next one below."""
    if not layers:
        return np.zeros((0, 2))
    # Interpolation only adds layers.
    return stretch_schedule(rows[max(depth for depth in rows if depth <= layers)], layers)


def interpolate_schedule(schedule: Schedule) -> Schedule:
    """Return the schedule with one layer more, for any number of columns.

    Layer i of p + 1 mixes layers i - 1 and i of p by (i - 1) / p and (p - i + 1) / p.
    Source: the INTERP strategy of arXiv:1812.01041.
    """
    layers = len(schedule)
    before: Schedule = np.arange(layers + 1)[:, None] / max(layers, 1)
    edge = np.zeros((1, schedule.shape[1]))
    longer: Schedule = before * np.concatenate([edge, schedule]) + (1 - before) * np.concatenate([schedule, edge])
    return longer


def stretch_schedule(schedule: Schedule, layers: int) -> Schedule:
    """Return the schedule with ``layers`` layers, at least as many as it has, one more at a time."""
    if not 0 < len(schedule) <= layers:
        raise InputError(f"{len(schedule)} layers cannot be interpolated to {layers}")
    while len(schedule) < layers:
        schedule = interpolate_schedule(schedule)
    return schedule


@cache
def load_table(name: str) -> dict[str, dict[int, Schedule]]:
    """Return rows of gamma and beta a layer by kind and number of layers.

    ``table`` has schedules that are good for small random instances, by kind of mixer; `python -m benchmarks
    qaoa-transfer` makes the numbers again. ``fixed`` has published angles by degree, in radians a cut edge, from
    https://github.com/danlkv/fixed-angle-QAOA and https://github.com/jpmorganchase/QOKit (Apache-2.0).
    """
    kinds = json.loads(files("gatesolve.pipelines.qaoa").joinpath(f"{name}.json").read_text(encoding="utf-8"))
    return {kind: {int(layers): np.array(row).T for layers, row in rows.items()} for kind, rows in kinds.items()}


@dataclass(frozen=True)
class AngleLoss:
    """The loss that angles are chosen by as a function of schedules, from a simulator's exact derivatives.

    A schedule of two columns has one beta a layer, shared by all mixers in proportion to their units. A wider one has a
    column of betas for each mixer (the multi-angle ansatz of arXiv:2109.11455, for the mixers alone).

    Attributes:
        units: turn a schedule into angles.
        value_at: of a simulator, at gammas of shape (layers,) and betas of shape (layers, mixers); to be minimised.
        slope_at: its derivatives too.
    """

    units: Units
    value_at: Callable[[Floats, Floats], float]
    slope_at: Callable[[Floats, Floats], LossSlope]

    def value(self, schedule: Schedule) -> float:
        """Return the loss at a schedule."""
        angles = self.units.angles(schedule)
        return float(self.value_at(angles.gammas, angles.betas))

    def slope(self, schedule: Schedule) -> tuple[float, Schedule]:
        """Return the loss at a schedule, and its gradient in the schedule's shape."""
        angles = self.units.angles(schedule)
        found = self.slope_at(angles.gammas, angles.betas)
        betas = found.betas * np.array(self.units.mixers)
        # Mixers share a beta, so their derivatives add up.
        if schedule.shape[1] == 2:
            betas = betas.sum(axis=1, keepdims=True)
        return float(found.value), np.concatenate([found.gammas[:, None] / (self.units.spread or 1.0), betas], axis=1)


@dataclass(frozen=True, eq=False)
class FoundAngles:
    """The best angles found.

    Attributes:
        schedule: without units, shape (layers, 2) or (layers, 1 + mixers).
        angles: the same in radians.
        value: of the loss at them.
        evaluations: made in all, with and without gradient.
        start: the name of the start that led to them.
    """

    schedule: Schedule
    angles: Angles
    value: float
    evaluations: int
    start: str


def choose_angles(
    choice: AngleChoice,
    layers: int,
    land: AngleLoss,
    mixers: Sequence[Mixer],
    *,
    fixed: Named | None = None,
    evaluations: int = EVALUATIONS,
    multi: bool = True,
    seed: int = 0,
    report: Report = lambda *_: None,
) -> FoundAngles:
    """Choose angles by name: ``fixed``, the best ``ramp``, the best of all known (``transfer``), or ``optimised``.

    Descent first doubles the layers from few to all, by interpolation, which nearly always ends at the best value
    known. Then it starts from the best of both scans and from a random ramp. With ``multi`` every mixer has its own
    betas in the end; the circuit is no larger.

    Raises:
        InputError: no budget, or a value that is no number.
    """
    run = _AngleRun(land, evaluations, report)
    if run.is_trivial(layers):
        return run.outcome()
    known = [fixed] if fixed else []
    if choice != "ramp":
        first = run.scan(known if choice == "fixed" else [*known, *transfers(layers, mixers)])
    # No transferred angles suit every cost, penalties least, so ramps have a say in them.
    if choice in ("ramp", "transfer"):
        run.scan(ramps(layers))
    if choice == "optimised":
        # Growing nearly always ends best, so it gets most of the budget.
        run.grow(layers, mixers, (run.left * 3) // 5)
        second = run.scan(ramps(layers))
        # The last start is a ramp with random ends and a little noise on every angle.
        draw = np.random.default_rng(seed)
        gamma, beta = draw.uniform(0.5, 2.0), draw.uniform(0.4, 1.0)
        drawn = ramp(layers, gamma, beta) + draw.normal(0, 0.1, (layers, 2))
        run.descents([first, second, ("random 1", drawn)], multi)
    return run.outcome()


class _Spent(Exception):
    """The budget of a descent is used up."""


class _AngleRun:
    """The best seen so far, and the count of evaluations; only here the landscape is called."""

    def __init__(self, land: AngleLoss, evaluations: int, report: Report = lambda *_: None) -> None:
        if evaluations < 1:
            raise InputError(f"choosing angles takes at least 1 evaluation, not {evaluations}")
        self.land, self.until, self.report = land, evaluations, report
        self.made, self.least = 0, math.inf
        self.best: Named = ("", np.zeros((0, 2)))

    def is_trivial(self, layers: int) -> bool:
        """Whether there is nothing to choose, or nothing to tell choices apart; then one evaluation says it all."""
        # Without layers or spread every choice gives the same state, up to a phase.
        if layers and self.land.units.spread:
            return False
        schedule = np.zeros((layers, 2))
        self.count_evaluation("uniform", schedule, self.land.value(schedule))
        return True

    @property
    def left(self) -> int:
        return self.until - self.made

    def count_evaluation(self, name: str, schedule: Schedule, value: float) -> None:
        """Count an evaluation, and keep it if it is the best; one without a name is only a step on the way."""
        if not math.isfinite(value):
            raise InputError(f"the loss at some angles is {value}: check the costs")
        self.made += 1
        if name and value < self.least:
            # A copy, since the minimiser may change its array.
            self.least, self.best = value, (name, schedule.copy())
        self.report(self.made, self.least, value)

    def scan(self, candidates: Iterable[Named], on_the_way: bool = False) -> Named:
        """Return the best candidate, the first of equals; those beyond the budget are not looked at."""
        best: tuple[float, Named] | None = None
        for named in candidates:
            # Beyond the budget a candidate counts as infinitely bad, so the first one is still returned.
            value = math.inf
            if self.left:
                value = self.land.value(named[1])
                self.count_evaluation("" if on_the_way else named[0], named[1], value)
            if best is None or value < best[0]:
                best = value, named
        assert best is not None
        return best[1]

    def grow(self, layers: int, mixers: Sequence[Mixer], budget: int) -> None:
        """Descend at a few layers from transferred angles, then at about twice as many from those, up to all."""
        depths = [layers]
        # Halved down to one or two layers.
        while depths[0] > 2:
            depths.insert(0, depths[0] // 2)
        until = self.made + budget
        if len(depths) == 1 or budget <= 0:
            return
        _, schedule = self.scan(transfers(depths[0], mixers), on_the_way=True)
        for depth in depths:
            schedule = stretch_schedule(schedule, depth)
            schedule = self.descent("grown" if depth == layers else "", schedule, until - self.made)

    def descents(self, starts: Sequence[Named], multi: bool) -> None:
        """Descend from each start, then with betas for every mixer from the best."""
        # The other half is for betas of every mixer, from the best of these.
        until = self.made + self.left // 2 if multi else self.until
        for number, (name, schedule) in enumerate(starts):
            self.descent(name, schedule, (until - self.made) // (len(starts) - number))
        if multi and len(self.land.units.mixers) > 1 and self.best[1].shape[1] == 2:
            name, schedule = self.best
            betas = np.repeat(schedule[:, 1:], len(self.land.units.mixers), axis=1)
            self.descent(name, np.concatenate([schedule[:, :1], betas], axis=1), self.left)

    def descent(self, name: str, schedule: Schedule, budget: int) -> Schedule:
        """Descend from one start with at most ``budget`` evaluations; return the best that it met."""
        from scipy.optimize import minimize

        until, best = self.made + budget, (math.inf, schedule)

        def function(flat: Floats) -> tuple[float, Floats]:
            nonlocal best
            # SciPy may evaluate more often than its options allow, so the budget is enforced here.
            if self.made >= until:
                raise _Spent
            at = flat.reshape(schedule.shape)
            value, gradient = self.land.slope(at)
            self.count_evaluation(name, at, value)
            if value < best[0]:
                best = value, at.copy()
            return value, gradient.reshape(-1)

        options = {"maxiter": budget + 1, "maxfun": budget + 1, "ftol": STILL}
        with suppress(_Spent):
            minimize(function, schedule.reshape(-1), jac=True, method="L-BFGS-B", options=options)
        return best[1]

    def outcome(self) -> FoundAngles:
        name, schedule = self.best
        return FoundAngles(schedule, self.land.units.angles(schedule), self.least, self.made, name)
