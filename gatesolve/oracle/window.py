"""A window: one constraint as a truth table over the qubits of the blocks it reads."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gatesolve.encodings.space import Space
from gatesolve.model import Constraint


@dataclass(frozen=True)
class Group:
    """The window's wires that belong to one block.

    Attributes:
        wires: numbers of the wires within the window.
        words: the block's codewords that occur, as tuples of bits.
    """

    wires: tuple[int, ...]
    words: tuple[tuple[bool, ...], ...]


@dataclass(frozen=True)
class Window:
    """Values of a constraint on all codewords of the blocks it reads; everything else is a don't-care.

    Attributes:
        qubits: the space's qubit of each wire.
        columns: one function a wire, bit r its value at row r.
        good: rows on which the constraint holds.
        rows: all rows.
        groups: the wires block by block.
        positions: codeword position of each block at each row.
    """

    qubits: tuple[int, ...]
    columns: tuple[int, ...]
    good: int
    rows: int
    groups: tuple[Group, ...]
    positions: tuple[tuple[int, ...], ...]

    @property
    def bad(self) -> int:
        """Rows on which the constraint fails."""
        return self.rows & ~self.good

    @cached_property
    def num_rows(self) -> int:
        """Number of rows."""
        return self.rows.bit_length()


def window_size(constraint: Constraint, space: Space) -> int:
    """Rows the window of ``constraint`` would have."""
    size = 1
    for number in _blocks_read(constraint, space):
        size *= space.blocks[number].size
    return size


def make_window(constraint: Constraint, space: Space) -> Window:
    """Tabulate ``constraint`` over the codewords of the blocks it reads."""
    numbers = _blocks_read(constraint, space)
    part = Space(tuple(space.blocks[k] for k in numbers))
    codewords = np.arange(part.size)
    bits, holds = part.bits(codewords), constraint.holds(part.values(codewords))
    qubits = tuple(q for k in numbers for q in space.block_qubits(k))
    groups = tuple(
        Group(part.block_qubits(j), tuple(tuple(map(bool, w)) for w in block.bits))
        for j, block in enumerate(part.blocks)
    )
    positions = tuple(tuple(p.tolist()) for p in part.positions(codewords))
    columns = tuple(pack(row) for row in bits)
    return Window(qubits, columns, pack(holds), (1 << part.size) - 1, groups, positions)


def pack(values: np.typing.NDArray[np.bool_]) -> int:
    """A boolean vector as an integer, entry r in bit r."""
    return int.from_bytes(np.packbits(values, bitorder="little").tobytes(), "little")


def _blocks_read(constraint: Constraint, space: Space) -> tuple[int, ...]:
    return tuple(sorted({space.home[name][0] for name in constraint.scope}))
