"""Searches and jobs in an SQLite file: every change is on disk before the call that makes it returns."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from gatesolve.errors import InputError
from gatesolve.jobs.folder import data_folder, private_file, private_folder
from gatesolve.jobs.record import Job, JobStatus, Search, SearchStatus

VERSION = 1
"""Of the tables; written into the file."""
PATIENCE = 30.0
"""Seconds to wait for another process that is writing."""
FILE = "jobs.sqlite3"

_TABLES = """
CREATE TABLE searches (
    key TEXT PRIMARY KEY, created TEXT NOT NULL, title TEXT NOT NULL, device TEXT NOT NULL, problem TEXT NOT NULL,
    options TEXT NOT NULL, plan TEXT NOT NULL, versions TEXT NOT NULL, status TEXT NOT NULL, result TEXT
) STRICT;
CREATE TABLE jobs (
    search TEXT NOT NULL REFERENCES searches (key), step INTEGER NOT NULL, shots INTEGER NOT NULL,
    circuits BLOB NOT NULL, forms TEXT NOT NULL, status TEXT NOT NULL, remote TEXT, sending_at REAL, counts TEXT,
    reason TEXT NOT NULL, PRIMARY KEY (search, step)
) STRICT;
"""
_SEARCH = ("key", "created", "title", "device", "problem", "options", "plan", "versions", "status", "result")
_JOB = ("search", "step", "shots", "circuits", "forms", "status", "remote", "sending_at", "counts", "reason")
_AS_JSON = frozenset({"problem", "options", "plan", "versions", "result", "forms", "counts"})


class Store:
    """The file of searches and jobs.

    Args:
        folder: where it is; the user's data folder where None. Made if it is not there, closed to other users.

    Raises:
        InputError: the folder cannot be used, or the file is none of ours.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = private_folder(folder or data_folder(), (f"{FILE}*", "*.lock"))
        self.path = private_file(self.folder / FILE)
        with self._connected() as database:
            (version,) = database.execute("PRAGMA user_version").fetchone()
            if version == 0:
                _create(database)
            elif version != VERSION:
                raise InputError(
                    f"written by another version of gatesolve (form {version}, this one reads {VERSION}): "
                    "use that version, or move the file away",
                    source=str(self.path),
                )

    def add_search(self, search: Search) -> None:
        """Keep a new search; one of the same key that is already there stays as it is."""
        self._insert("searches", _SEARCH, search)

    def add_job(self, job: Job) -> None:
        """Keep a new job; the same step of the same search stays as it is."""
        self._insert("jobs", _JOB, job)

    def search(self, key: str) -> Search | None:
        """The search of that key."""
        found = self._select("searches", _SEARCH, "WHERE key = ?", (key,))
        return Search(**found[0]) if found else None

    def searches(self) -> tuple[Search, ...]:
        """All searches, oldest first."""
        return tuple(Search(**row) for row in self._select("searches", _SEARCH, "ORDER BY rowid", ()))

    def named(self, name: str | None) -> Search:
        """The search whose key starts with ``name``, or one of whose jobs has that id at the service.

        Args:
            name: None for the latest.

        Raises:
            InputError: there is none, or more than one.
        """
        if name is None:
            every = self.searches()
            if not every:
                raise InputError("there are no jobs: submit a problem with device=NAME first")
            return every[-1]
        keys = {s.key for s in self.searches() if name and s.key.startswith(name)}
        if name.isascii():  # as all ids are; SQLite takes no text that is no Unicode
            keys |= {row["search"] for row in self._select("jobs", ("search",), "WHERE remote = ?", (name,))}
        if len(keys) != 1:
            what = "more than one job" if keys else "no job"
            raise InputError(f"{what} is called '{name}': gatesolve jobs lists them")
        found = self.search(keys.pop())
        assert found is not None
        return found

    def jobs(self, search: str) -> tuple[Job, ...]:
        """The jobs of a search, in order."""
        rows = self._select("jobs", _JOB, "WHERE search = ? ORDER BY step", (search,))
        return tuple(_job(row) for row in rows)

    def mark_prepared(self, job: Job) -> Job:
        """Say that the job was refused, so that nothing was sent."""
        return self._update(job, "prepared", sending_at=None)

    def mark_sending(self, job: Job, at: float) -> Job:
        """Say that the job is about to be sent."""
        return self._update(job, "sending", sending_at=at)

    def mark_sent(self, job: Job, remote: str) -> Job:
        """Say under which id the service has the job."""
        return self._update(job, "sent", remote=remote)

    def mark_waiting(self, job: Job, status: str) -> Job:
        """Keep what the service said of a job that is not done."""
        return job if job.reason == status else self._update(job, "sent", reason=status)

    def mark_done(self, job: Job, counts: tuple[Mapping[str, int], ...]) -> Job:
        """Keep what was measured."""
        return self._update(job, "done", counts=counts, reason="")

    def mark_ended(self, job: Job, status: JobStatus, reason: str) -> Job:
        """Say that the job was cancelled or failed, and why."""
        return self._update(job, status, reason=reason)

    def close_search(self, search: Search, status: SearchStatus, result: Mapping[str, Any]) -> Search:
        """Keep what a search came to."""
        with self._connected() as database, database:
            database.execute(
                "UPDATE searches SET status = ?, result = ? WHERE key = ?", (status, json.dumps(result), search.key)
            )
        return replace(search, status=status, result=result)

    def _update(self, job: Job, status: JobStatus, **values: Any) -> Job:
        names = ", ".join(f"{name} = ?" for name in ("status", *values))
        written = [json.dumps(v) if name in _AS_JSON else v for name, v in values.items()]
        with self._connected() as database, database:
            database.execute(
                f"UPDATE jobs SET {names} WHERE search = ? AND step = ?", (status, *written, job.search, job.step)
            )
        return replace(job, status=status, **values)

    def _insert(self, table: str, columns: tuple[str, ...], record: Search | Job) -> None:
        values = [_written(name, getattr(record, name)) for name in columns]
        marks = ", ".join("?" for _ in columns)
        with self._connected() as database, database:
            database.execute(f"INSERT OR IGNORE INTO {table} ({', '.join(columns)}) VALUES ({marks})", values)

    def _select(self, table: str, columns: tuple[str, ...], rest: str, values: tuple[Any, ...]) -> list[dict[str, Any]]:
        with self._connected() as database:
            rows = database.execute(f"SELECT {', '.join(columns)} FROM {table} {rest}", values).fetchall()
        return [{name: self._read(name, value) for name, value in zip(columns, row, strict=True)} for row in rows]

    def _read(self, name: str, value: Any) -> Any:
        if name not in _AS_JSON or value is None:
            return value
        try:
            return json.loads(value)
        except ValueError as error:
            raise _damaged(self.path) from error

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(sqlite3.connect(self.path, timeout=PATIENCE)) as database:
                # A commit returns when the disk has it, so that what was sent is never unknown here.
                database.execute("PRAGMA synchronous = FULL")
                database.execute("PRAGMA foreign_keys = ON")
                yield database
        except sqlite3.OperationalError as error:
            raise InputError(f"cannot be used ({error}): free the disk, or try again", source=str(self.path)) from error
        except sqlite3.DatabaseError as error:
            raise _damaged(self.path) from error


def _create(database: sqlite3.Connection) -> None:
    """Make the tables, if no other process is quicker."""
    database.execute("BEGIN IMMEDIATE")
    (version,) = database.execute("PRAGMA user_version").fetchone()
    if version == 0:
        for statement in _TABLES.split(";"):
            if statement.strip():
                database.execute(statement)
        database.execute(f"PRAGMA user_version = {VERSION}")
    database.commit()


def _written(name: str, value: Any) -> Any:
    return json.dumps(value) if name in _AS_JSON and value is not None else value


def _job(row: dict[str, Any]) -> Job:
    counts = row["counts"]
    return Job(**{**row, "forms": tuple(row["forms"]), "counts": None if counts is None else tuple(counts)})


def _damaged(path: Path) -> InputError:
    return InputError(
        "no readable file of jobs: move it away, then gatesolve submit finds sent jobs again by their tags",
        source=str(path),
    )
