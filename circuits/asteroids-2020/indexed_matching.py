"""Which of many 4x4 boards of at most six stones holds four stones, no two in a row or column?

The test is a sum over pairs of columns (Laplace): two rows hold a matching of one pair of columns and the other two
rows one of the other pair. A matching of two rows and two columns is a *minor*: the product of two cells or the
product of the two others. With m boards a minor is a column of a table with m rows, looked up by the board's number.

The table holds minors, each of which looks at four cells of one board; the circuit multiplies each with its
complementary minor and sums. The sum counts modulo 2, so it must not count a board twice. A board of six stones has
two matchings only if it has all four cells of a 2x2 window and a minor of the two rows and columns left. They are two
terms of the sum if the window has one line in each pair; for each such window that some board fills (a look at four
cells) its own product with the complementary minor is added, which makes the count odd again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from indexed_products import Terms

from gatesolve.errors import InputError
from gatesolve.functions.table_lookup import ands_needed

SIDE = 4
MOST_STONES = 6
PAIRS = tuple(combinations(range(SIDE), 2))

Board = frozenset[tuple[int, int]]
Axis = Literal["rows", "columns"]
Table = dict[tuple[int, int], int]
"""For each cell (row, column) the function of the board's number that says whether it holds a stone."""


@dataclass(frozen=True)
class Pairing:
    """A way to pair lines: ``first`` with each other, the other two lines with each other."""

    axis: Axis
    first: tuple[int, int]

    @property
    def second(self) -> tuple[int, int]:
        """The other two lines."""
        return complement(self.first)


PAIRINGS = tuple(Pairing(axis, (0, k)) for axis in ("rows", "columns") for k in range(1, SIDE))


def complement(pair: tuple[int, int]) -> tuple[int, int]:
    """The other two of 0 ... 3."""
    low, high = (k for k in range(SIDE) if k not in pair)
    return low, high


def table_of(boards: Sequence[Iterable[tuple[int, int]]]) -> Table:
    """Boards as a table by cells.

    Raises:
        InputError: a board has a stone outside 4x4 or more than six stones.
    """
    table = {(row, column): 0 for row in range(SIDE) for column in range(SIDE)}
    for number, stones in enumerate(boards):
        board = frozenset(stones)
        if not board <= table.keys():
            raise InputError(f"board {number} has a stone outside 4x4: rows and columns are 0 to 3")
        if len(board) > MOST_STONES:
            raise InputError(f"board {number} has {len(board)} stones: at most {MOST_STONES} are supported")
        for cell in board:
            table[cell] |= 1 << number
    return table


def minor(table: Table, rows: tuple[int, int], columns: tuple[int, int]) -> int:
    """Boards that have a matching of the two rows and two columns; looks at four cells."""
    (top, bottom), (left, right) = rows, columns
    return table[top, left] & table[bottom, right] | table[top, right] & table[bottom, left]


def window(table: Table, rows: tuple[int, int], columns: tuple[int, int]) -> int:
    """Boards that have a stone in all four cells of two rows and two columns."""
    (top, bottom), (left, right) = rows, columns
    return table[top, left] & table[bottom, right] & table[top, right] & table[bottom, left]


def matching_terms(table: Table, pairing: Pairing) -> Terms:
    """Products whose sum is odd for exactly the boards with a matching.

    For each pair of lines across, the two complementary minors; for each 2x2 window with one line in each pair, the
    window and its complementary minor. A product with a factor that no board has is left out.
    """
    flipped = pairing.axis == "columns"

    def at(lines: tuple[int, int], across: tuple[int, int]) -> tuple[tuple[int, int], tuple[int, int]]:
        return (across, lines) if flipped else (lines, across)

    terms = []
    for across in PAIRS:
        first = minor(table, *at(pairing.first, across))
        terms.append((first, minor(table, *at(pairing.second, complement(across)))))
        for one in pairing.first:
            for other in pairing.second:
                lines = (min(one, other), max(one, other))
                rest = minor(table, *at(complement(lines), complement(across)))
                terms.append((window(table, *at(lines, across)), rest))
    return tuple(term for term in terms if all(term))


def ordered_terms(table: Table, num_index: int) -> list[tuple[Pairing, Terms]]:
    """All pairings with their terms, those that need the fewest ANDs first, then the fewest terms."""
    found = [(pairing, matching_terms(table, pairing)) for pairing in PAIRINGS]
    return sorted(found, key=lambda item: (ands_needed((f for t in item[1] for f in t), num_index), len(item[1])))
