"""The command ``gatesolve solve``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from gatesolve.cli.console import open_console, print_json, show_progress
from gatesolve.cli.options import BoardOutput, Family, File, Json, with_choices


@with_choices()
def solve(
    *,
    file: File,
    output: BoardOutput = None,
    family: Family = None,
    resume: Annotated[
        Path | None, typer.Option(help="gas: keep the search in this file after every run, and go on from it.")
    ] = None,
    as_json: Json = False,
    options: dict[str, Any],
) -> None:
    """Solve a puzzle: exit 0 solved, 1 no accepted answer or proven infeasible, 2 bad input."""
    from gatesolve.api import calls as api
    from gatesolve.cli import boards

    if output is not None:
        boards.check_suffix(output)
    with show_progress(as_json) as progress:
        result = api.solve(file, family=family, progress=progress, resume=resume, **options)
        if output is not None and (result.solution is not None or output.suffix.lower() == ".json"):
            boards.write_answer(result.as_dict, result.problem.puzzle, result.solution, output)
        if not as_json:
            # Counts the circuit, which can take longer than all before it.
            from gatesolve.cli import report

            page = report.result_report(result)
    if as_json:
        print_json(result.as_dict())
    else:
        open_console().print(page)
    raise typer.Exit(0 if result.status == "solved" else 1)
