"""Qrisp's side of the oracle benchmark; runs in an interpreter of its own, with Qrisp and no gatesolve.

The request is that of ``peer_pennylane.py``; ``work`` only says how many work qubits Qrisp's compiler may keep.
"""

from __future__ import annotations

import json
import sys
from importlib import metadata
from typing import Any

import qrisp

NAMES = {"t_dg": "tdg", "s_dg": "sdg", "sx_dg": "sxdg"}
KEPT_OUT = {"qb_alloc", "qb_dealloc", "gphase", "barrier"}


def compiled(request: dict[str, Any], data: int) -> Any:
    """The oracle after H on the data qubits ``x.0``, ``x.1``, ..., by its method with many ancillas.

    Without the barrier Qrisp lends data qubits as work qubits before their H.
    """
    session = qrisp.QuantumSession()
    cells = qrisp.QuantumVariable(data, name="x", qs=session)
    flags = qrisp.QuantumVariable(len(request["phase"]), name="f", qs=session)

    def compute(cells: Any, flags: Any) -> None:
        for controls, values, target in request["gates"]:
            state = "".join("1" if value else "0" for value in values)
            qrisp.mcx([cells[q] for q in controls], flags[target - data], ctrl_state=state, method="balauca")

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
    data = min(request["phase"])
    circuit = compiled(request, data)
    return {"version": metadata.version("qrisp"), "qubits": len(circuit.qubits), "plain": gate_list(circuit, data)}


if __name__ == "__main__":
    print(json.dumps(answer(json.load(sys.stdin))))
