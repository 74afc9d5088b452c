"""The public calls for devices: `submit`, `preview`, `fetch` and `jobs`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from gatesolve.api.device_search import fetch_search, preview_search, submit_search, track_search
from gatesolve.api.options import DEVICE_FIELDS, DeviceFields, Options, check_names, shows_options
from gatesolve.api.problem import Source
from gatesolve.api.shown_progress import shown_progress
from gatesolve.devices.job_request import Decoupling, JobRequest, Projection
from gatesolve.devices.jobs.record import Damaged
from gatesolve.devices.jobs.store import Store
from gatesolve.devices.own_device import OwnDevice, open_own_device
from gatesolve.devices.providers import IbmDevice
from gatesolve.devices.tracked import TrackedSearch, drop_decoding
from gatesolve.errors import InputError
from gatesolve.pipelines.clock import Progress

if TYPE_CHECKING:
    from qiskit.primitives import BaseSamplerV2
    from qiskit.providers import BackendV2

PLANNED = {one.name: one for one in fields(JobRequest) if one.name not in {"device", "repeat"}}
"""The choices that only devices know, and ``shots``."""


class JobFields(DeviceFields, total=False):
    """The fields of `JobRequest` and of `DeviceFields` as keyword arguments; a test holds them equal."""

    shots: int
    decoupling: Decoupling
    twirl_gates: bool
    twirl_measure: bool
    seeds: int
    projection: Projection
    mitigate: bool
    force: bool


@partial(shows_options, shown={**PLANNED, **DEVICE_FIELDS})
def submit(
    problem: Source,
    device: str | BackendV2 | BaseSamplerV2 | None = None,
    *,
    family: str | None = None,
    again: bool = False,
    wait: bool = False,
    folder: str | Path | None = None,
    progress: Progress | bool | None = None,
    **choices: Unpack[JobFields],
) -> TrackedSearch:
    """Compile a problem for a device, keep the data that decodes its counts, and send it.

    What was asked before is found again, not sent twice: the job carries a hash of the problem and the choices as
    its tag. A call that was killed at any moment is repeated safely.

    Args:
        problem: what `gatesolve.solve` takes.
        device: name of an IBM backend, or of a fake one (``fake_torino``), which is simulated here with its noise; or
            an object of Qiskit's, any ``BackendV2`` or V2 sampler, whose jobs are this process's alone: each call asks
            it anew.
        family: puzzle family of a file.
        again: ask once more although the same was asked before.
        wait: for the outcome.
        folder: where jobs are kept; the user's data folder where None.
        progress: True for lines in a log too, False for no bar, or a function that is called with (stage, done, total).
        **choices: how the search is run on the device, and fields of `gatesolve.Options`.

    Returns:
        The search as it stands: its key, its jobs with the service's ids, what was estimated.

    Raises:
        InputError: bad input.
        InfeasibleError: proven to have no solution.
        DoesNotFitError: too large for the device, or would drown in its noise.
        BackendError: the service refused it or cannot be reached; the same call later goes on from there.
    """
    request, options, named, opened = _split(device, choices)
    store = Store(folder)
    with shown_progress(progress) as told:
        found = submit_search(
            problem,
            request,
            options,
            named=named,
            family=family,
            again=again,
            store=store,
            progress=told,
            device=opened,
        )
        if not wait:
            return found
        return fetch_search(found.key, wait=True, store=store, progress=told, given=found.device)


@partial(shows_options, shown={**PLANNED, **DEVICE_FIELDS})
def preview(
    problem: Source,
    device: str | BackendV2 | BaseSamplerV2 | None = None,
    *,
    family: str | None = None,
    progress: Progress | bool | None = None,
    **choices: Unpack[JobFields],
) -> list[dict[str, Any]]:
    """Preview the first job of `submit`: for each circuit its iterations or layers, counts and estimated success.

    Nothing is kept or sent. Args and raises: as `submit`.
    """
    request, options, named, opened = _split(device, choices)
    with shown_progress(progress) as told:
        forms = preview_search(problem, request, options, named=named, family=family, progress=told, device=opened)
    return [drop_decoding(one.record) for one in forms]


def fetch(
    job: str | TrackedSearch | None = None,
    *,
    device: BackendV2 | BaseSamplerV2 | None = None,
    wait: bool = False,
    folder: str | Path | None = None,
    progress: Progress | bool | None = None,
) -> TrackedSearch:
    """Fetch the state of a search, keep and judge its measurements, and send its next job if there is one.

    Args:
        job: what `submit` returned, the start of its key, or the service's id of one of its jobs; the latest if None.
        device: the object that it was sent to, where that was not a name and another process sent it.
        wait: until it is finished.
        folder: where jobs are kept; the user's data folder where None.
        progress: True for lines in a log too, False for no bar, or a function that is called with (stage, done, total).

    Raises:
        InputError: there is no such search.
        BackendError: the service cannot be reached; nothing is lost.
    """
    key, given = (job.key, job.device) if isinstance(job, TrackedSearch) else (job, None)
    with shown_progress(progress) as told:
        return fetch_search(key, wait=wait, store=Store(folder), progress=told, given=device or given)


def jobs(*, folder: str | Path | None = None) -> tuple[TrackedSearch | Damaged, ...]:
    """List all submitted searches, oldest first, in the last known state; the service is not asked.

    One whose record is damaged has a ``message`` instead of its jobs.

    Raises:
        InputError: the file of jobs is damaged as a whole, or of another version.
    """
    store = Store(folder)
    return tuple(track_search(store, search) for search in store.searches())


def _split(
    device: Any, choices: Mapping[str, Any]
) -> tuple[JobRequest, Options, Iterable[str], OwnDevice | IbmDevice | None]:
    """The request, the options, those that were named, and the device where it is an object."""
    check_names(choices, {*PLANNED, "family", "again", "wait", "folder", "progress"})
    if device is None and "backend" in choices:
        raise InputError("backend says what runs a solve: here it is device='fake_torino', or device= and the object")
    named = {name: value for name, value in choices.items() if name not in PLANNED}
    options = Options(**named)
    opened = (
        None
        if isinstance(device, str)
        else open_own_device(device, options.seed, any_status=choices.get("force", False))
    )
    request = JobRequest(
        device if opened is None else opened.name,
        **{name: value for name, value in choices.items() if name in PLANNED},
    )
    return request, options, named, opened
