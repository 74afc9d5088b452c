"""Counting a lowered circuit. One counter for everything gatesolve reports."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from qiskit import QuantumCircuit


@dataclass(frozen=True)
class Resources:
    """Counts of a circuit in a stated gate set, measured on the lowered circuit.

    Attributes:
        gates: the gate set.
        qubits: width, ancillas included.
        cx: CX gates.
        t: T and T-dagger gates; None in a gate set with arbitrary one-qubit gates.
        depth: layers of gates, measurement not counted.
        two_qubit_depth: layers of CX.
        total: all gates.
        method: ``whole circuit``, or how a long run was put together.
    """

    gates: str
    qubits: int
    cx: int
    t: int | None
    depth: int
    two_qubit_depth: int
    total: int
    method: str = "whole circuit"

    def as_dict(self) -> dict[str, object]:
        """The fields by name."""
        return asdict(self)

    def then(self, other: Resources, times: int) -> Resources:
        """This circuit followed ``times`` times by ``other``: counts add, depths add as an upper bound."""
        t = None if self.t is None or other.t is None else self.t + times * other.t
        return Resources(
            self.gates,
            max(self.qubits, other.qubits),
            self.cx + times * other.cx,
            t,
            self.depth + times * other.depth,
            self.two_qubit_depth + times * other.two_qubit_depth,
            self.total + times * other.total,
            f"one iteration, times {times}",
        )


def count(circuit: QuantumCircuit, gates: str) -> Resources:
    """Count a circuit that is already in the gate set ``gates``; measurements and barriers are left out.

    Raises:
        ValueError: the circuit holds a gate that is not in the gate set.
    """
    ops = {name: n for name, n in circuit.count_ops().items() if name not in {"measure", "barrier"}}
    allowed = GATE_NAMES[gates]
    if set(ops) - allowed:
        raise ValueError(f"gates outside {gates}: {sorted(set(ops) - allowed)}")
    t = ops.get("t", 0) + ops.get("tdg", 0) if gates == "clifford+t" else None
    return Resources(
        gates=gates,
        qubits=circuit.num_qubits,
        cx=ops.get("cx", 0),
        t=t,
        depth=circuit.depth(lambda i: i.operation.name not in {"measure", "barrier"}),
        two_qubit_depth=circuit.depth(lambda i: i.operation.name == "cx"),
        total=sum(ops.values()),
    )


GATE_NAMES: dict[str, frozenset[str]] = {
    "cx+u": frozenset({"cx", "u"}),
    "clifford+t": frozenset({"cx", "h", "x", "z", "s", "sdg", "t", "tdg"}),
}
