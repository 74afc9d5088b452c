"""The process of a search: it reads one job a line from standard input and prints one event a line.

The process ends when standard input ends, even during a search: then its server has gone.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any

from gatesolve.api.calls import compile, solve
from gatesolve.api.card import card
from gatesolve.api.certify_file import export
from gatesolve.api.export import write_circuit
from gatesolve.api.shown_progress import now_and_then
from gatesolve.api.words import render_told
from gatesolve.errors import GatesolveError, InfeasibleError, UnsupportedError
from gatesolve.programs.program import limit_iterations
from gatesolve.programs.section import describe_size
from gatesolve.puzzles import examples, parse
from gatesolve.puzzles.reading import count
from gatesolve.web import story
from gatesolve.web.boards import label
from gatesolve.web.check import INTERNAL, SOURCE, describe_internal, draw_svg
from gatesolve.web.story import PAUSE, Watcher

Event = dict[str, Any]


def main() -> None:
    """Do jobs until standard input ends."""
    say = _take_output()
    jobs: SimpleQueue[str] = SimpleQueue()
    # A separate thread notices the end of standard input while a job is running.
    Thread(target=_read_jobs, args=(jobs,), daemon=True).start()
    # All libraries that a search needs late are loaded before the first one.
    name, _, text = examples()[0]
    list(run_job({"action": "solve", "family": name, "text": text, "options": {}}, lambda event: None))
    say({"event": "ready"})
    while True:
        do_job(json.loads(jobs.get()), say)


def do_job(job: dict[str, Any], say: Callable[[Event], None]) -> None:
    """Send all events of a job, errors too, with options as the page names them."""

    def tell(event: Event) -> None:
        say(render_told(event, label))

    try:
        for event in run_job(job, tell):
            tell(event)
    except GatesolveError as error:
        tell({"event": "error", "message": str(error)})
    except MemoryError:
        tell({"event": "error", "message": "out of memory: choose a smaller board, or another encoding"})
    # The process goes on with the next job: the traceback stays in the terminal, and the page gets one line.
    except Exception as error:
        print(describe_internal(error), file=sys.stderr)
        tell({"event": "error", "message": INTERNAL})
    say({"event": "end"})


def run_job(job: dict[str, Any], say: Callable[[Event], None]) -> Iterator[Event]:
    """Run a job: events at its end are yielded, all others sent immediately."""

    def tell(stage: str, done: int, total: int) -> None:
        say({"event": "stage", "stage": stage, "done": done, "total": total})

    # Not more often than a page can show it.
    progress = now_and_then(tell, PAUSE, stages=True)
    progress("read", 0, 0)
    puzzle = parse(job["text"], job["family"], SOURCE)
    if job["action"] == "solve":
        yield from _solve(puzzle, job["options"], progress, say)
        return
    if job["action"] in {"circuit", "card"}:
        make = _draw_card if job["action"] == "card" else _write_circuit
        yield make(puzzle, job["options"], progress)
        return
    watcher = Watcher(job["options"].get("pipeline", "grover"), False, say)
    try:
        compiled = compile(puzzle, progress=progress, on_event=watcher, **job["options"])
    except InfeasibleError as error:
        found = None if watcher.told is None else watcher.told.space.size
        yield _tell_board(puzzle, "infeasible", str(error), found)
        return
    # A pipeline without a layout event, such as QAOA, is described from its circuit.
    if watcher.told is None:
        yield from watcher.tell_circuit(compiled)
    progress("count", 0, 0)
    yield from story.tell_counts(compiled)


def _solve(
    puzzle: Any, options: dict[str, Any], progress: Callable[[str, int, int], None], say: Callable[[Event], None]
) -> Iterator[Event]:
    watcher = Watcher(options.get("pipeline", "grover"), True, say)
    result = solve(puzzle, progress=progress, on_event=watcher, **options)
    compiled = result.compiled
    # A divided search, or one that changed its layout, ends with another circuit than the one shown.
    if compiled is not None and compiled.layout is not watcher.told:
        yield from watcher.tell_circuit(compiled)
    yield from story.tell_result(result)
    # Every board that presolve left was checked in one space.
    is_whole = result.status == "infeasible" and result.division is None
    left = compiled.certificate.of if compiled and is_whole and compiled.certificate.marked == 0 else None
    yield {
        **_tell_board(puzzle, result.status, result.message, left, result.solution),
        "probability": result.success_probability,
        "count": result.problem.describe_count(result.solution_count),
    }
    if compiled is not None:
        progress("count", 0, 0)
        yield from story.tell_counts(compiled)
    yield {"event": "json", "json": result.as_dict()}


def _tell_board(
    puzzle: Any, status: str, message: str, left: int | None, solution: dict[str, int] | None = None
) -> Event:
    """Return the final board; ``left`` is the number of boards checked in one space, if there is no solution."""
    return {
        "event": "board",
        "status": status,
        "message": message,
        "left": left,
        "svg": draw_svg(puzzle, solution),
        "text": puzzle.text(solution),
    }


def _draw_card(puzzle: Any, options: dict[str, Any], progress: Callable[[str, int, int], None]) -> Event:
    """Return the cost card of Grover's search as a picture, and its numbers in words."""
    found = card(puzzle, progress=progress, **{name: value for name, value in options.items() if name != "pipeline"})
    words = "; ".join(f"{panel.heading}: {panel.headline}" for panel in found.panels)
    return {"event": "card", "svg": found.image("svg").decode(), "words": f"Cost card of {found.title}. {words}."}


def _write_circuit(puzzle: Any, options: dict[str, Any], progress: Callable[[str, int, int], None]) -> Event:
    """Return the circuit as OpenQASM 3, and as 2 if possible, with the claims about it layer by layer."""
    compiled = compile(puzzle, progress=progress, **options)
    progress("prove", 0, 0)
    program = limit_iterations(compiled.program)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "board.qasm3"
        written = export(compiled, path)
        name = f"board-{count(program.iterations, 'iteration').replace(' ', '-')}" if written.extent else "board"
        files = [[f"{name}.qasm3", path.read_text("utf-8")]]
        claims = [[claim.layer, claim.status, str(claim)] for claim in written.claims]
        # Not every circuit can be written as OpenQASM 2.
        with suppress(UnsupportedError):
            claim = write_circuit(program, path.with_suffix(".qasm"))
            files.append([f"{name}.qasm", path.with_suffix(".qasm").read_text("utf-8")])
            claims.append([claim.layer, claim.status, f"OpenQASM 2 {claim}"])
    needed = describe_size(program.search.needed_iterations or 0)
    share = f"{program.iterations} of {needed} iterations" if written.extent else ""
    return {"event": "circuit", "files": files, "claims": claims, "extent": written.extent, "share": share}


def _take_output() -> Callable[[Event], None]:
    """Return a function that prints events; other output of libraries goes to standard error."""
    # The events get a copy of the descriptor; then descriptor 1 itself leads to standard error, for C libraries too.
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def say(event: Event) -> None:
        out.write(json.dumps(event) + "\n")
        out.flush()

    return say


def _read_jobs(jobs: SimpleQueue[str]) -> None:
    for line in sys.stdin:
        jobs.put(line)
    # Not sys.exit, which would end this thread alone.
    os._exit(0)


if __name__ == "__main__":
    main()
