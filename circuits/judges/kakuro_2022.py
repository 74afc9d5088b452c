"""Classiq 2022: the Kakuro oracle, CX.

Wires x0, x1, x2, the low and the high bit of x3, x4, x5, x6, then ancillas that start and end at zero; x0 and x2 stand
for the bit plus two. Exactly the solutions get the sign -1, up to one factor. Sources: classiq.io/competition/kakuro
and its thread of 13 May 2022.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from qiskit import QuantumCircuit

from gatesolve.simulate.sparse import probabilities

from .base import NUMERIC, Contest, RefusedError, Verdict, count, need_wires, read_circuit
from .basis import Bits, bits_of, check_action

WIRES = 8
MOST_ITERATIONS = 12
LEAST_STATES = 8
"""That a preparation may leave."""


def constraints(bits: Sequence[bool]) -> list[bool]:
    """Which of the contest's eleven constraints hold."""
    x0, x1, x2, low, high, x4, x5, x6 = (int(b) for b in bits)
    x3 = low + 2 * high
    pairs = [(x0, x1), (x2 + 2, x3), (x3, x4), (x1, x3), (x3, x5), (x5, x6), (x0, x2), (x1, x5), (x4, x6)]
    return [*(a != b for a, b in pairs), x3 == 2, x2 + x4 + x3 == 3]


def refuse_idle_cx(circuit: QuantumCircuit, bits: Bits, signs: NDArray[np.complex128], path: Path) -> None:
    """Refuse an oracle that does the same without one of its CX: what is counted must be needed."""
    for place, step in enumerate(circuit.data):
        if step.operation.name == "cx":
            less = circuit.copy()
            del less.data[place]
            try:
                check_action(less, bits, bits, signs, path)
            except RefusedError:
                continue
            raise RefusedError(f"{path}: a CX, gate {place + 1}, is not needed: take it out")


def judge(task: str, class_: str, files: Sequence[Path]) -> Verdict:
    """Check one oracle, in class ``prepared`` on the states that its second file prepares."""
    circuit = read_circuit(files[0], NUMERIC)
    need_wires(circuit, files[0], WIRES)
    inputs = np.arange(1 << WIRES)
    table = np.array([constraints(bits) for bits in bits_of(inputs, WIRES).T])
    solutions = table.all(axis=1)
    weights = np.full(len(inputs), 1 / len(inputs))
    if class_ == "prepared":
        preparation = read_circuit(files[1], NUMERIC)
        need_wires(preparation, files[1], WIRES, WIRES)
        found = probabilities(preparation)
        weights = np.array([found.get(int(state), 0.0) for state in inputs])
        inputs = inputs[weights > 1e-12]
        if len(inputs) < LEAST_STATES:
            told = f"a search among {LEAST_STATES} or more is wanted: fewer are found by trying them"
            raise RefusedError(f"{files[1]}: prepares {len(inputs)} of the 256 states; {told}")
        if np.ptp(weights[inputs]) > 1e-9:
            raise RefusedError(f"{files[1]}: its states are not equally likely, so some of the search is done there")
    bits, signs = bits_of(inputs, WIRES), np.where(solutions[inputs], -1, 1).astype(complex)
    check_action(circuit, bits, bits, signs, files[0])
    if class_ == "prepared":
        refuse_idle_cx(circuit, bits, signs, files[0])
    angle = np.arcsin(np.sqrt(weights[solutions].sum()))
    success = max(np.sin((2 * k + 1) * angle) ** 2 for k in range(1, MOST_ITERATIONS + 1))
    if not (weights[solutions] > 1e-12).all() or success < 0.5:
        raise RefusedError(f"{files[-1]}: the search from this preparation does not find the solution")
    cx = count(circuit)["cx"]
    if not cx:
        raise RefusedError(f"{files[0]}: no CX: no two wires are compared, so the preparation has done the search")
    held = int(table[inputs].all(axis=0).sum())
    states = f" on {len(inputs)} states that all satisfy {held} of 11 constraints" if class_ == "prepared" else ""
    return Verdict((cx,), f"{cx}{states}", circuit.num_qubits)


CONTEST = Contest(
    "CX of the oracle",
    {
        "exact": "right on all 256 inputs",
        "prepared": "right on the states that its preparation makes, at least eight; what all satisfy is not checked",
    },
    ("oracle",),
    judge,
    {"prepared": "the oracle, the preparation"},
)
