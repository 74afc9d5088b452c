"""Where jobs go: a device of IBM's service, a fake one simulated on this machine, or one of somebody else's provider.

A provider knows devices by name. Ours are `PROVIDERS`; a package adds its own by an entry point in the group
``gatesolve.backends`` that leads to a `Provider`. An object in Python that is a device is in ``own_device.py``.
"""

from __future__ import annotations

import difflib
import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from qiskit import QuantumCircuit, qpy

from gatesolve.devices.ibm import service as ibm
from gatesolve.devices.job_request import JobRequest
from gatesolve.devices.jobs.record import Job
from gatesolve.errors import InputError, MissingExtraError
from gatesolve.extensions import broken_extensions, load_extensions
from gatesolve.programs.measured import REGISTER
from gatesolve.simulate.own_sampler import read_own_sampler

if TYPE_CHECKING:
    from qiskit.providers import BackendV2

LOCAL = "local"
"""What stands for the service's id where there is no service."""
GROUP = "gatesolve.backends"
"""Entry points that lead to providers."""


class Device(Protocol):
    """A place to run jobs."""

    @property
    def backend(self) -> Any:
        """Qiskit's view of it: the target that circuits are compiled to."""
        ...

    def send(self, job: Job, request: JobRequest) -> str:
        """Send a job under its tags; the service's id of it."""
        ...

    def look_up(self, tag: str) -> tuple[str, ...]:
        """Ids of the jobs that carry the tag, oldest first."""
        ...

    def state(self, remote: str) -> tuple[str, str]:
        """``queued``, ``running``, ``done``, ``cancelled`` or ``failed``, and the reason where it failed."""
        ...

    def results(self, job: Job, request: JobRequest) -> tuple[dict[str, int], ...]:
        """Counts of each circuit of a job that is done."""
        ...


class Provider(Protocol):
    """Somebody whose devices jobs can be sent to."""

    def recognises(self, name: str) -> bool:
        """Whether a device called so is to be looked for here."""
        ...

    def open(self, name: str, *, seed: int, any_status: bool) -> Device:
        """The device called so.

        Args:
            name: as the user wrote it.
            seed: of everything random, where the device is simulated.
            any_status: also a device that runs no jobs at the moment.

        Raises:
            InputError: there is none of that name.
            BackendError: the service cannot be reached, or has no account here.
        """
        ...


@dataclass(frozen=True)
class LocalDevice:
    """A device simulated here: jobs run when their results are asked for, the same job always with the same outcome.

    Nothing is spent, so a job that was interrupted is simply run again.

    Attributes:
        backend: a fake backend, an Aer simulator, or any other of Qiskit's ``BackendV2`` that runs on this machine.
        seed: of the simulation.
    """

    backend: Any
    seed: int

    def send(self, job: Job, request: JobRequest) -> str:
        """Nothing is sent."""
        return LOCAL

    def look_up(self, tag: str) -> tuple[str, ...]:
        """There is no service to look at."""
        return ()

    def state(self, remote: str) -> tuple[str, str]:
        """Ready as soon as it is asked for."""
        return "done", ""

    def results(self, job: Job, request: JobRequest) -> tuple[dict[str, int], ...]:
        """Simulate with the device's noise."""
        return tuple(
            ibm.run_local(self.backend, unpack_circuits(job.circuits), job.shots, self.seed + job.step, request)
        )


class HereDevice(LocalDevice):
    """A device of a name that its own ``run`` simulates on this machine, whenever the results are asked for."""

    def results(self, job: Job, request: JobRequest) -> tuple[dict[str, int], ...]:
        """Simulate."""
        sampler, circuits = read_own_sampler(self.backend), unpack_circuits(job.circuits)
        assert sampler is not None
        return sampler.read(sampler.start(circuits, job.shots, self.seed + job.step), circuits, REGISTER)


class IbmDevice:
    """A device of IBM's service, reached through the SDK's saved account.

    It is looked at when circuits are compiled for it: one that was closed or retired since a job was sent does not
    stand in the way of its results.
    """

    def __init__(self, name: str, any_status: bool = False, given: Any = None) -> None:
        self.name, self.any_status, self.given = name, any_status, given
        self.service = ibm.connect() if given is None else ibm.adopt(given.service)

    @cached_property
    def backend(self) -> Any:
        """The SDK's backend; the user's own, if it takes jobs, may have other gates."""
        with _naming_broken():
            found = ibm.find(self.name, self.service, any_status=self.any_status)
        return self.given or found

    def send(self, job: Job, request: JobRequest) -> str:
        """Send in job mode: no session is opened, so no time is billed while nothing runs."""
        return ibm.send(self.backend, unpack_circuits(job.circuits), job.shots, [job.tag, job.decoding_tag], request)

    def look_up(self, tag: str) -> tuple[str, ...]:
        """Ask the service."""
        return ibm.look_up(self.service, tag)

    def state(self, remote: str) -> tuple[str, str]:
        """Ask the service."""
        with _naming_broken():
            return ibm.state(self.service, remote)

    def results(self, job: Job, request: JobRequest) -> tuple[dict[str, int], ...]:
        """Fetch what was measured."""
        assert job.remote is not None
        return tuple(ibm.results(self.service, job.remote))


class FakeProvider:
    """The IBM SDK's fake devices."""

    def recognises(self, name: str) -> bool:
        """By ``fake`` at either end; where no such device is known, the nearest names are."""
        letters = _letters(name)
        return letters.startswith("fake") or letters.endswith("fake")

    def open(self, name: str, *, seed: int, any_status: bool) -> Device:
        """A simulation with the noise of the device's snapshot."""
        return LocalDevice(fake_backend(name), seed)


class BraketProvider:
    """The simulators of Amazon Braket's SDK, which need no account and no network; its cloud's devices are objects."""

    def recognises(self, name: str) -> bool:
        """By their names: state vector and density matrix."""
        return name in {"braket_sv", "braket_dm"}

    def open(self, name: str, *, seed: int, any_status: bool) -> Device:
        """The simulator; it takes no seed."""
        try:
            from qiskit_braket_provider import BraketLocalBackend
        except ImportError as error:
            raise MissingExtraError(f"{name} needs Braket's provider for Qiskit", "braket") from error
        return HereDevice(BraketLocalBackend(name), seed)


class IbmProvider:
    """IBM's service, which is asked for every name that nobody else knows."""

    def recognises(self, name: str) -> bool:
        """Any."""
        return True

    def open(self, name: str, *, seed: int, any_status: bool) -> Device:
        """The device by the SDK's saved account."""
        return IbmDevice(name, any_status)


PROVIDERS: dict[str, Provider] = {"fake": FakeProvider(), "braket": BraketProvider(), "ibm": IbmProvider()}
"""The first that recognises a name opens the device; those of other packages that can be loaded are asked before."""


def open_device(name: str, seed: int, any_status: bool = False) -> Device:
    """The device called ``name``, from the first provider that recognises it, or from the one before a colon."""
    every: dict[str, Provider] = dict(sorted(load_extensions(GROUP, _fault).items())) | PROVIDERS
    named, _, device = name.partition(":")
    if device and named in every:
        provider = every[named]
    else:
        provider, device = next(one for one in every.values() if one.recognises(name)), name
    with _naming_broken():
        return provider.open(device, seed=seed, any_status=any_status)


@contextmanager
def _naming_broken() -> Iterator[None]:
    """Where a device or a job is not known, say which providers could not be asked: it may be theirs."""
    try:
        yield
    except InputError as error:
        error.args = ("; ".join((str(error), *broken_extensions(GROUP, _fault))),)
        raise


def _fault(found: Any) -> str | None:
    is_provider = callable(getattr(found, "recognises", None)) and callable(getattr(found, "open", None))
    return None if is_provider else "it has no recognises() and open()"


def unpack_circuits(data: bytes) -> list[QuantumCircuit]:
    """The circuits of a job, which are kept as QPY."""
    try:
        return list(qpy.load(io.BytesIO(data)))
    except Exception as error:
        # QPY raises whatever its parser stumbles over.
        raise InputError("the circuits of a job cannot be read: damaged, or of a later version of Qiskit") from error


def fake_backend(name: str) -> BackendV2:
    """The fake device called ``name``: ``fake_torino``, ``FakeTorino``, ``fake-torino`` and ``torino fake`` are one.

    A version at the end (``V2``) may be left out.
    """
    try:
        from qiskit_ibm_runtime import fake_provider
    except ImportError as error:
        raise MissingExtraError("fake devices need the IBM SDK", "ibm") from error
    # Devices are not made to find their names: each reads a file of calibration data.
    kinds = (kind for kind in dir(fake_provider) if kind.startswith("Fake") and "Provider" not in kind)
    classes, wanted = {_make_key(kind): kind for kind in kinds}, _make_key(name)
    kind = classes.get(wanted) or classes.get(f"{wanted}v2")
    if kind is None:
        near = difflib.get_close_matches(wanted, classes, n=3, cutoff=0.6)
        shown = [f"fake_{key.removesuffix('v2')}" for key in near] or ["fake_torino", "fake_fez", "fake_manila"]
        raise InputError(f"no fake device is called '{name}': try {', '.join(shown)}")
    device: BackendV2 = getattr(fake_provider, kind)()
    return device


def _make_key(name: str) -> str:
    """Letters and digits alone, ``fake`` taken off whether it stands first or last."""
    return _letters(name).removeprefix("fake").removesuffix("fake").removesuffix("backend")


def _letters(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())
