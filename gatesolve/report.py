"""What the command line prints for people."""

from __future__ import annotations

from dataclasses import replace

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from gatesolve.lowering import GATE_SETS
from gatesolve.pipelines import Program
from gatesolve.resources import Resources
from gatesolve.result import Result
from gatesolve.reversible import Certificate


def result_report(result: Result) -> RenderableType:
    """The board, how sure the circuit was, what it costs, what was checked, where time went."""
    parts: list[RenderableType] = [Text(result.problem.title, style="bold")]
    style = {"solved": "bold green", "infeasible": "bold yellow"}.get(result.status, "bold red")
    parts.append(Text.assemble((result.status, style), f": {result.message}"))
    if result.solution is not None:
        puzzle = result.problem.puzzle
        parts.append(puzzle.render(result.solution) if puzzle is not None else _assignment(result.solution))
    if result.compiled is not None:
        parts.append(_search(result))
        parts.append(resources_table(result.compiled.program))
        parts.append(certificate_line(result.compiled.certificate))
    parts.append(_times(result.seconds or {}))
    return Group(*parts)


def _assignment(solution: dict[str, int]) -> Text:
    return Text(", ".join(f"{name} = {value}" for name, value in solution.items()))


def _search(result: Result) -> Text:
    options = result.options
    chance = "unknown" if result.success_probability is None else f"{result.success_probability:.6f}"
    how = "measured" if options.backend == "aer" else "exact"
    marked = "an unknown number" if result.marked is None else str(result.marked)
    return Text(
        f"{options.pipeline}, {options.oracle} oracle, presolve {result.presolve}, encoding {result.encoding}: "
        f"{marked} of {result.space_size} states marked, {result.iterations} iterations, "
        f"success probability {chance} ({how}, backend {options.backend})"
    )


def resources_table(program: Program) -> Table:
    """Counts of one oracle call and of the whole circuit in both gate sets."""
    table = Table(title="resources", title_justify="left")
    table.add_column("circuit")
    table.add_column("gate set")
    for name in ("qubits", "CX", "T", "depth", "CX depth", "gates"):
        table.add_column(name, justify="right")
    notes = set()
    for gates in GATE_SETS:
        lowered = replace(program, gates=gates)
        whole = lowered.resources()
        notes.add(whole.method)
        table.add_row("oracle", *_row(lowered.oracle_resources()))
        table.add_row("whole", *_row(whole))
    if notes != {"whole circuit"}:
        table.caption = f"whole: measured on {', '.join(sorted(notes))}; depth is then an upper bound"
    return table


def _row(r: Resources) -> tuple[str, ...]:
    t = "-" if r.t is None else str(r.t)
    return (r.gates, str(r.qubits), str(r.cx), t, str(r.depth), str(r.two_qubit_depth), str(r.total))


def certificate_line(certificate: Certificate) -> Text:
    """What was checked, in a sentence."""
    return Text(
        f"checked: the oracle marks what the model accepts on {certificate.checked} of {certificate.of} codewords "
        f"({certificate.method}), every ancilla back at zero"
    )


def _times(seconds: dict[str, float]) -> Text:
    stages = ", ".join(f"{name} {value:.2f} s" for name, value in seconds.items())
    return Text(f"time: {stages}", style="dim")


def console() -> Console:
    """Standard output, at least 100 columns wide when it is not a terminal."""
    out = Console(highlight=False)
    return out if out.is_terminal else Console(highlight=False, width=max(out.width, 110))
