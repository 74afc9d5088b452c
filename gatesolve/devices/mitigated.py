"""Shares of states with readout errors undone, from the errors that were recorded when the circuits were sent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from qiskit import QuantumCircuit

from gatesolve.devices.jobs.record import Job
from gatesolve.devices.mitigation import ReadoutErrors, measured_qubits, mitigate, reported_errors, require_mthree
from gatesolve.pipelines.finish import Finish


def errors_record(circuit: QuantumCircuit, backend: Any, twirled: bool) -> dict[str, Any]:
    """The readout errors a device reports for the qubits that a circuit measures.

    Raises:
        UnsupportedError: it reports none, or mthree, which will use them, is not installed.
    """
    require_mthree()
    errors = reported_errors(backend, measured_qubits(circuit))
    errors = errors.twirled() if twirled else errors
    return {"qubits": list(errors.qubits), "flips": [list(pair) for pair in errors.flips], "source": errors.source}


def mitigated_states(jobs: Iterable[Job]) -> dict[int, float]:
    """Shares of the space's basis states over all circuits of the jobs, each by its shots.

    Raises:
        UnsupportedError: mthree is not installed.
    """
    total: dict[int, float] = {}
    for job in jobs:
        for record, counts in zip(job.forms, job.counts or (), strict=True):
            found = mitigate(counts, _errors(record["readout_errors"])).as_counts()
            weight = sum(counts.values()) / sum(found.values())
            for state, share in Finish.from_dict(record["finish"]).states(found).items():
                total[state] = total.get(state, 0.0) + share * weight
    return total


def _errors(record: dict[str, Any]) -> ReadoutErrors:
    pairs: Sequence[Sequence[float]] = record["flips"]
    return ReadoutErrors(tuple(record["qubits"]), tuple((p[0], p[1]) for p in pairs), str(record["source"]))
