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

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gatesolve.circuit.lowering import lower
from gatesolve.encodings.block import make_table
from gatesolve.encodings.mixer import Mixer, mixers_for
from gatesolve.encodings.space import Space
from gatesolve.errors import DoesNotFitError, InputError
from gatesolve.formats.problem import Problem
from gatesolve.oracle.recipe import CostRecipe
from gatesolve.oracle.threshold import ValueChoice
from gatesolve.pipelines.answer import Compiled
from gatesolve.pipelines.certify import Sample, draw_around
from gatesolve.pipelines.events import AnglesTried, LayersFollowed
from gatesolve.pipelines.options import SPACE_LIMIT, OwnStart, refuse_idle
from gatesolve.pipelines.qaoa.angles import (
    EVALUATIONS,
    RAMP,
    STILL,
    AngleLoss,
    Angles,
    FoundAngles,
    Named,
    Units,
    choose_angles,
    fix,
    mixer_unit,
    ramp,
    transfer,
)
from gatesolve.pipelines.qaoa.options import QaoaOptions
from gatesolve.pipelines.qaoa.program import QaoaTemplate, qaoa_template
from gatesolve.pipelines.ranking import PricedSpace, RankedSpace, cost_rule, price_space, rank_space
from gatesolve.planning import Clock, Layout
from gatesolve.programs.program import Program, change_search
from gatesolve.programs.section import describe_size
from gatesolve.simulate.certificate import Certificate, CertificateError
from gatesolve.simulate.product import product_phases
from gatesolve.simulate.qaoa import Qaoa, make_qaoa, read_angles
from gatesolve.simulate.qaoa_loss import make_loss

GIBBS_FACTOR = 2.0
"""Factor of the Gibbs loss, times the standard deviation of all costs."""
CVAR_TAIL = 0.5
"""Tail of CVaR: the share of the lowest costs that it is the mean of."""
EASE = 0.25
"""Share that a warm start leaves for other values at least, as in arXiv:2009.10095."""
FEWEST = 30
"""Evaluations by default where a run is long, at least."""
WORK = 1 << 35
"""Layers times blocks times codewords of all evaluations, beyond which they become fewer: some minutes."""
RUNS = 4
"""Runs that take as long as one evaluation with its derivatives."""
SCANNED_ANGLES = 19
"""Runs of the scans of ``transfer``."""
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
SPREAD_ROWS, SPREAD_WORDS = 64, 256
"""Drawn codewords around which each block is varied to estimate the spread of costs; how many it takes at most."""


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
    given = _relax(ranked) if options.warm_start == "relaxation" else options.warm_start
    mixers = make_mixers(space, options, given)
    template = _make_template(ranked, mixers, options, clock)
    with clock.stage("angles"):
        # Simulations are fewer where each takes long.
        once = max(1, options.layers * len(sizes) * math.prod(sizes))
        evaluations = options.evaluations or min(EVALUATIONS, max(FEWEST, WORK // once))
        runs = RUNS * evaluations if options.angles == "optimised" else SCANNED_ANGLES
        simulator = make_qaoa(ranked.costs, sizes, mixers, runs * options.layers)
        outcome = _choose_angles(ranked, simulator, template, evaluations, options, clock)
        state = simulator.run(outcome.angles.gammas, outcome.angles.betas).astype(np.complex128)
    best = best_codewords(ranked)
    ansatz = Ansatz(ranked, tuple(mixers), outcome, state, best)
    if clock.watch is not None:
        clock.tell(ansatz.follow_layers())
    program = _make_program(template, ranked, outcome.angles, options, clock)
    with clock.stage("certificate"):
        draw = np.random.default_rng(options.seed)
        numbers = np.arange(space.size) if space.size <= CHECKED else draw.integers(0, space.size, size=CHECKED)
        check_phase(template, template.working.space.bits(numbers), ranked.costs[numbers])
    method = "phase layer" if len(numbers) == space.size else f"phase layer, sample, seed {options.seed}"
    certificate = Certificate(len(numbers), space.size, True, method, int(best.sum()), len(numbers))
    compiled = Compiled(problem, layout, program, certificate, best, ansatz)
    clock.tell(compiled)
    return compiled


def make_mixers(space: Space, options: QaoaOptions, given: OwnStart | str) -> tuple[Mixer, ...]:
    """Return one mixer a block or the global one, about a start near the values given; raises as `mixers_for`."""
    mixers = mixers_for(space, options.mixer)
    if given == "relaxation":
        size = describe_size(space.size)
        raise DoesNotFitError(f"does not fit: a relaxation of {size} codewords: give values, such as 'x=1'")
    if isinstance(given, str):
        return mixers
    warm = []
    for block, mixer in zip(space.blocks, mixers, strict=True):
        shares = np.ones(block.size)
        for name, values in zip(block.variables, block.values.T, strict=True):
            domain = np.unique(values).tolist()
            wanted = given.get(name)
            if wanted is not None and domain == [0, 1]:
                one = min(max(wanted, EASE), 1 - EASE)
                shares *= np.where(values == 1, one, 1 - one)
            elif wanted in domain and len(domain) > 1:
                shares *= np.where(values == wanted, 1 - EASE, EASE / (len(domain) - 1))
        shares /= shares.sum()
        warm.append(mixer if np.ptp(shares) < STILL else Mixer("grover", start=tuple(shares.tolist())))
    if tuple(warm) == mixers:
        raise InputError(
            "the warm start prefers no value of any variable, as where the objective is symmetric: leave out warm_start"
        )
    return tuple(warm)


def _relax(ranked: RankedSpace) -> dict[str, float]:
    """Return the minimum of the costs' quadratic part in numbers from 0 to 1, made convex as in arXiv:2009.10095."""
    from scipy.optimize import minimize

    bits = [block for block in ranked.space.blocks if block.size > 1]
    if any(block.tuples != ((0,), (1,)) for block in bits):
        raise InputError("warm_start='relaxation' needs variables of values 0 and 1: give values, such as 'x=1'")
    fields, pulls = list_couplings(ranked.costs / ranked.costs.size)
    # A square of a sign is 1, so a multiple of their sum changes no cost.
    pulls += np.eye(len(bits)) * max(0.0, -float(np.linalg.eigvalsh(pulls)[0]))

    def slope(at: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        return float(fields @ at + at @ pulls @ at / 2), fields + pulls @ at

    found = minimize(slope, np.zeros(len(bits)), jac=True, method="L-BFGS-B", bounds=[(-1, 1)] * len(bits))
    return {block.variables[0]: float(1 - sign) / 2 for block, sign in zip(bits, found.x, strict=True)}


def list_couplings(values: NDArray[Any]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the sums of values of bit strings by the sign of each bit, and by those of two bits, 0 for one twice."""
    signs, number = values.astype(float), len(values).bit_length() - 1
    for place in range(number):
        pairs = signs.reshape(-1, 2, 1 << place)
        signs = np.stack([pairs.sum(axis=1), pairs[:, 0] - pairs[:, 1]], axis=1)
    signs, places = signs.reshape(-1), 1 << np.arange(number)
    pulls = np.triu(signs[places[:, None] | places], 1)
    return signs[places], pulls + pulls.T


def join_blocks(ansatz: Ansatz) -> Space:
    """Return the space with one block less: the likeliest value fixed, or the two most correlated blocks joined.

    A round of recursive QAOA (arXiv:1910.08980).

    Raises:
        InputError: a block of more than two codewords.
    """
    bits = [block for block in ansatz.ranked.space.blocks if block.size > 1]
    if any(block.size > 2 for block in bits):
        raise InputError("recursive joins variables of two values, and there are others: leave out recursive")
    alone, pairs = list_couplings(np.abs(ansatz.state) ** 2)
    # Of equal ones, up to rounding, the first.
    strengths = np.abs([*alone, *pairs.reshape(-1)]).round(9)
    number = int(strengths.argmax())
    if number < len(bits):
        first, second, sign = bits[number], bits[number], alone[number]
        rows = [first.tuples[int(sign < 0)]]
    else:
        one, two = divmod(number - len(bits), len(bits))
        first, second, sign = bits[one], bits[two], pairs[one, two]
        rows = [a + b for a, b in zip(first.tuples, second.tuples[:: 1 if sign > 0 else -1], strict=True)]
    names = first.variables if first is second else first.variables + second.variables
    kept = (block for block in ansatz.ranked.space.blocks if block is not first and block is not second)
    return Space((*kept, make_table(names, rows)))


def _make_template(priced: PricedSpace, mixers: Sequence[Mixer], options: QaoaOptions, clock: Clock) -> QaoaTemplate:
    ancillas, layers = priced.layout.provenance.ancillas, max(1, options.layers)
    with clock.stage("circuit") as told:
        return qaoa_template(priced.space, priced.cost, mixers, layers=layers, ancillas=ancillas, report=told)


def _make_program(
    template: QaoaTemplate, priced: PricedSpace, angles: Angles, options: QaoaOptions, clock: Clock
) -> Program:
    with clock.stage("circuit"):
        program = template.program(angles.gammas, angles.betas, gates=options.gates)
    made = replace(priced.layout.provenance, level=None)
    return change_search(replace(program, lowering=options.lowering), provenance=made)


def _fix_angles(template: QaoaTemplate, options: QaoaOptions) -> Named | None:
    """Return `fix` for the template's cost, None where it is not for its blocks; raises where it was asked for."""
    mixed = [block for block in template.space.blocks if block.size > 1]
    if any(block.size > 2 for block in mixed) or any(mixer.kind == "grover-global" for mixer in template.mixers):
        if options.angles == "fixed":
            raise InputError("angles='fixed' are for variables of two values and their own mixers: use 'transfer'")
        return None
    return fix(options.layers, template.phase.degree(template.working.space.num_qubits))


def _compile_large(problem: Problem, layout: Layout, options: QaoaOptions, clock: Clock) -> Compiled:
    """Compile where codewords are too many to simulate: at angles that are given, or known without simulations."""
    space, priced = layout.space, price_space(problem, layout, make_recipe(problem, options))
    if options.layers > MOST_LAYERS:
        raise DoesNotFitError(f"does not fit: {options.layers} QAOA layers: use layers={MOST_LAYERS} or fewer")
    mixers, sample = make_mixers(space, options, options.warm_start), draw_around(space, None, options.seed)
    template = _make_template(priced, mixers, options, clock)
    said: tuple[str, ...] = ()
    if isinstance(options.angles, str):
        size = describe_size(space.size)
        refuse_idle(options, f"{size} codewords are too many to simulate", "betas", "angle_loss", "evaluations")
        fixed, phase, width = _fix_angles(template, options), template.phase, template.working.space.num_qubits
        chosen, schedule = "transfer", transfer(options.layers, mixers)
        if options.angles == "ramp":
            chosen, schedule = "ramp", ramp(options.layers, *RAMP)
        elif options.angles == "fixed" and fixed is not None:
            chosen, schedule = fixed
        if mixers[0].kind == "grover-global":
            spread, units = float(priced.cost.evaluate(sample.values(np.arange(sample.size))).std()), [2.0]
        else:
            # Where the phase is a sum over single bits, its coefficients give the spread itself.
            exact = fixed is not None and not phase.flags and width == sum(block.size > 1 for block in space.blocks)
            total = sum(mask.bit_count() * c * c for mask, c in phase.polynomial)
            spread = math.sqrt(total / width) if exact else _sample_spread(priced, sample)
            units = [mixer_unit(mixer, block.size) for mixer, block in zip(mixers, space.blocks, strict=True)]
        angles = Units(spread, tuple(units)).angles(schedule)
        said = (f"{size} codewords are too many to simulate: angles by {chosen}, betas shared",)
    else:
        angles = Angles(*read_angles(*options.angles, len(mixers)))
    program = _make_program(template, priced, angles, options, clock)
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
    ranked: RankedSpace, simulator: Qaoa, template: QaoaTemplate, evaluations: int, options: QaoaOptions, clock: Clock
) -> FoundAngles:
    report, mixers = clock.progress or (lambda *_: None), template.mixers
    if not isinstance(options.angles, str):
        angles = Angles(*read_angles(*options.angles, simulator.mixers.angles))
        schedule = np.concatenate([angles.gammas[:, None], angles.betas], axis=1)
        return FoundAngles(schedule, angles, simulator.value(*options.angles), 1, "given")
    units = Units.of(ranked.costs, [block.size for block in ranked.space.blocks], mixers)
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
    fixed = _fix_angles(template, options)
    return choose(options.angles, options.layers, land, mixers, fixed=fixed, seed=options.seed)


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
