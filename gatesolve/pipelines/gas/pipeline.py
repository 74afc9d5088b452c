"""The pipeline ``gas``: searching on a simulator, judging the best codeword, and what people are told of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from gatesolve.circuit.counting import Resources
from gatesolve.errors import InputError
from gatesolve.formats.problem import Accept, Problem
from gatesolve.pipelines.answer import Answer, Compiled, Kept, Status, as_number, round_down
from gatesolve.pipelines.chart import Falling, plotted
from gatesolve.pipelines.events import Accepted, Improved
from gatesolve.pipelines.gas.compile import AdaptiveSearch, compile_adaptive, make_recipe, prepare_search
from gatesolve.pipelines.gas.device import next_circuits
from gatesolve.pipelines.gas.options import GasOptions
from gatesolve.pipelines.gas.search import GasOutcome, GasState, Improvement, Measurement, Settings, adaptive_search
from gatesolve.pipelines.options import refuse_idle
from gatesolve.pipelines.protocol import Pipeline, Report, Spent, describe_certificate
from gatesolve.pipelines.ranking import RankedSpace, check_energy, fingerprint
from gatesolve.pipelines.sampling import codeword_counts, sample
from gatesolve.planning import Clock, Layout
from gatesolve.programs.amplification import success_probability
from gatesolve.programs.program import Program
from gatesolve.simulate.space import run_grover


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
    """

    improvements: tuple[Improvement, ...]
    energies: tuple[Fraction | None, ...]
    runs: int
    oracle_calls: int
    cx: int | None
    miss_probability: float
    error: Fraction
    last: Program

    @cached_property
    def iteration(self) -> Resources:
        """Counts of one iteration at the last threshold, made when first asked for."""
        return self.last.section_resources("iteration")

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
    problem: Problem, layout: Layout, options: GasOptions, clock: Clock, kept: Kept | None = None
) -> Answer:
    """Minimise the problem's cost and judge the best codeword by the problem's own rules."""
    refuse_idle(options, "solve chooses the iterations of pipeline='gas' itself", "iterations")
    search = prepare_search(problem, layout, options, clock)
    state = None if kept is None else _read_state(kept)  # only now: a problem that is divided is kept by its parts
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
            if (step := state.improvements[-1]).run == state.runs:
                clock.tell(Improved(ranked.name, energy, step.oracle_calls, step.iterations))
                _tell_accepted(ranked, state.best, accept, clock)
        report(f"run{best}", state.oracle_calls, state.oracle_calls + remaining)

    circuits = _CircuitCache(search, resumed=state is not None)
    outcome = adaptive_search(circuits.sample, make_settings(search), state=state, progress=keep_and_show)
    found, last = circuits.select(outcome)
    with clock.stage("judge"):
        return _conclude(ranked, outcome, found, last, circuits.cx)


def _tell_accepted(ranked: RankedSpace, best: Measurement, accept: Accept, clock: Clock) -> None:
    """Tell of a new best codeword that is a solution."""
    solution = accept(ranked.space.assignment(best.key)) if ranked.allowed(best.cost) else None
    if solution is not None:
        clock.tell(Accepted(solution))


def _read_state(kept: Kept) -> GasState | None:
    data = kept.read()
    try:
        return None if data is None else GasState.from_dict(data)
    except InputError as error:
        raise kept.refuse(error) from error


def make_settings(search: AdaptiveSearch) -> Settings:
    """The loop's settings for a problem."""
    options, ranked = search.options, search.ranked
    start = ranked.start if options.threshold is None else search.last_threshold - 1
    problem, size = fingerprint(ranked, str(options.backend)), ranked.space.size
    return Settings(problem, size, options.seed, ranked.floor, start, confidence=options.confidence)


class _CircuitCache:
    """Circuits kept by threshold, and what all runs took together."""

    def __init__(self, search: AdaptiveSearch, resumed: bool) -> None:
        self.search = search
        self.kept: dict[int, tuple[Compiled, tuple[int, int]]] = {}
        # What the runs before an interruption took was not kept.
        self.cx: int | None = None if resumed else 0
        self.threshold, self.iterations = 1, 0

    def _at(self, threshold: int) -> tuple[Compiled, tuple[int, int]]:
        if threshold not in self.kept:
            compiled = self.search.compile_unlowered(threshold, iterations=0)
            with self.search.clock.stage("count"):
                program = compiled.program
                self.kept[threshold] = compiled, (program.bound_cx("preparation"), program.bound_cx("iteration"))
        return self.kept[threshold]

    def sample(self, threshold: int, iterations: int, seed: int) -> Measurement | None:
        """One measurement after ``iterations`` of the circuit at ``threshold``."""
        compiled, (start, each) = self._at(threshold)
        self.cx = None if self.cx is None else self.cx + start + iterations * each
        self.threshold, self.iterations = threshold, iterations
        number: int | None
        if self.search.options.backend == "space":
            assert compiled.marked_codewords is not None
            (number,) = run_grover(compiled.marked_codewords, iterations).sample(1, seed)
        else:
            program = compiled.program.with_iterations(iterations)
            ((found, _),) = program.decode(sample(program, self.search.options.backend, 1, seed), seed)
            number = None if found is None else program.space.number(found)
        return None if number is None else self.search.measurement(number)

    def select(self, outcome: GasOutcome) -> tuple[Compiled, Compiled]:
        """The circuit that measured the best codeword, its lowered oracle compared, and that of the last threshold."""
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
    marked, size = found.certificate.marked, ranked.space.size
    descent = Descent(
        outcome.state.improvements,
        tuple(ranked.stated_energy(step.found.cost, step.found.energy) for step in outcome.state.improvements),
        outcome.state.runs,
        outcome.state.oracle_calls,
        cx,
        outcome.miss_probability,
        ranked.cost.error,
        last.program,
    )
    energy = None if best is None else ranked.stated_energy(best.cost, best.energy)
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
        optimal=None
        if solution is None or ranked.problem.goal is None
        else not ranked.margin and (outcome.proven or last.certificate.marked == 0),
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
            return f"{broken}, and none of the {size} codewords breaks none: every one was checked"
        if ranked.start is None:
            return f"{broken}, and one that breaks none need not be lower: raise penalty, or leave it out"
        return f"{broken}; one that breaks none would have been found with probability {caught}"
    if ranked.problem.goal is None:
        return ranked.problem.accepted
    what = f"{ranked.name} {outcome.state.best.energy if energy is None else as_number(energy)}"
    if last.certificate.marked == 0:
        why = f"none of the {size} codewords is lower: every one was checked"
        return f"{what}: nothing better{ranked.margin} exists ({why})"
    if outcome.proven:
        return f"{what}: nothing better{ranked.margin} exists (it is at a proven bound)"
    return f"{what}: anything better{ranked.margin} would have been found with probability {caught}"


def report_descent(options: GasOptions, answer: Answer) -> Report:
    """The improvements, what was run, what the circuit that found the answer costs, what was checked."""
    compiled, descent = answer.compiled, answer.details
    if compiled is None or not isinstance(descent, Descent) or not compiled.program.num_qubits:
        return Report(())
    steps = " -> ".join("rules broken" if e is None else str(as_number(e)) for e in descent.energies)
    cost = "" if descent.cx is None else f", at most {descent.cx} CX in all"
    program = compiled.program
    style = program.oracle.style
    lines = (
        f"gas, {style} value oracle, level {compiled.level}, presolve {compiled.presolve}, "
        f"encoding {compiled.encoding}, backend {options.backend}",
        f"improvements: {steps or 'nothing'}",
        f"{descent.runs} circuits run, {descent.oracle_calls} oracle calls{cost}; "
        f"one iteration of the last: {descent.iteration.cx} CX, depth {descent.iteration.depth}",
    )
    if program.iterations:
        counted = {"oracle": program.oracle_resources(), "iteration": program.section_resources("iteration")}
    else:  # it prepares and measures: there is no oracle in it
        counted = {"whole": program.resources()}
    return Report(lines, counted, (describe_certificate(compiled.certificate),))


def account_descent(options: GasOptions, answer: Answer) -> Spent:
    """All runs; T by one iteration at the last threshold."""
    descent = answer.details
    if not isinstance(descent, Descent) or answer.compiled is None or not answer.compiled.program.num_qubits:
        return Spent(0, {}, 0.0)
    once, calls = descent.iteration, answer.oracle_calls or 0
    cx = calls * (once.cx or 0) if descent.cx is None else descent.cx
    return Spent(cx, {"iteration": calls}, descent.miss_probability)


PIPELINE = Pipeline(
    "gas",
    GasOptions,
    report=report_descent,
    recipe=make_recipe,
    resumes=True,
    account=account_descent,
    check=check_energy,
    compile=compile_adaptive,
    search=solve_adaptive,
    send=next_circuits,
)
