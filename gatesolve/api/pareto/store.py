"""The store of a sweep: one record a candidate, so that a sweep goes on where it stopped."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from gatesolve.api.pareto.measure import Measured
from gatesolve.api.result import versions
from gatesolve.api.sealed_log import SealedLog
from gatesolve.circuit.counting import Resources
from gatesolve.costs.front import Settings
from gatesolve.model import Model
from gatesolve.model.content import content_key


def candidate_key(model: Model, settings: Settings) -> str:
    """Hash of the problem, the candidate and the versions of what shapes its counts."""
    return content_key(model, settings, versions())


class MeasuredStore:
    """The measurements of each candidate, by key, in a `SealedLog`; raises as that."""

    def __init__(self, path: Path | None = None) -> None:
        self._log = SealedLog(path, "not a store of a sweep: use another store")

    def get(self, key: str) -> Measured | None:
        """Return the measurements of a candidate; None if there are none."""
        data = self._log.get(key)
        try:
            return None if data is None else Measured(**{**data, "plain": tuple(Resources(**n) for n in data["plain"])})
        except (TypeError, KeyError):  # sealed, but by another kind of work
            return None

    def put(self, key: str, found: Measured) -> None:
        """Keep what was found; on disk when this returns."""
        self._log.put(key, asdict(found))
