"""One gate in PennyLane's operations; PennyLane is imported when a function here is called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gatesolve.extensions import require


def require_pennylane() -> Any:
    """PennyLane's module.

    Raises:
        MissingExtraError: it is not installed.
    """
    return require("pennylane", "PennyLane is not installed", "pennylane")


_PLAIN = {"h": "Hadamard", "x": "PauliX", "z": "PauliZ", "s": "S", "t": "T", "cx": "CNOT", "cz": "CZ", "ccx": "Toffoli"}
# A phase is RZ up to a global phase; PennyLane 0.45 warns of a cast of its own where it differentiates PhaseShift.
_TURNS = {"rz": "RZ", "ry": "RY", "p": "RZ"}
_INVERSES = {"sdg": "S", "tdg": "T"}


def apply_gate(name: str, wires: Sequence[Any], params: Sequence[Any]) -> Any:
    """Queue one gate, by its Qiskit name, and return it."""
    qml = require_pennylane()
    if name in _PLAIN:
        return getattr(qml, _PLAIN[name])(wires=wires)
    if name in _TURNS:
        return getattr(qml, _TURNS[name])(params[0], wires=wires)
    if name in _INVERSES:
        return qml.adjoint(getattr(qml, _INVERSES[name])(wires=wires))
    if name != "u":
        raise ValueError(f"no operation of PennyLane known for gate {name}")
    theta, phi, lam = (float(p) for p in params)
    return qml.Rot(lam, theta, phi, wires=wires)
