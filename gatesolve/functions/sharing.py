"""Reduced decision diagrams from the leaves up: one logical AND a node."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gatesolve.circuit import Parity
from gatesolve.oracle.condition import Condition, Flag
from gatesolve.oracle.window import pack

MOST_NODES = 400


def diagram(table: NDArray[np.bool_], order: Sequence[int]) -> Condition | None:
    """A function as flags: node = low XOR x AND (low XOR high); None past `MOST_NODES` nodes.

    Functions that differ by a complement, or by a node's difference already made, share a flag. The root's own AND
    is left to the phase where its low branch is constant. ``table`` has length 2^n, little-endian, and ``order`` the
    variables, the one at the root last.
    """
    axes = [len(order) - 1 - variable for variable in reversed(order)]
    shape = np.ascontiguousarray(table.reshape((2,) * len(order)).transpose(axes)).reshape(-1)
    whole = pack(shape)
    known: dict[tuple[int, int], Parity] = {}
    flags: list[Flag] = []

    def parity(level: int, function: int) -> Parity | None:
        ones = (1 << (1 << level)) - 1
        if function in (0, ones):
            return Parity((), bool(function))
        negated = bool(function & 1)
        key = (level, function ^ ones if negated else function)
        if key not in known:
            made = make(level, key[1])
            if made is None:
                return None
            known[key] = made
        return known[key].negated() if negated else known[key]

    def make(level: int, function: int) -> Parity | None:
        half = 1 << (level - 1)
        low, high = function & ((1 << half) - 1), function >> half
        if low == high:
            return parity(level - 1, low)
        first, second = parity(level - 1, low), parity(level - 1, high)
        if first is None or second is None or len(flags) > MOST_NODES:
            return None
        return add(Parity((order[level - 1],)), first ^ second, first)

    def add(variable: Parity, difference: Parity, rest: Parity) -> Parity:
        if not difference.wires:
            return rest ^ variable if difference.constant else rest
        flags.append(Flag(((difference, variable),), rest))
        return Parity((-len(flags),))

    root = parity(len(order), whole)
    return None if root is None else Condition(tuple(flags), (root,), method="diagram")
