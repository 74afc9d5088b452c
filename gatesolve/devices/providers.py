"""Where jobs go: a device of IBM's service, or a fake one simulated on this machine. Both look alike from here."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from qiskit import QuantumCircuit, qpy

from gatesolve.devices.jobs.record import Job
from gatesolve.devices.plan import JobPlan
from gatesolve.errors import InputError

if TYPE_CHECKING:
    from gatesolve.devices.ibm.service import SamplerSettings

LOCAL = "local"
"""What stands for the service's id where there is no service."""


class Device(Protocol):
    """A place to run jobs."""

    @property
    def backend(self) -> Any:
        """Qiskit's view of it: the target that circuits are compiled to."""
        ...

    def send(self, job: Job, settings: SamplerSettings) -> str:
        """Send a job under its tags; the service's id of it."""
        ...

    def look_up(self, tag: str) -> tuple[str, ...]:
        """Ids of the jobs that carry the tag, oldest first."""
        ...

    def state(self, remote: str) -> tuple[str, str]:
        """``queued``, ``running``, ``done``, ``cancelled`` or ``failed``, and the reason where it failed."""
        ...

    def results(self, job: Job, settings: SamplerSettings) -> tuple[dict[str, int], ...]:
        """Counts of each circuit of a job that is done."""
        ...


@dataclass(frozen=True)
class FakeDevice:
    """A fake device: jobs run when their results are asked for, the same job always with the same outcome.

    Nothing is spent, so a job that was interrupted is simply run again.

    Attributes:
        backend: one of the SDK's fake backends.
        seed: of the simulation.
    """

    backend: Any
    seed: int

    def send(self, job: Job, settings: SamplerSettings) -> str:
        """Nothing is sent."""
        return LOCAL

    def look_up(self, tag: str) -> tuple[str, ...]:
        """There is no service to look at."""
        return ()

    def state(self, remote: str) -> tuple[str, str]:
        """Ready as soon as it is asked for."""
        return "done", ""

    def results(self, job: Job, settings: SamplerSettings) -> tuple[dict[str, int], ...]:
        """Simulate with the device's noise.

        Raises:
            BackendError: the simulator failed.
        """
        from gatesolve.devices.ibm.service import run_local

        return tuple(run_local(self.backend, circuits_of(job.circuits), job.shots, self.seed + job.step, settings))


class IbmDevice:
    """A device of IBM's service, reached through the SDK's saved account.

    Args:
        name: of the device. It is looked at when circuits are compiled for it: one that was closed or retired since a
            job was sent does not stand in the way of its results.
        any_status: also a device that runs no jobs at the moment; they wait in its queue.
    """

    def __init__(self, name: str, any_status: bool = False) -> None:
        from gatesolve.devices.ibm import service as ibm

        self.name, self.any_status, self.service = name, any_status, ibm.connect()

    @cached_property
    def backend(self) -> Any:
        """The SDK's backend.

        Raises:
            InputError: there is none of that name; says which there are.
            BackendError: it takes no jobs now.
        """
        from gatesolve.devices.ibm import service as ibm

        return ibm.find(self.name, self.service, any_status=self.any_status)

    def send(self, job: Job, settings: SamplerSettings) -> str:
        """Send in job mode: no session is opened, so no time is billed while nothing runs.

        Raises:
            BackendError: the service refused it or cannot be reached, in one line.
        """
        from gatesolve.devices.ibm import service as ibm

        return ibm.send(self.backend, circuits_of(job.circuits), job.shots, [job.tag, job.decoding_tag], settings)

    def look_up(self, tag: str) -> tuple[str, ...]:
        """Ask the service."""
        from gatesolve.devices.ibm import service as ibm

        return ibm.look_up(self.service, tag)

    def state(self, remote: str) -> tuple[str, str]:
        """Ask the service."""
        from gatesolve.devices.ibm import service as ibm

        found = ibm.state(self.service, remote)
        return found.status, found.reason

    def results(self, job: Job, settings: SamplerSettings) -> tuple[dict[str, int], ...]:
        """Fetch what was measured."""
        from gatesolve.devices.ibm import service as ibm

        assert job.remote is not None
        return tuple(ibm.results(self.service, job.remote))


def device_named(name: str, seed: int, any_status: bool = False) -> Device:
    """The device called ``name``; names that contain ``fake`` are simulated here.

    Raises:
        InputError: there is no fake one of that name.
        BackendError: the service cannot be reached, or has no account here.
        UnsupportedError: the IBM SDK is not installed.
    """
    if "fake" in name.lower():
        from gatesolve.devices.fake import require_fake

        return FakeDevice(require_fake(name), seed)
    return IbmDevice(name, any_status)


def packed(circuits: Sequence[QuantumCircuit]) -> bytes:
    """Circuits as QPY."""
    buffer = io.BytesIO()
    qpy.dump(list(circuits), buffer)
    return buffer.getvalue()


def circuits_of(data: bytes) -> list[QuantumCircuit]:
    """The circuits that `packed` wrote.

    Raises:
        InputError: the record is damaged, or of a Qiskit too new to be read.
    """
    try:
        return list(qpy.load(io.BytesIO(data)))
    except Exception as error:
        # QPY raises whatever its parser stumbles over.
        raise InputError("the circuits of a job cannot be read: damaged, or of a later version of Qiskit") from error


def settings_of(plan: JobPlan) -> SamplerSettings:
    """Those of the sampler."""
    from gatesolve.devices.ibm.service import SamplerSettings

    return SamplerSettings(plan.decoupling, plan.twirl_gates, plan.twirl_measure)
