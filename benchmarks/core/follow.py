"""Oracles followed exactly on codewords: whoever made a circuit, it is counted only after that.

Two samples of large spaces: `check` draws codewords of any space, `Codewords` also takes neighbours of solutions.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from qiskit import QuantumCircuit

from benchmarks.core import sparse
from gatesolve.encodings.space import Space
from gatesolve.model import Model
from gatesolve.model.reference import find_solutions
from gatesolve.oracle import Oracle
from gatesolve.pipelines.certify import certify_oracle, certify_sample, phase_check
from gatesolve.planning.clock import Clock

ALL, SAMPLE = 1 << 16, 1 << 12
"""Codewords that `check` tries one and all, and of a larger space."""
OUTCOMES = 4
"""Draws of the outcomes on which a circuit that erases by measurement is followed."""
FEW = 64
"""Codewords tried of a circuit that branches too far for more, or has more gates than `LONG`."""
LONG = 20_000
SLICE = 1024
"""Codewords followed together where all are too many at a time."""
SEED = 2026
MOST_FOLLOWED, MOST_RUN = 1 << 14, 1 << 17
"""Codewords of `Codewords` on which a lowered circuit is followed, or operations are run, one and all."""
SOLUTIONS, NEAR, DRAWN = 64, 2048, 2048
Numbers = NDArray[np.int64]


def check(circuit: QuantumCircuit, model: Model, space: Space, most: int = ALL) -> int:
    """Follow a lowered phase oracle, the space's qubits in front and zeroed ancillas behind.

    Returns:
        The number of codewords on which it was right: all of them up to ``most``, else a sample and solutions;
        `FEW` of them where a circuit branches too far for more.

    Raises:
        AssertionError: it marks other codewords than the solutions.
        ValueError: codewords move, ancillas are left set, or phases are wrong.
        OverflowError: it cannot be followed.
    """
    numbers = tried(model, space, most)
    try:
        found = _marked_in_slices(circuit, space.bits(numbers))
    except OverflowError:
        good = wanted(model, space, numbers)
        kept, others = numbers[good][: FEW // 4], numbers[~good]
        drawn = np.random.default_rng(SEED).choice(others, min(FEW - len(kept), len(others)), replace=False)
        numbers = np.sort(np.concatenate([kept, drawn]))
        found = _marked(circuit, space.bits(numbers))
    compare(found, wanted(model, space, numbers))
    return len(numbers)


def certify(model: Model, space: Space, oracle: Oracle) -> int:
    """Run an oracle's operations against the model; returns on how many codewords. CertificateError: it is wrong."""
    if space.size <= MOST_RUN:
        certify_oracle(phase_check(model, space, oracle), 0, Clock())
        return int(space.size)
    return int(certify_sample(model, space, oracle, 0, Clock()).check.size)


def compare(found: NDArray[np.bool_], right: NDArray[np.bool_]) -> None:
    """Raise AssertionError unless marks are right; which phase is common to most codewords does not matter."""
    if not (np.array_equal(found, right) or np.array_equal(found, ~right)):
        raise AssertionError("it marks other codewords than the solutions")


def tried(model: Model, space: Space, most: int = ALL) -> Numbers:
    """Return the codewords that `check` tries: all up to ``most``, or drawn ones and up to a hundred solutions."""
    if space.size <= most:
        return np.arange(space.size)
    drawn = np.random.default_rng(SEED).integers(0, space.size, SAMPLE)
    return np.unique(np.concatenate([drawn, solved(model, space, 100)]))


def solved(model: Model, space: Space, most: int) -> Numbers:
    """Return codewords of solutions: all of a small space, else up to ``most`` by the reference solver."""
    if space.size <= ALL:
        return np.flatnonzero(wanted(model, space, np.arange(space.size)))
    found = [space.number(row) for row in find_solutions(model, limit=most)]
    return np.array([number for number in found if number is not None], dtype=np.int64)


def wanted(model: Model, space: Space, numbers: Numbers) -> NDArray[np.bool_]:
    """Return which of the codewords satisfy the model."""
    return np.broadcast_to(model.holds(space.values(numbers)), numbers.shape)


def _marked_in_slices(circuit: QuantumCircuit, bits: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """All at once, or else in slices, each led by the same codeword: signs are relative to that one's."""
    try:
        return _marked(circuit, bits)
    except OverflowError:
        if bits.shape[1] <= SLICE:
            raise
    lead, rest = bits[:, :1], bits[:, 1:]
    parts = [
        _marked(circuit, np.concatenate([lead, rest[:, first : first + SLICE]], axis=1))
        for first in range(0, rest.shape[1], SLICE)
    ]
    return np.concatenate([np.zeros(1, dtype=bool), *(part[1:] ^ part[0] for part in parts)])


def _marked(circuit: QuantumCircuit, bits: NDArray[np.bool_]) -> NDArray[np.bool_]:
    found = [sparse.marked(circuit, bits, seed) for seed in range(OUTCOMES if circuit.num_clbits else 1)]
    if any(not np.array_equal(other, found[0]) for other in found):
        raise ValueError("what it marks depends on the outcomes of its measurements")
    return found[0]


@dataclass(frozen=True)
class Codewords:
    """Some codewords of a space, all different.

    Attributes:
        bits: their qubits, one codeword a column.
        right: which of them satisfy the model.
    """

    bits: NDArray[np.bool_]
    right: NDArray[np.bool_]

    @staticmethod
    def of(model: Model, space: Space, most: int) -> Codewords:
        """All codewords of a space of one variable a block up to ``most``, else a sample."""
        sizes = [block.size for block in space.blocks]
        if space.size <= most:
            places = np.indices(sizes).reshape(len(sizes), -1)
        else:
            drawn = _sampled(model, space, sizes)
            places = drawn[:, np.sort(np.unique(drawn, axis=1, return_index=True)[1])]
        bits = np.concatenate([block.bits[p].T for block, p in zip(space.blocks, places, strict=True)])
        values = {b.variables[0]: b.values[p, 0] for b, p in zip(space.blocks, places, strict=True)}
        return Codewords(bits, np.broadcast_to(model.holds(values), places.shape[1:]))

    def few(self) -> Codewords:
        """`FEW` of them, solutions first, then in the order they were taken: near ones before drawn ones."""
        good, bad = np.flatnonzero(self.right), np.flatnonzero(~self.right)
        kept = [*good[: FEW // 4], *bad[: FEW // 2], *bad[-(FEW // 4) :]]
        chosen = np.unique(np.array(kept))
        return Codewords(self.bits[:, chosen], self.right[chosen])

    def follow(self, circuit: QuantumCircuit) -> int:
        """Follow a lowered phase oracle exactly; returns on how many codewords. It raises what `check` does."""
        if len(circuit.data) > LONG:
            return self.few()._follow(circuit, as_written=True)
        try:
            return self._follow(circuit)
        except OverflowError:
            return self.few()._follow(circuit)

    def _follow(self, circuit: QuantumCircuit, *, as_written: bool = False) -> int:
        compare(sparse.marked(circuit, self.bits, as_written=as_written), self.right)
        return len(self.right)


def _sampled(model: Model, space: Space, sizes: list[int]) -> Numbers:
    """Places in the blocks: solutions, their neighbours, drawn ones."""
    draw = np.random.default_rng(SEED + 1)
    names = [block.variables[0] for block in space.blocks]
    found = [
        [block.tuples.index((row[name],)) for name, block in zip(names, space.blocks, strict=True)]
        for row in find_solutions(model, limit=SOLUTIONS)
    ]
    if not found:
        raise ValueError("a board without a solution checks little")
    solutions = np.array(found).T
    near = solutions[:, draw.integers(0, solutions.shape[1], NEAR)]
    free = np.flatnonzero(np.array(sizes) > 1)
    for column in range(NEAR):
        variable = draw.choice(free)
        near[variable, column] = draw.integers(0, sizes[variable])
    drawn = np.stack([draw.integers(0, size, DRAWN) for size in sizes])
    return np.concatenate([solutions, near, drawn], axis=1)
