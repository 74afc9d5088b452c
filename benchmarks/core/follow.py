"""Oracles followed exactly on codewords: whoever made a circuit, it is counted only after that.

Circuits are followed by `gatesolve.simulate.check_branches`, gate by gate on a list of terms and whatever their
measurements give. Two samples of large spaces: `Codewords.draw` takes codewords of any space, `Codewords.of` also
neighbours of solutions.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from qiskit import QuantumCircuit

from gatesolve.encodings import Space
from gatesolve.errors import DoesNotFitError
from gatesolve.model import Model, find_solutions
from gatesolve.oracle import Oracle
from gatesolve.pipelines import phase_check
from gatesolve.pipelines.certify import certify_oracle, certify_sample, draw_sample
from gatesolve.planning import Clock
from gatesolve.simulate import CertificateError, check_branches

ALL, SAMPLE = 1 << 16, 1 << 12
"""Codewords that `Codewords.draw` takes one and all, and of a larger space."""
FEW = 64
"""Codewords tried of a circuit that branches too far for more."""
SEED = 2026
MOST_FOLLOWED, MOST_RUN = 1 << 14, 1 << 17
"""Codewords of `Codewords.of` on which a lowered circuit is followed, or operations are run, one and all."""
SOLUTIONS, NEAR, DRAWN = 64, 2048, 2048
Numbers = NDArray[np.int64]


def certify(model: Model, space: Space, oracle: Oracle) -> int:
    """Run an oracle's operations against the model; returns on how many codewords. CertificateError: it is wrong."""
    if space.size <= MOST_RUN:
        certify_oracle(phase_check(model, space, oracle), 0, Clock())
        return int(space.size)
    return certify_sample(draw_sample(model, space, 0)[0], model.holds, oracle, 0, Clock())[1].size


def solved(model: Model, space: Space, most: int) -> Numbers:
    """Return codewords of solutions: all of a small space, else up to ``most`` by the reference solver."""
    if space.size <= ALL:
        return np.flatnonzero(wanted(model, space, np.arange(space.size)))
    found = [space.number(row) for row in find_solutions(model, limit=most)]
    return np.array([number for number in found if number is not None], dtype=np.int64)


def wanted(model: Model, space: Space, numbers: Numbers) -> NDArray[np.bool_]:
    """Return which of the codewords satisfy the model."""
    return np.broadcast_to(model.holds(space.values(numbers)), numbers.shape)


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
    def draw(model: Model, space: Space, most: int = ALL) -> Codewords:
        """All codewords up to ``most``, or drawn ones and up to a hundred solutions."""
        numbers = np.arange(min(space.size, most))
        if space.size > most:
            drawn = np.random.default_rng(SEED).integers(0, space.size, SAMPLE)
            numbers = np.unique(np.concatenate([drawn, solved(model, space, 100)]))
        return Codewords(space.bits(numbers), wanted(model, space, numbers))

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
        good, bad = np.flatnonzero(self.right)[: FEW // 4], np.flatnonzero(~self.right)
        last = (FEW - len(good)) // 3
        chosen = np.unique(np.concatenate([good, bad[: FEW - len(good) - last], bad[-last:]]))
        return Codewords(self.bits[:, chosen], self.right[chosen])

    def follow(self, circuit: QuantumCircuit) -> int:
        """Follow a lowered phase oracle, the space's qubits in front and zeroed ancillas behind.

        Returns:
            The number of codewords on which it was right: all, or `FEW` where a circuit branches too far for more.

        Raises:
            AssertionError: it marks other codewords than the solutions, moves one, or leaves an ancilla set.
            ValueError: a gate is neither CX nor on one qubit.
            DoesNotFitError: it cannot be followed.
        """
        try:
            return self._follow(circuit)
        except DoesNotFitError:
            return self.few()._follow(circuit)

    def _follow(self, circuit: QuantumCircuit) -> int:
        inputs = np.zeros((circuit.num_qubits, self.bits.shape[1]), dtype=bool)
        inputs[: len(self.bits)] = self.bits
        try:
            check_branches(circuit, inputs, self.right, SEED)
        except CertificateError:
            raise AssertionError("it marks other codewords than the solutions, or does not bring all back") from None
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
