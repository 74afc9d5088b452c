"""What ``progress=True`` shows: a bar in a notebook, else on standard error."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from typing import Any

from gatesolve.errors import InputError
from gatesolve.pipelines.clock import Progress

PATIENCE = 2.0
"""Seconds before anything is shown."""
BETWEEN = 0.2
"""Seconds between two states of a bar, at least."""
LINES = 10.0
"""Seconds between two lines where there is neither a notebook nor a terminal."""


@contextmanager
def shown_progress(progress: Progress | bool | None) -> Iterator[Progress | None]:
    """What to report to: nothing for None and False, a function as it is, for True what people see.

    Raises:
        InputError: anything else.
    """
    if progress is None or progress is False or callable(progress):
        yield progress or None
        return
    if progress is not True:
        raise InputError(f"progress is {progress!r:.60}: give True, or a function of (stage, done, total)")
    show, close, pause = _open_notebook() or _open_stream()
    start = last = time.monotonic()

    def told(stage: str, done: int, total: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - start >= PATIENCE and now - last >= pause:
            last = now
            show(stage, done, total)

    try:
        yield told
    finally:
        close()


Shown = tuple[Progress, Callable[[], None], float]
"""What shows a state, what takes it away at the end, and the seconds between two states."""


def _open_notebook() -> Shown | None:
    """A bar below the cell; None where this is no notebook."""
    ipython: Any = sys.modules.get("IPython")  # where it is not loaded, this is no notebook
    shell = None if ipython is None else ipython.get_ipython()
    if shell is None or not hasattr(shell, "kernel"):
        return None
    as_html = ipython.display.HTML
    handle = ipython.display.display(as_html(""), display_id=True)

    def show(stage: str, done: int, total: int) -> None:
        share = f'value="{done / total:.3f}"' if total else ""
        handle.update(as_html(f"<progress {share}></progress> {escape(stage)}"))

    return show, lambda: handle.update(as_html("")), BETWEEN


def _open_stream() -> Shown:
    """One line of a terminal, written over; elsewhere lines."""
    out = sys.stderr
    is_terminal = out is not None and out.isatty()

    def show(stage: str, done: int, total: int) -> None:
        if out is not None:
            said = f"gatesolve: {stage}: {done} of {total}" if total else f"gatesolve: {stage}"
            out.write(f"\r\x1b[2K{said[:78]}" if is_terminal else f"{said}\n")
            out.flush()

    def close() -> None:
        if is_terminal:
            out.write("\r\x1b[2K")
            out.flush()

    return show, close, BETWEEN if is_terminal else LINES
