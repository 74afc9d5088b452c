"""A backend or sampler of the user's own as a device: an object in Python, which has no name.

Only its process can ask for the state of its jobs, unless the object finds jobs by their id (``retrieve_job``).
"""

from __future__ import annotations

import secrets
import sys
from dataclasses import dataclass, field
from typing import Any

from gatesolve.devices.job_request import JobRequest
from gatesolve.devices.providers import Device, HereDevice, IbmDevice, unpack_circuits
from gatesolve.devices.record import Job
from gatesolve.errors import BackendError, InputError
from gatesolve.pipelines.options import refuse_idle
from gatesolve.programs.measured import REGISTER
from gatesolve.simulate.own_sampler import OwnSampler, read_own_sampler

MARK = "#"
"""Part of the names of objects, and of no device's name."""
_STATES = {"RUNNING": "running", "DONE": "done", "CANCELLED": "cancelled", "ERROR": "failed"}


@dataclass(frozen=True)
class OwnDevice:
    """A user's backend or sampler, and the jobs that this process has sent, by their ids.

    Its searches are stored under its name: the object's own and a random number, so that the answer of another object
    is never used for it. The seed is that of the simulation, where the object has one.
    """

    name: str
    sampler: OwnSampler
    seed: int
    running: dict[str, Any] = field(default_factory=dict)

    @property
    def backend(self) -> Any:
        return self.sampler.backend

    @property
    def bound(self) -> str:
        """Return the remark about unfinished jobs."""
        found = "by its id" if hasattr(self.sampler.given, "retrieve_job") else "by nobody"
        return (
            f"{self.sampler.name} is an object in Python: give fetch what submit returned, in this process; after that "
            f"its job is found {found}"
        )

    def send(self, job: Job, request: JobRequest) -> str:
        begun = self.sampler.start(unpack_circuits(job.circuits), job.shots, self.seed + job.step)
        with self.sampler.naming():
            remote = str(begun.job_id())
        self.running[remote] = begun
        return remote

    def look_up(self, tag: str) -> tuple[str, ...]:
        # An object cannot be searched by a tag.
        return ()

    def state(self, remote: str) -> tuple[str, str]:
        job = self._find(remote)
        with self.sampler.naming():
            status = job.status()
        # Qiskit returns an enumeration, IBM a text.
        word = str(getattr(status, "name", status))
        state = _STATES.get(word, "queued")
        said = {"cancelled": "was cancelled", "failed": "failed"}.get(state)
        reason = f": {found}" if state == "failed" and (found := self.sampler.explain_failure(job)) else ""
        return state, f"job {remote} of {self.sampler.name} {said}{reason}" if said else ""

    def results(self, job: Job, request: JobRequest) -> tuple[dict[str, int], ...]:
        assert job.remote is not None
        return self.sampler.read(self._find(job.remote), unpack_circuits(job.circuits), REGISTER)

    def _find(self, remote: str) -> Any:
        if remote in self.running:
            return self.running[remote]
        retrieve = getattr(self.sampler.given, "retrieve_job", None)
        if retrieve is None:
            raise BackendError(
                f"{self.sampler.name} was given job {remote} by a process that has ended, and cannot find it again "
                "(it has no retrieve_job): submit the problem anew"
            )
        with self.sampler.naming():
            return retrieve(remote)


def open_own_device(
    given: Any, seed: int, *, any_status: bool = False, kept: str | None = None
) -> OwnDevice | IbmDevice | None:
    """Return an object as a device; None if it is neither a backend nor a sampler of Qiskit's.

    A backend of IBM's service becomes an `IbmDevice` with the object's own account: its jobs are found by their tags.
    ``kept`` is the name under which a search of it was stored; the other arguments are those of `Provider.open`.

    Raises:
        InputError: it is not the device that the search was sent to.
    """
    # An object of the SDK's exists only where the SDK has been loaded.
    sdk = sys.modules.get("qiskit_ibm_runtime")
    if sdk is not None and isinstance(given, sdk.IBMBackend):
        _require_same(kept, given.name)
        return IbmDevice(given.name, any_status, given)
    sampler = read_own_sampler(given)
    if sampler is None:
        return None
    plain = sampler.name.replace(MARK, "")
    _require_same(kept and kept.rpartition(MARK)[0], plain)
    return OwnDevice(kept or f"{plain}{MARK}{secrets.token_hex(4)}", sampler, seed)


def _require_same(kept: str | None, given: str) -> None:
    if kept is not None and kept != given:
        raise InputError(f"the job was not sent to {given}: give {kept or 'no object'} as device")


def refuse_settings(device: Device, request: JobRequest) -> None:
    """Refuse settings that only IBM's sampler supports: other devices run circuits unchanged."""
    if isinstance(device, OwnDevice | HereDevice):
        said = f"{device.backend.name} is run with its own settings"
        refuse_idle(request, said, "decoupling", "twirl_gates", "twirl_measure")


def explain_lost(name: str) -> InputError:
    """Explain that a search was sent to an object that its key alone does not identify."""
    plain = name.rpartition(MARK)[0]
    return InputError(
        f"the job was sent to {plain}, an object in Python, which cannot be found by its name: give fetch what submit "
        "returned, or the object as device; where its process has ended, submit the problem anew"
    )
