"""Random circuits of emitted gates, their matrices and their counts."""

from __future__ import annotations

import numpy as np
from conformance.dense import distance_up_to_phase
from hypothesis import strategies as st
from qiskit import QuantumCircuit
from qiskit.quantum_info import Operator

LowGate = tuple[str, tuple[int, ...], float]
EXACT = ("h", "x", "z", "s", "sdg", "t", "tdg")
TURNS = ("rz", "p", "ry")
ANGLES = (0.3, -0.3, 1.1, 2.5)


def gate(name: str, *qubits: int, angle: float = 0.0) -> LowGate:
    return name, qubits, angle


def sequence(text: str) -> list[LowGate]:
    """Gates written as ``cx01 t1 h0``."""
    return [
        gate(word.rstrip("0123456789"), *map(int, word.lstrip("abcdefghijklmnopqrstuvwxyz"))) for word in text.split()
    ]


@st.composite
def circuits(draw: st.DrawFn, most_qubits: int = 6, most: int = 60, turns: bool = True) -> tuple[list[LowGate], int]:
    """Emitted gates on at most ``most_qubits`` qubits, half of them CX."""
    width = draw(st.integers(2, most_qubits))
    names = st.sampled_from((*("cx",) * 8, *EXACT, *(TURNS if turns else ())))
    gates = []
    for name in draw(st.lists(names, max_size=most)):
        first = draw(st.integers(0, width - 1))
        if name == "cx":
            gates.append(gate(name, first, (first + draw(st.integers(1, width - 1))) % width))
        else:
            gates.append(gate(name, first, angle=draw(st.sampled_from(ANGLES)) if name in TURNS else 0.0))
    return gates, width


def undone(gates: list[LowGate]) -> list[LowGate]:
    """The inverse gates in the opposite order."""
    names = {"t": "tdg", "tdg": "t", "s": "sdg", "sdg": "s"}
    return [(names.get(name, name), qubits, -angle) for name, qubits, angle in reversed(gates)]


def circuit_of(gates: list[tuple], width: int) -> QuantumCircuit:
    """Emitted or merged gates as a Qiskit circuit."""
    circuit = QuantumCircuit(width)
    for name, qubits, angles in gates:
        params = () if name in {"cx", "cz", *EXACT} else angles if name == "u" else (angles,)
        getattr(circuit, name)(*params, *qubits)
    return circuit


def distance(first: list[tuple], second: list[tuple], width: int) -> float:
    """Largest difference of the unitaries up to a global phase."""
    return distance_up_to_phase(Operator(circuit_of(first, width)).data, Operator(circuit_of(second, width)).data)


def counts(gates: list[tuple]) -> dict[str, int]:
    """CX, T, all gates, depth and CX depth."""
    names = [name for name, _, _ in gates]
    ends: dict[int, tuple[int, int]] = {}
    for _, qubits, _ in gates:
        end = np.max([ends.get(q, (0, 0)) for q in qubits], axis=0) + np.array([1, len(qubits) > 1])
        ends.update(dict.fromkeys(qubits, end))
    depth, pairs = np.max([*ends.values(), (0, 0)], axis=0)
    return {
        "cx": names.count("cx"),
        "t": names.count("t") + names.count("tdg"),
        "gates": len(names),
        "depth": int(depth),
        "cx depth": int(pairs),
    }


def no_worse(after: list[tuple], before: list[tuple], *names: str) -> bool:
    """Whether none of the named counts rose."""
    found, bound = counts(after), counts(before)
    return all(found[name] <= bound[name] for name in names)
