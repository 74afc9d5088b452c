"""One constraint as a truth table over wires of the blocks it reads."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gatesolve.encodings.space import Space
from gatesolve.model import Constraint
from gatesolve.model.constraints import combine_rows, tabulate
from gatesolve.oracle.view import BlockProjection, project_all, project_block

PLAIN_WIRES = 16
"""Up to this many qubits a table looks at whole blocks, whose further bits give lighter forms."""


@dataclass(frozen=True)
class TruthTable:
    """Where a function is 1, the rows ``good``; what is none of ``rows`` is a don't-care.

    Each wire has a column, bit r its value at row r. ``parities`` is the number of parities, the lightest, that are
    tried as factors of products.
    """

    columns: tuple[int, ...]
    good: int
    rows: int
    parities: int = 160

    @property
    def bad(self) -> int:
        """Rows on which the function is 0."""
        return self.rows & ~self.good


def choose_projections(constraint: Constraint, space: Space) -> tuple[BlockProjection, ...]:
    """Choose projected views where they save at least half of the wires, or the table were wide; else plain ones."""
    both = []
    for number in sorted({space.home[name][0] for name in constraint.scope}):
        plain = project_all(space, number)
        both.append((plain, project_block(plain, [name for name in plain.names if name in constraint.scope])))
    narrow = tuple(plain if projected is None else projected for plain, projected in both)
    plain_wires = sum(len(plain.wires) for plain, _ in both)
    # A projection forgets bits that could give shorter forms, so it has to save much.
    if plain_wires > PLAIN_WIRES or 2 * sum(len(view.wires) for view in narrow) <= plain_wires:
        return narrow
    return tuple(plain for plain, _ in both)


def num_rows(views: Sequence[BlockProjection]) -> int:
    """Rows of a table over ``views``."""
    return math.prod(len(view.words) for view in views)


def tabulate_views(constraint: Constraint, views: Sequence[BlockProjection]) -> TruthTable:
    """Tabulate ``constraint`` on all combinations of its views' words; the wires are the views' own, in order.

    Row r takes word ``r % n`` of the first view (of n words), and so on, the first view the fastest.
    """
    # Reversed, since NumPy's last axis is the fastest.
    bits = combine_rows([(view.wires, np.array(view.words, dtype=bool)) for view in reversed(views)])
    holds = tabulate(constraint.holds, [(view.names, view.values) for view in reversed(views)])
    columns = tuple(pack(bits[wire]) for view in views for wire in view.wires)
    return TruthTable(columns, pack(holds.ravel()), (1 << num_rows(views)) - 1)


def pack(values: NDArray[np.bool_]) -> int:
    """Pack a boolean vector into an integer, entry r in bit r."""
    return int.from_bytes(np.packbits(values, bitorder="little").tobytes(), "little")


def unpack(function: int, rows: int) -> NDArray[np.bool_]:
    """Unpack an integer to a boolean vector of ``rows`` entries."""
    data = np.frombuffer(function.to_bytes((rows + 7) // 8, "little"), dtype=np.uint8)
    return np.unpackbits(data, bitorder="little")[:rows].astype(bool)
