"""The peers' side of mcx_rules.py: multi-controlled X by PennyLane or Qrisp, in an interpreter that has one of them.

Prints JSON: a list of name, number of controls and OpenQASM 2 text.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator


def by_qrisp(controls: int) -> Iterator[tuple[str, str]]:
    """Qrisp's methods that take work qubits, as many as they like."""
    import qrisp

    for method in ("balauca", "khattar"):
        session = qrisp.QuantumSession()
        wires, target = qrisp.QuantumVariable(controls, qs=session), qrisp.QuantumVariable(1, qs=session)
        qrisp.mcx(list(wires), target[0], method=method)
        yield f"Qrisp {method}", session.compile().transpile().qasm()


def by_pennylane(controls: int) -> Iterator[tuple[str, str]]:
    """PennyLane's decomposition with k - 2 zeroed work wires."""
    import pennylane as qml

    work = list(range(controls + 1, 2 * controls - 1))
    with qml.tape.QuantumTape() as tape:
        qml.MultiControlledX(wires=list(range(controls + 1)), work_wires=work, work_wire_type="zeroed")
    names = {"CNOT", "Hadamard", "T", "Adjoint(T)", "S", "Adjoint(S)", "PauliX", "PauliZ", "RZ", "RY", "PhaseShift"}
    (flat,), _ = qml.transforms.decompose(tape, gate_set=names)
    yield "PennyLane", str(qml.to_openqasm(flat, measure_all=False))


def main() -> None:
    """Every library that is there, every number of controls asked for."""
    found = []
    for make in (by_qrisp, by_pennylane):
        try:
            found += [(name, k, text) for k in map(int, sys.argv[1:]) for name, text in make(k)]
        except ImportError:
            continue
    if not found:
        raise SystemExit("neither PennyLane nor Qrisp is installed")
    print(json.dumps(found))


if __name__ == "__main__":
    main()
