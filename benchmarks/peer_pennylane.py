"""PennyLane's side of gate_counts.py; runs in an interpreter of its own, with PennyLane and no gatesolve.

Reads one JSON request on standard input, writes one JSON answer: the circuit as
a gate list, so that the caller counts and checks it exactly as all the others.

Request: ``{"data": 8, "gates": [[controls, values, target], ...], "phase": [wires], "work": [wires]}``; the oracle
computes ``gates`` (an X where there are no controls), puts a phase -1 where all ``phase`` wires are 1, and uncomputes.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import pennylane as qml

GATE_SET = {"CNOT", "T", "Adjoint(T)", "S", "Adjoint(S)", "Hadamard", "PauliX", "PauliZ", "GlobalPhase"}
NAMES = {
    "CNOT": "cx",
    "T": "t",
    "Adjoint(T)": "tdg",
    "S": "s",
    "Adjoint(S)": "sdg",
    "Hadamard": "h",
    "PauliX": "x",
    "PauliZ": "z",
}


def controlled_x(controls: list[int], values: list[bool], target: int, work: dict[str, Any]) -> Any:
    """X, CNOT, or an X with many controls that may use the zeroed work wires."""
    if not controls:
        return qml.PauliX(target)
    if len(controls) == 1 and values[0]:
        return qml.CNOT([controls[0], target])
    return qml.MultiControlledX(wires=[*controls, target], control_values=values, **work)


def oracle(request: dict[str, Any]) -> qml.tape.QuantumScript:
    """The oracle of multi-controlled X gates."""
    work: dict[str, Any] = {"work_wires": request["work"], "work_wire_type": "zeroed"}
    compute = [controlled_x(*gate, work) for gate in request["gates"]]
    *others, last = request["phase"]
    flip = controlled_x(others, [True] * len(others), last, work)
    phase = [qml.Hadamard(last), flip, qml.Hadamard(last)]
    return qml.tape.QuantumScript([*compute, *phase, *reversed(compute)])


def gate_list(tape: qml.tape.QuantumScript) -> list[tuple[str, list[int]]]:
    """Qiskit's names and wires; global phases are dropped."""
    return [(NAMES[op.name], [int(w) for w in op.wires]) for op in tape.operations if op.name != "GlobalPhase"]


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """The decomposed oracle, plain and after PennyLane's cancellation of inverses."""
    qml.decomposition.enable_graph()
    (plain,), _ = qml.transforms.decompose(oracle(request), gate_set=GATE_SET)
    (cancelled,), _ = qml.transforms.cancel_inverses(plain)
    return {"version": qml.__version__, "plain": gate_list(plain), "cancelled": gate_list(cancelled)}


if __name__ == "__main__":
    print(json.dumps(answer(json.load(sys.stdin))))
