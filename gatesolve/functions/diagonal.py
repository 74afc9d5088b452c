"""Any phase on a few qubits by CX and z rotations alone, no ancilla."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from gatesolve.circuit.gates import LowGate

MOST_QUBITS = 12
"""Above this a circuit of 2^n gates is never the cheapest."""


def angles(table: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Coefficient of each parity in the phase ``pi * table``; entry m belongs to the XOR of the qubits in m."""
    spectrum = np.where(table, 1.0, 0.0)
    step = 1
    while step < spectrum.size:
        pair = spectrum.reshape(-1, 2, step)
        low, high = pair[:, 0] + pair[:, 1], pair[:, 0] - pair[:, 1]
        pair[:, 0], pair[:, 1] = low, high
        step *= 2
    # A parity p is (1 - chi) / 2, so its coefficient is minus twice that of the character.
    result: NDArray[np.float64] = -2 * math.pi * spectrum / spectrum.size
    result[0] = 0.0
    return result


def rotations(table: NDArray[np.bool_]) -> list[LowGate]:
    """Gates ``cx`` and ``p`` with phase -1 exactly where ``table`` is true, up to a global phase.

    Each parity is made on its highest qubit, parities with the same highest qubit in Gray-code order, those with no
    angle left out. At most 2^n - 2 CX. Source: Welch, Greenbaum, Mostame and Aspuru-Guzik, arXiv:1306.3991.
    """
    coefficient = angles(table)
    gates: list[LowGate] = []
    for target in range(table.size.bit_length() - 1):
        held = 0
        for k in range(1 << target):
            gray = k ^ (k >> 1)
            angle = float(coefficient[1 << target | gray])
            if abs(math.remainder(angle, 2 * math.pi)) < 1e-12:
                continue
            gates += [("cx", (q, target), 0.0) for q in range(target) if (held ^ gray) >> q & 1]
            gates.append(("p", (target,), angle))
            held = gray
        gates += [("cx", (q, target), 0.0) for q in range(target) if held >> q & 1]
    return gates
