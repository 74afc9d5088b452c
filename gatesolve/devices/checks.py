"""Checks before a job is kept: shots, and decoupling where circuits branch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from qiskit import QuantumCircuit

from gatesolve.devices.ibm_errors import explain_decoupling
from gatesolve.devices.job_request import JobRequest
from gatesolve.errors import InputError


def check_decoupling(circuits: Sequence[QuantumCircuit], request: JobRequest) -> None:
    """Refuse decoupling where circuits branch, as the Sampler does once they are sent."""
    if request.decoupling is not None and any(circuit.has_control_flow_op() for circuit in circuits):
        raise explain_decoupling()


def check_shots(backend: Any, shots: int) -> None:
    """Refuse more shots than the backend allows in one job."""
    # Older backends state it in their configuration, others as an attribute, many not at all.
    configuration = getattr(backend, "configuration", None)
    most = getattr(configuration() if callable(configuration) else backend, "max_shots", None)
    most = most if isinstance(most, int) else (1 << 31) - 1
    if not 1 <= shots <= most:
        raise InputError(f"{shots} shots: {backend.name} takes 1 to {most} in a job: use shots={most} or fewer")
