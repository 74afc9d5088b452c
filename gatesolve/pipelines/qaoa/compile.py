"""Compiling QAOA: space, cost and mixers, angles chosen by exact simulation, the circuit at those angles.

Angles come from scans of ramps and of transferred angles, and gradient descent from them on one budget. The loss is a
function of the costs' probabilities (see ``gatesolve.simulate.qaoa_loss``), as samples would give it too. It does not
depend on which codewords are solutions.

In a problem of rules alone, solutions have cost 0. So a Gibbs loss of large factor, or CVaR of a small tail, comes
close to their probability. The default factor is small: nearly the mean cost, with more weight on the low side.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gatesolve.circuit.lowering import lower
from gatesolve.encodings.mixer import Mixer, mixers_for
from gatesolve.errors import InputError
from gatesolve.formats.problem import Problem
from gatesolve.oracle.recipe import CostRecipe
from gatesolve.oracle.threshold import ValueChoice
from gatesolve.pipelines.answer import Compiled
from gatesolve.pipelines.events import AnglesTried, LayersFollowed
from gatesolve.pipelines.options import OwnAngles
from gatesolve.pipelines.qaoa.angles import (
    Angles,
    Named,
    Schedule,
    Units,
    check_layers,
    ramp,
    ramps,
    stretch_schedule,
    transfers,
)
from gatesolve.pipelines.qaoa.options import QaoaOptions
from gatesolve.pipelines.qaoa.program import QaoaTemplate, qaoa_template
from gatesolve.pipelines.ranking import RankedSpace, cost_rule, rank_space
from gatesolve.planning import Clock, Layout
from gatesolve.programs.program import change_search
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


@dataclass(frozen=True)
class AngleLoss:
    """The loss that angles are chosen by as a function of schedules, from a simulator's exact derivatives.

    Attributes:
        units: turn a schedule into angles.
        value: at a schedule, to be minimised.
        slope: the value, and the gradient in the schedule's shape.
    """

    units: Units
    value: Callable[[Schedule], float]
    slope: Callable[[Schedule], tuple[float, Schedule]]


def make_landscape(
    units: Units, value: Callable[[Floats, Floats], float], slope: Callable[[Floats, Floats], LossSlope]
) -> AngleLoss:
    """Return the landscape of an ansatz.

    A schedule of two columns has one beta a layer, shared by all mixers in proportion to their units. A wider one has a
    column of betas for each mixer (the multi-angle ansatz of arXiv:2109.11455, for the mixers alone). ``value`` and
    ``slope`` are those of a simulator at gammas, shape (layers,), and betas, shape (layers, mixers).
    """

    def value_at(schedule: Schedule) -> float:
        angles = units.angles(schedule)
        return float(value(angles.gammas, angles.betas))

    def slope_at(schedule: Schedule) -> tuple[float, Schedule]:
        angles = units.angles(schedule)
        found = slope(angles.gammas, angles.betas)
        betas = found.betas * np.array(units.mixers)
        # Mixers share a beta, so their derivatives add up.
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
        run.descents([first, second, random_start(layers, seed)], multi)
    return run.outcome()


def random_start(layers: int, seed: int) -> Named:
    """Return a ramp with random ends and a little noise on every angle."""
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
        """Return the mean energy where all gammas and all betas are some factors of those found.

        Returns:
            The factors; the means, a row for each factor of the betas, a column for each of the gammas; what the
            energy is called.

        Cost: as many simulations as there are means; fewer of a large space.
        """
        angles, factors = self.outcome.angles, np.linspace(0, 2, self._side)
        found = self.scan([x * angles.gammas for x in factors], [y * angles.betas for y in factors])
        return factors.tolist(), found[0], self.ranked.name

    def scan(
        self, gammas: Sequence[ArrayLike], betas: Sequence[ArrayLike], report: Callable[[int, int], None] | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the mean energy, and the probability of a best codeword, at all pairs of these gammas and betas.

        Args:
            gammas: one row, of all layers, for each column of the result.
            betas: one row, of all layers, or a row of rows, for each row of the result.
            report: called with (rows done, rows to do).
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

    def probability(self, most: int) -> float:
        """That a measurement gives a codeword of cost ``most`` or lower."""
        return float(np.sum(np.abs(self.state[self.ranked.costs <= most]) ** 2))


def make_recipe(problem: Problem, options: QaoaOptions) -> CostRecipe:
    """Return the recipe of the phases, with weights that leave the objective visible; raises as `cost_rule`."""
    choice = ValueChoice(options.optimize, options.ancillas)
    return CostRecipe(rule=cost_rule(problem, with_penalty(problem, options)), choice=choice)


def compile_ansatz(problem: Problem, layout: Layout, options: QaoaOptions, clock: Clock) -> Compiled:
    """Choose angles by the costs' distribution alone, and make the circuit; its `Ansatz` is in ``details``.

    Raises as `check_layers` and `mixers_for`.
    """
    ranked = rank_space(problem, layout, make_recipe(problem, options), clock)
    space = ranked.space
    sizes = [block.size for block in space.blocks]
    check_layers(options.layers, sizes)
    mixers = mixers_for(space, options.mixer)
    with clock.stage("angles"):
        evaluations = _count_evaluations(options, sizes)
        runs = RUNS * evaluations if options.angles == "optimised" else SCANNED_ANGLES
        simulator = make_qaoa(ranked.costs, sizes, mixers, runs * options.layers)
        outcome = _choose_angles(ranked, simulator, mixers, evaluations, options, clock)
        state = simulator.run(outcome.angles.gammas, outcome.angles.betas).astype(np.complex128)
    best = best_codewords(ranked)
    ansatz = Ansatz(ranked, tuple(mixers), outcome, state, best)
    if clock.watch is not None:
        clock.tell(ansatz.follow_layers())
    with clock.stage("circuit") as told:
        layers, ancillas = max(1, options.layers), layout.provenance.ancillas
        template = qaoa_template(space, ranked.cost, mixers, layers=layers, ancillas=ancillas, report=told)
        angles = outcome.angles
        program = replace(template.program(angles.gammas, angles.betas, gates=options.gates), lowering=options.lowering)
    with clock.stage("certificate"):
        checked = check_phase(template, ranked.costs, options.seed)
    method = "phase layer" if checked == space.size else f"phase layer, sample, seed {options.seed}"
    certificate = Certificate(checked, space.size, True, method, int(best.sum()), checked)
    program = change_search(program, provenance=replace(layout.provenance, level=None))
    compiled = Compiled(problem, layout, program, certificate, best, ansatz)
    clock.tell(compiled)
    return compiled


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


def _count_evaluations(options: QaoaOptions, sizes: Sequence[int]) -> int:
    """Return the most evaluations that choose the angles."""
    # Simulations are fewer where each takes long.
    once = max(1, options.layers * len(sizes) * math.prod(sizes))
    return options.evaluations or min(EVALUATIONS, max(FEWEST, WORK // once))


def _choose_angles(
    ranked: RankedSpace, simulator: Qaoa, mixers: Sequence[Mixer], evaluations: int, options: QaoaOptions, clock: Clock
) -> FoundAngles:
    report, sizes = clock.progress or (lambda *_: None), [block.size for block in ranked.space.blocks]
    if not isinstance(options.angles, str):
        return _take_angles(options.angles, ranked, simulator)
    units = Units.of(ranked.costs, sizes, mixers)
    # In units of the spread of costs, so that scaling all costs changes nothing.
    factor = CVAR_TAIL if options.angle_loss == "cvar" else GIBBS_FACTOR / (float(ranked.costs.std()) or 1.0)
    loss = make_loss(options.angle_loss, factor)
    # Known before the first of them, which alone may take seconds.
    report(f"angles: simulations of {options.layers} layers on {len(ranked.costs):,} states", 0, evaluations)

    def tell(made: int, best: float, value: float) -> None:
        report(f"angles: best {options.angle_loss} loss {best:.4g}; simulations", made, evaluations)
        clock.tell(AnglesTried(options.angle_loss, made, evaluations, value, best))

    land = make_landscape(units, partial(simulator.value, loss=loss), partial(simulator.slope, loss=loss))
    return choose_angles(
        options.angles,
        options.layers,
        land,
        mixers,
        evaluations=evaluations,
        multi=options.betas == "own",
        seed=options.seed,
        report=tell,
    )


def _take_angles(given: OwnAngles, ranked: RankedSpace, simulator: Qaoa) -> FoundAngles:
    """Return the user's own angles, at the mean energy that they have; raises as `read_angles`."""
    angles = Angles(*read_angles(*given, simulator.mixers.angles))
    schedule = np.concatenate([angles.gammas[:, None], angles.betas], axis=1)
    return FoundAngles(schedule, angles, simulator.value(*given), 1, "given")


def check_phase(template: QaoaTemplate, costs: NDArray[np.int64], seed: int) -> int:
    """Compare the circuit's phase layer with the costs on every codeword, or on a sample; returns on how many.

    Raises:
        CertificateError: a phase is wrong, or a qubit does not come back.
    """
    space = template.working.space
    size = len(costs)
    numbers = np.arange(size) if size <= CHECKED else np.random.default_rng(seed).integers(0, size, size=CHECKED)
    width = space.num_qubits + template.phase.num_ancillas
    # Large costs are compared by a smaller angle, so that the rounding of their phases stays below the tolerance.
    turn = TURN / (1 << max(0, int(costs.max()).bit_length() - PHASE_BITS))
    phases = product_phases(lower(template.phase.ops(turn), width), space.inputs(numbers, width))
    wanted = np.exp(-1j * turn * costs[numbers])
    # Relative to the first codeword, because a global phase does not matter.
    if phases is None or not np.allclose(phases * wanted[0] / phases[0], wanted, rtol=0, atol=1e-6):
        raise CertificateError("the phase layer does not turn by the costs: please report this as a bug")
    return len(numbers)
