"""The interface to the terminal: where output goes, and escaping of names and files that could control it."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, NoReturn

from rich.console import Console
from rich.segment import Segment

from gatesolve.api.about import SCHEMA_VERSION
from gatesolve.api.words import render_options, render_told
from gatesolve.errors import one_line

if TYPE_CHECKING:
    from rich.console import ConsoleOptions, RenderableType

WIDTH = 110
"""Least number of columns where standard output is not a terminal."""


class Screen(Console):
    """A console that escapes control characters in all output; its own colours are kept."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Render as `Console.render` does, with escaped texts."""
        for text, style, control in super().render(renderable, options):
            # Control segments are rich's own. All other text may come from a file, so it could move the cursor or set a
            # title.
            yield Segment(text if control else "\n".join(map(one_line, text.split("\n"))), style, control)


def open_console() -> Screen:
    """Return standard output, at least `WIDTH` columns wide if it is not a terminal, without markup and emoji codes."""
    out = Screen(highlight=False, markup=False, emoji=False)
    # rich assumes 80 columns without a terminal, which would fold the tables in pipes and logs.
    return out if out.is_terminal else Screen(highlight=False, markup=False, emoji=False, width=max(out.width, WIDTH))


def open_output() -> None:
    """Make writing to a closed standard output fail, and never fail because of a character."""
    if sys.stdout is None:
        # Its file descriptor is occupied, too. Otherwise the next opened file would get it, with all library output.
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w")
    with suppress(AttributeError):
        # A stream that replaces standard output, as in tests, may lack this method.
        sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]


def drop_output() -> None:
    """Discard output that could not be written, so that the interpreter's last flush does not fail again."""
    with suppress(OSError, ValueError):
        # The descriptor is replaced below the stream, whose buffer may still contain output.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def json_text(data: Mapping[str, Any]) -> str:
    """Return an object as the command line prints it: with its version, and options as they are typed."""
    return json.dumps({"schema_version": SCHEMA_VERSION, **render_told(data)}, indent=2)


def print_json(data: dict[str, Any]) -> None:
    """Print one JSON object and nothing else."""
    print(json_text(data))


@contextmanager
def show_progress(quiet: bool) -> Iterator[Callable[[str, int, int], None] | bool]:
    """Show a bar on standard error after two seconds; where it is not a terminal, a line now and then."""
    if quiet:
        yield False
        return
    from gatesolve.api.shown_progress import show_on_stream

    with show_on_stream(say) as told:
        yield told or False


def fail(message: str, status: int) -> NoReturn:
    """Print what is wrong and exit."""
    say(message)
    raise SystemExit(status)


def say(message: str) -> None:
    """Print one line on standard error."""
    if sys.stderr is not None:
        # A closed standard error must not hide the exit status.
        with suppress(OSError):
            sys.stderr.write(f"gatesolve: {one_line(render_options(' '.join(message.split())))}\n")
