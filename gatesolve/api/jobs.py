"""The public calls for devices: `submit`, `preview`, `fetch` and `jobs`.

A search on a device is begun, advanced step by step, and read out when it ends.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from gatesolve.api.calls import plan_problem, settle_options
from gatesolve.api.options import DEVICE_FIELDS, Options, check_names, given_options, shows_options
from gatesolve.api.result import versions
from gatesolve.api.shown_progress import shown_progress
from gatesolve.circuit.qasm import encode_qpy
from gatesolve.devices.advance import USUAL_PACE, Pace, fetch_counts, lock_search, send_once
from gatesolve.devices.checks import check_fit, check_shots
from gatesolve.devices.isa import DeviceBench
from gatesolve.devices.job_request import JOB_FIELDS, JobFields, JobRequest
from gatesolve.devices.own_device import MARK, OwnDevice, explain_lost, open_own_device, refuse_settings
from gatesolve.devices.providers import Device, open_device
from gatesolve.devices.readout import conclude_search
from gatesolve.devices.record import Damaged, DamagedError, Job, SearchRecord, decoding_key, tag_of
from gatesolve.devices.store import Store
from gatesolve.devices.tracked import TrackedSearch, drop_decoding
from gatesolve.encodings.converter import structure, unstructure
from gatesolve.errors import DoesNotFitError, InputError, UnsupportedError
from gatesolve.formats.problem import Problem
from gatesolve.formats.problem_record import record_problem, restore_problem
from gatesolve.formats.sources import Source, as_problem
from gatesolve.model.content import content_key
from gatesolve.pipelines.device import DeviceCircuit, End, NextCircuits, Round, Shots
from gatesolve.pipelines.ranking import OtherLayoutError
from gatesolve.pipelines.registry import find_pipeline, name_pipelines
from gatesolve.planning import Clock, Progress

if TYPE_CHECKING:
    from qiskit.primitives import BaseSamplerV2
    from qiskit.providers import BackendV2

REPEATED = 1_000_003
"""Added to the seed of a fake device each time the same is asked again: it would measure the same again otherwise."""


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


@dataclass(frozen=True)
class DeviceSearch:
    """A search that somebody asks a device for.

    Attributes:
        problem: what `gatesolve.solve` takes.
        request: how it is run on the device.
        options: those of any search.
        named: options that the user gave, at their default or not.
        family: puzzle family of a file.
        device: the one that the request names where None.
    """

    problem: Any
    request: JobRequest
    options: Options
    named: Iterable[str] = ()
    family: str | None = None
    device: Device | None = None

    def open(self, seed: int) -> Device:
        """The device."""
        return self.device or open_device(self.request.device, seed, self.request.force)


@dataclass(frozen=True)
class Desk:
    """Where searches are kept, and how long is waited for the service.

    Attributes:
        store: keeps searches and jobs.
        progress: is told of stages.
        pace: seconds to wait for what.
    """

    store: Store
    progress: Progress | None = None
    pace: Pace = USUAL_PACE


def submit_search(asked: DeviceSearch, desk: Desk, again: bool = False) -> TrackedSearch:
    """Begin a search, as `gatesolve.submit`: compile, keep, send. What was asked before is not sent again."""
    source, chosen = _read_problem(asked)
    record, request, store = record_problem(source), asked.request, desk.store
    known = None if again else store.search(_hash_request(record, chosen, request))
    if known is not None and known.status != "open":
        return TrackedSearch(known, store.jobs(known.key))
    device = asked.open(chosen.seed)
    key = _hash_request(record, chosen, request)
    while again and _was_sent(store, device, key):  # of the first repetition that was not sent, as far as is known
        request = replace(request, repeat=request.repeat + 1)
        key = _hash_request(record, chosen, request)
    with lock_search(store, key):
        before = _list_sendings(store, key)
        made_by = {**versions(), **_version_of_sdk()}
        now = datetime.now(UTC).isoformat(timespec="seconds")
        search = store.search(key) or SearchRecord(
            key, now, source.title, request.device, record, asdict(chosen), unstructure(request), made_by
        )
        search = _advance(desk, device, search, source, Clock(desk.progress), poll=False)
        new = not _list_sendings(store, key) <= before
    return TrackedSearch(search, store.jobs(key), new, device if isinstance(device, OwnDevice) else None)


def _version_of_sdk() -> dict[str, str]:
    """IBM's, which devices of others do without."""
    name = "qiskit-ibm-runtime"
    try:
        return {name: version(name)}
    except PackageNotFoundError:
        return {}


def _list_sendings(store: Store, key: str) -> set[tuple[int, float]]:
    """When this machine sent which job of a search; none of those that were found at the service."""
    return {(job.step, job.sending_at) for job in store.jobs(key) if job.sending_at is not None}


def _hash_request(record: dict[str, Any], options: Options, request: JobRequest) -> str:
    """The key of what is asked, whatever the file is called that it is from, and whether or not it is forced."""
    unnamed = {name: value for name, value in record.items() if name != "name"}
    return content_key(unnamed, options, replace(request, force=False))


def _was_sent(store: Store, device: Device, key: str) -> bool:
    """Whether a search has begun, here or elsewhere; not if its first job is still on its way from here.

    So a call with ``again`` that was killed is repeated safely, too.
    """
    try:
        store.search(key)
        jobs = store.jobs(key)
    except DamagedError:
        return True  # it cannot be told, and nothing is built on what is damaged
    if jobs:
        return jobs[0].status not in {"prepared", "sending"}
    return bool(device.look_up(tag_of(key, 0)))


def preview_search(asked: DeviceSearch, progress: Progress | None = None) -> tuple[DeviceCircuit, ...]:
    """The circuits that `submit_search` would send first; nothing is kept or sent."""
    source, chosen = _read_problem(asked)
    found = _next_circuits(source, chosen, asked.request, asked.open(chosen.seed), Clock(progress), ())
    assert not isinstance(found, End)
    return found


def fetch_search(name: str | None, desk: Desk, wait: bool = False, given: Any = None) -> TrackedSearch:
    """Ask how a search stands, keep what was measured, send the next job if there is one: as `gatesolve.fetch`.

    ``given`` is the object that it was sent to, where that is no device of a name.
    """
    store = desk.store
    search, device = store.pick_search(name), None
    if search.status == "open":
        with lock_search(store, search.key):
            search = store.search(search.key) or search  # it may have been closed before it was locked
            source = restore_problem(search.problem)
            request = _read_request(search)
            device = _reopen(search, request, given)
            clock = Clock(desk.progress)
            # What runs in this process is often done at once.
            pause = 0.05 if isinstance(device, OwnDevice) else desk.pace.poll
            while True:
                search = _advance(desk, device, search, source, clock, poll=True)
                if search.status != "open" or not wait:
                    break
                time.sleep(pause)
                pause = min(2 * pause, desk.pace.poll)
    return TrackedSearch(search, store.jobs(search.key), device=device if isinstance(device, OwnDevice) else None)


def _reopen(search: SearchRecord, request: JobRequest, given: Any) -> Device:
    """The device that a search was sent to."""
    if isinstance(given, OwnDevice) and given.name == search.device:
        return given
    seed = _read_options(search).seed + REPEATED * request.repeat
    if given is not None:
        found = open_own_device(given, seed, any_status=request.force, kept=search.device)
        if found is None:
            raise InputError(f"{given!r:.60} is no BackendV2 and no V2 sampler of Qiskit's: leave out device")
        return found
    if MARK in search.device:
        raise explain_lost(search.device)
    return open_device(search.device, seed, request.force)


def _advance(
    desk: Desk, device: Device, search: SearchRecord, problem: Problem, clock: Clock, *, poll: bool
) -> SearchRecord:
    """Advance a search as far as it goes without waiting; without ``poll`` only until a job is sent."""
    request, store = _read_request(search), desk.store
    while search.status == "open":
        jobs = store.jobs(search.key)
        last = jobs[-1] if jobs else None
        if last is None or last.status == "done":
            search = _keep_next(store, device, search, problem, clock, jobs)
        elif last.status in {"prepared", "sending"}:
            with clock.stage("send"):
                send_once(store, device, last, request, desk.pace)
        elif last.status == "sent":
            if not poll:
                return search
            with clock.stage("fetch"):
                job = fetch_counts(store, device, last, request)
            if job.status == "sent":
                return search
        else:
            return store.close_search(search, "failed", _conclude(problem, search, jobs, ""))
    return search


def _conclude(problem: Problem, search: SearchRecord, jobs: tuple[Job, ...], note: str) -> dict[str, Any]:
    found = conclude_search(problem, search, jobs, note)
    return found | {"board": problem.board(found["solution"])}


def _keep_next(
    store: Store, device: Device, search: SearchRecord, problem: Problem, clock: Clock, jobs: tuple[Job, ...]
) -> SearchRecord:
    options, request = _read_options(search), _read_request(search)
    try:
        found = _next_circuits(problem, options, request, device, clock, jobs)
    except (DoesNotFitError, OtherLayoutError) as error:
        if not jobs:
            raise
        # What was measured so far is not given up because the next circuit is too much for the device, or because
        # another version lays the problem out differently.
        found = End(f"ended early: {error}")
    except InputError:
        gone = _explain_gone(device, jobs) if jobs else ""
        if not gone:
            raise
        found = End(f"ended early: {gone}")
    if isinstance(found, End):
        result = _conclude(problem, search, jobs, found.note)
        return store.close_search(search, "solved" if result["solution"] is not None else "unsolved", result)
    if not jobs:
        store.add_search(search)
    circuits, records = encode_qpy(*(one.circuit for one in found)), tuple(unstructure(one.record) for one in found)
    store.add_job(Job(search.key, len(jobs), request.shots, circuits, records, decoding_key(records)))
    return search


def _explain_gone(device: Device, jobs: tuple[Job, ...]) -> str:
    """Why there is no such device any more; empty if there is.

    Raises where the account is not the one that the jobs were sent with, so that it says nothing of the device.
    """
    try:
        _ = device.backend
    except InputError as error:
        assert jobs[-1].remote is not None
        device.state(jobs[-1].remote)
        return str(error)
    return ""


def _next_circuits(
    problem: Problem, options: Options, request: JobRequest, device: Device, clock: Clock, jobs: tuple[Job, ...]
) -> NextCircuits:
    """Return the circuits after these jobs, refused now where the device would refuse them, before anything is kept."""
    bench = DeviceBench(request, device, options.seed, clock)
    if not jobs:
        refuse_settings(device, request)
        check_shots(bench.backend, request.shots)
    rounds = tuple(_read_round(job) for job in jobs)
    pipeline = find_pipeline(options.pipeline)
    layout = plan_problem(problem, options, clock, on_device=True)
    found: NextCircuits = pipeline.send(problem, layout, pipeline.take(options), clock, bench, rounds)
    if not isinstance(found, End):
        check_fit(bench.backend, [one.circuit for one in found], request)
    return found


def _read_round(job: Job) -> Round:
    pairs = zip(job.forms, job.counts or (), strict=True)
    circuits = tuple(Shots(record, record.postprocessing.states(counts)) for record, counts in pairs)
    return Round(job.search, job.shots, circuits)


def _read_options(search: SearchRecord) -> Options:
    try:
        return Options(**search.options)
    except InputError as error:
        made = search.versions.get("gatesolve", "another version")
        raise InputError(
            f"job {search.key} was begun by gatesolve {made}, with other options: fetch it there"
        ) from error


def _read_request(search: SearchRecord) -> JobRequest:
    return structure(search.request, JobRequest)


def _read_problem(asked: DeviceSearch) -> tuple[Problem, Options]:
    source, options, named = as_problem(asked.problem, asked.family), asked.options, asked.named
    if options.pipeline == "auto" and source.model.objective is not None:
        options = replace(options, pipeline="gas")
    chosen = settle_options(options, source, named)
    pipeline = find_pipeline(chosen.pipeline)
    if pipeline.send is None:
        mend = name_pipelines(lambda one: one.send is not None)
        raise UnsupportedError(f"pipeline='{chosen.pipeline}' has no circuit to send: use {mend}")
    if source.model.objective is not None and not pipeline.minimises:
        mend = name_pipelines(lambda one: one.send is not None and one.minimises)
        raise InputError(f"something is to be made small or large: use {mend} on a device")
    for name in given_options(chosen, named):
        if name not in DEVICE_FIELDS:  # it was not meant to be ignored, and the same request would not be known again
            raise InputError(f"{name} has no meaning on a device: leave out {name}")
    return source, chosen


def track_search(store: Store, search: SearchRecord | Damaged) -> TrackedSearch | Damaged:
    """The search with its jobs, if all of them can be read."""
    try:
        return search if isinstance(search, Damaged) else TrackedSearch(search, store.jobs(search.key))
    except DamagedError as error:
        return error.record
