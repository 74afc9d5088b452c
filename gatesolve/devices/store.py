"""Stored searches and jobs, in a folder of the user's own: requests, sent jobs and results."""

from __future__ import annotations

import json
import os
import re
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

from gatesolve.devices.record import Damaged, DamagedError, Job, JobStatus, SearchRecord, SearchStatus
from gatesolve.errors import InputError
from gatesolve.files import as_path
from gatesolve.model.content import content_key

FORM = 5
"""Version of the tables and their content; a file of another version is refused."""
PATIENCE = 30.0
"""Seconds to wait for another process that is writing."""
Row = dict[str, Any]
_FAULTS = (sqlite3.DatabaseError, UnicodeDecodeError)
"""Errors when reading; the second where SQLite's own message quotes damaged text."""
_TABLES = (
    """CREATE TABLE searches (
    key TEXT PRIMARY KEY, created TEXT NOT NULL, title TEXT NOT NULL, device TEXT NOT NULL, problem TEXT NOT NULL,
    options TEXT NOT NULL, request TEXT NOT NULL, versions TEXT NOT NULL, status TEXT NOT NULL, result TEXT,
    seal TEXT NOT NULL
) STRICT""",
    """CREATE TABLE jobs (
    search TEXT NOT NULL REFERENCES searches (key), step INTEGER NOT NULL, shots INTEGER NOT NULL,
    circuits BLOB NOT NULL, records TEXT NOT NULL, decoding TEXT NOT NULL, status TEXT NOT NULL, remote TEXT,
    sending_at REAL, counts TEXT, reason TEXT NOT NULL, seal TEXT NOT NULL, PRIMARY KEY (search, step)
) STRICT""",
)
_VALUES = {
    table: tuple(one.name for one in fields(kind)) for table, kind in (("searches", SearchRecord), ("jobs", Job))
}
"""The columns that a record fills; the first one names the search."""
_AS_JSON = frozenset({"problem", "options", "request", "versions", "result", "records", "counts"})
_NAMES = ("BUSY", "LOCKED", "FULL", "IOERR", "READONLY", "CANTOPEN", "PERM")
_PASSING = frozenset(getattr(sqlite3, f"SQLITE_{name}") for name in _NAMES)
"""Error codes that are not the fault of the file's content."""
FILE = "jobs.sqlite3"
VARIABLE = "GATESOLVE_HOME"
"""Environment variable that names another folder."""
PRIVATE_FOLDER = 0o700
PRIVATE_FILE = 0o600
Record = TypeVar("Record", SearchRecord, Job)


class Database:
    """The tables in a file; every change is on disk before the call that makes it returns.

    Each row has a seal, a hash of all its values. A damaged row is therefore detected when it is read: a flipped bit on
    the disk could change a count or a board.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with self._connect() as database:
            (version,) = database.execute("PRAGMA user_version").fetchone()
            # SQLite's version of a new file is 0.
            if version not in {0, FORM}:
                raise InputError(
                    f"written by another version of gatesolve (form {version}, this one reads {FORM}): "
                    "use that version, or move the file away",
                    source=str(self.path),
                )
            if version == 0:
                database.execute("BEGIN IMMEDIATE")
                # Asked again under the write lock: another process may have been faster.
                if database.execute("PRAGMA user_version").fetchone() == (0,):
                    for statement in (*_TABLES, f"PRAGMA user_version = {FORM}"):
                        database.execute(statement)
                database.commit()

    def rows(self, table: str, wanted: Row) -> tuple[Row | Damaged, ...]:
        """Return the rows that have some values, oldest first."""
        with self._connect() as database:
            return tuple(self._row(database, table, n, wanted) for n in _find_numbers(database, table, wanted))

    def add(self, table: str, row: Row) -> None:
        """Add a new row; an existing one of the same key stays unchanged."""
        names = _list_columns(table)
        places = ", ".join("?" for _ in names)
        with self._connect() as database, database:
            # The names of tables and columns are ours; only values come from outside, as parameters.
            insert = f"INSERT OR IGNORE INTO {table} ({', '.join(names)}) VALUES ({places})"
            database.execute(insert, _seal_row(table, row))

    def change(self, table: str, wanted: Row, new: Row) -> Row | Damaged:
        """Change some values of the one row that has others, and return it; a damaged one stays unchanged."""
        with self._connect() as database, database:
            # A write lock from the start: between reading and writing no other process may change the row.
            database.execute("BEGIN IMMEDIATE")
            numbers = _find_numbers(database, table, wanted)
            row = self._row(database, table, numbers[0], wanted) if numbers else self._report_lost(wanted)
            if isinstance(row, dict):
                row |= new
                setting = ", ".join(f"{name} = ?" for name in _list_columns(table))
                database.execute(f"UPDATE {table} SET {setting} WHERE rowid = ?", (*_seal_row(table, row), numbers[0]))
            return row

    def _row(self, database: sqlite3.Connection, table: str, number: int, wanted: Row) -> Row | Damaged:
        values = None
        try:
            chosen = f"SELECT {', '.join(_list_columns(table))} FROM {table} WHERE rowid = ?"
            values = database.execute(chosen, (number,)).fetchone()
        except _FAULTS as error:
            if _is_passing(error):
                raise
        # The table's name is sealed too, so that a row of one table is not valid in the other.
        if values is None or values[-1] != content_key(table, values[:-1]):
            return Damaged(self._name(database, table, number), self.path)
        row = dict(zip(_VALUES[table], values, strict=False))
        # A damaged index may lead to another row, whose own seal is right.
        if not wanted.items() <= row.items():
            return self._report_lost(wanted)
        return {name: json.loads(value) if name in _AS_JSON and value else value for name, value in row.items()}

    def _report_lost(self, wanted: Row) -> Damaged:
        """Report a row that is not where it was, by the first of the values that it is looked up by."""
        return Damaged(next(iter(wanted.values())), self.path)

    def _name(self, database: sqlite3.Connection, table: str, number: int) -> str:
        """Return the key of a damaged row, if it still looks like one."""
        with suppress(*_FAULTS):
            row = database.execute(f"SELECT {_VALUES[table][0]} FROM {table} WHERE rowid = ?", (number,)).fetchone()
            if row is not None and re.fullmatch("[0-9a-z]{1,32}", key := str(row[0])):
                return key
        return f"in row {number} of {table}"

    @contextmanager
    def _connect(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(sqlite3.connect(self.path, timeout=PATIENCE)) as database:
                # A commit returns when the data is on disk: a job that was sent is never missing here.
                database.execute("PRAGMA synchronous = FULL")
                database.execute("PRAGMA foreign_keys = ON")
                yield database
        except _FAULTS as error:
            if _is_passing(error):
                what = f"cannot be used ({error}): free the disk, or try again"
            else:
                what = "not a readable file of jobs: move it away, then gatesolve submit finds sent jobs by their tags"
            raise InputError(what, source=str(self.path)) from error


def _is_passing(error: Exception) -> bool:
    # The lowest byte is the primary code; the others refine it.
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in _PASSING


def _list_columns(table: str) -> tuple[str, ...]:
    return (*_VALUES[table], "seal")


def _find_numbers(database: sqlite3.Connection, table: str, wanted: Row) -> list[int]:
    where = " AND ".join(f"{name} = ?" for name in wanted) or "TRUE"
    found = database.execute(f"SELECT rowid FROM {table} WHERE {where}", tuple(wanted.values())).fetchall()
    return sorted(number for (number,) in found)


def _seal_row(table: str, row: Row) -> list[Any]:
    values = [json.dumps(row[c]) if c in _AS_JSON and row[c] is not None else row[c] for c in _VALUES[table]]
    return [*values, content_key(table, values)]


class Store:
    """The file of searches and jobs; reading a damaged record raises `DamagedError`.

    Its folder (None for the user's data folder) is created if necessary, and closed to other users.
    """

    def __init__(self, folder: str | Path | None = None) -> None:
        self.folder = place = find_data_folder() if folder is None else as_path(folder, "folder")
        self.path = self.folder / FILE
        try:
            self.folder.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
            # A folder with other files, such as a home folder, stays as open as it is; our files in it are closed one
            # by one.
            if all(path.match(f"{FILE}*") or path.match("*.lock") for path in self.folder.iterdir()):
                self.folder.chmod(PRIVATE_FOLDER)
            place = self.path
            os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, PRIVATE_FILE))
            # The mode of os.open counts only for a new file, and less the umask.
            self.path.chmod(PRIVATE_FILE)
        except OSError as error:
            raise refuse_place(place, error.strerror) from error
        self._database = Database(self.path)

    def add_search(self, search: SearchRecord) -> None:
        """Store a new search; an existing one of the same key stays unchanged."""
        self._database.add("searches", vars(search))

    def add_job(self, job: Job) -> None:
        """Store a new job; an existing one of the same step stays unchanged."""
        self._database.add("jobs", vars(job))

    def search(self, key: str) -> SearchRecord | None:
        """Return the search of that key."""
        found = self._database.rows("searches", {"key": key})
        return _whole(_search(found[0])) if found else None

    def searches(self) -> tuple[SearchRecord | Damaged, ...]:
        """Return all searches, oldest first; a damaged one does not hide the others."""
        return tuple(map(_search, self._database.rows("searches", {})))

    def pick_search(self, name: str | None) -> SearchRecord:
        """Return the one search whose key starts with ``name``, or with a job of that id; the latest where None.

        Raises:
            InputError: there is none, or more than one.
            DamagedError: its record is damaged.
        """
        every = self.searches()
        if name is None:
            if not every:
                raise InputError("there are no jobs: submit a problem with device=NAME first")
            # Rows are numbered as they are added, so the last one is the latest.
            return _whole(every[-1])
        if not isinstance(name, str):
            raise InputError(f"{name!r:.60} is not the key of a job: give a text, as gatesolve jobs lists them")
        # An empty text is the start of every key, and would select the only search by accident.
        found = {one.key: one for one in every if name and one.key.startswith(name)}
        # All ids are ASCII, and SQLite refuses text that is not Unicode.
        if name.isascii():
            keys = {job.search if isinstance(job, Job) else job.key for job in self._jobs(remote=name)}
            found |= {one.key: one for one in every if one.key in keys}
        if len(found) != 1:
            what = "more than one job" if found else "no job"
            raise InputError(f"{what} is called '{name}': gatesolve jobs lists them")
        return _whole(*found.values())

    def jobs(self, search: str) -> tuple[Job, ...]:
        """Return the jobs of a search, in order."""
        found = tuple(sorted(map(_whole, self._jobs(search=search)), key=lambda job: job.step))
        # A missing step means a lost row: the next job must not be chosen from a part of the measurements.
        if [job.step for job in found] != list(range(len(found))):
            raise DamagedError(Damaged(search, self.path))
        return found

    def mark(self, job: Job, status: JobStatus, **values: Any) -> Job:
        """Store the status of a job and other changed fields; write nothing if nothing changed."""
        new = {"status": status, **values}
        # Polling a job every few seconds would otherwise write to the disk each time.
        if new.items() <= vars(job).items():
            return job
        changed = self._database.change("jobs", {"search": job.search, "step": job.step}, new)
        return _whole(_job(changed))

    def close_search(self, search: SearchRecord, status: SearchStatus, result: Mapping[str, Any]) -> SearchRecord:
        """Store the result of a search."""
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
    """Return the folder named by ``GATESOLVE_HOME``, else the platform's folder for a user's data."""
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named).expanduser()
    from platformdirs import user_data_path

    return user_data_path("gatesolve", appauthor=False)


def refuse_place(place: Path, why: str | None) -> InputError:
    """Return the error for a place where jobs cannot be stored."""
    return InputError(
        f"jobs cannot be kept here ({why}): set {VARIABLE} to a folder of your own on a local disk", source=str(place)
    )
