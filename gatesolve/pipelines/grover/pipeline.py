"""The pipeline ``grover``: searching on a simulator, judging what it measures, the report of a run.

On a device a search is one job of one circuit, iterated as often as pays on that device.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from gatesolve.errors import InfeasibleError
from gatesolve.formats.problem import Accept, Problem
from gatesolve.pipelines.answer import Answer, Compiled, KeptFile, Status, judge_candidates, round_down
from gatesolve.pipelines.chart import MeasuredOutcome, Outcomes
from gatesolve.pipelines.device import (
    Bench,
    End,
    NextCircuits,
    NothingToSearchError,
    OnDevice,
    Round,
    accepted_share,
    require_search,
)
from gatesolve.pipelines.events import Accepted
from gatesolve.pipelines.exact import exact_program, match_phases
from gatesolve.pipelines.grover.compile import compile_search, make_recipe
from gatesolve.pipelines.grover.options import GroverOptions
from gatesolve.pipelines.protocol import (
    Pipeline,
    Report,
    Spent,
    describe_certificate,
    describe_iterations,
    describe_settings,
)
from gatesolve.pipelines.sampling import Counts, codeword_counts, sample
from gatesolve.planning import Clock, Layout
from gatesolve.programs.amplification import best_iterations, ideal_success, success_probability
from gatesolve.programs.program import Program, change_search, count_emitted
from gatesolve.qubo.numerals import count_noun
from gatesolve.simulate.space import GroverState, NestedState, amplify, run_grover

TRIED = 4
"""Most numbers of iterations that are compiled for the device; the cost of more is extrapolated from the last two."""
DRAWN = "the number of marked states was not used: each run drew its iterations at random; {} oracle calls in all runs"
Tell = Callable[[int, int], None]
WRITTEN_OUT = 6
"""Most groups of variables whose sizes are written one by one."""
QUICKLY_COUNTED = 4_000
"""Gates, before the passes of lowering, up to which the whole circuit is counted unasked: a second or two."""


@dataclass(frozen=True)
class SearchOutcome:
    """The outcome of a search loop.

    Attributes:
        solution: an accepted assignment, or None.
        iterations: of the run that was accepted (of the last run, if none was).
        oracle_calls: in all runs together.
        miss_probability: bound on the probability that a solution exists although none was found; 0 if one was.
        matched: the number of solutions to which the phases of the run that was accepted were matched, if they were.
        outcomes: what the run was measured to be, where it was measured more than once.
        counts: the bits that it measured, with the shots of each.
    """

    solution: dict[str, int] | None
    iterations: int
    oracle_calls: int
    miss_probability: float
    matched: int | None = None
    outcomes: tuple[MeasuredOutcome, ...] = ()
    counts: Counts = field(default_factory=Counts)


def run_layout(
    problem: Problem, layout: Layout, options: GroverOptions, clock: Clock, kept: KeptFile | None = None
) -> Answer:
    """Compile, search, and judge what is measured."""
    compiled = compile_search(problem, layout, options, clock, is_run=True)
    with clock.stage("run") as report:
        outcome, probability = run_search(compiled, options, report)
    with clock.stage("judge"):
        if outcome.solution is not None:
            clock.tell(Accepted(outcome.solution))
        compiled = replace(compiled, program=_program_run(compiled, outcome))
        status, message = _conclude(compiled, options, outcome)
        return Answer(
            status=status,
            message=message,
            solution=outcome.solution,
            presolve=compiled.presolve,
            compiled=compiled,
            iterations=compiled.oracle_calls,
            oracle_calls=outcome.oracle_calls,
            success_probability=probability,
            solution_count=compiled.count_solutions(),
            miss_probability=outcome.miss_probability or None,
            counts=outcome.counts or None,
            chart=Outcomes(outcome.outcomes, compiled.program.space.size) if outcome.outcomes else None,
        )


def run_search(compiled: Compiled, options: GroverOptions, report: Tell) -> tuple[SearchOutcome, float | None]:
    """Run the known or the unknown schedule on the chosen backend.

    Returns:
        What the loop gave, its solution over the problem's variables, and the probability that one measurement is
        marked: exact on ``space``, the accepted share of the shots on backends that sample a circuit, None if unknown.
    """
    marked = compiled.certificate.marked
    # Every codeword was checked: there is nothing to find.
    if marked == 0 and options.schedule not in ("unknown", "assumed"):
        return SearchOutcome(None, 0, 0, 0.0), None
    accept = compiled.problem.judge(compiled.recovery.recover)
    if options.schedule == "assumed":
        return _search_assumed(compiled, options, accept, report), None
    if options.schedule == "unknown" or (marked is None and options.schedule == "auto"):
        outcome = _search_unknown(compiled, options, accept, report)
        return outcome, _ideal_probability(compiled, outcome.iterations)
    iterations = compiled.program.iterations
    measured, counts = _measure(compiled, options, iterations, options.shots, options.seed)
    verdict = judge_candidates(accept, measured)
    ideal = 1.0 if options.exact else _ideal_probability(compiled, iterations)
    probability = verdict.shots / options.shots if options.backend != "space" else ideal
    calls = compiled.oracle_calls
    found = SearchOutcome(verdict.solution, iterations, calls, 0.0, outcomes=verdict.outcomes, counts=counts)
    return found, probability


def _search_unknown(compiled: Compiled, options: GroverOptions, accept: Accept, report: Tell) -> SearchOutcome:
    # A seed of its own for every run: runs of equal length must not repeat one another's measurement.
    seeds, last = np.random.default_rng((options.seed, 1)), Counts()

    def measure_once(iterations: int) -> dict[str, int] | None:
        nonlocal last
        ((found, _),), last = _measure(compiled, options, iterations, 1, int(seeds.integers(2**31)))
        return found

    outcome = search_unknown(
        measure_once,
        lambda found: accept(found) is not None,
        compiled.program.space.size,
        options.seed,
        progress=report,
    )
    return replace(outcome, solution=None if outcome.solution is None else accept(outcome.solution), counts=last)


def _search_assumed(compiled: Compiled, options: GroverOptions, accept: Accept, report: Tell) -> SearchOutcome:
    """Run once with phases matched to the number assumed; if that finds nothing, search as for an unknown number."""
    assumed = min(options.solutions or 1, compiled.program.space.size)
    matched = match_phases(compiled.program.space.size, assumed)
    ((found, _),), counts = _measure(compiled, options, matched.iterations, 1, options.seed, assumed)
    # Every measurement is judged by the problem's own rules, because noise or a wrong number may give anything.
    solution = None if found is None else accept(found)
    if solution is not None:
        return SearchOutcome(solution, matched.iterations, matched.iterations, 0.0, assumed, counts=counts)
    outcome = _search_unknown(compiled, options, accept, report)
    return replace(outcome, oracle_calls=matched.iterations + outcome.oracle_calls)


def _conclude(compiled: Compiled, options: GroverOptions, outcome: SearchOutcome) -> tuple[Status, str]:
    certificate = compiled.certificate
    if outcome.solution is not None:
        message = compiled.problem.accepted
        if compiled.program.space.num_qubits == 0:
            message += f"; nothing was left to search after presolve {compiled.presolve}, so the circuit has no qubits"
        return "solved", message
    if certificate.marked == 0:
        return "infeasible", f"no solution exists (all {certificate.of} states were checked)"
    if outcome.miss_probability:
        found, chance = f"nothing found in {outcome.oracle_calls} oracle calls", round_down(outcome.miss_probability)
        return "unsolved", f"{found}; an existing solution is found with probability {chance}"
    return "unsolved", f"none of {options.shots} measurements is a solution: use more shots"


def _program_run(compiled: Compiled, outcome: SearchOutcome) -> Program:
    """Return the program of the run that was accepted, or of the last."""
    if outcome.matched is None:
        return compiled.program.with_iterations(outcome.iterations)
    return exact_program(
        change_search(compiled.program, needed_iterations=None), outcome.matched, ancillas=compiled.provenance.ancillas
    )


def _ideal_probability(compiled: Compiled, iterations: int) -> float | None:
    marked = compiled.certificate.marked
    return None if marked is None else ideal_success(compiled.program, marked, iterations)


def _measure(
    compiled: Compiled, options: GroverOptions, iterations: int, shots: int, seed: int, assumed: int | None = None
) -> tuple[list[tuple[dict[str, int] | None, int]], Counts]:
    """Measure a run; return the decoded outcomes, most frequent first, and the measured bits."""
    space = compiled.program.space
    if options.backend == "space":
        codewords = compiled.marked_codewords
        assert codewords is not None
        known = compiled.certificate.marked or 0 if options.exact else None
        # Phases are matched to the number of solutions that is known, or to the one assumed.
        matched = known if assumed is None else assumed
        phases = None if matched is None else match_phases(space.size, matched).phases
        if (early := compiled.program.search.early_check) is not None:
            sizes = tuple(block.size for block in space.blocks)
            chance = ideal_success(compiled.program, len(codewords.numbers), iterations)
            state: GroverState | NestedState = NestedState(
                codewords, sizes, early.blocks, early.passing, early.chance, chance
            )
        else:
            state = run_grover(codewords, iterations) if phases is None else amplify(codewords, phases)
        # Ties are broken by number, so the same seed gives the same answer.
        ordered = sorted(state.sample(shots, seed).items(), key=lambda item: (-item[1], item[0]))
        return [(space.assignment(number), n) for number, n in ordered], codeword_counts(space, dict(ordered))
    program = compiled.program.with_iterations(iterations)
    if assumed is not None:
        program = _program_run(compiled, SearchOutcome(None, iterations, iterations, 0.0, assumed))
    counts = sample(program, options.backend, shots, seed)
    return program.decode(counts, seed), counts


def measure_accepted(compiled: Compiled, options: GroverOptions, iterations: int, shots: int, seed: int) -> int:
    """Return how many of the shots of a search with so many iterations the problem's own rules accept."""
    measured, _ = _measure(compiled, options, iterations, shots, seed)
    return judge_candidates(compiled.problem.judge(compiled.recovery.recover), measured).shots


def search_unknown(
    sample: Callable[[int], dict[str, int] | None],
    accept: Callable[[dict[str, int]], bool],
    size: int,
    seed: int,
    *,
    rounds: int = 10,
    progress: Callable[[int, int], None] | None = None,
) -> SearchOutcome:
    """Search without knowing the number of solutions.

    The schedule of Boyer, Brassard, Hoyer and Tapp (quant-ph/9605034, section 4): iterations drawn uniformly below a
    bound that grows by 6/5 up to sqrt(size). If there is a solution, the expected number of oracle calls is at most
    9/2 sqrt(size). Twice that many without one happens with probability at most 1/2 (Markov). So after ``rounds`` such
    spans the miss is at most 2^-rounds. ``sample`` runs the circuit with the given number of iterations; ``progress``
    is called with the oracle calls made and those at which to give up.
    """
    draw = np.random.default_rng(seed)
    span = math.ceil(9 * math.sqrt(size))
    calls, iterations = 0, 0
    for _ in range(rounds):
        bound = 1.0
        # Counted from where the last span ended, which overran: every span is a whole one.
        stop = calls + span
        while calls < stop:
            # A random number, because any fixed one is the worst for some number of solutions.
            iterations = int(draw.integers(0, math.ceil(bound)))
            found = sample(iterations)
            # One more for judging the measurement.
            calls += iterations + 1
            if found is not None and accept(found):
                return SearchOutcome(found, iterations, calls, 0.0)
            # Any factor between 1 and 4/3 works; the paper takes 6/5.
            bound = min(bound * 6 / 5, math.sqrt(size))
            if progress is not None:
                progress(min(calls, rounds * span), rounds * span)
    return SearchOutcome(None, iterations, calls, 2.0**-rounds)


def report_search(options: GroverOptions, answer: Answer) -> Report:
    """Report how it was searched, what the circuit costs, what was checked."""
    compiled = answer.compiled
    if compiled is None or not compiled.program.num_qubits:
        return Report(())
    program, marked = compiled.program, compiled.certificate.marked
    chance, iterations = answer.success_probability, answer.iterations or 0
    how = "exact" if options.backend == "space" else "measured"
    said = "" if marked == 0 else ", success probability " + ("unknown" if chance is None else f"{chance:.6f} ({how})")
    matched = ", the first with matched phases" if program.iterations < iterations else ""
    lines = (
        f"pipeline: grover, oracle: {options.oracle}, level: {compiled.level}, "
        f"{describe_settings(presolve=compiled.presolve, encoding=compiled.encoding, backend=options.backend)}",
        _describe_states(program),
        f"{'an unknown number' if marked is None else marked} of {program.space.size} states marked, "
        f"{describe_iterations(iterations)}{matched}{said}",
        # A known number of iterations takes one oracle call each; drawn ones take one more to judge each run.
        *([DRAWN.format(answer.oracle_calls)] if (answer.oracle_calls or 0) > iterations else []),
    )
    certificate = describe_certificate(compiled.certificate)
    counted = {"oracle": program.resources("oracle")}
    if program.search.early_check is not None:
        counted["early check"] = program.resources("early")
    if count_emitted(program) <= QUICKLY_COUNTED:
        return Report(lines, {**counted, "whole": program.resources()}, (certificate,))
    counted["iteration"] = program.resources("iteration")
    whole = f"the whole circuit of {describe_iterations(iterations)}"
    more = f"not counted: {whole}; gatesolve resources counts whole circuits"
    return Report(lines, counted, (more, certificate))


def _describe_states(program: Program) -> str:
    sizes = Counter(block.size for block in program.space.blocks)
    # Few groups are written out: 2^2 would read as one group of 4.
    powers = (f"{size}^{times}" if times > 1 else f"{size}" for size, times in sorted(sizes.items()))
    choices = " x ".join(map(str, sorted(sizes.elements())) if sizes.total() <= WRITTEN_OUT else powers)
    said = f"a state is one of {choices} choices for {count_noun(sizes.total(), 'group')} of variables"
    if program.oracle.style == "classical":
        return said
    return f"{said}; the oracle checks {count_noun(len(program.oracle.conditions), 'condition')} on them"


def account_search(options: GroverOptions, answer: Answer) -> Spent:
    """Count every oracle call as one iteration, and one with matched phases as what it takes."""
    if answer.compiled is None or not answer.compiled.program.num_qubits:
        return Spent(0, {}, 0.0)
    program, calls = answer.compiled.program, answer.oracle_calls or 0
    # Matched phases make the first iteration another, which is counted with the preparation.
    first = "preparation" if answer.compiled.oracle_calls > program.iterations else "iteration"
    sections = Counter({first: min(calls, 1)}) + Counter({"iteration": max(calls - 1, 0)})
    cx = sum(times * (program.resources(name).cx or 0) for name, times in sections.items())
    return Spent(cx, sections, answer.miss_probability or 0.0)


def next_circuits(
    problem: Problem, layout: Layout, options: GroverOptions, clock: Clock, bench: Bench, done: Sequence[Round]
) -> NextCircuits:
    """Return the circuit, or the end once it was measured.

    Raises:
        InfeasibleError: there is no solution.
        InputError: nothing is left to search, or every codeword is a solution.
    """
    if done:
        return End()
    compiled = compile_search(problem, layout, options, clock, is_run=True)
    require_search(compiled.program.space.num_qubits, compiled.presolve)
    marked = compiled.certificate.marked
    if marked == 0:
        raise InfeasibleError(f"no solution: every one of {compiled.certificate.of} codewords was checked")
    size = compiled.program.space.size
    if marked == size:
        raise NothingToSearchError(
            f"every one of {size} codewords is a solution, so there is nothing to search: gatesolve solve gives one, "
            "or choose another encoding"
        )
    # An unknown number of solutions is taken as one, the hardest case.
    known = 1 if marked is None else marked
    chosen = options.iterations is not None or options.exact
    made = bench.prepare(compiled.program) if chosen else _most_promising(bench, compiled, known)
    ideal = 1.0 if options.exact else success_probability(size, known, made.program.iterations)
    found = bench.record(
        made,
        replace(layout, provenance=compiled.provenance),
        what={"pipeline": "grover", "iterations": made.program.iterations},
        ideal=ideal,
        chance=_chance(made, compiled, known),
        marked=marked,
    )
    return bench.require_signal((found,))


def _chance(made: OnDevice, compiled: Compiled, marked: int) -> float:
    # Where solutions were counted but not listed, noise is taken to guess codewords.
    if compiled.marks is None:
        return marked / compiled.program.space.size
    return made.noise_share(map(int, np.flatnonzero(compiled.marks)))


def _most_promising(bench: Bench, compiled: Compiled, marked: int) -> OnDevice:
    """Prepare the number of iterations with the highest expected share of solutions on the device.

    That is 0 only where 0 is also best without errors. Otherwise a circuit without an oracle would replace searches
    that noise hides.
    """
    size = compiled.program.space.size
    best = best_iterations(size, marked)
    if best == 0:
        return bench.prepare(compiled.program.with_iterations(0))
    last = min(best, TRIED)
    made = {k: bench.prepare(compiled.program.with_iterations(k)) for k in range(1, last + 1)}
    known = {k: one.isa.fidelity for k, one in made.items() if one.isa.fidelity is not None}
    wanted = best
    # Fidelity falls by about the same factor with each further iteration, so beyond `TRIED` of them it is extrapolated.
    if len(known) == last:
        fall = known[last] / known[last - 1] if last > 1 and known[last - 1] > 0 else 1.0
        chance = _chance(made[last], compiled, marked)

        def share(k: int) -> float:
            fidelity = known.get(k, known[last] * fall ** (k - last))
            return accepted_share(fidelity, success_probability(size, marked, k), chance)

        wanted = max(range(1, best + 1), key=share)
    return made[wanted] if wanted in made else bench.prepare(compiled.program.with_iterations(wanted))


PIPELINE = Pipeline(
    "grover", GroverOptions, report=report_search, recipe=make_recipe, compile=compile_search, search=run_layout,
    minimises=False, has_one_oracle=True, account=account_search, send=next_circuits, measure=measure_accepted,
)  # fmt: skip
