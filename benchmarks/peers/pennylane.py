"""PennyLane's circuits; runs in an interpreter that has PennyLane, and needs no gatesolve.

Reads one JSON request on standard input, writes one JSON answer: circuits as gate lists in Qiskit's names, so that the
caller counts and checks them as all others. ``what`` is one of

- ``checks``: ``data``, ``gates`` (controls, their values, target; an X without controls), ``phase`` and ``work`` wires:
  the gates, a phase -1 where all ``phase`` wires are 1, the gates undone.
- ``steps``: ``steps`` (name and wires) and ``phase``: the same for X, CX and temporary ANDs. The answer has one list
  that undoes each AND by gates, and one that erases it by measurement; there a gate on an outcome has the outcome's
  number as a third entry.
- ``mcx``: ``controls``, a list of numbers: OpenQASM 2 of multi-controlled X with k - 2 zeroed wires.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import pennylane as qml

NAMES = {"CNOT": "cx", "T": "t", "Adjoint(T)": "tdg", "S": "s", "Adjoint(S)": "sdg", "Hadamard": "h", "PauliX": "x",
         "PauliZ": "z", "CZ": "cz"}  # fmt: skip
CLIFFORD_T = {*NAMES, "GlobalPhase"} - {"CZ"}
WITH_AND = {*NAMES, "GlobalPhase", "MidMeasure", "Conditional"}


def controlled_x(controls: list[int], values: list[bool], target: int, work: dict[str, Any]) -> Any:
    """X, CNOT, or an X with many controls that may use the zeroed work wires."""
    if not controls:
        return qml.PauliX(target)
    if len(controls) == 1 and values[0]:
        return qml.CNOT([controls[0], target])
    return qml.MultiControlledX(wires=[*controls, target], control_values=values, **work)


def write_checks(request: dict[str, Any]) -> dict[str, Any]:
    """The decomposed oracle after PennyLane's cancellation of inverses."""
    work: dict[str, Any] = {"work_wires": request["work"], "work_wire_type": "zeroed"}
    compute = [controlled_x(*gate, work) for gate in request["gates"]]
    *others, last = request["phase"]
    flip = controlled_x(others, [True] * len(others), last, work)
    oracle = qml.tape.QuantumScript([*compute, qml.Hadamard(last), flip, qml.Hadamard(last), *reversed(compute)])
    (plain,), _ = qml.transforms.decompose(oracle, gate_set=CLIFFORD_T)
    return {"cancelled": listed(cancelled(plain.operations))}


def decomposed(op: Any) -> list[Any]:
    """PennyLane's decomposition of one operation, by its graph."""
    (found,), _ = qml.transforms.decompose(qml.tape.QuantumScript([op]), gate_set=WITH_AND)
    return [part for part in found.operations if part.name != "GlobalPhase"]


def cancelled(operations: list[Any]) -> list[Any]:
    """Inverses cancelled; moving gates through controls first takes minutes and saves no CX here."""
    (found,), _ = qml.transforms.cancel_inverses(qml.tape.QuantumScript(operations))
    return list(found.operations)


def write_steps(request: dict[str, Any]) -> dict[str, Any]:
    """Both circuits of a recipe."""
    both = decomposed(qml.TemporaryAND([0, 1, 2]))
    return {"plain": undo_by_gates(request, both), "measured": erase_by_measurement(request, both)}


def undo_by_gates(request: dict[str, Any], both: list[Any]) -> list[list[Any]]:
    """Steps, the phase, the steps undone by their inverse gates."""
    compute = [op for name, wires in request["steps"] for op in step(name, wires, both)]
    undone = [qml.adjoint(op, lazy=False) for op in reversed(compute)]
    return listed(cancelled([*compute, phase(request), *undone]))


def erase_by_measurement(request: dict[str, Any], both: list[Any]) -> list[list[Any]]:
    """The same with every AND erased as PennyLane erases it: H, a measurement, and a CZ if that gave 1."""
    names = [type(op).__name__ for op in decomposed(qml.adjoint(qml.TemporaryAND([0, 1, 2])))]
    if names[0] not in {"H", "Hadamard"} or "Measure" not in names[1] or names[2:] != ["Conditional"]:
        raise ValueError(f"a temporary AND is erased in another way: {names}")
    gates = listed([op for name, wires in request["steps"] for op in step(name, wires, both)])
    gates += listed([phase(request)])
    for bit, (name, wires) in enumerate(reversed(request["steps"])):
        if name == "and":
            first, second, goal = wires
            gates += [["h", [goal]], ["measure", [goal], bit], ["x", [goal], bit], ["cz", [first, second], bit]]
        else:
            gates.append([name, wires])
    return gates


def step(name: str, wires: list[int], both: list[Any]) -> list[Any]:
    """X, CX, or the gates of an AND."""
    if name == "and":
        return [op.map_wires(dict(enumerate(wires))) for op in both]
    return [qml.PauliX(wires[0]) if name == "x" else qml.CNOT(wires)]


def phase(request: dict[str, Any]) -> Any:
    """CZ, or Z of a single flag."""
    return qml.CZ(request["phase"]) if len(request["phase"]) == 2 else qml.PauliZ(request["phase"][0])


def listed(operations: list[Any]) -> list[list[Any]]:
    """Qiskit's names and wires; global phases are dropped."""
    return [[NAMES[op.name], [int(wire) for wire in op.wires]] for op in operations if op.name != "GlobalPhase"]


def list_mcx(controls: list[int]) -> list[tuple[str, int, str]]:
    """Name, number of controls and OpenQASM 2 text of the decomposition with k - 2 zeroed work wires."""
    names = {"CNOT", "Hadamard", "T", "Adjoint(T)", "S", "Adjoint(S)", "PauliX", "PauliZ", "RZ", "RY", "PhaseShift"}
    found = []
    for k in controls:
        with qml.tape.QuantumTape() as tape:
            work = list(range(k + 1, 2 * k - 1))
            qml.MultiControlledX(wires=list(range(k + 1)), work_wires=work, work_wire_type="zeroed")
        (flat,), _ = qml.transforms.decompose(tape, gate_set=names)
        found.append(("PennyLane", k, str(qml.to_openqasm(flat, measure_all=False))))
    return found


def answer(request: dict[str, Any]) -> Any:
    """What the module's docstring describes."""
    if request["what"] == "mcx":
        return list_mcx(request["controls"])
    qml.decomposition.enable_graph()
    return {"version": qml.__version__} | {"checks": write_checks, "steps": write_steps}[request["what"]](request)


if __name__ == "__main__":
    print(json.dumps(answer(json.load(sys.stdin))))
