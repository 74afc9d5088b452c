"""Measures a row of qaoa.py: angles chosen, circuit lowered and counted, probability exact in the space."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from benchmarks.suites.gas_cases import Histogram
from benchmarks.suites.gas_ours import costs
from benchmarks.suites.gas_rows import spread, walk_cost
from benchmarks.suites.gas_walks import our_walk
from benchmarks.suites.qaoa_cases import MOST_STATES, Case
from benchmarks.suites.qaoa_rows import BLOCKS, GAS, GROVER, OWN, SHARED, XY, Row, X
from gatesolve.api.calls import compile_problem, make_request
from gatesolve.api.options import Options
from gatesolve.api.problem import Problem, as_problem
from gatesolve.encodings import encoding_label, make_spaces, unenforced_constraints
from gatesolve.encodings.mixer import mixers_for
from gatesolve.errors import DoesNotFitError
from gatesolve.model import Model
from gatesolve.model.presolve import PresolveSetting, presolve
from gatesolve.pipelines.amplification import best_iterations, success_probability
from gatesolve.pipelines.clock import Clock
from gatesolve.pipelines.gas.compile import prepare_search
from gatesolve.pipelines.gas.run import make_settings
from gatesolve.pipelines.program import Program
from gatesolve.pipelines.qaoa.angles import Units
from gatesolve.pipelines.qaoa.compile import best_codewords, check_phase, prepare_ansatz
from gatesolve.pipelines.qaoa.optimise import GIBBS_FACTOR, AngleSearch, choose_angles, make_landscape
from gatesolve.pipelines.qaoa.program import QaoaPlan, qaoa_plan
from gatesolve.pipelines.ranking import RankedSpace
from gatesolve.qubo.build import formulate_model
from gatesolve.qubo.cost import Cost, SoftConstraint, tabulate_costs
from gatesolve.simulate.qaoa import make_qaoa
from gatesolve.simulate.qaoa_objective import gibbs
from gatesolve.simulate.sparse import probabilities

FOLLOWED = 1 << 8
"""Codewords of the largest space in which the whole lowered circuit is followed."""
MOST_OWN = 1 << 17
"""Codewords of the largest space in which every mixer is given its own betas too."""
SEARCHES = 200
SEED = 0
TABLE_LIMIT = 1 << 20
Note = Callable[[str], None]


@dataclass(frozen=True)
class Made:
    """A problem's QAOA with its angles: circuit and exact amplitudes, and on how many codewords the phase is right."""

    ranked: RankedSpace
    outcome: AngleSearch
    program: Program
    state: NDArray[np.complex128]
    checked: int


def budget(states: int) -> int:
    """Simulations to choose angles, by the size of the space."""
    return 500 if states <= 1 << 14 else 200 if states <= 1 << 17 else 60


def presolved(case: Case) -> Model:
    """The model after the case's presolve."""
    setting: PresolveSetting = "propagate" if case.presolve == "propagate" else "none"
    return presolve(case.problem.model, setting)[0]


def ways(case: Case, note: Note) -> Iterator[tuple[str, Problem, Options]]:
    """Each QAOA that fits: its name, what is handed in, and the choices."""
    problem = case.problem
    if case.is_energy:
        yield X, problem, Options(pipeline="qaoa", presolve="none", mixer="x")
        return
    model = presolved(case)
    qubo = formulate_model(model).qubo
    if 1 << qubo.num_variables <= MOST_STATES:
        yield X, as_problem(qubo), Options(pipeline="qaoa", presolve="none", mixer="x")
    else:
        note(f"{case.name}: 2^{qubo.num_variables} states of free bits do not fit")
    own = Options(pipeline="qaoa", presolve=case.presolve)
    if _size(model, "one-hot") <= MOST_STATES:
        yield XY, problem, replace(own, encoding="one-hot")
    else:
        note(f"{case.name}: the space of one-hot does not fit")
    if _size(model, "table") <= MOST_STATES:
        yield BLOCKS, problem, replace(own, encoding="table", mixer="grover")


def _size(model: Model, kind: str) -> int:
    try:
        return min(space.size for space in make_spaces(model, kind, TABLE_LIMIT))
    except DoesNotFitError:
        return MOST_STATES + 1


def qaoa_rows(case: Case, way: str, problem: Problem, options: Options, note: Note) -> Iterator[Row]:
    """Two rows a depth: one beta a layer, and one a layer and mixer."""
    ranked = prepare_ansatz(make_request(problem, options, Clock()))
    best = best_codewords(ranked)
    if way == X:
        best = ranked.costs == ranked.lowest
    mixers = mixers_for(ranked.space, options.mixer)
    for depth in case.depths:
        plan = qaoa_plan(ranked.space, ranked.cost, mixers, layers=depth)
        checked = check_phase(plan, ranked.costs, options.seed)
        for betas in (SHARED, OWN) if ranked.space.size <= MOST_OWN else (SHARED,):
            made = ansatz(ranked, plan, depth, betas == OWN, checked)
            row = _row(case, way, made, best, betas)
            note(f"{case.name}, {way}, {betas}, p = {depth}: P {row.probability:.4g}, {row.cx} CX, {row.price:.0f}")
            yield row


def ansatz(ranked: RankedSpace, plan: QaoaPlan, depth: int, multi: bool, checked: int) -> Made:
    """As `compile_ansatz` makes it, with the choice whether mixers of one layer share their angle.

    Args:
        ranked: the problem's space.
        plan: its circuits.
        depth: layers.
        multi: whether every mixer has angles of its own.
        checked: what `check_phase` compared.
    """
    sizes = [block.size for block in ranked.space.blocks]
    simulator = make_qaoa(ranked.costs, sizes, plan.mixers)
    units = Units.of(ranked.costs, sizes, plan.mixers)
    aim = gibbs(GIBBS_FACTOR / (float(ranked.costs.std()) or 1.0))
    land = make_landscape(
        units,
        lambda gammas, betas: simulator.value(gammas, betas, aim),
        lambda gammas, betas: simulator.slope(gammas, betas, aim),
    )
    most = budget(ranked.space.size)
    outcome = choose_angles("optimised", depth, land, plan.mixers, evaluations=most, multi=multi, seed=SEED)
    angles = outcome.angles
    state = simulator.run(angles.gammas, angles.betas).astype(np.complex128)
    program = plan.program(angles.gammas, angles.betas)
    return Made(ranked, outcome, program, state, checked)


def _row(case: Case, way: str, made: Made, best: NDArray[np.bool_], betas: str) -> Row:
    counted = made.program.resources()
    ratio, objective = (None, None) if case.problem.goal is None else merit(made)
    return Row(
        problem=case.name,
        presolve=case.presolve,
        way=way,
        encoding=encoding_label(made.ranked.space),
        depth=sum(section.name == "layer" for section in made.program.sections),
        states=made.ranked.space.size,
        best=int(best.sum()),
        qubits=counted.qubits,
        probability=float(np.sum(np.abs(made.state[best]) ** 2)),
        cx=counted.cx,
        betas=betas,
        evaluations=made.outcome.evaluations,
        start=made.outcome.start,
        ratio=ratio,
        objective=objective,
        checked=made.checked,
        followed=int(follow(made)),
    )


def merit(made: Made) -> tuple[float, float | None]:
    """How good a measurement is on average: of the energies' whole range, and of the best objective."""
    costs, weights = made.ranked.costs, np.abs(made.state) ** 2
    mean, least, most = float(weights @ costs), int(costs.min()), int(costs.max())
    ratio = (most - mean) / (most - least)
    ranked = made.ranked
    if ranked.problem.model.objective is None:
        return ratio, None
    rules = tuple(SoftConstraint(1, rule) for rule in unenforced_constraints(ranked.found.model, ranked.space))
    allowed = tabulate_costs(Cost(rules), ranked.space) == 0
    kinds = np.unique(costs[allowed])
    objectives = np.array([float(ranked.problem.restore_energy(ranked.cost.energy(int(v)))) for v in kinds])
    gained = float(weights[allowed] @ objectives[np.searchsorted(kinds, costs[allowed])])
    return ratio, gained / objectives[0]


def follow(made: Made) -> bool:
    """Whether the lowered circuit, followed gate by gate, gives the simulation's probabilities; False if too large.

    Raises:
        AssertionError: it gives others.
    """
    space = made.ranked.space
    if space.size > FOLLOWED:
        return False
    found = probabilities(made.program.lowered)
    wanted = np.abs(made.state) ** 2
    given = np.array([found.get(space.state(n), 0.0) for n in range(space.size)])
    assert np.allclose(given, wanted, atol=1e-7), "the lowered circuit gives other probabilities"
    return True


def grover_rows(case: Case, encoding: str, note: Note) -> list[Row]:
    """Plain search: powers of two of iterations up to the likeliest number, and the number of the fewest CX over P."""
    made = compile_problem(
        case.problem, Options(pipeline="grover", presolve=case.presolve, encoding=encoding, level="minimised"), Clock()
    )
    assert made.marks is not None
    size, marked = made.program.space.size, int(made.marks.sum())
    start, each = made.program.section_resources("preparation").cx, made.program.section_resources("iteration").cx
    rows = []
    most = max(1, made.program.iterations)
    doubled = {1 << n for n in range(most.bit_length())}
    for k in sorted({most, _cheapest(size, marked, start, each)} | doubled):
        chance = success_probability(size, marked, k)
        rows.append(Row(case.name, case.presolve, GROVER, made.encoding, k, size, marked, made.program.num_qubits,
                        chance, start + k * each, checked=made.certificate.checked))  # fmt: skip
        note(f"{case.name}, Grover {encoding}, {k} iterations: P {chance:.4g}, {rows[-1].cx} CX, {rows[-1].price:.0f}")
    return rows


def _cheapest(size: int, marked: int, start: int, each: int) -> int:
    """Iterations, at least one, of the fewest CX over probability."""
    most = max(1, best_iterations(size, marked))
    return min(range(1, most + 1), key=lambda k: (start + k * each) / success_probability(size, marked, k))


def gas_row(case: Case, encoding: str, note: Note) -> Row:
    """Grover Adaptive Search: the mean CX of whole searches, drawn from their exact probabilities."""
    options = Options(pipeline="gas", presolve=case.presolve, encoding=encoding, level="minimised")
    search = prepare_search(make_request(case.problem, options, Clock()))
    histogram = Histogram.of(search.ranked.costs)
    settings = make_settings(search)
    walks = [walk for seed in range(SEARCHES) if (walk := our_walk(histogram, replace(settings, seed=seed)))]
    made = search.compile(histogram.lowest + 1, iterations=1)
    thresholds = sorted({threshold for walk in walks for threshold, k in walk if k} | {histogram.lowest + 1})
    by_threshold = costs(search, thresholds)
    marked = histogram.marked(histogram.lowest + 1)
    k = best_iterations(histogram.size, marked)
    mean, _ = spread(
        [walk_cost(walk, by_threshold, made.program.section_resources("preparation").cx) for walk in walks]
    )
    note(f"{case.name}, GAS {encoding}: {mean} CX a search")
    return Row(case.name, case.presolve, GAS, made.encoding, k, histogram.size, marked, made.program.num_qubits,
               success_probability(histogram.size, marked, k), mean, checked=made.certificate.checked)  # fmt: skip
