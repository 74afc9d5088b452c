"""Linear algebra over GF(2): a row is an integer, bit k its entry in column k."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gatesolve.circuit.parity import Parity

OPTIONS = 256
"""Most parities that are listed for one function."""


def list_bits(row: int) -> list[int]:
    """Return the columns of the ones, in increasing order."""
    columns = []
    while row:
        # In two's complement this is the lowest one.
        low = row & -row
        columns.append(low.bit_length() - 1)
        row ^= low
    return columns


def reduce_row(row: int, basis: Iterable[int]) -> int:
    """Reduce ``row`` by a basis whose rows are each reduced by the earlier ones; 0 if it is in the span."""
    for element in basis:
        # The XOR makes the row smaller exactly if the row has the element's leading bit.
        row = min(row, row ^ element)
    return row


def reduce_rows(rows: Iterable[int]) -> list[int]:
    """Return a basis of the span in which no row has the lowest bit of another."""
    basis: list[int] = []
    for row in rows:
        for element in basis:
            if row & (element & -element):
                row ^= element
        if row:
            # Earlier rows are cleared as well, so that each pivot is in one row alone.
            basis = [e ^ row if e & (row & -row) else e for e in basis] + [row]
    return basis


def rank(rows: Iterable[int]) -> int:
    """Return the dimension of the span."""
    return len(reduce_rows(rows))


def row_additions(rows: Sequence[int]) -> list[tuple[int, int]] | None:
    """Return additions ``rows[target] ^= rows[source]`` that make a square matrix the identity, as (source, target).

    Return None if the matrix is singular. The same additions applied to the identity give the inverse.
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
            # Adding a row instead of exchanging two: an exchange would take three additions.
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
        """Return the span of 1 and ``columns``, one function for each wire, on the given ``rows``."""
        constant = 1 << len(columns)
        basis: list[int] = []
        null: list[int] = []
        for mask, column in [(constant, rows), *((1 << k, c) for k, c in enumerate(columns))]:
            # The function is above the mask, so that reducing the function records in the mask which wires were used.
            left = reduce_row((column & rows) * 2 * constant | mask, basis)
            (basis if left >= 2 * constant else null).append(left)
        return AffineSpan(rows, tuple(basis), tuple(null), constant)

    def express(self, function: int) -> int | None:
        """Return the mask of wires whose XOR is ``function`` on the rows, or None if there is none."""
        left = self._reduce(function)
        return None if left >= 2 * self.constant_bit else left

    def parity(self, mask: int) -> Parity:
        """Return the XOR of the wires in ``mask``, and of the constant if its bit is set."""
        wires = tuple(k for k in range(self.constant_bit.bit_length() - 1) if mask >> k & 1)
        return Parity(wires, bool(mask & self.constant_bit))

    def parities(self, function: int) -> list[Parity]:
        """Return at most `OPTIONS` parities that equal ``function`` on the rows; none if it is not in the span."""
        mask = self.express(function)
        if mask is None:
            return []
        return [self.parity(m) for m in (mask, *(mask ^ other for other in combinations(self.null, OPTIONS)))]

    def residue(self, function: int) -> int:
        """Return ``function`` on the rows modulo the span; functions of equal residue differ by an affine function."""
        return self._reduce(function) // (2 * self.constant_bit)

    def _reduce(self, function: int) -> int:
        return reduce_row((function & self.rows) * 2 * self.constant_bit, self.basis)


def combinations(generators: Sequence[int], limit: int) -> list[int]:
    """Return all non-zero XORs of ``generators`` if at most ``limit``, else those of one or two of them."""
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
