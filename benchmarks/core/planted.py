"""Codewords on which a large oracle is followed: solutions, what is one variable away from them, and drawn ones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from qiskit import QuantumCircuit

from benchmarks.core import sparse
from gatesolve.encodings.space import Space
from gatesolve.model import Model
from gatesolve.model.reference import find_solutions

SEED = 2027
SOLUTIONS, NEAR, DRAWN = 64, 2048, 2048
FEW = 64
"""Codewords tried of a circuit that branches too far for more, or has more gates than `LONG`."""
LONG = 20_000
MOST_FOLLOWED = 1 << 14
"""Codewords on which a lowered circuit is followed one and all."""
MOST_RUN = 1 << 17
"""Codewords on which steps or operations are run one and all."""


@dataclass(frozen=True)
class Codewords:
    """Some codewords of a space, all different.

    Attributes:
        bits: their qubits, one codeword a column.
        right: which of them satisfy the model.
    """

    bits: NDArray[np.bool_]
    right: NDArray[np.bool_]

    def few(self) -> Codewords:
        """`FEW` of them, solutions first, then in the order they were taken: near ones before drawn ones."""
        good, bad = np.flatnonzero(self.right), np.flatnonzero(~self.right)
        kept = [*good[: FEW // 4], *bad[: FEW // 2], *bad[-(FEW // 4) :]]
        chosen = np.unique(np.array(kept))
        return Codewords(self.bits[:, chosen], self.right[chosen])


def codewords(model: Model, space: Space, most: int) -> Codewords:
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


def _sampled(model: Model, space: Space, sizes: list[int]) -> NDArray[np.int64]:
    """Places in the blocks: solutions, their neighbours, drawn ones."""
    draw = np.random.default_rng(SEED)
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


def follow(circuit: QuantumCircuit, tried: Codewords) -> int:
    """Follow a lowered phase oracle exactly; returns on how many codewords.

    Raises:
        AssertionError: it marks other codewords than the solutions.
        ValueError: codewords move, ancillas are left set, or phases are wrong.
        OverflowError: it cannot be followed.
    """
    if len(circuit.data) > LONG:
        return _followed(circuit, tried.few(), as_written=True)
    try:
        return _followed(circuit, tried)
    except OverflowError:
        return _followed(circuit, tried.few())


def _followed(circuit: QuantumCircuit, tried: Codewords, *, as_written: bool = False) -> int:
    found = sparse.marked(circuit, tried.bits, as_written=as_written)
    # A phase common to all codewords does not matter, so the unmarked ones may be the ones at -1.
    if not (np.array_equal(found, tried.right) or np.array_equal(found, ~tried.right)):
        raise AssertionError("it marks other codewords than the solutions")
    return len(tried.right)
