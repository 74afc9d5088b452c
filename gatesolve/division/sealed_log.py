"""A file of records by key, one JSON object a line, that only ever grows, so that work goes on where it stopped."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from gatesolve.errors import InputError
from gatesolve.files import append_bytes, read_kept
from gatesolve.model.content import content_key


class SealedLog:
    """Data by key, in memory and, where there is a path, in a file.

    A record is appended by a single write of its whole line. A full disk or a lost machine can still cut a line short.
    A line that was cut short or changed is ignored when the file is read, so its work is done again.

    Args:
        path: the file, made if it is not there; None for memory alone.
        fault: message for a file that has lines, but no record among them.

    Raises:
        InputError: the file cannot be read or written, or holds no record.
    """

    def __init__(self, path: Path | None, fault: str) -> None:
        self._path = path
        self._records: dict[str, dict[str, Any]] = {}
        self._torn = False
        if path is not None:
            self._read(path, fault)

    def get(self, key: str) -> dict[str, Any] | None:
        """Return the data under a key; None if there is none."""
        return self._records.get(key)

    def put(self, key: str, data: dict[str, Any]) -> None:
        """Store some data; it is on disk when this returns."""
        self._records[key] = data
        if self._path is None:
            return
        line = json.dumps({"key": key, **data, "seal": content_key(key, data)}) + "\n"
        # After a line that was cut short, the record starts a new one. Until the write returns, it may be cut too.
        written = (("\n" if self._torn else "") + line).encode()
        self._torn = True
        append_bytes(self._path, written)
        self._torn = False

    def _read(self, path: Path, fault: str) -> None:
        data = read_kept(path) or b""
        # An unwritable file is reported before any work is done.
        append_bytes(path, b"")
        self._torn = bool(data) and not data.endswith(b"\n")
        lines = [line for line in data.splitlines() if line.strip()]
        for line in lines:
            record = _parse_line(line)
            if record is not None:
                key, found = record
                self._records[key] = found
        if lines and not self._records:
            raise InputError(fault, source=str(path))


def _parse_line(line: bytes) -> tuple[str, dict[str, Any]] | None:
    try:
        data: dict[str, Any] = json.loads(line)
        key, seal = data.pop("key"), data.pop("seal")
        return (key, data) if seal == content_key(key, data) else None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
