"""Sums, comparisons, disequalities and clauses as arithmetic: the total is compared with a constant, no diagram."""

from __future__ import annotations

from itertools import product
from operator import attrgetter

from gatesolve.circuit import Parity
from gatesolve.model import Clause, Linear, NotEqual
from gatesolve.oracle.condition import ONE, ZERO, Condition
from gatesolve.oracle.network import Columns, Homes, Network, add_threes, equate, find_bits, find_literal, signed_digits

MOST_TOTALS = 1 << 14
"""Totals of a sum up to which those that can be reached are listed, to tell the bound from them with fewer bits."""


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
            for shift, digit in signed_digits(coefficient):
                weight = place + shift
                columns.setdefault(weight, []).append(bit if digit > 0 else bit.negated())
                offset += 0 if digit > 0 else 1 << weight
    network = Network(copies)
    if linear.relation == "<=":
        bound = linear.bound + offset - at_least
        found = compare(network, columns, bound, low + offset, high + offset, not at_least)
        return Condition(tuple(network.flags), tuple(found), method="sum")
    reachable = linear.bound in totals if totals else low <= linear.bound <= high
    if not reachable:
        return Condition((), (ZERO,) if linear.relation == "==" else (), method="sum")
    width = (high - low).bit_length()  # tells apart all between the least and the greatest total
    if totals:
        others = {t - linear.bound for t in totals} - {0}
        width = next(w for w in range(width + 1) if all(t % (1 << w) for t in others))
    factors = equate(network, columns, linear.bound + offset, width)
    if linear.relation == "!=":
        factors = [network.conjoin_all(factors).negated()]
    return Condition(tuple(network.flags), tuple(factors), method="sum")


def compare(network: Network, columns: Columns, bound: int, low: int, high: int, below: bool) -> list[Parity]:
    """``sum <= bound``, or above it: by one bit of the sum and a constant that brings the bound below that bit."""
    if bound >= high or bound < low:
        return [] if (bound >= high) == below else [ZERO]
    top = max(bound - low, high - bound - 1).bit_length()
    added = (1 << top) - 1 - bound
    carried: list[Parity] = []
    for place in range(top):
        column = [*columns.get(place, ()), *carried, *([ONE] if added >> place & 1 else [])]
        bits, carried = add_threes(network, column, False)
        if len(bits) == 2:
            carried.append(network.conjoin(*bits))
    bit = Parity.xor_all([*columns.get(top, ()), *carried, ONE if added >> top & 1 else ZERO])
    return [bit.negated() if below else bit]


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


def compile_clause(clause: Clause, homes: Homes) -> Condition | None:
    """One literal at least: NOT of the AND of all of them negated; None where a literal has too many words.

    Cost: for each literal that is no parity n - 1 ANDs of n bits for each value it has, or has not.
    """
    network, negated = Network(), list[Parity]()
    for name, values in clause.literals:
        found = find_literal(network, homes[name], name, values)
        if found is None:
            return None
        negated.append(found.negated())
    none = network.conjoin_all(negated)
    return Condition(tuple(network.flags), (none.negated(),), method="clause")
