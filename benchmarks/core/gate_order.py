"""An order of a circuit's gates in which few basis states are in superposition at a time.

Compilers move gates apart that belong together, so that many ancillas are in superposition between them. For a
simulation that follows basis states any order will do that the gates' commutation allows.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from operator import or_

import numpy as np
from numpy.typing import NDArray

Step = tuple[NDArray[np.complex128] | None, tuple[int, ...]]
"""A one-qubit gate's matrix and its qubit, or None for a CX and its control and target."""
NOTHING: Step = (np.eye(2, dtype=complex), (0,))


def in_order(num_qubits: int, steps: list[Step], play: Callable[[Step], int]) -> Iterator[Step]:
    """The gates in an order that keeps few basis states in superposition.

    Gates that do not branch go first. When none is ready, only what a next closing of a qubit in superposition
    waits for, where the fewest other branching gates come before it.

    Args:
        num_qubits: width.
        steps: the gates.
        play: applies a gate to a few trial states; returns how many basis states they are then.
    """
    before, after = _order(num_qubits, steps)
    missing = [0] * len(steps)
    for number in (n for later in after for n in later):
        missing[number] += 1
    branching = _union(1 << n for n, (matrix, _) in enumerate(steps) if _branches(matrix))
    turns: list[deque[int]] = [deque() for _ in range(num_qubits)]
    for number, (matrix, qubits) in enumerate(steps):
        if _branches(matrix):
            turns[qubits[0]].append(number)
    size = play(NOTHING)
    done, opened = 0, set[int]()
    ready = {n for n, count in enumerate(missing) if not count}

    def waits(goal: int) -> int:
        return (before[goal] | 1 << goal) & ~done

    while ready:
        chosen = sorted(n for n in ready if not branching >> n & 1)
        if not chosen:
            qubits = sorted({q for q in opened if turns[q]} or {steps[n][1][0] for n in ready})
            goals = [turns[q][0] if q in opened or len(turns[q]) < 2 else turns[q][1] for q in qubits]
            goal = min(goals, key=lambda g: (waits(g) & branching).bit_count())
            useful = [n for n in ready if waits(goal) >> n & 1]
            chosen = [min(useful, key=lambda n: (steps[n][1][0] not in opened, n))]
        for number in chosen:
            qubit, last = steps[number][1][0], size
            size = play(steps[number])
            if size != last:
                (opened.add if size > last else opened.discard)(qubit)
            if branching >> number & 1:
                turns[qubit].popleft()
            done |= 1 << number
            ready.discard(number)
            for later in after[number]:
                missing[later] -= 1
                if not missing[later]:
                    ready.add(later)
            yield steps[number]


def _order(num_qubits: int, steps: list[Step]) -> tuple[list[int], list[list[int]]]:
    """For each gate, all that must come before it (one bit a gate), and those that wait for it directly.

    On one qubit, diagonal gates and controls commute, and so do flips and targets.
    """
    before: list[int] = []
    after: list[list[int]] = [[] for _ in steps]
    groups: list[tuple[str, list[int], list[int]]] = [("", [], []) for _ in range(num_qubits)]
    for number, (matrix, qubits) in enumerate(steps):
        found: set[int] = set()
        for place, qubit in enumerate(qubits):
            kind, current, earlier = groups[qubit]
            own = _kind(matrix, place)
            if own != kind or not own:
                current, earlier = [], current
            groups[qubit] = (own, [*current, number], earlier)
            found.update(earlier)
        before.append(_union(before[n] | 1 << n for n in found))
        for earlier_number in found:
            after[earlier_number].append(number)
    return before, after


def _kind(matrix: NDArray[np.complex128] | None, place: int) -> str:
    """How a gate acts on a qubit: by phases (``z``), by flips that do not look (``x``), or otherwise."""
    if matrix is None:
        return "xz"[place == 0]
    return "z" if abs(matrix[0, 1]) + abs(matrix[1, 0]) < 1e-12 else ""


def _union(masks: Iterable[int]) -> int:
    return reduce(or_, masks, 0)


def _branches(matrix: NDArray[np.complex128] | None) -> bool:
    return matrix is not None and bool(np.all(np.abs(matrix) > 1e-12))
