"""The processes of searches: one is kept ready, each does one job at a time, a cancelled one is ended."""

from __future__ import annotations

import asyncio
import json
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

MOST_JOBS = 4
"""Most searches at a time, of all pages together."""
LONGEST = 1 << 28
"""Most bytes of one event."""


class Pool:
    """Processes for searches: that of each page, by the page's name, which may still be starting."""

    def __init__(self) -> None:
        self.running: dict[str, asyncio.Task[Process]] = {}
        self._idle: list[Process] = []
        self._warming: asyncio.Task[None] | None = None
        self._ending: set[asyncio.Task[None]] = set()
        self._is_closed = False

    def warm(self) -> None:
        """Begin to start a process, if none waits for a job."""
        if not self._is_closed and not self._idle and (self._warming is None or self._warming.done()):
            self._warming = asyncio.create_task(self._add())

    async def _add(self) -> None:
        # The search that needs a process reports the error.
        with suppress(OSError):
            self._idle.append(await _start())

    async def close(self) -> None:
        """End all processes."""
        self._is_closed = True
        if self._warming is not None:
            await self._warming
        await asyncio.gather(*map(_end, self._idle), *map(_end_search, self.running.values()), *self._ending)

    async def run(self, page: str, job: dict[str, Any]) -> AsyncIterator[dict[str, Any]]:
        """Yield the events of a job as they come. An earlier job of the same page is ended first.

        The job ends when the consumer stops listening.
        """
        before = self.running.get(page)
        if self._is_closed:
            yield _fault(self._describe_end(False))
            return
        if before is None and len(self.running) >= MOST_JOBS:
            yield _fault(f"{MOST_JOBS} searches are running already: cancel one, or wait")
            return
        # Nothing is awaited between the check and this line, so no other request can take the same place.
        mine = self.running[page] = asyncio.create_task(self._take(before))
        done = False
        try:
            # Shielded: if this request is cancelled, the process still starts, and `_give_back` finds and ends it.
            process = await asyncio.shield(mine)
            # A later request of the page may have taken its place while the process started.
            if self.running.get(page) is mine:
                assert process.stdin is not None
                process.stdin.write(json.dumps(job).encode() + b"\n")
                async for event in _read(process):
                    done = event["event"] == "end"
                    yield event
                    if done:
                        break
            if not done:
                yield _fault(self._describe_end(self.running.get(page) is not mine))
        except OSError as error:
            yield _fault(f"no process for a search can be started ({error.strerror}): end other programs, or wait")
        # asyncio's reader raises it for a line over its limit.
        except ValueError:
            yield _fault(f"the answer takes more than {LONGEST} bytes: choose a smaller board")
        finally:
            ending = asyncio.create_task(self._give_back(page, mine, done))
            self._ending.add(ending)
            ending.add_done_callback(self._ending.discard)
            # The cleanup continues even if this request is cancelled.
            await asyncio.shield(ending)

    def _describe_end(self, is_replaced: bool) -> str:
        if self._is_closed:
            return "gatesolve web was ended: start it again"
        return "cancelled" if is_replaced else "the search ended without an answer: run it again"

    async def _take(self, before: asyncio.Task[Process] | None) -> Process:
        """Return a process for a job, once the one ``before`` it has ended."""
        if before is not None:
            await _end_search(before)
        # A process that is starting is ready sooner than a new one.
        if not self._idle and self._warming is not None:
            await asyncio.shield(self._warming)
        while self._idle:
            process = self._idle.pop()
            # An idle process may have been killed from outside, by the memory limit for example.
            if process.returncode is None:
                return process
        return await _start()

    async def _give_back(self, page: str, mine: asyncio.Task[Process], is_done: bool) -> None:
        """Keep the process of a job that is done, or end it; then free the page's place, unless another job has it."""
        is_kept = is_done and not self._idle and not self._is_closed and self.running.get(page) is mine
        if is_kept:
            self._idle.append(mine.result())
        else:
            await _end_search(mine)
        if self.running.get(page) is mine:
            del self.running[page]
        self.warm()


def _fault(message: str) -> dict[str, Any]:
    return {"event": "error", "message": message}


async def _start() -> Process:
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "gatesolve.web.worker", stdin=PIPE, stdout=PIPE, limit=LONGEST
    )


async def _read(process: Process) -> AsyncIterator[dict[str, Any]]:
    """Yield the events of one job, without the message that the process is ready and without a truncated line."""
    assert process.stdout is not None
    while (line := await process.stdout.readline()).endswith(b"\n"):
        event = json.loads(line)
        if event["event"] != "ready":
            yield event


async def _end(process: Process) -> None:
    with suppress(ProcessLookupError):
        process.kill()
    await process.wait()


async def _end_search(search: asyncio.Task[Process]) -> None:
    # OSError: no process was started.
    with suppress(OSError):
        await _end(await asyncio.shield(search))
