"""PennyLane's decomposition graph without and with our rules, on multi-controlled X into Clifford+T.

    python -m benchmarks pennylane-rules [--most 40] [--write]

For each number of controls and each kind and number of work wires that are named: CNOT and T without our rules, with
them, and how many times as many CNOT it takes without. The graph chooses by the number of gates, measurements not
allowed. The last lines say in how many cases it takes more CNOT with our rules, or more T. ``--write`` replaces
pennylane_rules.csv, which docs/pennylane.md quotes.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial

import pennylane as qml

import gatesolve
from benchmarks.core.csv_rows import write_lines
from benchmarks.core.places import RESULTS

GATES = {"Hadamard", "PauliX", "PauliZ", "CNOT", "S", "Adjoint(S)", "T", "Adjoint(T)"}
Case = tuple[int, str, int]
Counts = tuple[int, int]
FILE = RESULTS / "pennylane_rules.csv"
HEADER = ("controls", "kind", "work wires", "cx", "t", "our cx", "our t")


def count(case: Case) -> Counts:
    """CNOT and T."""
    controls, kind, lent = case

    @partial(qml.decompose, gate_set=GATES)
    @qml.qnode(qml.device("null.qubit"))
    def circuit() -> object:
        work = range(controls + 1, controls + 1 + lent)
        qml.MultiControlledX(range(controls + 1), work_wires=work, work_wire_type=kind)
        return qml.state()

    types = qml.specs(circuit)()["resources"].gate_types
    return types.get("CNOT", 0), types.get("T", 0) + types.get("Adjoint(T)", 0)


def main(arguments: Sequence[str]) -> None:
    """Print a line a case."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--most", type=int, default=40)
    parser.add_argument("--write", action="store_true", help="replace pennylane_rules.csv")
    chosen = parser.parse_args(arguments)
    most = chosen.most
    controls = [k for k in (3, 4, 5, 6, 8, 10, 15, 20, 30, 40) if k <= most]
    cases = [
        (k, kind, lent) for k in controls for kind in ("zeroed", "borrowed") for lent in dict.fromkeys((1, 2, k - 2))
    ]
    qml.decomposition.enable_graph()
    before = {case: count(case) for case in cases}
    gatesolve.register_pennylane()
    after = {case: count(case) for case in cases}
    print("controls  work wires    CNOT: theirs   ours  ratio    T: theirs   ours")
    for case in cases:
        (cx, t), (our_cx, our_t) = before[case], after[case]
        controls_, kind, lent = case
        print(f"{controls_:8}  {lent:2} {kind:8} {cx:14,} {our_cx:6,} {cx / our_cx:6.2f} {t:12,} {our_t:6,}")
    if chosen.write:
        write_lines(HEADER, [(*case, *before[case], *after[case]) for case in cases], FILE)
    for name, place in (("CNOT", 0), ("T", 1)):
        worse = sum(after[case][place] > before[case][place] for case in cases)
        print(f"more {name} with our rules: {worse} of {len(cases)}")
