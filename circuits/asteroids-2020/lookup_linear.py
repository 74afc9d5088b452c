"""CX networks that make given parities in place.

A matrix over GF(2) is a tuple of rows; bit k of row i says whether parity i contains wire k.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gatesolve.circuit.gf2 import reduce_row, row_additions
from gatesolve.errors import InputError

Matrix = tuple[int, ...]
_LOGS = (0.0, *(math.log(k) for k in range(1, 65)))
MOST_WIRES = 16
_WEIGHTS = np.array([round(_LOGS[mask.bit_count()] * 2**20) for mask in range(1 << MOST_WIRES)])
"""`_LOGS` by the mask of a row, as whole numbers, so that ties are the same on every machine."""
PATIENCE = 8
"""CX allowed per row before a network is given up."""
WIDTH = 200
"""Matrices kept a step."""
ORDERS = 6
"""Additions looked at for each matrix kept."""


@dataclass(frozen=True)
class Network:
    """CX in order, and the wire on which each parity then is.

    Attributes:
        cx: pairs (source, target).
        places: wire of parity i.
    """

    cx: tuple[tuple[int, int], ...]
    places: tuple[int, ...]


def inverse_matrix(rows: Sequence[int]) -> Matrix | None:
    """The inverse of a square matrix, or None if it has none."""
    additions = row_additions(rows)
    if additions is None:
        return None
    inverse = [1 << k for k in range(len(rows))]
    for source, target in additions:
        inverse[target] ^= inverse[source]
    return tuple(inverse)


def spread(rows: Sequence[int], inverse: Sequence[int]) -> float:
    """Sum of the logarithms of all row weights of a matrix and its inverse: 0 exactly for permutations.

    A guess at the number of CX that needs no network. Source: one of the cost functions of Goubault de Brugiere,
    Baboulin, Valiron, Martiel and Allouche, "Gaussian elimination versus greedy methods for the synthesis of linear
    reversible circuits", doi:10.1145/3474226.
    """
    return sum(_LOGS[row.bit_count()] for row in (*rows, *inverse))


def completed(rows: Sequence[int], num_wires: int) -> Matrix:
    """Independent rows with wires added that make them a basis of all parities.

    Raises:
        InputError: the rows are dependent.
    """
    result, basis = list(rows), list[int]()
    for row in rows:
        left = reduce_row(row, basis)
        if not left:
            raise InputError("parities that depend on each other cannot each have a wire of their own")
        basis.append(left)
    for wire in range(num_wires):
        left = reduce_row(1 << wire, basis)
        if left:
            basis.append(left)
            result.append(1 << wire)
    return tuple(result)


def network(rows: Sequence[int], width: int = WIDTH) -> Network | None:
    """A CX network after which some wire holds each parity; None where the search does not end.

    A beam search: of all row additions to the matrices kept, those are kept that lower `spread` most (an addition to
    a row is one to a column of the inverse). The additions undone in reverse are the network.

    Args:
        rows: square and invertible, at most `MOST_WIRES` rows.
        width: matrices kept a step; 1 is greedy descent.

    Cost: ``width * n**2`` additions weighed a step.
    """
    size = len(rows)
    inverse = inverse_matrix(rows)
    if inverse is None:
        return None
    forward = np.array([rows])
    # Adding row j to row i of a matrix adds column i to column j of its inverse.
    backward = np.array([[sum((inverse[r] >> c & 1) << r for r in range(size)) for c in range(size)]])
    goals, added = np.nonzero(~np.eye(size, dtype=bool))
    undone: list[tuple[tuple[int, int], ...]] = [()]
    for _ in range(PATIENCE * size):
        ended = np.flatnonzero((_WEIGHTS[forward] == 0).all(axis=1))
        if len(ended):
            places = tuple(int(row).bit_length() - 1 for row in forward[ended[0]])
            return Network(tuple((places[s], places[t]) for s, t in reversed(undone[ended[0]])), places)
        sums, columns = forward[:, goals] ^ forward[:, added], backward[:, added] ^ backward[:, goals]
        weights = _WEIGHTS[sums] - _WEIGHTS[forward[:, goals]] + _WEIGHTS[columns] - _WEIGHTS[backward[:, added]]
        weights += (_WEIGHTS[forward] + _WEIGHTS[backward]).sum(axis=1)[:, None]
        # Additions that commute reach one matrix in several orders.
        kept: dict[bytes, tuple[int, int]] = {}
        for place in np.argsort(weights, axis=None, kind="stable")[: ORDERS * width]:
            parent, move = divmod(int(place), len(goals))
            row = forward[parent].copy()
            row[goals[move]] = sums[parent, move]
            kept.setdefault(row.tobytes(), (parent, move))
        parents, moves = np.array(list(kept.values())[:width]).T
        forward, backward, each = forward[parents], backward[parents], np.arange(len(parents))
        forward[each, goals[moves]] = sums[parents, moves]
        backward[each, added[moves]] = columns[parents, moves]
        undone = [(*undone[k], (int(added[m]), int(goals[m]))) for k, m in zip(parents, moves, strict=True)]
    return None
