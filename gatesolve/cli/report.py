"""What the command line prints for people."""

from __future__ import annotations

import time
from collections.abc import Mapping

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from gatesolve.api.problem import Problem
from gatesolve.api.result import Result
from gatesolve.circuit.counting import WHOLE_CIRCUIT, Resources
from gatesolve.cli.words import render_options
from gatesolve.errors import one_line
from gatesolve.pipelines.protocol import describe_certificate, describe_iterations
from gatesolve.pipelines.task import Compiled


def result_report(result: Result) -> RenderableType:
    """The board, how sure the circuit was, what it costs, what was checked, where time went."""
    parts: list[RenderableType] = [Text(result.problem.title, style="bold")]
    style = {"solved": "bold green", "infeasible": "bold yellow"}.get(result.status, "bold red")
    parts.append(Text.assemble((result.status, style), f": {render_options(result.message)}"))
    if told := result.problem.describe_count(result.counted):
        parts.append(Text(told))
    if result.solution is not None:
        puzzle = result.problem.puzzle
        parts.append(puzzle.render(result.solution) if puzzle is not None else _list_values(result.solution))
    parts += [Text(f"note: {render_options(note)}") for note in result.notes]
    seconds, start = dict(result.seconds), time.perf_counter()
    report = result.report()
    parts += [Text("\n".join(report.lines))] if report.lines else []
    parts += [resources_table(report.resources)] if report.resources else []
    parts += [Text(remark) for remark in report.remarks]
    if report.resources:
        seconds["count"] = seconds.get("count", 0.0) + time.perf_counter() - start
    parts.append(_list_times(seconds))
    return Group(*parts)


def compiled_report(compiled: Compiled) -> RenderableType:
    """What a circuit costs and what was checked."""
    program = compiled.program
    assert isinstance(compiled.problem, Problem)
    states = f"presolve {compiled.presolve}, encoding {compiled.encoding}: {program.space.size} states"
    title = Text(compiled.problem.title, style="bold")
    if compiled.level is None:
        layers = sum(one.name == "layer" for one in program.sections)
        counted = {"layer": program.section_resources("layer"), "whole": program.resources()}
        return Group(title, resources_table(counted, f"{states}, {layers} layers"))
    counted = {"oracle": program.oracle_resources(), "whole": program.resources()}
    how = f"{states}, {describe_iterations(compiled.oracle_calls)}, level {compiled.level}"
    return Group(title, Text(how), resources_table(counted), Text(describe_certificate(compiled.certificate)))


def _list_values(solution: dict[str, int]) -> Text:
    return Text(", ".join(f"{one_line(name)} = {value}" for name, value in solution.items()))


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
        table.add_row(f"{name}*" if found.method != WHOLE_CIRCUIT else name, *_format_row(found, measured))
    if any(found.method != WHOLE_CIRCUIT for found in rows.values()):
        part = "layer" if "layer" in rows else "iteration"
        table.caption = f"* one {part} measured, times the {part}s; depth is an upper bound"
        table.caption_justify = "left"
    return table


def _format_row(r: Resources, measured: bool) -> tuple[str, ...]:
    t = "-" if r.t is None else str(r.t)
    row = (r.gates, str(r.qubits), str(r.cx), t, str(r.depth), str(r.two_qubit_depth), str(r.total))
    return (*row, str(r.measurements)) if measured else row


def _list_times(seconds: dict[str, float]) -> Text:
    stages = ", ".join(f"{name} {value:.2f}" for name, value in seconds.items() if value >= 0.005)
    return Text(f"time: {sum(seconds.values()):.2f} s{f' ({stages})' if stages else ''}", style="dim")
