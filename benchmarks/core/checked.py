"""Whoever made an oracle, it is counted only after its lowered circuit was followed exactly on codewords."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from qiskit import QuantumCircuit

from benchmarks.core import sparse
from benchmarks.suites.cases import ALL, SEED, tried, wanted
from gatesolve.encodings.space import Space
from gatesolve.model import Model

OUTCOMES = 4
"""Draws of the outcomes on which a circuit that erases by measurement is followed."""
FEW = 64
"""Codewords tried of a circuit that branches far."""
SLICE = 1024
"""Codewords followed together where all are too many at a time."""


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
        numbers = few(model, space, numbers)
        found = _marked(circuit, space.bits(numbers))
    right = wanted(model, space, numbers)
    # A phase common to all codewords does not matter, so the unmarked ones may be the ones at -1.
    if not (np.array_equal(found, right) or np.array_equal(found, ~right)):
        raise AssertionError("it marks other codewords than the solutions")
    return len(numbers)


def few(model: Model, space: Space, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """Some of the codewords, a few solutions among them."""
    good = wanted(model, space, numbers)
    kept, others = numbers[good][: FEW // 4], numbers[~good]
    drawn = np.random.default_rng(SEED).choice(others, min(FEW - len(kept), len(others)), replace=False)
    return np.sort(np.concatenate([kept, drawn]))


def _marked_in_slices(circuit: QuantumCircuit, bits: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """All at once, or else in slices, each led by the same codeword: signs are told beside that one's."""
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
