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
from itertools import combinations as pairs_of
from itertools import product as cartesian

from gatesolve.oracle.condition import Condition, Flag, Product, product_cost
from gatesolve.oracle.gf2 import AffineSpan, combinations
from gatesolve.oracle.window import Window
from gatesolve.reversible import Parity

FORM_LIMIT = 1 << 12
PARITY_LIMIT = 160


@dataclass(frozen=True)
class Factor:
    """A candidate conjunct: 1 on all good rows, 0 on the rows of ``kills``."""

    kills: int
    cost: int
    parity: Parity
    products: tuple[Product, ...] = ()


def conjunction(window: Window) -> Condition | None:
    """The cheapest conjunction found, or None if no rows are good or quadratic factors do not suffice."""
    if not window.good:
        return None
    if not window.bad:
        return Condition((), (), method="affine")
    affine = _affine_factors(window)
    plans = [_with_residual(window, affine)]
    products = _product_factors(window)
    plans.append(_cover(window.bad, [*affine, *products]))
    found = [_condition(window, plan) for plan in plans if plan is not None]
    return min(found, key=lambda c: (c.cost, c.num_ands), default=None)


def _affine_factors(window: Window) -> list[Factor]:
    """All parities that are 1 on every good row, the lightest for each set of rows they exclude."""
    span = AffineSpan.of(window.columns, window.good)
    best: dict[int, Factor] = {}
    for mask in combinations(span.null, FORM_LIMIT):
        parity = _parity(mask ^ span.constant_bit, span.constant_bit)
        kills = window.bad & ~_value(window, parity)
        cost = 3 + len(parity.wires) - 1
        if kills and (kills not in best or cost < best[kills].cost):
            best[kills] = Factor(kills, cost, parity)
    return list(best.values())


def _parity(mask: int, constant_bit: int) -> Parity:
    wires = tuple(k for k in range(constant_bit.bit_length() - 1) if mask >> k & 1)
    return Parity(wires, bool(mask & constant_bit))


def _value(window: Window, parity: Parity) -> int:
    value = window.rows if parity.constant else 0
    for wire in parity.wires:
        value ^= window.columns[wire]
    return value


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
    for factor in sorted(chosen, key=lambda f: -f.cost):
        others = [f for f in chosen if f is not factor]
        if not bad & ~_union(others):
            chosen = others
    return chosen


def _union(factors: Iterable[Factor]) -> int:
    kills = 0
    for factor in factors:
        kills |= factor.kills
    return kills


def _with_residual(window: Window, affine: list[Factor]) -> list[Factor] | None:
    """Affine factors for what they can exclude, one quadratic form for the rest."""
    reachable = window.bad & _union(affine)
    chosen = _cover(reachable, affine) or []
    rest = window.bad & ~reachable
    if not rest:
        return chosen
    form = _quadratic(window, window.good, rest)
    if form is None:
        return None
    # The form may exclude rows on its own, so an affine factor can have become superfluous.
    for factor in sorted(chosen, key=lambda f: -f.cost):
        others = [f for f in chosen if f is not factor]
        if not window.bad & ~(_union(others) | form.kills):
            chosen = others
    return [*chosen, form]


def _parity_classes(window: Window, limit: int) -> list[tuple[int, int]]:
    """(function, mask) of different parities up to complement, lightest first, at most ``limit``."""
    seen: dict[int, int] = {}
    wires = range(len(window.columns))
    for weight in range(1, len(window.columns) + 1):
        for chosen in pairs_of(wires, weight):
            value, mask = 0, 0
            for wire in chosen:
                value ^= window.columns[wire]
                mask |= 1 << wire
            key = min(value, value ^ window.rows)
            if key and key not in seen:
                seen[key] = mask
                if len(seen) >= limit:
                    return list(seen.items())
    return list(seen.items())


def _products(window: Window) -> list[tuple[int, int, int, int]]:
    """(cost, function, left mask, right mask) of products of two parities, cheapest first."""
    classes = _parity_classes(window, PARITY_LIMIT)
    found: dict[int, tuple[int, int, int, int]] = {}
    span = AffineSpan.of(window.columns, window.rows)
    for (first, a), (second, b) in pairs_of(classes, 2):
        function = first & second
        cost = product_cost((_parity(a, 1 << 62), _parity(b, 1 << 62)))
        key = span.residue(function)
        if key and (key not in found or cost < found[key][0]):
            found[key] = (cost, function, a, b)
    return sorted(found.values())


def _quadratic(window: Window, good: int, rest: int) -> Factor | None:
    """A XOR of one to three products and a parity that is 1 on ``good`` and 0 on ``rest``."""
    products = _products(window)
    span = AffineSpan.of(window.columns, good | rest)
    residues: dict[int, tuple[int, int, int, int]] = {}
    for entry in products:
        residues.setdefault(span.residue(entry[1]), entry)
    target = span.residue(good)
    best = [residues[target]] if target in residues else _two(residues, target) or _three(residues, target)
    if not best:
        return None
    return _quadratic_factor(window, span, good, best)


def _two(residues: dict[int, tuple[int, int, int, int]], target: int) -> list[tuple[int, int, int, int]]:
    found: list[tuple[int, list[tuple[int, int, int, int]]]] = []
    for residue, entry in residues.items():
        other = residues.get(residue ^ target)
        if other is not None and residue < residue ^ target:
            found.append((entry[0] + other[0], [entry, other]))
    return min(found)[1] if found else []


def _three(residues: dict[int, tuple[int, int, int, int]], target: int) -> list[tuple[int, int, int, int]]:
    if len(residues) > 1500:
        return []
    found: list[tuple[int, list[tuple[int, int, int, int]]]] = []
    for residue, entry in residues.items():
        rest = _two(residues, target ^ residue)
        if rest:
            found.append((entry[0] + sum(e[0] for e in rest), [entry, *rest]))
    return min(found)[1] if found else []


def _quadratic_factor(window: Window, span: AffineSpan, good: int, entries: list[tuple[int, int, int, int]]) -> Factor:
    """Choose complements of the products' parities so that the parity left to XOR in is lightest."""
    best: Factor | None = None
    for constants in cartesian((False, True), repeat=2 * len(entries)):
        products, function = [], 0
        for k, (_, _, a, b) in enumerate(entries):
            left = _parity(a, 1 << 62)
            right = _parity(b, 1 << 62)
            left = left.negated() if constants[2 * k] else left
            right = right.negated() if constants[2 * k + 1] else right
            products.append((left, right))
            function ^= _value(window, left) & _value(window, right)
        mask = span.express(function ^ good)
        assert mask is not None
        parity = _lightest(span, mask)
        value = function ^ _value(window, parity)
        cost = 3 + sum(product_cost(p) for p in products) + len(parity.wires)
        if best is None or cost < best.cost:
            best = Factor(window.bad & ~value, cost, parity, tuple(products))
    assert best is not None
    return best


def _lightest(span: AffineSpan, mask: int) -> Parity:
    """The lightest parity equal to ``mask`` on the span's rows."""
    options = [mask, *(mask ^ other for other in combinations(span.null, 256))]
    return min((_parity(option, span.constant_bit) for option in options), key=lambda p: len(p.wires))


def _product_factors(window: Window) -> list[Factor]:
    """Complements of single products that vanish on every good row."""
    found: dict[int, Factor] = {}
    for _, _, a, b in _products(window):
        left, right = _parity(a, 1 << 62), _parity(b, 1 << 62)
        for first, second in cartesian((left, left.negated()), (right, right.negated())):
            function = _value(window, first) & _value(window, second)
            if function & window.good:
                continue
            kills = function & window.bad
            cost = 3 + product_cost((first, second))
            if kills and (kills not in found or cost < found[kills].cost):
                found[kills] = Factor(kills, cost, Parity((), True), ((first, second),))
    return list(found.values())


def _condition(window: Window, plan: list[Factor]) -> Condition:
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
    return Condition(tuple(flags), tuple(factors), method=method).renamed(dict(enumerate(window.qubits)))
