"""The pipeline ``gas``: the certified circuit at any threshold, searching on a simulator, the report of a run.

A device gives many shots for the price of one job, and waiting for a job takes long. So there a threshold is not
searched by single measurements, as in ``search.py``, but by one batch of circuits with iterations on a ladder. The
lowest cost of all their shots is the next threshold, and a batch that finds nothing lower ends the search. The loop is
a function of what was measured so far, so it can be stopped and continued at any point.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from qiskit import QuantumCircuit

from gatesolve.circuit import Parity, PhaseFlip
from gatesolve.circuit.counting import Resources
from gatesolve.encodings import Space
from gatesolve.errors import DoesNotFitError, InputError
from gatesolve.formats.problem import Problem
from gatesolve.model.constraints import Columns
from gatesolve.oracle import Oracle
from gatesolve.oracle.recipe import ValueRecipe, value_oracle
from gatesolve.oracle.threshold import ValueChoice
from gatesolve.pipelines.answer import Answer, Compiled, KeptFile, Status, as_number, round_down
from gatesolve.pipelines.certify import Sample, certify_oracle, certify_sample, check_lowered, draw_around, locate
from gatesolve.pipelines.chart import Falling, plotted
from gatesolve.pipelines.device import (
    Bench,
    DeviceCircuit,
    End,
    NextCircuits,
    NothingToSearchError,
    Round,
    require_search,
)
from gatesolve.pipelines.events import Accepted, Improved
from gatesolve.pipelines.gas.options import GasOptions
from gatesolve.pipelines.gas.search import (
    GasOutcome,
    GasState,
    Improvement,
    Measurement,
    Settings,
    adaptive_search,
    iterations_ladder,
    require_same,
)
from gatesolve.pipelines.options import SPACE_LIMIT
from gatesolve.pipelines.protocol import Pipeline, Report, Spent, describe_certificate, describe_settings
from gatesolve.pipelines.ranking import (
    PricedSpace,
    RankedSpace,
    check_energy,
    cost_rule,
    count_costs,
    find_cheap,
    find_threshold,
    fingerprint,
    price_space,
    rank_energies,
    rank_space,
    require_same_space,
)
from gatesolve.pipelines.sampling import codeword_counts, sample
from gatesolve.planning import Clock, Layout
from gatesolve.programs.amplification import best_iterations, grover_program, refuse_rotations, success_probability
from gatesolve.programs.program import Program, bound_cx, change_search, emit_oracle, simulated_oracle
from gatesolve.programs.section import describe_size
from gatesolve.qubo.cost import Cost
from gatesolve.simulate.certificate import Certificate, PhaseCheck
from gatesolve.simulate.outcomes import check_branches
from gatesolve.simulate.space import list_marked, run_grover

FOURIER_ERROR = 1e-6
"""Phases of a lowered Fourier oracle may differ by this: its rotations may be approximated."""
PRODUCT_LIMIT = 1 << 14
"""Codewords from each of which a lowered Fourier oracle is simulated."""
LISTED = 1 << 12
"""Codewords up to which the one that noise favours most is looked for."""
ENOUGH = 0.01
"""Fidelity below which no more iterations are tried: the ladder ends there."""
LOWEST = "nothing lower{} can exist: the lowest possible cost was measured"
INTERVALS = 1 << 16
"""Numbers of solutions that are looked at one by one, and intervals of larger ones."""


@dataclass(frozen=True)
class AdaptiveSearch:
    """A ranked space with the options of its search."""

    ranked: RankedSpace
    options: GasOptions
    clock: Clock

    @property
    def last_threshold(self) -> int:
        """The threshold asked for, else the one just above the lowest cost, where a search ends."""
        wanted = self.options.threshold
        return self.ranked.lowest + 1 if wanted is None else find_threshold(self.ranked, wanted)

    def measurement(self, number: int) -> Measurement:
        """A codeword as the search sees it."""
        return Measurement(number, int(self.ranked.costs[number]), self.ranked.energy(number))

    def compile(self, threshold: int, iterations: int | None = None) -> Compiled:
        """The certified circuit that marks the codewords of cost below ``threshold``, its lowered oracle compared."""
        return self.compare_lowered(self.compile_unlowered(threshold, iterations), threshold)

    def compare_lowered(self, compiled: Compiled, threshold: int) -> Compiled:
        """Compare the lowered oracle of `compile_unlowered` for this threshold too."""
        program, marks, seed = compiled.program, compiled.marks, self.options.seed
        assert marks is not None
        phases = program.oracle.style == "fourier"
        with self.clock.stage("lowering"):
            # A Fourier oracle keeps every qubit in a state of its own, so it is simulated exactly, unless it measures.
            if phases and not program.lowering.measured:
                return replace(compiled, certificate=check_fourier(program, simulated_oracle(program), marks, seed))
            check = self._check(program.oracle, threshold)
            same = check_lowered(check, simulated_oracle(program), marks, seed, check.predicate if phases else None)
        return replace(compiled, certificate=replace(compiled.certificate, lowered=same))

    def compile_unlowered(self, threshold: int, iterations: int | None = None) -> Compiled:
        """Compile with the oracle checked as it was written, before the passes of lowering."""
        options, ranked = self.options, self.ranked
        space, layout, recipe = ranked.space, ranked.layout, make_recipe(ranked.problem, options)
        with self.clock.stage("oracle"):
            oracle = value_oracle(ranked.cost, layout.model, space, threshold, recipe.choice)
        marks = ranked.costs < threshold
        if iterations is None:
            iterations = options.iterations
        if iterations is None:
            iterations = best_iterations(space.size, int(marks.sum()))
        program = make_search(space, oracle, iterations, options)
        if oracle.style == "fourier":
            with self.clock.stage("certificate"):
                certificate = check_fourier(program, emit_oracle(program), marks, options.seed)
        else:
            certificate, _ = certify_oracle(self._check(oracle, threshold), options.seed, self.clock)
        level, notes = recipe.find_level(layout.model, space, oracle)
        made = replace(layout.provenance.note(*notes), level=level)
        return Compiled(ranked.problem, layout, change_search(program, provenance=made), certificate, marks, ranked)

    def _check(self, oracle: Oracle, threshold: int) -> PhaseCheck:
        space, marks = self.ranked.space, self.ranked.costs < threshold
        return PhaseCheck(oracle.ops, oracle.num_data, oracle.num_qubits, space.size, space.bits, marks.__getitem__)


def make_search(space: Space, oracle: Oracle, iterations: int, options: GasOptions) -> Program:
    """Return the search with an oracle; raises as `refuse_rotations`."""
    budget, gates, metric = options.ancillas, options.gates, options.optimize
    program = grover_program(space, oracle, iterations, ancillas=budget, gates=gates, metric=metric)
    program = replace(program, lowering=options.lowering)
    refuse_rotations(program)
    return program


def make_recipe(problem: Problem, options: GasOptions) -> ValueRecipe:
    """Return the recipe of the oracles of all thresholds; raises as `cost_rule`."""
    choice = ValueChoice(options.optimize, options.ancillas, options.value_oracle, options.level, options.window)
    return ValueRecipe(rule=cost_rule(problem, options), choice=choice)


def prepare_search(problem: Problem, layout: Layout, options: GasOptions, clock: Clock) -> AdaptiveSearch:
    """Rank the codewords of a layout."""
    # The layout has settled how many ancillas are left.
    options = replace(options, ancillas=layout.provenance.ancillas)
    return AdaptiveSearch(rank_space(problem, layout, make_recipe(problem, options), clock), options, clock)


def compile_adaptive(problem: Problem, layout: Layout, options: GasOptions, clock: Clock) -> Compiled:
    """Compile the circuit at the threshold asked for, or the one that a search ends with; a large one by a sample."""
    if layout.space.size > SPACE_LIMIT:
        return _compile_large(problem, layout, replace(options, ancillas=layout.provenance.ancillas), clock)
    search = prepare_search(problem, layout, options, clock)
    return search.compile(search.last_threshold)


def _compile_large(problem: Problem, layout: Layout, options: GasOptions, clock: Clock) -> Compiled:
    """Compile where codewords are too many to list: one is assumed below the threshold, and a sample is checked."""
    space, recipe = layout.space, make_recipe(problem, options)
    priced = price_space(problem, layout, recipe)
    with clock.stage("bound"):
        found = find_cheap(priced)
    threshold, said = _choose_threshold(priced, found, options.threshold)
    with clock.stage("oracle"):
        oracle = value_oracle(priced.cost, layout.model, space, threshold, recipe.choice)
    # Beyond the ends of the costs nothing or everything is marked.
    marked = 0 if threshold <= 0 else space.size if threshold > priced.cost.most else 1
    iterations = best_iterations(space.size, marked) if options.iterations is None else options.iterations
    program = make_search(space, oracle, iterations, options)
    sample = draw_around(space, None if found is None else locate(space, found), options.seed)
    certificate = _certify_large(program, priced.cost, threshold, sample, options.seed, clock)
    size = describe_size(space.size)
    taken = {0: "none is", 1: "one is assumed"}.get(marked, "all are")
    taken = f"{size} codewords are too many to list: {taken} below the threshold, and a sample is checked"
    level, notes = recipe.find_level(layout.model, space, oracle)
    made = replace(layout.provenance.note(*said, taken, *notes), level=level)
    return Compiled(problem, layout, change_search(program, provenance=made), certificate, None, priced)


def _choose_threshold(
    priced: PricedSpace, found: Mapping[str, int] | None, wanted: float | None
) -> tuple[int, tuple[str, ...]]:
    """Return the threshold asked for, or the one just above the best assignment found, with a note that says so."""
    if wanted is not None:
        return find_threshold(priced, wanted), ()
    if found is None:
        raise DoesNotFitError("OR-Tools found no assignment, or its numbers are too large for it: give threshold")
    best = int(priced.cost.evaluate({name: np.array([value]) for name, value in found.items()})[0])
    energy = priced.stated_energy(best, priced.cost.energy(best)) if priced.layout.model.check(found) else None
    told = "it breaks a constraint" if energy is None else f"{priced.name} {as_number(energy)}"
    return best + 1, (f"the threshold is just above the best assignment that OR-Tools found: {told}",)


def _certify_large(
    program: Program, cost: Cost, threshold: int, sample: Sample, seed: int, clock: Clock
) -> Certificate:
    """Check the oracle and its lowered form on a sample."""

    def holds(columns: Columns) -> NDArray[np.bool_]:
        return cost.evaluate(columns) < threshold

    marks = holds(sample.values(np.arange(sample.size)))
    if program.oracle.style == "fourier":
        with clock.stage("certificate"):
            made = emit_oracle(program) if program.lowering.measured else simulated_oracle(program)
            return check_fourier(program, made, marks, seed, sample)
    certificate, check, _ = certify_sample(sample, holds, program.oracle, seed, clock)
    with clock.stage("lowering"):
        return replace(certificate, lowered=check_lowered(check, simulated_oracle(program), marks, seed))


def check_fourier(
    program: Program, circuit: QuantumCircuit, marks: NDArray[np.bool_], seed: int, sample: Sample | None = None
) -> Certificate:
    """Simulate an oracle's circuit exactly from every codeword, from drawn ones of a large space, or from a sample.

    ``circuit`` is the oracle, lowered or emitted, of style ``fourier``, which keeps every qubit in a state of its own.
    ``marks`` has one entry for each codeword, of the space or of the sample.
    """
    size, drawn = len(marks), sample or program.space
    whole = sample is None and size <= PRODUCT_LIMIT
    numbers = np.arange(size)
    if sample is None and not whole:
        numbers = np.random.default_rng(seed).integers(0, size, size=PRODUCT_LIMIT)
    bits = np.zeros((circuit.num_qubits, len(numbers)), dtype=bool)
    bits[: program.space.num_qubits] = drawn.bits(numbers)
    check_branches(circuit, bits, marks[numbers], seed, error=FOURIER_ERROR)
    method = "every codeword" if whole else f"sample, seed {seed}"
    marked = int(marks.sum()) if sample is None else None
    return Certificate(len(numbers), program.space.size, True, method, marked, len(numbers))


@dataclass(frozen=True)
class Descent:
    """The report of an adaptive search beside its answer.

    Attributes:
        improvements: each codeword that was the best when measured.
        energies: of those, as the problem counts: broken constraints, the objective, or the Qubo's energy; None where
            there is an objective and a constraint is broken.
        runs: circuits run.
        oracle_calls: in all of them.
        cx: most CX of all of them, before the passes of lowering; None for a search that was resumed.
        miss_probability: bound on the probability that something lower was missed.
        error: energies of costs are right up to this much; 0 where they are exact.
        last: the circuit at the last threshold, below which nothing was found.
        proves: whether nothing better than the answer, or than the threshold without one, is in the space.
    """

    improvements: tuple[Improvement, ...]
    energies: tuple[Fraction | None, ...]
    runs: int
    oracle_calls: int
    cx: int | None
    miss_probability: float
    error: Fraction
    last: Program
    proves: bool

    @cached_property
    def iteration(self) -> Resources:
        """Counts of one iteration at the last threshold, made when first asked for."""
        return self.last.resources("iteration")

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        descent = {
            "runs": self.runs,
            "oracle_calls": self.oracle_calls,
            "cx": self.cx,
            "miss_probability": self.miss_probability,
            "iteration": self.iteration.as_dict(),
            "error": as_number(self.error),
            "improvements": [
                {
                    "run": step.run,
                    "iterations": step.iterations,
                    "oracle_calls": step.oracle_calls,
                    "energy": None if energy is None else as_number(energy),
                }
                for step, energy in zip(self.improvements, self.energies, strict=True)
            ],
        }
        return {"descent": descent}


def solve_adaptive(
    problem: Problem, layout: Layout, options: GasOptions, clock: Clock, kept: KeptFile | None = None
) -> Answer:
    """Minimise the problem's cost and judge the best codeword by the problem's own rules."""
    options.check_divided()
    search = prepare_search(problem, layout, options, clock)
    # Read only now: a problem that is divided is kept by its parts.
    state = None if kept is None else _read_state(kept, search)
    ranked = search.ranked
    accept = ranked.problem.judge(ranked.layout.recovery.recover)
    report = clock.progress or (lambda *_: None)

    def keep_and_show(state: GasState, remaining: int) -> None:
        if kept is not None:
            kept.write(state.to_dict())
        best = ""
        if state.best is not None:
            energy = ranked.stated_energy(state.best.cost, state.best.energy)
            best = f": {ranked.name} {'unknown' if energy is None else as_number(energy)}"
            # Only an improvement by the run that has just ended is news.
            if (step := state.improvements[-1]).run == state.runs:
                clock.tell(Improved(ranked.name, energy, step.oracle_calls, step.iterations))
                found = accept(ranked.space.assignment(state.best.key)) if ranked.allowed(state.best.cost) else None
                if found is not None:
                    clock.tell(Accepted(found))
        report(f"run{best}", state.oracle_calls, state.oracle_calls + remaining)

    circuits = _CircuitCache(search, resumed=state is not None)
    outcome = adaptive_search(circuits.sample, make_settings(search), state=state, progress=keep_and_show)
    found, last = circuits.select(outcome)
    with clock.stage("judge"):
        return _conclude(ranked, outcome, found, last, circuits.cx)


def _read_state(kept: KeptFile, search: AdaptiveSearch) -> GasState | None:
    data = kept.read()
    if data is None:
        return None
    try:
        state = GasState.from_dict(data)
    except InputError as error:
        raise kept.refuse(error) from error
    # Costs of another problem would only look damaged.
    require_same(state, make_settings(search))
    # What was measured has these costs, and a codeword that was no better has the threshold's.
    costs, start = search.ranked.costs, state.settings.start
    found = [step.found for step in state.improvements]
    right = all(0 <= one.key < len(costs) and search.measurement(one.key) == one for one in found)
    if right and state.best is not None and state.threshold != (None if start is None else start + 1):
        last = np.flatnonzero(costs == state.threshold)
        right = any(search.ranked.energy(int(number)) >= state.best.energy for number in last)
    if not right:
        raise InputError("the saved search is damaged (its costs are not the problem's); start it afresh")
    return state


def make_settings(search: AdaptiveSearch) -> Settings:
    """The loop's settings for a problem."""
    # Above ``ranked.start`` are only broken constraints, below ``floor`` is nothing.
    options, ranked = search.options, search.ranked
    ends = [end for end in (search.last_threshold - 1, ranked.start) if end is not None]
    start = ranked.start if options.threshold is None else max(min(ends), ranked.floor)
    problem = fingerprint(ranked, str(options.backend))
    return Settings(problem, ranked.space.size, options.seed, ranked.floor, start, confidence=options.confidence)


class _CircuitCache:
    """Circuits kept by threshold, and what all runs took together."""

    def __init__(self, search: AdaptiveSearch, resumed: bool) -> None:
        self.search = search
        self.kept: dict[int, tuple[Compiled, tuple[int, int]]] = {}
        # What the runs before an interruption took was not kept.
        self.cx: int | None = None if resumed else 0
        self.threshold, self.iterations = 1, 0
        # All qubits are read, so that each is prepared.
        space = search.ranked.space
        phase = PhaseFlip(tuple(Parity((qubit,)) for qubit in range(space.num_qubits)))
        start = make_search(space, Oracle((phase,), space.num_qubits, 0), 0, search.options)
        # Without an iteration no oracle is run, whatever the threshold, so none is made.
        self.start = start, bound_cx(start, "preparation")

    def _at(self, threshold: int) -> tuple[Compiled, tuple[int, int]]:
        if threshold not in self.kept:
            # One circuit serves all numbers of iterations at a threshold.
            compiled = self.search.compile_unlowered(threshold, iterations=0)
            with self.search.clock.stage("count"):
                program = compiled.program
                self.kept[threshold] = compiled, (bound_cx(program, "preparation"), bound_cx(program, "iteration"))
        return self.kept[threshold]

    def sample(self, threshold: int, iterations: int, seed: int) -> Measurement | None:
        """Measure once after ``iterations`` of the circuit at ``threshold``."""
        ranked, backend = self.search.ranked, self.search.options.backend
        (program, cx), marked = self.start, None
        if iterations:
            compiled, (start, each) = self._at(threshold)
            program, cx = compiled.program.with_iterations(iterations), start + iterations * each
            marked = compiled.marked_codewords
        self.cx = None if self.cx is None else self.cx + cx
        self.threshold, self.iterations = threshold, iterations
        number: int | None
        if backend == "space":
            marked = list_marked(ranked.costs < threshold) if marked is None else marked
            (number,) = run_grover(marked, iterations).sample(1, seed)
        else:
            ((found, _),) = program.decode(sample(program, backend, 1, seed), seed)
            number = None if found is None else ranked.space.number(found)
        return None if number is None else self.search.measurement(number)

    def select(self, outcome: GasOutcome) -> tuple[Compiled, Compiled]:
        """Return the circuit that measured the best codeword, its lowered oracle compared, and the last threshold's."""
        # Below the lowest possible cost nothing is marked: the circuit that got there is the last one then.
        threshold = outcome.state.threshold or self.threshold
        last, iterations = self._at(threshold)[0], self.iterations
        if outcome.state.improvements:
            best = outcome.state.improvements[-1]
            # The first run of all has no threshold: it is the preparation alone, whatever the oracle.
            threshold, iterations = best.threshold or threshold, best.iterations
        found = self.search.compare_lowered(self._at(threshold)[0], threshold)
        return replace(found, program=found.program.with_iterations(iterations)), last


def _conclude(ranked: RankedSpace, outcome: GasOutcome, found: Compiled, last: Compiled, cx: int | None) -> Answer:
    best, solution = outcome.state.best, None
    if best is not None and ranked.allowed(best.cost):
        solution = ranked.problem.judge(found.recovery.recover)(ranked.space.assignment(best.key))
    marked, size, marks_nothing = found.certificate.marked, ranked.space.size, last.certificate.marked == 0
    descent = Descent(
        outcome.state.improvements,
        tuple(ranked.stated_energy(step.found.cost, step.found.energy) for step in outcome.state.improvements),
        outcome.state.runs,
        outcome.state.oracle_calls,
        cx,
        outcome.miss_probability,
        ranked.cost.error,
        last.program,
        not ranked.margin and (best is None or solution is not None) and (outcome.proven or marks_nothing),
    )
    energy = None if best is None else ranked.stated_energy(best.cost, best.energy)
    # The lowest of all costs shows whether there is a solution.
    status: Status = "unsolved" if ranked.allowed(ranked.lowest) or not outcome.finished else "infeasible"
    return Answer(
        status="solved" if solution is not None else status,
        message=_message(ranked, outcome, last, solution is not None, energy),
        solution=solution,
        exact_energy=None if ranked.problem.goal is None else energy,
        presolve=found.presolve,
        compiled=found,
        iterations=found.program.iterations,
        oracle_calls=outcome.state.oracle_calls,
        # The run that found the first value has no threshold, and below the best value nothing is marked.
        success_probability=success_probability(size, marked, found.program.iterations) if marked else None,
        solution_count=ranked.counted,
        miss_probability=outcome.miss_probability if solution is None and status == "unsolved" else None,
        optimal=None if solution is None or not ranked.problem.goal else descent.proves and not outcome.state.is_above,
        details=descent,
        counts=None if best is None else codeword_counts(ranked.space, {best.key: 1}),
        chart=Falling(
            ranked.name,
            tuple(step.oracle_calls for step in descent.improvements),
            tuple(None if found is None else plotted(found) for found in descent.energies),
            descent.oracle_calls,
        ),
    )


def _message(ranked: RankedSpace, outcome: GasOutcome, last: Compiled, solved: bool, energy: Fraction | None) -> str:
    size, caught = ranked.space.size, round_down(outcome.miss_probability)
    if outcome.state.best is None:
        return outcome.message
    if not solved:
        broken = "every assignment measured breaks a constraint"
        if ranked.problem.goal is None and ranked.counts_violations and energy is not None:
            broken = f"the best assignment measured breaks {energy} constraint{'' if energy == 1 else 's'}"
        if not ranked.allowed(ranked.lowest):
            return f"{broken}, and none of the {size} states satisfies all constraints (all were checked)"
        if ranked.start is None:
            return f"{broken}, and one that breaks none need not be lower: raise penalty, or leave it out"
        return f"{broken}; one that breaks none would have been found with probability {caught}"
    if ranked.problem.goal is None:
        return ranked.problem.accepted
    what = f"{ranked.name} {outcome.state.best.energy if energy is None else as_number(energy)}"
    if outcome.state.is_above:
        return f"{what}: nothing better than the threshold was found"
    if last.certificate.marked == 0:
        return f"{what}: nothing better{ranked.margin} exists (all {size} states were checked)"
    if outcome.proven:
        return f"{what}: nothing better{ranked.margin} exists (it is at a proven bound)"
    return f"{what}: anything better{ranked.margin} would have been found with probability {caught}"


def report_descent(options: GasOptions, answer: Answer) -> Report:
    """Report the improvements, what was run, what the circuit that found the answer costs, what was checked."""
    compiled, descent = answer.compiled, answer.details
    if compiled is None or not isinstance(descent, Descent) or not compiled.program.num_qubits:
        return Report(())
    steps = " -> ".join("rules broken" if e is None else str(as_number(e)) for e in descent.energies)
    cost = "" if descent.cx is None else f", at most {descent.cx} CX in all"
    program = compiled.program
    lines = (
        f"pipeline: gas, value oracle: {program.oracle.style}, level: {compiled.level}, "
        f"{describe_settings(presolve=compiled.presolve, encoding=compiled.encoding, backend=options.backend)}",
        f"improvements: {steps or 'none'}",
        f"{descent.runs} circuits run, {descent.oracle_calls} oracle calls{cost}; "
        f"one iteration of the last circuit takes {descent.iteration.cx} CX at depth {descent.iteration.depth}",
    )
    if program.iterations:
        counted = {"oracle": program.resources("oracle"), "iteration": program.resources("iteration")}
    else:
        # The circuit prepares and measures: there is no oracle in it.
        counted = {"whole": program.resources()}
    return Report(lines, counted, (describe_certificate(compiled.certificate),))


def account_descent(options: GasOptions, answer: Answer) -> Spent:
    """Account for all runs; T by one iteration at the last threshold."""
    descent = answer.details
    if not isinstance(descent, Descent):
        return Spent(0, {}, 0.0)
    if answer.compiled is None or not answer.compiled.program.num_qubits:
        return Spent(0, {}, 0.0, descent.proves)
    once, calls = descent.iteration, answer.oracle_calls or 0
    cx = calls * (once.cx or 0) if descent.cx is None else descent.cx
    return Spent(cx, {"iteration": calls}, descent.miss_probability, descent.proves)


@dataclass(frozen=True)
class Batch:
    """The measurements of one job below a threshold.

    ``runs`` has the iterations, shots and estimated fidelity of each circuit, ``lowest`` the lowest cost measured in
    any shot; None if none was a codeword.
    """

    runs: tuple[tuple[int, int, float], ...]
    lowest: int | None


def next_circuits(
    problem: Problem, layout: Layout, options: GasOptions, clock: Clock, bench: Bench, done: Sequence[Round]
) -> NextCircuits:
    """Return the circuits of the next threshold, or the end; raises as `Bench` and `require_same_space`."""
    search = prepare_search(problem, layout, options, clock)
    ranked = search.ranked
    require_search(ranked.space.num_qubits, ranked.layout.provenance.presolve)
    history = tuple(_read_batch(search, job) for job in done)
    # Recomputed from all jobs so far, so that nothing but the jobs has to be stored.
    wanted = next_threshold(_first_threshold(search), ranked.floor, ranked.space.size, history, ranked.margin)
    if isinstance(wanted, End):
        if not done:
            raise InputError("nothing can lie below that threshold: give a higher threshold, or leave it out")
        return wanted
    try:
        return _make_circuits(bench, search, wanted)
    except NothingToSearchError:
        # The codeword of that cost is not marked, so none is.
        if done:
            return End(LOWEST.format(ranked.margin))
        above = ranked.costs[ranked.costs > wanted]
        if options.threshold is not None or not len(above):
            raise
        # The random codeword was one of the lowest; to start from a worse one gives nothing away.
        return _make_circuits(bench, search, int(above.min()))


def _first_threshold(search: AdaptiveSearch) -> int:
    """Return the threshold asked for, the one above all costs that break no constraint, or a random codeword's."""
    ranked = search.ranked
    if search.options.threshold is not None:
        return search.last_threshold
    # Only if something is above it: an oracle that marks every codeword finds nothing.
    if ranked.start is not None and ranked.start < ranked.costs.max():
        return ranked.start + 1
    # A superposition measured at once is nothing but a random codeword: no device is needed for that.
    number = int(np.random.default_rng(search.options.seed).integers(ranked.space.size))
    return max(int(ranked.costs[number]), ranked.floor + 1)


def _make_circuits(bench: Bench, search: AdaptiveSearch, threshold: int) -> tuple[DeviceCircuit, ...]:
    """Make a circuit for each number of iterations, as far as the device carries the signal of a single solution."""
    compiled = search.compile(threshold, iterations=1)
    ranked, options = search.ranked, search.options
    (solutions, energies), key = rank_energies(ranked), fingerprint(ranked, str(options.backend))
    size = ranked.space.size
    steps = iterations_ladder(size) if options.iterations is None else (options.iterations,)
    made: list[DeviceCircuit] = []
    for k in steps:
        short = bench.prepare(compiled.program.with_iterations(k))
        # Which codeword is a solution is not known here: noise gives no more than of the one that it favours most.
        chance = max(short.noise_share((n,)) for n in range(size)) if size <= LISTED else 1 / size
        circuit = bench.record(
            short,
            ranked.layout,
            what={"pipeline": "gas", "iterations": k, "threshold": threshold, "space_key": key},
            ideal=success_probability(size, 1, k),
            chance=chance,
            marked=solutions,
            ranking=energies,
        )
        made.append(circuit)
        fidelity = short.isa.fidelity
        # More iterations only lose more signal, so the ladder ends with the first that has none.
        if fidelity is not None and (fidelity < ENOUGH or not circuit.has_signal):
            break
    return bench.require_signal(tuple(made))


def _read_batch(search: AdaptiveSearch, job: Round) -> Batch:
    costs: set[int] = set()
    runs = []
    known = fingerprint(search.ranked, str(search.options.backend))
    for one in job.circuits:
        key, fidelity, iterations = one.record.space_key, one.record.estimate.fidelity, one.record.iterations
        assert key is not None
        assert iterations is not None
        require_same_space(known, key, job.search)
        # Without reported errors the device is taken as perfect, as a simulator is.
        runs.append((iterations, job.shots, 1.0 if fidelity is None else fidelity))
        costs |= set(count_costs(search.ranked, one.states))
    return Batch(tuple(runs), min(costs, default=None))


def next_threshold(first: int, floor: int, size: int, history: Sequence[Batch], margin: str = "") -> int | End:
    """Return the threshold to search below next, or the end.

    ``floor`` is a proven lower bound of the cost, ``history`` what was measured so far; for ``margin`` see
    `RankedSpace`.

    Raises:
        ValueError: a cost below the floor was measured.
    """
    threshold = first
    for batch in history:
        if batch.lowest is not None and batch.lowest < floor:
            raise ValueError(f"cost {batch.lowest} was measured, below the proven lowest, {floor}")
        # Nothing lower was measured, so this threshold was the last one.
        if batch.lowest is None or batch.lowest >= threshold:
            missed = max(bound_miss(size, batch.runs), 1e-300)
            return End(
                "the last job found nothing lower; if the device's reported errors hold, it misses something "
                f"lower{margin} with probability at most {missed:.2g}"
            )
        threshold = batch.lowest
    return End(LOWEST.format(margin)) if threshold <= floor else threshold


def bound_miss(size: int, runs: Sequence[tuple[int, int, float]]) -> float:
    """Return the largest probability, over all numbers of solutions from 1, that no shot of any circuit shows one.

    With t of ``size`` codewords marked, a shot after k iterations shows one with probability at least
    ``F sin^2((2 k + 1) asin sqrt(t / size))``; F as in ``devices/isa.py``. What errors may hit by chance is not counted
    on. Source: Boyer, Brassard, Hoyer and Tapp, quant-ph/9605034, section 3.

    Returns:
        The probability itself in a space of up to 2^16 codewords. Larger numbers of solutions in larger ones are taken
        in 2^16 intervals, each run at what it shows least in the interval: never less than the probability.

    Cost: linear in the size up to 2^16, and no more beyond.
    """
    first = np.arcsin(np.sqrt(np.arange(1, min(size, INTERVALS) + 1) / size))
    cuts = np.linspace(first[-1], math.pi / 2, INTERVALS + 1 if size > INTERVALS else 1)
    # The first intervals are single numbers of solutions; the others divide the angles that are left.
    low, high = np.concatenate([first, cuts[:-1]]), np.concatenate([first, cuts[1:]])
    silence = np.zeros(len(low))
    for iterations, shots, fidelity in runs:
        begin, end = (2 * iterations + 1) * low, (2 * iterations + 1) * high
        # Between two multiples of pi the square of a sine is least at an end.
        least = np.where(begin // math.pi == end // math.pi, np.minimum(np.sin(begin) ** 2, np.sin(end) ** 2), 0.0)
        shown = fidelity * least
        # Added up as logarithms, since the product of many shots is tiny.
        silence += shots * np.log1p(-np.minimum(shown, 1 - 1e-15))
    return float(np.exp(silence.max()))


PIPELINE = Pipeline(
    "gas", GasOptions, report=report_descent, recipe=make_recipe, resumes=True, divides_goals=True,
    account=account_descent, check=check_energy, compile=compile_adaptive, search=solve_adaptive, send=next_circuits,
)  # fmt: skip
