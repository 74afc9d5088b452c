"""Qrisp's circuits; runs in an interpreter that has Qrisp, and needs no gatesolve.

Requests are those of ``pennylane.py``. Of ``checks`` the number of ``work`` wires is what Qrisp's compiler may keep,
and ``method`` its way to make an X with many controls; ``steps`` has ``data`` and ``width`` too.
"""

from __future__ import annotations

import json
import sys
from importlib import metadata
from typing import Any

import qrisp

NAMES = {"t_dg": "tdg", "s_dg": "sdg", "sx_dg": "sxdg", "u3": "u"}
KEPT_OUT = {"qb_alloc", "qb_dealloc", "gphase", "barrier"}
MCX = ("balauca", "khattar")
"""Methods that take work qubits, as many as they like."""


def start(data: int, others: int) -> tuple[Any, Any, Any]:
    """H on the data qubits ``x.0``, ``x.1``, ..., and zeroed ones; without a barrier Qrisp lends data."""
    session = qrisp.QuantumSession()
    cells = qrisp.QuantumVariable(data, name="x", qs=session)
    flags = qrisp.QuantumVariable(others, name="f", qs=session)
    qrisp.h(cells)
    qrisp.barrier(list(cells))
    return session, cells, flags


def write_checks(request: dict[str, Any]) -> Any:
    """The oracle of multi-controlled X gates onto flags."""
    data = request["data"]
    session, cells, flags = start(data, len(request["phase"]))

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

    with qrisp.conjugate(compute)(cells, flags):
        qrisp.mcz(list(flags))
    return session.compile(workspace=len(request["work"])).transpile()


def write_steps(request: dict[str, Any]) -> Any:
    """The steps of a recipe, ANDs by Gidney's temporary AND and its inverse."""
    session, cells, helpers = start(request["data"], request["width"] - request["data"])
    wires = [*cells, *helpers]

    def compute(cells: Any, helpers: Any) -> None:
        for name, places in request["steps"]:
            on = [wires[k] for k in places]
            if name == "and":
                qrisp.mcx(on[:2], on[2], method="gidney")
            else:
                (qrisp.x if name == "x" else qrisp.cx)(*on)

    with qrisp.conjugate(compute)(cells, helpers):
        qrisp.mcz([wires[k] for k in request["phase"]])
    return session.compile().transpile()


def list_gates(circuit: Any, data: int) -> list[tuple[str, list[int], list[float]]]:
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


def list_mcx(controls: list[int]) -> list[tuple[str, int, str]]:
    """Name, number of controls and OpenQASM 2 text of each method's multi-controlled X."""
    found = []
    for k in controls:
        for method in MCX:
            session = qrisp.QuantumSession()
            wires, target = qrisp.QuantumVariable(k, qs=session), qrisp.QuantumVariable(1, qs=session)
            qrisp.mcx(list(wires), target[0], method=method)
            found.append((f"Qrisp {method}", k, session.compile().transpile().qasm()))
    return found


def answer(request: dict[str, Any]) -> Any:
    """The compiled oracle as a gate list, or the texts of multi-controlled X."""
    if request["what"] == "mcx":
        return list_mcx(request["controls"])
    circuit = {"checks": write_checks, "steps": write_steps}[request["what"]](request)
    gates = list_gates(circuit, request["data"])
    return {"version": metadata.version("qrisp"), "qubits": len(circuit.qubits), "plain": gates}


if __name__ == "__main__":
    print(json.dumps(answer(json.load(sys.stdin))))
