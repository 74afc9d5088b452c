"""Qrisp's side of constraint_peers.py; runs in an interpreter of its own, with Qrisp and no gatesolve.

The request is that of ``steps_pennylane.py``, with the number of ``data`` qubits and the ``width``.
"""

from __future__ import annotations

import json
import sys
from importlib import metadata
from typing import Any

import qrisp
from peer_qrisp import gate_list


def compiled(request: dict[str, Any]) -> Any:
    """The oracle after H on the data qubits, ANDs by Gidney's temporary AND and its inverse."""
    session = qrisp.QuantumSession()
    cells = qrisp.QuantumVariable(request["data"], name="x", qs=session)
    helpers = qrisp.QuantumVariable(request["width"] - request["data"], name="f", qs=session)
    qrisp.h(cells)
    qrisp.barrier(list(cells))
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


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """The compiled oracle as a gate list."""
    circuit = compiled(request)
    gates = gate_list(circuit, request["data"])
    return {"version": metadata.version("qrisp"), "qubits": len(circuit.qubits), "plain": gates}


if __name__ == "__main__":
    print(json.dumps(answer(json.load(sys.stdin))))
