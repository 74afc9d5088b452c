"""The public calls: `compile` and `solve`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gatesolve.api.adaptive import compile_adaptive
from gatesolve.api.adaptive_result import solve_adaptive
from gatesolve.api.annealing import anneals, solve_annealing
from gatesolve.api.compiler import Compiled, compile_problem
from gatesolve.api.optimise import best
from gatesolve.api.options import Options, check_names
from gatesolve.api.problem import Problem, as_problem, settled
from gatesolve.api.qaoa_compile import Ansatz, compile_qaoa
from gatesolve.api.qaoa_result import solve_qaoa
from gatesolve.api.result import Result, chance, infeasible
from gatesolve.api.runner import search
from gatesolve.api.solutions import SolutionCount, count_solutions
from gatesolve.errors import DoesNotFitError, InfeasibleError, InputError, UnsupportedError
from gatesolve.model import Model
from gatesolve.pipelines.amplification import SearchOutcome
from gatesolve.pipelines.clock import Clock, Progress
from gatesolve.puzzles import Puzzle
from gatesolve.qubo import Qubo

if TYPE_CHECKING:
    import cpmpy


def compile(  # the word users know; the builtin is not needed here
    problem: str | Path | Puzzle | Model | Qubo | cpmpy.Model,
    *,
    family: str | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Compiled | Ansatz:
    """Compile a problem to a certified program without running it.

    Args:
        problem: puzzle or Qubo file (``"-"`` for standard input), `Puzzle`, ``cpmpy.Model``, `Model` or `Qubo`.
        family: puzzle family of a file; found from its text when None.
        progress: called with (stage, done, total).
        **options: fields of `Options`.

    Returns:
        The compiled problem: ``.program`` has ``.circuit``, ``.lowered``, ``.resources()``, ``.qasm2()``,
        ``.qasm3()`` and ``.decode(counts)``; ``.certificate`` says what was checked. For ``pipeline="qaoa"``
        an `Ansatz`, with ``.program``, the angles in ``.outcome`` and the exact amplitudes in ``.state``.

    Raises:
        InputError: bad input or option.
        InfeasibleError: proven to have no solution.
        DoesNotFitError: too large; says what would fit.
    """
    check_names(options, ("family", "progress"))
    source = as_problem(problem, family)
    chosen = settled(Options(**options), source)
    with _naming_what_works(source):
        return _compiled(source, chosen, Clock(progress))


def _compiled(source: Problem, chosen: Options, clock: Clock) -> Compiled | Ansatz:
    if chosen.pipeline == "qaoa":
        return compile_qaoa(source, chosen, clock)
    if chosen.pipeline == "anneal":
        raise UnsupportedError("annealing has no circuit: use pipeline='grover' or 'gas', or gatesolve qubo")
    if chosen.pipeline == "gas":
        return compile_adaptive(source, chosen, clock)
    compiled = compile_problem(source, chosen, clock)
    if compiled.certificate.marked == 0:
        raise InfeasibleError(f"no solution: every one of {compiled.certificate.of} codewords was checked")
    return compiled


def solve(
    problem: str | Path | Puzzle | Model | Qubo | cpmpy.Model,
    *,
    family: str | None = None,
    progress: Progress | None = None,
    resume: str | Path | None = None,
    **options: Any,
) -> Result:
    """Compile a problem, run its search, and judge the measured answer by the problem's own rules.

    Args and raises: as `compile`, except that a proven infeasibility is a result here, not an error.
    ``resume`` names a file in which Grover Adaptive Search keeps itself after every run, and goes on from it.
    """
    check_names(options, ("family", "progress", "resume"))
    chosen = Options(**options)
    clock = Clock(progress)
    try:
        with clock.stage("read"):
            source = as_problem(problem, family)
    except InfeasibleError as error:
        return Result(
            "infeasible", str(error), None, None, chosen, Problem(Model(()), name=error.title), chosen.presolve
        )
    chosen = settled(chosen, source)
    if resume is not None and chosen.pipeline != "gas":
        raise InputError("only Grover Adaptive Search is kept and resumed: use pipeline='gas', or leave out resume")
    with _naming_what_works(source):
        result = _solved(source, chosen, clock, None if resume is None else Path(resume))
    return replace(result, seconds=clock.seconds)


@contextmanager
def _naming_what_works(problem: Problem) -> Iterator[None]:
    """Where a problem is too large for a circuit, say so if annealing takes it; that costs no more than its Qubo."""
    try:
        yield
    except DoesNotFitError as error:
        said = str(error)
        if not said.startswith("does not fit") or "pipeline='anneal'" in said or not anneals(problem):
            raise
        raise DoesNotFitError(f"{said}; pipeline='anneal' takes it") from error


def _solved(source: Problem, chosen: Options, clock: Clock, resume: Path | None) -> Result:
    if chosen.pipeline == "gas":
        return solve_adaptive(source, chosen, clock, resume)
    if chosen.pipeline == "qaoa":
        return solve_qaoa(source, chosen, clock)
    if chosen.pipeline == "anneal":
        return solve_annealing(source, chosen, clock)
    if source.model.objective is None:
        return _solve_once(source, chosen, clock)
    return best(source, lambda part: _solve_once(part, chosen, clock))


def _solve_once(problem: Problem, options: Options, clock: Clock) -> Result:
    try:
        compiled = compile_problem(problem, options, clock)
    except InfeasibleError as error:
        return infeasible(error, options, problem)
    with clock.stage("run") as report:
        outcome, probability = search(compiled, options, report)
    with clock.stage("judge"):
        if outcome.iterations != compiled.program.iterations:
            # A copy has to be lowered again, so one is made only for another number of iterations.
            compiled = replace(compiled, program=replace(compiled.program, iterations=outcome.iterations))
        return _judged(compiled, options, outcome, probability)


def _judged(compiled: Compiled, options: Options, outcome: SearchOutcome, probability: float | None) -> Result:
    certificate = compiled.certificate
    solution = compiled.recovered(outcome.solution) if outcome.solution is not None else None
    if solution is not None:
        status, message = "solved", compiled.problem.accepted
        if compiled.program.space.num_qubits == 0:
            message += f"; nothing was left to search after presolve {compiled.presolve}, so the circuit has no qubits"
    elif certificate.marked == 0:
        status = "infeasible"
        message = f"none of the {certificate.of} codewords is a solution: every one was checked"
    elif outcome.missed:
        status = "unsolved"
        message = f"nothing found in {outcome.oracle_calls} oracle calls; "
        message += f"a solution would have been with probability {chance(outcome.missed)}"
    else:
        status, message = "unsolved", f"none of {options.shots} measurements was accepted: use more shots"
    return Result(
        status,
        message,
        solution,
        compiled.problem.board(solution),
        options,
        compiled.problem,
        compiled.presolve,
        compiled.encoding,
        compiled.oracle_calls,
        outcome.oracle_calls,
        compiled.program.space.size,
        certificate.marked,
        _counted(compiled),
        probability,
        certificate,
        compiled=compiled,
    )


def _counted(compiled: Compiled) -> SolutionCount | None:
    """How many solutions there are, where every codeword was judged."""
    if compiled.marks is None:
        return None
    space, numbers = compiled.program.space, np.flatnonzero(compiled.marks)
    return count_solutions(compiled.problem, space, numbers, compiled.recovered)
