"""Terminal reports of the commands about jobs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from gatesolve.api.problem_record import LOWERED, restore_problem
from gatesolve.api.words import render_options
from gatesolve.cli.console import open_console
from gatesolve.devices.jobs.record import Damaged
from gatesolve.devices.tracked import TrackedSearch, drop_decoding
from gatesolve.errors import one_line
from gatesolve.qubo.numerals import count_noun

STYLES = {"solved": "bold green", "unsolved": "bold red", "failed": "bold red"}


def _print_circuits(circuits: Sequence[Mapping[str, Any]], device: str) -> None:
    """Print the cost of each circuit on the device, and its estimated success."""
    out, first = open_console(), circuits[0]
    how = f"presolve {first['presolve']}, encoding {first['encoding']}, level {first['level']}: {first['size']} states"
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
        "share of solutions: ideal without errors; noise of random bits; expected between them"
    )
    table.caption_justify = "left"
    out.print(table)


def _name_circuit(circuit: Mapping[str, Any]) -> str:
    if circuit["pipeline"] == "qaoa":
        return f"qaoa, {count_noun(circuit['layers'], 'layer')}"
    name = f"{circuit['pipeline']}, {count_noun(circuit['iterations'], 'iteration')}"
    return f"{name}, below {circuit['threshold']}" if "threshold" in circuit else name


def print_preview(circuits: Sequence[Mapping[str, Any]], device: str) -> None:
    """The circuits of a dry run."""
    _print_circuits(circuits, device)
    open_console().print("a dry run: nothing was sent or kept")


def print_submitted(found: TrackedSearch) -> None:
    """Where the search stands, and how to go on."""
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
    """The answer, or how the job stands."""
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
    assert result is not None
    out.print(Text.assemble((search.status, STYLES[search.status]), f": {render_options(result['message'])}"))
    if result["solution"] is not None:
        problem = restore_problem(search.problem)
        if problem.puzzle is not None:
            out.print(problem.puzzle.render(result["solution"]))
        else:
            out.print(Text(", ".join(f"{one_line(name)} = {value}" for name, value in result["solution"].items())))
            if problem.qubo is None:
                out.print(Text(LOWERED, style="dim"))
    if result["energy"] is not None:
        out.print(f"energy {result['energy']}")
    for line in (*result["lines"], *(f"note: {note}" for note in result["notes"])):
        out.print(Text(render_options(line)))
    shots = sum(sum(counts.values()) for job in found.jobs for counts in job.counts or ())
    out.print(Text(f"{search.device}: {count_noun(len(found.jobs), 'job')}, {shots} shots", style="dim"))


def print_jobs(found: Sequence[TrackedSearch | Damaged]) -> None:
    """One row a search, and a line for each that is damaged."""
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
