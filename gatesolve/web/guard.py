"""Who may speak to the server: pages of this machine that know the secret in the address."""

from __future__ import annotations

import secrets
from collections.abc import Mapping

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HOSTS = {"127.0.0.1", "localhost"}
MOST_BYTES = 1 << 20
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
    """Refuses other names of this machine (DNS rebinding) and paths without the secret; adds `HEADERS`."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self.app, self.token = app, token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """As every ASGI application."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        headers = Headers(scope=scope)
        _, given, rest = (*scope["path"].split("/", 2), "")[:3]
        length = headers.get("content-length", "0")
        if headers.get("host", "").rsplit(":", 1)[0] not in HOSTS:
            await PlainTextResponse("open the address that gatesolve web printed", 400)(scope, receive, answer)
        elif not secrets.compare_digest(given.encode(), self.token.encode()):
            await PlainTextResponse("not found: open the address that gatesolve web printed", 404)(
                scope, receive, answer
            )
        elif not length.isdigit() or int(length) > MOST_BYTES or (body := await _read_body(receive)) is None:
            await PlainTextResponse("too large", 413)(scope, receive, answer)
        else:
            inner = {**scope, "path": f"/{rest}", "raw_path": f"/{rest}".encode()}
            await self.app(inner, _say_first(body, receive), answer)


async def _read_body(receive: Receive) -> Message | None:
    """A whole body as one message; None if it is too long, whatever length its headers claim."""
    body = b""
    while len(body) <= MOST_BYTES:
        message = await receive()
        if message["type"] != "http.request":
            return message
        body += message.get("body", b"")
        if not message.get("more_body", False):
            return {"type": "http.request", "body": body} if len(body) <= MOST_BYTES else None
    return None


def _say_first(message: Message, receive: Receive) -> Receive:
    """What receives a message that was taken already, then what comes after it."""
    taken = iter([message])

    async def receive_next() -> Message:
        return next(taken, None) or await receive()

    return receive_next
