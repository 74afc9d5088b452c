"""Progress of a long call: a bar in a notebook and on a terminal, lines elsewhere on request."""

from __future__ import annotations

import multiprocessing
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from typing import Any

from gatesolve.errors import InputError, one_line
from gatesolve.planning.clock import Progress

PATIENCE = 2.0
"""Seconds before a bar is shown."""
BETWEEN = 0.2
"""Least seconds between two updates of a notebook's bar."""
LINES = 10.0
"""Seconds before the first line, and between two, without a notebook or terminal."""


@contextmanager
def shown_progress(progress: Progress | bool | None) -> Iterator[Progress | None]:
    """Yield a progress function: for None a bar on a terminal or in a notebook, for True log lines elsewhere too.

    Raises:
        InputError: it is neither these, nor False for nothing, nor a function of (stage, done, total).
    """
    if not (progress is None or isinstance(progress, bool) or callable(progress)):
        raise InputError(f"progress is {progress!r:.60}: give True, False, or a function of (stage, done, total)")
    if callable(progress) or progress is False:
        yield progress or None
        return
    is_main = threading.current_thread() is threading.main_thread() and multiprocessing.parent_process() is None
    # Several bars at once would overwrite each other.
    if progress is None and not is_main:
        yield None
        return
    # Without IPython loaded this is not a notebook.
    ipython: Any = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    say = _write_line if progress else None
    with show_below_cell(ipython.display) if hasattr(shell, "kernel") else show_on_stream(say) as told:
        yield told


@contextmanager
def show_below_cell(display: Any) -> Iterator[Progress]:
    """Show a bar below a notebook's cell, by IPython's own display, without widgets."""
    handle: Any = None

    def show(stage: str, done: int, total: int) -> None:
        nonlocal handle
        share = f'value="{done / total:.3f}"' if total else ""
        bar = display.HTML(f"<progress {share}></progress> {escape(stage)}")
        # The first update creates the display, so a call that ends earlier leaves no trace in the notebook.
        if handle is None:
            handle = display.display(bar, display_id=True)
        else:
            handle.update(bar)

    try:
        yield now_and_then(show, BETWEEN, first=PATIENCE)
    finally:
        if handle is not None:
            handle.update(display.HTML(""))


@contextmanager
def show_on_stream(say: Callable[[str], None] | None) -> Iterator[Progress | None]:
    """Show a bar on standard error if that is a terminal; elsewhere ``say``, if any, receives a line now and then."""
    seen = sys.stderr is not None and sys.stderr.isatty()
    if sys.stderr is None or not (seen or say):
        yield None
        return
    if say is not None and not seen:
        yield now_and_then(lambda *told: say("{}: {} of {}".format(*told) if told[2] else told[0]), LINES, first=LINES)
        return
    from rich.console import Console
    from rich.markup import escape as plain
    from rich.progress import Progress as Bar

    # Output of callbacks goes above the bar, unless it goes to a file, which the bar must not touch.
    together = sys.stdout is not None and sys.stdout.isatty()
    bar = Bar(console=Console(stderr=True), transient=True, redirect_stdout=together)
    bar.add_task("read", total=None)

    def show(stage: str, done: int, total: int) -> None:
        (now,) = bar.tasks
        # rich cannot remove a total, so the task is replaced.
        if total == 0 and now.total is not None:
            bar.remove_task(now.id)
            bar.add_task(plain(one_line(stage)), total=None)
        else:
            bar.update(now.id, description=plain(one_line(stage)), completed=done, total=total or None)

    # Short calls show no bar at all.
    late = threading.Timer(PATIENCE, bar.start)
    late.daemon = True
    late.start()
    try:
        yield show
    finally:
        late.cancel()
        # The timer may be starting the bar at this moment; a bar that starts after ``stop`` would never end.
        late.join()
        bar.stop()


def _write_line(text: str) -> None:
    sys.stderr.write(f"gatesolve: {one_line(text)}\n")
    sys.stderr.flush()


def now_and_then(show: Progress, pause: float, *, first: float = 0.0, stages: bool = False) -> Progress:
    """Return a function that shows a state at most every ``pause`` seconds, and none in the ``first`` seconds.

    If ``stages`` is True, each stage's beginning and end are always shown.
    """
    due, name = time.monotonic() + first, ""

    def told(stage: str, done: int, total: int) -> None:
        nonlocal due, name
        if time.monotonic() >= due or (stages and (stage != name or done == total)):
            due, name = time.monotonic() + pause, stage
            show(stage, done, total)

    return told
