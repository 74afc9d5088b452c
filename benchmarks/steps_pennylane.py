"""PennyLane's side of constraint_peers.py; runs in an interpreter of its own, with PennyLane and no gatesolve.

Reads one JSON request on standard input: ``{"steps": [[name, wires], ...], "phase": [wires]}``; writes one JSON answer
with two gate lists in Qiskit's names: one that undoes every AND by gates, one that erases it by measurement, where a
gate on an outcome has that outcome's number as a third entry.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import pennylane as qml
from peer_pennylane import GATE_SET, NAMES

SET = {*GATE_SET, "CZ", "MidMeasure", "Conditional"}
QISKIT = {**NAMES, "CZ": "cz"}


def decomposed(op: Any) -> list[Any]:
    """PennyLane's decomposition of one operation, by its graph."""
    (found,), _ = qml.transforms.decompose(qml.tape.QuantumScript([op]), gate_set=SET)
    return [part for part in found.operations if part.name != "GlobalPhase"]


def optimised(operations: list[Any]) -> list[Any]:
    """Inverses cancelled; moving gates through controls first takes minutes and saves no CX here."""
    (found,), _ = qml.transforms.cancel_inverses(qml.tape.QuantumScript(operations))
    return list(found.operations)


def plain(request: dict[str, Any], both: list[Any]) -> list[list[Any]]:
    """Steps, the phase, the steps undone by their inverse gates."""
    compute = []
    for name, wires in request["steps"]:
        places = dict(enumerate(wires))
        compute += [op.map_wires(places) for op in both] if name == "and" else [step(name, wires)]
    undone = [qml.adjoint(op, lazy=False) for op in reversed(compute)]
    return listed(optimised([*compute, phase(request), *undone]))


def measured(request: dict[str, Any], both: list[Any]) -> list[list[Any]]:
    """The same with every AND erased as PennyLane erases it: H, a measurement, and a CZ if that gave 1."""
    names = [type(op).__name__ for op in decomposed(qml.adjoint(qml.TemporaryAND([0, 1, 2])))]
    if names[0] not in {"H", "Hadamard"} or "Measure" not in names[1] or names[2:] != ["Conditional"]:
        raise ValueError(f"a temporary AND is erased in another way: {names}")
    gates: list[list[Any]] = []
    for name, wires in request["steps"]:
        places = dict(enumerate(wires))
        gates += listed([op.map_wires(places) for op in both] if name == "and" else [step(name, wires)])
    gates += listed([phase(request)])
    for bit, (name, wires) in enumerate(reversed(request["steps"])):
        if name == "and":
            first, second, goal = wires
            gates += [["h", [goal]], ["measure", [goal], bit], ["x", [goal], bit], ["cz", [first, second], bit]]
        else:
            gates.append([name, wires])
    return gates


def step(name: str, wires: list[int]) -> Any:
    """X or CX."""
    return qml.PauliX(wires[0]) if name == "x" else qml.CNOT(wires)


def phase(request: dict[str, Any]) -> Any:
    """CZ, or Z of a single flag."""
    return qml.CZ(request["phase"]) if len(request["phase"]) == 2 else qml.PauliZ(request["phase"][0])


def listed(operations: list[Any]) -> list[list[Any]]:
    """Qiskit's names and wires."""
    return [[QISKIT[op.name], [int(wire) for wire in op.wires]] for op in operations]


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Both circuits."""
    qml.decomposition.enable_graph()
    both = decomposed(qml.TemporaryAND([0, 1, 2]))
    return {"version": qml.__version__, "plain": plain(request, both), "measured": measured(request, both)}


if __name__ == "__main__":
    print(json.dumps(answer(json.load(sys.stdin))))
