"""Classiq 2022: X under 14 controls on at most 20 qubits, depth.

Wires: 14 controls, the target, at most five ancillas that start and end at zero. CX and one-qubit gates, each a layer.
Source: classiq.io/competition/toffoli.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from .base import NUMERIC, Contest, Verdict, count, need_wires, read_circuit
from .basis import bits_of, check_action

CONTROLS, MOST_WIRES = 14, 20


def judge(task: str, class_: str, files: Sequence[Path]) -> Verdict:
    """Check the circuit on all 2^15 inputs."""
    circuit = read_circuit(files[0], NUMERIC)
    need_wires(circuit, files[0], CONTROLS + 1, MOST_WIRES)
    before = bits_of(np.arange(1 << CONTROLS + 1), CONTROLS + 1)
    after = before.copy()
    after[CONTROLS] ^= before[:CONTROLS].all(axis=0)
    check_action(circuit, before, after, np.ones(before.shape[1], dtype=complex), files[0])
    depth, cx = circuit.depth(lambda step: step.operation.name != "barrier"), count(circuit)["cx"]
    return Verdict((depth, cx), f"{depth} ({cx} CX)", circuit.num_qubits)


CONTEST = Contest("depth", {"exact": "right on all 2^15 inputs, ancillas clean"}, ("mcx14",), judge, {})
