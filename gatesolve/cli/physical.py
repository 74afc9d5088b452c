"""What ``gatesolve resources --physical`` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gatesolve.api.physical import PhysicalReport

UNITS = (("years", 365.25 * 86400), ("days", 86400), ("h", 3600), ("min", 60), ("s", 1), ("ms", 1e-3), ("us", 1e-6))


def print_physical(out: Any, report: PhysicalReport) -> None:
    """The search in a line, its logical counts, a row a machine, and what was checked."""
    from rich.table import Table

    from gatesolve.api.problem import Problem
    from gatesolve.cli.words import render_options
    from gatesolve.pipelines.protocol import describe_iterations

    compiled, checked, calls = report.compiled, report.compiled.certificate, report.compiled.oracle_calls
    assert isinstance(compiled.problem, Problem)
    out.print(compiled.problem.title, style="bold")
    marked = "1 solution assumed" if checked.marked is None else f"{checked.marked} marked"
    size = format_count(compiled.program.space.size)
    out.print(
        f"presolve {compiled.presolve}, encoding {compiled.encoding}: {size} states, {marked}, "
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


def format_count(value: int) -> str:
    """A count in full up to six digits, to three digits beyond."""
    return str(value) if value < 1_000_000 else f"{value:.3g}".replace("e+0", "e").replace("e+", "e")


def format_duration(seconds: float) -> str:
    """A time in the largest unit of which there is one at least."""
    name, length = next((unit for unit in UNITS if seconds >= unit[1]), UNITS[-1])
    text = f"{seconds / length:.3g}".replace("e+0", "e").replace("e+", "e")
    return f"{text} {name.removesuffix('s') if text == '1' and len(name) > 2 else name}"
