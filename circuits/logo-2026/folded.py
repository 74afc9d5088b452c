"""A function of two small numbers, folded onto labels of their classes.

Numbers x with equal columns ``f(x, .)`` form a class, and likewise for y. A short reversible circuit on each side
(`folded_code`) puts a label that tells the classes apart on few wires; the function is then
a phase of the two labels (`folded_phase`), and the circuits are taken back. Both sides work at the same time.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from folded_code import ANCILLAS, Recipe
from folded_phase import Taste, label_phase
from numpy.typing import NDArray

from gatesolve.circuit import Gate, Ops, inverse

Bools = NDArray[np.bool_]
TASTES = tuple(
    Taste(0.4, ahead, waiting, light)
    for ahead in (0.1, 0.3, 0.6)
    for waiting in (0.0, 0.3)
    for light in (0.0, 0.3, 1.0)
)
KEPT = 12
"""Walks, the shallowest, that are offered."""


def classes(lines: Bools) -> NDArray[np.int64]:
    """For each line of a table (shape lines, points), the number of its class of equal lines."""
    found: NDArray[np.int64] = np.unique(lines, axis=0, return_inverse=True)[1].reshape(-1).astype(np.int64)
    return found


def folded_ops(bitmap: Bools, x: Recipe, y: Recipe, tries: int, seed: int) -> Iterator[Ops]:
    """Ways to give phase -1 to the true entries of ``bitmap[y][x]``, up to a global phase.

    Qubits: x, then y (each little-endian), then the ancillas of x, then those of y; all ancillas clean before and
    after.

    Args:
        bitmap: shape (2^n, 2^m).
        x: recipe whose labels tell apart the classes of columns.
        y: likewise for rows.
        tries: walks over parities tried; the shallowest `KEPT` are yielded.
        seed: of the first.

    Raises:
        ValueError: a label stands for two classes.

    Cost: twice the recipes and one rotation for each pair of labels in use.
    """
    bits = x.num_bits + y.num_bits
    x_places = [*range(x.num_bits), *range(bits, bits + ANCILLAS)]
    y_places = [*range(x.num_bits, bits), *range(bits + ANCILLAS, bits + 2 * ANCILLAS)]
    wires = [x_places[w] for w in x.label] + [y_places[w] for w in y.label]
    cells, phase = _label_table(bitmap, x, y)
    make = (*x.ops(x_places), *y.ops(y_places))
    walks = []
    for number in range(tries):
        taste = TASTES[(seed + number) % len(TASTES)]
        walks.append(label_phase(phase, cells, len(wires), taste, seed + number))
    for middle in sorted(walks, key=_depth)[:KEPT]:
        placed = tuple(Gate(g.name, tuple(wires[q] for q in g.qubits), g.params) for g in middle)
        yield (*make, *placed, *inverse(make))


def _depth(gates: tuple[Gate, ...]) -> int:
    ends: dict[int, int] = {}
    for gate in gates:
        ends.update(dict.fromkeys(gate.qubits, 1 + max(ends.get(q, 0) for q in gate.qubits)))
    return max(ends.values(), default=0)


def _label_table(bitmap: Bools, x: Recipe, y: Recipe) -> tuple[list[int], NDArray[np.float64]]:
    """Pairs of labels in use, as one number, and the phase of each."""
    x_labels, y_labels = x.labels(), y.labels()
    pairs = x_labels[None, :] | y_labels[:, None] << len(x.label)
    cells = np.unique(pairs)
    marked = np.array([bitmap[pairs == cell].mean() for cell in cells])
    if ((marked > 0) & (marked < 1)).any():
        raise ValueError("a label stands for two classes")
    return [int(cell) for cell in cells], math.pi * marked
