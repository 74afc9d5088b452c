"""Networks of flags, from which arithmetic is made: bits added in columns, literals of values.

A column holds bits of one weight. A full adder makes of three bits one bit (their parity, which costs nothing) and a
carry (one AND) in the next column. Carries are taken in a form that is right only where all columns before are as
they must be: where one is not, the total is refused whatever follows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from gatesolve.circuit import Parity
from gatesolve.circuit.gf2 import reduce_row
from gatesolve.oracle.condition import ONE, ZERO, Condition, Flag, Product
from gatesolve.oracle.view import BlockProjection

Homes = Mapping[str, BlockProjection]
"""What is seen of the block of each variable."""
Columns = Mapping[int, Sequence[Parity]]
"""Bits to be added, by the power of two that they weigh."""


class Network:
    """Flags in the making; an AND that was made before is used again.

    Args:
        copies: whether what a majority is XORed with joins its flag, at one CX a wire, or is carried along.
        latest: whether of equally short bits of a column the latest are added first.
    """

    def __init__(self, copies: bool = False, latest: bool = False) -> None:
        self.copies, self.latest = copies, latest
        self.flags: list[Flag] = []
        self._made: dict[frozenset[Parity], Parity] = {}
        self._kept: dict[Parity, int] = {}

    def branch(self, copies: bool) -> Network:
        """Return a network that goes on from here, with this one left as it is."""
        other = Network(copies, self.latest)
        other.flags, other._made, other._kept = list(self.flags), dict(self._made), dict(self._kept)
        return other

    def adopt(self, other: Network) -> None:
        """Go on from where a branch of this network has come to."""
        self.flags, self._made, self._kept = other.flags, other._made, other._kept

    def conjoin(self, left: Parity, right: Parity) -> Parity:
        """The AND of two parities: a flag, unless it is plain."""
        for one, other in ((left, right), (right, left)):
            if not one.wires:
                return other if one.constant else ZERO
        if left.wires == right.wires:
            return left if left == right else ZERO
        key = frozenset((left, right))
        if key not in self._made:
            self.flags.append(Flag(((left, right),)))
            self._made[key] = Parity((-len(self.flags),))
        return self._made[key]

    def include(self, condition: Condition) -> list[Parity]:
        """Take over a condition's flags, those that are one AND as any other; returns its factors."""

        def put(pairs: list[Product], own: Parity) -> Parity:
            if len(pairs) == 1 and own == ZERO:
                return self.conjoin(*pairs[0])
            self.flags.append(Flag(tuple(pairs), own))
            return Parity((-len(self.flags),))

        return condition.place_flags(put)

    def keep(self, parity: Parity) -> Parity:
        """Put a parity of several wires on a wire of its own."""
        if len(parity.wires) < 2:
            return parity
        wires = Parity(parity.wires)
        if wires not in self._kept:
            self.flags.append(Flag((), wires))
            self._kept[wires] = -len(self.flags)
        return Parity((self._kept[wires],), parity.constant)

    def keep_all(self, columns: Columns) -> Columns:
        """Return the columns with every bit on a wire of its own."""
        return {place: [self.keep(bit) for bit in bits] for place, bits in columns.items()}

    def gather(self, parity: Parity) -> Parity:
        """Return the parity with the flags that no other flag reads yet replaced by one flag of all their products."""
        read = {wire for flag in self.flags for wire in flag.wires}
        own = [wire for wire in parity.wires if wire < 0 and wire not in read and self.flags[-1 - wire].products]
        if len(own) < 2:
            return parity
        flags = [self.flags[-1 - wire] for wire in own]
        products = tuple(product for flag in flags for product in flag.products)
        self.flags.append(Flag(products, Parity.xor_all(flag.parity for flag in flags)))
        return parity ^ Parity(tuple(sorted(own))) ^ Parity((-len(self.flags),))

    def find_majority(self, a: Parity, b: Parity, c: Parity) -> Parity:
        """Return the majority of three; the shortest of them joins both sides of the AND."""
        c, b, a = sorted((a, b, c), key=lambda one: (len(one.wires), one.wires, one.constant))
        # XORed into the flag, ``c`` takes its CX once; else it is a part of every parity that has the carry.
        if self.copies and c.wires:
            self.flags.append(Flag(((a ^ c, b ^ c),), c))
            return Parity((-len(self.flags),))
        return self.conjoin(a ^ c, b ^ c) ^ c

    def finish(self, factors: Sequence[Parity], method: str) -> Condition:
        """The condition that all factors are 1; a flag that only one of them reads takes the signs that shorten it."""
        flags, found = list(self.flags), list(factors)
        reads = Counter(wire for flag in flags for wire in flag.wires) + Counter(w for one in found for w in one.wires)
        for k, factor in enumerate(found):
            for place in (-1 - wire for wire in factor.wires if wire < 0 and reads[wire] == 1):
                if len(flags[place].products) != 1:
                    continue
                left, right = flags[place].products[0]
                whole = found[k] ^ flags[place].parity
                # To negate a side of an AND is to XOR in the other side.
                signed = {
                    whole: (left, right),
                    whole ^ right: (left.negated(), right),
                    whole ^ left: (left, right.negated()),
                    whole ^ left ^ right ^ ONE: (left.negated(), right.negated()),
                }
                found[k] = min(signed, key=lambda one: len(one.wires))
                flags[place] = Flag((signed[found[k]],))
        return Condition(tuple(flags), tuple(found), method=method)

    def conjoin_all(self, factors: Sequence[Parity]) -> Parity:
        """Return the AND of all, the shortest first."""
        found = ONE
        for factor in sorted(factors, key=lambda one: (len(one.wires), one.wires)):
            found = self.conjoin(found, factor)
        return found


def find_bits(view: BlockProjection, name: str, values: Sequence[int]) -> list[Parity] | None:
    """Return the binary digits of a variable above its least value, lowest first; None where one is no parity."""
    found: list[Parity] = []
    for place in range((values[-1] - values[0]).bit_length()):
        bit = view.where(name, [v for v in values if (v - values[0]) >> place & 1])
        if bit is None:
            return None
        found.append(bit)
    return found


def signed_digits(number: int) -> Iterable[tuple[int, int]]:
    """Places and signs of the number's non-adjacent form, which has the fewest digits."""
    sign, left, place = (1 if number > 0 else -1), abs(number), 0
    while left:
        if left & 1:
            # 1 or -1, so that at least one zero digit follows.
            digit = 2 - (left & 3)
            yield place, sign * digit
            left -= digit
        left, place = left >> 1, place + 1


def weigh_bits(terms: Iterable[tuple[int, int, Parity]]) -> tuple[dict[int, list[Parity]], int]:
    """Return factors times bits of some places in columns, and by how much their sum is above the terms'."""
    columns: dict[int, list[Parity]] = {}
    above = 0
    for factor, place, bit in terms:
        for shift, digit in signed_digits(factor):
            # A negated bit is 1 - b, which adds the 1.
            columns.setdefault(place + shift, []).append(bit if digit > 0 else bit.negated())
            above += 0 if digit > 0 else 1 << place + shift
    return columns, above


def equate(
    network: Network, columns: Columns, total: int, tested: Collection[int], known: bool = False
) -> list[Parity]:
    """Return factors that are 1 together where the tested digits of the columns' sum are a total's.

    ``known`` says that the last digit is the total's whatever the bits are.
    """
    wanted = {place: Parity((), bool(total >> place & 1)) for place in {*tested, *([0] if known and tested else [])}}
    return equate_digits(network, columns, wanted, max(wanted, default=-1) + 1, {*wanted} - {*tested})[0]


def equate_digits(
    network: Network, columns: Columns, wanted: Mapping[int, Parity], width: int, known: Collection[int] = ()
) -> tuple[list[Parity], list[Parity]]:
    """Return factors that are 1 together where digits of the columns' sum are as wanted, and its lowest digits.

    ``wanted`` gives a digit by lower ones, by the constant alone where it is fixed; those ``known`` need no factor.
    Digits and carries are right only where all lower digits are as wanted.
    """
    factors, carried, digits = list[Parity](), list[Parity](), list[Parity]()
    for place in range(width):
        target = wanted[place].value(digits.__getitem__, ONE) if place in wanted else None
        column = sorted([*columns.get(place, ()), *carried], key=lambda one: len(one.wires))
        is_last = place + 1 == width
        if target is not None and column and not is_last:
            # Where the parity is as wanted, the longest bit is known by the others: the last carry is of two bits.
            longest = column.pop()
            bits, carried = add_threes(network, column, False)
            if len(bits) == 2 and target.wires:
                carried.append(network.find_majority(bits[0], bits[1], target.negated()))
            elif len(bits) == 2:
                # Of two bits the AND, or the OR as an AND of complements.
                sides = bits if target.constant else [bit.negated() for bit in bits]
                carried.append(network.conjoin(*sides) ^ target.negated())
            else:
                carried += [network.conjoin(one, target.negated()) for one in bits]
            bits.append(longest)
        else:
            bits, carried = add_threes(network, column, is_last)
            if len(bits) == 2:
                carried.append(network.conjoin(*bits))
        digits.append(Parity.xor_all(bits) if target is None else target)
        if target is not None and place not in known:
            factors.append(Parity.xor_all([*bits, target.negated()]))
    return [factor for factor in factors if factor != ONE], digits


def compare_total(network: Network, columns: Columns, bound: int, low: int, high: int) -> Parity:
    """Return ``total <= bound``."""
    if bound >= high or bound < low:
        return ONE if bound >= high else ZERO
    # A constant brings the bound just below 2^top: then the total is above the bound where bit ``top`` of the sum is 1.
    top = max(bound - low, high - bound - 1).bit_length()
    return add_columns(network, columns, (1 << top) - 1 - bound, top + 1)[-1].negated()


def add_columns(network: Network, columns: Columns, constant: int, width: int) -> list[Parity]:
    """Return the lowest ``width`` digits of the columns' sum and a constant, lowest first.

    Cost: an AND for each bit beyond one a column, below the last.
    """
    digits, carried = list[Parity](), list[Parity]()
    for place in range(width):
        column = [*columns.get(place, ()), *carried, *([ONE] if constant >> place & 1 else [])]
        bits, carried = add_threes(network, column, place + 1 == width)
        if len(bits) == 2:
            carried.append(network.conjoin(*bits))
        digits.append(Parity.xor_all(bits))
    return digits


def tell_apart(total: int, others: Collection[int]) -> list[set[int]]:
    """Return choices of binary digits that distinguish a total from the others: the lowest, and few high ones."""
    every = set[int]()
    while any((total ^ other) & (1 << len(every)) - 1 == 0 for other in others):
        every.add(len(every))
    few = set(every)
    for place in sorted(every):
        mask = sum(1 << p for p in few - {place})
        few -= {place} if all((total ^ other) & mask for other in others) else set()
    return [every] if few == every else [every, few]


def add_threes(network: Network, column: Sequence[Parity], is_last: bool) -> tuple[list[Parity], list[Parity]]:
    """A column as at most two bits, and its carries; of the last all as one parity, and no carry."""
    if is_last:
        return [Parity.xor_all(column)], []
    ones = sum(not bit.wires and bit.constant for bit in column)
    carried = [ONE] * (ones // 2)
    left = [*(bit for bit in column if bit.wires), *[ONE] * (ones % 2)]
    while len(left) > 2:
        left = sorted(reversed(left) if network.latest else left, key=lambda one: len(one.wires))
        carried.append(network.find_majority(*left[:3]))
        left = [Parity.xor_all(left[:3]), *left[3:]]
    return left, carried


def find_literal(network: Network, view: BlockProjection, name: str, values: Iterable[int]) -> Parity:
    """Return ``name in values``: a parity, else an AND of few bits for each word where it holds, or fails."""
    plain = view.where(name, values)
    if plain is not None:
        return plain
    wanted, place = set(values), view.names.index(name)
    words = np.array(view.words, dtype=bool).reshape(len(view.words), len(view.wires))
    holds = np.array([row[place] in wanted for row in view.values])
    fewer = bool(2 * holds.sum() <= len(holds))
    told = [network.conjoin_all(_tell_word(view, words, int(k))) for k in np.flatnonzero(holds == fewer)]
    return Parity.xor_all([Parity((), not fewer), *told])


def _tell_word(view: BlockProjection, words: NDArray[np.bool_], place: int) -> list[Parity]:
    """Return few wires that distinguish a word from the others, each negated where the word has a 0."""
    left = np.delete(words != words[place], place, axis=0)
    chosen: list[int] = []
    # Greedy: always the wire that excludes most of the words left.
    while len(left):
        best = int(left.sum(axis=0).argmax())
        chosen.append(best)
        left = left[~left[:, best]]
    return [view.wires[q] if words[place, q] else view.wires[q].negated() for q in sorted(chosen)]


def span_functions(
    network: Network, view: BlockProjection, place: Mapping[int, int]
) -> tuple[int, list[tuple[int, Parity]]]:
    """Products of a variable's wires that, with the constant, span all functions of its values.

    Returns:
        The values it takes, and each product as the values where it is 1 and as a parity.
    """
    taken = [place[row[0]] for row in view.values]
    every = sum(1 << k for k in taken)
    wires = [
        (sum(1 << k for k, word in zip(taken, view.words, strict=True) if word[q]), wire)
        for q, wire in enumerate(view.wires)
    ]
    found, basis = list[tuple[int, Parity]](), [every]
    for function, wire in wires:
        if new := reduce_row(function, basis):
            found.append((function, wire))
            basis.append(new)
    # The list grows as it is read, so that products of products follow.
    for function, parity in found:
        for other, wire in wires:
            if len(basis) < len(taken) and (new := reduce_row(function & other, basis)):
                found.append((function & other, network.conjoin(parity, wire)))
                basis.append(new)
    return every, found
