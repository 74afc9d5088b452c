"""Reversible functions in place: a Toffoli gate for each product of a statement, the rest by CX and measurement.

The wires hold functions of the inputs. One Toffoli gate adds a product on a zeroed wire. A wire can be freed without a
Toffoli gate if its value is a quadratic function of the other wires. It is measured in the X basis, and on outcome 1,
CZ and Z remove the phase that each state gained. So a function takes as many Toffoli gates as its statement has
products, and no second copy of them has to be undone.

A point is an assignment to all variables, inputs and products, as bits of an integer. A parity is a mask of variables.
A direction can be freed if it changes no wanted parity, but at every point changes some parity that is a quadratic
function of unchanged parities.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from qiskit import QuantumCircuit
from qiskit.circuit import ClassicalRegister

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
    # One dimension per point; as many as there are independent outputs must be left.
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
        # Each direction uses up a relation, so too few of them are a dead end.
        if len(kept) + 1 < number or next(budget, None) is None:
            return None
        # The direction must not change later relations, and adding the used one takes the change away.
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
        # Nothing else is lost by this direction, so it is as good as any and is yielded at once.
        if len(drop[1]) == len(others):
            yield drop[0], relation, drop[1]
        else:
            found.append((drop[0], relation, drop[1]))
    yield from sorted(found, key=lambda one: -len(one[2]))


def _find_direction(
    points: Sequence[int], relation: Relation, others: Sequence[Relation]
) -> tuple[int, list[Relation]] | None:
    """Return a direction that changes a relation but none of its factors, and few other relations."""
    left = _refine(points, relation.sides)
    if not any(meets(relation.parity, point) for point in left):
        return None
    kept = []
    for other in others:
        # Another relation stays of use if its factors do not change along the direction.
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
    rows = range(1 << len(read))
    every = (1 << len(rows)) - 1
    # Inputs and products over all values of the inputs that are read: one bit a value.
    tables = {wire: sum(1 << row for row in rows if row >> k & 1) for k, wire in enumerate(read)}
    for k, (left, right) in enumerate(products):
        tables[num_wires + k] = left.value(tables.__getitem__, every) & right.value(tables.__getitem__, every)
    known = _refine(outputs, [1 << w for w in range(num_wires) if w not in read])
    drops: list[Drop] = []
    while (found := _find_quadratic(known, tables, every)) is not None:
        fixed = _refine(points, [*outputs, *(relation.parity for _, relation in drops)])
        parity, relation = found
        direction = next(point for point in fixed if meets(parity, point))
        drops.append((direction, relation))
        known = [*known, parity]
    # Found from the outputs backwards, but erased forwards.
    return drops[::-1]


def _find_quadratic(known: Sequence[int], tables: dict[int, int], every: int) -> tuple[int, Relation] | None:
    """A parity of what is tabulated that is no XOR of known parities but a quadratic function of them."""
    masks = [Parity.of(list_bits(mask)) for mask in known]
    values = [mask.value(tables.__getitem__, every) for mask in masks]
    pairs = list(combinations(range(len(known)), 2))
    terms = [every, *values, *(values[i] & values[j] for i, j in pairs)]
    shift = len(terms) + len(tables)
    basis: list[int] = []
    for place, table in enumerate([*terms, *tables.values()]):
        # The table is above one bit per term, so reducing it records which terms add up to zero.
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


def compute_in_place(
    num_wires: int, products: Iterable[Product], outputs: Iterable[Parity], zeros: Iterable[int] = ()
) -> QuantumCircuit:
    """A circuit that turns inputs into outputs, each output on the wire of its number.

    In a parity, 0 ... ``num_wires`` - 1 are what the wires hold at the start; ``num_wires + k`` is the k-th product,
    which later products and the outputs may read.

    Args:
        num_wires: wires of the function.
        products: two parities each.
        outputs: one for each wire.
        zeros: wires that hold zero at the start, which no parity reads.

    Returns:
        A circuit of X, H, Z, CX, CZ, CCX, measurement and gates that depend on outcomes, over the wires and one
        further qubit a product, zero before and after. Exact whatever the inputs and the outcomes, up to a sign
        that depends on the outcomes alone; each outcome has probability one half and tells nothing of the inputs.

    Raises:
        InputError: not one output for each wire, a product that is not two parities, a zero that is no wire, a
            product or output that reads what is not there yet, or no order to erase in was found: the outputs have
            to tell all inputs apart, and some ways to state a function have none. Toffoli gates one after the other
            always have one.

    Cost: a CCX for each product; seconds for 100 products, half a minute for 200. Source of the erasure: Gidney,
    arXiv:1709.06648, section II.
    """
    products, outputs, zeros = list(products), list(outputs), set(zeros)
    sides = [*(side for pair in products for side in pair), *outputs]
    if any(len(tuple(pair)) != 2 for pair in products) or not all(isinstance(side, Parity) for side in sides):
        raise InputError("products are pairs of Parity, outputs are Parity: write wire 0 as Parity((0,))")
    if not all(0 <= wire < num_wires for wire in zeros):
        raise InputError(f"zeros are wires from 0 to {num_wires - 1}, not {sorted(zeros)}")
    if len(outputs) != num_wires:
        raise InputError(f"{len(outputs)} outputs for {num_wires} wires; give one for each")
    readers = [(k, side) for k, pair in enumerate(products) for side in pair]
    for place, parity in [*readers, *((len(products), out) for out in outputs)]:
        if any(not 0 <= wire < num_wires + place or wire in zeros for wire in parity.wires):
            raise InputError(f"{parity} reads a wire at zero or a product that is not there yet; leave it out")
    writer = _InPlaceWriter(num_wires, len(products), zeros)
    for place, (left, right) in enumerate(products):
        writer.multiply(left, right, num_wires + place)
    erasure = _Erasure(writer)
    for drop in plan_drops(num_wires, products, [mask_of(out) for out in outputs], list(erasure.axes.values())):
        erasure.drop(*drop)
    writer.arrange(outputs)
    return writer.circuit


class _InPlaceWriter:
    """The circuit so far; ``held[w]`` has bit v where the wire's parity has variable v, wires at zero left out."""

    def __init__(self, num_wires: int, num_products: int, zeros: Collection[int]) -> None:
        width = num_wires + num_products
        self.circuit = QuantumCircuit(width)
        self.held = {wire: 1 << wire for wire in range(width) if wire not in zeros}
        self.erased, self.times = ClassicalRegister(num_products, "erased"), 0
        if num_products:
            self.circuit.add_register(self.erased)

    def multiply(self, left: Parity, right: Parity, target: int) -> None:
        """CCX of two parities, each made on one of its wires for the time of the gate."""
        # ``left`` is made on a wire that ``right`` does not read, else making it would change the other factor.
        if not set(left.wires) - set(right.wires):
            left, right = right, left
        own = next((wire for wire in left.wires if wire not in right.wires), None)
        other = next((wire for wire in right.wires if wire != own), None)
        if own is None or other is None:
            raise InputError("a product of a constant, or of a parity with itself, is a parity; write it as one")
        make = [(wire, own) for wire in left.wires if wire != own]
        make += [(wire, other) for wire in right.wires if wire != other]
        turned = [wire for wire, side in ((own, left), (other, right)) if side.constant]
        for source, goal in make:
            self.circuit.cx(source, goal)
        for wire in turned:
            self.circuit.x(wire)
        self.circuit.ccx(own, other, target)
        for wire in turned:
            self.circuit.x(wire)
        for source, goal in reversed(make):
            self.circuit.cx(source, goal)

    def add(self, source: int, target: int) -> None:
        self.circuit.cx(source, target)
        self.held[target] = self.held.get(target, 0) ^ self.held[source]

    def erase(self, wire: int, terms: Sequence[tuple[int, ...]]) -> None:
        """Measure a wire that holds the XOR of other wires and of products of two of them; it is zero then."""
        bit = self.erased[self.times]
        self.times += 1
        del self.held[wire]
        self.circuit.h(wire)
        # In the X basis the outcome is random whatever the value, so it reveals nothing of the inputs.
        self.circuit.measure(wire, bit)
        with self.circuit.if_test((bit, 1)):
            self.circuit.x(wire)
            for term in terms:
                (self.circuit.cz if len(term) == 2 else self.circuit.z)(*term)

    def arrange(self, outputs: Sequence[Parity]) -> None:
        """CX and X that put each output on its wire, given independent wires that span them."""
        rows, basis, places = [mask_of(out) for out in outputs], list[int](), list[int]()
        for place, row in enumerate(rows):
            if left := reduce_row(row, basis):
                basis = sorted([*basis, left], reverse=True)
                places.append(place)
        empty = [place for place in places if place not in self.held]
        for wire in [wire for wire in self.held if wire not in places]:
            goal = empty.pop()
            # Two CX move a value onto a wire that holds zero.
            self.add(wire, goal)
            self.add(goal, wire)
            del self.held[wire]
        for done, place in enumerate(places):
            uses = self._express(rows[place])
            # The output does not contain what its wire holds, so two CX bring in a later wire that it does contain.
            if place not in uses:
                later = next(wire for wire in places[done:] if wire in uses)
                self.add(later, place)
                self.add(place, later)
                uses = self._express(rows[place])
            for wire in uses - {place}:
                self.add(wire, place)
        for place in set(range(len(rows))) - set(places):
            for wire in self._express(rows[place]):
                self.circuit.cx(wire, place)
        for place, out in enumerate(outputs):
            if out.constant:
                self.circuit.x(place)

    def _express(self, row: int) -> set[int]:
        """The wires whose XOR is the row."""
        shift = self.circuit.num_qubits
        basis: list[int] = []
        for wire, held in self.held.items():
            basis = sorted([*basis, reduce_row(held << shift | 1 << wire, basis)], reverse=True)
        return set(list_bits(reduce_row(row << shift, basis)))


class _Erasure:
    """Gives up wires, as planned, until those left span the outputs."""

    def __init__(self, writer: _InPlaceWriter) -> None:
        self.writer = writer
        self.axes = {wire: 1 << wire for wire in writer.held}
        """For each wire a point at which it alone holds 1."""

    def drop(self, direction: int, relation: Relation) -> None:
        """Erase the last wire that changes along the direction."""
        *moved, wire = [one for one, held in self.writer.held.items() if meets(held, direction)]
        for other in moved:
            self.writer.add(wire, other)
        del self.axes[wire]
        # The relation in what the other wires hold: x x is x, and a factor's constant leaves the other factor.
        terms: Counter[tuple[int, ...]] = Counter((one,) for one in self._find_wires(relation.parity))
        for left, right in relation.products:
            first, second = self._find_wires(mask_of(left)), self._find_wires(mask_of(right))
            terms.update(tuple(sorted({a, b})) for a in first for b in second)
            terms.update((one,) for one in (first if right.constant else []) + (second if left.constant else []))
        # Terms that occur an even number of times cancel.
        self.writer.erase(wire, sorted(term for term, times in terms.items() if times & 1))

    def _find_wires(self, row: int) -> list[int]:
        return [wire for wire, axis in self.axes.items() if meets(axis, row)]
