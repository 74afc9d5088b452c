"""Runs of one-qubit gates as one general gate."""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from gatesolve.lowering.emit import LowGate

Angles = tuple[float, float, float]
Merged = tuple[str, tuple[int, ...], Angles | None]
Matrix = NDArray[np.complex128]

MIXING = frozenset({"h", "ry"})
"""Gates that take basis states to superpositions."""
_PHASES = {"z": math.pi, "s": math.pi / 2, "sdg": -math.pi / 2, "t": math.pi / 4, "tdg": -math.pi / 4}


def merged(gates: Iterable[LowGate]) -> list[Merged]:
    """CX gates as they are, and between them at most one ``u`` a qubit, left out where it is the identity.

    Each ``u`` stands where the first H or rotation among its gates stood, so that an AND's superposition is
    opened no earlier and closed no later than before.
    Angles are those of Qiskit's ``u(theta, phi, lambda)``; a global phase is dropped.
    """
    result: list[Merged | None] = []
    runs: dict[int, tuple[int, list[tuple[str, float]]]] = {}
    known: dict[tuple[tuple[str, float], ...], Angles | None] = {}

    def finish(qubit: int) -> None:
        if qubit not in runs:
            return
        index, run = runs.pop(qubit)
        word = tuple(run)
        if word not in known:
            known[word] = _angles(word)
        angles = known[word]
        result[index] = None if angles is None else ("u", (qubit,), angles)

    for name, qubits, angle in gates:
        if name == "cx":
            for qubit in qubits:
                finish(qubit)
            result.append(("cx", qubits, None))
        else:
            _, run = runs.get(qubits[0], (0, []))
            if not run or (name in MIXING and not any(earlier in MIXING for earlier, _ in run)):
                runs[qubits[0]] = (len(result), run)
                result.append(None)
            run.append((name, angle))
    for qubit in list(runs):
        finish(qubit)
    return [gate for gate in result if gate is not None]


def _angles(run: tuple[tuple[str, float], ...]) -> Angles | None:
    """Euler angles of the product, the first gate acting first; None for the identity."""
    product: Matrix = np.eye(2, dtype=np.complex128)
    for name, angle in run:
        product = _matrix(name, angle) @ product
    if abs(product[1, 0]) < 1e-12 and abs(product[0, 0] - product[1, 1]) < 1e-12:
        return None
    theta = 2 * math.atan2(abs(product[1, 0]), abs(product[0, 0]))
    if abs(product[0, 0]) < 1e-12:
        return theta, cmath.phase(product[1, 0] / -product[0, 1]), 0.0
    if abs(product[1, 0]) < 1e-12:
        return 0.0, 0.0, cmath.phase(product[1, 1] / product[0, 0])
    return theta, cmath.phase(product[1, 0] / product[0, 0]), cmath.phase(-product[0, 1] / product[0, 0])


def _matrix(name: str, angle: float) -> Matrix:
    if name == "h":
        return np.array([[1, 1], [1, -1]], dtype=np.complex128) / math.sqrt(2)
    if name == "x":
        return np.array([[0, 1], [1, 0]], dtype=np.complex128)
    if name == "ry":
        c, s = math.cos(angle / 2), math.sin(angle / 2)
        return np.array([[c, -s], [s, c]], dtype=np.complex128)
    if name in {"rz", "p", *_PHASES}:
        return np.diag([1, cmath.exp(1j * _PHASES.get(name, angle))]).astype(np.complex128)
    raise ValueError(f"unknown one-qubit gate {name}")
