"""The store of a sweep: one JSON object a line, one line a candidate, so that a sweep goes on where it stopped."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from gatesolve.api.pareto.measure import Measured
from gatesolve.api.result import versions
from gatesolve.circuit.counting import Resources
from gatesolve.costs.front import Settings
from gatesolve.errors import InputError
from gatesolve.files import append_bytes, read_kept
from gatesolve.model import Model
from gatesolve.model.content import content_key


def candidate_key(model: Model, settings: Settings) -> str:
    """Hash of the problem, the candidate and the versions of what shapes its counts."""
    return content_key(model, settings, versions())


class Store:
    """Records by key, in memory and, where there is a path, in a file.

    A record is appended by a single write of its whole line. If that is cut short all the same, by a full disk or a
    lost machine, the rest of a line is passed over when the store is read, and the next record starts a new line. So is
    a line that is not as it was written: its candidate is measured again.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._records: dict[str, Measured] = {}
        self._torn = False
        if path is not None:
            self._read(path)

    def get(self, key: str) -> Measured | None:
        """What is known of a candidate."""
        return self._records.get(key)

    def put(self, key: str, found: Measured) -> None:
        """Keep what was found; on disk when this returns."""
        self._records[key] = found
        if self._path is None:
            return
        line = json.dumps({"key": key, **asdict(found), "seal": content_key(key, found)}) + "\n"
        data = (("\n" if self._torn else "") + line).encode()
        self._torn = True
        append_bytes(self._path, data)
        self._torn = False

    def _read(self, path: Path) -> None:
        data = read_kept(path) or b""
        append_bytes(path, b"")  # so that an unwritable store is found before any work is done
        self._torn = bool(data) and not data.endswith(b"\n")
        good, lines = 0, [line for line in data.splitlines() if line.strip()]
        for line in lines:
            record = _parse_line(line)
            if record is not None:
                key, found = record
                self._records[key] = found
                good += 1
        if lines and not good:
            raise InputError("not a store of a sweep: use another store", source=str(path))


def _parse_line(line: bytes) -> tuple[str, Measured] | None:
    try:
        data: dict[str, Any] = json.loads(line)
        key, seal = data.pop("key"), data.pop("seal")
        data["plain"] = tuple(Resources(**counts) for counts in data["plain"])
        found = Measured(**data)
        return (key, found) if seal == content_key(key, found) else None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
