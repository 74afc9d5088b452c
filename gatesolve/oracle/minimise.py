"""Don't-cares across constraints: items that hold together let each other be simpler.

All conditions are ANDed, so a condition need only be right where the others
hold. Windows of a few qubits are tabulated, the conditions that read nothing
outside a window are compiled again as one conjunction, or one of them with the
others as don't-cares, and what is cheaper stays. The conjunction of all items is the
same on every codeword before and after each step. Nothing wider than a window
is ever listed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gatesolve.circuit import Parity
from gatesolve.encodings.space import Space
from gatesolve.oracle.algebraic import find_conjunction
from gatesolve.oracle.condition import ONE, ZERO, Condition
from gatesolve.oracle.window import TruthTable, pack

MOST_WINDOWS = 300
"""Windows compiled again in all: bounds the work on large boards."""
PARITIES = 32
"""Parities tried as factors of products in a window; what was made alone tried more."""
Bits = NDArray[np.bool_]


def minimise(conditions: Sequence[Condition], space: Space, window: int = 6) -> list[Condition]:
    """Simplify conditions by each other.

    Args:
        conditions: their conjunction is what counts; wires are qubits of ``space``.
        space: whose codewords are the only inputs.
        window: most qubits looked at together, as the binary logarithm of the codewords they can hold.

    Returns:
        Conditions of one factor each whose conjunction is the same on every codeword, their costs added up no greater;
        the given ones where they would be.
    """
    items = [item for condition in conditions for item in _split(condition)]
    # A constant is either always true and not worth an item, or no codeword is a solution.
    items = [item for item in items if item.factors != (ONE,)]
    words = _Words(space)
    tried: set[frozenset[Condition]] = set()
    changed = True
    while changed and len(tried) < MOST_WINDOWS:
        changed = False
        for qubits in list(_windows(items, words, window)):
            inside = [item for item in items if item.qubits <= qubits]
            key = frozenset(inside)
            if len(inside) < 2 or key in tried or len(tried) >= MOST_WINDOWS:
                continue
            tried.add(key)
            better = _simplify(inside, sorted(qubits), words.rows(qubits))
            if better is not None:
                items = [item for item in items if item not in inside] + better
                changed = True
    # Parts of one condition may have flags in common, so that apart they are dearer.
    return items if _cost(items) <= _cost(conditions) else list(conditions)


def qubits_fit(conditions: Sequence[Condition], space: Space, window: int) -> bool:
    """Whether one window can hold all that these conditions read."""
    return _Words(space).bits(frozenset(qubit for one in conditions for qubit in one.qubits)) <= window


def _split(condition: Condition) -> list[Condition]:
    """One item a factor, with only the flags that it needs."""
    return [replace(condition, factors=(factor,)).pruned() for factor in condition.factors]


def _windows(items: Sequence[Condition], words: _Words, limit: int) -> Iterator[frozenset[int]]:
    """Each pair of items that share a qubit or a block, grown by the items that add fewest codewords."""
    blocks = [frozenset(words.home[q] for q in item.qubits) for item in items]
    seen: set[frozenset[int]] = set()
    for first in range(len(items)):
        for second in range(first + 1, len(items)):
            if not blocks[first] & blocks[second]:
                continue
            qubits = items[first].qubits | items[second].qubits
            if words.bits(qubits) > limit:
                continue
            qubits = _grow_window(qubits, items, words, limit)
            if qubits not in seen:
                seen.add(qubits)
                yield qubits


def _grow_window(qubits: frozenset[int], items: Sequence[Condition], words: _Words, limit: int) -> frozenset[int]:
    while True:
        wider = {qubits | item.qubits for item in items if item.qubits & qubits and not item.qubits <= qubits}
        fitting = [w for w in wider if words.bits(w) <= limit]
        if not fitting:
            return qubits
        qubits = min(fitting, key=lambda w: (words.bits(w), sorted(w)))


class _Words:
    """The different words that sets of qubits can hold; listed once a block and subset."""

    def __init__(self, space: Space) -> None:
        self.space = space
        self.home = {q: k for k in range(len(space.blocks)) for q in space.block_qubits(k)}
        self._listed: dict[tuple[int, ...], Bits] = {}
        self._known: dict[frozenset[int], float] = {}

    def bits(self, qubits: frozenset[int]) -> float:
        """The binary logarithm of their number, slightly less, so that rounding does not refuse what fits exactly."""
        if qubits not in self._known:
            self._known[qubits] = sum(math.log2(len(words)) for words in self._by_block(qubits)) - 1e-9
        return self._known[qubits]

    def rows(self, qubits: frozenset[int]) -> Bits:
        """Shape (words, qubits): all of them, the qubits in rising order."""
        rows = np.zeros((1, 0), dtype=bool)
        for words in self._by_block(qubits):
            rows = np.hstack([np.repeat(rows, len(words), axis=0), np.tile(words, (len(rows), 1))])
        return rows

    def _by_block(self, qubits: frozenset[int]) -> list[Bits]:
        own: dict[int, list[int]] = {}
        for qubit in sorted(qubits):
            own.setdefault(self.home[qubit], []).append(qubit - self.space.offsets[self.home[qubit]])
        for number, places in own.items():
            if (number, *places) not in self._listed:
                self._listed[number, *places] = np.unique(self.space.blocks[number].bits[:, places], axis=0)
        return [self._listed[number, *places] for number, places in own.items()]


def _simplify(inside: Sequence[Condition], qubits: Sequence[int], rows: Bits) -> list[Condition] | None:
    """Cheaper items for those ``inside`` the window, or None."""
    values = [_value(item, rows, qubits) for item in inside]
    before = sum(item.cost for item in inside)
    together = _compile_items(rows, np.ones(len(rows), dtype=bool), _all(values, len(rows)), qubits)
    if together is not None and _cost(together) < before:
        return together
    return _simplify_each(inside, values, rows, qubits)


def _simplify_each(
    inside: Sequence[Condition], values: Sequence[Bits], rows: Bits, qubits: Sequence[int]
) -> list[Condition] | None:
    """The dearest first, each compiled again where the others hold."""
    left = list(zip(inside, values, strict=True))
    result: list[Condition] = []
    done: list[Bits] = []
    changed = False
    while left:
        left.sort(key=lambda pair: pair[0].cost)
        item, value = left.pop()
        care = _all([*(v for _, v in left), *done], len(rows))
        again = _compile_items(rows, care, value, qubits)
        if again is not None and _cost(again) < item.cost:
            changed = True
        else:
            again = [item]
        result += again
        done += [_value(new, rows, qubits) for new in again]
    return result if changed else None


def _compile_items(rows: Bits, care: Bits, good: Bits, qubits: Sequence[int]) -> list[Condition] | None:
    """``good`` as a conjunction of items, anything where not ``care``."""
    kept = rows[care]
    if not len(kept):
        return None
    if not good[care].any():  # items that contradict one another
        return [Condition((), (ZERO,))]
    columns = tuple(pack(kept[:, k]) for k in range(len(qubits)))
    condition = find_conjunction(TruthTable(columns, pack(good[care]), (1 << len(kept)) - 1, PARITIES, products=2))
    if condition is None:
        return None
    return _split(condition.over([Parity((q,)) for q in qubits]))


def _cost(items: Sequence[Condition]) -> int:
    return sum(item.cost for item in items)


def _value(condition: Condition, rows: Bits, qubits: Sequence[int]) -> Bits:
    """The condition on each row."""
    known = {q: rows[:, k] for k, q in enumerate(qubits)}
    return condition.holds(known.__getitem__, np.ones(len(rows), dtype=bool))


def _all(values: Sequence[Bits], rows: int) -> Bits:
    every: Bits = np.logical_and.reduce([np.ones(rows, dtype=bool), *values])
    return every
