"""Searches and jobs as they are kept, in a folder of the user's own: what a device was asked, sent and gave back."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from gatesolve.devices.jobs.database import Database, Row
from gatesolve.devices.jobs.record import Damaged, DamagedError, Job, JobStatus, SearchRecord, SearchStatus
from gatesolve.errors import InputError
from gatesolve.files import as_path

FILE = "jobs.sqlite3"
VARIABLE = "GATESOLVE_HOME"
"""Environment variable that names another folder."""
PRIVATE_FOLDER = 0o700
PRIVATE_FILE = 0o600
Record = TypeVar("Record", SearchRecord, Job)


class Store:
    """The file of searches and jobs; to read one that is not as it was written raises `DamagedError`.

    Its folder, the user's data folder where None, is made if it is not there, and closed to other users.
    """

    def __init__(self, folder: str | Path | None = None) -> None:
        place = find_data_folder() if folder is None else as_path(folder, "folder")
        self.folder = make_private_folder(place, (f"{FILE}*", "*.lock"))
        self.path = make_private_file(self.folder / FILE)
        self._database = Database(self.path)

    def add_search(self, search: SearchRecord) -> None:
        """Keep a new search; one of the same key that is already there stays as it is."""
        self._database.add("searches", vars(search))

    def add_job(self, job: Job) -> None:
        """Keep a new job; the same step of the same search stays as it is."""
        self._database.add("jobs", vars(job))

    def search(self, key: str) -> SearchRecord | None:
        """The search of that key."""
        found = self._database.rows("searches", {"key": key})
        return _whole(_search(found[0])) if found else None

    def searches(self) -> tuple[SearchRecord | Damaged, ...]:
        """All searches, oldest first; a damaged one does not hide the others."""
        return tuple(map(_search, self._database.rows("searches", {})))

    def pick_search(self, name: str | None) -> SearchRecord:
        """The one search whose key starts with ``name``, or one of whose jobs has that id; the latest where None."""
        every = self.searches()
        if name is None:
            if not every:
                raise InputError("there are no jobs: submit a problem with device=NAME first")
            return _whole(every[-1])
        if not isinstance(name, str):
            raise InputError(f"{name!r:.60} is no key of a job: give a text, as gatesolve jobs lists them")
        found = {one.key: one for one in every if name and one.key.startswith(name)}
        if name.isascii():  # as all ids are; SQLite takes no text that is no Unicode
            keys = {job.search if isinstance(job, Job) else job.key for job in self._jobs(remote=name)}
            found |= {one.key: one for one in every if one.key in keys}
        if len(found) != 1:
            what = "more than one job" if found else "no job"
            raise InputError(f"{what} is called '{name}': gatesolve jobs lists them")
        return _whole(*found.values())

    def jobs(self, search: str) -> tuple[Job, ...]:
        """The jobs of a search, in order."""
        found = tuple(sorted(map(_whole, self._jobs(search=search)), key=lambda job: job.step))
        if [job.step for job in found] != list(range(len(found))):
            raise DamagedError(Damaged(search, self.path))
        return found

    def mark(self, job: Job, status: JobStatus, **values: Any) -> Job:
        """Keep how a job stands now, and other fields that changed with it; nothing is written for nothing."""
        new = {"status": status, **values}
        if new.items() <= vars(job).items():
            return job
        changed = self._database.change("jobs", {"search": job.search, "step": job.step}, new)
        return _whole(_job(changed))

    def close_search(self, search: SearchRecord, status: SearchStatus, result: Mapping[str, Any]) -> SearchRecord:
        """Keep what a search came to."""
        changed = self._database.change("searches", {"key": search.key}, {"status": status, "result": result})
        return _whole(_search(changed))

    def _jobs(self, **wanted: str) -> tuple[Job | Damaged, ...]:
        return tuple(map(_job, self._database.rows("jobs", wanted)))


def _search(row: Row | Damaged) -> SearchRecord | Damaged:
    return row if isinstance(row, Damaged) else SearchRecord(**row)


def _job(row: Row | Damaged) -> Job | Damaged:
    if isinstance(row, Damaged):
        return row
    counts = row["counts"]
    return Job(**{**row, "records": tuple(row["records"]), "counts": None if counts is None else tuple(counts)})


def _whole(record: Record | Damaged) -> Record:
    if isinstance(record, Damaged):
        raise DamagedError(record)
    return record


def find_data_folder() -> Path:
    """The folder named by ``GATESOLVE_HOME``, else the platform's folder for a user's data."""
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named).expanduser()
    from platformdirs import user_data_path

    return user_data_path("gatesolve", appauthor=False)


def make_private_folder(folder: Path, own: Sequence[str]) -> Path:
    """Make the folder if it is not there, and close it to other users, unless it holds files of others too.

    Such a folder, a home folder for example, stays open as it is; our files in it are closed one by one.
    """
    try:
        folder.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
        if all(any(path.match(pattern) for pattern in own) for path in folder.iterdir()):
            folder.chmod(PRIVATE_FOLDER)
    except OSError as error:
        raise refuse_place(folder, error.strerror) from error
    return folder


def make_private_file(path: Path) -> Path:
    """Make an empty file that others cannot read, or close the one that is there."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, PRIVATE_FILE))
        path.chmod(PRIVATE_FILE)
    except OSError as error:
        raise refuse_place(path, error.strerror) from error
    return path


def refuse_place(place: Path, why: str | None) -> InputError:
    """Jobs cannot be kept in a place."""
    return InputError(
        f"jobs cannot be kept here ({why}): set {VARIABLE} to a folder of your own on a local disk", source=str(place)
    )
