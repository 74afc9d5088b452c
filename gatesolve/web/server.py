"""The server: the page's files, the check of a board, and searches as server-sent events."""

from __future__ import annotations

import asyncio
import json
import secrets
import socket
import webbrowser
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Literal

import uvicorn
from fastapi import FastAPI
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field
from starlette.staticfiles import StaticFiles

from gatesolve.api import about
from gatesolve.errors import InputError
from gatesolve.puzzles import examples
from gatesolve.web.boards import list_families, list_options
from gatesolve.web.check import check_board
from gatesolve.web.guard import Guard
from gatesolve.web.pool import Pool

STATIC = Path(__file__).parent / "static"
MOST_CHARACTERS = 100_000


class Board(BaseModel):
    """A board as it is typed."""

    model_config = ConfigDict(extra="forbid")
    family: str = Field(max_length=40)
    text: str = Field(max_length=MOST_CHARACTERS)


class Choices(BaseModel):
    """The options that the page offers; None for the default."""

    model_config = ConfigDict(extra="forbid")
    pipeline: str | None = None
    encoding: str | None = None
    presolve: str | None = None
    level: str | None = None
    seed: int | None = None


class Job(Board):
    """What to do with a board, and the name that the page gave itself."""

    action: Literal["compile", "solve", "circuit"]
    page: str = Field(max_length=64)
    options: Choices = Choices()


def make_app(token: str) -> Guard:
    """The page under a secret path; everything else is refused."""
    pool = Pool()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        pool.warm()
        name, _, text = examples()[0]
        drawing = asyncio.create_task(asyncio.to_thread(check_board, name, text))  # loads what draws boards
        yield
        await drawing
        await pool.close()

    app = FastAPI(lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None)

    @app.get("/api/about")
    def _about() -> dict[str, Any]:
        return {"version": about.version(), "families": list_families(), "options": list_options()}

    @app.post("/api/check")
    def _check(board: Board) -> dict[str, Any]:
        return check_board(board.family, board.text)

    @app.post("/api/run")
    async def _run(job: Job) -> StreamingResponse:
        asked = job.model_dump(exclude_none=True, exclude={"page"})
        events = (
            f"event: {event['event']}\ndata: {json.dumps(event)}\n\n" async for event in pool.run(job.page, asked)
        )
        return StreamingResponse(events, media_type="text/event-stream")

    app.mount("/", StaticFiles(directory=STATIC, html=True))
    return Guard(app, token)


def serve(port: int, open_browser: bool, say: Callable[[str], None]) -> None:
    """Serve the page on this machine until Ctrl-C.

    Args:
        port: 0 for any that is free.
        open_browser: whether to open the page.
        say: called with the page's address.

    Raises:
        InputError: the port is taken.
    """
    token = secrets.token_urlsafe(24)
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(("127.0.0.1", port))
        except OSError as error:
            fault = f"port {port} cannot be used ({error.strerror}): name another port, or 0 for a free one"
            raise InputError(fault) from error
        listener.listen()
        address = f"http://127.0.0.1:{listener.getsockname()[1]}/{token}/"
        config = uvicorn.Config(make_app(token), log_level="warning", access_log=False, timeout_graceful_shutdown=1)
        say(address)
        if open_browser:
            webbrowser.open(address)
        uvicorn.Server(config).run(sockets=[listener])
