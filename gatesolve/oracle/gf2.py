"""Linear algebra over GF(2) on functions given by their values.

A function on m rows (inputs) is an integer whose bit r is its value at row r.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class AffineSpan:
    """All XORs of some wires and the constant, as functions on some rows.

    Attributes:
        rows: bit r set for every row looked at.
        basis: reduced functions, each with the mask of wires it is the XOR of (bit n = the constant 1).
        null: masks whose XOR is zero on every row.
        constant_bit: the mask bit that stands for the constant.
    """

    rows: int
    basis: tuple[tuple[int, int], ...]
    null: tuple[int, ...]
    constant_bit: int

    @staticmethod
    def of(columns: Sequence[int], rows: int) -> AffineSpan:
        """The span of ``columns`` (one function a wire) and 1, on the given ``rows``."""
        constant = 1 << len(columns)
        basis: list[tuple[int, int]] = []
        null: list[int] = []
        for mask, column in [(constant, rows), *((1 << k, c) for k, c in enumerate(columns))]:
            value, combo = _reduce(column & rows, mask, basis)
            if value:
                basis.append((value, combo))
            else:
                null.append(combo)
        return AffineSpan(rows, tuple(basis), tuple(null), constant)

    def express(self, function: int) -> int | None:
        """The mask of wires whose XOR is ``function`` on the rows, or None if there is none."""
        value, mask = _reduce(function & self.rows, 0, self.basis)
        return None if value else mask

    def residue(self, function: int) -> int:
        """``function`` on the rows modulo the span; equal residues differ by an affine function."""
        value = function & self.rows
        for element, _ in self.basis:
            cleared = value ^ element
            if cleared < value:
                value = cleared
        return value


def _reduce(value: int, mask: int, basis: Iterable[tuple[int, int]]) -> tuple[int, int]:
    """Clear from ``value`` the leading bit of each basis element, in the order they were found."""
    for element, combo in basis:
        # Less by the XOR means that the leading bit was there.
        cleared = value ^ element
        if cleared < value:
            value, mask = cleared, mask ^ combo
    return value, mask


def combinations(generators: Sequence[int], limit: int) -> list[int]:
    """All non-zero XORs of ``generators`` if at most ``limit``, else those of one or two of them."""
    if 1 << len(generators) <= limit:
        spans = [0]
        for generator in generators:
            spans += [s ^ generator for s in spans]
        return spans[1:]
    result = dict.fromkeys(generators)
    for i, first in enumerate(generators):
        for j in range(i):
            result.setdefault(first ^ generators[j])
            if len(result) >= limit:
                return list(result)
    return list(result)
