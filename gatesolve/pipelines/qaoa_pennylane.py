"""QAOA's circuits as PennyLane operations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gatesolve.lowering.emit import LowGate, emit
from gatesolve.pipelines.qaoa import QaoaPlan
from gatesolve.reversible import Ops

Ansatz = Callable[[Any, Any], None]


def to_pennylane(plan: QaoaPlan) -> Ansatz:
    """A function of gammas and betas that queues the circuit, for a QNode of PennyLane.

    Wire q is qubit q of the program: data first, then ``plan.num_ancillas`` ancillas, which end at zero. Operations
    are PennyLane's own (CNOT, Hadamard, RZ, ...), and angles may be its trainable tensors: shapes (p,) and (p,), or
    (p, number of mixers) for the betas.

    Args:
        plan: all but the angles.

    Raises:
        ImportError: PennyLane is not installed.
    """
    import pennylane as qml

    mixers = len(plan.mixers)

    def queue(ops: Ops) -> None:
        for gate in emit(ops):
            _queue(qml, gate)

    def ansatz(gammas: Any, betas: Any) -> None:
        queue(plan.start)
        for k in range(qml.math.shape(gammas)[0]):
            row = [betas[k]] * mixers if qml.math.ndim(betas) == 1 else [betas[k][m] for m in range(mixers)]
            queue(plan.layer(gammas[k], row))
        queue(plan.finish)

    return ansatz


_PLAIN = {"h": "Hadamard", "x": "PauliX", "z": "PauliZ", "s": "S", "t": "T", "cx": "CNOT"}
_TURNS = {"rz": "RZ", "ry": "RY", "p": "PhaseShift"}
_INVERSES = {"sdg": "S", "tdg": "T"}


def _queue(qml: Any, gate: LowGate) -> None:
    """One gate as PennyLane's own operation."""
    name, qubits, angle = gate
    if name in _PLAIN:
        getattr(qml, _PLAIN[name])(wires=qubits)
    elif name in _TURNS:
        getattr(qml, _TURNS[name])(angle, wires=qubits)
    elif name in _INVERSES:
        qml.adjoint(getattr(qml, _INVERSES[name]))(wires=qubits)
    else:
        qml.ctrl(qml.PauliZ, control=qubits[:-1])(wires=qubits[-1])
