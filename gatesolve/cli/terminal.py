"""The edge to the terminal: nothing that a file or a name brings may steer it, and no failed write is lost."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING

from rich.console import Console
from rich.segment import Segment

from gatesolve.errors import STEERING, escape_character

if TYPE_CHECKING:
    from rich.console import ConsoleOptions, RenderableType

_IN_LINES = re.compile(f"[{STEERING}]")
WIDTH = 110
"""Columns of what is no terminal, at least."""


class Screen(Console):
    """A console that escapes what would steer the terminal, whatever is printed; its own colours are kept."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """As `Console.render`."""
        for text, style, control in super().render(renderable, options):
            yield Segment(text if control else _IN_LINES.sub(escape_character, text), style, control)


def screen() -> Screen:
    """Standard output, at least `WIDTH` columns wide where it is no terminal; brackets and colons mean themselves."""
    out = Screen(highlight=False, markup=False, emoji=False)
    return out if out.is_terminal else Screen(highlight=False, markup=False, emoji=False, width=max(out.width, WIDTH))


def open_output() -> None:
    """Make standard output fail when it is written to although it is closed, and never for want of a character."""
    if sys.stdout is None:
        # Its number is taken too, or the next file opened would get it, and all that libraries print.
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w")
    with suppress(AttributeError):
        sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]


def drop_output() -> None:
    """Forget what could not be written, or the interpreter's last flush would complain once more."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
