"""The plan of the QAOA kernels: a space, its mixers and its codewords' costs, worked out once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gatesolve.encodings.mixer import Mixer
from gatesolve.errors import InputError

DEPTH = 256
"""Rows of a group at most, unless one block has more."""
NARROW = 16
"""Columns that every group of a large space has at least."""
HOP, GROVER = 0, 1
KernelPlan = tuple[Any, Any, Any, Any]
"""Arrays that every kernel reads.

The class of each codeword, the cost of each class, the groups (depth, stride, first operation, one past the last), and
the operations (kind, block, rows between neighbours, size of the block, both positions of a hop).
"""
Angles = tuple[Any, Any]
"""Gammas, one a layer; betas, a row a layer and a column a block."""


@dataclass(frozen=True)
class Diagonal:
    """The costs of all codewords as few classes: the class of each codeword, and the cost of each class."""

    index: NDArray[np.int16] | NDArray[np.int32]
    values: NDArray[np.float64]


def make_diagonal(costs: ArrayLike) -> Diagonal:
    """Classes of codewords of equal cost; some may have no codeword.

    Raises:
        InputError: if a cost is not a finite number.

    Cost: a sort of the costs, or two passes where they are whole numbers in a range smaller than their number.
    """
    given = np.asarray(costs)
    if given.ndim != 1 or not len(given):
        raise InputError(f"costs are one row of numbers, one a codeword, not of shape {given.shape}")
    if not np.isfinite(given).all():
        raise InputError(f"the cost of codeword {int(np.argmin(np.isfinite(given)))} is not a finite number")
    low, high = given.min(), given.max()
    # Integers in a short range are their own class numbers, so no sort is needed. Some classes may then be empty.
    if given.dtype.kind in "iub" and int(high) - int(low) < max(len(given) // 4, 64):
        values, index = np.arange(int(low), int(high) + 1, dtype=float), given.astype(np.int64) - int(low)
    else:
        values, index = np.unique(given.astype(float), return_inverse=True)
    # What every layer reads should be short.
    index = index.reshape(-1)
    return Diagonal(index.astype(np.int16) if len(values) <= 1 << 15 else index.astype(np.int32), values)


@dataclass(frozen=True)
class MixerTable:
    """Mixers as operations on groups of blocks, in the form that ``qaoa_kernels.apply_layers`` reads.

    Attributes:
        angles: how many betas a layer has when each mixer has its own.
        groups: a row a group: rows, stride, first operation, one past the last.
        ops: a row an operation: kind, block, rows between neighbours, size of the block, both positions of a hop.
        everywhere: whether the one mixer is Grover's on the whole space.
        turns: by block with a start of its own, the reflection that takes the uniform superposition to it.
        start: the amplitudes that the mixers turn about; None where they are all equal.
    """

    size: int
    angles: int
    groups: NDArray[np.uint64]
    ops: NDArray[np.uint64]
    everywhere: bool
    turns: dict[int, NDArray[np.float64]] = field(default_factory=dict)
    start: NDArray[np.float64] | None = None


def tabulate_mixers(sizes: Sequence[int], mixers: Sequence[Mixer]) -> MixerTable:
    """Lay out the mixers (one a block, or the global Grover mixer alone) of blocks of these sizes, the fastest first.

    Raises:
        InputError: if sizes and mixers do not go together.
    """
    size = math.prod(sizes)
    if size < 1:
        raise InputError("every block has at least one codeword")
    if len(mixers) == 1 and mixers[0].kind == "grover-global":
        # The whole space is one group of one column, as if it were a single block.
        return MixerTable(size, 1, _rows([(size, 1, 0, 1)], 4), _rows([(GROVER, 0, 1, size, 0, 0)], 6), True)
    if len(mixers) != len(sizes):
        raise InputError(f"there are {len(sizes)} blocks and {len(mixers)} mixers: give one a block")
    groups: list[tuple[int, ...]] = []
    ops: list[tuple[int, ...]] = []
    stride = 1
    for members in _group_blocks(sizes, size):
        first, depth = len(ops), 1
        for block in members:
            ops += _operations(mixers[block], block, sizes[block], depth)
            depth *= sizes[block]
        groups.append((depth, stride, first, len(ops)))
        stride *= depth
    turns = {k: _reflect_to(mixer.start) for k, mixer in enumerate(mixers) if mixer.start}
    start: NDArray[Any] = np.ones(1)
    for mixer, count in zip(mixers, sizes, strict=True) if turns else ():
        start = np.kron(np.sqrt(mixer.start or np.full(count, 1 / count)), start)
    return MixerTable(size, len(sizes), _rows(groups, 4), _rows(ops, 6), False, turns, start if turns else None)


def _reflect_to(shares: Sequence[float]) -> NDArray[np.float64]:
    across = np.full(len(shares), len(shares) ** -0.5) - np.sqrt(shares)
    matrix: NDArray[np.float64] = np.eye(len(shares)) - 2 * np.outer(across, across) / (across @ across)
    return matrix


def _group_blocks(sizes: Sequence[int], size: int) -> list[list[int]]:
    """Neighbouring blocks put together; at least one group, maybe of no block."""
    # Narrow tiles waste the processor's vectors, so a small space is cut into groups of about its square root.
    limit = min(DEPTH, max(NARROW, size // NARROW))
    groups: list[list[int]] = [[]]
    depth = 1
    for block, count in enumerate(sizes):
        # A single block may exceed the limit: it cannot be divided, because its mixer reads all its rows.
        if depth * count > limit and depth > 1:
            groups.append([])
            depth = 1
        groups[-1].append(block)
        depth *= count
    return groups


def _operations(mixer: Mixer, block: int, size: int, apart: int) -> list[tuple[int, ...]]:
    if mixer.kind == "grover-global":
        raise InputError("the global Grover mixer stands alone, without mixers of blocks")
    if mixer.kind == "grover":
        return [(GROVER, block, apart, size, 0, 0)]
    if any(not 0 <= p < size for hop in mixer.hops for p in hop) or any(a == b for a, b in mixer.hops):
        raise InputError(f"mixer {mixer.kind} of block {block} hops outside its {size} codewords")
    return [(HOP, block, apart, size, *hop) for hop in mixer.hops]


def _rows(rows: list[tuple[int, ...]], width: int) -> NDArray[np.uint64]:
    return np.array(rows, dtype=np.uint64).reshape(len(rows), width)
