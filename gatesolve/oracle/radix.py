"""Equations as sums by mixed radix, as on paper: a column's total has the right remainder, and its carry goes on.

With decimal columns SEND+MORE=MONEY adds three or four digits at a time; in binary, each letter is added as often as
its coefficient has signed digits.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product

from gatesolve.circuit import Parity
from gatesolve.circuit.gf2 import AffineSpan
from gatesolve.oracle.network import Network, equate, equate_digits, signed_digits, tell_apart, weigh_bits

MOST_TOTALS = 1 << 14
"""Totals of a column up to which they are listed."""
MOST_IN_COLUMN = 1 << 10
"""Totals of a column up to which a radix is tried."""
MOST_CARRIES = 16
"""Different carries of a column up to which a radix is tried."""
MOST_FREE = 4
"""Digits that tell a column's carries apart, up to which a radix is tried."""
CARRY = 2
"""Bits that a carry is thought to add."""
BRANCHES = (2, 5, 5, 2)
"""Radices that are tried for the first columns; for those after them one."""


@dataclass(frozen=True)
class Addend:
    """A coefficient that is not 0, times a number from 0 on, by its binary digits, lowest first.

    ``values`` are all that the number can be, ascending.
    """

    coefficient: int
    bits: tuple[Parity, ...]
    values: tuple[int, ...]

    @property
    def num_added(self) -> int:
        """Bits that it adds to columns by the coefficient's non-adjacent form."""
        return len(list(signed_digits(self.coefficient))) * len(self.bits)


def gather_columns(terms: Sequence[Addend]) -> tuple[dict[int, list[Parity]], int]:
    """Return bits in columns, and by how much their sum is above the terms'."""
    return weigh_bits((term.coefficient, place, bit) for term in terms for place, bit in enumerate(term.bits))


def find_bounds(terms: Sequence[Addend]) -> tuple[int, int]:
    """Return the least and the greatest total."""
    ends = [sorted((term.coefficient * term.values[0], term.coefficient * term.values[-1])) for term in terms]
    return sum(low for low, _ in ends), sum(high for _, high in ends)


def list_totals(terms: Sequence[Addend], most: int = MOST_TOTALS) -> set[int] | None:
    """Return every total that the terms can have, None where there may be more than ``most``."""
    totals = {0}
    for term in terms:
        if len(totals) * len(term.values) > most:
            return None
        totals = {total + term.coefficient * value for total, value in product(totals, term.values)}
    return totals


def equate_by_radix(
    network: Network, terms: Sequence[Addend], total: int, branches: Sequence[int] = BRANCHES
) -> Iterator[tuple[Network, list[Parity]]]:
    """Yield networks, each with factors that are 1 together where the terms add up to a total.

    None are yielded where every radix is thought to add as many bits as binary columns do, or more. Of the column of
    lowest order as many radices are tried as ``branches`` says first.

    Cost: for each column of n digits of b bits about (n - 1) b ANDs, and as many factors as its total has bits.
    """
    tried, *further = [*branches, 1]
    for radix in _rank_radices(terms)[:tried]:
        low, high = _divide(terms, radix)
        one = network.branch(network.copies)
        column = _make_column(one, low, total, radix)
        if column is None:
            continue
        factors, carry, least = column
        # The carry joins what is left, which is to be 0 with it.
        left = [*high, *([carry] if carry.bits else [])]
        for found in (equate_by_radix(one, left, -least, further), equate_in_binary(one, left, -least)):
            yield from ((other, [*factors, *more]) for other, more in found)


def _make_column(
    network: Network, terms: Sequence[Addend], total: int, radix: int
) -> tuple[list[Parity], Addend, int] | None:
    """Return factors that are 1 together where the terms have the total's remainder, their carry and its least value.

    The carry is a number from 0 on. None where the terms have too many totals, or none with that remainder.
    """
    totals = list_totals(terms, MOST_IN_COLUMN)
    carries = sorted((t - total) // radix for t in totals or () if (t - total) % radix == 0)
    if totals is None or not 0 < len(carries) <= MOST_CARRIES:
        return None
    met = _equate_remainder(network, terms, totals, [total + radix * k for k in carries])
    if met is None:
        return None
    factors, digits = met
    values = tuple(k - carries[0] for k in carries)
    bits = []
    for place in range(values[-1].bit_length()):
        function = sum(1 << row for row, value in enumerate(values) if value >> place & 1)
        bit = _combine(network, digits, (1 << len(values)) - 1, function)
        if bit is None:
            return None
        bits.append(bit)
    return factors, Addend(1, tuple(bits), values), carries[0]


def equate_in_binary(
    network: Network, terms: Sequence[Addend], total: int, keeps: bool = False
) -> Iterator[tuple[Network, list[Parity]]]:
    """Yield branches of the network, each with factors that are 1 together where the terms add up to a total.

    ``keeps`` puts each bit onto a wire of its own.
    """
    columns, offset = gather_columns(terms)
    totals, (low, high) = list_totals(terms), find_bounds(terms)
    # Where the totals are not listed, this one has to differ from all between the least and the greatest.
    choices = [set(range((high - low).bit_length()))]
    if totals is not None:
        choices = tell_apart(total + offset, {t + offset for t in totals} - {total + offset})
    for tested in choices:
        one = network.branch(network.copies)
        yield one, equate(one, one.keep_all(columns) if keeps else columns, total + offset, tested)


def _equate_remainder(
    network: Network, terms: Sequence[Addend], totals: Iterable[int], members: Sequence[int]
) -> tuple[list[Parity], list[tuple[int, Parity]]] | None:
    """Return factors that are all 1 where the terms add up to one of several totals, and the digits of that total.

    A digit that on the members is no XOR of lower ones stays free, the others follow from it: they are tested, which
    takes no AND. A digit stands with its function: bit k is its value at member k.
    """
    columns, offset = gather_columns(terms)
    others = set(totals) - {*members}
    width = _find_width([t + offset for t in members], [t + offset for t in others])
    every, free = (1 << len(members)) - 1, dict[int, int]()
    wanted: dict[int, Parity] = {}
    for place in range(width):
        function = sum(1 << row for row, t in enumerate(members) if (t + offset) >> place & 1)
        span = AffineSpan.of([*free.values()], every)
        mask = span.express(function)
        if mask is None:
            free[place] = function
        else:
            found = span.parity(mask)
            wanted[place] = Parity(tuple([*free][k] for k in found.wires), found.constant)
    if len(free) > MOST_FREE:
        return None
    factors, digits = equate_digits(network, columns, wanted, width)
    # Other totals may have digits that follow from one another too.
    passing = set()
    for number in (t + offset for t in others):
        bits = [number >> place & 1 for place in range(width)]
        if all(one.value(bits.__getitem__, 1) == bits[place] for place, one in wanted.items()):
            passing.add(tuple(bits[place] for place in free))
    for word in sorted(passing):
        told = [digits[place] if bit else digits[place].negated() for place, bit in zip(free, word, strict=True)]
        factors.append(network.conjoin_all(told).negated())
    return factors, [(function, digits[place]) for place, function in free.items()]


def _find_width(members: Sequence[int], others: Sequence[int]) -> int:
    """Return how many of the lowest digits tell members from one another and from all others."""
    width = 0
    while True:
        mask = (1 << width) - 1
        held = {one & mask for one in members}
        if len(held) == len(members) and not any(one & mask in held for one in others):
            return width
        width += 1


def _combine(network: Network, digits: Sequence[tuple[int, Parity]], every: int, function: int) -> Parity | None:
    """Return a function of the members as an XOR of free digits and of ANDs of two; None where it is none."""
    pairs = [*combinations(digits, 2)]
    span = AffineSpan.of([*(f for f, _ in digits), *(f & g for (f, _), (g, _) in pairs)], every)
    mask = span.express(function)
    if mask is None:
        return None
    found = span.parity(mask)
    parts = [
        digits[k][1] if k < len(digits) else network.conjoin(*(p for _, p in pairs[k - len(digits)]))
        for k in found.wires
    ]
    return Parity.xor_all([Parity((), found.constant), *parts])


def _divide(terms: Sequence[Addend], radix: int) -> tuple[list[Addend], list[Addend]]:
    """Return the terms with the remainders of their coefficients nearest to 0, and with the quotients."""
    low, high = list[Addend](), list[Addend]()
    for term in terms:
        quotient = (2 * term.coefficient + radix) // (2 * radix)
        for parts, coefficient in ((low, term.coefficient - quotient * radix), (high, quotient)):
            if coefficient:
                parts.append(replace(term, coefficient=coefficient))
    return low, high


def _rank_radices(terms: Sequence[Addend]) -> list[int]:
    """Return radices by which fewer bits are added than in binary, the fewest first."""
    sizes = sorted({abs(term.coefficient) for term in terms})
    near = {size + by for size in sizes for by in (-1, 0, 1)}
    found = {math.gcd(a, b) for a, b in combinations(sorted(near), 2)} | near
    costs = {}
    # A power of 2 is what binary columns are of.
    for radix in sorted(one for one in found if 2 < one <= sizes[-1] + 1 and one & (one - 1)):
        cost, left = 0, list(terms)
        while left:
            low, left = _divide(left, radix)
            cost += sum(term.num_added for term in low) + CARRY
        costs[radix] = cost
    least = sum(term.num_added for term in terms)
    return sorted((radix for radix, cost in costs.items() if cost < least), key=lambda one: (costs[one], one))
