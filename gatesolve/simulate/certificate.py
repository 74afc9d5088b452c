"""Certificates: an operation list checked on every codeword, or on a stated sample of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gatesolve.circuit.notebook import html_table
from gatesolve.circuit.ops import Ops
from gatesolve.circuit.simulate import Plane, Planes, Slice, pack_plane, run_ops, unpack_plane
from gatesolve.errors import GatesolveError

CHUNK = 1 << 16
Numbers = NDArray[np.int64]


class CertificateError(GatesolveError):
    """An oracle failed its own check: a fault of gatesolve, not of the input."""


@dataclass(frozen=True)
class Certificate:
    """The outcome of checking an oracle: the method, and how many codewords were run.

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

    def _repr_html_(self) -> str:
        return html_table("Certificate", [(name.replace("_", " "), value) for name, value in vars(self).items()])


@dataclass(frozen=True)
class PhaseCheck:
    """An oracle of basis-state operations with all that is needed to check it; data qubits come first.

    Attributes:
        size: number of codewords.
        bits: shape (num_data, len(numbers)) bits of the numbered codewords.
        predicate: truth of the model on the numbered codewords.
        slices: all codewords in order, faster than by their numbers; None where there is no such way.
    """

    ops: Ops
    num_data: int
    num_qubits: int
    size: int
    bits: Callable[[Numbers], NDArray[np.bool_]]
    predicate: Callable[[Numbers], NDArray[np.bool_]]
    slices: Callable[[], Iterable[Slice]] | None = None

    def marks(self, numbers: Numbers) -> NDArray[np.bool_]:
        """Which of the numbered codewords the oracle marks.

        Raises:
            CertificateError: a data qubit changed, an ancilla was left set, or a phase other than -1 appeared.
        """
        return unpack_plane(self.run(self._take(0, numbers)), len(numbers))

    def run(self, part: Slice) -> Plane:
        """Which of the codewords of a slice the oracle marks; raises as `marks`."""
        words = len(part.holds)
        planes = Planes(np.zeros((self.num_qubits, words), np.uint64), np.zeros((2, words), np.uint64))
        for row, plane in zip(planes.bits, part.bits, strict=False):
            # The rows beyond the data qubits stay zero: they are the ancillas.
            row[:] = plane
        run_ops(self.ops, planes)
        # States past the last codeword in the final word are no codewords: they may do anything.
        inside = pack_plane(np.ones(part.length, dtype=bool)) if part.length % 64 else np.uint64(0xFFFFFFFFFFFFFFFF)
        # Phases count quarter turns: the low digit means i or -i, which is wrong here, and the high digit is the mark.
        changed = planes.phase[0] & inside
        for row, given in zip(planes.bits, part.bits, strict=False):
            changed |= (row ^ given) & inside
        for row in planes.bits[len(part.bits) :]:
            changed |= row & inside
        if changed.any():
            raise CertificateError("the oracle did not return its qubits as they were: please report this as a bug")
        marked: Plane = planes.phase[1] & inside
        return marked

    def list_slices(self) -> Iterator[Slice]:
        """All codewords, in order."""
        if self.slices is not None:
            yield from self.slices()
            return
        for start in range(0, self.size, CHUNK):
            yield self._take(start, np.arange(start, min(start + CHUNK, self.size)), True)

    def draw_slices(self, count: int, seed: int) -> Iterator[Slice]:
        """Codewords drawn with replacement."""
        draw = np.random.default_rng(seed)
        for start in range(0, count, CHUNK):
            # A space may have more codewords than int64 holds; those beyond are then not drawn.
            numbers = draw.integers(0, min(self.size, 2**63 - 1), size=min(CHUNK, count - start))
            yield self._take(start, numbers, True)

    def _take(self, start: int, numbers: Numbers, judged: bool = False) -> Slice:
        bits = tuple(pack_plane(row) for row in self.bits(numbers))
        holds = self.predicate(numbers) if judged else np.zeros(len(numbers), dtype=bool)
        return Slice(start, len(numbers), bits, pack_plane(np.broadcast_to(holds, numbers.shape)))


def certify(
    check: PhaseCheck, limit: int, seed: int, progress: Callable[[int, int], None] | None = None
) -> tuple[Certificate, NDArray[np.bool_] | None]:
    """Run the oracle on every codeword if there are at most ``limit``, else on ``limit`` drawn ones.

    Returns:
        The certificate and, when every codeword was checked, the marks in codeword order.

    Raises:
        CertificateError: the oracle disagrees with the model, or leaves a qubit dirty.

    Cost: one word operation a gate and 64 codewords.
    """
    whole = check.size <= limit
    total = check.size if whole else limit
    parts = []
    for part in check.list_slices() if whole else check.draw_slices(total, seed):
        marks = check.run(part)
        wrong = np.flatnonzero(unpack_plane(marks ^ part.holds, part.length))
        if wrong.size:
            place = f"codeword {part.start + int(wrong[0])}" if whole else "a codeword drawn"
            raise CertificateError(f"the oracle disagrees with the model at {place}: please report this as a bug")
        parts.append(unpack_plane(marks, part.length))
        if progress is not None:
            progress(part.start + part.length, total)
    marked = np.concatenate(parts) if parts else np.zeros(0, dtype=bool)
    method = "every codeword" if whole else f"sample, seed {seed}"
    return Certificate(total, check.size, True, method, int(marked.sum()) if whole else None), marked if whole else None
