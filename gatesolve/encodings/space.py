"""The space: blocks side by side. Bit order is defined here, once.

Block k's qubit q is qubit ``offsets[k] + q``; codeword number i of the space is
the mixed-radix number of the blocks' codeword positions, block 0 the fastest.
A basis state as an integer has qubit 0 as its least significant bit, as in Qiskit.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from gatesolve.circuit import Ops
from gatesolve.circuit.ops import Mcx, PhaseFlip, shift_wires
from gatesolve.encodings.block import Block

Numbers = TypeVar("Numbers", int, NDArray[np.int64])


@dataclass(frozen=True)
class Space:
    """The search space of a model: its blocks, preparation, size and decoding."""

    blocks: tuple[Block, ...]

    @cached_property
    def offsets(self) -> tuple[int, ...]:
        """First qubit of each block."""
        return tuple(accumulate((b.num_qubits for b in self.blocks[:-1]), initial=0)) if self.blocks else ()

    @property
    def num_qubits(self) -> int:
        """Width of all blocks."""
        return sum(b.num_qubits for b in self.blocks)

    @property
    def size(self) -> int:
        """M, the number of codewords."""
        return math.prod(b.size for b in self.blocks)

    @property
    def variables(self) -> tuple[str, ...]:
        """All variables, block by block."""
        return tuple(name for block in self.blocks for name in block.variables)

    @cached_property
    def roots(self) -> tuple[int, ...]:
        """Root qubits of all blocks: those that undoing the preparation does not bring back to zero."""
        return tuple(first + q for first, block in zip(self.offsets, self.blocks, strict=True) for q in block.roots)

    @cached_property
    def preparation(self) -> Ops:
        """Gates from zeros to the uniform superposition of all codewords."""
        blocks = zip(self.offsets, self.blocks, strict=True)
        ops = tuple(op for first, block in blocks for op in shift_wires(block.preparation, first))
        for op in ops:
            if isinstance(op, Mcx | PhaseFlip):
                raise TypeError(f"{op} is not a preparation gate")
        return ops

    @cached_property
    def home(self) -> dict[str, tuple[int, int]]:
        """Block number and position within it of each variable."""
        return {name: (k, j) for k, block in enumerate(self.blocks) for j, name in enumerate(block.variables)}

    @cached_property
    def apart(self) -> Space:
        """The space with blocks that have parts taken apart: the same qubits, and more codewords."""
        if not any(block.parts for block in self.blocks):
            return self
        return Space(tuple(part for block in self.blocks for part in block.parts or (block,)))

    def block_qubits(self, number: int) -> tuple[int, ...]:
        """The qubits of block ``number``."""
        start = self.offsets[number]
        return tuple(range(start, start + self.blocks[number].num_qubits))

    def positions(self, numbers: Numbers) -> list[Numbers]:
        """For each block, the codeword position in the space's codeword number, or in each of an array of them."""
        result = []
        for block in self.blocks:
            result.append(numbers % block.size)
            numbers = numbers // block.size
        return result

    def bits(self, numbers: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Shape (qubits, len(numbers)): bits of the numbered codewords."""
        rows = [b.bits[p].T for b, p in zip(self.blocks, self.positions(numbers), strict=True)]
        return np.concatenate(rows) if rows else np.zeros((0, len(numbers)), dtype=bool)

    def inputs(self, numbers: NDArray[np.int64], num_qubits: int) -> NDArray[np.bool_]:
        """Shape (num_qubits, len(numbers)): the same with qubits after the space's, all of them zero."""
        bits = np.zeros((num_qubits, len(numbers)), dtype=bool)
        bits[: self.num_qubits] = self.bits(numbers)
        return bits

    def values(self, numbers: NDArray[np.int64]) -> dict[str, NDArray[np.int64]]:
        """One array of values a variable for the numbered codewords."""
        columns = {}
        for block, position in zip(self.blocks, self.positions(numbers), strict=True):
            for j, name in enumerate(block.variables):
                columns[name] = block.values[position, j]
        return columns

    def assignment(self, number: int) -> dict[str, int]:
        """The values of codeword ``number``."""
        result: dict[str, int] = {}
        for block, position in zip(self.blocks, self.positions(number), strict=True):
            result.update(zip(block.variables, block.tuples[position], strict=True))
        return result

    def state(self, number: int) -> int:
        """The basis state of codeword ``number``, qubit 0 the least significant bit."""
        placed = zip(self.offsets, self.blocks, self.positions(number), strict=True)
        # A Python integer, because the space may have more than 64 qubits.
        return sum(block.codewords[position] << offset for offset, block, position in placed)

    def decode(self, state: int) -> dict[str, int] | None:
        """The values a measured basis state stands for, or None if it is no codeword."""
        result: dict[str, int] = {}
        for offset, block in zip(self.offsets, self.blocks, strict=True):
            # A measured word may be no codeword, because of noise or an unused pattern of the block.
            position = block.index.get(state >> offset & ((1 << block.num_qubits) - 1))
            if position is None:
                return None
            result.update(zip(block.variables, block.tuples[position], strict=True))
        return result

    def number(self, assignment: Mapping[str, int]) -> int | None:
        """The codeword number of an assignment, or None if the space does not hold it."""
        number, weight = 0, 1
        for block in self.blocks:
            wanted = tuple(assignment[name] for name in block.variables)
            if wanted not in block.tuples:
                return None
            number += weight * block.tuples.index(wanted)
            weight *= block.size
        return number
