"""Flags in the making, and what every constraint as arithmetic is made of: bits added in columns, literals of values.

A column holds bits of one weight. A full adder makes of three bits one bit (their parity, which costs nothing) and a
carry (one AND) in the next column. Carries are taken in a form that is right only where all columns before are as
they must be: where one is not, the total is refused whatever follows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from gatesolve.circuit import Parity
from gatesolve.oracle.condition import ONE, ZERO, Flag
from gatesolve.oracle.view import BlockProjection

MOST_WORDS = 4
"""Words of a literal up to which each is told by an AND of its own."""
Word = tuple[bool, ...]
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

    def keep(self, parity: Parity) -> Parity:
        """A parity of several wires on a wire of its own."""
        if len(parity.wires) < 2:
            return parity
        self.flags.append(Flag((), parity))
        return Parity((-len(self.flags),))

    def find_majority(self, a: Parity, b: Parity, c: Parity) -> Parity:
        """1 where two of three are; the shortest of them joins both sides of the AND."""
        c, b, a = sorted((a, b, c), key=lambda one: (len(one.wires), one.wires, one.constant))
        if self.copies and c.wires:
            self.flags.append(Flag(((a ^ c, b ^ c),), c))
            return Parity((-len(self.flags),))
        return self.conjoin(a ^ c, b ^ c) ^ c

    def conjoin_all(self, factors: Sequence[Parity]) -> Parity:
        """The AND of all, the shortest first."""
        found = ONE
        for factor in sorted(factors, key=lambda one: (len(one.wires), one.wires)):
            found = self.conjoin(found, factor)
        return found


def find_bits(view: BlockProjection, name: str, values: Sequence[int]) -> list[Parity] | None:
    """The binary digits of a variable above its least value, lowest first; None where one is no parity."""
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
            digit = 2 - (left & 3)
            yield place, sign * digit
            left -= digit
        left, place = left >> 1, place + 1


def equate(network: Network, columns: Columns, total: int, width: int, known: int = 0) -> list[Parity]:
    """Factors that are 1 together where the columns add up to a total modulo 2^width; its last digits may be known."""
    factors, carried = list[Parity](), list[Parity]()
    for place in range(width):
        wanted = total >> place & 1
        bits, carried = add_threes(network, [*columns.get(place, ()), *carried], place + 1 == width)
        if len(bits) == 2:
            # Where both together are as wanted, they are alike or exactly one is set: no AND for the carry.
            carried.append(ZERO if wanted else bits[0])
        if place >= known:
            factors.append(Parity.xor_all([*bits, Parity((), not wanted)]))
    return [factor for factor in factors if factor != ONE]


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


def find_literal(network: Network, view: BlockProjection, name: str, values: Iterable[int]) -> Parity | None:
    """``name in values``: a parity, else the words where it holds, or does not, each told by an AND of few bits."""
    plain = view.where(name, values)
    if plain is not None:
        return plain
    wanted, place = set(values), view.names.index(name)
    words: dict[bool, list[Word]] = {True: [], False: []}
    for word, row in zip(view.words, view.values, strict=True):
        words[row[place] in wanted].append(word)
    holds = len(words[True]) <= len(words[False])
    if len(words[holds]) > MOST_WORDS:
        return None
    told = [network.conjoin_all(_tell_word(view, word)) for word in words[holds]]
    return Parity.xor_all([Parity((), not holds), *told])


def _tell_word(view: BlockProjection, word: Word) -> list[Parity]:
    """As few wires as tell a word from the others, each negated where the word has it 0."""
    others = [other for other in view.words if other != word]
    places = range(len(word))
    chosen = next(
        some
        for number in range(len(word) + 1)
        for some in combinations(places, number)
        if all(any(other[q] != word[q] for q in some) for other in others)
    )
    return [view.wires[q] if word[q] else view.wires[q].negated() for q in chosen]
