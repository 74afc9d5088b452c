"""Small constraints as conjunctions of affine forms and quadratic forms.

A conjunction of factors, each 1 on every satisfying row and 0 on some others, is the constraint once every failing row
is covered. Affine factors come first, since they cost one AND each. One quadratic form, a XOR of up to two products,
covers the rest. Rows that are no codewords do not appear: these don't-cares save gates.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import chain
from itertools import combinations as pairs_of
from itertools import product as cartesian
from operator import attrgetter, or_

import numpy as np
from numpy.typing import NDArray

from gatesolve.circuit import Parity
from gatesolve.circuit.gf2 import AffineSpan, combinations, list_bits
from gatesolve.oracle.condition import Condition, Flag, Product, product_cost
from gatesolve.oracle.window import TruthTable

Packed = NDArray[np.uint64]
"""Functions by words."""
Entry = tuple[int, int, int, int]
"""A product of two parities: its cost, its values, the masks of both parities."""
FORM_LIMIT = 1 << 12


def pack_functions(functions: Sequence[int], rows: int) -> Packed:
    """Pack functions: integers with bit r the value at row r; ``rows`` has the bit of every row."""
    words = -(-rows.bit_length() // 64)
    data = b"".join([function.to_bytes(8 * words, "little") for function in functions])
    return np.frombuffer(data, dtype="<u8").reshape(len(functions), words)


def unpack_functions(packed: Packed) -> list[int]:
    """Return packed functions as integers."""
    if packed.shape[1] == 1:
        return [int(word) for word in packed[:, 0].tolist()]
    data, size = packed.tobytes(), 8 * packed.shape[1]
    return [int.from_bytes(data[start : start + size], "little") for start in range(0, len(data), size)]


def reduce_functions(packed: Packed, span: AffineSpan) -> Packed:
    """Return each function on the span's rows modulo the span, as `AffineSpan.residue` of one."""
    shift = span.constant_bit.bit_length()
    full = (1 << 64 * packed.shape[1]) - 1
    left = packed & pack_functions([span.rows], full)
    for element in span.basis:
        place = element.bit_length() - 1 - shift
        has = left[:, place // 64] >> np.uint64(place % 64) & np.uint64(1)
        left[has.astype(bool)] ^= pack_functions([element >> shift], full)[0]
    return left


def find_first(packed: Packed) -> NDArray[np.intp]:
    """Return the places at which a function comes for the first time, ascending."""
    if not len(packed):
        return np.zeros(0, dtype=np.intp)
    whole = np.ascontiguousarray(packed).view(np.dtype((np.void, packed.dtype.itemsize * packed.shape[1])))
    return np.sort(np.unique(whole.ravel(), return_index=True)[1])


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
    """Return the cheapest conjunction found, over the table's wires; None if no row is good, or no form is enough."""
    if not table.good:
        return None
    if not table.bad:
        return Condition((), (), method="affine")
    # All parities that are 1 on every good row, the lightest for each set of rows they exclude.
    span = AffineSpan.of(table.columns, table.good)
    lightest: dict[int, Factor] = {}
    for mask in combinations(span.null, FORM_LIMIT):
        parity = span.parity(mask).negated()
        kills = table.bad & ~_value(table, parity)
        # An AND takes 3 CX, and each further wire one.
        cost = 3 + len(parity.wires) - 1
        if kills and (kills not in lightest or cost < lightest[kills].cost):
            lightest[kills] = Factor(kills, cost, parity)
    affine, products = list(lightest.values()), _products(table)
    plans = [_with_residual(table, affine, products), _cover(table.bad, [*affine, *_product_factors(table, products)])]
    found = [_condition(plan) for plan in plans if plan is not None]
    return min(found, key=attrgetter("price"), default=None)


def _value(table: TruthTable, parity: Parity) -> int:
    return parity.value(table.columns.__getitem__, table.rows)


def _cover(bad: int, factors: list[Factor]) -> list[Factor] | None:
    """Cover the bad rows by greedy weighted set cover, then drop the members that became superfluous."""
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
    """Drop the factors whose rows the others exclude too, the dearest first."""
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


def _products(table: TruthTable) -> list[Entry]:
    """(cost, function, left mask, right mask) of products of two parities, cheapest first."""
    # Parities by their functions, the lightest first; a parity and its complement are one class.
    classes: dict[int, int] = {}
    wires = range(len(table.columns))
    for chosen in chain.from_iterable(pairs_of(wires, weight) for weight in range(1, len(wires) + 1)):
        value = _value(table, Parity(chosen))
        key = min(value, value ^ table.rows)
        if key and key not in classes:
            classes[key] = sum(1 << wire for wire in chosen)
            if len(classes) >= table.parities:
                break
    functions, masks = pack_functions(list(classes), table.rows), list(classes.values())
    weights = np.array([mask.bit_count() for mask in masks])
    first, second = np.triu_indices(len(classes), 1)
    # The lighter parity is the shorter one, and classes come lightest first.
    costs = 3 + (weights[second] - 1) + 2 * (weights[first] - 1)
    order = np.argsort(costs, kind="stable")
    first, second, costs = first[order], second[order], costs[order]
    # Products that differ by a parity on all codewords are one class: the cheapest comes first and stays.
    residues = reduce_functions(functions[first] & functions[second], AffineSpan.of(table.columns, table.rows))
    kept = find_first(residues)
    kept = kept[residues[kept].any(axis=1)]
    found = unpack_functions(functions[first[kept]] & functions[second[kept]])
    sides = zip(costs[kept].tolist(), found, first[kept].tolist(), second[kept].tolist(), strict=True)
    return sorted((cost, function, masks[a], masks[b]) for cost, function, a, b in sides)


def _quadratic(table: TruthTable, rest: int, products: list[Entry]) -> Factor | None:
    """A XOR of one or two products and a parity that is 1 on the good rows and 0 on ``rest``."""
    # On the rows that matter, products and a parity have to add up to the constraint: modulo parities, to its residue.
    span = AffineSpan.of(table.columns, table.good | rest)
    reduced = reduce_functions(pack_functions([function for _, function, _, _ in products], table.rows), span)
    kept = find_first(reduced)
    found, target = unpack_functions(reduced[kept]), span.residue(table.good)
    residues = {residue: products[place] for residue, place in zip(found, kept, strict=True)}
    # One product, or the cheapest two whose residues add up to the target; each pair is met in both orders.
    pairs = [
        [entry, residues[residue ^ target]]
        for residue, entry in residues.items()
        if residue ^ target in residues and residue <= residue ^ target
    ]
    best: list[Entry] | None = [residues[target]] if target in residues else None
    best = best or min(pairs, key=lambda pair: (pair[0][0] + pair[1][0], pair), default=None)
    return None if best is None else _quadratic_factor(table, span, best)


def _quadratic_factor(table: TruthTable, span: AffineSpan, entries: list[Entry]) -> Factor:
    best: Factor | None = None
    for constants in cartesian((False, True), repeat=2 * len(entries)):
        products, function = [], 0
        for k, (_, _, a, b) in enumerate(entries):
            left, right = _wires(a, constants[2 * k]), _wires(b, constants[2 * k + 1])
            products.append((left, right))
            function ^= _value(table, left) & _value(table, right)
        # Complements of the products' sides change the parity that is left to XOR in: the lightest one wins.
        parity = min(span.parities(function ^ table.good), key=lambda p: len(p.wires))
        value = function ^ _value(table, parity)
        cost = 3 + sum(product_cost(p) for p in products) + len(parity.wires)
        if best is None or cost < best.cost:
            best = Factor(table.bad & ~value, cost, parity, tuple(products))
    assert best is not None
    return best


def _product_factors(table: TruthTable, products: list[Entry]) -> list[Factor]:
    """Complements of single products that vanish on every good row."""
    if not products:
        return []
    numbers = {mask: k for k, mask in enumerate({mask for entry in products for mask in entry[2:]})}
    parities = {sign: {mask: _wires(mask, sign) for mask in numbers} for sign in (False, True)}
    values = pack_functions([_value(table, parity) for parity in parities[False].values()], table.rows)
    rows, good = pack_functions([table.rows, table.good], table.rows)
    left, right = (values[[numbers[entry[side]] for entry in products]] for side in (2, 3))
    signs = [(first, second) for first in (False, True) for second in (False, True)]
    # Of each product with all signs, product by product: the cheapest come first.
    functions = np.stack([(left ^ rows * first) & (right ^ rows * second) for first, second in signs], axis=1)
    functions = functions.reshape(-1, values.shape[1])
    allowed = np.flatnonzero(~(functions & good).any(axis=1) & functions.any(axis=1))
    kept = allowed[find_first(functions[allowed])]
    factors = []
    for place, kills in zip(kept.tolist(), unpack_functions(functions[kept]), strict=True):
        (price, _, a, b), (first, second) = products[place // 4], signs[place % 4]
        factors.append(Factor(kills, price + 3, Parity((), True), ((parities[first][a], parities[second][b]),)))
    return factors


def _wires(mask: int, constant: bool) -> Parity:
    return Parity(tuple(list_bits(mask)), constant)


def _condition(plan: list[Factor]) -> Condition:
    flags: list[Flag] = []
    factors: list[Parity] = []
    for factor in plan:
        parity = factor.parity
        if factor.products:
            flags.append(Flag(factor.products))
            # A quadratic factor is its flag XOR its parity.
            parity = parity ^ Parity((-len(flags),))
        factors.append(parity)
    return Condition(tuple(flags), tuple(factors), method="products" if flags else "affine")
