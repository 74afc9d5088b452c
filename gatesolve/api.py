"""The public calls: `compile`, `resources`, `solve`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gatesolve.compiler import Clock, Compiled, Progress, compile_problem
from gatesolve.errors import InfeasibleError
from gatesolve.model import Model
from gatesolve.options import Options
from gatesolve.pipelines.grover import SearchOutcome, grover_program, search_unknown, success_probability
from gatesolve.problem import Problem, as_problem
from gatesolve.puzzles import Puzzle
from gatesolve.resources import Resources
from gatesolve.reversible import Certificate
from gatesolve.simulate.space import grover

if TYPE_CHECKING:
    import cpmpy

    ProblemLike = str | Path | Puzzle | Model | cpmpy.Model


@dataclass(frozen=True)
class Result:
    """The outcome of a solve; `as_dict` is what ``--json`` prints.

    Attributes:
        status: ``solved``, ``infeasible`` (proven) or ``unsolved``.
        message: one line on how the status was reached.
        solution: values of the problem's variables, accepted by its own rules; None unless solved.
        board: the finished board as the puzzle prints it; None for a bare model.
        options: what was asked for.
        presolve: level used.
        encoding: encodings used.
        iterations: Grover iterations of the circuit that was measured last.
        oracle_calls: in all runs together.
        space_size: number of codewords; None if presolve proved infeasibility first.
        marked: number of marked codewords; None when unknown.
        success_probability: that a measurement is marked; exact on ``space``, the accepted fraction of the
            shots on ``aer``; None when unknown.
        resources: of the whole circuit.
        oracle_resources: of one oracle call.
        certificate: what was checked.
        seconds: by stage.
        compiled: the compiled problem, for everything else.
    """

    status: str
    message: str
    solution: dict[str, int] | None
    board: list[list[str]] | None
    options: Options
    problem: Problem
    presolve: str
    encoding: str | None = None
    iterations: int = 0
    oracle_calls: int = 0
    space_size: int | None = None
    marked: int | None = None
    success_probability: float | None = None
    resources: Resources | None = None
    oracle_resources: Resources | None = None
    certificate: Certificate | None = None
    seconds: dict[str, float] | None = None
    compiled: Compiled | None = None

    def as_dict(self) -> dict[str, Any]:
        """One JSON object."""
        certificate = self.certificate
        return {
            "status": self.status,
            "message": self.message,
            "solution": self.solution,
            "board": self.board,
            "pipeline": self.options.pipeline,
            "oracle": self.options.oracle,
            "encoding": self.encoding,
            "presolve": self.presolve,
            "backend": self.options.backend,
            "iterations": self.iterations,
            "oracle_calls": self.oracle_calls,
            "space_size": self.space_size,
            "marked": self.marked,
            "success_probability": self.success_probability,
            "resources": self.resources.as_dict() if self.resources else None,
            "oracle_resources": self.oracle_resources.as_dict() if self.oracle_resources else None,
            "certificate": certificate
            and {
                "checked": certificate.checked,
                "of": certificate.of,
                "ancillas_clean": certificate.ancillas_clean,
                "method": certificate.method,
            },
            "seed": self.options.seed,
            "shots": self.options.shots,
            "versions": versions(),
            "seconds": {k: round(v, 3) for k, v in (self.seconds or {}).items()},
        }


def versions() -> dict[str, str]:
    """Versions of gatesolve and of the packages that shape its counts."""
    return {name: version(name) for name in ("gatesolve", "qiskit", "qiskit-aer", "cpmpy", "numpy")}


def compile(  # the word users know; the builtin is not needed here
    problem: ProblemLike, *, family: str | None = None, progress: Progress | None = None, **options: Any
) -> Compiled:
    """Compile a problem to a certified program without running it.

    Args:
        problem: puzzle file (``"-"`` for standard input), `Puzzle`, ``cpmpy.Model`` or `Model`.
        family: puzzle family of a file; found from its text when None.
        progress: called with (stage, done, total).
        **options: fields of `Options`.

    Returns:
        The compiled problem: ``.program`` has ``.circuit``, ``.lowered``, ``.resources()``, ``.qasm2()``,
        ``.qasm3()`` and ``.decode(counts)``; ``.certificate`` says what was checked.

    Raises:
        InputError: bad input or option.
        InfeasibleError: proven to have no solution before there is a circuit.
        DoesNotFitError: too large; says what would fit.
    """
    return compile_problem(as_problem(problem, family), Options(**options), Clock(progress))


def solve(
    problem: ProblemLike, *, family: str | None = None, progress: Progress | None = None, **options: Any
) -> Result:
    """Compile a problem, run its search, and judge the measured answer by the problem's own rules.

    Args and raises: as `compile`, except that a proven infeasibility is a result here, not an error.
    """
    chosen = Options(**options)
    clock = Clock(progress)
    with clock.stage("read"):
        source = as_problem(problem, family)
    try:
        compiled = compile_problem(source, chosen, clock)
    except InfeasibleError as error:
        return Result("infeasible", str(error), None, None, chosen, source, chosen.presolve, seconds=clock.seconds)
    with clock.stage("run") as report:
        outcome, probability = _search(compiled, chosen, report)
    with clock.stage("count"):
        program = replace(compiled.program, iterations=outcome.iterations)
        result = _judged(replace(compiled, program=program), chosen, outcome, probability)
    return replace(result, seconds=clock.seconds)


def _search(
    compiled: Compiled, options: Options, report: Callable[[int, int], None]
) -> tuple[SearchOutcome, float | None]:
    """Run the known or the unknown schedule on the chosen backend."""
    marked = compiled.certificate.marked
    if marked == 0:
        return SearchOutcome(None, 0, 0, 0, 0.0), 0.0
    if options.schedule == "unknown" or (marked is None and options.schedule == "auto"):
        outcome = search_unknown(
            lambda k: _measure(compiled, options, k, 1, options.seed + k)[0][0],
            lambda found: not compiled.problem.complaints(compiled.recovered(found)),
            compiled.program.space.size,
            options.seed,
            progress=report,
        )
        return outcome, _ideal(compiled, outcome.iterations)
    iterations = compiled.program.iterations
    ranked = _measure(compiled, options, iterations, options.shots, options.seed)
    accepted = [
        (found, shots)
        for found, shots in ranked
        if found is not None and not compiled.problem.complaints(compiled.recovered(found))
    ]
    solution = accepted[0][0] if accepted else None
    fraction = sum(shots for _, shots in accepted) / options.shots
    probability = fraction if options.backend == "aer" else _ideal(compiled, iterations)
    return SearchOutcome(solution, iterations, iterations, 1, 0.0), probability


def _ideal(compiled: Compiled, iterations: int) -> float | None:
    marked = compiled.certificate.marked
    return None if marked is None else success_probability(compiled.program.space.size, marked, iterations)


def _measure(
    compiled: Compiled, options: Options, iterations: int, shots: int, seed: int
) -> list[tuple[dict[str, int] | None, int]]:
    """Decoded outcomes, most frequent first."""
    space = compiled.program.space
    if options.backend == "space":
        assert compiled.marks is not None
        counts = grover(compiled.marks, iterations).sample(shots, seed)
        ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        return [(space.assignment(number), n) for number, n in ordered]
    from gatesolve.backends import aer

    program = replace(compiled.program, iterations=iterations)
    return program.decode(aer.run(program.circuit, shots, seed))


def _judged(compiled: Compiled, options: Options, outcome: SearchOutcome, probability: float | None) -> Result:
    certificate = compiled.certificate
    solution = compiled.recovered(outcome.solution) if outcome.solution is not None else None
    puzzle = compiled.problem.puzzle
    if solution is not None:
        status, message = "solved", "accepted by the puzzle's own rules" if puzzle else "accepted by the model"
    elif certificate.marked == 0:
        status = "infeasible"
        message = f"none of the {certificate.of} codewords is a solution: every one was checked"
    elif outcome.missed:
        status = "unsolved"
        message = f"no solution in {outcome.oracle_calls} oracle calls: there is none, but for a chance of {outcome.missed:.1e}"
    else:
        status, message = "unsolved", f"none of {options.shots} measurements was accepted: use more --shots"
    return Result(
        status,
        message,
        solution,
        puzzle.board(solution) if puzzle is not None and solution is not None else None,
        options,
        compiled.problem,
        compiled.presolve,
        compiled.encoding,
        outcome.iterations,
        outcome.oracle_calls,
        compiled.program.space.size,
        certificate.marked,
        probability,
        compiled.program.resources(),
        compiled.program.oracle_resources(),
        certificate,
        compiled=compiled,
    )
