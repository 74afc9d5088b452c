"""Taking a search one step on, safely: kept before it is sent, its id kept right after, never sent twice.

A process may be killed between any two lines here. What is on disk then says what to do: a job that is ``prepared``
was never sent; one that is ``sending`` may have been, so the service is asked for its tag, also once more after a
while, because a job can take a moment to be listed; one that is ``sent`` is waited for.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from gatesolve.backends.ibm_errors import UnconfirmedError
from gatesolve.errors import BackendError, GatesolveError
from gatesolve.hardware.devices import Device, settings_of
from gatesolve.jobs.record import Job
from gatesolve.jobs.store import Store

SETTLE = 30.0
"""Seconds after which a job that was sent is surely listed by the service."""
POLL = 5.0
"""Seconds between two questions to the service while waiting."""


@dataclass(frozen=True)
class Pace:
    """How long to wait for what.

    Attributes:
        settle: seconds until a job that was sent is surely listed.
        poll: seconds between two questions.
    """

    settle: float = SETTLE
    poll: float = POLL


@contextmanager
def at_work(store: Store, search: str) -> Iterator[None]:
    """Only one process works on a search at a time; a killed one leaves no lock behind.

    Raises:
        BackendError: another process does.
    """
    from filelock import FileLock, Timeout

    lock = FileLock(store.folder / f"{search}.lock", mode=0o600)
    try:
        with lock.acquire(timeout=0):
            yield
    except Timeout as error:
        raise BackendError(f"another process is at work on job {search}: wait for it, or stop it first") from error


def sent(store: Store, device: Device, job: Job, plan: Mapping[str, Any], pace: Pace) -> Job:
    """Send the job unless the service has it already; either way its id is on disk afterwards.

    Raises:
        BackendError: the service refused it or cannot be reached; the same call later goes on from there.
    """
    found = _found(device, job, pace)
    if found is None:
        job = store.mark_sending(job, time.time())
        try:
            found = device.send(job, settings_of(plan))
        except UnconfirmedError:
            raise  # it may have arrived: the next call looks for it first
        except GatesolveError:
            store.mark_prepared(job)
            raise
    return store.mark_sent(job, found)


def _found(device: Device, job: Job, pace: Pace) -> str | None:
    """The service's id of the job if it is there; a job that may be on its way is given time to be listed."""
    while True:
        ids = device.look_up(job.tag)
        if ids:
            return ids[0]
        left = 0.0 if job.status != "sending" or job.sending_at is None else job.sending_at + pace.settle - time.time()
        if left <= 0:
            return None
        time.sleep(min(left, max(pace.poll, 0.1)))


def measured(store: Store, device: Device, job: Job, plan: Mapping[str, Any]) -> Job:
    """Ask how a sent job stands, and keep its counts, or why it ended without any.

    Raises:
        BackendError: the service cannot be reached.
    """
    assert job.remote is not None
    status, reason = device.state(job.remote)
    if status == "done":
        return store.mark_done(job, device.results(job, settings_of(plan)))
    if status in {"cancelled", "failed"}:
        return store.mark_ended(job, "cancelled" if status == "cancelled" else "failed", reason)
    return store.mark_waiting(job, status)
