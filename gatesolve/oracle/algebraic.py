"""Small constraints as conjunctions of affine forms and quadratic forms.

A conjunction of factors, each 1 on every satisfying row and 0 on some others,
is the constraint once every failing row is covered. Affine factors come first
(they cost one AND each), then one quadratic form, a XOR of up to three
products found by meeting in the middle, for the rows left over. Rows that are
no codewords do not appear at all: that is where don't-cares save gates.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import combinations as pairs_of
from itertools import product as cartesian
from operator import attrgetter, or_

from gatesolve.circuit import Parity
from gatesolve.circuit.gf2 import AffineSpan, combinations
from gatesolve.oracle.condition import Condition, Flag, Product, product_cost
from gatesolve.oracle.window import TruthTable

Entry = tuple[int, int, int, int]
"""A product of two parities: its cost, its values, the masks of both parities."""
FORM_LIMIT = 1 << 12


@dataclass(frozen=True)
class Factor:
    """A candidate conjunct: 1 on all good rows, 0 on the rows of ``kills``."""

    kills: int
    cost: int
    parity: Parity
    products: tuple[Product, ...] = ()


# Boards repeat a few truth tables many times, so each is worked out once.
@lru_cache(maxsize=4096)
def find_conjunction(table: TruthTable) -> Condition | None:
    """The cheapest conjunction found, over the table's wires; None if no row is good or quadratic factors do not do."""
    if not table.good:
        return None
    if not table.bad:
        return Condition((), (), method="affine")
    affine = _affine_factors(table)
    products = _products(table)
    plans = [
        _with_residual(table, affine, products),
        _cover(table.bad, [*affine, *_product_factors(table, products)]),
    ]
    found = [_condition(plan) for plan in plans if plan is not None]
    return min(found, key=attrgetter("price"), default=None)


def _affine_factors(table: TruthTable) -> list[Factor]:
    """All parities that are 1 on every good row, the lightest for each set of rows they exclude."""
    span = AffineSpan.of(table.columns, table.good)
    best: dict[int, Factor] = {}
    for mask in combinations(span.null, FORM_LIMIT):
        parity = span.parity(mask).negated()
        kills = table.bad & ~_value(table, parity)
        cost = 3 + len(parity.wires) - 1
        if kills and (kills not in best or cost < best[kills].cost):
            best[kills] = Factor(kills, cost, parity)
    return list(best.values())


def _value(table: TruthTable, parity: Parity) -> int:
    return parity.value(table.columns.__getitem__, table.rows)


def _cover(bad: int, factors: list[Factor]) -> list[Factor] | None:
    """Greedy weighted set cover of the bad rows, then without the members that became superfluous."""
    chosen: list[Factor] = []
    left = bad
    while left:
        best = max(factors, key=lambda f: ((f.kills & left).bit_count() / f.cost, -f.cost), default=None)
        if best is None or not best.kills & left:
            return None
        chosen.append(best)
        left &= ~best.kills
    return _needed(bad, chosen)


def _needed(bad: int, chosen: list[Factor]) -> list[Factor]:
    """The factors without those whose rows the others exclude too, the dearest first."""
    for factor in sorted(chosen, key=lambda f: -f.cost):
        others = [f for f in chosen if f is not factor]
        if not bad & ~_union(others):
            chosen = others
    return chosen


def _union(factors: Iterable[Factor]) -> int:
    return reduce(or_, (factor.kills for factor in factors), 0)


def _with_residual(table: TruthTable, affine: list[Factor], products: list[Entry]) -> list[Factor] | None:
    """Affine factors for what they can exclude, one quadratic form for the rest."""
    reachable = table.bad & _union(affine)
    chosen = _cover(reachable, affine) or []
    rest = table.bad & ~reachable
    if not rest:
        return chosen
    form = _quadratic(table, rest, products)
    if form is None:
        return None
    # The form may exclude rows on its own, so an affine factor can have become superfluous.
    return [*_needed(table.bad & ~form.kills, chosen), form]


def _parity_classes(table: TruthTable, limit: int) -> list[tuple[int, int]]:
    """(function, mask) of different parities up to complement, lightest first, at most ``limit``."""
    seen: dict[int, int] = {}
    wires = range(len(table.columns))
    for weight in range(1, len(table.columns) + 1):
        for chosen in pairs_of(wires, weight):
            value = _value(table, Parity(chosen))
            key = min(value, value ^ table.rows)
            if key and key not in seen:
                seen[key] = sum(1 << wire for wire in chosen)
                if len(seen) >= limit:
                    return list(seen.items())
    return list(seen.items())


def _products(table: TruthTable) -> list[Entry]:
    """(cost, function, left mask, right mask) of products of two parities, cheapest first."""
    classes = _parity_classes(table, table.parities)
    found: dict[int, Entry] = {}
    span = AffineSpan.of(table.columns, table.rows)
    for (first, a), (second, b) in pairs_of(classes, 2):
        function = first & second
        short, long = sorted((a.bit_count(), b.bit_count()))
        cost = 3 + (long - 1) + 2 * (short - 1)
        key = span.residue(function)
        if key and (key not in found or cost < found[key][0]):
            found[key] = (cost, function, a, b)
    return sorted(found.values())


def _quadratic(table: TruthTable, rest: int, products: list[Entry]) -> Factor | None:
    """A XOR of one to three products and a parity that is 1 on the good rows and 0 on ``rest``."""
    span = AffineSpan.of(table.columns, table.good | rest)
    residues: dict[int, Entry] = {}
    for entry in products:
        residues.setdefault(span.residue(entry[1]), entry)
    most = table.products if len(residues) <= 1500 else 2
    entries = (_cheapest_sum(residues, span.residue(table.good), size) for size in range(1, most + 1))
    best = next(filter(None, entries), None)
    return None if best is None else _quadratic_factor(table, span, best)


def _cheapest_sum(residues: dict[int, Entry], target: int, size: int) -> list[Entry]:
    """The cheapest products, so many, whose residues add up to ``target``; none if there are none."""
    if size == 1:
        return [residues[target]] if target in residues else []
    found: list[tuple[int, list[Entry]]] = []
    for residue, entry in residues.items():
        # Of two, either order would do.
        rest = [] if size == 2 and residue > residue ^ target else _cheapest_sum(residues, residue ^ target, size - 1)
        if rest:
            found.append((entry[0] + sum(e[0] for e in rest), [entry, *rest]))
    return min(found)[1] if found else []


def _quadratic_factor(table: TruthTable, span: AffineSpan, entries: list[Entry]) -> Factor:
    """Choose complements of the products' parities so that the parity left to XOR in is lightest."""
    best: Factor | None = None
    for constants in cartesian((False, True), repeat=2 * len(entries)):
        products, function = [], 0
        for k, (_, _, a, b) in enumerate(entries):
            left, right = _wires(a, constants[2 * k]), _wires(b, constants[2 * k + 1])
            products.append((left, right))
            function ^= _value(table, left) & _value(table, right)
        parity = min(span.parities(function ^ table.good), key=lambda p: len(p.wires))
        value = function ^ _value(table, parity)
        cost = 3 + sum(product_cost(p) for p in products) + len(parity.wires)
        if best is None or cost < best.cost:
            best = Factor(table.bad & ~value, cost, parity, tuple(products))
    assert best is not None
    return best


def _product_factors(table: TruthTable, products: list[Entry]) -> list[Factor]:
    """Complements of single products that vanish on every good row."""
    found: dict[int, tuple[int, int, bool, int, bool]] = {}
    rows = table.rows
    values = {mask: _value(table, _wires(mask, False)) for _, _, *pair in products for mask in pair}
    signs = [(first, second) for first in (0, rows) for second in (0, rows)]
    for price, _, a, b in products:
        left, right = values[a], values[b]
        for first, second in signs:
            function = (left ^ first) & (right ^ second)
            if function & table.good:
                continue
            kills = function & table.bad
            if kills and (kills not in found or found[kills][0] > price):
                found[kills] = (price, a, bool(first), b, bool(second))
    return [
        Factor(kills, price + 3, Parity((), True), ((_wires(a, first), _wires(b, second)),))
        for kills, (price, a, first, b, second) in found.items()
    ]


def _wires(mask: int, constant: bool) -> Parity:
    return Parity(tuple(k for k in range(mask.bit_length()) if mask >> k & 1), constant)


def _condition(plan: list[Factor]) -> Condition:
    """Number the flags; a quadratic factor is its flag XOR its parity."""
    flags: list[Flag] = []
    factors: list[Parity] = []
    for factor in plan:
        parity = factor.parity
        if factor.products:
            flags.append(Flag(factor.products))
            parity = parity ^ Parity((-len(flags),))
        factors.append(parity)
    method = "products" if flags else "affine"
    return Condition(tuple(flags), tuple(factors), method=method)
