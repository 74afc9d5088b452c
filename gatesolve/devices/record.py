"""Records of a search on a device and of each job it sends."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from gatesolve.encodings.converter import structure
from gatesolve.errors import InputError
from gatesolve.model.content import content_key
from gatesolve.pipelines.device import CircuitRecord

JobStatus = Literal["prepared", "sending", "sent", "done", "cancelled", "failed"]
SearchStatus = Literal["open", "solved", "unsolved", "failed"]
_ESTIMATES = ("notes", "level", "estimate", "energy_ranking", "marked", "size", "readout_errors", "iterations")
"""Fields of a `CircuitRecord` that do not affect decoding. The number of iterations may change from day to day."""


@dataclass(frozen=True)
class SearchRecord:
    """A search that was requested.

    Attributes:
        key: hash of the whole request: equal for equal requests, so that none is sent twice.
        created: UTC, ISO 8601.
        problem: enough to judge answers by the problem's own rules.
        request: shots, sampler settings and the like.
        versions: versions of gatesolve and the packages that shaped the circuits.
        status: ``open`` while a job has to be sent or is waited for; after that there is a result.
    """

    key: str
    created: str
    title: str
    device: str
    problem: Mapping[str, Any]
    options: Mapping[str, Any]
    request: Mapping[str, Any]
    versions: Mapping[str, str]
    status: SearchStatus = "open"
    result: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Job:
    """One job of a search: circuits for the device, and all that decodes their counts.

    Attributes:
        search: the search's key.
        step: number within the search, from 0.
        shots: shots of every circuit.
        circuits: the device's circuits, QPY.
        records: a `CircuitRecord` of each circuit as data.
        decoding: `decoding_key` of these when the job was made; empty for jobs that were sent without it.
        status: ``prepared`` before anything was sent; ``sending`` from just before to just after.
        remote: the service's id of the job.
        sending_at: when sending began, seconds since the epoch.
        counts: one dictionary of bit strings a circuit, bit 0 rightmost; once done.
        reason: why it failed; while it is waited for, its last reported status.
    """

    search: str
    step: int
    shots: int
    circuits: bytes
    records: tuple[Mapping[str, Any], ...]
    decoding: str = ""
    status: JobStatus = "prepared"
    remote: str | None = None
    sending_at: float | None = None
    counts: tuple[Mapping[str, int], ...] | None = None
    reason: str = ""

    @cached_property
    def forms(self) -> tuple[CircuitRecord, ...]:
        """Return the records as values; those of another version are refused."""
        return tuple(structure(record, CircuitRecord) for record in self.records)

    @property
    def tag(self) -> str:
        """Return the tag by which the service finds the job again; it identifies the search and the step."""
        return tag_of(self.search, self.step)

    @property
    def decoding_tag(self) -> str:
        """Return a second tag that also identifies the decoding; a job with only the first tag has other circuits."""
        return f"{self.tag}-{self.decoding}" if self.decoding else self.tag


@dataclass(frozen=True)
class Damaged:
    """The readable rest of a record that was changed after it was written.

    Its ``key`` is that of its search or, if unreadable, the place of the record; ``path`` is the file.
    """

    key: str
    path: Path

    @property
    def status(self) -> str:
        """``damaged``."""
        return "damaged"

    @property
    def message(self) -> str:
        """Return one line that names the file and the job."""
        return f"{self.path}: {self.told}"

    @property
    def told(self) -> str:
        """Return the fault and its remedy."""
        return (
            f"the record of job {self.key} is damaged: the other jobs can still be used; "
            "to request it again, submit with again=True"
        )

    def as_dict(self) -> dict[str, Any]:
        """Return one JSON object."""
        return {"key": self.key, "status": self.status, "message": self.message}


class DamagedError(InputError):
    """A record was changed after it was written; ``record`` is the readable rest."""

    def __init__(self, record: Damaged) -> None:
        super().__init__(record.told, source=str(record.path))
        self.record = record


def tag_of(search: str, step: int) -> str:
    """Return the tag of a job of a search."""
    return f"gatesolve-{search}-{step}"


def decoding_key(records: Iterable[Mapping[str, Any]]) -> str:
    """Return a hash of all data that decodes the counts."""
    # Another version of gatesolve, or a device whose errors have changed, may make other circuits for the same request.
    return content_key(*map(_decoding, records))


def _decoding(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the part of a circuit's record that its counts are read by; estimates are left out."""
    errors = record.get("readout_errors")
    kept = {name: value for name, value in record.items() if name not in _ESTIMATES}
    return kept | {"readout": errors and errors["qubits"]}
