"""Constraints as arithmetic: bits of values added in columns, the total compared with a constant, no diagram.

A column holds bits of one weight. A full adder makes of three bits one bit (their parity, which costs nothing) and a
carry (one AND) in the next column. Carries are taken in a form that is right only where all columns before are as
they must be: where one is not, the total is refused whatever follows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, product
from operator import attrgetter

from gatesolve.circuit import Parity
from gatesolve.circuit.gf2 import AffineSpan, rank
from gatesolve.model import Clause, Linear, NotEqual
from gatesolve.oracle.condition import ONE, ZERO, Condition, Flag
from gatesolve.oracle.view import BlockProjection

MOST_TOTALS = 1 << 14
"""Totals of a sum up to which those that can be reached are listed, to tell the bound from them with fewer bits."""

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
    """

    def __init__(self, copies: bool = False) -> None:
        self.copies = copies
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


def compile_sum(linear: Linear, homes: Homes) -> Condition | None:
    """The cheapest network of a sum, or None where some variable's bits are no parities of its qubits.

    Cost: an AND for each full adder, n - W(n) for n bits of one weight (W the ones in n's binary digits) less the half
    adders of an equality, which take none. Source: column compression, Wallace 1964; the ANDs that are needed, Boyar
    and Peralta, Theoretical Computer Science 396 (2008).
    """
    terms = linear.terms
    turned = Linear(tuple((-c, name) for c, name in terms), linear.relation, -linear.bound)
    forms = [
        _compile_form(form, homes, at_least, copies)
        for form, at_least in ((linear, False), (turned, linear.relation == "<="))
        for copies in (False, True)
    ]
    return min((form for form in forms if form is not None), key=attrgetter("price"), default=None)


def _compile_form(linear: Linear, homes: Homes, at_least: bool, copies: bool) -> Condition | None:
    """The network of a sum with its signs as they stand; ``at_least`` for ``total >= bound`` in place of ``<=``."""
    columns: dict[int, list[Parity]] = {}
    offset, low, high = 0, 0, 0  # the columns hold the total plus the offset
    totals = {0}
    for coefficient, name in linear.terms:
        values = sorted({row[homes[name].names.index(name)] for row in homes[name].values})
        bits = find_bits(homes[name], name, values)
        if bits is None:
            return None
        reached = [coefficient * v for v in values]
        low, high = low + min(reached), high + max(reached)
        totals = {t + r for t, r in product(totals, reached)} if len(totals) * len(reached) <= MOST_TOTALS else set()
        offset -= coefficient * values[0]
        for place, bit in enumerate(bits):
            for shift, digit in _signed_digits(coefficient):
                weight = place + shift
                columns.setdefault(weight, []).append(bit if digit > 0 else bit.negated())
                offset += 0 if digit > 0 else 1 << weight
    network = Network(copies)
    if linear.relation == "<=":
        bound = linear.bound + offset - at_least
        return _compare(network, columns, bound, low + offset, high + offset, not at_least)
    reachable = linear.bound in totals if totals else low <= linear.bound <= high
    if not reachable:
        return Condition((), (ZERO,) if linear.relation == "==" else (), method="sum")
    width = (high - low).bit_length()  # tells apart all between the least and the greatest total
    if totals:
        others = {t - linear.bound for t in totals} - {0}
        width = next(w for w in range(width + 1) if all(t % (1 << w) for t in others))
    factors = _equate(network, columns, linear.bound + offset, width)
    if linear.relation == "!=":
        factors = [network.conjoin_all(factors).negated()]
    return Condition(tuple(network.flags), tuple(factors), method="sum")


def compile_unequal(constraint: NotEqual, homes: Homes) -> Condition | None:
    """Two variables differ in some bit of their Gray codes: half the wires of binary digits on a domain wall.

    None where a bit is no parity. Cost: an AND less than there are bits.
    """
    sides = []
    for name, shift in ((constraint.left, 0), (constraint.right, constraint.offset)):
        place = homes[name].names.index(name)
        sides.append((homes[name], name, shift, {row[place] + shift for row in homes[name].values}))
    values = set().union(*(held for *_, held in sides))
    least, network, factors = min(values), Network(), list[Parity]()
    for bit in range((max(values) - least).bit_length()):
        code = {v for v in values if (v - least ^ (v - least) >> 1) >> bit & 1}
        both = [view.where(name, [v - shift for v in code & held]) for view, name, shift, held in sides]
        if None in both:
            return None
        factors.append(Parity.xor_all([ONE, *(one for one in both if one is not None)]))
    none = network.conjoin_all(factors).negated()
    return Condition(tuple(network.flags), (none,), method="sum")


def find_bits(view: BlockProjection, name: str, values: Sequence[int]) -> list[Parity] | None:
    """The binary digits of a variable above its least value, lowest first; None where one is no parity."""
    found: list[Parity] = []
    for place in range((values[-1] - values[0]).bit_length()):
        bit = view.where(name, [v for v in values if (v - values[0]) >> place & 1])
        if bit is None:
            return None
        found.append(bit)
    return found


def _signed_digits(number: int) -> Iterable[tuple[int, int]]:
    """Places and signs of the number's non-adjacent form, which has the fewest digits."""
    sign, left, place = (1 if number > 0 else -1), abs(number), 0
    while left:
        if left & 1:
            digit = 2 - (left & 3)
            yield place, sign * digit
            left -= digit
        left, place = left >> 1, place + 1


def _equate(network: Network, columns: Columns, total: int, width: int, known: int = 0) -> list[Parity]:
    """Factors that are 1 together where the columns add up to a total modulo 2^width; its last digits may be known."""
    factors, carried = list[Parity](), list[Parity]()
    for place in range(width):
        wanted = total >> place & 1
        bits, carried = _add_threes(network, [*columns.get(place, ()), *carried], place + 1 == width)
        if len(bits) == 2:
            # Where both together are as wanted, they are alike or exactly one is set: no AND for the carry.
            carried.append(ZERO if wanted else bits[0])
        if place >= known:
            factors.append(Parity.xor_all([*bits, Parity((), not wanted)]))
    return [factor for factor in factors if factor != ONE]


def _compare(network: Network, columns: Columns, bound: int, low: int, high: int, below: bool) -> Condition:
    """``sum <= bound``, or above it: by one bit of the sum and a constant that brings the bound below that bit."""
    if bound >= high or bound < low:
        return Condition((), () if (bound >= high) == below else (ZERO,), method="sum")
    top = max(bound - low, high - bound - 1).bit_length()
    added = (1 << top) - 1 - bound
    carried: list[Parity] = []
    for place in range(top):
        column = [*columns.get(place, ()), *carried, *([ONE] if added >> place & 1 else [])]
        bits, carried = _add_threes(network, column, False)
        if len(bits) == 2:
            carried.append(network.conjoin(*bits))
    bit = Parity.xor_all([*columns.get(top, ()), *carried, ONE if added >> top & 1 else ZERO])
    return Condition(tuple(network.flags), (bit.negated() if below else bit,), method="sum")


def _add_threes(network: Network, column: Sequence[Parity], is_last: bool) -> tuple[list[Parity], list[Parity]]:
    """A column as at most two bits, and its carries; of the last all as one parity, and no carry."""
    if is_last:
        return [Parity.xor_all(column)], []
    ones = sum(not bit.wires and bit.constant for bit in column)
    carried = [ONE] * (ones // 2)
    left = [*(bit for bit in column if bit.wires), *[ONE] * (ones % 2)]
    while len(left) > 2:
        left.sort(key=lambda one: len(one.wires))
        carried.append(network.find_majority(*left[:3]))
        left = [Parity.xor_all(left[:3]), *left[3:]]
    return left, carried


def compile_clause(clause: Clause, homes: Homes) -> Condition | None:
    """One literal at least: NOT of the AND of all of them negated; None where a literal has too many words.

    Cost: for each literal that is no parity n - 1 ANDs of n bits for each value it has, or has not.
    """
    network, negated = Network(), list[Parity]()
    for name, values in clause.literals:
        found = _find_literal(network, homes[name], name, values)
        if found is None:
            return None
        negated.append(found.negated())
    none = network.conjoin_all(negated)
    return Condition(tuple(network.flags), (none.negated(),), method="clause")


def _find_literal(network: Network, view: BlockProjection, name: str, values: Iterable[int]) -> Parity | None:
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


def compile_permutation(names: Sequence[str], values: Sequence[int], homes: Homes) -> Condition | None:
    """All different variables, as many as values: sums modulo 2 of functions of a value that span all of them.

    A permutation takes each value once, so each function adds up to its sum over the values; the other way round, if
    a basis of the functions does, each value is taken an odd number of times, which leaves one time each. None where
    a variable shares its block.

    Cost: for k values on n qubits k - 1 - n ANDs a variable, and k - 1 factors.
    """
    if any(homes[name].names != (name,) for name in names):
        return None
    network = Network()
    sums = _sum_functions(network, names, values, homes)
    factors = dict.fromkeys(total ^ (ZERO if function.bit_count() % 2 else ONE) for function, total in sums)
    return Condition(tuple(network.flags), tuple(f for f in factors if f != ONE), method="affine")


def compile_injection(names: Sequence[str], values: Sequence[int], homes: Homes) -> Condition | None:
    """All different variables, fewer than values: as many values as variables are taken an odd number of times.

    Two variables of one value take two from that number, so it is told from the lesser ones of its parity. None where
    a variable shares its block.

    Cost: as a permutation to span the functions of a value, then at most an AND a value to count.
    """
    if any(homes[name].names != (name,) for name in names):
        return None
    found = [_count_odd(names, values, homes, kept) for kept in ("nothing", "sums", "values")]
    return min(found, key=attrgetter("price"))


def _count_odd(names: Sequence[str], values: Sequence[int], homes: Homes, kept: str) -> Condition:
    """What is ``kept`` is XORed onto an ancilla once, where else its wires are read wherever it is."""
    network, every = Network(), (1 << len(values)) - 1
    sums = _sum_functions(network, names, values, homes)
    totals = [network.keep(total) if kept == "sums" else total for _, total in sums]
    span = AffineSpan.of([function for function, _ in sums], every)
    constant = ONE if len(names) % 2 else ZERO
    taken = [
        min((one.value(totals.__getitem__, constant) for one in span.parities(1 << k)), key=lambda p: len(p.wires))
        for k in range(len(values))
    ]
    if kept == "values":
        taken = [network.keep(one) for one in taken]
    number = len(names)
    lesser = range(number % 2, number, 2)
    width = next(w for w in range(number.bit_length() + 1) if all((number - other) % (1 << w) for other in lesser))
    # The number's parity is that of the variables, whatever their values.
    factors = _equate(network, {0: taken}, number, width, known=1)
    return Condition(tuple(network.flags), tuple(factors), method="affine")


def _sum_functions(
    network: Network, names: Sequence[str], values: Sequence[int], homes: Homes
) -> list[tuple[int, Parity]]:
    """Functions that with the constant span all functions of a value, each with its sum modulo 2 over the variables."""
    place = {v: k for k, v in enumerate(values)}
    spans = [_span_functions(network, homes[name], place) for name in names]
    widest = max(spans, key=lambda one: one[0].bit_count())
    every, wanted = (1 << len(values)) - 1, [function for function, _ in widest[1]]
    for k in range(len(values)):  # and functions of values that the widest does not take
        if rank([every, *wanted, 1 << k]) > rank([every, *wanted]):
            wanted.append(1 << k)
    return [(function, _add_up(spans, function)) for function in wanted]


def _span_functions(
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
    found: list[tuple[int, Parity]] = []
    for function, wire in wires:
        if rank([every, *(f for f, _ in found), function]) == len(found) + 2:
            found.append((function, wire))
    for function, parity in found:  # grows as it is read: products of products
        for other, wire in wires:
            more = [every, *(f for f, _ in found), function & other]
            if len(found) + 1 < len(taken) and rank(more) == len(more):
                found.append((function & other, network.conjoin(parity, wire)))
    return every, found


def _add_up(spans: Sequence[tuple[int, list[tuple[int, Parity]]]], function: int) -> Parity:
    """A function of the values, summed modulo 2 over all variables."""
    total = ZERO
    for every, found in spans:
        equal = AffineSpan.of([f for f, _ in found], every).parities(function & every)
        shortest = min(equal, key=lambda one: len(one.wires))
        total = total ^ shortest.value([parity for _, parity in found].__getitem__, ONE)
    return total
