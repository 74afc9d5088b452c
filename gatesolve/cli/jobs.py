"""The commands ``gatesolve submit``, ``jobs`` and ``fetch``."""

from __future__ import annotations

from typing import Annotated, Any, NoReturn

import typer

from gatesolve.api.options import DEVICE_FIELDS
from gatesolve.cli.console import print_json, show_progress
from gatesolve.cli.options import BoardOutput, Family, File, Json, with_choices
from gatesolve.cli.show import check_board_place, write_answer

STATUSES = {"solved": 0, "unsolved": 1, "failed": 1}
"""Exit statuses of a search that ended."""
NOT_DONE = 3
"""Of one whose job is still queued or running."""
Key = Annotated[
    str | None,
    typer.Argument(
        metavar="JOB", help="Key that submit prints, or its start, or the service's id; the latest if not given."
    ),
]


@with_choices(DEVICE_FIELDS)
def submit(
    *,
    file: File,
    backend: Annotated[
        str, typer.Option(help="IBM backend, or a fake one (fake_torino) simulated here with its noise.")
    ],
    shots: Annotated[int, typer.Option(help="Shots of every circuit.")] = 4096,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Compile and estimate; send and keep nothing.")] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Send what would drown in noise, or to a closed device.")
    ] = False,
    again: Annotated[bool, typer.Option("--again", help="Send once more although the same was sent before.")] = False,
    wait: Annotated[bool, typer.Option("--wait", help="Wait for the outcome and print it.")] = False,
    decoupling: Annotated[str | None, typer.Option(help="XX | XpXm | XY4: dynamical decoupling in idle times.")] = None,
    twirl_gates: Annotated[bool, typer.Option("--twirl-gates", help="Random Paulis around two-qubit gates.")] = False,
    twirl_measure: Annotated[bool, typer.Option("--twirl-measure", help="Random flips before measurements.")] = False,
    mitigate: Annotated[
        bool, typer.Option("--mitigate", help="Also report shares with readout errors undone.")
    ] = False,
    projection: Annotated[str, typer.Option(help="discard | nearest: states that are no codewords.")] = "discard",
    seeds: Annotated[int, typer.Option(help="Layouts and routings tried; the best by estimated success is sent.")] = 8,
    family: Family = None,
    as_json: Json = False,
    options: dict[str, Any],
) -> None:
    """Compile a puzzle for a device, estimate its success, and send it; what was sent before is not sent again."""
    from gatesolve.api import jobs as calls
    from gatesolve.cli import job_report

    asked = {
        "shots": shots,
        "decoupling": decoupling,
        "twirl_gates": twirl_gates,
        "twirl_measure": twirl_measure,
        "mitigate": mitigate,
        "projection": projection,
        "seeds": seeds,
        "force": force,
        **options,
    }
    if dry_run:
        with show_progress(as_json) as progress:
            circuits = calls.preview(file, backend, family=family, progress=progress, **asked)
        page = {"device": backend, "sent": False, "circuits": circuits}
        print_json(page) if as_json else job_report.print_preview(circuits, backend)
        return
    with show_progress(as_json) as progress:
        found = calls.submit(file, backend, family=family, again=again, progress=progress, **asked)
    if wait and (as_json or found.search.status == "open"):
        if not as_json:
            job_report.print_submitted(found)  # whoever stops waiting has seen how to go on
        fetch(job=found.key, wait=True, as_json=as_json)
    print_json(found.as_dict()) if as_json else job_report.print_submitted(found)
    raise typer.Exit(STATUSES.get(found.status, NOT_DONE) if wait else 0)


def jobs(*, as_json: Json = False) -> None:
    """List what was submitted, as it was last seen; the service is not asked."""
    from gatesolve.api import jobs as calls
    from gatesolve.cli import job_report

    found = calls.jobs()
    print_json({"jobs": [one.as_dict() for one in found]}) if as_json else job_report.print_jobs(found)


def fetch(
    *,
    job: Key = None,
    output: BoardOutput = None,
    wait: Annotated[bool, typer.Option("--wait", help="Ask again until it is finished.")] = False,
    as_json: Json = False,
) -> NoReturn:
    """Ask how a job stands, judge what came back: exit 0 solved, 1 not solved, 2 bad input, 3 not finished."""
    from gatesolve.api import jobs as calls
    from gatesolve.api.problem_record import restore_problem
    from gatesolve.cli import job_report

    if output is not None:
        check_board_place(output)
    with show_progress(as_json) as progress:
        found = calls.fetch(job, wait=wait, progress=progress)
    if output is not None and (found.solution is not None or output.suffix.lower() == ".json"):
        write_answer(found.as_dict, restore_problem(found.search.problem).puzzle, found.solution, output)
    print_json(found.as_dict()) if as_json else job_report.print_fetched(found)
    raise typer.Exit(STATUSES.get(found.status, NOT_DONE))
