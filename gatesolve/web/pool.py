"""The processes that searches run in: one is kept warm, each does one job at a time, a cancelled one is ended."""

from __future__ import annotations

import asyncio
import json
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

MOST_JOBS = 4
"""Searches at a time, of all pages together."""
LONGEST = 1 << 28
"""Bytes of the longest event."""


class Pool:
    """Processes for searches.

    Attributes:
        running: the process of each page's search, by the page's name.
    """

    def __init__(self) -> None:
        self.running: dict[str, Process] = {}
        self._idle: list[Process] = []
        self._warming: asyncio.Task[None] | None = None

    def warm(self) -> None:
        """Begin to start a process, if none waits for a job."""
        if not self._idle and (self._warming is None or self._warming.done()):
            self._warming = asyncio.create_task(self._add())

    async def _add(self) -> None:
        self._idle.append(await _start())

    async def close(self) -> None:
        """End all processes."""
        if self._warming is not None:
            await self._warming
        for process in (*self._idle, *self.running.values()):
            await _end(process)

    async def run(self, page: str, job: dict[str, Any]) -> AsyncIterator[dict[str, Any]]:
        """The events of a job, as they come. A job that the same page runs already is ended first.

        Whoever stops listening ends the job.
        """
        if (before := self.running.pop(page, None)) is not None:
            await _end(before)
        if len(self.running) >= MOST_JOBS:
            yield _fault(f"{MOST_JOBS} searches are running already: cancel one, or wait")
            return
        if not self._idle and self._warming is not None:
            await self._warming
        process = self._idle.pop() if self._idle else await _start()
        self.running[page] = process
        done = False
        try:
            assert process.stdin is not None
            process.stdin.write(json.dumps(job).encode() + b"\n")
            async for event in _read(process):
                done = event["event"] == "end"
                yield event
                if done:
                    break
            if not done:
                said = "cancelled" if self.running.get(page) is not process else "the search ended without an answer"
                yield _fault(f"{said}: run it again" if said != "cancelled" else said)
        finally:
            if self.running.get(page) is process:
                del self.running[page]
            if done and not self._idle:
                self._idle.append(process)
            else:
                await asyncio.shield(_end(process))
            self.warm()


def _fault(message: str) -> dict[str, Any]:
    return {"event": "error", "message": message}


async def _start() -> Process:
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "gatesolve.web.worker", stdin=PIPE, stdout=PIPE, limit=LONGEST
    )


async def _read(process: Process) -> AsyncIterator[dict[str, Any]]:
    """The events of one job; that the process is ready is none of them."""
    assert process.stdout is not None
    while line := await process.stdout.readline():
        event = json.loads(line)
        if event["event"] != "ready":
            yield event


async def _end(process: Process) -> None:
    with suppress(ProcessLookupError):
        process.kill()
    await process.wait()
