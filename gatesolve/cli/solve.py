"""The commands ``gatesolve solve``, ``count``, ``compile`` and ``resources``."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from gatesolve.api.options import CIRCUIT_FIELDS, FIELDS
from gatesolve.cli.console import open_console, print_json, say, show_progress
from gatesolve.cli.options import Asked, BoardOutput, Dask, command
from gatesolve.cli.show import check_board_place, write_answer
from gatesolve.cli.verify import print_claims
from gatesolve.errors import InputError
from gatesolve.files import check_place


@command(FIELDS)
def solve(
    *,
    asked: Asked,
    output: BoardOutput = None,
    resume: Annotated[
        Path | None,
        typer.Option(
            help="File in which the search is saved after every run (gas) or every part (divided search). "
            "The same command continues from it."
        ),
    ] = None,
    jobs: Annotated[
        int, typer.Option(min=1, help="Number of processes; each searches one part of a divided search at a time.")
    ] = 1,
    dask: Dask = None,
    options: dict[str, Any],
) -> None:
    """Solve a puzzle or model. The exit status is 0 if it is solved, 1 if it is not or cannot be, 2 for bad input."""
    from gatesolve.api import calls as api

    if output is not None:
        check_board_place(output)
    with show_progress(asked.as_json) as progress:
        result = api.solve(
            asked.source, family=asked.family, progress=progress, resume=resume, jobs=jobs, dask=dask, **options
        )
        # Without a solution there is no board to write, but the JSON contains the reason.
        if output is not None and (result.solution is not None or output.suffix.lower() == ".json"):
            write_answer(result.as_dict, result.problem.puzzle, result.solution, output)
        if not asked.as_json:
            # The report counts the circuit, which can take longer than the search, so the progress bar stays.
            from gatesolve.cli import report

            page = report.result_report(result)
    # Printed after the progress bar has gone.
    print_json(result.as_dict()) if asked.as_json else open_console().print(page)
    raise typer.Exit(0 if result.status == "solved" else 1)


COUNTING = ("backend", "encoding", "level", "max_space", "oracle", "presolve", "seed")
"""Options of a search that also matter where solutions are counted."""


@command({name: FIELDS[name] for name in COUNTING})
def count(
    *,
    asked: Asked,
    accuracy: Annotated[
        float, typer.Option(help="How far the ends may be from their mean, as a share of it; 0 asks for one number.")
    ] = 0.1,
    confidence: Annotated[
        float, typer.Option(help="Least probability that the interval holds the number, on a backend without errors.")
    ] = 0.999,
    options: dict[str, Any],
) -> None:
    """Estimate by measurements how many states the oracle marks (quantum counting). Objectives are left out."""
    from gatesolve.api import calls as api

    with show_progress(asked.as_json) as progress:
        options["confidence"] = confidence
        found = api.count(asked.source, accuracy=accuracy, family=asked.family, progress=progress, **options)
    if asked.as_json:
        print_json(found.as_dict())
        return
    from gatesolve.cli.report import print_count

    print_count(open_console(), found)


@command(CIRCUIT_FIELDS, say)
def compile_(
    *,
    asked: Asked,
    output: Annotated[Path, typer.Option("--output", "-o", help="FILE.qasm, .qasm3, .qpy, or an oracle as .kmx")],
    part: Annotated[str, typer.Option(help="whole (1 iteration if over a million gates) | oracle (1 call)")] = "whole",
    options: dict[str, Any],
) -> None:
    """Write a circuit, and next to it a certificate that states what is proved of it.

    Exit 0 also where a layer is not proved: `verify` ends with 3 there.
    """
    from gatesolve.api import calls as api
    from gatesolve.api.certify_file import export, place_certificate
    from gatesolve.api.export import check_suffix, find_part

    check_suffix(output)
    # Both places are checked before the circuit is compiled, which may take minutes.
    for place in (output, place_certificate(output)):
        check_place(place)
    wanted = find_part(part)
    with show_progress(asked.as_json) as progress:
        compiled = api.compile(asked.source, family=asked.family, progress=progress, **options)
        written = export(compiled, output, wanted)
    notes = _notes(compiled, options)
    if written.extent:
        say(written.extent)
    certificate = None if written.certificate is None else str(written.certificate)
    _print_resources(
        compiled,
        asked.as_json,
        {
            "notes": notes,
            "output": str(output),
            "certificate": certificate,
            "claims": [asdict(c) for c in written.claims],
        },
    )
    if not asked.as_json:
        print_claims(written.claims)


@command(CIRCUIT_FIELDS, say)
def resources(
    *,
    asked: Asked,
    physical: Annotated[
        bool, typer.Option("--physical", help="Estimate error-corrected machines for the whole search instead.")
    ] = False,
    machine: Annotated[
        list[str] | None, typer.Option(help="physical: qubit model; may be repeated; all of them if not given.")
    ] = None,
    budget: Annotated[float | None, typer.Option(help="physical: probability that errors spoil a run [0.001].")] = None,
    options: dict[str, Any],
) -> None:
    """Count the circuit without running it."""
    if physical:
        from gatesolve.api.physical import estimate
        from gatesolve.cli.report import print_physical
        from gatesolve.costs.physical import check_models

        if budget is not None:
            options = {**options, "budget": budget}
        with show_progress(asked.as_json) as progress:
            models = check_models(machine or [])
            found = estimate(asked.source, family=asked.family, progress=progress, machines=models, **options)
        print_json(found.as_dict()) if asked.as_json else print_physical(open_console(), found)
        return
    if machine or budget is not None:
        raise InputError("--machine and --budget go with --physical: add it, or leave them out")
    from gatesolve.api import calls as api

    with show_progress(asked.as_json) as progress:
        compiled = api.compile(asked.source, family=asked.family, progress=progress, **options)
    _print_resources(compiled, asked.as_json, {"notes": _notes(compiled, options)})


def _notes(compiled: Any, options: dict[str, Any]) -> list[str]:
    """Return the notes for the JSON; an empty circuit is also reported on standard error."""
    from gatesolve.api.options import Options
    from gatesolve.planning import explain_empty_circuit

    notes = list(compiled.notes)
    if compiled.program.num_qubits == 0:
        notes.append(explain_empty_circuit(compiled.problem.model, compiled.presolve, Options(**options).limits()))
        say(notes[-1])
    return notes


def _print_resources(compiled: Any, as_json: bool, extra: dict[str, Any]) -> None:
    if as_json:
        print_json({**compiled.as_dict(), **extra})
        return
    from gatesolve.cli import report

    out = open_console()
    out.print(report.compiled_report(compiled))
    if "output" in extra:
        beside = f" and {extra['certificate']}" if extra["certificate"] else ""
        out.print(f"written: {extra['output']}{beside}")
