"""The pipeline ``grover``, and what people are told of its runs."""

from __future__ import annotations

from collections import Counter

from gatesolve.circuit.counting import Resources
from gatesolve.pipelines.grover.compile import compile_search, make_builder, oracle_level
from gatesolve.pipelines.grover.device import next_circuits
from gatesolve.pipelines.grover.options import GroverOptions
from gatesolve.pipelines.grover.run import solve_search
from gatesolve.pipelines.protocol import Pipeline, Report, Spent, describe_certificate, describe_iterations
from gatesolve.pipelines.task import Answer
from gatesolve.programs.program import Program

QUICKLY_COUNTED = 4_000
"""Gates, before the passes of lowering, up to which the whole circuit is counted unasked: a second or two."""


def report_search(options: GroverOptions, answer: Answer) -> Report:
    """How it was searched, what the circuit costs, what was checked."""
    compiled = answer.compiled
    if compiled is None or not compiled.program.num_qubits:
        return Report(())
    program, marked = compiled.program, compiled.certificate.marked
    chance, iterations = answer.success_probability, answer.iterations or 0
    how = "exact" if options.backend == "space" else "measured"
    said = "" if marked == 0 else ", success probability " + ("unknown" if chance is None else f"{chance:.6f} ({how})")
    matched = ", the first with matched phases" if program.iterations < iterations else ""
    lines = (
        f"grover, {options.oracle} oracle, level {compiled.level}, presolve {compiled.presolve}, "
        f"encoding {compiled.encoding}, backend {options.backend}",
        f"{'an unknown number' if marked is None else marked} of {program.space.size} states marked, "
        f"{describe_iterations(iterations)}{matched}{said}",
    )
    certificate = describe_certificate(compiled.certificate)
    counted = count_parts(program)
    if program.emitted_size() <= QUICKLY_COUNTED:
        return Report(lines, {**counted, "whole": program.resources()}, (certificate,))
    counted["iteration"] = program.section_resources("iteration")
    more = f"gatesolve resources counts the whole circuit of {describe_iterations(iterations)}"
    return Report(lines, counted, (more, certificate))


def count_parts(program: Program) -> dict[str, Resources]:
    """One oracle call, and one round of an early check where the search has one."""
    early = {} if program.early_check is None else {"early check": program.section_resources("early")}
    return {"oracle": program.oracle_resources(), **early}


def account_search(options: GroverOptions, answer: Answer) -> Spent:
    """Every oracle call as one iteration, one with matched phases as what it takes."""
    if answer.compiled is None or not answer.compiled.program.num_qubits:
        return Spent(0, {}, 0.0)
    program, calls = answer.compiled.program, answer.oracle_calls or 0
    # Matched phases make the first iteration another, which is counted with the preparation.
    first = "preparation" if answer.compiled.oracle_calls > program.iterations else "iteration"
    sections = Counter({first: min(calls, 1)}) + Counter({"iteration": max(calls - 1, 0)})
    cx = sum(times * (program.section_resources(name).cx or 0) for name, times in sections.items())
    return Spent(cx, sections, answer.miss_probability or 0.0)


PIPELINE = Pipeline(
    "grover",
    GroverOptions,
    report=report_search,
    run=solve_search,
    minimises=False,
    account=account_search,
    compile=compile_search,
    oracles=(make_builder, oracle_level),
    send=next_circuits,
)
