"""Runs of one-qubit gates as one general gate."""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gatesolve.circuit.gates import EIGHTHS, LowGate
from gatesolve.circuit.lowering.passes.commute import pauli_letters
from gatesolve.circuit.lowering.passes.schedule import reschedule

Angles = tuple[float, float, float]
Merged = tuple[str, tuple[int, ...], Angles | None]
Matrix = NDArray[np.complex128]

NEAR_POLE = 1e-3
"""The size of an entry up to which the phases beside it are taken from the others."""
_PHASES = {name: math.pi / 4 * (eighths if eighths <= 4 else eighths - 8) for name, eighths in EIGHTHS.items()}


@dataclass
class _GateRun:
    """One-qubit gates that become one, at ``index`` in the result: ``word`` has names and angles, the first first.

    ``kind`` is the letter of them all (`pauli_letters`), ``-`` where they have none in common; ``passed`` that of the
    ends of larger gates they were followed over since the last of them, empty if none.
    """

    index: int
    kind: str
    word: list[tuple[str, float]]
    passed: str = ""


def merge_rotations(gates: Iterable[LowGate]) -> list[Merged]:
    """Keep gates on several qubits, and merge the others into few ``u``; identities are dropped.

    A gate joins the last gates on its qubit across the CX and CZ ends with which it commutes. Phases wait, across
    controls, for the next H that they can join. The order of least depth found is returned (`reschedule`). Angles are
    those of Qiskit's ``u(theta, phi, lambda)``; a global phase is dropped.

    Each ``u`` stands where the first H or rotation among its gates stood. So the superposition of an AND opens no
    earlier and closes no later than before.

    Raises:
        ValueError: a gate on one qubit is not known.
    """
    result: list[Merged | None] = []
    runs: dict[int, _GateRun] = {}

    def finish(qubit: int) -> None:
        run = runs.pop(qubit, None)
        angles = None if run is None else _angles(tuple(run.word))
        if run is not None and angles is not None:
            result[run.index] = ("u", (qubit,), angles)

    for gate in gates:
        name, qubits, angle = gate
        if len(qubits) > 1:
            for qubit, letter in zip(qubits, pauli_letters(gate), strict=True):
                # A run that does not commute with this end ends before it.
                run = runs.get(qubit)
                if run is None or run.passed not in {"", letter} or run.kind not in {letter, "-"}:
                    finish(qubit)
                else:
                    run.passed = letter
            result.append((name, qubits, None))
            continue
        (qubit,), kind = qubits, pauli_letters(gate)
        if qubit in runs and runs[qubit].passed not in {"", kind, runs[qubit].kind}:
            finish(qubit)
        run = runs.get(qubit)
        if run is None:
            # The place is kept free now and filled once the run has ended.
            runs[qubit] = _GateRun(len(result), kind, [(name, angle)])
            result.append(None)
            continue
        # The run so far was only followed over larger gates by commuting; a gate of another kind ties it to this place.
        if kind != run.kind and (run.kind != "-" and (run.passed not in {"", kind} or kind == "-")):
            run.index = len(result)
            result.append(None)
        run.passed = run.passed if kind == run.passed else ""
        run.word.append((name, angle))
        # Mixed kinds commute with nothing in general.
        run.kind = run.kind if kind == run.kind else "-"
    for qubit in list(runs):
        finish(qubit)
    # Identities left their place empty.
    return reschedule([gate for gate in result if gate is not None], lambda gate: gate[1], _kinds)


def _kinds(gate: Merged) -> str:
    """The letters of a merged gate, as of `pauli_letters`."""
    if gate[2] is None:
        return pauli_letters((gate[0], gate[1], 0.0))
    theta, phi, lam = gate[2]
    if abs(math.sin(theta / 2)) < 1e-12:
        return "z"
    cosine = math.cos(theta / 2) * (1 - cmath.exp(1j * (phi + lam)))
    sine = math.sin(theta / 2) * (cmath.exp(1j * phi) + cmath.exp(1j * lam))
    return "x" if abs(cosine) + abs(sine) < 1e-12 else "-"


@lru_cache(maxsize=4096)
def _angles(run: tuple[tuple[str, float], ...]) -> Angles | None:
    """Euler angles of the product, the first gate acting first; None for the identity."""
    product: Matrix = np.eye(2, dtype=np.complex128)
    for name, angle in run:
        product = _matrix(name, angle) @ product
    if abs(product[1, 0]) < 1e-12 and abs(product[0, 0] - product[1, 1]) < 1e-12:
        return None
    # atan2 is accurate at both poles, where acos and asin lose half of the digits.
    theta = 2 * math.atan2(abs(product[1, 0]), abs(product[0, 0]))
    # At the poles only the sum or the difference of the two phases matters, so one of them is set to zero.
    if abs(product[0, 0]) < 1e-12:
        return theta, cmath.phase(product[1, 0] / -product[0, 1]), 0.0
    if abs(product[1, 0]) < 1e-12:
        return 0.0, 0.0, cmath.phase(product[1, 1] / product[0, 0])
    phi, lam = cmath.phase(product[1, 0] / product[0, 0]), cmath.phase(-product[0, 1] / product[0, 0])
    # Near the poles only the sum of both, or their difference, is known to all digits.
    if abs(product[1, 0]) < NEAR_POLE:
        lam = cmath.phase(product[1, 1] / product[0, 0]) - phi
    elif abs(product[0, 0]) < NEAR_POLE:
        lam = phi - cmath.phase(product[1, 0] / -product[0, 1])
    return theta, phi, lam


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
