"""IBM Quantum Challenge Fall 2020, final: which of sixteen boards three beams cannot clear, one iteration, 1q + 10 CX.

The board's number is measured into c[0] (the highest digit) to c[3]. Source: github.com/qiskit-community/
IBMQuantumChallenge2020, exercises/week-3.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path

import numpy as np

from .base import NUMERIC, Contest, RefusedError, Verdict, need_wires, read_circuit, weigh
from .basis import check_ideal, drawn, measured

BOARDS = Path(__file__).resolve().parents[1] / "asteroids-2020" / "boards.json"
SHOTS, MOST_WIRES, FLOOR = 1000, 28, 1000


def needs_four(board: str) -> bool:
    """Four asteroids in four rows and four columns need a beam each, and three beams clear any other board (Konig)."""
    rows = board.split("/")
    return any(all(rows[r][c] == "1" for r, c in enumerate(places)) for places in permutations(range(4)))


def judge(task: str, class_: str, files: Sequence[Path]) -> Verdict:
    """The likeliest outcome must be the board that needs four beams."""
    circuit = read_circuit(files[0], NUMERIC | {"measure"})
    need_wires(circuit, files[0], 4, MOST_WIRES)
    wanted = np.array([needs_four(board) for board in json.loads(BOARDS.read_text())[task]])
    found = measured(circuit, 4, files[0])
    order = np.argsort(-found, kind="stable")
    if not wanted[order[0]] or found[order[0]] <= 1.0001 * found[order[1]]:
        raise RefusedError(f"{files[0]}: board {order[0]} is the likeliest; {int(wanted.argmax())} needs four beams")
    drawn(found, SHOTS, lambda shots: wanted[shots.argmax()], files[0])
    if class_ == "exact":
        check_ideal(found, wanted, 1, len(wanted), files[0])
    cost = weigh(circuit)
    if cost < FLOOR:
        raise RefusedError(f"{files[0]}: cost {cost}; the contest rejects circuits below {FLOOR}")
    return Verdict((cost,), f"{cost:,}", circuit.num_qubits)


CONTEST = Contest(
    "1q + 10 CX",
    {
        "exact": "outcomes as likely as with an exact oracle: one iteration from a uniform start over all boards",
        "outcomes": "the most likely outcome is the board: the contest's own rule",
    },
    ("final",),
    judge,
    {},
)
