"""Sums, comparisons, disequalities and clauses as arithmetic: the total is compared with a constant, no diagram."""

from __future__ import annotations

from operator import attrgetter

from gatesolve.circuit import Parity
from gatesolve.model import Clause, Linear, NotEqual
from gatesolve.oracle.condition import ONE, ZERO, Condition
from gatesolve.oracle.network import Homes, Network, compare_total, find_bits, find_literal
from gatesolve.oracle.radix import Addend, equate_by_radix, equate_in_binary, find_bounds, gather_columns, list_totals


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
    terms, total = list[Addend](), linear.bound
    for coefficient, name in linear.terms:
        values = sorted({row[homes[name].names.index(name)] for row in homes[name].values})
        bits = find_bits(homes[name], name, values)
        # Some bit is no parity of its block's qubits.
        if bits is None:
            return []
        terms.append(Addend(coefficient, tuple(bits), tuple(v - values[0] for v in values)))
        total -= coefficient * values[0]
    columns, offset = gather_columns(terms)
    # flags of one AND alone are those that others make too
    ways = (False,) if keeps else (True, False)
    low, high = find_bounds(terms)
    if linear.relation == "<=":
        # At least a bound is the complement of at most one less.
        bound = total + offset - at_least
        below = [
            (one, compare_total(one, one.keep_all(columns) if keeps else columns, bound, low + offset, high + offset))
            for one in map(Network, ways)
        ]
        signed = [(one, bit.negated() if at_least else bit) for one, bit in below]
        return [one.finish([] if factor == ONE else [factor], "sum") for one, factor in signed]
    totals = list_totals(terms)
    if not (low <= total <= high if totals is None else total in totals):
        return [Condition((), (ZERO,) if linear.relation == "==" else (), method="sum")]
    found = list[tuple[Network, list[Parity]]]()
    for network in map(Network, ways):
        found += equate_in_binary(network, terms, total, keeps)
        if not keeps:
            found += equate_by_radix(network, terms, total)
    if linear.relation == "!=":
        found = [(network, [network.conjoin_all(factors).negated()]) for network, factors in found]
    return [network.finish(factors, "sum") for network, factors in found]


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
    return network.finish([network.conjoin_all(factors).negated()], "sum")


def compile_clause(clause: Clause, homes: Homes) -> Condition:
    """Compile a clause: NOT of the AND of all literals negated.

    Cost: for each literal that is no parity n - 1 ANDs of n bits for each value it has, or has not.
    """
    network = Network()
    negated = [find_literal(network, homes[name], name, values).negated() for name, values in clause.literals]
    return network.finish([network.conjoin_all(negated).negated()], "clause")
