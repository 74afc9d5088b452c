"""What Grover Adaptive Search came to, judged by the problem's own rules."""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

from gatesolve.api.adaptive import Adaptive, prepare
from gatesolve.api.adaptive_run import AdaptiveRun, run_adaptive
from gatesolve.api.options import Options
from gatesolve.api.problem import Problem
from gatesolve.api.result import Result, chance, infeasible, number
from gatesolve.circuit.counting import Resources
from gatesolve.errors import InfeasibleError, InputError
from gatesolve.files import replace_file
from gatesolve.pipelines import Program
from gatesolve.pipelines.amplification import success_probability
from gatesolve.pipelines.clock import Clock
from gatesolve.pipelines.gas.search import GasStep
from gatesolve.pipelines.gas.state import GasState, Improvement


@dataclass(frozen=True)
class Descent:
    """What an adaptive search reports beside its answer.

    Attributes:
        improvements: each codeword that was the best when measured.
        energies: of those, as the problem counts: broken constraints, the objective, or the Qubo's energy; None where
            there is an objective and a constraint is broken.
        runs: circuits run.
        oracle_calls: in all of them.
        cx: most CX of all of them, before the passes of lowering; None for a search that was resumed.
        missed: bound on the probability that something lower was missed.
        error: energies told by levels are right up to this much; 0 where they are exact.
        program: the circuit at the last threshold.
    """

    improvements: tuple[Improvement, ...]
    energies: tuple[Fraction | None, ...]
    runs: int
    oracle_calls: int
    cx: int | None
    missed: float
    error: Fraction
    program: Program

    @cached_property
    def iteration(self) -> Resources:
        """Counts of one iteration at the last threshold, made when first asked for."""
        return self.program.iteration_resources()

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "runs": self.runs,
            "oracle_calls": self.oracle_calls,
            "cx": self.cx,
            "missed": self.missed,
            "iteration": self.iteration.as_dict(),
            "error": number(self.error),
            "improvements": [
                {
                    "run": step.run,
                    "iterations": step.iterations,
                    "oracle_calls": step.oracle_calls,
                    "energy": None if energy is None else number(energy),
                }
                for step, energy in zip(self.improvements, self.energies, strict=True)
            ],
        }


def solve_adaptive(
    problem: Problem,
    options: Options,
    clock: Clock,
    resume: Path | None = None,
) -> Result:
    """Minimise the problem's cost and judge the best codeword by the problem's own rules.

    Args:
        problem: what is to be solved.
        options: how.
        clock: times the stages.
        resume: file in which the search is kept after every run, and from which it is continued if it exists.

    Raises:
        DoesNotFitError: the space or an oracle is too large.
        InputError: ``resume`` holds no search, or another one.
    """
    state = None if resume is None else read_state(resume)
    try:
        ready = prepare(problem, options, clock)
    except InfeasibleError as error:
        return infeasible(error, options, problem)
    report = clock.progress or (lambda *_: None)

    best: list[str] = []

    def show(step: GasStep) -> None:
        if step.improvement is not None:
            energy = ready.told(step.improvement.found)
            best[:] = [f"{ready.name} {'unknown' if energy is None else number(energy)}"]
        report(": ".join(["run", *best]), step.oracle_calls, step.oracle_calls + step.remaining)

    save = None if resume is None else lambda kept: write_state(resume, kept)
    run = run_adaptive(ready, clock, state=state, save=save, progress=show)
    with clock.stage("judge"):
        return _judged(ready, run)


def read_state(path: Path) -> GasState | None:
    """The search kept in a file, None if there is no file.

    Raises:
        InputError: the file is no kept search.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read as a kept search: {error}", source=str(path)) from error
    try:
        return GasState.from_dict(json.loads(text))
    except (ValueError, RecursionError, InputError) as error:
        what = error if isinstance(error, InputError) else "it is no JSON"
        raise InputError(f"no kept search ({what}): name another file, or delete this one", source=str(path)) from error


def write_state(path: Path, state: GasState) -> None:
    """Keep a search in a file; an interruption leaves the old file or the new one.

    Raises:
        InputError: a place that cannot be written to.
    """
    replace_file(path, (json.dumps(state.to_dict()) + "\n").encode())


def _judged(ready: Adaptive, run: AdaptiveRun) -> Result:
    problem, compiled, outcome = ready.problem, run.compiled, run.outcome
    best = outcome.best
    solution = None
    if best is not None and ready.allowed(best.level):
        solution = compiled.recovered(ready.space.assignment(int(best.key)))
        if problem.complaints(solution):
            solution = None
    marked, size = compiled.certificate.marked, ready.space.size
    chance = None if marked is None else success_probability(size, marked, compiled.program.iterations)
    descent = Descent(
        outcome.improvements,
        tuple(ready.told(step.found) for step in outcome.improvements),
        outcome.runs,
        outcome.oracle_calls,
        run.cx,
        outcome.missed,
        ready.cost.error,
        compiled.program,
    )
    return Result(
        _status(ready, run, solution),
        _message(ready, run, solution),
        solution,
        problem.board(solution),
        ready.options,
        problem,
        compiled.presolve,
        compiled.encoding,
        compiled.program.iterations,
        outcome.oracle_calls,
        size,
        marked,
        ready.counted,
        chance,
        compiled.certificate,
        compiled=compiled,
        energy=None if best is None else ready.told(best),
        descent=descent,
    )


def _status(ready: Adaptive, run: AdaptiveRun, solution: dict[str, int] | None) -> str:
    if solution is not None:
        return "solved"
    return "unsolved" if ready.allowed(ready.lowest) or not run.outcome.finished else "infeasible"


def _message(ready: Adaptive, run: AdaptiveRun, solution: dict[str, int] | None) -> str:
    outcome, size = run.outcome, ready.space.size
    if outcome.best is None:
        return outcome.message
    energy = ready.told(outcome.best)
    if solution is None:
        broken = "every assignment measured breaks a constraint"
        if energy is not None:
            broken = f"the best assignment measured breaks {energy} constraints"
        if not ready.allowed(ready.lowest):
            return f"{broken}, and none of the {size} codewords breaks none: every one was checked"
        if ready.start is None:
            return f"{broken}, and one that breaks none need not be lower: raise penalty, or leave it out"
        return f"{broken}; one that breaks none would have been found with probability {chance(outcome.missed)}"
    if ready.problem.goal is None:
        return ready.problem.accepted
    what = f"{ready.name} {outcome.best.energy if energy is None else number(energy)}"
    if run.compiled.certificate.marked == 0:
        why = f"none of the {size} codewords is lower: every one was checked"
        return f"{what}: nothing better{ready.margin} exists ({why})"
    if outcome.proven:
        return f"{what}: nothing better{ready.margin} exists (it is at a proven bound)"
    return f"{what}: anything better{ready.margin} would have been found with probability {chance(outcome.missed)}"
