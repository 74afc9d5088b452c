"""The public calls for devices: `submit`, `preview`, `fetch` and `jobs`.

A search on a device is begun, advanced step by step, and read out when it ends.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
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
from gatesolve.devices.isa import DeviceBench, TooWideError
from gatesolve.devices.job_request import JOB_FIELDS, JobFields, JobRequest, check_decoupling, check_shots
from gatesolve.devices.own_device import MARK, OwnDevice, explain_lost, open_own_device, refuse_settings
from gatesolve.devices.providers import Device, open_device
from gatesolve.devices.readout import conclude_search
from gatesolve.devices.record import Damaged, DamagedError, Job, SearchRecord, decoding_key, tag_of
from gatesolve.devices.store import Store
from gatesolve.devices.tracked import TrackedSearch, drop_decoding
from gatesolve.encodings.converter import structure, unstructure
from gatesolve.errors import DoesNotFitError, GatesolveError, InputError, UnsupportedError
from gatesolve.formats.problem import Problem
from gatesolve.formats.problem_record import record_problem, restore_problem
from gatesolve.formats.sources import Source, as_problem
from gatesolve.model.content import content_key
from gatesolve.pipelines.device import End, NextCircuits, Round, Shots
from gatesolve.pipelines.ranking import OtherLayoutError
from gatesolve.pipelines.registry import find_pipeline, name_pipelines
from gatesolve.planning import Clock, Progress

if TYPE_CHECKING:
    from qiskit.primitives import BaseSamplerV2
    from qiskit.providers import BackendV2

REPEATED = 1_000_003
"""Added to the seed of a fake device for each repetition, which would otherwise give the same counts."""


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
    """Compile a problem for a device, store the data that decodes its counts, and send it.

    An identical request is found again, not sent twice: the job's tag is a hash of the problem and the choices. A call
    that was killed at any moment can safely be repeated.

    Args:
        problem: as for `gatesolve.solve`. The answer to a CPMpy model is judged by gatesolve's own form of the model,
            because a job cannot store CPMpy's objects.
        device: required. Name of an IBM backend, or of a fake one (``fake_torino``), which is simulated here with its
            noise. Or any ``BackendV2`` or V2 sampler of Qiskit: each call then sends a new job, and another process
            can fetch it only if the object has ``retrieve_job``.
        family: puzzle family of a file.
        again: send an identical request once more.
        wait: wait for the outcome.
        folder: where jobs are stored; None for the user's data folder.
        progress: None for a bar, True for lines in a log too, False for neither, or a function (stage, done, total).
        **choices: how the search is run on the device, and fields of `gatesolve.Options`.

    Returns:
        The search, with its key, its jobs and the service's ids for them, and its estimates.

    Raises:
        InputError: bad input.
        InfeasibleError: proven to have no solution.
        DoesNotFitError: too large for the device, or its signal would be lost in noise.
        BackendError: the service refused it or cannot be reached; the same call later continues from there.
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
    """Return what `submit` would send first, without storing or sending it. Args and raises: as `submit`.

    Returns:
        A dict for each circuit, with its ``iterations`` (of QAOA: layers). Its ``estimate`` has the gate counts and the
        estimated shares of solutions.
    """
    asked = _ask(problem, device, family, choices)
    source, chosen = _read_problem(asked)
    with shown_progress(progress) as told:
        found = _next_circuits(source, chosen, asked.request, asked.open(chosen.seed), Clock(told), ())
    assert not isinstance(found, End)
    return [drop_decoding(unstructure(one.record)) for one in found]


def fetch(
    job: str | TrackedSearch | None = None,
    *,
    device: BackendV2 | BaseSamplerV2 | None = None,
    wait: bool = False,
    folder: str | Path | None = None,
    progress: Progress | bool | None = None,
) -> TrackedSearch:
    """Fetch the state of a search, store and judge its measurements, and send its next job if there is one.

    Args:
        job: the result of `submit`, the start of its key, or the service's id of one of its jobs; the latest if None.
        device: the object that it was sent to, if it has no name and another process sent it.
        wait: wait until it is finished.
        folder: where jobs are stored; None for the user's data folder.
        progress: None for a bar, True for lines in a log too, False for neither, or a function (stage, done, total).

    Returns:
        The search in its new state; its status is ``solved`` once it has ended with an accepted answer.

    Raises:
        InputError: there is no such search.
        BackendError: the service cannot be reached; nothing is lost.
    """
    key, given = (job.key, job.device) if isinstance(job, TrackedSearch) else (job, None)
    with shown_progress(progress) as told:
        return fetch_search(key, Desk(Store(folder), told), wait, device or given)


def jobs(*, folder: str | Path | None = None) -> tuple[TrackedSearch | Damaged, ...]:
    """List all submitted searches, oldest first, in the last known state; the service is not asked.

    A search whose record is damaged has a ``message``, and no jobs.

    Args:
        folder: where jobs are stored; None for the user's data folder.

    Raises:
        InputError: the file of jobs is damaged as a whole, or of another version.
    """
    store = Store(folder)
    return tuple(track_search(store, search) for search in store.searches())


def _ask(problem: Source, device: Any, family: str | None, choices: Mapping[str, Any]) -> DeviceSearch:
    check_names(choices, {*JOB_FIELDS, "family", "again", "wait", "folder", "progress"})
    if device is None and "backend" in choices:
        raise InputError("backend is an option of solve: give device='fake_torino', or device= and the object")
    named = {name: value for name, value in choices.items() if name not in JOB_FIELDS}
    options, forced = Options(**named), choices.get("force", False)
    opened = None if isinstance(device, str) else open_own_device(device, options.seed, any_status=forced)
    own = {name: value for name, value in choices.items() if name in JOB_FIELDS}
    request = JobRequest(device if opened is None else opened.name, **own)
    return DeviceSearch(problem, request, options, named, family, opened)


@dataclass(frozen=True)
class DeviceSearch:
    """A requested search: the arguments of `submit`, and an open device unless the request names one.

    ``named`` are the options that the user gave, at their default or not.
    """

    problem: Any
    request: JobRequest
    options: Options
    named: Iterable[str] = ()
    family: str | None = None
    device: Device | None = None

    def open(self, seed: int) -> Device:
        """Return the device."""
        return self.device or open_device(self.request.device, seed, self.request.force)


@dataclass(frozen=True)
class Desk:
    """The store of searches, the receiver of stages, and the waiting times for the service."""

    store: Store
    progress: Progress | None = None
    pace: Pace = USUAL_PACE


def submit_search(asked: DeviceSearch, desk: Desk, again: bool = False) -> TrackedSearch:
    """Begin a search, as `gatesolve.submit`: compile, store, send. An identical request is not sent again."""
    source, chosen = _read_problem(asked)
    record, request, store = record_problem(source), asked.request, desk.store
    # A search that has ended is returned before the device is opened, so it needs no network.
    key = _hash_request(record, chosen, request)
    known = None if again else store.search(key)
    if known is not None and known.status != "open":
        return TrackedSearch(known, store.jobs(known.key))
    device = asked.open(chosen.seed)
    # Find the first repetition that, as far as is known, was not sent.
    while again and _was_sent(store, device, key):
        request = replace(request, repeat=request.repeat + 1)
        key = _hash_request(record, chosen, request)
    with lock_search(store, key):
        # Compared at the end: a job that another call had sent before is not new.
        before = _list_sendings(store, key)
        made_by = versions()
        # Only IBM's devices need its SDK.
        with suppress(PackageNotFoundError):
            made_by["qiskit-ibm-runtime"] = version("qiskit-ibm-runtime")
        now = datetime.now(UTC).isoformat(timespec="seconds")
        search = store.search(key) or SearchRecord(
            key, now, source.title, request.device, record, asdict(chosen), unstructure(request), made_by
        )
        search = _advance(desk, device, search, source, Clock(desk.progress), poll=False)
        new = not _list_sendings(store, key) <= before
    return TrackedSearch(search, store.jobs(key), new, device if isinstance(device, OwnDevice) else None)


def _list_sendings(store: Store, key: str) -> set[tuple[int, float]]:
    """Return the jobs of a search that this machine sent, with their times, without those found at the service."""
    return {(job.step, job.sending_at) for job in store.jobs(key) if job.sending_at is not None}


def _hash_request(record: dict[str, Any], options: Options, request: JobRequest) -> str:
    # Neither the file's name nor forcing changes the request.
    unnamed = {name: value for name, value in record.items() if name != "name"}
    return content_key(unnamed, options, replace(request, force=False))


def _was_sent(store: Store, device: Device, key: str) -> bool:
    """Return whether a search has begun, here or elsewhere, and its first job is not still being sent from here."""
    try:
        store.search(key)
        jobs = store.jobs(key)
    except DamagedError:
        # Unknown: a new repetition avoids the damaged record.
        return True
    # A call with ``again`` that was killed while sending is repeated, not counted as sent.
    if jobs:
        return jobs[0].status not in {"prepared", "sending"}
    return bool(device.look_up(tag_of(key, 0)))


def fetch_search(name: str | None, desk: Desk, wait: bool = False, given: Any = None) -> TrackedSearch:
    """Ask for the state of a search, store its counts, and send the next job if there is one: as `gatesolve.fetch`.

    ``given`` is the object that it was sent to, if that has no name.
    """
    store = desk.store
    search, device = store.pick_search(name), None
    if search.status == "open":
        with lock_search(store, search.key):
            # Another process may have closed it before the lock was acquired.
            search = store.search(search.key) or search
            source = restore_problem(search.problem)
            request = structure(search.request, JobRequest)
            device = _reopen(search, request, given)
            clock = Clock(desk.progress)
            # Jobs in this process are often done at once, so the pause starts short and doubles.
            pause = 0.05 if isinstance(device, OwnDevice) else desk.pace.poll
            while True:
                search = _advance(desk, device, search, source, clock, poll=True)
                if search.status != "open" or not wait:
                    break
                time.sleep(pause)
                pause = min(2 * pause, desk.pace.poll)
    return TrackedSearch(search, store.jobs(search.key), device=device if isinstance(device, OwnDevice) else None)


def _reopen(search: SearchRecord, request: JobRequest, given: Any) -> Device:
    if isinstance(given, OwnDevice) and given.name == search.device:
        return given
    seed = _read_options(search).seed + REPEATED * request.repeat
    if given is not None:
        found = open_own_device(given, seed, any_status=request.force, kept=search.device)
        if found is None:
            raise InputError(f"{given!r:.60} is neither a BackendV2 nor a V2 sampler of Qiskit's: leave out device")
        return found
    if MARK in search.device:
        raise explain_lost(search.device)
    return open_device(search.device, seed, request.force)


def _advance(
    desk: Desk, device: Device, search: SearchRecord, problem: Problem, clock: Clock, *, poll: bool
) -> SearchRecord:
    """Advance a search as far as possible without waiting; without ``poll`` only until a job is sent."""
    request, store = structure(search.request, JobRequest), desk.store
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
            # Still queued or running: the caller decides whether to wait.
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
    options, request = _read_options(search), structure(search.request, JobRequest)
    try:
        found = _next_circuits(problem, options, request, device, clock, jobs)
    except (DoesNotFitError, OtherLayoutError) as error:
        if not jobs:
            raise
        # Earlier measurements stay valid if the next circuit is too large for the device, or another version lays the
        # problem out differently.
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
    """Return why the device no longer exists; empty if it exists."""
    try:
        _ = device.backend
    except InputError as error:
        assert jobs[-1].remote is not None
        # Raises if the account is not the one that sent the jobs: then its answer is not about the device.
        device.state(jobs[-1].remote)
        return str(error)
    return ""


def _next_circuits(
    problem: Problem, options: Options, request: JobRequest, device: Device, clock: Clock, jobs: tuple[Job, ...]
) -> NextCircuits:
    # Circuits that the device would refuse are refused here, before anything is stored.
    bench = DeviceBench(request, device, options.seed, clock)
    if not jobs:
        refuse_settings(device, request)
        check_shots(bench.backend, request.shots)
    rounds = tuple(_read_round(job) for job in jobs)
    pipeline = find_pipeline(options.pipeline)
    layout = plan_problem(problem, options, clock, on_device=True)
    try:
        found: NextCircuits = pipeline.send(problem, layout, pipeline.take(options), clock, bench, rounds)
    except TooWideError as error:
        # Other pipelines build further oracles, of which planning knows nothing.
        fit = _name_fitting(problem, options, clock, bench.backend.num_qubits) if pipeline.has_one_oracle else ""
        raise DoesNotFitError(f"{error}{fit}") from error
    if not isinstance(found, End):
        check_decoupling([one.circuit for one in found], request)
    return found


def _name_fitting(problem: Problem, options: Options, clock: Clock, room: int) -> str:
    """Return options that fit so many qubits, as the end of a message; empty if none are found."""
    for start in (options, replace(options, encoding="table")):
        with suppress(GatesolveError):
            width = plan_problem(problem, start, clock, on_device=True).space.num_qubits
            found = replace(start, ancillas=room - width)
            # Another space may be chosen within the limit.
            if plan_problem(problem, found, clock, on_device=True).space.num_qubits <= width:
                table = "" if start is options else "encoding='table' and "
                return f", or {table}ancillas={room - width}"
    return ""


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


def _read_problem(asked: DeviceSearch) -> tuple[Problem, Options]:
    source, options, named = as_problem(asked.problem, asked.family), asked.options, asked.named
    # "auto" would stand for grover, which does not minimise by itself.
    if options.pipeline == "auto" and source.model.objective is not None:
        options = replace(options, pipeline="gas")
    chosen = settle_options(options, source, named)
    pipeline = find_pipeline(chosen.pipeline)
    if pipeline.send is None:
        mend = name_pipelines(lambda one: one.send is not None)
        raise UnsupportedError(f"pipeline='{chosen.pipeline}' has no circuit to send: use {mend}")
    if source.model.objective is not None and not pipeline.minimises:
        mend = name_pipelines(lambda one: one.send is not None and one.minimises)
        raise InputError(f"the problem has an objective: use {mend} on a device")
    for name in given_options(chosen, named):
        # An ignored option would also change the key, and the same request would not be recognised.
        if name not in DEVICE_FIELDS:
            raise InputError(f"{name} has no meaning on a device: leave out {name}")
    return source, chosen


def track_search(store: Store, search: SearchRecord | Damaged) -> TrackedSearch | Damaged:
    """Return the search with its jobs, if all of them can be read."""
    try:
        return search if isinstance(search, Damaged) else TrackedSearch(search, store.jobs(search.key))
    except DamagedError as error:
        return error.record
