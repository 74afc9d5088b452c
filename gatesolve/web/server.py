"""The server: access control, the page's files, the check of a board, and searches as server-sent events.

Pages of this machine get the files of `OPEN`, and with the secret in their address the rest, all with the `HEADERS`.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import secrets
import socket
import webbrowser
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

import h11
import uvicorn
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, HTMLResponse, PlainTextResponse, StreamingResponse
from markdown_it import MarkdownIt
from pydantic import BaseModel, ConfigDict, Field
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from gatesolve.api import about
from gatesolve.errors import InputError, one_line
from gatesolve.puzzles import examples
from gatesolve.web.boards import MOST_CHARACTERS, list_families, list_options
from gatesolve.web.check import INTERNAL, check_board, describe_internal
from gatesolve.web.play import play
from gatesolve.web.pool import Pool

STATIC = Path(__file__).parent / "static"
DOCS = next((STATIC.parent / "docs").glob("concepts.md"), Path(__file__).parents[2] / "docs" / "concepts.md").parent
"""The documentation: beside this module in an installed package, else in the repository."""
OPEN = {"": "link.html"} | {f: f for f in ("linked.js", "link.js", "dom.js", "style.css", "icon.svg")}
"""Files that need no secret, by their path: the page that shows the board of a link."""
_TARGET = re.compile(r"<img [^>]*>|(!?)\[([^\]]*)\]\((?!https?:|#)([^)#\s]*[./][^)#\s]*)[^)]*\)")
"""An image in HTML; an image or a link of Markdown to a file."""
HOSTS = {"127.0.0.1", "localhost"}
PORT = 8497
"""First port that is tried: a browser keeps boards for each port separately."""
MOST_BYTES = 1 << 20
MOST_READ = 1 << 26
PATIENCE = 30.0
"""Time limit for receiving a request's body, in seconds."""
HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""Sent with every answer: nothing is loaded from elsewhere, no other page frames this one, the address is not sent."""


class TypedBoard(BaseModel):
    """A typed board."""

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

    action: Literal["compile", "solve", "circuit", "card"]
    page: str = Field(max_length=64)
    options: Choices = Choices()


class PlayRequest(TypedBoard):
    """A request about an answer that is being filled in: the marks of its cells, and what is asked of it."""

    marks: dict[str, str] = Field(max_length=1000)
    ask: Literal["rules", "check", "hint", "probe", "solver"]


def make_app(token: str, pool: Pool) -> Guard:
    """Return the application: the page under a secret path; everything else is refused."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        pool.warm()
        name, _, text = examples()[0]
        # Load the drawing library before the first board is typed.
        drawing = asyncio.create_task(asyncio.to_thread(check_board, name, text))
        yield
        await drawing
        await pool.close()

    # The pages of FastAPI's documentation load scripts from elsewhere, which `HEADERS` forbid.
    app = FastAPI(lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None)
    app.add_exception_handler(RequestValidationError, _refuse_fields)
    app.add_exception_handler(HTTPException, _refuse)
    app.add_exception_handler(Exception, lambda *_: PlainTextResponse(INTERNAL, 500))
    app.get("/api/about")(lambda: {"version": about.version(), "families": list_families(), "options": list_options()})
    app.post("/api/play")(_play)

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

    app.get("/docs/{name}.md", response_class=HTMLResponse)(_render_page)
    # Mounted last: the first route that matches is taken, and this one matches every path.
    app.mount("/", StaticFiles(directory=STATIC, html=True))
    return Guard(app, token)


def _render_page(name: str) -> str:
    """Return a page of the documentation as HTML, its headings with anchors, without what is not served."""
    pages = {page.name for page in DOCS.glob("*.md")}
    if f"{name}.md" not in pages:
        raise HTTPException(404)
    parser = MarkdownIt().enable("table")
    text = (DOCS / f"{name}.md").read_text("utf-8")
    tokens = parser.parse(_TARGET.sub(lambda one: one[0] if one[3] in pages else "" if one[1] != "" else one[2], text))
    for heading, title in pairwise(tokens):
        if heading.type == "heading_open":
            heading.attrSet("id", re.sub(r"[^\w-]", "", title.content.lower().replace(" ", "-")))
    head = '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    look = '<title>gatesolve</title><link rel="icon" href="../icon.svg"><link rel="stylesheet" href="../style.css">'
    return f'{head}{look}<article class="card docs">{parser.renderer.render(tokens, parser.options, {})}</article>'


def _play(answer: PlayRequest) -> dict[str, Any]:
    return play(answer.family, answer.text, answer.marks, answer.ask)


def _refuse_fields(request: Request, error: Exception) -> PlainTextResponse:
    """Name the first faulty field; its content is not sent back."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    name = one_line(".".join(str(part) for part in first["loc"][1:]))[:80]
    if first["type"] == "string_too_long" and name == "text":
        return PlainTextResponse(f"the board has more than {MOST_CHARACTERS} characters: give a smaller one", 422)
    if first["type"] == "string_unicode" and name == "text":
        return PlainTextResponse("the board contains half a character (a lone surrogate): type or paste it again", 422)
    where = f"field {name} of the request" if name else "the body of the request"
    return PlainTextResponse(f"{where} is not understood: reload the page", 422)


def _refuse(request: Request, error: Exception) -> PlainTextResponse:
    assert isinstance(error, HTTPException)
    known = {400: "the body of the request is not JSON", 404: "no such file", 405: "this address needs another method"}
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
        # A search that Ctrl-C ended may be reaped before asyncio asks for its status, of which it would warn.
        logging.getLogger("asyncio").setLevel(logging.ERROR)
        await self.pool.close()
        await super().shutdown(sockets)


def serve(port: int | None, open_browser: bool, say: Callable[[str], None], fragment: str = "") -> None:
    """Serve the page on this machine until Ctrl-C, and call ``say`` with its address.

    The port is any free one for 0, and `PORT` if it is free, else any, for None. ``fragment`` is the end of the
    address, with a board to open.

    Raises:
        InputError: the port is in use.
    """
    token = secrets.token_urlsafe(24)
    try:
        listener = _listen(PORT if port is None else port)
    except InputError:
        if port is not None:
            raise
        listener = _listen(0)
    with listener:
        address = f"http://127.0.0.1:{listener.getsockname()[1]}/{token}/{fragment}"
        say(address)
        if open_browser:
            webbrowser.open(address)
        Server(token).run(sockets=[listener])


def _listen(port: int) -> socket.socket:
    """Return a socket that listens already: a request that comes early waits instead of failing."""
    listener = socket.socket()
    # A port that was closed a minute ago can be used again at once.
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(("127.0.0.1", port))
        listener.listen()
    except OSError as error:
        listener.close()
        fault = f"port {port} cannot be used ({error.strerror}): name another port, or 0 for a free one"
        raise InputError(fault) from error
    return listener


class Guard:
    """Refuses other host names (DNS rebinding) and paths that are neither secret nor `OPEN`; adds `HEADERS`.

    An exception of the application is one line in the log and an answer with `HEADERS`, never a traceback.
    """

    def __init__(self, app: ASGIApp, token: str) -> None:
        self.app, self.token = app, token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request, as every ASGI application."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        is_begun = False

        async def answer(message: Message) -> None:
            nonlocal is_begun
            if message["type"] == "http.response.start":
                is_begun = True
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        try:
            await self._answer(scope, receive, answer)
        except Exception as error:
            logging.getLogger("uvicorn.error").error(describe_internal(error))
            if not is_begun:
                await PlainTextResponse(INTERNAL, 500)(scope, receive, answer)
        # uvicorn cancels unfinished answers when it ends.
        except asyncio.CancelledError:
            if not is_begun:
                await PlainTextResponse("gatesolve web was ended: start it again", 503)(scope, receive, answer)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        # The path is /SECRET/REST; missing parts become empty.
        _, given, rest = (*scope["path"].split("/", 2), "", "")[:3]
        if headers.get("host", "").rsplit(":", 1)[0] not in HOSTS:
            await PlainTextResponse("open the address that gatesolve web printed", 400)(scope, receive, send)
            return
        if (scope["method"], scope["path"], headers.get("sec-fetch-site")) == ("POST", "/board", "same-origin"):
            # A page of this server has a link's board drawn. Browsers let no other site claim that it is one.
            given, rest = self.token, "api/check"
        # Compared in constant time, so that response times reveal nothing of the secret.
        if not secrets.compare_digest(given.encode(), self.token.encode()):
            if scope["method"] == "GET" and (name := OPEN.get(scope["path"][1:])):
                await FileResponse(STATIC / name)(scope, receive, send)
                return
            fault = "not found: open the address that gatesolve web printed, and paste the link of a board there"
            await PlainTextResponse(fault, 404)(scope, receive, send)
        else:
            try:
                # The whole body is read before the application sees it: so length and time are limited for every route.
                body = await asyncio.wait_for(_read_body(receive), PATIENCE)
            except TimeoutError:
                late = PlainTextResponse(f"the request did not come in {PATIENCE:g} s: send it again", 408)
                await late(scope, receive, send)
                return
            if body is None:
                fault = f"a request of more than {MOST_BYTES} bytes: give a smaller board"
                await PlainTextResponse(fault, 413)(scope, receive, send)
                return
            inner = {**scope, "path": f"/{rest}", "raw_path": f"/{rest}".encode(errors="replace")}
            await self.app(inner, _say_first(body, receive), send)


class Protocol(H11Protocol):
    """uvicorn's HTTP with `HEADERS` in its own refusals, and without upgrades."""

    def send_400_response(self, msg: str) -> None:
        """Refuse bytes that are not HTTP; nothing is sent after the beginning of an answer."""
        # In other states an answer has begun, and a second status line would be read as its content.
        if self.conn.our_state in {h11.IDLE, h11.SEND_RESPONSE}:
            said = b"not an HTTP request: open the address that gatesolve web printed"
            kind = {
                "Content-Type": "text/plain; charset=utf-8",
                "Content-Length": str(len(said)),
                "Connection": "close",
            }
            answer = h11.Response(status_code=400, headers=[*HEADERS.items(), *kind.items()], reason=b"Bad Request")
            for event in (answer, h11.Data(data=said), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def _should_upgrade(self) -> bool:
        return False


async def _read_body(receive: Receive) -> Message | None:
    """Return a whole body as one message; None if it is too long, whatever its headers claim."""
    # A long body is read on, up to `MOST_READ` bytes, because its sender reads no answer before the end.
    body, length = b"", 0
    while length <= MOST_READ:
        message = await receive()
        # A disconnection is passed on to the application, which ends its work.
        if message["type"] != "http.request":
            return message
        length += len(message.get("body", b""))
        if length <= MOST_BYTES:
            body += message.get("body", b"")
        if not message.get("more_body", False):
            return {"type": "http.request", "body": body} if length <= MOST_BYTES else None
    return None


def _say_first(message: Message, receive: Receive) -> Receive:
    """Return an ASGI ``receive`` that replays one message first."""
    taken = iter([message])

    async def receive_next() -> Message:
        return next(taken, None) or await receive()

    return receive_next
