"""Places for jobs: a device of IBM's service, a fake one simulated on this machine, or one of another provider.

A provider opens devices by name. Ours are `PROVIDERS`; a package adds its own by an entry point in the group
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

from gatesolve.devices import ibm
from gatesolve.devices.job_request import JobRequest
from gatesolve.devices.record import Job
from gatesolve.errors import InputError, MissingExtraError
from gatesolve.extensions import broken_extensions, load_extensions, require
from gatesolve.programs.measured import REGISTER
from gatesolve.simulate.own_sampler import read_own_sampler

if TYPE_CHECKING:
    from qiskit.providers import BackendV2

LOCAL = "local"
"""The id of a job where there is no service."""
GROUP = "gatesolve.backends"
"""Entry points that lead to providers."""


class Device(Protocol):
    """A place to run jobs."""

    @property
    def backend(self) -> Any:
        """Qiskit's view of it: the target that circuits are compiled to."""
        ...

    def send(self, job: Job, request: JobRequest) -> str:
        """Send a job under its tags, and return the service's id of it."""
        ...

    def look_up(self, tag: str) -> tuple[str, ...]:
        """Return the ids of the jobs that have the tag, oldest first."""
        ...

    def state(self, remote: str) -> tuple[str, str]:
        """Return ``queued``, ``running``, ``done``, ``cancelled`` or ``failed``, and the reason where it failed."""
        ...

    def results(self, job: Job, request: JobRequest) -> tuple[dict[str, int], ...]:
        """Return the counts of each circuit of a job that is done; bit 0 is rightmost."""
        ...


class Provider(Protocol):
    """A source of devices that jobs can be sent to."""

    def recognises(self, name: str) -> bool:
        """Return whether this provider may have a device of that name."""
        ...

    def open(self, name: str, *, seed: int, any_status: bool) -> Device:
        """Return the device of that name.

        Args:
            name: as the user wrote it.
            seed: seed of the simulation, where the device is simulated.
            any_status: also accept a device that runs no jobs at the moment.

        Raises:
            InputError: there is none of that name.
            BackendError: the service cannot be reached, or has no account here.
        """
        ...


@dataclass(frozen=True)
class LocalDevice:
    """A device simulated here: jobs run when their results are requested, and always with the same outcome.

    Nothing is spent, so an interrupted job is simply run again.

    Attributes:
        backend: a fake backend, an Aer simulator, or another ``BackendV2`` of Qiskit's that runs on this machine.
        seed: seed of the simulation.
    """

    backend: Any
    seed: int

    def send(self, job: Job, request: JobRequest) -> str:
        return LOCAL

    def look_up(self, tag: str) -> tuple[str, ...]:
        return ()

    def state(self, remote: str) -> tuple[str, str]:
        return "done", ""

    def results(self, job: Job, request: JobRequest) -> tuple[dict[str, int], ...]:
        # The step is part of the seed: the jobs of one search differ, and repeating one gives the same counts.
        seed, circuits = self.seed + job.step, unpack_circuits(job.circuits)
        return tuple(ibm.run_local(self.backend, circuits, job.shots, seed, request))


class HereDevice(LocalDevice):
    """A device whose own ``run`` simulates on this machine when the results are requested."""

    def results(self, job: Job, request: JobRequest) -> tuple[dict[str, int], ...]:
        sampler, circuits = read_own_sampler(self.backend), unpack_circuits(job.circuits)
        assert sampler is not None
        return sampler.read(sampler.start(circuits, job.shots, self.seed + job.step), circuits, REGISTER)


class IbmDevice:
    """A device of IBM's service, reached through the SDK's saved account.

    The backend is opened only when circuits are compiled for it. A device that was closed or retired after a job was
    sent therefore does not block its results.
    """

    def __init__(self, name: str, any_status: bool = False, given: Any = None) -> None:
        self.name, self.any_status, self.given = name, any_status, given
        self.service = ibm.connect() if given is None else ibm.end_waits(given.service)

    @cached_property
    def backend(self) -> Any:
        """Return the SDK's backend, or the user's own, which may have other gates, if it accepts jobs."""
        with _naming_broken():
            found = ibm.find(self.name, self.service, any_status=self.any_status)
        return self.given or found

    def send(self, job: Job, request: JobRequest) -> str:
        # In job mode: no session is opened, so no time is billed while nothing runs.
        return ibm.send(self.backend, unpack_circuits(job.circuits), job.shots, [job.tag, job.decoding_tag], request)

    def look_up(self, tag: str) -> tuple[str, ...]:
        return ibm.look_up(self.service, tag)

    def state(self, remote: str) -> tuple[str, str]:
        with _naming_broken():
            return ibm.state(self.service, remote)

    def results(self, job: Job, request: JobRequest) -> tuple[dict[str, int], ...]:
        assert job.remote is not None
        return tuple(ibm.results(self.service, job.remote))


class FakeProvider:
    """A provider of the IBM SDK's fake devices, with the noise of their snapshots."""

    def recognises(self, name: str) -> bool:
        # For an unknown device with ``fake`` at either end the nearest names are suggested.
        letters = _letters(name)
        return letters.startswith("fake") or letters.endswith("fake")

    def open(self, name: str, *, seed: int, any_status: bool) -> Device:
        return LocalDevice(fake_backend(name), seed)


class BraketProvider:
    """A provider of the simulators of Amazon Braket's SDK, which need no account and no network, and have no seed.

    Devices of its cloud are objects, see ``own_device.py``.
    """

    def recognises(self, name: str) -> bool:
        return name in {"braket_sv", "braket_dm"}

    def open(self, name: str, *, seed: int, any_status: bool) -> Device:
        package = require("qiskit_braket_provider", f"{name} needs Braket's provider for Qiskit", "braket")
        return HereDevice(package.BraketLocalBackend(name), seed)


class IbmProvider:
    """IBM's service, which receives every name that no other provider recognises."""

    def recognises(self, name: str) -> bool:
        return True

    def open(self, name: str, *, seed: int, any_status: bool) -> Device:
        return IbmDevice(name, any_status)


PROVIDERS: dict[str, Provider] = {"fake": FakeProvider(), "braket": BraketProvider(), "ibm": IbmProvider()}
"""The first that recognises a name opens the device; providers of other packages are asked before."""


def open_device(name: str, seed: int, any_status: bool = False) -> Device:
    """Return the device called ``name``, from the first provider that recognises it, or from the one before a colon.

    Raises:
        InputError: there is none of that name.
        BackendError: the service cannot be reached, or has no account here.
    """
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
    """Add to errors about unknown devices and jobs the providers that could not be loaded: it may be theirs."""
    try:
        yield
    except InputError as error:
        error.args = ("; ".join((str(error), *broken_extensions(GROUP, _fault))),)
        raise


def _fault(found: Any) -> str | None:
    is_provider = callable(getattr(found, "recognises", None)) and callable(getattr(found, "open", None))
    return None if is_provider else "it has no recognises() and open()"


def unpack_circuits(data: bytes) -> list[QuantumCircuit]:
    """Return the circuits of a job, which are stored as QPY."""
    try:
        return list(qpy.load(io.BytesIO(data)))
    except Exception as error:
        # QPY raises errors of many kinds for damaged data.
        raise InputError("the circuits of a job cannot be read: damaged, or of a later version of Qiskit") from error


def fake_backend(name: str) -> BackendV2:
    """Return the fake device called ``name``.

    ``fake_torino``, ``FakeTorino``, ``fake-torino`` and ``torino fake`` are equal. A version (``V2``) may be left out.
    """
    try:
        from qiskit_ibm_runtime import fake_provider
    except ImportError as error:
        raise MissingExtraError("fake devices need the IBM SDK", "ibm") from error
    # Names are found without creating devices, as each reads a file of calibration data.
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
    """Return letters and digits only, without ``fake`` at either end."""
    return _letters(name).removeprefix("fake").removesuffix("fake").removesuffix("backend")


def _letters(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())
