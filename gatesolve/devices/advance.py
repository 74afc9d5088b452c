"""Safe progress of a search: each job is stored before it is sent, its id right after, and it is never sent twice.

A process may be killed between any two lines here. The status on disk decides what comes next. A job that is
``prepared`` was never sent. One that is ``sending`` may have been sent, so the service is asked for its tag for a
while, because it can list a new job late. One that is ``sent`` is waited for.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from gatesolve.devices.ibm_errors import UnconfirmedError
from gatesolve.devices.job_request import JobRequest
from gatesolve.devices.own_device import OwnDevice
from gatesolve.devices.providers import Device
from gatesolve.devices.record import Job
from gatesolve.devices.store import Store, refuse_place
from gatesolve.errors import BackendError, GatesolveError, InputError


@dataclass(frozen=True)
class Pace:
    """Waiting times, in seconds."""

    settle: float = 30.0
    """Time for which a job that may have been sent is looked for; by then it is listed, if it arrived."""
    poll: float = 5.0
    """Time between two requests to the service while waiting."""


USUAL_PACE = Pace()


@contextmanager
def lock_search(store: Store, search: str) -> Iterator[None]:
    """Let only one process work on a search at a time; a killed one leaves no lock behind."""
    from filelock import FileLock, Timeout

    lock = FileLock(store.folder / f"{search}.lock", mode=0o600)
    try:
        lock.acquire(timeout=0)
    except Timeout as error:
        raise BackendError(f"another process is working on job {search}: wait for it, or stop it first") from error
    except (OSError, NotImplementedError) as error:
        raise refuse_place(store.folder, "its files cannot be locked") from error
    try:
        yield
    finally:
        lock.release()


def send_once(store: Store, device: Device, job: Job, request: JobRequest, pace: Pace) -> Job:
    """Send the job unless the service has it already; either way its id is on disk afterwards.

    Raises:
        UnconfirmedError: the connection broke while sending; the next call looks for the job first.
        GatesolveError: nothing was sent.
    """
    found = _find_sent(device, job, pace)
    if found is None:
        job = store.mark(job, "sending", sending_at=time.time())
        try:
            found = device.send(job, request)
        except GatesolveError as error:
            # One that may have arrived stays "sending", and the next call looks for it first.
            if not isinstance(error, UnconfirmedError):
                store.mark(job, "prepared", sending_at=None)
            raise
    return store.mark(job, "sent", remote=found)


def _find_sent(device: Device, job: Job, pace: Pace) -> str | None:
    """Return the service's id of the job if it is listed; wait a while for one that may have been sent."""
    if job.status == "sending" and isinstance(device, OwnDevice):
        raise BackendError(
            f"{device.sampler.name} may have been given job {job.tag} already, and cannot be asked: "
            "submit the problem anew"
        )
    # A monotonic clock that starts now: changes of the system time make the wait neither shorter nor endless.
    until = time.monotonic() + (pace.settle if job.status == "sending" else 0.0)
    while True:
        # Two tags: the first is of the request, the second also of the circuits, by which the counts are decoded.
        ids = device.look_up(job.tag)
        if ids and (same := device.look_up(job.decoding_tag)):
            return same[0]
        left = until - time.monotonic()
        if left > 0:
            time.sleep(min(left, max(pace.poll, 0.1)))
        elif ids:
            # The job was sent from another machine or before its record was lost. Another version or other error rates
            # led to other circuits.
            raise InputError(
                f"the service has a job of the same request, {ids[0]}, but of other circuits, whose counts this record "
                "cannot decode: fetch it where it was sent, or ask once more with again=True"
            )
        else:
            return None


def fetch_counts(store: Store, device: Device, job: Job, request: JobRequest) -> Job:
    """Ask for the status of a sent job, and store its counts or the reason of its failure.

    Raises:
        BackendError: the service cannot be reached, or returned a wrong number of results.
    """
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
