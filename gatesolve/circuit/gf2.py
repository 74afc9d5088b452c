"""Linear algebra over GF(2): a row is an integer, bit k its entry in column k."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gatesolve.circuit.parity import Parity

OPTIONS = 256
"""Equal parities listed for one function."""


def list_bits(row: int) -> list[int]:
    """The columns of the ones, in rising order."""
    columns = []
    while row:
        low = row & -row
        columns.append(low.bit_length() - 1)
        row ^= low
    return columns


def reduce_row(row: int, basis: Iterable[int]) -> int:
    """Clear from ``row`` the leading bit of each basis row, which is reduced by those before it; 0 if in the span."""
    for element in basis:
        # Less by the XOR means that the leading bit was there.
        row = min(row, row ^ element)
    return row


def reduce_rows(rows: Iterable[int]) -> list[int]:
    """A basis of the span in which no row has another's lowest bit."""
    basis: list[int] = []
    for row in rows:
        for element in basis:
            if row & (element & -element):
                row ^= element
        if row:
            basis = [e ^ row if e & (row & -row) else e for e in basis] + [row]
    return basis


def rank(rows: Iterable[int]) -> int:
    """The dimension of the span."""
    return len(reduce_rows(rows))


def row_additions(rows: Sequence[int]) -> list[tuple[int, int]] | None:
    """Pairs (source, target) whose additions ``rows[target] ^= rows[source]`` make a square matrix the identity.

    None if it has no inverse. The same additions, made on the identity, give the inverse.
    """
    left, additions = list(rows), list[tuple[int, int]]()

    def add(source: int, target: int) -> None:
        left[target] ^= left[source]
        additions.append((source, target))

    for column in range(len(left)):
        if not left[column] >> column & 1:
            source = next((k for k in range(column + 1, len(left)) if left[k] >> column & 1), None)
            if source is None:
                return None
            add(source, column)
        for target in range(len(left)):
            if target != column and left[target] >> column & 1:
                add(column, target)
    return additions


@dataclass(frozen=True)
class AffineSpan:
    """All XORs of some wires and the constant, as functions on some rows of a table.

    A function on m rows is an integer whose bit r is its value at row r. A mask of wires has bit k for wire k.

    Attributes:
        rows: bit r set for every row looked at.
        basis: reduced functions, each above the mask of wires that it is the XOR of.
        null: masks whose XOR is zero on every row.
        constant_bit: the mask bit that stands for the constant 1, after those of the wires.
    """

    rows: int
    basis: tuple[int, ...]
    null: tuple[int, ...]
    constant_bit: int

    @staticmethod
    def of(columns: Sequence[int], rows: int) -> AffineSpan:
        """The span of ``columns`` (one function a wire) and 1, on the given ``rows``."""
        constant = 1 << len(columns)
        basis: list[int] = []
        null: list[int] = []
        for mask, column in [(constant, rows), *((1 << k, c) for k, c in enumerate(columns))]:
            left = reduce_row((column & rows) * 2 * constant | mask, basis)
            (basis if left >= 2 * constant else null).append(left)
        return AffineSpan(rows, tuple(basis), tuple(null), constant)

    def express(self, function: int) -> int | None:
        """The mask of wires whose XOR is ``function`` on the rows, or None if there is none."""
        left = self._reduce(function)
        return None if left >= 2 * self.constant_bit else left

    def parity(self, mask: int) -> Parity:
        """The XOR of the wires in ``mask``, and of the constant."""
        wires = tuple(k for k in range(self.constant_bit.bit_length() - 1) if mask >> k & 1)
        return Parity(wires, bool(mask & self.constant_bit))

    def parities(self, function: int) -> list[Parity]:
        """Parities that are ``function`` on the rows, `OPTIONS` at most; none if it is not in the span."""
        mask = self.express(function)
        if mask is None:
            return []
        return [self.parity(m) for m in (mask, *(mask ^ other for other in combinations(self.null, OPTIONS)))]

    def residue(self, function: int) -> int:
        """``function`` on the rows modulo the span; equal residues differ by an affine function."""
        return self._reduce(function) // (2 * self.constant_bit)

    def _reduce(self, function: int) -> int:
        return reduce_row((function & self.rows) * 2 * self.constant_bit, self.basis)


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
