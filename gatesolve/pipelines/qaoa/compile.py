"""Compiling QAOA: space, cost and mixers, angles chosen by exact simulation, the circuit at those angles."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gatesolve.circuit import Certificate, CertificateError
from gatesolve.circuit.lowering import lower
from gatesolve.encodings import Space
from gatesolve.encodings.mixer import Mixer, mixers_for
from gatesolve.model import Level, Model
from gatesolve.oracle import Oracle
from gatesolve.oracle.levels import find_level
from gatesolve.pipelines.events import AnglesTried, LayersFollowed
from gatesolve.pipelines.qaoa.angles import Angles, Units, check_layers
from gatesolve.pipelines.qaoa.optimise import (
    CVAR_TAIL,
    GIBBS_FACTOR,
    FoundAngles,
    affordable_evaluations,
    choose_angles,
    make_landscape,
)
from gatesolve.pipelines.qaoa.options import OwnAngles, QaoaOptions
from gatesolve.pipelines.qaoa.program import QaoaTemplate, qaoa_template
from gatesolve.pipelines.ranking import RankedSpace, rank_space
from gatesolve.pipelines.task import Compiled, Request, Task
from gatesolve.pipelines.value_oracle import ValueChoice
from gatesolve.simulate.product import product_phases
from gatesolve.simulate.qaoa import Qaoa, make_qaoa, read_angles
from gatesolve.simulate.qaoa_loss import LossName, make_loss

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
        """The mean energy where all gammas and all betas are some factors of those found.

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
        """The mean energy, and the probability of a best codeword, at all pairs of these gammas and betas.

        Args:
            gammas: one row, of all layers, for each column of the result.
            betas: one row, of all layers, or a row of rows, for each row of the result.
            report: called with (rows done, rows to do).
        """
        ranked = self.ranked
        simulator = make_qaoa(ranked.costs, [block.size for block in ranked.space.blocks], self.mixers)
        means, chances = np.zeros((2, len(betas), len(gammas)))
        for row, mixing in enumerate(betas):
            for column, turns in enumerate(gammas):
                weights = np.abs(simulator.run(turns, mixing)) ** 2
                means[row, column], chances[row, column] = weights @ ranked.costs, weights[self.best].sum()
            if report is not None:
                report(row + 1, len(betas))
        turned = -1 if ranked.problem.goal == "max" else 1
        scale = turned * float(ranked.cost.unit) / ranked.problem.scale
        return means * scale + float(ranked.problem.restore_energy(ranked.cost.base)), chances

    def plane(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Gammas and betas of one layer among which good angles are, by the spread of the costs and the mixers."""
        sizes = [block.size for block in self.ranked.space.blocks]
        units = Units.of(self.ranked.costs, sizes, self.mixers)
        far = FAR_BETA * max(units.mixers, default=1.0)
        turn = min(math.pi, FAR_GAMMA / (units.spread or 1.0))  # costs are whole numbers, so pi and beyond is a mirror
        return np.linspace(0, turn, self._side), np.linspace(-far, far, self._side)

    @property
    def _side(self) -> int:
        """How many points a side of a landscape has: an odd number, and fewer in a large space."""
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


def prepare_ansatz(request: Request[QaoaOptions]) -> RankedSpace:
    """Rank the space as `rank_space` does, with weights that leave the objective visible in the phases."""
    options = with_penalty(request.task, request.options)
    oracle = ValueChoice(options.optimize, options.ancillas)
    return rank_space(request.task, options, oracle, weighed_level, request.choose, request.clock)


def weighed_level(model: Model, space: Space, oracle: Oracle) -> tuple[Level, tuple[str, ...]]:
    """The level of the blocks and of the constraints that are weighed."""
    return find_level("merged", model, space)


def compile_ansatz(request: Request[QaoaOptions]) -> Compiled:
    """Choose angles by the costs' distribution alone, and make the circuit; its `Ansatz` is in ``details``.

    Raises as `rank_space`, `check_layers` and `mixers_for`.
    """
    options, clock = request.options, request.clock
    ranked = prepare_ansatz(request)
    space = ranked.space
    sizes = [block.size for block in space.blocks]
    check_layers(options.layers, sizes)
    mixers = mixers_for(space, options.mixer)
    with clock.stage("angles"):
        simulator = make_qaoa(ranked.costs, sizes, mixers)
        outcome = _choose_angles(ranked, simulator, mixers, sizes, request)
        state = simulator.run(outcome.angles.gammas, outcome.angles.betas).astype(np.complex128)
    best = best_codewords(ranked)
    ansatz = Ansatz(ranked, tuple(mixers), outcome, state, best)
    if clock.watch is not None:
        clock.tell(ansatz.follow_layers())
    with clock.stage("circuit") as told:
        layers, ancillas = max(1, options.layers), ranked.found.ancillas
        template = qaoa_template(space, ranked.cost, mixers, layers=layers, ancillas=ancillas, report=told)
        angles = outcome.angles
        program = template.program(angles.gammas, angles.betas, gates=options.gates, metric=options.optimize)
    with clock.stage("certificate"):
        checked = check_phase(template, ranked.costs, options.seed)
    method = "phase layer" if checked == space.size else f"phase layer, sample, seed {options.seed}"
    certificate = Certificate(checked, space.size, True, method, int(best.sum()), checked)
    compiled = Compiled(request.task, ranked.found, program, certificate, best, None, ansatz)
    clock.tell(compiled)
    return compiled


def with_penalty(task: Task, options: QaoaOptions) -> QaoaOptions:
    """The options with a weight of broken constraints that leaves the objective visible in the phases.

    One more than any single variable can gain. It is not proven to do for every model, and need not be: measurements
    are judged by the rules. With the proven weight all phases but those of broken constraints are nearly zero.
    """
    objective = task.model.objective
    if options.penalty is not None or task.qubo is not None or objective is None:
        return options
    domains = task.model.domains
    gains = [abs(c) * (max(domains[name]) - min(domains[name])) for c, name in objective.terms]
    for weight, part in objective.parts:
        low, high = part.bounds(domains)
        gains.append(abs(weight) * (high - low))
    unit = math.gcd(*(c for c, _ in (*objective.terms, *objective.parts))) or 1
    return replace(options, penalty=(max(gains, default=0) + unit) / task.scale)


def best_codewords(ranked: RankedSpace) -> NDArray[np.bool_]:
    """Those of the lowest cost among the codewords that break no constraint."""
    allowed = ranked.keeps_rules()
    if ranked.problem.goal is None or not allowed.any():
        return allowed
    lowest: NDArray[np.bool_] = np.equal(ranked.costs, ranked.costs[allowed].min())
    return np.logical_and(allowed, lowest)


def _choose_angles(
    ranked: RankedSpace, simulator: Qaoa, mixers: Sequence[Mixer], sizes: Sequence[int], request: Request[QaoaOptions]
) -> FoundAngles:
    options, report = request.options, request.clock.progress or (lambda *_: None)
    if not isinstance(options.angles, str):
        return _take_angles(options.angles, ranked, simulator)
    evaluations = options.evaluations or affordable_evaluations(options.layers, sizes)
    units = Units.of(ranked.costs, sizes, mixers)
    loss = make_loss(options.angle_loss, loss_factor(options.angle_loss, ranked))
    # Known before the first of them, which alone may take seconds.
    report(f"angles: simulations of {options.layers} layers on {len(ranked.costs):,} states", 0, evaluations)

    def tell(made: int, best: float, value: float) -> None:
        report(f"angles: {options.angle_loss} {best:.4g}", made, evaluations)
        request.clock.tell(AnglesTried(options.angle_loss, made, evaluations, value, best))

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
    """The user's own angles, at the mean energy that they have; raises as `read_angles`."""
    angles = Angles(*read_angles(*given, simulator.mixers.angles))
    schedule = np.concatenate([angles.gammas[:, None], angles.betas], axis=1)
    return FoundAngles(schedule, angles, simulator.value(*given), 1, "given")


def loss_factor(name: LossName, ranked: RankedSpace) -> float:
    """Return the factor that `make_loss` takes beside the name of a loss."""
    return CVAR_TAIL if name == "cvar" else GIBBS_FACTOR / (float(ranked.costs.std()) or 1.0)


def check_phase(template: QaoaTemplate, costs: NDArray[np.int64], seed: int) -> int:
    """Compare the circuit's phase layer with the costs on every codeword, or on a sample; returns on how many.

    Raises:
        CertificateError: a phase is wrong, or a qubit does not come back.
    """
    space = template.working.space
    size = len(costs)
    numbers = np.arange(size) if size <= CHECKED else np.random.default_rng(seed).integers(0, size, size=CHECKED)
    width = space.num_qubits + template.phase.num_ancillas
    turn = TURN / (1 << max(0, int(costs.max()).bit_length() - PHASE_BITS))
    phases = product_phases(lower(template.phase.ops(turn), width), space.inputs(numbers, width))
    wanted = np.exp(-1j * turn * costs[numbers])
    if phases is None or not np.allclose(phases * wanted[0] / phases[0], wanted, rtol=0, atol=1e-6):
        raise CertificateError("the phase layer does not turn by the costs: please report this as a bug")
    return len(numbers)
