"""Certificates: an operation list checked on every codeword, or on a stated sample of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gatesolve.circuit.ops import Ops
from gatesolve.circuit.simulate import Planes, run_ops
from gatesolve.errors import GatesolveError

CHUNK = 1 << 16
Numbers = NDArray[np.int64]


class CertificateError(GatesolveError):
    """An oracle failed its own check: a fault of gatesolve, not of the input."""


@dataclass(frozen=True)
class Certificate:
    """What was checked of an oracle and how.

    Attributes:
        checked: codewords the oracle was run on.
        of: codewords there are.
        ancillas_clean: every ancilla and data qubit came back as it was, with no phase but the mark.
        method: ``every codeword`` or ``sample, seed N``.
        marked: codewords marked, when every codeword was checked; None otherwise.
        lowered: codewords on which the lowered oracle was simulated exactly and found equal.
    """

    checked: int
    of: int
    ancillas_clean: bool
    method: str
    marked: int | None
    lowered: int = 0


@dataclass(frozen=True)
class PhaseCheck:
    """An oracle with all that is needed to check it.

    Attributes:
        ops: basis-state operations.
        num_data: data qubits come first.
        num_qubits: data and ancilla qubits.
        size: number of codewords.
        bits: shape (num_data, len(numbers)) bits of the numbered codewords.
        predicate: truth of the model on the numbered codewords.
    """

    ops: Ops
    num_data: int
    num_qubits: int
    size: int
    bits: Callable[[Numbers], NDArray[np.bool_]]
    predicate: Callable[[Numbers], NDArray[np.bool_]]

    def marks(self, numbers: Numbers) -> NDArray[np.bool_]:
        """Which of the numbered codewords the oracle marks.

        Raises:
            CertificateError: a data qubit changed, an ancilla was left set, or a phase other than -1 appeared.
        """
        before = np.zeros((self.num_qubits, len(numbers)), dtype=bool)
        before[: self.num_data] = self.bits(numbers)
        planes = Planes.from_bits(before)
        start = planes.bits.copy()
        run_ops(self.ops, planes)
        phase: NDArray[np.bool_] = planes.unpack(planes.phase, len(numbers))
        # States past the last codeword in the final word are all-zero, not codewords: they may do anything.
        changed = planes.unpack(planes.bits ^ start, len(numbers))
        if changed.any() or phase[0].any():
            raise CertificateError("the oracle did not return its qubits as they were: please report this as a bug")
        marked: NDArray[np.bool_] = phase[1]
        return marked


def certify(
    check: PhaseCheck, limit: int, seed: int, progress: Callable[[int, int], None] | None = None
) -> tuple[Certificate, NDArray[np.bool_] | None]:
    """Run the oracle on every codeword if there are at most ``limit``, else on ``limit`` drawn ones.

    Args:
        check: the oracle and the model's predicate.
        limit: most codewords to run.
        seed: of the draw.
        progress: called with (codewords done, codewords to do).

    Returns:
        The certificate and, when every codeword was checked, the marks in codeword order.

    Raises:
        CertificateError: the oracle disagrees with the model, or leaves a qubit dirty.

    Cost: one word operation a gate and 64 codewords.
    """
    whole = check.size <= limit
    total = check.size if whole else limit
    draw = np.random.default_rng(seed)
    parts = []
    for start in range(0, total, CHUNK):
        length = min(CHUNK, total - start)
        if whole:
            numbers = np.arange(start, start + length)
        else:
            numbers = draw.integers(0, min(check.size, 2**63 - 1), size=length)
        marks = check.marks(numbers)
        wrong = np.flatnonzero(marks != check.predicate(numbers))
        if wrong.size:
            raise CertificateError(
                f"the oracle disagrees with the model at codeword {int(numbers[wrong[0]])}: please report this as a bug"
            )
        parts.append(marks)
        if progress is not None:
            progress(start + length, total)
    marks = np.concatenate(parts) if parts else np.zeros(0, dtype=bool)
    method = "every codeword" if whole else f"sample, seed {seed}"
    marked = int(marks.sum()) if whole else None
    return Certificate(total, check.size, True, method, marked), marks if whole else None
