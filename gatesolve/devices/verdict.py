"""What a search on a device came to, as plain data."""

from __future__ import annotations

from typing import Any

from gatesolve.devices.decode import judge_jobs, mitigate_states
from gatesolve.devices.jobs.record import Job, Search
from gatesolve.devices.readout import Board, Readout
from gatesolve.errors import GatesolveError
from gatesolve.pipelines.task import Task, as_number


def conclude_search(task: Task, search: Search, jobs: tuple[Job, ...], note: str) -> dict[str, Any]:
    """Judge all that was measured by the problem's own rules.

    Returns:
        ``message``, ``solution``, ``energy``, ``readout``, ``notes``; ``solution`` is None if none was
        accepted.
    """
    done = tuple(job for job in jobs if job.counts is not None)
    notes = [note] if note else []
    readout: Readout | None = None
    if done:
        # Tuning rounds chose the last circuit; that one is judged by its own shots.
        judged = done[-1:] if search.options["pipeline"] == "qaoa" else done
        shares = None
        if search.plan["mitigate"]:
            try:
                shares = mitigate_states(judged)
            except GatesolveError as error:  # the counts are no worse for it
                notes.append(f"not mitigated: {error}")
        readout = judge_jobs(task, judged, "nearest" if search.plan["projection"] == "nearest" else "discard", shares)
    best = None if readout is None else best_board(readout)
    ended = [job for job in jobs if job.status in {"cancelled", "failed"}]
    message = "" if readout is None else readout.verdict
    if ended:
        message = ended[-1].reason + (f"; before that: {message}" if message else "")
    solution = None if best is None else best.solution
    return {
        "message": message,
        "solution": solution,
        "energy": None if best is None or best.energy is None else as_number(best.energy),
        "readout": None if readout is None else readout.as_dict(),
        # The first line is the verdict, which the message has.
        "lines": [] if readout is None else readout.lines()[1:],
        "notes": notes,
    }


def best_board(readout: Readout) -> Board | None:
    """The accepted board of the best energy, or the most frequent one where all are as good."""
    if readout.best is None:
        return readout.board
    return next(board for board in readout.boards if board.energy == readout.best.energy)
