"""Conditions: a constraint as flags and factors, before ancillas are given out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from itertools import starmap
from operator import and_, xor
from typing import Any, TypeVar

from gatesolve.circuit import Parity

V = TypeVar("V", bound=Any)
Product = tuple[Parity, Parity]
ZERO = Parity(())
ONE = Parity((), True)


@dataclass(frozen=True)
class Flag:
    """XOR of products, each an AND of two parities, and of one parity; it will live on an ancilla."""

    products: tuple[Product, ...]
    parity: Parity = ZERO

    @property
    def wires(self) -> list[int]:
        """Return the wires that it reads."""
        return [w for side in (self.parity, *(side for pair in self.products for side in pair)) for w in side.wires]


@dataclass(frozen=True)
class Condition:
    """A boolean function as a conjunction: it is 1 where all ``factors`` are 1.

    Wires 0, 1, ... in parities are data qubits; wire ``-1 - j`` is flag j, which
    may be used by later flags and by the factors. The value is right on the
    space's codewords only.

    Attributes:
        flags: computed in order.
        factors: parities ANDed together.
        label: the constraint it stands for.
        method: how it was made, such as ``affine``, ``products``, ``diagram``, ``sum``, ``pairs`` or ``tree``.
        shared: the same condition made of flags that conditions of other constraints can have in common with it: dearer
            alone, cheaper where several of them do.
    """

    flags: tuple[Flag, ...]
    factors: tuple[Parity, ...]
    label: str = ""
    method: str = ""
    shared: Condition | None = field(default=None, compare=False)

    @cached_property
    def qubits(self) -> frozenset[int]:
        """The data qubits it reads."""
        parts: list[Flag | Parity] = [*self.flags, *self.factors]
        return frozenset(wire for part in parts for wire in part.wires if wire >= 0)

    @property
    def num_ands(self) -> int:
        """ANDs to compute the flags and to join the factors into one."""
        return sum(len(flag.products) for flag in self.flags) + max(len(self.factors) - 1, 0)

    @property
    def cost(self) -> int:
        """CX to compute the flags and join the factors into a running AND, once."""
        flags = sum(product_cost(p) for flag in self.flags for p in flag.products)
        parities = sum(len(flag.parity.wires) for flag in self.flags)
        # Each factor joins the running AND by one more AND of 3 CX, after its wires have been gathered on one.
        return flags + parities + sum(3 + max(len(f.wires) - 1, 0) for f in self.factors)

    @property
    def price(self) -> tuple[int, int]:
        """Return the counts by which conditions of one meaning are compared."""
        return self.cost, self.num_ands

    def follow(self, held: Callable[[int], V], one: V, flag: Callable[[list[tuple[V, V]], V], V]) -> list[V]:
        """Return the values of the factors: of bits, arrays or parities, whatever can be XORed.

        ``held`` returns the value of a data wire, and ``one`` is always 1. ``flag`` returns the value of a flag from
        the two sides of each of its products and its own parity.
        """
        flags: list[V] = []

        def read(parity: Parity) -> V:
            # Flag j is wire -1 - j, so its number is again -1 minus the wire.
            values = {wire: held(wire) if wire >= 0 else flags[-1 - wire] for wire in parity.wires}
            return parity.value(values.__getitem__, one)

        for made in self.flags:
            flags.append(flag([(read(left), read(right)) for left, right in made.products], read(made.parity)))
        return [read(factor) for factor in self.factors]

    def place_flags(self, flag: Callable[[list[Product], Parity], Parity]) -> list[Parity]:
        """Return the factors over data wires and wherever ``flag`` puts a flag of some products and a parity."""
        return self.follow(lambda wire: Parity((wire,)), ONE, flag)

    def holds(self, held: Callable[[int], V], one: V) -> V:
        """Return where the condition holds, given the bits of data wires."""
        factors = self.follow(held, one, lambda pairs, parity: reduce(xor, starmap(and_, pairs), parity))
        return reduce(and_, factors, one)

    def pruned(self) -> Condition:
        """Return the condition without flags that nothing reads."""
        needed, todo = set[int](), [wire for factor in self.factors for wire in factor.wires]
        while todo:
            wire = todo.pop()
            if wire < 0 and wire not in needed:
                needed.add(wire)
                todo += self.flags[-1 - wire].wires
        # Flag j is wire -1 - j: from the highest wire down, flags keep their order.
        order = sorted(needed, reverse=True)
        kept = replace(self, flags=tuple(self.flags[-1 - wire] for wire in order))
        return kept.renumbered({old: -1 - k for k, old in enumerate(order)})

    def over(self, wires: Sequence[Parity]) -> Condition:
        """Return the condition with each data wire replaced by a parity; flags keep their numbers."""
        return self._moved(lambda w: wires[w] if w >= 0 else Parity((w,)))

    def shifted(self, by: int) -> Condition:
        """Return the condition with flags numbered from ``by`` on."""
        return self._moved(lambda w: Parity((w if w >= 0 else w - by,)))

    def renumbered(self, names: Mapping[int, int]) -> Condition:
        """Return the condition with the wires in ``names`` renamed."""
        return self._moved(lambda w: Parity((names.get(w, w),)))

    def _moved(self, place: Callable[[int], Parity]) -> Condition:
        def move(parity: Parity) -> Parity:
            return parity.value({wire: place(wire) for wire in parity.wires}.__getitem__, ONE)

        flags = tuple(Flag(tuple((move(a), move(b)) for a, b in f.products), move(f.parity)) for f in self.flags)
        # The shared form has flags of its own, whose wires were not moved.
        return replace(self, flags=flags, factors=tuple(map(move, self.factors)), shared=None)


def product_cost(product: Product) -> int:
    """CX of one logical AND: 3, one more for a further wire of the longer parity, two for the shorter."""
    short, long = sorted(len(p.wires) for p in product)
    return 3 + max(long - 1, 0) + 2 * max(short - 1, 0)
