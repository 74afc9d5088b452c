"""Which wires of a computation can be erased by measurement, one after the other, and what each of them holds.

A point is an assignment to all variables, inputs and products, as bits of an integer; a parity is a mask of variables.
A direction can be given up in which no wanted parity changes, but at every point a parity does that is a quadratic
function of parities which do not: along it, what one wire holds is a quadratic function of what the others hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from gatesolve.circuit.gf2 import list_bits, rank, reduce_row
from gatesolve.circuit.parity import Parity
from gatesolve.errors import InputError

MOST_TRIED = 2000
"""Choices of a direction made before an order is given up."""
MOST_READ = 10
"""Inputs in products up to which all quadratic relations are looked for, in tables of their values."""
Product = tuple[Parity, Parity]


@dataclass(frozen=True)
class Relation:
    """Products and a parity (of variables, as a mask) whose XOR is zero wherever the products are right."""

    products: tuple[Product, ...]
    parity: int

    def __xor__(self, other: Relation) -> Relation:
        return Relation((*self.products, *other.products), self.parity ^ other.parity)

    @property
    def sides(self) -> list[int]:
        """The masks of all factors."""
        return [mask_of(side) for product in self.products for side in product]


Drop = tuple[int, Relation]


def plan_drops(
    num_wires: int, products: Sequence[Product], outputs: Sequence[int], points: Sequence[int]
) -> list[Drop]:
    """Directions to give up until as many are left as there are independent outputs, each with its relation.

    Raises:
        InputError: none was found.
    """
    number = len(points) - rank(outputs)
    relations = [Relation((product,), 1 << num_wires + k) for k, product in enumerate(products)]
    plan = _plan_by_products(_refine(points, outputs), relations, number, iter(range(MOST_TRIED)))
    if plan is None:
        plan = _plan_by_tables(num_wires, products, outputs, points)
    if plan is None or len(plan) < number:
        raise InputError("the outputs do not tell all inputs apart, or not in a way that was found")
    return plan


def _plan_by_products(
    points: Sequence[int], relations: Sequence[Relation], number: int, budget: Iterator[int]
) -> list[Drop] | None:
    """Plan ``number`` directions, each with the relation used up along it; none changes a factor that is used later."""
    if not number:
        return []
    for direction, relation, kept in _list_drops(points, relations):
        if len(kept) + 1 < number or next(budget, None) is None:
            return None
        left = [one ^ relation if meets(one.parity, direction) else one for one in kept]
        rest = _plan_by_products(points, left, number - 1, budget)
        if rest is not None:
            return [(direction, relation), *rest]
    return None


def _list_drops(points: Sequence[int], relations: Sequence[Relation]) -> Iterator[tuple[int, Relation, list[Relation]]]:
    """Directions, and the other relations that stay of use, those first after which most do."""
    found = []
    for relation in relations:
        others = [one for one in relations if one is not relation]
        drop = _find_direction(points, relation, others)
        if drop is None:
            continue
        if len(drop[1]) == len(others):
            yield drop[0], relation, drop[1]
        else:
            found.append((drop[0], relation, drop[1]))
    yield from sorted(found, key=lambda one: -len(one[2]))


def _find_direction(
    points: Sequence[int], relation: Relation, others: Sequence[Relation]
) -> tuple[int, list[Relation]] | None:
    """A direction that changes a relation but no factor of it, nor of many others, which are told too."""
    left = _refine(points, relation.sides)
    if not any(meets(relation.parity, point) for point in left):
        return None
    kept = []
    for other in others:
        fewer = _refine(left, other.sides)
        if any(meets(relation.parity, point) for point in fewer):
            left = fewer
            kept.append(other)
    return next(point for point in left if meets(relation.parity, point)), kept


def _plan_by_tables(
    num_wires: int, products: Sequence[Product], outputs: Sequence[int], points: Sequence[int]
) -> list[Drop] | None:
    """Plan directions by all quadratic relations: backwards from the outputs, adding what is quadratic in the known."""
    read = sorted({w for product in products for side in product for w in side.wires if w < num_wires})
    if len(read) > MOST_READ:
        return None
    tables = _tabulate(read, num_wires, products)
    every = (1 << (1 << len(read))) - 1
    known = _refine(outputs, [1 << w for w in range(num_wires) if w not in read])
    drops: list[Drop] = []
    while (found := _find_quadratic(known, tables, every)) is not None:
        fixed = _refine(points, [*outputs, *(relation.parity for _, relation in drops)])
        parity, relation = found
        direction = next(point for point in fixed if meets(parity, point))
        drops.append((direction, relation))
        known = [*known, parity]
    return drops[::-1]


def _tabulate(read: Sequence[int], num_wires: int, products: Sequence[Product]) -> dict[int, int]:
    """Tabulate inputs and products over all values of the inputs that are read: one bit a value."""
    rows = range(1 << len(read))
    tables = {wire: sum(1 << row for row in rows if row >> k & 1) for k, wire in enumerate(read)}
    for k, (left, right) in enumerate(products):
        one = (1 << len(rows)) - 1
        tables[num_wires + k] = left.value(tables.__getitem__, one) & right.value(tables.__getitem__, one)
    return tables


def _find_quadratic(known: Sequence[int], tables: dict[int, int], every: int) -> tuple[int, Relation] | None:
    """A parity of what is tabulated that is no XOR of known parities but a quadratic function of them."""
    masks = [Parity.of(list_bits(mask)) for mask in known]
    values = [mask.value(tables.__getitem__, every) for mask in masks]
    pairs = list(combinations(range(len(known)), 2))
    terms = [every, *values, *(values[i] & values[j] for i, j in pairs)]
    shift = len(terms) + len(tables)
    basis: list[int] = []
    for place, table in enumerate([*terms, *tables.values()]):
        left = reduce_row(table << shift | 1 << place, basis)
        if left >> shift:
            basis = sorted([*basis, left], reverse=True)
            continue
        parity = sum(1 << wire for k, wire in enumerate(tables) if left >> len(terms) + k & 1)
        if parity and rank([*known, parity]) > rank(known):
            chosen = [masks[k] for k in range(len(known)) if left >> 1 + k & 1]
            product = tuple((masks[i], masks[j]) for k, (i, j) in enumerate(pairs, 1 + len(known)) if left >> k & 1)
            return parity, Relation(product, parity ^ mask_of(Parity.xor_all(chosen)))
    return None


def mask_of(parity: Parity) -> int:
    """The wires of a parity, bit k for wire k."""
    return sum(1 << wire for wire in parity.wires)


def meets(row: int, point: int) -> bool:
    """Whether a parity, as a mask, is 1 at a point."""
    return bool((row & point).bit_count() & 1)


def _refine(points: Sequence[int], rows: Sequence[int]) -> list[int]:
    """A basis of those XORs of points at which every row is 0."""
    left = list(points)
    for row in rows:
        odd = [k for k, point in enumerate(left) if meets(row, point)]
        if odd:
            pivot = left[odd[0]]
            left = [point ^ pivot if k in odd else point for k, point in enumerate(left) if k != odd[0]]
    return left
