"""Choosing QAOA's angles: scans of ramps and of transferred angles, and gradient descent from them on one budget.

What is made small is a function of the costs' probabilities (see ``gatesolve.simulate.qaoa_loss``), as samples
would give it too; which codewords are solutions is not asked. In a problem of rules alone cost 0 is that of the
solutions, so a Gibbs loss of large factor, or CVaR of a small tail, comes close to their probability. The factor
taken if nobody says otherwise is small: nearly the mean cost, with more weight on the low side.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from gatesolve.encodings.mixer import Mixer
from gatesolve.errors import InputError
from gatesolve.pipelines.qaoa.angles import Angles, Named, Schedule, Units, ramp, ramps, stretch_schedule, transfers
from gatesolve.simulate.qaoa import LossSlope

Floats = NDArray[np.float64]
AngleChoice = Literal["optimised", "transfer", "ramp"]
ANGLE_CHOICES: tuple[AngleChoice, ...] = get_args(AngleChoice)
GIBBS_FACTOR = 2.0
"""Of the Gibbs loss, over the standard deviation of all costs."""
CVAR_TAIL = 0.5
"""Of CVaR: the share of the lowest costs that it is the mean of."""
EVALUATIONS, FEWEST = 500, 30
"""Evaluations that are made if nobody says otherwise: as many, or where a run is long, at least so many."""
WORK = 1 << 35
"""Layers times blocks times codewords of all evaluations, beyond which they become fewer: some minutes."""
STILL = 1e-7
"""A descent ends when a step gains less than this, relative to the value or to 1."""

Report = Callable[[int, float, float], None]
"""Called with (evaluations made, best value, this value) after every evaluation."""


@dataclass(frozen=True)
class AngleLoss:
    """The loss that angles are chosen by as a function of schedules, from a simulator's exact derivatives.

    Attributes:
        units: to tell a schedule's angles.
        value: at a schedule, to be made small.
        slope: the value, and the gradient in the schedule's shape.
    """

    units: Units
    value: Callable[[Schedule], float]
    slope: Callable[[Schedule], tuple[float, Schedule]]


def make_landscape(
    units: Units, value: Callable[[Floats, Floats], float], slope: Callable[[Floats, Floats], LossSlope]
) -> AngleLoss:
    """The landscape of an ansatz.

    A schedule of two columns has one beta a layer, shared by all mixers in proportion to their units; a wider one has
    a column of betas for each mixer (the multi-angle ansatz of arXiv:2109.11455, for the mixers alone). ``value`` and
    ``slope`` are those of a simulator at gammas, shape (layers,), and betas, shape (layers, mixers).
    """

    def value_at(schedule: Schedule) -> float:
        angles = units.angles(schedule)
        return float(value(angles.gammas, angles.betas))

    def slope_at(schedule: Schedule) -> tuple[float, Schedule]:
        angles = units.angles(schedule)
        found = slope(angles.gammas, angles.betas)
        betas = found.betas * np.array(units.mixers)
        if schedule.shape[1] == 2:
            betas = betas.sum(axis=1, keepdims=True)
        return float(found.value), np.concatenate([found.gammas[:, None] / (units.spread or 1.0), betas], axis=1)

    return AngleLoss(units, value_at, slope_at)


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


def affordable_evaluations(layers: int, sizes: Sequence[int]) -> int:
    """Evaluations that take some minutes at most where that is possible, by the sizes of the blocks."""
    once = max(1, layers * len(sizes) * math.prod(sizes))
    return min(EVALUATIONS, max(FEWEST, WORK // once))


def choose_angles(
    choice: AngleChoice,
    layers: int,
    land: AngleLoss,
    mixers: Sequence[Mixer],
    *,
    evaluations: int = EVALUATIONS,
    multi: bool = True,
    seed: int = 0,
    report: Report = lambda *_: None,
) -> FoundAngles:
    """Angles by name: the best ``ramp`` or the best of the scaled ``transfer``, or ``optimised`` from both and more.

    Descent is first from half the layers to all (twice as many each time, by interpolation), which nearly always ends
    at the best value known; then from the best of both scans and from a random ramp.
    The scans of the first two are of nine schedules each. With ``multi`` every mixer has its own betas in the end; the
    circuit is no larger.

    Raises:
        InputError: an unknown choice, no budget, or a value that is no number.
    """
    if choice not in ANGLE_CHOICES:
        raise InputError(f"unknown angles '{choice}': choose one of {', '.join(ANGLE_CHOICES)}")
    run = _AngleRun(land, evaluations, report)
    if run.is_trivial(layers):
        return run.outcome()
    first = run.scan(transfers(layers, mixers) if choice != "ramp" else ramps(layers))
    if choice == "optimised":
        run.grow(layers, mixers, (run.left * 3) // 5)
        second = run.scan(ramps(layers))
        run.descents([first, second, random_start(layers, seed)], multi)
    return run.outcome()


def random_start(layers: int, seed: int) -> Named:
    """A ramp with random ends and a little noise on every angle."""
    draw = np.random.default_rng(seed)
    gamma, beta = draw.uniform(0.5, 2.0), draw.uniform(0.4, 1.0)
    return "random 1", ramp(layers, gamma, beta) + draw.normal(0, 0.1, (layers, 2))


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
        if layers and self.land.units.spread:
            return False
        schedule = np.zeros((layers, 2))
        self.count_evaluation("uniform", schedule, self.land.value(schedule))
        return True

    @property
    def left(self) -> int:
        return self.until - self.made

    def count_evaluation(self, name: str, schedule: Schedule, value: float) -> None:
        """Count an evaluation, and keep it if it is the best; one of a name of nothing is only a step on the way."""
        if not math.isfinite(value):
            raise InputError(f"the loss at some angles is {value}: check the costs")
        self.made += 1
        if name and value < self.least:
            self.least, self.best = value, (name, schedule.copy())
        self.report(self.made, self.least, value)

    def scan(self, candidates: Iterable[Named], on_the_way: bool = False) -> Named:
        """The best candidate, the first of equals; those beyond the budget are not looked at."""
        best: tuple[float, Named] | None = None
        for named in candidates:
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
        """From each start, then with betas for every mixer from the best."""
        until = self.made + self.left // 2 if multi else self.until
        for number, (name, schedule) in enumerate(starts):
            self.descent(name, schedule, (until - self.made) // (len(starts) - number))
        if multi and len(self.land.units.mixers) > 1 and self.best[1].shape[1] == 2:
            name, schedule = self.best
            betas = np.repeat(schedule[:, 1:], len(self.land.units.mixers), axis=1)
            self.descent(name, np.concatenate([schedule[:, :1], betas], axis=1), self.left)

    def descent(self, name: str, schedule: Schedule, budget: int) -> Schedule:
        """From one start with at most ``budget`` evaluations: the best it met."""
        from scipy.optimize import minimize

        until, best = self.made + budget, (math.inf, schedule)

        def function(flat: Floats) -> tuple[float, Floats]:
            nonlocal best
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
