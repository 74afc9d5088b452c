"""Reports on the terminal: results and circuits, Pareto fronts, and jobs on devices."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from gatesolve.api.calls import CountEstimate
from gatesolve.api.pareto import ESTIMATED
from gatesolve.api.physical import PhysicalReport
from gatesolve.api.result import Result
from gatesolve.api.words import render_options
from gatesolve.cli.console import open_console
from gatesolve.costs import WHOLE_CIRCUIT, Resources
from gatesolve.costs.estimate import format_count, format_duration
from gatesolve.costs.front import ParetoFront, Row
from gatesolve.devices.record import Damaged
from gatesolve.devices.tracked import TrackedSearch, drop_decoding
from gatesolve.division.account import Division
from gatesolve.errors import one_line
from gatesolve.formats.problem import Problem
from gatesolve.formats.problem_record import OWN_FORM, restore_problem
from gatesolve.pipelines.answer import Compiled
from gatesolve.pipelines.protocol import describe_certificate, describe_iterations, describe_settings
from gatesolve.programs.amplification import count_whole
from gatesolve.programs.section import describe_size
from gatesolve.qubo.numerals import count_noun

MOST_REASONS = 8
"""Most reasons of refusal that are listed."""
COUNTS = ("success", "qubits", "CX", "T", "depth", "exp. CX")
"""Columns of numbers."""
STYLES = {"solved": "bold green", "unsolved": "bold red", "failed": "bold red"}


def print_front(out: Console, front: ParetoFront, most_rows: int, metric: str | None) -> None:
    """Print the front, the best, the refused candidates, and the number of reused ones."""
    out.print(Text(front.title, style="bold"))
    for gates in dict.fromkeys(row.gates for row in front.rows):
        out.print(front_table(front, gates, most_rows))
    if metric is not None:
        row = front.best(metric)
        counts = f"{row.qubits} qubits, {row.cx} CX{'' if row.t is None else f', {row.t} T'}, depth {row.depth}"
        odds = f"success {row.success:.6f} in {count_noun(row.iterations, 'iteration')}{', exact' if row.exact else ''}"
        made = f"({row.gates}, {row.encoding}, {row.level} oracle)"
        out.print(Text.assemble((f"best by {metric}", "bold green"), f": {counts}, {odds} {made}"))
        # Not wrapped, so that it can be copied.
        out.print(Text(front.command(row)), soft_wrap=True)
    for line in list_refusals(front):
        out.print(line)
    if front.left_out:
        limit = f"no time for {front.left_out} more circuits: thorough=True takes as long as it needs"
        out.print(render_options(limit))
    more = "" if front.thorough else render_options("; thorough=True tries every way")
    out.print(Text(f"{front.computed} circuits compiled, {front.reused} reused from the store{more}", style="dim"))


def print_count(out: Console, found: CountEstimate) -> None:
    """Print the interval, the shots that gave it, and the number that is known classically."""
    out.print(Text(found.title, style="bold"))
    if found.compiled is not None:
        made = found.compiled
        out.print(describe_settings(presolve=made.presolve, encoding=made.encoding, level=made.level))
    ends = f"{found.low}" if found.low == found.high else f"{found.low} to {found.high}"
    sure = f"with confidence {100 * found.confidence:.15g} %" if found.runs else "judged classically"
    out.print(Text(f"{ends} of {count_noun(found.size, 'state')} marked, {sure}", style=STYLES["solved"]))
    for run in found.runs:
        out.print(f"{describe_iterations(run.iterations)}: {run.hits} of {run.shots} shots marked")
    if found.runs:
        out.print(f"{found.oracle_calls} oracle calls in {found.shots} shots, each judged classically")
        if found.counted is not None:
            out.print(f"counted classically: {found.counted}")
    for note in found.notes:
        out.print(f"note: {note}")


def front_table(front: ParetoFront, gates: str, most_rows: int) -> Table:
    """Return the rows of the front in a gate set, totals first, without columns that are empty in every row."""
    rows = [row for row in front.rows if row.gates == gates]
    measured = sum(row.gates == gates for row in front.measured)
    table = Table(title=f"Pareto front in {gates}: {len(rows)} of {measured} rows", title_justify="left")
    # Evenly chosen rows, the first and the last among them: the indices run in equal steps, rounded down.
    shown = min(most_rows, len(rows))
    cells = [_format_cells(rows[k * (len(rows) - 1) // max(shown - 1, 1)]) for k in range(shown)]
    # The table is wide: columns with the default in all rows are dropped.
    left_out = [name for name, plain in (("for", "cx"), ("T", "-")) if all(line[name] == plain for line in cells)]
    for name in cells[0]:
        if name not in left_out:
            table.add_column(name, justify="right" if name in COUNTS else "left", overflow="fold")
    for line in cells:
        table.add_row(*(text for name, text in line.items() if name not in left_out))
    notes = []
    if any(row.settings.get("measured") for row in rows):
        notes.append("+m: logical ANDs erased by measurement")
    if len(rows) > most_rows:
        notes.append(f"{most_rows} of {len(rows)} rows: rows={len(rows)} shows all, csv=FILE writes them")
    if any(row.method == ESTIMATED for row in rows):
        notes.append("* no time to count it whole: estimated from the first iterations")
    if any(row.method not in {WHOLE_CIRCUIT, ESTIMATED} for row in rows):
        notes.append("* one iteration counted, times the iterations; depth is an upper bound")
    if notes:
        table.caption, table.caption_justify = render_options("\n".join(notes)), "left"
    return table


def _format_cells(row: Row) -> dict[str, str]:
    star = "" if row.method == WHOLE_CIRCUIT else "*"
    return {
        "exp. CX": f"{row.expected_cx:.1f}" if row.expected_cx < 1000 else f"{row.expected_cx:.0f}",
        "CX": str(row.cx),
        "T": "-" if row.t is None else str(row.t),
        "depth": str(row.depth),
        "qubits": str(row.qubits),
        "success": f"{row.success:.4f}",
        "iter.": f"{row.iterations}{' exact' if row.exact else ''}{star}",
        "encoding": row.encoding,
        "level": row.level,
        "for": str(row.settings.get("optimize", "cx")) + ("+m" if row.settings.get("measured") else ""),
        "anc.": str(row.settings.get("ancillas", "any")),
    }


def list_refusals(front: ParetoFront) -> list[Text]:
    """Return the candidates that do not fit, in short: each reason once."""
    if not front.refused:
        return []
    reasons = Counter(reason for _, reason in front.refused)
    lines = [Text(f"{len(front.refused)} candidates do not fit:")]
    for reason, number in reasons.most_common(MOST_REASONS):
        first = next(settings for settings, why in front.refused if why == reason)
        words = " ".join(f"{name}={value}" for name, value in first.items())
        more = f" (and {number - 1} more)" if number > 1 else ""
        lines.append(Text(f"  {words}{more}: {render_options(reason)}"))
    if len(reasons) > MOST_REASONS:
        lines.append(Text(f"  and {len(reasons) - MOST_REASONS} more reasons: the JSON lists all"))
    return lines


def _print_circuits(circuits: Sequence[Mapping[str, Any]], device: str) -> None:
    # All circuits of a search have one layout, so the first describes it.
    out, first = open_console(), circuits[0]
    how = describe_settings(**{name: first[name] for name in ("presolve", "encoding", "level")})
    how += f"; {first['size']} states"
    for line in (*(f"note: {note}" for note in first["notes"]), how):
        out.print(Text(render_options(line)))
    table = Table(title=Text(f"circuits in the gates of {device}", "table.title"), title_justify="left")
    table.add_column("circuit", no_wrap=True)
    for name in ("qubits", "2q\ngates", "2q\ndepth", "depth", "no\nerror", "ideal", "expected", "noise"):
        table.add_column(name, justify="right")
    for circuit in circuits:
        found = circuit["estimate"]
        counts = (str(found[name]) for name in ("qubits", "two_qubit", "two_qubit_depth", "depth"))
        shares = (found[name] for name in ("fidelity", "ideal", "expected", "chance"))
        table.add_row(_name_circuit(circuit), *counts, *("-" if s is None else f"{s:.3g}" for s in shares))
    table.caption = (
        "no error: probability that a shot has none, by the device's reported errors\n"
        "share of solutions: ideal: no errors; noise: random bits; expected: between them"
    )
    table.caption_justify = "left"
    out.print(table)


def _name_circuit(circuit: Mapping[str, Any]) -> str:
    if "layers" in circuit:
        return f"{circuit['pipeline']}, {count_noun(circuit['layers'], 'layer')}"
    name = f"{circuit['pipeline']}, {count_noun(circuit['iterations'], 'iteration')}"
    return f"{name}, cost below {circuit['threshold']}" if "threshold" in circuit else name


def print_preview(circuits: Sequence[Mapping[str, Any]], device: str) -> None:
    """Print the circuits of a dry run."""
    _print_circuits(circuits, device)
    open_console().print("a dry run: nothing was sent or kept")


def print_submitted(found: TrackedSearch) -> None:
    """Print the state of the search, and how to continue."""
    out = open_console()
    out.print(Text(found.search.title, style="bold"))
    if found.jobs:
        _print_circuits([drop_decoding(form) for form in found.jobs[-1].records], found.search.device)
    if found.search.status != "open":
        if not found.new:
            out.print(
                render_options("asked before, and not sent again (again=True sends it once more); this came of it:")
            )
        _print_result(found)
        return
    job = found.jobs[-1]
    said = "sent" if found.new else "asked before, and not sent again"
    where = "simulated here when it is fetched" if job.remote == "local" else f"the service's id is {job.remote}"
    out.print(Text(f"{said}: {len(job.records)} x {job.shots} shots, tag {job.tag}; {where}"))
    out.print(f"next: gatesolve fetch {found.key}", style="bold")


def print_fetched(found: TrackedSearch) -> None:
    """Print the answer, or the state of the job."""
    out = open_console()
    out.print(Text(found.search.title, style="bold"))
    if found.search.status != "open":
        _print_result(found)
        return
    job = found.jobs[-1]
    done = f"; {count_noun(len(found.jobs) - 1, 'job')} of this search done" if len(found.jobs) > 1 else ""
    out.print(Text(f"not finished: job {job.remote} is {render_options(job.reason or job.status)}{done}"))
    out.print(f"next: gatesolve fetch {found.key}", style="bold")


def _print_result(found: TrackedSearch) -> None:
    out, result, search = open_console(), found.search.result, found.search
    # A search that has ended has a result, if only a message.
    assert result is not None
    out.print(Text.assemble((search.status, STYLES[search.status]), f": {render_options(result['message'])}"))
    if result["solution"] is not None:
        problem = restore_problem(search.problem)
        if problem.puzzle is not None:
            out.print(problem.puzzle.render(result["solution"]))
        else:
            out.print(Text(", ".join(f"{one_line(name)} = {value}" for name, value in result["solution"].items())))
            if problem.qubo is None:
                out.print(Text(OWN_FORM, style="dim"))
    if result["energy"] is not None:
        out.print(f"energy {result['energy']}")
    for line in (*result["lines"], *(f"note: {note}" for note in result["notes"])):
        out.print(Text(render_options(line)))
    shots = sum(sum(counts.values()) for job in found.jobs for counts in job.counts or ())
    out.print(Text(f"{search.device}: {count_noun(len(found.jobs), 'job')}, {shots} shots", style="dim"))


def print_jobs(found: Sequence[TrackedSearch | Damaged]) -> None:
    """Print one row a search, and a line for each that is damaged."""
    table = Table(title="jobs", title_justify="left")
    for name in ("key", "asked (UTC)", "device", "pipeline", "status", "service's id", "problem"):
        table.add_column(name, overflow="fold", no_wrap=name not in {"service's id", "problem"})
    for one in found:
        if isinstance(one, Damaged):
            table.add_row(one.key, "-", "-", "-", Text(one.status, style="bold red"), "-", "-")
            continue
        search, last = one.search, one.jobs[-1] if one.jobs else None
        status = Text(one.status, style=STYLES.get(one.status, ""))
        remote = "-" if last is None or last.remote is None else last.remote
        asked = search.created[:16].replace("T", " ")
        words = (search.key, asked, search.device, str(search.options["pipeline"]), status, remote, search.title)
        table.add_row(*(word if isinstance(word, Text) else Text(word) for word in words))
    out = open_console()
    if found:
        out.print(table)
    else:
        out.print(render_options("no jobs: gatesolve submit FILE device=NAME sends one"))
    for one in found:
        if isinstance(one, Damaged):
            out.print(Text(f"note: {one.message}"), soft_wrap=True)


def result_report(result: Result) -> RenderableType:
    """Return a report: the board, the success probability, the cost, the checks, and the time."""
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
        # The circuit of the last leaf is shown above.
        table = Table(title="divided search", title_justify="left", show_header=False)
        table.add_column()
        table.add_column(justify="right")
        for what, number in result.division.lines():
            table.add_row(what, number)
        parts.append(table)
    if report.resources:
        seconds["count"] = seconds.get("count", 0.0) + time.perf_counter() - start
    stages = ", ".join(f"{name} {value:.2f}" for name, value in seconds.items() if value >= 0.005)
    parts.append(Text(f"time: {sum(seconds.values()):.2f} s{f' ({stages})' if stages else ''}", style="dim"))
    return Group(*parts)


def compiled_report(compiled: Compiled) -> RenderableType:
    """Return a report of a circuit's cost and of the checks that it passed."""
    program = compiled.program
    assert isinstance(compiled.problem, Problem)
    settings = {"presolve": compiled.presolve, "encoding": compiled.encoding}
    if compiled.level is not None:
        settings["level"] = compiled.level
    how = f"{describe_settings(**settings)}; {describe_size(program.space.size)} states"
    title = Text(compiled.problem.title, style="bold")
    notes = [Text(f"note: {render_options(note)}") for note in compiled.notes]
    # A circuit of QAOA: it has layers and no oracle level.
    if compiled.level is None:
        layers = sum(one.name == "layer" for one in program.sections)
        once = {"layer": program.resources("layer"), "whole": program.resources()}
        return Group(title, *notes, resources_table(once, f"{how}, {layers} layers"))
    counted = {"oracle": program.resources("oracle"), "whole": count_whole(program)}
    how += f", {describe_iterations(compiled.oracle_calls)}"
    return Group(title, *notes, Text(how), resources_table(counted), Text(describe_certificate(compiled.certificate)))


def resources_table(counted: Mapping[str, Resources | None], title: str = "resources") -> Table:
    """Counts by the name of the circuit, with a column for measurements where there are some."""
    rows = {name: found for name, found in counted.items() if found is not None}
    measured = any(found.measurements for found in rows.values())
    table = Table(title=title, title_justify="left")
    table.add_column("circuit")
    table.add_column("gate set")
    # The name of the costly gate depends on the gate set, which all rows share.
    costly = next((found.costly[0] for found in rows.values()), "T")
    for name in ("qubits", "CX", costly, "depth", "CX depth", "gates", *(("measurements",) if measured else ())):
        table.add_column(name, justify="right")
    for name, r in rows.items():
        counts = (r.qubits, r.cx, r.costly[1], r.depth, r.two_qubit_depth, r.total)
        more = (str(r.measurements),) if measured else ()
        table.add_row(f"{name}*" if r.method != WHOLE_CIRCUIT else name, r.gates, *map(_show, counts), *more)
    if any(found.method != WHOLE_CIRCUIT for found in rows.values()):
        part = "layer" if "layer" in rows else "iteration"
        table.caption = f"* one {part} counted, times the {part}s; depth is an upper bound"
        table.caption_justify = "left"
    return table


def _show(counted: int | None) -> str:
    if counted is None:
        return "-"
    # Up to ten digits are shown exactly; longer numbers would widen the table.
    return str(counted) if counted < 10**10 else format_count(counted)


def print_physical(out: Console, report: PhysicalReport) -> None:
    """Print the search in a line, its logical counts, a row a machine, and the checks."""
    compiled, checked, calls = report.compiled, report.compiled.certificate, report.compiled.oracle_calls
    assert isinstance(compiled.problem, Problem)
    out.print(compiled.problem.title, style="bold")
    marked = "1 solution assumed" if checked.marked is None else f"{checked.marked} marked"
    size = format_count(compiled.program.space.size)
    out.print(
        f"{describe_settings(presolve=compiled.presolve, encoding=compiled.encoding, level=compiled.level)}; "
        f"{size} states, {marked}, "
        # Exact as long as the number is readable.
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
    out.print(describe_certificate(checked))
