"""The commands ``gatesolve submit``, ``jobs`` and ``fetch``."""

from __future__ import annotations

from typing import Annotated, Any, NoReturn

import typer

from gatesolve.api.options import DEVICE_FIELDS
from gatesolve.cli.console import print_json, show_progress
from gatesolve.cli.options import Asked, BoardOutput, Json, command
from gatesolve.cli.show import check_board_place, write_answer
from gatesolve.devices.job_request import JOB_FIELDS

STATUSES = {"solved": 0, "unsolved": 1, "failed": 1}
"""Exit statuses of a search that ended."""
NOT_DONE = 3
"""Exit status of a search whose job is still queued or running."""
Key = Annotated[
    str | None,
    typer.Argument(
        metavar="JOB",
        help="Key that submit printed, the start of a key, or the service's id; if not given, the latest.",
    ),
]


@command({**JOB_FIELDS, **DEVICE_FIELDS})
def submit(
    *,
    asked: Asked,
    backend: Annotated[
        str, typer.Option(help="IBM backend, or a fake one (fake_torino) simulated here with its noise.")
    ],
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Compile and estimate only; nothing is sent or stored.")
    ] = False,
    again: Annotated[bool, typer.Option("--again", help="Send an identical request once more.")] = False,
    wait: Annotated[bool, typer.Option("--wait", help="Wait for the outcome and print it.")] = False,
    options: dict[str, Any],
) -> None:
    """Compile a puzzle for a device, estimate its success, and send it; what was sent before is not sent again."""
    from gatesolve.api import jobs as calls
    from gatesolve.cli import report

    if dry_run:
        with show_progress(asked.as_json) as progress:
            circuits = calls.preview(asked.source, backend, family=asked.family, progress=progress, **options)
        page = {"device": backend, "sent": False, "circuits": circuits}
        print_json(page) if asked.as_json else report.print_preview(circuits, backend)
        return
    with show_progress(asked.as_json) as progress:
        found = calls.submit(asked.source, backend, family=asked.family, again=again, progress=progress, **options)
    # A search that was sent before may have ended: then there is nothing to wait for.
    if wait and (asked.as_json or found.search.status == "open"):
        if not asked.as_json:
            # A user who stops waiting then knows how to continue.
            report.print_submitted(found)
        fetch(job=found.key, wait=True, as_json=asked.as_json)
    print_json(found.as_dict()) if asked.as_json else report.print_submitted(found)
    raise typer.Exit(STATUSES.get(found.status, NOT_DONE) if wait else 0)


def jobs(*, as_json: Json = False) -> None:
    """List what was submitted, as it was last seen; the service is not asked."""
    from gatesolve.api import jobs as calls
    from gatesolve.cli import report

    found = calls.jobs()
    print_json({"jobs": [one.as_dict() for one in found]}) if as_json else report.print_jobs(found)


def fetch(
    *,
    job: Key = None,
    output: BoardOutput = None,
    wait: Annotated[bool, typer.Option("--wait", help="Wait until the job is finished.")] = False,
    as_json: Json = False,
) -> NoReturn:
    """Ask how a job stands, judge what came back: exit 0 solved, 1 not solved, 2 bad input, 3 not finished."""
    from gatesolve.api import jobs as calls
    from gatesolve.cli import report
    from gatesolve.formats.problem_record import restore_problem

    if output is not None:
        check_board_place(output)
    with show_progress(as_json) as progress:
        found = calls.fetch(job, wait=wait, progress=progress)
    if output is not None and (found.solution is not None or output.suffix.lower() == ".json"):
        write_answer(found.as_dict, restore_problem(found.search.problem).puzzle, found.solution, output)
    print_json(found.as_dict()) if as_json else report.print_fetched(found)
    raise typer.Exit(STATUSES.get(found.status, NOT_DONE))
