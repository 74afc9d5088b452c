"""The pipeline ``gas``, and what people are told of its runs."""

from __future__ import annotations

from gatesolve.pipelines.answer import Answer, as_number
from gatesolve.pipelines.gas.compile import compile_adaptive, make_recipe
from gatesolve.pipelines.gas.device import next_circuits
from gatesolve.pipelines.gas.options import GasOptions
from gatesolve.pipelines.gas.run import Descent, solve_adaptive
from gatesolve.pipelines.protocol import Pipeline, Report, Spent, describe_certificate
from gatesolve.pipelines.ranking import check_energy


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
