"""Access to the server: pages of this machine that know the secret in the address; every answer gets its headers."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Mapping

import h11
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from gatesolve.web.check import INTERNAL, describe_internal

HOSTS = {"127.0.0.1", "localhost"}
MOST_BYTES = 1 << 20
MOST_READ = 1 << 26
PATIENCE = 30.0
"""Seconds in which a request's body has to come."""
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
"""Sent with every answer: nothing is loaded from elsewhere, no other page frames this one, the address stays here."""


class Guard:
    """Refuses other names of this machine (DNS rebinding) and paths without the secret; adds `HEADERS`.

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
        except asyncio.CancelledError:  # uvicorn waits no longer for what is still being answered at its end
            if not is_begun:
                await PlainTextResponse("gatesolve web was ended: start it again", 503)(scope, receive, answer)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        _, given, rest = (*scope["path"].split("/", 2), "", "")[:3]
        if headers.get("host", "").rsplit(":", 1)[0] not in HOSTS:
            await PlainTextResponse("open the address that gatesolve web printed", 400)(scope, receive, send)
        elif not secrets.compare_digest(given.encode(), self.token.encode()):
            fault = "not found: open the address that gatesolve web printed"
            await PlainTextResponse(fault, 404)(scope, receive, send)
        else:
            try:
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
    """uvicorn's HTTP whose own refusals carry `HEADERS`, and which upgrades to nothing."""

    def send_400_response(self, msg: str) -> None:
        """Refuse bytes that are no HTTP; nothing is sent after an answer that was begun."""
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
    """A whole body as one message; None if it is too long, whatever length its headers claim.

    Of a long body the rest is read too, up to `MOST_READ` bytes: its sender reads no answer before.
    """
    body, length = b"", 0
    while length <= MOST_READ:
        message = await receive()
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
