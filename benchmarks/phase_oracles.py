"""Our phase oracle beside Qiskit's PhaseOracleGate on 16-variable expressions: time to a lowered circuit, and its size.

    python benchmarks/phase_oracles.py [--cases NAME ...] [--json]

Qiskit's circuit is transpiled to CX and one-qubit gates at level 3 with two idle qubits, and its marks are not checked
here; ours are checked on every input, within the time.
"""

from __future__ import annotations

import argparse
import json
import random
import time

import gatesolve
from gatesolve.api.phase_oracle import phase_oracle


def kakuro_like(cells: int = 8, seed: int = 7) -> str:
    """Two-bit cells, ten cells that differ, and four pairs with a given sum (like K7, with one cell more)."""
    rng = random.Random(seed)
    values = [rng.randrange(4) for _ in range(cells)]
    parts = []
    pairs = [(i, j) for i in range(cells) for j in range(i) if values[i] != values[j]]
    for i, j in rng.sample(pairs, 10):
        parts.append(f"((a{i} ^ a{j}) | (b{i} ^ b{j}))")
    for i, j in rng.sample(pairs, 4):
        ways = [(u, values[i] + values[j] - u) for u in range(4) if 0 <= values[i] + values[j] - u < 4]
        parts.append("(" + " | ".join(f"({_is(i, u)} & {_is(j, w)})" for u, w in ways) + ")")
    return " & ".join(parts)


def _is(cell: int, value: int) -> str:
    return f"{'' if value & 1 else '~'}a{cell} & {'' if value >> 1 else '~'}b{cell}"


def clauses(variables: int = 16, count: int = 40, seed: int = 3) -> str:
    """A random satisfiable 3-CNF."""
    rng = random.Random(seed)
    hidden = [rng.random() < 0.5 for _ in range(variables)]
    parts: list[str] = []
    while len(parts) < count:
        chosen = rng.sample(range(variables), 3)
        signs = [rng.random() < 0.5 for _ in chosen]
        if any(hidden[v] == s for v, s in zip(chosen, signs, strict=True)):
            parts.append("(" + " | ".join(f"{'' if s else '~'}v{v}" for v, s in zip(chosen, signs, strict=True)) + ")")
    return " & ".join(parts)


CASES = {"kakuro-like": kakuro_like(), "3-cnf": clauses()}


def ours(expression: str) -> dict[str, object]:
    """Time and counts of our oracle."""
    start = time.perf_counter()
    oracle = phase_oracle(expression)
    seconds = time.perf_counter() - start
    made = oracle.resources
    return {"maker": f"gatesolve {oracle.method}", "seconds": seconds, "qubits": made.qubits, "cx": made.cx,
            "depth": made.depth, "marked": oracle.certificate.marked}  # fmt: skip


def qiskit(expression: str) -> dict[str, object]:
    """Time and counts of Qiskit's; its synthesis and its transpilation are both in the time."""
    from qiskit import QuantumCircuit, transpile
    from qiskit.circuit.library import PhaseOracleGate

    start = time.perf_counter()
    gate = PhaseOracleGate(expression)
    frame = QuantumCircuit(gate.num_qubits + 2)
    data = range(gate.num_qubits)
    frame.h(data)
    frame.barrier(data)
    frame.append(gate, data)
    low = transpile(frame, basis_gates=["cx", "u"], optimization_level=3)
    seconds = time.perf_counter() - start
    for index in reversed([k for k, i in enumerate(low.data) if i.operation.name == "barrier"]):
        before = [k for k in range(index) if low.data[k].operation.name != "barrier"]
        for k in (index, *reversed(before)):
            del low.data[k]
    return {"maker": "Qiskit PhaseOracleGate", "seconds": seconds, "qubits": low.num_qubits,
            "cx": low.count_ops()["cx"], "depth": low.depth(), "marked": None}  # fmt: skip


def main() -> None:
    """Measure the cases asked for and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", nargs="*", default=list(CASES), choices=list(CASES))
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    rows = [{"case": name, **make(CASES[name])} for name in arguments.cases for make in (ours, qiskit)]
    if arguments.json:
        print(json.dumps(rows, indent=1))
        return
    print("| case | maker | seconds | qubits | CX | depth |\n| --- | --- | --- | --- | --- | --- |")
    for row in rows:
        cells = [row["case"], row["maker"], f"{row['seconds']:.1f}", row["qubits"], row["cx"], row["depth"]]
        print("| " + " | ".join(map(str, cells)) + " |")


if __name__ == "__main__":
    assert gatesolve.__doc__
    main()
