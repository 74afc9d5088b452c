"""A window: one constraint as a truth table over wires of the blocks it reads."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gatesolve.circuit import Parity
from gatesolve.encodings.space import Space
from gatesolve.model import Constraint
from gatesolve.oracle.view import BlockProjection, projections_of

PLAIN_WIRES = 16
"""Up to this many qubits a window looks at whole blocks, whose further bits give lighter forms."""


@dataclass(frozen=True)
class Window:
    """Values of a constraint on all words of its views; everything else is a don't-care.

    Row r takes word ``r % n`` of the first view (of n words), and so on, the first view the fastest.

    Attributes:
        views: what is seen of each block.
        columns: one function a wire, bit r its value at row r; the views' wires one after the other.
        good: rows on which the constraint holds.
        rows: all rows.
    """

    views: tuple[BlockProjection, ...]
    columns: tuple[int, ...]
    good: int
    rows: int

    @property
    def bad(self) -> int:
        """Rows on which the constraint fails."""
        return self.rows & ~self.good

    @property
    def num_rows(self) -> int:
        """Number of rows."""
        return self.rows.bit_length()

    @property
    def wires(self) -> tuple[Parity, ...]:
        """The wires as parities over the space's qubits."""
        return tuple(wire for view in self.views for wire in view.wires)


def choose_projections(constraint: Constraint, space: Space) -> tuple[BlockProjection, ...]:
    """Projected views where they save at least half of the wires, or the window would be wide; else plain ones."""
    both = projections_of(constraint.scope, space)
    narrow = tuple(plain if projected is None else projected for plain, projected in both)
    plain_wires = sum(len(plain.wires) for plain, _ in both)
    if plain_wires > PLAIN_WIRES or 2 * sum(len(view.wires) for view in narrow) <= plain_wires:
        return narrow
    return tuple(plain for plain, _ in both)


def num_rows(views: Sequence[BlockProjection]) -> int:
    """Rows of a window over ``views``."""
    return math.prod(len(view.words) for view in views)


def make_window(constraint: Constraint, views: Sequence[BlockProjection]) -> Window:
    """Tabulate ``constraint`` over all combinations of its views' words."""
    total = num_rows(views)
    rest = np.arange(total)
    columns: list[int] = []
    values: dict[str, NDArray[np.int64]] = {}
    for view in views:
        position = rest % len(view.words)
        rest = rest // len(view.words)
        bits = np.array(view.words, dtype=bool).reshape(len(view.words), len(view.wires))
        columns.extend(pack(bits[position, k]) for k in range(len(view.wires)))
        table = np.array(view.values, dtype=np.int64).reshape(len(view.words), len(view.names))
        values |= {name: table[position, j] for j, name in enumerate(view.names)}
    holds = np.broadcast_to(constraint.holds(values), (total,))
    return Window(tuple(views), tuple(columns), pack(holds), (1 << total) - 1)


def pack(values: NDArray[np.bool_]) -> int:
    """A boolean vector as an integer, entry r in bit r."""
    return int.from_bytes(np.packbits(values, bitorder="little").tobytes(), "little")


def unpack(function: int, rows: int) -> NDArray[np.bool_]:
    """An integer back to a boolean vector of ``rows`` entries."""
    data = np.frombuffer(function.to_bytes((rows + 7) // 8, "little"), dtype=np.uint8)
    return np.unpackbits(data, bitorder="little")[:rows].astype(bool)
