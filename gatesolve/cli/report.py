"""What the command line prints for people."""

from __future__ import annotations

import time
from collections.abc import Mapping

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from gatesolve.api.qaoa_compile import Ansatz
from gatesolve.api.qaoa_result import QaoaReport
from gatesolve.api.result import Result, number
from gatesolve.circuit import Certificate
from gatesolve.circuit.counting import Resources
from gatesolve.cli.terminal import one_line, screen
from gatesolve.cli.words import as_typed
from gatesolve.costs import WHOLE_CIRCUIT
from gatesolve.pipelines.anneal.anneal import AnnealOutcome
from gatesolve.pipelines.sampling import CIRCUIT_BACKENDS
from gatesolve.qubo.numerals import as_written

QUICKLY_COUNTED = 4_000
"""Gates, before the passes of lowering, up to which the whole circuit is counted unasked: a second or two."""


def result_report(result: Result) -> RenderableType:
    """The board, how sure the circuit was, what it costs, what was checked, where time went."""
    parts: list[RenderableType] = [Text(result.problem.title, style="bold")]
    style = {"solved": "bold green", "infeasible": "bold yellow"}.get(result.status, "bold red")
    parts.append(Text.assemble((result.status, style), f": {as_typed(result.message)}"))
    if result.counted is not None and (told := result.counted.told(result.problem)):
        parts.append(Text(told))
    if result.solution is not None:
        puzzle = result.problem.puzzle
        parts.append(puzzle.render(result.solution) if puzzle is not None else _assignment(result.solution))
    seconds = dict(result.seconds or {})
    if result.compiled is not None:
        parts += [Text(f"note: {as_typed(note)}") for note in result.compiled.notes]
    if result.qaoa is not None:
        parts += [Text(f"note: {as_typed(note)}") for note in result.notes]
        parts.append(_ansatz(result, result.qaoa))
    if result.anneal is not None:
        parts.append(_annealed(result, result.anneal))
    if result.compiled is not None and result.compiled.program.num_qubits:
        start = time.perf_counter()
        counted = _counted(result)
        parts += [_search(result), resources_table(counted)]
        if "whole" not in counted and result.descent is None:
            parts.append(Text(f"gatesolve resources counts the whole circuit of {iterations(result.iterations)}"))
        seconds["count"] = seconds.get("count", 0.0) + time.perf_counter() - start
        parts.append(certificate_line(result.compiled.certificate))
    parts.append(_times(seconds))
    return Group(*parts)


def _counted(result: Result) -> dict[str, Resources | None]:
    """One oracle call, and the whole circuit where that is quickly counted, else one iteration."""
    if result.descent is not None:
        return {"oracle": result.oracle_resources, "iteration": result.descent.iteration}
    assert result.compiled is not None
    program = result.compiled.program
    if program.emitted_size() > QUICKLY_COUNTED:
        return {"oracle": result.oracle_resources, "iteration": program.iteration_resources()}
    return {"oracle": result.oracle_resources, "whole": result.resources}


def _assignment(solution: dict[str, int]) -> Text:
    return Text(", ".join(f"{one_line(name)} = {value}" for name, value in solution.items()))


def _search(result: Result) -> Text:
    options = result.options
    if result.descent is not None:
        return _descent(result)
    chance = "unknown" if result.success_probability is None else f"{result.success_probability:.6f}"
    how = "measured" if options.backend in CIRCUIT_BACKENDS else "exact"
    marked = "an unknown number" if result.marked is None else str(result.marked)
    return Text(
        f"{options.pipeline}, {options.oracle} oracle ({_level(result)}), presolve {result.presolve}, "
        f"encoding {result.encoding}, backend {options.backend}\n"
        f"{marked} of {result.space_size} states marked, {_iterations(result)}, "
        f"success probability {chance} ({how})"
    )


def _descent(result: Result) -> Text:
    """How Grover Adaptive Search got there: its improvements, what it ran, what an iteration costs."""
    options, descent = result.options, result.descent
    assert descent is not None
    assert result.compiled is not None
    steps = " -> ".join("rules broken" if e is None else str(number(e)) for e in descent.energies)
    cost = "" if descent.cx is None else f", at most {descent.cx} CX in all"
    style = result.compiled.program.oracle.style
    level = f" ({_level(result)})" if style == "counter" else ""
    return Text(
        f"{options.pipeline}, {style} value oracle{level}, presolve "
        f"{result.presolve}, encoding {result.encoding}, backend {options.backend}\n"
        f"improvements: {steps or 'nothing'}\n"
        f"{descent.runs} circuits run, {descent.oracle_calls} oracle calls{cost}; "
        f"one iteration of the last: {descent.iteration.cx} CX, depth {descent.iteration.depth}"
    )


def _ansatz(result: Result, found: QaoaReport) -> Text:
    """The ansatz, how likely it is to give a solution, what it costs, what was checked."""
    options, whole = result.options, result.resources
    assert whole is not None
    chance = "unknown" if result.success_probability is None else f"{result.success_probability:.6f}"
    t = "" if whole.t is None else f", {whole.t} T"
    return Text(
        f"qaoa, {found.layers} layers, mixers {' and '.join(found.mixers)}, angles {options.angles} "
        f"({found.evaluations} simulations, from {found.start}), aim {options.aim}\n"
        f"presolve {result.presolve}, encoding {result.encoding}, backend {options.backend}: {result.marked} of "
        f"{result.space_size} states are best, probability {chance} (exact); {found.accepted:.4f} of "
        f"{options.shots} shots accepted\n"
        f"circuit: {whole.qubits} qubits, {whole.cx} CX{t}, depth {whole.depth} in {whole.gates}; one layer "
        f"{found.layer.cx} CX, form {found.form}\n"
        f"checked: the phase layer turns by the level on {found.checked} codewords"
    )


def ansatz_table(ansatz: Ansatz) -> Table:
    """Counts of one layer and of the whole circuit of a QAOA."""
    program, ready = ansatz.program, ansatz.ready
    title = f"presolve {ready.found.presolve}, encoding {ready.encoding}: {ready.space.size} states, "
    counted = {"layer": program.layer_resources(), "whole": program.resources()}
    return resources_table(counted, f"{title}{len(program.layers)} layers")


def _annealed(result: Result, found: AnnealOutcome) -> Text:
    """What the samplers ran on and how often they reached the least energy."""
    what = "states listed" if found.proven else f"reads of {found.sweeps} sweeps"
    refused = f", {found.refused} states refused by the rules" if found.refused else ""
    return Text(
        f"anneal, {found.sampler}, {result.variables} variables, form {result.options.form}, "
        f"presolve {result.presolve}, seed {result.options.seed}\n"
        f"{found.reads} {what}: {found.hits} at the least energy, {number(as_written(found.best))}{refused}"
    )


def _level(result: Result) -> str:
    """How much was worked out classically, so that no count is read without it."""
    assert result.compiled is not None
    level = result.compiled.level
    return f"{level} in windows of {result.options.window} qubits" if level == "minimised" else level


def _iterations(result: Result) -> str:
    assert result.compiled is not None
    matched = result.compiled.program.iterations < result.iterations
    return iterations(result.iterations) + (", the first with matched phases" if matched else "")


def iterations(number: int) -> str:
    """``1 iteration``, ``2 iterations``."""
    return f"{number} iteration{'' if number == 1 else 's'}"


def resources_table(counted: Mapping[str, Resources | None], title: str = "resources") -> Table:
    """Counts by the name of the circuit, with a column for measurements where there are some."""
    rows = {name: found for name, found in counted.items() if found is not None}
    measured = any(found.measurements for found in rows.values())
    table = Table(title=title, title_justify="left")
    table.add_column("circuit")
    table.add_column("gate set")
    for name in ("qubits", "CX", "T", "depth", "CX depth", "gates", *(("measurements",) if measured else ())):
        table.add_column(name, justify="right")
    for name, found in rows.items():
        table.add_row(f"{name}*" if found.method != WHOLE_CIRCUIT else name, *_row(found, measured))
    if any(found.method != WHOLE_CIRCUIT for found in rows.values()):
        table.caption = "* one iteration measured, times the iterations; depth is an upper bound"
        table.caption_justify = "left"
    return table


def _row(r: Resources, measured: bool) -> tuple[str, ...]:
    t = "-" if r.t is None else str(r.t)
    row = (r.gates, str(r.qubits), str(r.cx), t, str(r.depth), str(r.two_qubit_depth), str(r.total))
    return (*row, str(r.measurements)) if measured else row


def certificate_line(certificate: Certificate) -> Text:
    """What was checked, in a sentence."""
    return Text(
        f"checked: the oracle marks what the model accepts on {certificate.checked} of {certificate.of} codewords "
        f"({certificate.method}),\nancillas come back clean, and the lowered oracle does the same on "
        f"{certificate.lowered} of them"
    )


def _times(seconds: dict[str, float]) -> Text:
    stages = ", ".join(f"{name} {value:.2f}" for name, value in seconds.items() if value >= 0.005)
    return Text(f"time: {sum(seconds.values()):.2f} s{f' ({stages})' if stages else ''}", style="dim")


def console() -> Console:
    """Standard output, at least 110 columns wide when it is not a terminal."""
    return screen()
