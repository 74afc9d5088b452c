"""The current state of a search on a device, as a value and as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from gatesolve.circuit.notebook import html_table
from gatesolve.devices.own_device import OwnDevice
from gatesolve.devices.record import Job, SearchRecord
from gatesolve.errors import one_line

DECODING = frozenset({"space", "recovery", "postprocessing", "energy_ranking", "space_key"})
"""Fields of a circuit's record that are only for machines."""


@dataclass(frozen=True)
class Shares:
    """Correct answers among the shots of a circuit, each a share of 1.

    With an objective or an energy only the best value is correct. For ``gas`` all but ``measured`` assume that one
    state is below the threshold of the last job. Usually none is, and so the search ends.

    Attributes:
        ideal: without errors.
        expected: by the errors that the device reports; None where those are unknown.
        noise: for measured bits that are pure noise.
        measured: among all shots of all jobs, as judged by the problem's own rules; None until they are fetched. The
            best value is the best one measured, as in the message.
    """

    ideal: float
    expected: float | None
    noise: float
    measured: float | None


@dataclass(frozen=True, repr=False)
class TrackedSearch:
    """A search that was sent to a device, as it was when `submit`, `fetch` or `jobs` returned it.

    Attributes:
        search: the stored request, and the result once the search is finished.
        jobs: its jobs, in order.
        new: True if this call sent a job; False if the job had been sent before.
        device: the object in Python that it was sent to, which `fetch` uses; None for a device with a name.
    """

    search: SearchRecord
    jobs: tuple[Job, ...]
    new: bool = False
    device: OwnDevice | None = field(default=None, compare=False)

    @property
    def key(self) -> str:
        """Return the key by which `fetch` finds it again."""
        return self.search.key

    @property
    def status(self) -> str:
        """Return ``solved``, ``unsolved`` or ``failed``; before the search is finished, the status of its last job.

        A search is ``solved`` if the problem's own rules accept an answer, even one found by luck; see `p_value`.
        """
        if self.search.status != "open" or not self.jobs:
            return self.search.status
        return self.jobs[-1].status

    @property
    def solution(self) -> dict[str, int] | None:
        """Return the values of the problem's variables, accepted by its own rules; None unless solved."""
        return None if self.search.result is None else self.search.result["solution"]

    @property
    def board(self) -> list[list[str]] | None:
        """Return the finished board as the puzzle prints it; None without a puzzle, or unless solved."""
        return None if self.search.result is None else self.search.result["board"]

    @property
    def message(self) -> str:
        """Return one line with the verdict or, before the search is finished, with its status."""
        if self.search.result is not None:
            return str(self.search.result["message"])
        said = f"job {self.key}: {self.status}"
        return said if self.device is None else f"{said}; {self.device.bound}"

    @property
    def p_value(self) -> float | None:
        """Return the probability that chance does as well; above 0.05 the answer was found by luck; None if unknown.

        With an energy or an objective the best value is tested, else the number of accepted shots.
        """
        readout = None if self.search.result is None else self.search.result["readout"]
        return None if readout is None else (readout["best"] or readout)["p_value"]

    @property
    def counts(self) -> tuple[Mapping[str, int], ...] | None:
        """Return the counts of each circuit of the last measured job, bit 0 rightmost; None before one is measured."""
        # The last job may still be running while those before it were measured.
        return next((job.counts for job in reversed(self.jobs) if job.counts is not None), None)

    @property
    def shares(self) -> Shares:
        """Return the shares of right answers that were expected of the last circuit, and the one that was measured."""
        # The last circuit has the most iterations, and is the one that the readout describes.
        known, result = self.jobs[-1].forms[-1].estimate, self.search.result
        readout = None if result is None else result["readout"]
        measured = None
        if readout is not None:
            right = readout["accepted"] if readout["best"] is None else readout["best"]["shots"]
            measured = right / readout["shots"]
        return Shares(known.ideal, known.expected, known.chance, measured)

    def __repr__(self) -> str:
        return f"<TrackedSearch {self.key}: {one_line(self.search.title)} on {self.search.device}, {self.status}>"

    def _repr_html_(self) -> str:
        shares = [(one.name, getattr(self.shares, one.name)) for one in fields(Shares)] if self.jobs else []
        rows: list[tuple[str, str | None]] = [("status", self.status), ("message", self.message)]
        rows += [(f"right answers, {name}", None if share is None else f"{share:.1%}") for name, share in shares]
        return html_table(f"{one_line(self.search.title)} on {self.search.device}", rows)

    def as_dict(self) -> dict[str, Any]:
        """Return the search as data for JSON, without circuits and counts."""
        search = self.search
        shown = ("step", "status", "remote", "tag", "shots", "reason")
        return {
            **{name: getattr(search, name) for name in ("key", "title", "device", "created")},
            "status": self.status,
            "pipeline": search.options["pipeline"],
            "new": self.new,
            "jobs": [
                {**{name: getattr(job, name) for name in shown}, "circuits": list(map(drop_decoding, job.records))}
                for job in self.jobs
            ],
            "result": None if search.result is None else dict(search.result),
            "versions": dict(search.versions),
        }


def drop_decoding(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return a circuit's record as data, without decoding fields and absent values."""
    # Grover's circuits have iterations, those of QAOA layers, those of Grover Adaptive Search also a threshold.
    absent = {name for name in ("iterations", "layers", "threshold") if record.get(name) is None}
    return {name: value for name, value in record.items() if name not in DECODING | absent}
