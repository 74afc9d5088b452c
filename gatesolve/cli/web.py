"""The command ``gatesolve web``."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated

import typer

from gatesolve.cli.console import say
from gatesolve.errors import MissingExtraError


def web(
    *,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port on this machine; any free one for 0.")] = 0,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Print the address and open nothing.")] = False,
) -> None:
    """Open a page on this machine: draw or paste a board, watch the search, take the circuit away. Ctrl-C ends it."""
    try:
        from gatesolve.web.server import serve
    except ImportError as error:
        raise MissingExtraError(f"gatesolve web needs {error.name or 'FastAPI and uvicorn'}", "web") from error
    with suppress(KeyboardInterrupt):
        serve(port, not no_browser, lambda address: say(f"the page is at {address} (Ctrl-C ends it)"))
