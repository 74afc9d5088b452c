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
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import PlainTextResponse, StreamingResponse
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles

from gatesolve.api import about
from gatesolve.errors import InputError, one_line
from gatesolve.puzzles import examples
from gatesolve.web.boards import list_families, list_options
from gatesolve.web.check import INTERNAL, check_board
from gatesolve.web.guard import Guard, Protocol
from gatesolve.web.pool import Pool

STATIC = Path(__file__).parent / "static"
MOST_CHARACTERS = 100_000


class TypedBoard(BaseModel):
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
    seed: int | None = Field(default=None, ge=0, lt=1 << 63)


class BoardRequest(TypedBoard):
    """A request about a board, and the name that the page gave itself."""

    action: Literal["compile", "solve", "circuit"]
    page: str = Field(max_length=64)
    options: Choices = Choices()


def make_app(token: str, pool: Pool) -> Guard:
    """The page under a secret path; everything else is refused."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        pool.warm()
        name, _, text = examples()[0]
        drawing = asyncio.create_task(asyncio.to_thread(check_board, name, text))  # loads what draws boards
        yield
        await drawing
        await pool.close()

    app = FastAPI(lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None)
    app.add_exception_handler(RequestValidationError, _refuse_fields)
    app.add_exception_handler(HTTPException, _refuse)
    app.add_exception_handler(Exception, lambda *_: PlainTextResponse(INTERNAL, 500))

    @app.get("/api/about")
    def _about() -> dict[str, Any]:
        return {"version": about.version(), "families": list_families(), "options": list_options()}

    @app.post("/api/check")
    def _check(board: TypedBoard) -> dict[str, Any]:
        return check_board(board.family, board.text)

    @app.post("/api/run")
    async def _run(job: BoardRequest) -> StreamingResponse:
        asked = job.model_dump(exclude_none=True, exclude={"page"})
        events = (
            f"event: {event['event']}\ndata: {json.dumps(event)}\n\n" async for event in pool.run(job.page, asked)
        )
        return StreamingResponse(events, media_type="text/event-stream")

    app.mount("/", StaticFiles(directory=STATIC, html=True))
    return Guard(app, token)


def _refuse_fields(request: Request, error: Exception) -> PlainTextResponse:
    """Name the first field at fault; what it holds is not sent back."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    name = one_line(".".join(str(part) for part in first["loc"][1:]))[:80]
    if first["type"] == "string_too_long" and name == "text":
        return PlainTextResponse(f"the board has more than {MOST_CHARACTERS} characters: give a smaller one", 422)
    if first["type"] == "string_unicode" and name == "text":
        return PlainTextResponse("the board holds half a character (a lone surrogate): type or paste it again", 422)
    where = f"field {name} of the request" if name else "the body of the request"
    return PlainTextResponse(f"{where} is not understood: reload the page", 422)


def _refuse(request: Request, error: Exception) -> PlainTextResponse:
    assert isinstance(error, HTTPException)
    known = {400: "the body of the request is no JSON", 404: "no such file", 405: "this address takes another method"}
    said = known.get(error.status_code, "the request is not understood")
    return PlainTextResponse(f"{said}: reload the page", error.status_code, headers=error.headers)


class Server(uvicorn.Server):
    """The page's server, which ends its searches before it waits for answers."""

    def __init__(self, token: str) -> None:
        self.pool = Pool()
        super().__init__(
            uvicorn.Config(
                make_app(token, self.pool),
                http=Protocol,
                ws="none",
                log_level="error",
                access_log=False,
                timeout_graceful_shutdown=1,
            )
        )

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End all searches, then as uvicorn does."""
        await self.pool.close()
        await super().shutdown(sockets)


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
        say(address)
        if open_browser:
            webbrowser.open(address)
        Server(token).run(sockets=[listener])
