"""Compiling QAOA: space, cost and mixers, angles chosen by exact simulation, the circuit at those angles.

Layer k is exp(-i gamma_k cost) and then every block's mixer at its own beta_k. All mixers have the uniform
superposition as their highest state, so small costs are sought with positive gammas and negative betas. A *schedule* is
the same without units: gammas times the spread of the costs, betas over each mixer's unit.

Angles come from scans of ramps and of transferred angles, and gradient descent from them on one budget. The loss is a
function of the costs' probabilities (see ``gatesolve.simulate.qaoa_loss``), as samples would give it too. It does not
depend on which codewords are solutions.

In a problem of rules alone, solutions have cost 0. So a Gibbs loss of large factor, or CVaR of a small tail, comes
close to their probability. The default factor is small: nearly the mean cost, with more weight on the low side.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib.resources import files
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gatesolve.circuit.lowering import lower
from gatesolve.encodings.mixer import Mixer, mixers_for
from gatesolve.errors import DoesNotFitError, InputError
from gatesolve.formats.problem import Problem
from gatesolve.oracle.recipe import CostRecipe
from gatesolve.oracle.threshold import ValueChoice
from gatesolve.pipelines.answer import Compiled
from gatesolve.pipelines.certify import Sample, draw_around
from gatesolve.pipelines.events import AnglesTried, LayersFollowed
from gatesolve.pipelines.options import SPACE_LIMIT, refuse_idle
from gatesolve.pipelines.qaoa.options import QaoaOptions
from gatesolve.pipelines.qaoa.program import QaoaTemplate, qaoa_template
from gatesolve.pipelines.ranking import PricedSpace, RankedSpace, cost_rule, price_space, rank_space
from gatesolve.planning import Clock, Layout
from gatesolve.programs.program import Program, change_search
from gatesolve.programs.section import describe_size
from gatesolve.simulate.certificate import Certificate, CertificateError
from gatesolve.simulate.product import product_phases
from gatesolve.simulate.qaoa import LossSlope, Qaoa, make_qaoa, read_angles
from gatesolve.simulate.qaoa_loss import make_loss

Floats = NDArray[np.float64]
AngleChoice = Literal["optimised", "transfer", "ramp"]
ANGLE_CHOICES: tuple[AngleChoice, ...] = get_args(AngleChoice)
GIBBS_FACTOR = 2.0
"""Factor of the Gibbs loss, times the standard deviation of all costs."""
CVAR_TAIL = 0.5
"""Tail of CVaR: the share of the lowest costs that it is the mean of."""
EVALUATIONS, FEWEST = 500, 30
"""Evaluations by default: the first number, or where a run is long, at least the second."""
WORK = 1 << 35
"""Layers times blocks times codewords of all evaluations, beyond which they become fewer: some minutes."""
RUNS = 4
"""Runs that take as long as one evaluation with its derivatives."""
SCANNED_ANGLES = 9
"""Runs of a scan."""
STILL = 1e-7
"""A descent ends when a step gains less than this, relative to the value or to 1."""
Report = Callable[[int, float, float], None]
"""Called with (evaluations made, best value, this value) after every evaluation."""
SCANNED = 1 << 28
"""About as many amplitudes are updated for a landscape: some seconds."""
FAR_GAMMA, FAR_BETA = 3.0, 1.6
"""How far a landscape of one layer goes, in units of the costs' spread and of the mixers."""
CHECKED = 1 << 12
"""Codewords on which the phase layer of the circuit is compared with the costs."""
PHASE_BITS = 10
"""Costs of more bits are compared by a smaller angle: one cost shows up to 2^29, one part in 2^29 beyond."""
TURN = 0.7345
"""The angle of the phase layer that is compared: no fraction of a turn, so that wrong costs show."""
MOST_LAYERS = 1_000
"""Layers of a circuit, and so angles to be chosen, that fit."""
MOST_WORK = 1 << 37
"""Layers times blocks times codewords of one run that fit: a few minutes."""
RAMPS: tuple[tuple[float, ...], tuple[float, ...]] = ((0.7, 1.0, 1.4), (0.5, 0.7, 0.9))
"""Candidates for the ends of the linear ramp: of gamma, in one over the spread, and of beta, in units of the mixer."""
RAMP = 1.0, 0.7
"""The ends of the ramp where none can be tried."""
SPREAD_ROWS, SPREAD_WORDS = 64, 256
"""Drawn codewords around which each block is varied to estimate the spread of costs; how many it takes at most."""
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


def check_layers(layers: int, sizes: Sequence[int]) -> None:
    """Refuse a depth below 0 or that does not fit; 0 layers are the uniform start alone."""
    if layers < 0:
        raise InputError(f"QAOA has 0 layers (the uniform start alone) or more, not {layers}")
    size = math.prod(sizes)
    fit = min(MOST_LAYERS, MOST_WORK // (size * max(1, len(sizes))))
    if layers > fit:
        raise DoesNotFitError(
            f"does not fit: {layers} QAOA layers in a space of {size} codewords; up to {fit} do: "
            f"use layers={fit} or fewer"
        )


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
    table = load_best()[max(kinds, key=kinds.count)]
    if not layers:
        return np.zeros((0, 2))
    # Interpolation only adds layers.
    below = max(depth for depth in table if depth <= layers)
    return stretch_schedule(np.array(table[below], dtype=np.float64).T, layers)


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
def load_best() -> dict[str, dict[int, tuple[list[float], list[float]]]]:
    """By kind of mixer and number of layers: the gammas and the betas of a schedule, without units.

    Good angles of small random instances; `python -m benchmarks qaoa-transfer` makes the numbers again.
    """
    kinds = json.loads(files("gatesolve.pipelines.qaoa").joinpath("table.json").read_text(encoding="utf-8"))
    return {kind: {int(layers): (*sides,) for layers, sides in found.items()} for kind, found in kinds.items()}


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
    evaluations: int = EVALUATIONS,
    multi: bool = True,
    seed: int = 0,
    report: Report = lambda *_: None,
) -> FoundAngles:
    """Choose angles by name: the best ``ramp`` or scaled ``transfer`` of nine, or ``optimised`` from both and more.

    Descent first doubles the layers from few to all, by interpolation, which nearly always ends at the best value
    known. Then it starts from the best of both scans and from a random ramp. With ``multi`` every mixer has its own
    betas in the end; the circuit is no larger.

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


@dataclass(frozen=True)
class Ansatz:
    """The details of a QAOA beside its circuit.

    Attributes:
        ranked: the problem's space with the cost of every codeword.
        mixers: one a block, or the global one alone.
        outcome: how the angles were chosen.
        state: the exact amplitudes at the end, one a codeword, in codeword order.
        best: for each codeword whether it breaks no constraint and none that breaks none is lower.
    """

    ranked: RankedSpace
    mixers: tuple[Mixer, ...]
    outcome: FoundAngles
    state: NDArray[np.complex128]
    best: NDArray[np.bool_]

    @property
    def success_probability(self) -> float:
        """That a measurement gives one of the best codewords."""
        return float(np.sum(np.abs(self.state[self.best]) ** 2))

    def scan_angles(self) -> tuple[list[float], NDArray[np.float64], str]:
        """Return factors, mean energies where gammas and betas are those found times a factor, and the energy's name.

        There is a row for each factor of the betas, a column for each of the gammas.
        """
        angles, factors = self.outcome.angles, np.linspace(0, 2, self._side)
        found = self.scan([x * angles.gammas for x in factors], [y * angles.betas for y in factors])
        return factors.tolist(), found[0], self.ranked.name

    def scan(
        self, gammas: Sequence[ArrayLike], betas: Sequence[ArrayLike], report: Callable[[int, int], None] | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the mean energy, and the probability of a best codeword, at all pairs of these gammas and betas.

        Each entry of ``gammas``, for all layers, makes a column of the result, each of ``betas`` a row.
        """
        ranked = self.ranked
        means, chances = np.zeros((2, len(betas), len(gammas)))
        layers = means.size * len(self.outcome.angles.gammas)
        simulator = make_qaoa(ranked.costs, [block.size for block in ranked.space.blocks], self.mixers, layers)
        for row, mixing in enumerate(betas):
            for column, turns in enumerate(gammas):
                weights = np.abs(simulator.run(turns, mixing)) ** 2
                means[row, column], chances[row, column] = weights @ ranked.costs, weights[self.best].sum()
            if report is not None:
                report(row + 1, len(betas))
        # Costs are whole numbers to be minimised; means are given as the problem counts its energy.
        turned = -1 if ranked.problem.goal == "max" else 1
        scale = turned * float(ranked.cost.unit) / ranked.problem.scale
        return means * scale + float(ranked.problem.restore_energy(ranked.cost.base)), chances

    def plane(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return gammas and betas of one layer among which good angles are, by the spread of costs and mixers."""
        sizes = [block.size for block in self.ranked.space.blocks]
        units = Units.of(self.ranked.costs, sizes, self.mixers)
        far = FAR_BETA * max(units.mixers, default=1.0)
        # Costs are whole numbers, so pi and beyond is a mirror.
        turn = min(math.pi, FAR_GAMMA / (units.spread or 1.0))
        return np.linspace(0, turn, self._side), np.linspace(-far, far, self._side)

    @property
    def _side(self) -> int:
        # An odd number, so that the angles found are a point of the landscape, and fewer in a large space.
        space = self.ranked.space
        once = max(1, len(self.outcome.angles.gammas) * len(space.blocks) * space.size)
        return 1 + 2 * min(16, max(3, math.isqrt(SCANNED // once) // 2))

    def follow_layers(self) -> LayersFollowed:
        """Follow the state through the layers once."""
        sizes, costs = [block.size for block in self.ranked.space.blocks], self.ranked.costs
        simulator, angles = make_qaoa(costs, sizes, self.mixers), self.outcome.angles
        levels, place = np.unique(costs, return_inverse=True)
        rows = []
        for state in simulator.follow(angles.gammas, angles.betas):
            weights = np.abs(state) ** 2
            rows.append((np.bincount(place, weights), weights[self.best].sum(), weights @ costs))
        chances, success, means = map(np.array, zip(*rows, strict=True))
        return LayersFollowed(levels, chances, success, means, angles.gammas, angles.betas, self.scan_angles)


def make_recipe(problem: Problem, options: QaoaOptions) -> CostRecipe:
    """Return the recipe of the phases, with weights that leave the objective visible; raises as `cost_rule`."""
    choice = ValueChoice(options.optimize, options.ancillas)
    return CostRecipe(rule=cost_rule(problem, with_penalty(problem, options)), choice=choice)


def compile_ansatz(problem: Problem, layout: Layout, options: QaoaOptions, clock: Clock) -> Compiled:
    """Choose angles by the costs' distribution alone, and make the circuit; its `Ansatz` is in ``details``.

    Raises as `check_layers` and `mixers_for`.
    """
    if layout.space.size > SPACE_LIMIT:
        return _compile_large(problem, layout, options, clock)
    ranked = rank_space(problem, layout, make_recipe(problem, options), clock)
    space = ranked.space
    sizes = [block.size for block in space.blocks]
    check_layers(options.layers, sizes)
    mixers = mixers_for(space, options.mixer)
    with clock.stage("angles"):
        # Simulations are fewer where each takes long.
        once = max(1, options.layers * len(sizes) * math.prod(sizes))
        evaluations = options.evaluations or min(EVALUATIONS, max(FEWEST, WORK // once))
        runs = RUNS * evaluations if options.angles == "optimised" else SCANNED_ANGLES
        simulator = make_qaoa(ranked.costs, sizes, mixers, runs * options.layers)
        outcome = _choose_angles(ranked, simulator, mixers, evaluations, options, clock)
        state = simulator.run(outcome.angles.gammas, outcome.angles.betas).astype(np.complex128)
    best = best_codewords(ranked)
    ansatz = Ansatz(ranked, tuple(mixers), outcome, state, best)
    if clock.watch is not None:
        clock.tell(ansatz.follow_layers())
    template, program = _make_circuit(ranked, mixers, outcome.angles, options, clock)
    with clock.stage("certificate"):
        draw = np.random.default_rng(options.seed)
        numbers = np.arange(space.size) if space.size <= CHECKED else draw.integers(0, space.size, size=CHECKED)
        check_phase(template, template.working.space.bits(numbers), ranked.costs[numbers])
    method = "phase layer" if len(numbers) == space.size else f"phase layer, sample, seed {options.seed}"
    certificate = Certificate(len(numbers), space.size, True, method, int(best.sum()), len(numbers))
    compiled = Compiled(problem, layout, program, certificate, best, ansatz)
    clock.tell(compiled)
    return compiled


def _make_circuit(
    priced: PricedSpace, mixers: Sequence[Mixer], angles: Angles, options: QaoaOptions, clock: Clock
) -> tuple[QaoaTemplate, Program]:
    layout, layers = priced.layout, max(1, options.layers)
    with clock.stage("circuit") as told:
        ancillas = layout.provenance.ancillas
        template = qaoa_template(layout.space, priced.cost, mixers, layers=layers, ancillas=ancillas, report=told)
        program = template.program(angles.gammas, angles.betas, gates=options.gates)
    made = replace(layout.provenance, level=None)
    return template, change_search(replace(program, lowering=options.lowering), provenance=made)


def _compile_large(problem: Problem, layout: Layout, options: QaoaOptions, clock: Clock) -> Compiled:
    """Compile where codewords are too many to simulate: at angles that are given, or known without simulations."""
    space, priced = layout.space, price_space(problem, layout, make_recipe(problem, options))
    if options.layers > MOST_LAYERS:
        raise DoesNotFitError(f"does not fit: {options.layers} QAOA layers: use layers={MOST_LAYERS} or fewer")
    mixers, sample = mixers_for(space, options.mixer), draw_around(space, None, options.seed)
    said: tuple[str, ...] = ()
    if isinstance(options.angles, str):
        size = describe_size(space.size)
        refuse_idle(options, f"{size} codewords are too many to simulate", "betas", "angle_loss", "evaluations")
        chosen = "ramp" if options.angles == "ramp" else "transfer"
        schedule = ramp(options.layers, *RAMP) if chosen == "ramp" else transfer(options.layers, mixers)
        if mixers[0].kind == "grover-global":
            spread, units = float(priced.cost.evaluate(sample.values(np.arange(sample.size))).std()), [2.0]
        else:
            spread = _sample_spread(priced, sample)
            units = [mixer_unit(mixer, block.size) for mixer, block in zip(mixers, space.blocks, strict=True)]
        angles = Units(spread, tuple(units)).angles(schedule)
        said = (f"{size} codewords are too many to simulate: angles by {chosen}, betas shared, costs of a sample",)
    else:
        angles = Angles(*read_angles(*options.angles, len(mixers)))
    template, program = _make_circuit(priced, mixers, angles, options, clock)
    with clock.stage("certificate"):
        numbers = np.arange(CHECKED)
        working = replace(sample, space=template.working.space)
        check_phase(template, working.bits(numbers), priced.cost.evaluate(sample.values(numbers)))
    method = f"phase layer, sample, seed {options.seed}"
    certificate = Certificate(CHECKED, space.size, True, method, None, CHECKED)
    assert program.search.provenance is not None
    program = change_search(program, provenance=program.search.provenance.note(*said))
    return Compiled(problem, layout, program, certificate, None, priced)


def _sample_spread(priced: PricedSpace, sample: Sample) -> float:
    """Estimate `cost_spread`: each block takes its codewords, or some of many, around a few drawn ones."""
    found = []
    for number, block in enumerate(priced.space.blocks):
        if block.size > 1:
            words = np.arange(block.size) if block.size <= SPREAD_WORDS else sample.places[number][:SPREAD_WORDS]
            places = [np.repeat(place[:SPREAD_ROWS], len(words)) for place in sample.places]
            places[number] = np.tile(words, SPREAD_ROWS)
            costs = priced.cost.evaluate(replace(sample, places=places).values(np.arange(len(places[0]))))
            found.append(float(costs.reshape(SPREAD_ROWS, len(words)).var(axis=1).mean()))
    return math.sqrt(sum(found) / len(found)) if found else 0.0


def with_penalty(problem: Problem, options: QaoaOptions) -> QaoaOptions:
    """Return the options with a weight of broken constraints that leaves the objective visible in the phases.

    It is one more than any single variable can gain. It need not suffice for every model, as measurements are judged by
    the rules. With the proven weight all phases except those of broken constraints are nearly zero.
    """
    objective = problem.model.objective
    if options.penalty is not None or problem.qubo is not None or objective is None:
        return options
    domains = problem.model.domains
    gains = [abs(c) * (max(domains[name]) - min(domains[name])) for c, name in objective.terms]
    for weight, part in objective.parts:
        low, high = part.bounds(domains)
        gains.append(abs(weight) * (high - low))
    # The least difference of two values of the objective.
    unit = math.gcd(*(c for c, _ in (*objective.terms, *objective.parts))) or 1
    return replace(options, penalty=(max(gains, default=0) + unit) / problem.scale)


def best_codewords(ranked: RankedSpace) -> NDArray[np.bool_]:
    """Return the codewords of the lowest cost among those that break no constraint."""
    allowed = ranked.keeps_rules()
    if ranked.problem.goal is None or not allowed.any():
        return allowed
    lowest: NDArray[np.bool_] = np.equal(ranked.costs, ranked.costs[allowed].min())
    return np.logical_and(allowed, lowest)


def _choose_angles(
    ranked: RankedSpace, simulator: Qaoa, mixers: Sequence[Mixer], evaluations: int, options: QaoaOptions, clock: Clock
) -> FoundAngles:
    report, sizes = clock.progress or (lambda *_: None), [block.size for block in ranked.space.blocks]
    if not isinstance(options.angles, str):
        angles = Angles(*read_angles(*options.angles, simulator.mixers.angles))
        schedule = np.concatenate([angles.gammas[:, None], angles.betas], axis=1)
        return FoundAngles(schedule, angles, simulator.value(*options.angles), 1, "given")
    units = Units.of(ranked.costs, sizes, mixers)
    # In units of the spread of costs, so that scaling all costs changes nothing.
    factor = CVAR_TAIL if options.angle_loss == "cvar" else GIBBS_FACTOR / (float(ranked.costs.std()) or 1.0)
    loss = make_loss(options.angle_loss, factor)
    # Known before the first of them, which alone may take seconds.
    report(f"angles: simulations of {options.layers} layers on {len(ranked.costs):,} states", 0, evaluations)

    def tell(made: int, best: float, value: float) -> None:
        report(f"angles: best {options.angle_loss} loss {best:.4g}; simulations", made, evaluations)
        clock.tell(AnglesTried(options.angle_loss, made, evaluations, value, best))

    land = AngleLoss(units, partial(simulator.value, loss=loss), partial(simulator.slope, loss=loss))
    choose = partial(choose_angles, evaluations=evaluations, multi=options.betas == "own", report=tell)
    return choose(options.angles, options.layers, land, mixers, seed=options.seed)


def check_phase(template: QaoaTemplate, bits: NDArray[np.bool_], costs: NDArray[np.int64]) -> None:
    """Certify the circuit's phase layer on codewords, given by their bits, by their costs."""
    width = template.working.space.num_qubits + template.phase.num_ancillas
    inputs = np.zeros((width, len(costs)), dtype=bool)
    inputs[: len(bits)] = bits
    # Large costs are compared by a smaller angle, so that the rounding of their phases stays below the tolerance.
    turn = TURN / (1 << max(0, int(costs.max()).bit_length() - PHASE_BITS))
    phases = product_phases(lower(template.phase.ops(turn), width), inputs)
    wanted = np.exp(-1j * turn * costs)
    # Relative to the first codeword, because a global phase does not matter.
    if phases is None or not np.allclose(phases * wanted[0] / phases[0], wanted, rtol=0, atol=1e-6):
        raise CertificateError("the phase layer does not turn by the costs: please report this as a bug")
