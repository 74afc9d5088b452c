"""Terminal reports of results and circuits."""

from __future__ import annotations

import time
from collections.abc import Mapping

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from gatesolve.api.division.account import Division
from gatesolve.api.physical import PhysicalReport
from gatesolve.api.problem import Problem
from gatesolve.api.result import Result
from gatesolve.api.words import render_options
from gatesolve.costs import WHOLE_CIRCUIT, Resources
from gatesolve.costs.units import format_count, format_duration
from gatesolve.errors import one_line
from gatesolve.pipelines.amplification import count_whole
from gatesolve.pipelines.protocol import describe_certificate, describe_iterations
from gatesolve.pipelines.task import Compiled
from gatesolve.programs.section import describe_size


def result_report(result: Result) -> RenderableType:
    """The board, how sure the circuit was, what it costs, what was checked, where time went."""
    parts: list[RenderableType] = [Text(result.problem.title, style="bold")]
    style = {"solved": "bold green", "infeasible": "bold yellow"}.get(result.status, "bold red")
    parts.append(Text.assemble((result.status, style), f": {render_options(result.message)}"))
    if told := result.problem.describe_count(result.solution_count):
        parts.append(Text(told))
    if result.solution is not None:
        puzzle, values = result.problem.puzzle, result.solution.items()
        text = Text(", ".join(f"{one_line(name)} = {value}" for name, value in values))
        parts.append(text if puzzle is None else puzzle.render(result.solution))
    parts += [Text(f"note: {render_options(note)}") for note in result.notes]
    seconds, start = dict(result.seconds), time.perf_counter()
    report = result.report()
    parts += [Text("\n".join(report.lines))] if report.lines else []
    parts += [resources_table(report.resources)] if report.resources else []
    parts += [Text(remark) for remark in report.remarks]
    if isinstance(result.division, Division):
        parts.append(division_table(result.division))
    if report.resources:
        seconds["count"] = seconds.get("count", 0.0) + time.perf_counter() - start
    parts.append(_list_times(seconds))
    return Group(*parts)


def division_table(division: Division) -> Table:
    """The account of a search in parts; of its last leaf the circuit is shown above."""
    table = Table(title="divided search", title_justify="left", show_header=False)
    table.add_column()
    table.add_column(justify="right")
    for what, number in division.lines():
        table.add_row(what, number)
    return table


def compiled_report(compiled: Compiled) -> RenderableType:
    """Return a report of a circuit's cost and of the checks that it passed."""
    program = compiled.program
    assert isinstance(compiled.problem, Problem)
    states = f"presolve {compiled.presolve}, encoding {compiled.encoding}: {describe_size(program.space.size)} states"
    title = Text(compiled.problem.title, style="bold")
    notes = [Text(f"note: {render_options(note)}") for note in compiled.notes]
    if compiled.level is None:
        layers = sum(one.name == "layer" for one in program.sections)
        once = {"layer": program.section_resources("layer"), "whole": program.resources()}
        return Group(title, *notes, resources_table(once, f"{states}, {layers} layers"))
    counted = {"oracle": program.oracle_resources(), "whole": count_whole(program)}
    how = f"{states}, {describe_iterations(compiled.oracle_calls)}, level {compiled.level}"
    return Group(title, *notes, Text(how), resources_table(counted), Text(describe_certificate(compiled.certificate)))


def resources_table(counted: Mapping[str, Resources | None], title: str = "resources") -> Table:
    """Counts by the name of the circuit, with a column for measurements where there are some."""
    rows = {name: found for name, found in counted.items() if found is not None}
    measured = any(found.measurements for found in rows.values())
    table = Table(title=title, title_justify="left")
    table.add_column("circuit")
    table.add_column("gate set")
    costly = next((found.costly[0] for found in rows.values()), "T")
    for name in ("qubits", "CX", costly, "depth", "CX depth", "gates", *(("measurements",) if measured else ())):
        table.add_column(name, justify="right")
    for name, r in rows.items():
        counts = (r.qubits, r.cx, r.costly[1], r.depth, r.two_qubit_depth, r.total)
        more = (str(r.measurements),) if measured else ()
        table.add_row(f"{name}*" if r.method != WHOLE_CIRCUIT else name, r.gates, *map(_show, counts), *more)
    if any(found.method != WHOLE_CIRCUIT for found in rows.values()):
        part = "layer" if "layer" in rows else "iteration"
        table.caption = f"* one {part} measured, times the {part}s; depth is an upper bound"
        table.caption_justify = "left"
    return table


def _show(counted: int | None) -> str:
    if counted is None:
        return "-"
    return str(counted) if counted < 10**10 else format_count(counted)


def _list_times(seconds: dict[str, float]) -> Text:
    stages = ", ".join(f"{name} {value:.2f}" for name, value in seconds.items() if value >= 0.005)
    return Text(f"time: {sum(seconds.values()):.2f} s{f' ({stages})' if stages else ''}", style="dim")


def print_physical(out: Console, report: PhysicalReport) -> None:
    """The search in a line, its logical counts, a row a machine, and what was checked."""
    compiled, checked, calls = report.compiled, report.compiled.certificate, report.compiled.oracle_calls
    assert isinstance(compiled.problem, Problem)
    out.print(compiled.problem.title, style="bold")
    marked = "1 solution assumed" if checked.marked is None else f"{checked.marked} marked"
    size = format_count(compiled.program.space.size)
    out.print(
        f"presolve {compiled.presolve}, encoding {compiled.encoding}, level {compiled.level}: {size} states, {marked}, "
        f"{describe_iterations(calls) if calls < 100_000 else format_count(calls) + ' iterations'}, "
        f"success probability {report.success_probability:.4f}"
    )
    logical = Table(title="logical counts of the whole run", title_justify="left")
    table = Table(title=f"machines, error budget {report.budget:g}", title_justify="left")
    logical.add_column("counted as")
    for name in ("qubits", "T", "CCiX", "CCZ", "measurements", "rotations"):
        logical.add_column(name, justify="right")
    for way, c in report.counts.items():
        logical.add_row(way, *map(format_count, (c.qubits, c.t, c.ccix, c.ccz, c.measurements, c.rotations)))
    for name in ("qubit model", "code", "counted as"):
        table.add_column(name, no_wrap=True)
    for name in ("distance", "T\nfactories", "physical\nqubits", "run time"):
        table.add_column(name, justify="right")
    for e in report.estimates:
        machine = (str(e.distance), str(e.factories), format_count(e.physical_qubits), format_duration(e.seconds))
        table.add_row(e.model, e.code, e.counted, *machine)
    out.print(logical)
    out.print(table)
    for note in report.notes:
        out.print(f"note: {render_options(note)}")
    lowered = f", lowered too on {checked.lowered}" if checked.lowered else ""
    out.print(
        f"checked: the oracle on {checked.checked} of {format_count(checked.of)} codewords ({checked.method}){lowered}"
    )
