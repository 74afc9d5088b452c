"""The result row of a compiled problem."""

from __future__ import annotations

from gatesolve.api.options import Options
from gatesolve.api.problem import Problem, settle_options
from gatesolve.api.result import versions
from gatesolve.costs import Identity, ResultRow
from gatesolve.model.content import content_key
from gatesolve.pipelines.amplification import success_probability
from gatesolve.pipelines.program import Part
from gatesolve.pipelines.task import Compiled


def result_row(name: str, compiled: Compiled, options: Options, part: Part) -> ResultRow:
    """Measure a part of a compiled problem.

    Args:
        name: what to call it.
        compiled: the compiled problem.
        options: those it was compiled with.
        part: the whole circuit or one oracle call.
    """
    program, marked = compiled.program, compiled.certificate.marked
    identity = Identity(
        instance=content_key(compiled.problem.model),
        pipeline=_pipeline(options, compiled),
        presolve=compiled.presolve,
        encoding=compiled.encoding,
        oracle=options.oracle,
        level=str(compiled.level),
        window=options.window if compiled.level == "minimised" else 0,
        objective=options.objective,
        measured=options.measured,
        exact=options.exact,
        part=part,
        gates=options.gates,
        ancillas="any" if options.ancillas is None else str(options.ancillas),
        seed=options.seed,
    )
    size = program.space.size
    return ResultRow(
        name=name,
        identity=identity,
        space_size=size,
        marked=marked,
        iterations=compiled.oracle_calls,
        success_probability=1.0 if options.exact else _success(size, marked, program.iterations),
        checked=compiled.certificate.checked,
        resources=program.resources() if part == "whole" else program.oracle_resources(),
        versions="; ".join(f"{package} {number}" for package, number in versions().items()),
    )


def _pipeline(options: Options, compiled: Compiled) -> str:
    assert isinstance(compiled.problem, Problem)
    return settle_options(options, compiled.problem).pipeline


def _success(size: int, marked: int | None, iterations: int) -> float | None:
    return None if marked is None else success_probability(size, marked, iterations)
