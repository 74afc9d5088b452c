"""The public calls for devices: `submit`, `preview`, `fetch` and `jobs`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from gatesolve.api.device_search import Desk, DeviceSearch, fetch_search, preview_search, submit_search, track_search
from gatesolve.api.options import DEVICE_FIELDS, Options, check_names, shows_options
from gatesolve.api.shown_progress import shown_progress
from gatesolve.devices.job_request import JOB_FIELDS, JobFields, JobRequest
from gatesolve.devices.own_device import open_own_device
from gatesolve.devices.record import Damaged
from gatesolve.devices.store import Store
from gatesolve.devices.tracked import TrackedSearch, drop_decoding
from gatesolve.encodings.converter import unstructure
from gatesolve.errors import InputError
from gatesolve.formats.sources import Source
from gatesolve.planning.clock import Progress

if TYPE_CHECKING:
    from qiskit.primitives import BaseSamplerV2
    from qiskit.providers import BackendV2


@partial(shows_options, shown={**JOB_FIELDS, **DEVICE_FIELDS})
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
    asked, store = _ask(problem, device, family, choices), Store(folder)
    with shown_progress(progress) as told:
        desk = Desk(store, told)
        found = submit_search(asked, desk, again)
        return fetch_search(found.key, desk, wait=True, given=found.device) if wait else found


@partial(shows_options, shown={**JOB_FIELDS, **DEVICE_FIELDS})
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
    asked = _ask(problem, device, family, choices)
    with shown_progress(progress) as told:
        forms = preview_search(asked, told)
    return [drop_decoding(unstructure(one.record)) for one in forms]


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
        return fetch_search(key, Desk(Store(folder), told), wait, device or given)


def jobs(*, folder: str | Path | None = None) -> tuple[TrackedSearch | Damaged, ...]:
    """List all submitted searches, oldest first, in the last known state; the service is not asked.

    One whose record is damaged has a ``message`` instead of its jobs.

    Raises:
        InputError: the file of jobs is damaged as a whole, or of another version.
    """
    store = Store(folder)
    return tuple(track_search(store, search) for search in store.searches())


def _ask(problem: Source, device: Any, family: str | None, choices: Mapping[str, Any]) -> DeviceSearch:
    """Return what is asked of a device, which may be given as an object."""
    check_names(choices, {*JOB_FIELDS, "family", "again", "wait", "folder", "progress"})
    if device is None and "backend" in choices:
        raise InputError("backend says what runs a solve: here it is device='fake_torino', or device= and the object")
    named = {name: value for name, value in choices.items() if name not in JOB_FIELDS}
    options = Options(**named)
    opened = (
        None
        if isinstance(device, str)
        else open_own_device(device, options.seed, any_status=choices.get("force", False))
    )
    request = JobRequest(
        device if opened is None else opened.name,
        **{name: value for name, value in choices.items() if name in JOB_FIELDS},
    )
    return DeviceSearch(problem, request, options, named, family, opened)
