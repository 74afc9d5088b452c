"""Penalties for the states of a block that are none of its codewords."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from gatesolve.encodings.block import Block
from gatesolve.errors import DoesNotFitError
from gatesolve.qubo.fit import fitted_states
from gatesolve.qubo.forms import Polynomial, implies, one_hot
from gatesolve.qubo.literals import expressed, is_full
from gatesolve.qubo.penalty import Penalty, penalty
from gatesolve.qubo.polynomial import added, variable

INDICATOR_QUBITS = 12
"""Most qubits of a block in no regular pattern."""


def of_codewords(block: Block, offset: int) -> Penalty | None:
    """The penalty of a block's other states: 0 on codewords and at least 1 elsewhere; None where there are none.

    One-hot and unary tables: ``(sum - 1)**2``. Domain wall: the number of ones after a zero (Chancellor,
    arXiv:1903.05068, there as couplings of neighbours). Codewords closed under clearing bits (binary): the number of
    smallest patterns of ones that no codeword has; quadratic for 3, 5 or 6 codewords, cubic for 7. Others: a
    fitted quadratic, or the exact indicator.

    Args:
        block: any block.
        offset: its first qubit.

    Raises:
        DoesNotFitError: irregular codewords on more than `INDICATOR_QUBITS` qubits.
    """
    if is_full(block):
        return None
    size, words = block.size, set(block.codewords)
    qubits = [variable(offset + q) for q in range(block.num_qubits)]
    if size == block.num_qubits and all(w and w & (w - 1) == 0 for w in words):
        return penalty(one_hot(qubits), 1, "one-hot", floor=0)
    if words == {(1 << i) - 1 for i in range(size)}:
        walls = added(implies(later, earlier) for earlier, later in pairwise(qubits))
        return penalty(walls, 1, "domain wall", floor=0)
    if all(w ^ (1 << q) in words for w in words for q in range(block.num_qubits) if w >> q & 1):
        return penalty(_smallest_patterns(block, offset), 1, "unused words", floor=0)
    if block.num_qubits > INDICATOR_QUBITS:
        raise DoesNotFitError(f"{size} irregular codewords on {block.num_qubits} qubits: number the tuples in binary")
    return _irregular(block, offset)


def _smallest_patterns(block: Block, offset: int) -> Polynomial:
    """One product for each pattern that no codeword has, though clearing any of its bits gives a codeword."""
    words = set(block.codewords)
    candidates = {w | 1 << q for w in words for q in range(block.num_qubits)} - words
    found: Polynomial = {}
    for pattern in candidates:
        bits = [q for q in range(block.num_qubits) if pattern >> q & 1]
        if all(pattern ^ (1 << q) in words for q in bits):
            found[tuple(offset + q for q in bits)] = 1
    return found


def _irregular(block: Block, offset: int) -> Penalty:
    every = np.arange(1 << block.num_qubits)
    outside = ~np.isin(every, block.codewords)
    found = fitted_states(outside, block.num_qubits)
    if found is not None:
        return penalty({tuple(offset + q for q in m): c for m, c in found.terms.items()}, found.gap, "fitted", floor=0)
    terms = expressed(every.tolist(), block.num_qubits, outside.astype(int).tolist())
    return penalty({tuple(offset + q for q in m): c for m, c in terms.items()}, 1, "unused words", floor=0)
