"""iQuHACK 2023, Microsoft's challenge: nine oracles, logical qubits times depth of the resource estimator.

Wires: the input's bits, lowest first, the target, then work wires from zero to zero or measured. The target is flipped
where the number is one of the task's. With Q wires, W = 2 Q + ceil(sqrt(8 Q)) + 1 and D = T + 3 (ccx + ccz + cs) +
measurements + resets. Source: github.com/iQuHACK/2023_Microsoft; W and D as the estimator of Microsoft's ``qdk`` has
them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path

from .base import Contest, RefusedError, Verdict, need_wires, read_circuit
from .paths import GATES, Poly
from .toffoli_measured import counted, prove

TASKS: dict[str, tuple[int, Callable[[int], bool]]] = {
    "1": (3, lambda z: z in {2, 5}),
    "2": (5, lambda z: z in {1, 3, 8, 11, 13, 17, 20, 21}),
    "3": (6, lambda z: z.bit_count() == 3),
    "4": (7, lambda z: z % 3 == 0),
    "5": (6, lambda z: z >> 3 == z & 7 or z in {0b010101, 0b101010}),
    "6": (8, lambda z: z & 0b10110010 == 0b10010000),
    "7": (7, lambda z: "1001" in f"{z:07b}"),
    "8": (7, lambda z: z.bit_count() >= 4),
    "9": (8, lambda z: (z >> 4) + (z & 15) == 16),
}
"""Bits of the input, and which numbers flip the target."""


def polynomial(bits: int, holds: Callable[[int], bool]) -> Poly:
    """A function as a XOR of monomials (Moebius transform)."""
    table = [holds(z) for z in range(1 << bits)]
    for bit in range(bits):
        for z in range(1 << bits):
            if z >> bit & 1:
                table[z] ^= table[z ^ 1 << bit]
    return frozenset(z for z in range(1 << bits) if table[z])


def judge(task: str, class_: str, files: Sequence[Path]) -> Verdict:
    """Prove the oracle for every input and outcome."""
    circuit = read_circuit(files[0], GATES)
    bits, holds = TASKS[task]
    need_wires(circuit, files[0], bits + 1)
    counts, qubits = counted(circuit, files[0]), circuit.num_qubits
    if class_ == "unitary" and counts["read"]:
        raise RefusedError(f"{files[0]}: measurement or reset is not allowed in class unitary; enter it as measured")
    wanted = [frozenset({1 << wire}) for wire in range(bits + 1)]
    prove(circuit, range(bits + 1), [*wanted[:bits], wanted[bits] ^ polynomial(bits, holds)], files[0])
    width = 2 * qubits + math.isqrt(8 * qubits - 1) + 2
    depth = counts["t"] + 3 * (counts["tof"] + counts["cs"]) + counts["read"]
    return Verdict((width * depth,), f"{width * depth:,}", qubits)


CONTEST = Contest(
    "logical qubits x depth",
    {"unitary": "without measurement: the contest's own rule", "measured": "measurement allowed"},
    tuple(TASKS),
    judge,
    {},
)
