"""Qrisp's side of gate_counts.py; runs in an interpreter of its own, with Qrisp and no gatesolve.

The request is that of ``peer_pennylane.py``; ``work`` only says how many work qubits Qrisp's compiler may keep,
``method`` how Qrisp makes an X with many controls.
"""

from __future__ import annotations

import json
import sys
from importlib import metadata
from typing import Any

import qrisp

NAMES = {"t_dg": "tdg", "s_dg": "sdg", "sx_dg": "sxdg", "u3": "u"}
KEPT_OUT = {"qb_alloc", "qb_dealloc", "gphase", "barrier"}


def compiled(request: dict[str, Any]) -> Any:
    """The oracle after H on the data qubits ``x.0``, ``x.1``, ...

    Without the barrier Qrisp lends data qubits as work qubits before their H.
    """
    data = request["data"]
    session = qrisp.QuantumSession()
    cells = qrisp.QuantumVariable(data, name="x", qs=session)
    flags = qrisp.QuantumVariable(len(request["phase"]), name="f", qs=session)

    def compute(cells: Any, flags: Any) -> None:
        for controls, values, target in request["gates"]:
            goal = cells[target] if target < data else flags[target - data]
            if not controls:
                qrisp.x(goal)
            elif len(controls) == 1 and values[0]:
                qrisp.cx(cells[controls[0]], goal)
            else:
                state = "".join("1" if value else "0" for value in values)
                qrisp.mcx([cells[q] for q in controls], goal, ctrl_state=state, method=request["method"])

    qrisp.h(cells)
    qrisp.barrier(list(cells))
    with qrisp.conjugate(compute)(cells, flags):
        qrisp.mcz(list(flags))
    return session.compile(workspace=len(request["work"])).transpile()


def gate_list(circuit: Any, data: int) -> list[tuple[str, list[int], list[float]]]:
    """Qiskit's names, wires with the data first, and angles; global phases and the H in front are dropped."""
    place = {f"x.{q}": q for q in range(data)}
    for qubit in circuit.qubits:
        place.setdefault(qubit.identifier, len(place))
    gates = [
        (NAMES.get(i.op.name, i.op.name), [place[q.identifier] for q in i.qubits], [float(p) for p in i.op.params])
        for i in circuit.data
        if i.op.name not in KEPT_OUT
    ]
    for qubit in range(data):
        first = next(k for k, (_, wires, _) in enumerate(gates) if qubit in wires)
        if gates.pop(first)[0] != "h":
            raise ValueError("the start of the search is not in front any more")
    return gates


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """The compiled oracle as a gate list."""
    circuit = compiled(request)
    gates = gate_list(circuit, request["data"])
    return {"version": metadata.version("qrisp"), "qubits": len(circuit.qubits), "plain": gates}


if __name__ == "__main__":
    print(json.dumps(answer(json.load(sys.stdin))))
