"""Sealed rows in an SQLite file: one that is not as it was written is told, and all others stay readable."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import fields
from pathlib import Path
from typing import Any

from gatesolve.devices.jobs.record import Damaged, Job, SearchRecord
from gatesolve.errors import InputError
from gatesolve.model.content import content_key

FORM = 4
"""Of the tables and what is in them; a file of another form is refused."""
PATIENCE = 30.0
"""Seconds to wait for another process that is writing."""
Row = dict[str, Any]
_FAULTS = (sqlite3.DatabaseError, UnicodeDecodeError)
"""What reading raises; the second where SQLite's own message quotes damaged text."""

_TABLES = """
CREATE TABLE searches (
    key TEXT PRIMARY KEY, created TEXT NOT NULL, title TEXT NOT NULL, device TEXT NOT NULL, problem TEXT NOT NULL,
    options TEXT NOT NULL, request TEXT NOT NULL, versions TEXT NOT NULL, status TEXT NOT NULL, result TEXT,
    seal TEXT NOT NULL
) STRICT;
CREATE TABLE jobs (
    search TEXT NOT NULL REFERENCES searches (key), step INTEGER NOT NULL, shots INTEGER NOT NULL,
    circuits BLOB NOT NULL, records TEXT NOT NULL, decoding TEXT NOT NULL, status TEXT NOT NULL, remote TEXT,
    sending_at REAL, counts TEXT, reason TEXT NOT NULL, seal TEXT NOT NULL, PRIMARY KEY (search, step)
) STRICT;
"""
_VALUES = {
    table: tuple(one.name for one in fields(kind)) for table, kind in (("searches", SearchRecord), ("jobs", Job))
}
"""The columns that a record fills; the first one names the search."""
_AS_JSON = frozenset({"problem", "options", "request", "versions", "result", "records", "counts"})
_PASSING = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PERM,
    }
)
"""What is no fault of the file's content."""


class Database:
    """The tables in a file; every change is on disk before the call that makes it returns.

    Each row has a seal, a hash of all its values, so that nothing is read that was not written: a bit that flipped on
    the disk could make another answer of a count, or a board of another domain.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with self._connect() as database:
            (version,) = database.execute("PRAGMA user_version").fetchone()
            if version not in {0, FORM}:
                raise InputError(
                    f"written by another version of gatesolve (form {version}, this one reads {FORM}): "
                    "use that version, or move the file away",
                    source=str(self.path),
                )
            if version == 0:
                _make_tables(database)

    def rows(self, table: str, wanted: Row) -> tuple[Row | Damaged, ...]:
        """The rows that have some values, oldest first."""
        with self._connect() as database:
            return tuple(self._row(database, table, n, wanted) for n in _find_numbers(database, table, wanted))

    def add(self, table: str, row: Row) -> None:
        """A new row; one of the same key that is already there stays as it is."""
        with self._connect() as database, database:
            database.execute(_insert_into(table), _seal_row(table, row))

    def change(self, table: str, wanted: Row, new: Row) -> Row | Damaged:
        """The one row that has some values, with others changed; a damaged one stays as it is."""
        with self._connect() as database, database:
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
        if values is None or values[-1] != content_key(table, values[:-1]):
            return Damaged(self._name(database, table, number), self.path)
        row = dict(zip(_VALUES[table], values, strict=False))
        if not wanted.items() <= row.items():  # an index that leads to another row
            return self._report_lost(wanted)
        return _decode_row(row)

    def _report_lost(self, wanted: Row) -> Damaged:
        """Return a report of a row that is not where it was, by the first of the values that it is looked up by."""
        return Damaged(next(iter(wanted.values())), self.path)

    def _name(self, database: sqlite3.Connection, table: str, number: int) -> str:
        """The key of a damaged row, as far as it can be one."""
        with suppress(*_FAULTS):
            row = database.execute(f"SELECT {_VALUES[table][0]} FROM {table} WHERE rowid = ?", (number,)).fetchone()
            if row is not None and re.fullmatch("[0-9a-z]{1,32}", key := str(row[0])):
                return key
        return f"in row {number} of {table}"

    @contextmanager
    def _connect(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(sqlite3.connect(self.path, timeout=PATIENCE)) as database:
                # A commit returns when the disk has it, so that what was sent is never unknown here.
                database.execute("PRAGMA synchronous = FULL")
                database.execute("PRAGMA foreign_keys = ON")
                yield database
        except _FAULTS as error:
            if _is_passing(error):
                what = f"cannot be used ({error}): free the disk, or try again"
            else:
                what = (
                    "no readable file of jobs: move it away, then gatesolve submit finds sent jobs again by their tags"
                )
            raise InputError(what, source=str(self.path)) from error


def _is_passing(error: Exception) -> bool:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in _PASSING


def _make_tables(database: sqlite3.Connection) -> None:
    """Make the tables of an empty file, if no other process is quicker."""
    database.execute("BEGIN IMMEDIATE")
    if database.execute("PRAGMA user_version").fetchone() == (0,):
        for statement in _TABLES.split(";"):
            if statement.strip():
                database.execute(statement)
        database.execute(f"PRAGMA user_version = {FORM}")
    database.commit()


def _decode_row(row: Row) -> Row:
    return {name: json.loads(value) if name in _AS_JSON and value is not None else value for name, value in row.items()}


def _insert_into(table: str) -> str:
    names = _list_columns(table)
    return f"INSERT OR IGNORE INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' for _ in names)})"


def _list_columns(table: str) -> tuple[str, ...]:
    return (*_VALUES[table], "seal")


def _find_numbers(database: sqlite3.Connection, table: str, wanted: Row) -> list[int]:
    """Return the numbers of the rows that have these values."""
    where = " AND ".join(f"{name} = ?" for name in wanted) or "TRUE"
    found = database.execute(f"SELECT rowid FROM {table} WHERE {where}", tuple(wanted.values())).fetchall()
    return sorted(number for (number,) in found)


def _seal_row(table: str, row: Row) -> list[Any]:
    values = [json.dumps(row[c]) if c in _AS_JSON and row[c] is not None else row[c] for c in _VALUES[table]]
    return [*values, content_key(table, values)]
