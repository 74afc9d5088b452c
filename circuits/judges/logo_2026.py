"""Classiq 2026: the phase oracle of a bitmap of 64 x 64 pixels, depth, then CX.

x is wires 0 to 5 and y wires 6 to 11, lowest digit first; then at most six ancillas, zero before and after. Only u3 and
cx. The formula is the contest's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from .base import Contest, Verdict, count, need_wires, read_circuit
from .basis import bits_of, check_action


def judge(task: str, class_: str, files: Sequence[Path]) -> Verdict:
    """Check the circuit on all 4,096 inputs."""
    circuit = read_circuit(files[0], frozenset({"u3", "cx"}))
    need_wires(circuit, files[0], 12, 18)
    numbers = np.arange(4096)
    x, y = numbers % 64, numbers // 64
    square = (x >= 2) & (x <= 26) & (y >= 29) & (y <= 53)
    bar = (x >= 26) & (x <= 49) & (y >= 39) & (y <= 43)
    discs = ((x - 55) ** 2 + (y - 41) ** 2 <= 42) | ((x - 40) ** 2 + (y - 19) ** 2 <= 72)
    bits = bits_of(numbers, 12)
    check_action(circuit, bits, bits, np.where(square | bar | discs, -1, 1).astype(complex), files[0])
    depth, cx = circuit.depth(), count(circuit)["cx"]
    return Verdict((depth, cx), f"{depth} / {cx} CX", circuit.num_qubits)


CONTEST = Contest("depth, then CX", {"exact": "right on all 4,096 inputs, ancillas clean"}, ("logo",), judge, {})
