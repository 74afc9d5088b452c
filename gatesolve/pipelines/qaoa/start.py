"""Starts of QAOA other than the uniform superposition: amplitudes of each block's own, as from a relaxed problem.

Source: warm starts, Egger, Marecek, Woerner, arXiv:2009.10095.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gatesolve.circuit import Op, Ops
from gatesolve.circuit.ops import rename_wires, shift_wires
from gatesolve.encodings.block import Block
from gatesolve.encodings.space import Space
from gatesolve.errors import InputError, UnsupportedError
from gatesolve.pipelines.qaoa.working import number_blocks
from gatesolve.programs.unread import real_state

WIDEST = 10
"""Most qubits of a block that is given amplitudes of its own."""


def warm_start(space: Space, probabilities: Sequence[Sequence[float] | None]) -> Ops:
    """From zeros to a product over blocks of superpositions with positive amplitudes.

    For each block one probability a codeword, which are divided by their sum, or None for the uniform superposition.

    Raises:
        InputError: not one entry a block, or probabilities that are negative, no numbers, or too few.
        UnsupportedError: a block of more than ten qubits that is not one qubit a value.

    Cost: a block of n qubits at most 2^n - n - 1 CX; of one qubit a value as for the number, and the decoding.
    """
    if len(probabilities) != len(space.blocks):
        raise InputError(f"{len(probabilities)} starts for {len(space.blocks)} blocks: give one each, or None")
    ops: list[Op] = []
    for block, first, wanted in zip(space.blocks, space.offsets, probabilities, strict=True):
        ops += shift_wires(block.preparation if wanted is None else _prepare_block(block, wanted), first)
    return tuple(ops)


def _prepare_block(block: Block, wanted: Sequence[float]) -> Ops:
    """One block's start on its own qubits."""
    given = np.asarray(wanted, dtype=float)
    name = "/".join(block.variables)
    if given.shape != (block.size,):
        raise InputError(f"the start of {name} has {given.size} probabilities for {block.size} codewords")
    if not np.isfinite(given).all() or (given < 0).any() or not given.sum() > 0:
        raise InputError(f"the start of {name} needs probabilities that are finite, at least 0, and not all 0")
    inner = number_blocks(Space((block,)))
    numbered = inner.space.blocks[0]
    if numbered.num_qubits > WIDEST:
        raise UnsupportedError(f"a start of its own for {name} on {numbered.num_qubits} qubits: at most {WIDEST}")
    weights = np.zeros(1 << numbered.num_qubits)
    weights[list(numbered.codewords)] = given
    return (*rename_wires(real_state(np.sqrt(weights / weights.sum())), inner.wires), *inner.finish)
