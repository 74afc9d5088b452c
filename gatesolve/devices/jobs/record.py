"""Records of a search on a device and of each job it sends."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from gatesolve.errors import InputError
from gatesolve.model.content import content_key

JobStatus = Literal["prepared", "sending", "sent", "done", "cancelled", "failed"]
SearchStatus = Literal["open", "solved", "unsolved", "failed"]
_ESTIMATES = frozenset({"notes", "level", "estimate", "energy_ranking", "marked", "size", "readout_errors"})


@dataclass(frozen=True)
class SearchRecord:
    """A search somebody asked for.

    Attributes:
        key: hash of all that was asked: equal for equal requests, so that none is sent twice.
        created: UTC, ISO 8601.
        title: of the problem, one line.
        device: name of the backend.
        problem: enough to judge answers by the problem's own rules.
        options: fields of `Options`.
        request: shots, sampler settings and the like.
        versions: of gatesolve and the packages that shaped the circuits.
        status: ``open`` while a job is to be sent or waited for.
        result: what it came to, once it is not open.
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
        shots: of every circuit.
        circuits: the device's circuits, QPY.
        records: one dictionary a circuit: how its counts are decoded, and what it was estimated to give.
        decoding: `decoding_key` of those, as it was when the job was made; empty for jobs that were sent without it.
        status: ``prepared`` before anything was sent; ``sending`` from just before to just after.
        remote: the service's id of the job.
        sending_at: when sending began, seconds since the epoch.
        counts: one dictionary a circuit, of bit strings; once done.
        reason: why it failed; while it is waited for, what the service said of it last.
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

    @property
    def tag(self) -> str:
        """By which the service finds the job again: it names the search and the step, and nothing else does."""
        return tag_of(self.search, self.step)

    @property
    def decoding_tag(self) -> str:
        """A second tag, of how the counts are decoded: a job of the same request without it is not this one."""
        return f"{self.tag}-{self.decoding}" if self.decoding else self.tag


@dataclass(frozen=True)
class Damaged:
    """The readable rest of a record that is not as it was written.

    Attributes:
        key: of its search; where that cannot be read, where it stands.
        path: the file.
    """

    key: str
    path: Path

    @property
    def status(self) -> str:
        """``damaged``."""
        return "damaged"

    @property
    def message(self) -> str:
        """One line that names the file and the job."""
        return f"{self.path}: {self.told}"

    @property
    def told(self) -> str:
        """Return the fault and its remedy."""
        return (
            f"the record of job {self.key} is not as it was written: it is left alone and the other jobs can be used; "
            "to ask for it anew, submit with again=True"
        )

    def as_dict(self) -> dict[str, Any]:
        """One JSON object."""
        return {"key": self.key, "status": self.status, "message": self.message}


class DamagedError(InputError):
    """A record is not as it was written; ``record`` is what is left of it."""

    def __init__(self, record: Damaged) -> None:
        super().__init__(record.told, source=str(record.path))
        self.record = record


def tag_of(search: str, step: int) -> str:
    """The tag of a job of a search."""
    return f"gatesolve-{search}-{step}"


def decoding_key(records: Iterable[Mapping[str, Any]]) -> str:
    """Hash of what counts are decoded by.

    Another version of gatesolve, or a device whose errors have changed, may give other circuits for the same request.
    """
    return content_key(*map(_decoding, records))


def _decoding(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the part of a circuit's record that its counts are read by; estimates are left out."""
    errors = record.get("readout_errors")
    kept = {name: value for name, value in record.items() if name not in _ESTIMATES}
    if record.get("pipeline") == "grover":
        kept.pop("iterations", None)  # as many as pay on the day; they are read alike
    return kept | {"readout": errors and errors["qubits"]}
