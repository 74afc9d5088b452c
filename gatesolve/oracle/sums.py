"""Sums, comparisons, disequalities and clauses as arithmetic: the total is compared with a constant, no diagram."""

from __future__ import annotations

from itertools import product
from operator import attrgetter

from gatesolve.circuit import Parity
from gatesolve.model import Clause, Linear, NotEqual
from gatesolve.oracle.condition import ONE, ZERO, Condition
from gatesolve.oracle.network import (
    Columns,
    Homes,
    Network,
    compare_total,
    equate,
    find_bits,
    find_literal,
    signed_digits,
    tell_apart,
)

MOST_TOTALS = 1 << 14
"""Totals of a sum up to which those that can be reached are listed, to tell the bound from them with fewer bits."""


def compile_sum(linear: Linear, homes: Homes, keeps: bool = False) -> Condition | None:
    """Return the cheapest network of a sum, or None where some variable's bits are no parities of its qubits.

    ``keeps`` puts each bit onto a wire of its own, where other constraints of the variable find it.

    Cost: an AND for each full adder, n - W(n) for n bits of one weight, where W(n) counts the ones in n's binary
    digits. Half adders of an equality take none.
    Source: column compression, Wallace 1964; the ANDs that are needed, Boyar and Peralta, Theoretical Computer Science
    396 (2008).
    """
    terms = linear.terms
    # Both signs of the sum are tried, as their digits and bounds may differ in cost.
    turned = Linear(tuple((-c, name) for c, name in terms), linear.relation, -linear.bound)
    at_least = linear.relation == "<="
    forms = [*_list_forms(linear, homes, False, keeps), *_list_forms(turned, homes, at_least, keeps)]
    return min(forms, key=attrgetter("price"), default=None)


def _list_forms(linear: Linear, homes: Homes, at_least: bool, keeps: bool) -> list[Condition]:
    """Networks of a sum with its signs as they stand; ``at_least`` for ``total >= bound`` in place of ``<=``."""
    columns: dict[int, list[Parity]] = {}
    # The columns hold the total plus the offset.
    offset, low, high = 0, 0, 0
    totals = {0}
    for coefficient, name in linear.terms:
        values = sorted({row[homes[name].names.index(name)] for row in homes[name].values})
        bits = find_bits(homes[name], name, values)
        if bits is None:
            return []
        reached = [coefficient * v for v in values]
        low, high = low + min(reached), high + max(reached)
        totals = {t + r for t, r in product(totals, reached)} if len(totals) * len(reached) <= MOST_TOTALS else set()
        offset -= coefficient * values[0]
        for place, bit in enumerate(bits):
            for shift, digit in signed_digits(coefficient):
                weight = place + shift
                columns.setdefault(weight, []).append(bit if digit > 0 else bit.negated())
                offset += 0 if digit > 0 else 1 << weight
    # flags of one AND alone are those that others make too
    ways = (False,) if keeps else (True, False)
    if linear.relation == "<=":
        # At least a bound is the complement of at most one less.
        bound = linear.bound + offset - at_least
        ends = low + offset, high + offset
        below = [
            (one, compare_total(one, one.keep_all(columns) if keeps else columns, bound, *ends))
            for one in map(Network, ways)
        ]
        signed = [(one, bit.negated() if at_least else bit) for one, bit in below]
        return [one.finish([] if factor == ONE else [factor], "sum") for one, factor in signed]
    reachable = linear.bound in totals if totals else low <= linear.bound <= high
    if not reachable:
        return [Condition((), (ZERO,) if linear.relation == "==" else (), method="sum")]
    if totals:
        choices = tell_apart(linear.bound + offset, {t + offset for t in totals} - {linear.bound + offset})
    else:
        # The bound has to differ from all between the least and the greatest total.
        choices = [set(range((high - low).bit_length()))]
    return [
        _equate(Network(copies), columns, linear.bound + offset, tested, linear.relation == "!=", keeps)
        for tested, copies in product(choices, ways)
    ]


def _equate(network: Network, columns: Columns, total: int, tested: set[int], differs: bool, keeps: bool) -> Condition:
    factors = equate(network, network.keep_all(columns) if keeps else columns, total, tested)
    if differs:
        factors = [network.conjoin_all(factors).negated()]
    return network.finish(factors, "sum")


def compile_unequal(constraint: NotEqual, homes: Homes, keeps: bool = False) -> Condition | None:
    """Compile that two variables differ: in some bit of their Gray codes, half the wires of digits on a domain wall.

    None where a bit is no parity. Cost: an AND less than there are bits. ``keeps`` puts each bit onto a wire of its
    own, where other constraints of the variable find it.
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
        factors.append(Parity.xor_all([ONE, *(network.keep(one) if keeps else one for one in both if one is not None)]))
    none = network.conjoin_all(factors).negated()
    return network.finish([none], "sum")


def compile_clause(clause: Clause, homes: Homes) -> Condition:
    """Compile a clause: NOT of the AND of all literals negated.

    Cost: for each literal that is no parity n - 1 ANDs of n bits for each value it has, or has not.
    """
    network = Network()
    negated = [find_literal(network, homes[name], name, values).negated() for name, values in clause.literals]
    return network.finish([network.conjoin_all(negated).negated()], "clause")
