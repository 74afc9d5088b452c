"""Taking a search one step on, safely: kept before it is sent, its id kept right after, never sent twice.

A process may be killed between any two lines here. What is on disk then says what to do: a job that is ``prepared``
was never sent; one that is ``sending`` may have been, so the service is asked for its tag, for a while, because a job
can take a moment to be listed; one that is ``sent`` is waited for.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from gatesolve.devices.ibm.errors import UnconfirmedError
from gatesolve.devices.job_request import JobRequest
from gatesolve.devices.jobs.record import Job
from gatesolve.devices.jobs.store import Store, refuse_place
from gatesolve.devices.own_device import OwnDevice
from gatesolve.devices.providers import Device
from gatesolve.errors import BackendError, GatesolveError, InputError


@dataclass(frozen=True)
class Pace:
    """How long to wait for what, in seconds."""

    settle: float = 30.0
    """For which a job that may have been sent is looked for; by then it is listed, if it arrived."""
    poll: float = 5.0
    """Between two questions to the service while waiting."""


USUAL_PACE = Pace()


@contextmanager
def lock_search(store: Store, search: str) -> Iterator[None]:
    """Only one process works on a search at a time; a killed one leaves no lock behind."""
    from filelock import FileLock, Timeout

    lock = FileLock(store.folder / f"{search}.lock", mode=0o600)
    try:
        lock.acquire(timeout=0)
    except Timeout as error:
        raise BackendError(f"another process is at work on job {search}: wait for it, or stop it first") from error
    except (OSError, NotImplementedError) as error:
        raise refuse_place(store.folder, "its files cannot be locked") from error
    try:
        yield
    finally:
        lock.release()


def send_once(store: Store, device: Device, job: Job, request: JobRequest, pace: Pace) -> Job:
    """Send the job unless the service has it already; either way its id is on disk afterwards."""
    found = _find_sent(device, job, pace)
    if found is None:
        job = store.mark(job, "sending", sending_at=time.time())
        try:
            found = device.send(job, request)
        except UnconfirmedError:
            raise  # it may have arrived: the next call looks for it first
        except GatesolveError:
            store.mark(job, "prepared", sending_at=None)
            raise
    return store.mark(job, "sent", remote=found)


def _find_sent(device: Device, job: Job, pace: Pace) -> str | None:
    """The service's id of the job if it is there; a job that may be on its way is given time to be listed.

    The time is counted from this call on: a clock that was set in between does not make it shorter or endless.
    """
    if job.status == "sending" and isinstance(device, OwnDevice):
        raise BackendError(
            f"{device.sampler.name} may have been given job {job.tag} already, and cannot be asked: "
            "submit the problem anew"
        )
    until = time.monotonic() + (pace.settle if job.status == "sending" else 0.0)
    while True:
        ids = device.look_up(job.tag)
        if ids and (same := device.look_up(job.decoding_tag)):
            return same[0]
        left = until - time.monotonic()
        if left > 0:
            time.sleep(min(left, max(pace.poll, 0.1)))
        elif ids:
            # Sent from another machine, or before its record was lost, by another version or for other error rates.
            raise InputError(
                f"the service has a job of the same request, {ids[0]}, but of other circuits, whose counts this record "
                "cannot decode: fetch it where it was sent, or ask once more with again=True"
            )
        else:
            return None


def fetch_counts(store: Store, device: Device, job: Job, request: JobRequest) -> Job:
    """Ask how a sent job stands, and keep its counts, or why it ended without any."""
    assert job.remote is not None
    status, reason = device.state(job.remote)
    if status == "done":
        counts = device.results(job, request)
        if len(counts) != len(job.records):
            found = f"{len(counts)} results for {len(job.records)} circuits"
            raise BackendError(f"job {job.remote} came back with {found}: try again later")
        return store.mark(job, "done", counts=counts, reason="")
    if status in {"cancelled", "failed"}:
        return store.mark(job, "cancelled" if status == "cancelled" else "failed", reason=reason)
    return store.mark(job, "sent", reason=status)
