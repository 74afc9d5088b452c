"""CX networks that make given parities in place.

A matrix over GF(2) is a tuple of rows; bit k of row i says whether parity i contains wire k.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

from gatesolve.circuit.gf2 import reduce_row, row_additions
from gatesolve.errors import InputError

Matrix = tuple[int, ...]
_LOGS = (0.0, *(math.log(k) for k in range(1, 65)))
PATIENCE = 8
"""CX allowed per row before a greedy network is given up."""


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


def network(rows: Sequence[int], rng: random.Random) -> Network | None:
    """A CX network after which some wire holds each parity; None where the greedy descent does not end.

    Each step takes a row addition that lowers `spread` most (it counts the inverse by columns of the same step), the
    additions undone in reverse are the network.

    Args:
        rows: square and invertible.
        rng: breaks ties.

    Cost: n**2 additions weighed a step.
    """
    size = len(rows)
    inverse = inverse_matrix(rows)
    if inverse is None:
        return None
    forward = list(rows)
    # Adding row j to row i of a matrix adds column i to column j of its inverse.
    backward = [sum((inverse[r] >> c & 1) << r for r in range(size)) for c in range(size)]
    undone: list[tuple[int, int]] = []
    while any(row.bit_count() != 1 for row in forward):
        if len(undone) == PATIENCE * size:
            return None
        goal, added = _best_addition(forward, backward, rng)
        forward[goal] ^= forward[added]
        backward[added] ^= backward[goal]
        undone.append((added, goal))
    places = tuple(row.bit_length() - 1 for row in forward)
    return Network(tuple((places[s], places[t]) for s, t in reversed(undone)), places)


def _best_addition(forward: list[int], backward: list[int], rng: random.Random) -> tuple[int, int]:
    best, chosen = math.inf, list[tuple[int, int]]()
    for goal, row in enumerate(forward):
        column, before = backward[goal], _LOGS[row.bit_count()]
        for added, other in enumerate(forward):
            if added == goal:
                continue
            mate = backward[added]
            change = _LOGS[(row ^ other).bit_count()] - before
            change += _LOGS[(column ^ mate).bit_count()] - _LOGS[mate.bit_count()]
            if change < best - 1e-9:
                best, chosen = change, [(goal, added)]
            elif change < best + 1e-9:
                chosen.append((goal, added))
    return rng.choice(chosen)
