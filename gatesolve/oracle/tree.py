"""Trees of terms and constraints as flags: every part once, and of the whole the factors that must all be 1."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial, reduce
from itertools import combinations, product
from operator import itemgetter

import numpy as np

from gatesolve.circuit import Parity
from gatesolve.model import Constraint, Linear
from gatesolve.model.constraints import Domains
from gatesolve.model.terms import Apply, Function, Lookup, Sum, Term, Truth, Value, add_terms, is_partial
from gatesolve.model.trees import AllOf, Compare, Distinct, NoDigit, Not, OddOf, Tree, Within, compare
from gatesolve.oracle.all_different import count_odd
from gatesolve.oracle.condition import ONE, Condition
from gatesolve.oracle.network import Homes, Network
from gatesolve.oracle.numbers import (
    Number,
    Tabulator,
    add,
    column_bits,
    is_at_most_zero,
    is_between,
    is_within,
    is_zero,
    make_bit,
    make_constant,
    make_variable,
    multiply,
    narrow,
    resolve,
    scale,
    select,
    tidy,
)

Terms = tuple[tuple[int, str], ...]
MOST_ROWS = 1 << 10
"""Pairs of values up to which a quotient or a remainder is looked up."""
MOST_TOLD = 1 << 6
"""Most values of a number for which each gets a parity of its own."""
MOST_COUNTED = 1 << 6
"""Values that terms can take together up to which all-different terms are counted by value."""
Leaf = Callable[[Constraint], Condition]
"""Compiles a constraint that is no tree."""


def find_intervals(parts: Sequence[Constraint]) -> list[tuple[Terms, int, int, tuple[Constraint, Constraint]]]:
    """Return each pair of parts that are an interval together, no part twice: ``low <= sum of terms <= high``."""
    lows: dict[Terms, tuple[int, Constraint]] = {}
    highs: dict[Terms, tuple[int, Constraint]] = {}
    for part in parts:
        inner = part.constraint if isinstance(part, Not) else part
        if not isinstance(inner, Linear) or inner.relation != "<=" or len(inner.terms) < 2:
            continue
        # A sum and its negative are one: in the form taken, the first variable by name is added.
        sign = 1 if min(inner.terms, key=itemgetter(1))[0] > 0 else -1
        terms = tuple(sorted((sign * c, name) for c, name in inner.terms))
        is_upper = (sign > 0) != isinstance(part, Not)
        bound = sign * (inner.bound + isinstance(part, Not))
        (highs if is_upper else lows).setdefault(terms, (bound, part))
    pairs = ((terms, *lows[terms], *high) for terms, high in highs.items() if terms in lows)
    return [(terms, low, high, (above, below)) for terms, low, above, high, below in pairs]


def divide(network: Network, function: str, left: Number, right: Number) -> Number:
    """Return ``div``, rounded towards zero, or ``mod``, which has the sign of what is divided.

    Cost: for quotients of n digits and divisors of m about 3 n m ANDs.
    """
    falling, size = _split_sign(network, left)
    turned, divisor = _split_sign(network, right)
    most = max(divisor.high, 1)
    rest = Number({}, 0, 0, 0)
    found: list[Parity] = []
    # Long division, from the highest digit on.
    for digit in reversed(resolve(network, size, 0, size.high.bit_length())):
        doubled = add(network, [scale(rest, 2), Number({0: (digit,)}, 0, 0, 1)])
        less = add(network, [doubled, scale(divisor, -1)])
        fits = is_at_most_zero(network, scale(less, -1))
        rest = select(network, fits, replace(less, values=None), replace(doubled, values=None))
        # The rest is less than the divisor, or the quotient is not defined.
        rest = Number(column_bits(resolve(network, rest, 0, (most - 1).bit_length())), 0, 0, most - 1)
        found.append(fits)
    nonzero = network.conjoin_all(is_zero(network, divisor)).negated()
    known = network.conjoin_all([left.known, right.known, nonzero])
    quotient = Number(column_bits(reversed(found)), 0, 0, size.high)
    number, sign = (quotient, falling ^ turned) if function == "div" else (rest, falling)
    signed = number if not sign.wires else select(network, sign, scale(number, -1), number)
    return replace(signed if sign.wires or not sign.constant else scale(number, -1), known=known)


def _split_sign(network: Network, number: Number) -> tuple[Parity, Number]:
    """Return whether a number is negative, and its size."""
    if number.low >= 0 or number.high < 0:
        return (ONE.negated(), number) if number.low >= 0 else (ONE, scale(number, -1))
    negative = is_at_most_zero(network, add(network, [number], 1))
    plain = replace(number, values=None)
    size = select(network, negative, scale(plain, -1), plain)
    digits = resolve(network, size, 0, max(-number.low, number.high).bit_length())
    return negative, Number(column_bits(digits), 0, 0, max(-number.low, number.high))


def compile_tree(tree: Constraint, homes: Homes, leaf: Leaf, shared: bool = False) -> Condition:
    """Compile a tree to a condition that is right on every codeword.

    Args:
        tree: over variables of ``homes``.
        homes: what is seen of the block of each variable.
        leaf: compiles what is no tree within it.
        shared: made of parts that other conditions can have in common with it: each bit on a wire of its own, and of
            terms that are all different the digits.

    Cost: an AND for each digit that is added or chosen, for each pair of digits that are multiplied, and for each
    constraint within another; equal parts once.
    """
    compiler = _Compiler(homes, leaf, shared)
    factors = compiler.factors(tree)
    return compiler.network.finish([f for f in dict.fromkeys(factors) if f != ONE], "tree").pruned()


class _Compiler:
    def __init__(self, homes: Homes, leaf: Leaf, shared: bool) -> None:
        self.network = Network()
        self._homes, self._leaf, self._shared = homes, leaf, shared
        self._tables = Tabulator(self.network)
        self._numbers: dict[Term, Number] = {}
        self._factors: dict[Constraint, list[Parity]] = {}
        self._domains: Domains = {
            name: tuple(sorted({row[view.names.index(name)] for row in view.values})) for name, view in homes.items()
        }

    def factors(self, constraint: Constraint) -> list[Parity]:
        """Parities that are 1 together where the constraint holds."""
        if constraint not in self._factors:
            self._factors[constraint] = self._make_factors(constraint)
        return self._factors[constraint]

    def truth(self, constraint: Constraint) -> Parity:
        """Return a parity that is 1 where the constraint holds."""
        return self.network.conjoin_all(self.factors(constraint))

    def number(self, term: Term) -> Number:
        if term not in self._numbers:
            self._numbers[term] = self._make_number(term)
        return self._numbers[term]

    def _make_factors(self, constraint: Constraint) -> list[Parity]:
        match constraint:
            case AllOf():
                return self._all_factors(constraint.constraints)
            case Not():
                return [self.truth(constraint.constraint).negated()]
            case OddOf():
                return [self.network.gather(Parity.xor_all([self.truth(part) for part in constraint.constraints]))]
            case Compare():
                number = self.number(constraint.term)
                return [*self._compare(number, constraint.relation), number.known]
            case Within():
                number = self.number(constraint.term)
                if number.count <= MOST_TOLD:
                    return [self._tables.selector(number).where(constraint.values), number.known]
                return [is_within(self.network, number, constraint.values), number.known]
            case NoDigit():
                number = self.number(constraint.term)
                digits = resolve(self.network, number, constraint.low, constraint.place + 1)
                return [digits[-1].negated(), number.known]
            case Distinct():
                known = [self.number(term).known for term in constraint.terms if is_partial(term)]
                return [*known, *self._all_differ(constraint.terms)]
            case Tree():
                raise TypeError(f"{type(constraint).__name__} is a tree that is not known")
        return self.network.include(self._leaf(constraint))

    def _all_factors(self, parts: Sequence[Constraint]) -> list[Parity]:
        intervals = find_intervals(parts)
        found: list[Parity] = []
        for terms, low, high, sides in intervals:
            number = self.number(add_terms([(c, Value(name)) for c, name in terms]))
            apart, at_once = self._branch(), self.network.branch(copies=False)
            # A sum that is bounded from below and above takes one comparison where that is cheaper.
            options = [
                (apart.network, [factor for side in sides for factor in apart.factors(side)]),
                (at_once, is_between(at_once, number, low, high)),
            ]
            found += self._take_cheapest(options)
        bounded = {side for *_, sides in intervals for side in sides}
        return found + [factor for part in parts if part not in bounded for factor in self.factors(part)]

    def _compare(self, number: Number, relation: str) -> list[Parity]:
        if relation == "<=":
            return [is_at_most_zero(self.network, number)]
        zero = is_zero(self.network, number)
        return zero if relation == "==" else [self.network.conjoin_all(zero).negated()]

    def _all_differ(self, terms: Sequence[Term]) -> list[Parity]:
        paired, resolved, counted = self._branch(), self._branch(), self._branch()
        numbers = [resolved.number(term) for term in terms]
        low = min((number.offset for number in numbers), default=0)
        width = (max((number.high for number in numbers), default=0) - low).bit_length()
        in_digits = resolved._pairs_differ(terms, partial(resolved._differ_in_digits, low=low, width=width))
        # Other conditions share digits, so these are taken even where they are dearer.
        if self._shared:
            self.network.adopt(resolved.network)
            return in_digits
        # Each pair, as a difference or by digits, or as many values as terms an odd number of times.
        options = [
            (paired.network, paired._pairs_differ(terms, paired._differ)),
            (resolved.network, in_digits),
            *counted._count_values(terms),
        ]
        return self._take_cheapest(options)

    def _pairs_differ(self, terms: Sequence[Term], differ: Callable[[Term, Term], list[Parity]]) -> list[Parity]:
        return list(dict.fromkeys(factor for a, b in combinations(terms, 2) for factor in differ(a, b)))

    def _count_values(self, terms: Sequence[Term]) -> Iterator[tuple[Network, list[Parity]]]:
        numbers = [self.number(term) for term in terms]
        if not numbers or max(number.count for number in numbers) > MOST_COUNTED:
            return
        values = sorted(set().union(*(number.listed for number in numbers)))
        if len(values) > MOST_COUNTED:
            return
        names = [f"term {k}" for k in range(len(terms))]
        views = [self._tables.selector(number).view for number in numbers]
        homes = {name: replace(view, names=(name,)) for name, view in zip(names, views, strict=True)}
        yield from count_odd(self.network, names, values, homes)

    def _take_cheapest(self, options: Sequence[tuple[Network, list[Parity]]]) -> list[Parity]:
        """Continue from the network whose factors cost least."""
        made = [Condition(tuple(network.flags), tuple(factors)) for network, factors in options]
        network, factors = options[min(range(len(made)), key=lambda k: made[k].price)]
        self.network.adopt(network)
        return factors

    def _branch(self) -> _Compiler:
        """Return a compiler that goes on from here, with this one left as it is."""
        other = _Compiler(self._homes, self._leaf, self._shared)
        other.network.adopt(self.network.branch(copies=False))
        return other

    def _differ(self, left: Term, right: Term) -> list[Parity]:
        return self.factors(self._difference(left, right))

    def _differ_in_digits(self, left: Term, right: Term, low: int, width: int) -> list[Parity]:
        # A difference of two variables is compared as it is; of others some digit differs, counted from ``low``.
        difference = self._difference(left, right)
        if len(difference.scope) <= 2:
            return self.factors(difference)
        digits = zip(*(resolve(self.network, self.number(term), low, width) for term in (left, right)), strict=True)
        return [self.network.conjoin_all([a ^ b ^ ONE for a, b in digits]).negated()]

    def _difference(self, left: Term, right: Term) -> Constraint:
        # Sorted terms make the differences of equal pairs one constraint, which is compiled once.
        difference = add_terms([(1, left), (-1, right)])
        if isinstance(difference, Sum):
            difference = replace(difference, terms=tuple(sorted(difference.terms, key=lambda term: str(term[1]))))
        return compare(difference, "!=", self._domains)

    def _make_number(self, term: Term) -> Number:
        match term:
            case Value():
                number = make_variable(self.network, self._homes[term.name], term.name)
                return replace(number, columns=self.network.keep_all(number.columns)) if self._shared else number
            case Truth():
                return make_bit(self.truth(term.constraint))
            case Sum():
                parts = [scale(self.number(part), weight) for weight, part in term.terms]
                return add(self.network, parts, term.constant)
            case Lookup():
                numbers = [self.number(part) for part in term.arguments]
                inside = [range(one.low, one.high + 1) if one.values is None else set(one.values) for one in numbers]
                rows = {key: v for key, v in term.rows if all(x in s for x, s in zip(key, inside, strict=True))}
                return self._tables.tabulate(numbers, rows)
            case Apply():
                return self._apply(term.function, [self.number(part) for part in term.arguments])
        raise TypeError(f"{type(term).__name__} is a term that is not known")

    def _apply(self, function: Function, numbers: list[Number]) -> Number:
        match function:
            case "mul":
                found = multiply(self.network, *numbers)
                return replace(found, known=self.network.conjoin(numbers[0].known, numbers[1].known))
            case "max":
                return reduce(self._greater, numbers)
            case "abs":
                return self._size(numbers[0])
            case "element":
                return self._element(numbers[0], numbers[1:])
            case "div" | "mod":
                left, right = numbers
                if left.count * right.count > MOST_ROWS:
                    return divide(self.network, function, left, right)
                pairs: list[tuple[int, ...]] = list(product(left.listed, right.listed))
                columns = dict(zip(("left", "right"), np.array(pairs).T, strict=True))
                values, known = Apply(function, (Value("left"), Value("right"))).values(columns)
                rows = {pair: int(v) for pair, v, one in zip(pairs, values, known, strict=True) if one}
                return self._tables.tabulate([left, right], rows)
        raise TypeError(f"{function} is a function that is not known")

    def _greater(self, left: Number, right: Number) -> Number:
        if left.low >= right.high or right.low >= left.high:
            chosen = left if left.low >= right.high else right
            return replace(chosen, known=self.network.conjoin(left.known, right.known))
        left, right = tidy(self.network, left), tidy(self.network, right)
        smaller = is_at_most_zero(self.network, add(self.network, [left, scale(right, -1)]))
        greatest = select(self.network, smaller, right, left)
        low = max(left.low, right.low)
        values = None if greatest.values is None else tuple(v for v in greatest.values if v >= low)
        return replace(greatest, low=low, values=values)

    def _size(self, number: Number) -> Number:
        if number.low >= 0 or number.high <= 0:
            return number if number.low >= 0 else scale(number, -1)
        # The digits of a negative number, turned, are those of its size less 1.
        width = (max(-number.low, number.high + 1) - 1).bit_length() + 1
        digits = resolve(self.network, number, 0, width)
        sign = digits[-1]
        columns: dict[int, list[Parity]] = {k: [bit ^ sign] for k, bit in enumerate(digits[:-1])}
        columns[0].append(sign)
        values = None if number.values is None else tuple(sorted({abs(v) for v in number.values}))
        return Number(columns, 0, 0, max(-number.low, number.high), number.known, values)

    def _element(self, index: Number, entries: list[Number]) -> Number:
        index = narrow(self.network, index, 0, len(entries) - 1)
        places = [v for v in index.listed if 0 <= v < len(entries)]
        if not places:
            return replace(make_constant(0), known=Parity(()))
        low, high = min(entries[v].low for v in places), max(entries[v].high for v in places)
        width = (high - low).bit_length()
        digits = {v: resolve(self.network, entries[v], low, width) for v in places}
        outside = [v for v in index.listed if not 0 <= v < len(entries)]
        bits = self._tables.choose(index, digits | dict.fromkeys(outside, digits[places[0]]))
        inside = self._tables.selector(index).where(places) if outside else ONE
        known = self.network.conjoin_all([inside, index.known, *(entry.known for entry in entries)])
        lists = [entries[v].values for v in places]
        values = tuple(sorted({v for one in lists if one is not None for v in one})) if None not in lists else None
        return Number(column_bits(bits), low, low, high, known, values)
