"""Whole numbers on flags: bits in columns that add up, and functions of numbers by their values.

A number is an offset and bits in columns by the power of two that they weigh. Adding numbers puts their columns
together and takes no gate; only what needs each digit on a parity of its own adds them up.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product

from gatesolve.circuit import Parity
from gatesolve.circuit.gf2 import AffineSpan
from gatesolve.errors import DoesNotFitError
from gatesolve.oracle.condition import ONE, ZERO, product_cost
from gatesolve.oracle.network import (
    Columns,
    Network,
    add_columns,
    compare_total,
    equate,
    find_literal,
    span_functions,
    tell_apart,
    weigh_bits,
)
from gatesolve.oracle.view import BlockProjection

MOST_VALUES = 1 << 12
"""Values of a number up to which they are listed."""
MOST_LISTED = 1 << 16
"""Most whole numbers from the least to the greatest value that are listed where the values are not."""


@dataclass(frozen=True)
class Number:
    """``offset + sum(2^place * bit)``, with a value where ``known``.

    Attributes:
        columns: bits by place.
        offset: what they are added to.
        low: no value is below.
        high: no value is above.
        known: 1 where the number is defined; elsewhere the bits may be anything.
        values: all values that it can have, ascending, where they are listed; others may be among them.
        view: where it is the value of a variable that has a block of its own, that block.
    """

    columns: Columns
    offset: int
    low: int
    high: int
    known: Parity = ONE
    values: tuple[int, ...] | None = None
    view: BlockProjection | None = field(default=None, compare=False)

    @property
    def width(self) -> int:
        """Digits that are enough for all values, from the least on."""
        return (self.high - self.low).bit_length()

    @property
    def count(self) -> int:
        """Number of `listed` values."""
        return self.high - self.low + 1 if self.values is None else len(self.values)

    @property
    def listed(self) -> tuple[int, ...]:
        """All values that it can have, or that lie between the least and the greatest.

        Raises:
            DoesNotFitError: more than `MOST_LISTED` of these.
        """
        if self.values is not None:
            return self.values
        if self.count > MOST_LISTED:
            raise DoesNotFitError(f"a term of {self.count} values is looked up, up to {MOST_LISTED} are: use a sum")
        return tuple(range(self.low, self.high + 1))


def make_constant(value: int) -> Number:
    """Return a number without bits."""
    return Number({}, value, value, value, values=(value,))


def make_bit(parity: Parity) -> Number:
    """Return the number 0 or 1."""
    if not parity.wires:
        return make_constant(int(parity.constant))
    return Number({0: (parity,)}, 0, 0, 1, values=(0, 1))


def make_variable(network: Network, view: BlockProjection, name: str) -> Number:
    """The value of a variable; a digit that is no parity of its block's qubits is made of the words where it is set."""
    values = sorted({row[view.names.index(name)] for row in view.values})
    least = values[0]
    set_in = [[v for v in values if v - least >> place & 1] for place in range((values[-1] - least).bit_length())]
    columns = column_bits([find_literal(network, view, name, chosen) for chosen in set_in])
    own = view if view.names == (name,) else None
    return Number(columns, least, least, values[-1], values=tuple(values), view=own)


def scale(number: Number, factor: int) -> Number:
    """The number times a constant: each bit once for each digit of the factor's non-adjacent form."""
    columns, above = weigh_bits((factor, place, bit) for place, bits in number.columns.items() for bit in bits)
    low, high = sorted((factor * number.low, factor * number.high))
    values = None if number.values is None else tuple(sorted({factor * v for v in number.values}))
    return Number(columns, factor * number.offset - above, low, high, number.known, values)


def add(network: Network, numbers: Sequence[Number], constant: int = 0) -> Number:
    """Return the sum; only where all are defined may take gates."""
    columns: dict[int, list[Parity]] = {}
    values: set[int] | None = {constant}
    for number in numbers:
        for place, bits in number.columns.items():
            columns.setdefault(place, []).extend(bits)
        if values is None or number.values is None or len(values) * len(number.values) > 4 * MOST_VALUES:
            values = None
        else:
            values = {a + b for a, b in product(values, number.values)}
    return Number(
        columns,
        constant + sum(number.offset for number in numbers),
        constant + sum(number.low for number in numbers),
        constant + sum(number.high for number in numbers),
        network.conjoin_all([number.known for number in numbers]),
        tuple(sorted(values)) if values is not None and len(values) <= MOST_VALUES else None,
    )


def resolve(network: Network, number: Number, low: int | None = None, width: int | None = None) -> list[Parity]:
    """Return the digits of the number less ``low``, its least value by default: ``width`` of them, lowest first.

    Cost: an AND for each bit beyond one a column, below the last.
    """
    low, width = (number.low if low is None else low), (number.width if width is None else width)
    return add_columns(network, number.columns, (number.offset - low) % (1 << width), width)


def tidy(network: Network, number: Number) -> Number:
    """Return the number with one bit a column, above its least value."""
    if number.offset == number.low and all(len(bits) == 1 for bits in number.columns.values()):
        return number
    return replace(number, columns=column_bits(resolve(network, number)), offset=number.low, view=None)


def column_bits(digits: Iterable[Parity]) -> Columns:
    """Return digits as columns of one bit each."""
    return {place: (digit,) for place, digit in enumerate(digits)}


def is_zero(network: Network, number: Number) -> list[Parity]:
    """Return factors that are 1 together where the number is 0, defined or not."""
    if not number.low <= 0 <= number.high or (number.values is not None and 0 not in number.values):
        return [ZERO]
    tested = [set(range(number.width))]
    if number.values is not None:
        tested = tell_apart(-number.offset, {v - number.offset for v in number.values if v})
    costs = []
    # Each choice of digits is tried on a branch of the network; the cheapest one is made.
    for digits in tested:
        trial = network.branch(network.copies)
        factors = equate(trial, number.columns, -number.offset, digits)
        costs.append(3 * len(trial.flags) + sum(2 + len(factor.wires) for factor in factors))
    return equate(network, number.columns, -number.offset, tested[costs.index(min(costs))])


def is_at_most_zero(network: Network, number: Number) -> Parity:
    """Return a parity that is 1 where the number is 0 or less; of both signs' networks the cheaper."""
    low, high = number.low - number.offset, number.high - number.offset
    plain, turned = Network(), Network()
    below = compare_total(plain, number.columns, -number.offset, low, high)
    # A number is 0 or less where its negative is not -1 or less.
    mirror = scale(number, -1)
    ends = mirror.low - mirror.offset, mirror.high - mirror.offset
    above = compare_total(turned, mirror.columns, -1 - mirror.offset, *ends)
    if (len(turned.flags), len(above.wires)) < (len(plain.flags), len(below.wires)):
        return compare_total(network, mirror.columns, -1 - mirror.offset, *ends).negated()
    return compare_total(network, number.columns, -number.offset, low, high)


def is_between(network: Network, number: Number, low: int, high: int) -> list[Parity]:
    """Return factors that are 1 together where the number is from ``low`` to ``high``."""
    low, high = max(low, number.low), min(high, number.high)
    span = high - low
    if span < 0:
        return [ZERO]
    width = max(high - number.low, number.high - low).bit_length()
    # One subtraction and one comparison: what is less than ``low`` wraps round to more than ``high``.
    digits = resolve(network, number, low, width)
    below = ONE
    # If all digits of the span are 1, every value of the low digits is allowed.
    if span & (span + 1):
        for place in range(span.bit_length()):
            if span >> place & 1:
                below = network.conjoin(digits[place], below.negated()).negated()
            else:
                below = network.conjoin(digits[place].negated(), below)
    return [one for one in [*(digit.negated() for digit in digits[span.bit_length() :]), below] if one != ONE]


def multiply(network: Network, left: Number, right: Number) -> Number:
    """Return the product: an AND for each pair of digits, squares with half of them."""
    first, second = sorted((left, right), key=lambda number: number.width)
    one, other = tidy(network, first), tidy(network, second)
    columns: dict[int, list[Parity]] = {}
    digits = [(k, bits[0]) for k, bits in one.columns.items()]
    for (i, a), (j, bits) in product(digits, other.columns.items()):
        # In a square both orders of a pair are one product, a place higher.
        if one == other and i > j:
            continue
        columns.setdefault(i + j + (one == other and i < j), []).append(network.conjoin(a, bits[0]))
    corners = [a * b for a in (left.low, left.high) for b in (right.low, right.high)]
    values = None
    if one == other and one.values is not None:
        values = {v * v for v in one.values}
    elif one.values and other.values and len(one.values) * len(other.values) <= 4 * MOST_VALUES:
        values = {a * b for a, b in product(one.values, other.values)}
    # (x + a) (y + b) = x y + b x + a y + a b, with x and y from the least values a and b on.
    digits_product = Number(columns, 0, 0, (one.high - one.low) * (other.high - other.low))
    parts = [digits_product, scale(one, other.low), scale(other, one.low)]
    total = add(network, [replace(part, values=None) for part in parts], -one.low * other.low)
    known = tuple(sorted(values)) if values is not None and len(values) <= MOST_VALUES else None
    low, high = (known[0], known[-1]) if known else (min(corners), max(corners))
    return replace(total, low=low, high=high, values=known)


def select(network: Network, chosen: Parity, left: Number, right: Number) -> Number:
    """Return ``left`` where a parity is 1, else ``right``: an AND a digit."""
    low, high = min(left.low, right.low), max(left.high, right.high)
    width = (high - low).bit_length()
    sides = [resolve(network, number, low, width) for number in (left, right)]
    columns = column_bits(b ^ network.conjoin(chosen, a ^ b) for a, b in zip(*sides, strict=True))
    values = None
    if left.values is not None and right.values is not None:
        values = tuple(sorted({*left.values, *right.values}))
    return Number(columns, low, low, high, network.conjoin(left.known, right.known), values)


def narrow(network: Network, number: Number, low: int, high: int) -> Number:
    """Return a number that is read between two values alone, and defined only there if it can be far beyond them."""
    if number.high - number.low <= 4 * (high - low) + 64:
        return number
    above = is_at_most_zero(network, add(network, [scale(number, -1)], low))
    below = is_at_most_zero(network, add(network, [number], -high))
    digits = resolve(network, number, low, (high - low).bit_length())
    known = network.conjoin_all([above, below, number.known])
    span = 1 << len(digits)
    values = None if number.values is None else tuple(sorted({low + (v - low) % span for v in number.values}))
    return Number(column_bits(digits), low, low, low + span - 1, known, values)


def is_within(network: Network, number: Number, values: Iterable[int]) -> Parity:
    """Return a parity that is 1 where the number is one of ``values``."""
    wanted = {v for v in values if number.low <= v <= number.high}
    # Of the comparisons with the ends of intervals an odd number hold inside an interval, an even number outside.
    ends = {v for v in wanted if v + 1 not in wanted} ^ {v - 1 for v in wanted if v - 1 not in wanted}
    if len(wanted) <= len(ends):
        alike = (network.conjoin_all(is_zero(network, add(network, [number], -v))) for v in sorted(wanted))
        return Parity.xor_all([ZERO, *alike])
    return Parity.xor_all([ZERO, *(is_at_most_zero(network, add(network, [number], -v)) for v in sorted(ends))])


class Selector:
    """Functions of a number's value, as parities of products of its wires."""

    def __init__(self, network: Network, number: Number) -> None:
        self.values = number.listed
        view = number.view
        if view is None:
            digits = resolve(network, number)
            words = tuple(tuple(bool((v - number.low) >> k & 1) for k in range(len(digits))) for v in self.values)
            view = BlockProjection(("value",), tuple(digits), words, tuple((v,) for v in self.values))
        self.view, self._network = view, network

    def where(self, values: Iterable[int]) -> Parity:
        """1 where the number is one of ``values``."""
        wanted = set(values)
        plain = self.view.indicator(k for k, row in enumerate(self.view.values) if row[0] in wanted)
        if plain is not None:
            return plain
        place = {v: k for k, v in enumerate(self.values)}
        _, found = self._span
        equal = self._parity(sum(1 << place[v] for v in wanted if v in place))
        return equal.value([parity for _, parity in found].__getitem__, ONE)

    def expand(self) -> list[tuple[Parity, list[int]]]:
        """Parities that span all functions of the value, the first constant, each with the values it is read for.

        A function of the value is the sum modulo 2, over the parities, of the parity times the sum of what the
        function is at those values.
        """
        _, found = self._span
        read: list[list[int]] = [[] for _ in range(len(found) + 1)]
        for k, value in enumerate(self.values):
            equal = self._parity(1 << k)
            for place in equal.wires:
                read[place + 1].append(value)
            if equal.constant:
                read[0].append(value)
        return list(zip([ONE, *(parity for _, parity in found)], read, strict=True))

    def _parity(self, function: int) -> Parity:
        every, found = self._span
        options = AffineSpan.of([f for f, _ in found], every).parities(function & every)
        return min(options, key=lambda one: len(one.wires))

    @cached_property
    def _span(self) -> tuple[int, list[tuple[int, Parity]]]:
        return span_functions(self._network, self.view, {v: k for k, v in enumerate(self.values)})


class Tabulator:
    """Functions of several numbers by their values."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self._selectors: dict[int, tuple[Number, Selector]] = {}

    def selector(self, number: Number) -> Selector:
        """The number's values told apart, once."""
        if id(number) not in self._selectors:
            self._selectors[id(number)] = number, Selector(self._network, number)
        return self._selectors[id(number)][1]

    def choose(self, index: Number, entries: Mapping[int, Sequence[Parity]]) -> list[Parity]:
        """The digits of the entry at the index; every index of the number has one, all of one length."""
        length = len(next(iter(entries.values())))
        view = self.selector(index).view
        # Every word occurs, so the entry is chosen wire by wire.
        if len(view.words) == 1 << len(view.wires):
            words = dict(zip(view.words, (entries[row[0]] for row in view.values), strict=True))
            return self._split(view.wires, words)
        told = [(view.indicator([k]), [row[0]]) for k, row in enumerate(view.values)]
        ways = [self.selector(index).expand(), [(one, read) for one, read in told if one is not None]]
        terms = [
            [(one, [Parity.xor_all([ZERO, *(entries[v][place] for v in read)]) for place in range(length)])
             for one, read in way]
            for way in ways if len(way) == len(view.values)
        ]  # fmt: skip

        def price(way: Sequence[tuple[Parity, Sequence[Parity]]]) -> int:
            return sum(product_cost((one, bit)) for one, bits in way for bit in bits if one.wires and bit.wires)

        cheapest = min(terms, key=price)
        # Each place is the sum modulo 2 of all parities, each times its bit there.
        products = [[self._network.conjoin(one, bits[place]) for one, bits in cheapest] for place in range(length)]
        return [self._network.gather(Parity.xor_all(column)) for column in products]

    def _split(self, wires: Sequence[Parity], words: Mapping[tuple[bool, ...], Sequence[Parity]]) -> list[Parity]:
        """The entry of the word on the wires, one wire after the other: all words have one."""
        if not wires:
            return list(words[()])
        sides = [
            self._split(wires[1:], {word[1:]: entry for word, entry in words.items() if word[0] == side})
            for side in (False, True)
        ]
        return [a ^ self._network.conjoin(wires[0], a ^ b) for a, b in zip(*sides, strict=True)]

    def tabulate(self, numbers: Sequence[Number], table: Mapping[tuple[int, ...], int]) -> Number:
        """A function that is defined where the table has a row."""
        if not table:
            return replace(make_constant(0), known=ZERO)
        keys = list(zip(*table, strict=True))
        numbers = [narrow(self._network, one, min(key), max(key)) for one, key in zip(numbers, keys, strict=True)]
        order = sorted(range(len(numbers)), key=lambda k: numbers[k].count)
        sorted_numbers = [numbers[k] for k in order]
        rows = {tuple(key[k] for k in order): value for key, value in table.items()}
        low, high = min(rows.values()), max(rows.values())
        width = (high - low).bit_length()
        combinations = math.prod(number.count for number in numbers)
        # A bit above the digits is set where the table has a row.
        words = {key: (value - low) | (1 << width) for key, value in rows.items()}
        digits = self._functions(sorted_numbers, words, width + (len(rows) < combinations))
        known = digits[width] if len(digits) > width else ONE
        known = self._network.conjoin_all([known, *(number.known for number in numbers)])
        return Number(column_bits(digits[:width]), low, low, high, known, tuple(sorted(set(rows.values()))))

    def _functions(self, numbers: Sequence[Number], words: Mapping[tuple[int, ...], int], length: int) -> list[Parity]:
        """The digits of words that are looked up; 0 where there is none."""
        if not numbers:
            word = words.get((), 0)
            return [ONE if word >> place & 1 else ZERO for place in range(length)]
        first, *rest = numbers
        if not rest:
            selector = self.selector(first)
            return [selector.where(key[0] for key, word in words.items() if word >> p & 1) for p in range(length)]
        split: dict[int, dict[tuple[int, ...], int]] = {}
        for key, word in words.items():
            split.setdefault(key[0], {})[key[1:]] = word
        found = [ZERO] * length
        # A function of several numbers is a sum of parities of the first, each times a function of the others.
        for parity, read in self.selector(first).expand():
            summed: dict[tuple[int, ...], int] = {}
            for value in read:
                for key, word in split.get(value, {}).items():
                    summed[key] = summed.get(key, 0) ^ word
            parts = self._functions(rest, {key: word for key, word in summed.items() if word}, length)
            for place, part in enumerate(parts):
                found[place] = found[place] ^ self._network.conjoin(parity, part)
        return found
