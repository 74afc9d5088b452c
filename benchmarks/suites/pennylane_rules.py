"""PennyLane's decomposition graph without and with our rules, on multi-controlled X into Clifford+T.

    python -m benchmarks pennylane-rules [--write | --check]

For each number of controls and each kind and number of work wires that are named: CNOT and T without our rules, and
with them. The graph chooses by the number of gates, measurements not allowed. docs/pennylane.md quotes the rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pennylane as qml

import gatesolve
from benchmarks.core.processes import call_alone
from benchmarks.core.rows import Row, Table
from benchmarks.core.suite import Asked, Suite

GATES = {"Hadamard", "PauliX", "PauliZ", "CNOT", "S", "Adjoint(S)", "T", "Adjoint(T)"}
CONTROLS = (3, 4, 5, 6, 8, 10, 15, 20, 30, 40)
TABLE = Table(
    "pennylane_rules",
    """
    controls    key-int              of the gate
    kind        key                  of the work wires
    work_wires  key-int [work wires]  their number
    cx          int                  without our rules
    t           int                  without our rules
    our_cx      int [our cx]         with them
    our_t       int [our t]          with them
    """,
)


def count(controls: int, kind: str, lent: int) -> list[int]:
    """Return CNOT and T."""

    @partial(qml.decompose, gate_set=GATES)
    @qml.qnode(qml.device("null.qubit"))
    def circuit() -> object:
        work = range(controls + 1, controls + 1 + lent)
        qml.MultiControlledX(range(controls + 1), work_wires=work, work_wire_type=kind)
        return qml.state()

    types = qml.specs(circuit)()["resources"].gate_types
    return [types.get("CNOT", 0), types.get("T", 0) + types.get("Adjoint(T)", 0)]


def compare(controls: int) -> list[list[object]]:
    """Return the rows of a number of controls; rules stay registered in the process."""
    cases = [(kind, lent) for kind in ("zeroed", "borrowed") for lent in dict.fromkeys((1, 2, controls - 2))]
    qml.decomposition.enable_graph()
    before = [count(controls, *case) for case in cases]
    gatesolve.register_pennylane()
    return [[controls, *case, *old, *count(controls, *case)] for case, old in zip(cases, before, strict=True)]


def measure(name: str, asked: Asked) -> Iterator[Row]:
    """Make the rows of a number of controls."""
    return (TABLE.row(*cells) for cells in call_alone(compare, int(name)))


SUITE = Suite(TABLE, list_cases=lambda: map(str, CONTROLS), measure=measure)
