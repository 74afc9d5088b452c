"""Starts of QAOA other than the uniform superposition: amplitudes of each block's own, as from a relaxed problem.

Source: warm starts, Egger, Marecek, Woerner, arXiv:2009.10095; rotations with several controls, Moettoenen et al.,
quant-ph/0407010.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gatesolve.circuit import Gate, Op, Ops, Parity, Xor
from gatesolve.circuit.ops import rename_wires, shift_wires
from gatesolve.encodings.block import Block
from gatesolve.encodings.space import Space
from gatesolve.errors import InputError, UnsupportedError
from gatesolve.pipelines.qaoa.working import number_blocks

Floats = NDArray[np.float64]
WIDEST = 10
"""Most qubits of a block that is given amplitudes of its own."""


def warm_start(space: Space, probabilities: Sequence[Sequence[float] | None]) -> Ops:
    """From zeros to a product over blocks of superpositions with positive amplitudes.

    For each block one probability a codeword, which are divided by their sum, or None for the uniform superposition.

    Raises:
        InputError: not one entry a block, or probabilities that are negative, no numbers, or too few.
        UnsupportedError: a block of more than ten qubits that is not one qubit a value.

    Cost: a block of n qubits at most 2^n - 2 CX; of one qubit a value as for the number, and the decoding.
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
    return (*rename_wires(_amplitudes(weights), inner.wires), *inner.finish)


def _amplitudes(weights: Floats) -> list[Op]:
    """Zeros to amplitudes that are the roots of ``weights``: the last qubit first, each next one by those before."""
    width = len(weights).bit_length() - 1
    ops: list[Op] = []
    for qubit in reversed(range(width)):
        # Row: what the qubits above hold; then this qubit; then all below together.
        halves = weights.reshape(-1, 2, 1 << qubit).sum(axis=2)
        angles = [2 * math.atan2(math.sqrt(one), math.sqrt(zero)) for zero, one in halves]
        ops += _multiplex_turns(angles, tuple(range(qubit + 1, width)), qubit)
    return ops


def _multiplex_turns(angles: Sequence[float], controls: Sequence[int], target: int) -> list[Op]:
    """RY by ``angles[k]`` where the controls hold k, the first control the lowest bit; 2^n CX for n of them."""
    size = len(angles)
    if np.ptp(angles) < 1e-15:
        return [Gate("ry", (target,), (float(angles[0]),))]
    ops: list[Op] = []
    for k in range(size):
        gray, after = k ^ k >> 1, (k + 1) % size ^ (k + 1) % size >> 1
        share = sum(a * (-1) ** (j & gray).bit_count() for j, a in enumerate(angles)) / size
        ops.append(Gate("ry", (target,), (share,)))
        changed = (gray ^ after).bit_length() - 1
        ops.append(Xor(Parity((controls[changed],)), target))
    return ops
