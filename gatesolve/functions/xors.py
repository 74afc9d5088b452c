"""Ways to XOR functions onto targets: exactly, or up to a phase of each input onto targets that are zero.

Wires are the bits, a target for each function, then ancillas.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

from gatesolve.circuit import And, Op, Ops, Parity, PhaseFlip, Xor, independent_parities, inverse
from gatesolve.circuit.ops import make_in_place
from gatesolve.functions.expression import Node
from gatesolve.functions.function import MOST_VARIABLES, Function, bits_of
from gatesolve.functions.methods import PhaseCandidate, best_diagram, make_candidates
from gatesolve.functions.network import join_outputs
from gatesolve.functions.sharing import diagram
from gatesolve.functions.turns import (
    MOST_BITS,
    popcount_ops,
    product_ops,
    walk_ops,
)
from gatesolve.gate_sets import GATE_SETS
from gatesolve.oracle.condition import ZERO, Condition, Flag
from gatesolve.oracle.network import Network, add_columns

Bools = NDArray[np.bool_]
MOST_DIAGRAM = 12
"""Bits of functions for which decision diagrams are made."""


def join_phase(outputs: Sequence[Function]) -> Function:
    """The phase that is an XOR of each function onto its target, between two H on every target."""
    bits = outputs[0].num_bits
    table, tree = np.zeros(1 << bits + len(outputs), dtype=bool), None
    for values, target in zip(outputs, bits_of(bits + len(outputs))[bits:], strict=True):
        table ^= target & np.tile(values.table, 1 << len(outputs))
    trees = [one.tree for one in outputs]
    if len(outputs) == 1 and trees[0] is not None:
        tree = Node("and", (trees[0], Node("var", value=bits)))
    return Function(table, None, (*outputs[0].names, *(f"target{k}" for k in range(len(outputs)))), tree)


def exact_candidates(outputs: Sequence[Function], ancillas: int | None) -> Iterator[PhaseCandidate]:
    """Phases of the joined function: every method, unless it is too wide, and networks that all targets share."""
    if outputs[0].num_bits + len(outputs) <= MOST_VARIABLES:
        yield from make_candidates(join_phase(outputs), ancillas)
    for network in _list_networks(outputs):
        yield from _fitting(network.method, *_Placed(network, outputs[0].num_bits).mark(ancillas), ancillas)


def relative_candidates(outputs: Sequence[Function], ancillas: int | None, gates: str) -> Iterator[PhaseCandidate]:
    """Operations that compute the functions onto targets that are zero, up to a phase of each input."""
    bits, facts = outputs[0].num_bits, GATE_SETS[gates]
    leaves = 4 if facts.has_rotations else 3 if facts.has_t else 2  # of an AND made on its target, up to a phase
    for network in _list_networks(outputs):
        yield from _fitting(network.method, *_Placed(network, bits, leaves).compute(), ancillas)
    if not facts.has_rotations:
        return
    if _counts_up(_list_levels(outputs)):
        yield PhaseCandidate("popcount turns", 0, popcount_ops(bits, len(outputs)))
    if bits <= MOST_BITS:
        walks = [op for k, one in enumerate(outputs) for op in walk_ops(one.table, bits + k)]
        yield PhaseCandidate("turns", 0, tuple(walks))


def _fitting(method: str, ops: Ops, used: int, ancillas: int | None) -> Iterator[PhaseCandidate]:
    if ancillas is None or used <= ancillas:
        yield PhaseCandidate(method, used, ops)


def _list_levels(outputs: Sequence[Function]) -> list[Bools] | None:
    """Return each function's value by how many bits are 1; None where that does not settle one of them."""
    bits, ones = outputs[0].num_bits, np.bitwise_count(np.arange(outputs[0].table.size))
    levels = [one.table[(1 << np.arange(bits + 1)) - 1] for one in outputs]
    return (
        levels if all(np.array_equal(f.table, level[ones]) for f, level in zip(outputs, levels, strict=True)) else None
    )


def _counts_up(levels: Sequence[Bools] | None) -> bool:
    """Whether functions are the lowest digits of the popcount, two or more."""
    return (
        levels is not None
        and len(levels) > 1
        and all(np.array_equal(level, np.arange(len(level)) >> k & 1) for k, level in enumerate(levels))
    )


def _list_networks(outputs: Sequence[Function]) -> Iterator[Condition]:
    """The functions as factors of ANDs: as they were written, by the digits of a popcount, as decision diagrams."""
    trees = [one.tree for one in outputs if one.tree is not None]
    if len(trees) == len(outputs):
        yield join_outputs(trees)
    bits, levels = outputs[0].num_bits, _list_levels(outputs)
    column = [Parity((bit,)) for bit in range(bits)]
    if levels is not None:
        parts = [_read_digits(level, bits.bit_length()) for level in levels]
        for copies, keeps in product((False, True), repeat=2):
            network = Network(copies)
            sums = add_columns(network, {0: column}, 0, bits.bit_length())
            digits = [network.keep(one) for one in sums] if keeps else sums
            yield _join_conditions("adders", parts, digits, network.flags)
    if bits <= MOST_DIAGRAM:
        made = [best_diagram(one.table) for one in outputs]
        if None not in made:
            yield _join_conditions("diagram", [one[0] for one in made if one is not None], column)


def _read_digits(level: Bools, width: int) -> Condition:
    """A function of a number by its digits; of numbers that do not occur the cheapest that was found."""
    numbers = np.arange(1 << width)
    fills = [numbers < 0, numbers >= 0, *(numbers >> k & 1 == 1 for k in range(width))]
    tables = [np.where(numbers < len(level), level[np.minimum(numbers, len(level) - 1)], fill) for fill in fills]
    found = [one for one in (diagram(table, range(width)) for table in tables) if one is not None]
    return min(found, key=lambda one: one.num_ands)


def _join_conditions(
    method: str, parts: Sequence[Condition], wires: Sequence[Parity], before: Sequence[Flag] = ()
) -> Condition:
    """The factors of all parts, their data wires replaced by parities of bits and of the flags before."""
    flags, factors = list(before), list[Parity]()
    for part in parts:
        moved = part.shifted(len(flags)).over(wires)
        flags += moved.flags
        factors += moved.factors
    return Condition(tuple(flags), tuple(factors), method=method)


class _Placed:
    """A network with its flags on wires: on ancillas, or where only one target reads it, on none."""

    def __init__(self, network: Condition, num_bits: int, most: int = 1 << 30) -> None:
        network = network.pruned()
        self.network, self.num_bits, self.most = network, num_bits, most
        reads = [wire for flag in network.flags for wire in flag.wires] + [w for f in network.factors for w in f.wires]
        self.once = {wire for wire, times in Counter(reads).items() if wire < 0 and times == 1}
        own = [wire for factor in network.factors for wire in factor.wires if wire in self.once]
        # For each flag of a target's own the factors of its product, or its products.
        self.products = {wire: self._open(wire) for wire in own}
        opened = set(own).union(*(hidden for _, hidden in self.products.values()))
        self.left = [-1 - k for k in range(len(network.flags)) if -1 - k not in opened]

    def _open(self, wire: int) -> tuple[list[list[Parity]], set[int]]:
        """The products of a flag, a single one with more factors where these are flags that nothing else reads."""
        flag, hidden = self.network.flags[-1 - wire], set[int]()
        products = [list(product) for product in flag.products]
        todo = list(products[0]) if len(products) == 1 else []
        while todo and len(products[0]) < self.most:
            factor = todo.pop(0)
            inner = factor.wires[0] if factor.wires else 0
            if factor != Parity((inner,)) or inner not in self.once:
                continue
            below = self.network.flags[-1 - inner]
            if len(below.products) == 1 and below.parity == ZERO:
                hidden.add(inner)
                place = products[0].index(factor)
                products[0][place : place + 1] = below.products[0]
                todo += below.products[0]
        return products, hidden

    def mark(self, ancillas: int | None) -> tuple[Ops, int]:
        """The phase of all targets, exactly; and how many ancillas."""
        wires = {wire: self._first + k for k, wire in enumerate(self.left)}
        longest = max((len(p) for products, _ in self.products.values() for p in products), default=0)
        wanted = max(longest - 2, 0)
        lent = wanted if ancillas is None else max(min(wanted, ancillas - len(wires)), 0)
        clean = tuple(range(self._first + len(wires), self._first + len(wires) + lent))
        compute = [op for wire in self.left for op in self._load(wire, wires)]
        phases = list[Op]()
        for target, factor in enumerate(self.network.factors, self.num_bits):
            products, rest = self._split(factor, wires)
            phases += [PhaseFlip((*product, Parity((target,))), clean) for product in products]
            phases += [PhaseFlip((rest, Parity((target,))))] if rest != ZERO else []
        return (*compute, *phases, *inverse(compute)), len(wires) + lent

    def compute(self) -> tuple[Ops, int]:
        """The values of all targets, which are zero before, up to phases; and how many ancillas."""
        factors = self.network.factors
        kept = {f.wires[0]: self.num_bits + place for place, f in enumerate(factors) if len(f.wires) == 1}
        wires = {wire: kept[wire] for wire in self.left if wire in kept}
        free = [wire for wire in self.left if wire not in kept]
        wires |= {wire: self._first + k for k, wire in enumerate(free)}
        parts = {wire: self._load(wire, wires) for wire in self.left}
        ops, signs = [op for part in parts.values() for op in part], list[Op]()
        for target, factor in enumerate(factors, self.num_bits):
            if factor.wires and wires.get(factor.wires[0]) == target:  # others may read it as it is
                signs += [Xor(Parity((), True), target)] if factor.constant else []
                continue
            products, rest = self._split(factor, wires)
            ops += [op for product in products for op in _conjoin(product, target)]
            ops += [Xor(rest, target)] if rest != ZERO else []
        undone = inverse(op for wire in free for op in parts[wire])
        return (*ops, *undone, *signs), len(free)

    @property
    def _first(self) -> int:
        """The first ancilla."""
        return self.num_bits + len(self.network.factors)

    def _load(self, wire: int, wires: dict[int, int]) -> list[Op]:
        flag, target = self.network.flags[-1 - wire], wires[wire]
        ops = [op for pair in flag.products for op in _conjoin([_moved(side, wires) for side in pair], target)]
        return [*ops, *([] if flag.parity == ZERO else [Xor(_moved(flag.parity, wires), target)])]

    def _split(self, factor: Parity, wires: dict[int, int]) -> tuple[list[list[Parity]], Parity]:
        """The products that are made on the target, and a parity of wires beside them."""
        own = [wire for wire in factor.wires if wire in self.products]
        beside = [self.network.flags[-1 - wire].parity for wire in own]
        rest = Parity.xor_all([factor, *(Parity((wire,)) for wire in own), *beside])
        products = [product for wire in own for product in self.products[wire][0]]
        return [[_moved(one, wires) for one in product] for product in products], _moved(rest, wires)


def _moved(parity: Parity, wires: dict[int, int]) -> Parity:
    return parity.renamed({wire: wires.get(wire, wire) for wire in parity.wires})


def _conjoin(product: Sequence[Parity], target: int) -> list[Op]:
    """An AND of two to four parities onto the target, up to a phase."""
    if len(product) > 2:
        single = independent_parities(tuple(product))
        if single is None:
            return []
        if len(single) > 2:
            make = make_in_place(single)
            return [*make, *product_ops([one.wires[0] for one in single], target), *reversed(make)]
        product = single
    if len(product) == 1:
        return [Xor(product[0], target)]
    right, left = sorted(product, key=lambda one: len(one.wires))
    return [And(left, right, target)]
