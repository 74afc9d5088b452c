"""Our phase oracle beside Qiskit's PhaseOracleGate on 16-variable expressions: processor seconds, and sizes.

    python -m benchmarks phase-oracles [--only NAME ...] [--write | --check]

Qiskit's circuit is transpiled to CX and one-qubit gates at level 3 with two idle qubits, and its marks are not checked
here; ours are checked on every input, within the time. docs/functions.md shows the rows.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from benchmarks.core.rows import Table
from benchmarks.core.suite import Suite
from benchmarks.peers.qiskit import after_barrier
from gatesolve.functions.phase_oracle import phase_oracle
from gatesolve.gate_sets import Metric


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


TABLE = Table(
    "phase_oracles",
    """
    case     key      of this module
    oracle   key      who made it, and how
    seconds  seconds  of the processor
    qubits   int      of the circuit
    cx       int [CX]  in CX and one-qubit gates
    depth    int      of the same
    """,
)


def logo(side: int = 64) -> list[list[bool]]:
    """The bitmap of the challenge of 2026, by its official formula, as in circuits/logo-2026/make.py."""

    def marked(x: int, y: int) -> bool:
        discs = (x - 55) ** 2 + (y - 41) ** 2 <= 42 or (x - 40) ** 2 + (y - 19) ** 2 <= 72
        return discs or (2 <= x <= 26 and 29 <= y <= 53) or (26 <= x <= 49 and 39 <= y <= 43)

    return [[marked(x, y) for x in range(side)] for y in range(side)]


CASES: dict[str, str | list[list[bool]]] = {"kakuro-like": kakuro_like(), "3-cnf": clauses(), "logo-2026": logo()}


def ours(function: object, ancillas: int | None = None, metric: Metric = "cx") -> tuple[object, ...]:
    """Time and counts of our oracle."""
    start = time.process_time()
    oracle = phase_oracle(function, ancillas=ancillas, optimize=metric)
    seconds = time.process_time() - start
    name = f"gatesolve {oracle.method}{'' if ancillas is None else f', {ancillas} ancillas'}"
    made = oracle.resources
    return name, round(seconds, 1), made.qubits, made.cx, made.depth


def narrow(expression: str) -> tuple[object, ...]:
    """Return time and counts of our oracle at Qiskit's width."""
    return ours(expression, 2)


def bitmap(rows: list[list[bool]]) -> tuple[object, ...]:
    """Return time and counts of our oracle under the rules of the challenge: six ancillas, least depth."""
    return ours(rows, 6, "depth")


def qiskit(expression: str) -> tuple[object, ...]:
    """Time and counts of Qiskit's; its synthesis and its transpilation are both in the time."""
    from qiskit import QuantumCircuit, transpile
    from qiskit.circuit.library import PhaseOracleGate

    start = time.process_time()
    gate = PhaseOracleGate(expression)
    frame = QuantumCircuit(gate.num_qubits + 2)
    data = range(gate.num_qubits)
    frame.h(data)
    frame.barrier(data)
    frame.append(gate, data)
    low = after_barrier(transpile(frame, basis_gates=["cx", "u"], optimization_level=3))
    seconds = time.process_time() - start
    return "Qiskit PhaseOracleGate", round(seconds, 1), low.num_qubits, low.count_ops()["cx"], low.depth()


def makers(case: str | list[list[bool]]) -> tuple[Callable[..., tuple[object, ...]], ...]:
    """Return what is measured of a case; Qiskit's takes expressions alone."""
    return (ours, narrow, qiskit) if isinstance(case, str) else (bitmap,)


SUITE = Suite(
    TABLE,
    list_cases=lambda: CASES,
    measure=lambda name, asked: (TABLE.row(name, *make(CASES[name])) for make in makers(CASES[name])),
)
