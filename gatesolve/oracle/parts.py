"""Parts of an oracle's conditions: flags, each once however many read it, and factors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from gatesolve.circuit import Parity
from gatesolve.circuit.gf2 import reduce_row
from gatesolve.oracle.condition import ONE, ZERO, Condition, Flag, Product, product_cost

Key: TypeAlias = tuple[frozenset[tuple[frozenset[Parity], int]], Parity]
"""What a flag is the XOR of: products, each of two parities in any order and how often it is there, and a parity."""


@dataclass(frozen=True)
class ConditionParts:
    """Flags and factors over data qubits 0 ... ``num_data`` - 1; wire ``num_data`` + j is flag j.

    A flag reads earlier ones only. Each condition is complete and literal, even if others read its flags.

    Attributes:
        num_data: qubits of the space.
        flags: every flag once, in an order in which they can be computed.
        factors: for each condition the parities that are ANDed together.
        absorbing: whether the complement of a flag is cheapest ANDed to something else (`AndNot`).
    """

    num_data: int
    flags: tuple[Flag, ...]
    factors: tuple[tuple[Parity, ...], ...]
    absorbing: bool = False

    def find_cone(self, parities: Iterable[Parity]) -> frozenset[int]:
        """The flags that parities need, by number: those they read, what these read, and so on."""
        return frozenset[int]().union(*(self._cones[number] for p in parities for number in self.list_flags(p.wires)))

    def list_flags(self, wires: Iterable[int]) -> frozenset[int]:
        """The flags among wires, by number."""
        return frozenset(wire - self.num_data for wire in wires if wire >= self.num_data)

    def cost(self, numbers: Iterable[int]) -> int:
        """CX of computing flags once."""
        flags = [self.flags[number] for number in numbers]
        return sum(len(f.parity.wires) + sum(map(product_cost, f.products)) for f in flags)

    @cached_property
    def reads(self) -> list[frozenset[int]]:
        """For each flag those that it reads."""
        return [self.list_flags(flag.wires) for flag in self.flags]

    @cached_property
    def _cones(self) -> list[frozenset[int]]:
        cones = list[frozenset[int]]()
        for number, read in enumerate(self.reads):
            # A flag reads earlier ones only, so their cones are complete.
            cones.append(frozenset({number}).union(*(cones[other] for other in read)))
        return cones

    @cached_property
    def num_ands(self) -> list[int]:
        """For each flag the ANDs of it and all that it needs."""
        return [sum(len(self.flags[number].products) for number in cone) for cone in self._cones]


def gather_parts(conditions: Sequence[Condition], num_data: int, absorbing: bool = False) -> ConditionParts:
    """Gather the parts of conditions: a flag that several have in common is there once."""
    numbers, flags, factors = dict[Key, int](), list[Flag](), list[tuple[Parity, ...]]()

    def put(pairs: list[Product], own: Parity) -> Parity:
        # Products are compared as multisets of sets: neither their order nor that of their sides changes the flag.
        key = frozenset(Counter(map(frozenset, pairs)).items()), own
        if key not in numbers:
            numbers[key] = num_data + len(flags)
            flags.append(Flag(tuple(pairs), own))
        return Parity((numbers[key],))

    for condition in conditions:
        factors.append(tuple(condition.place_flags(put)))
    return ConditionParts(num_data, tuple(flags), tuple(factors), absorbing)


def list_distinct(factors: Sequence[Parity]) -> list[Parity]:
    """Each factor once, none that is always 1; one that is always 0 stays and makes the phase vanish."""
    return [f for f in dict.fromkeys(factors) if f != ONE]


def lighten(factors: Sequence[Parity]) -> list[Parity]:
    """Drop factors that follow from others, and XOR each with another where that leaves fewer wires."""
    # A row is an equation: its wires above bit 0, which is their sum.
    span, rows = list[int](), dict[int, int]()
    for place, factor in sorted(enumerate(factors), key=lambda one: len(one[1].wires)):
        row = sum(2 << wire for wire in factor.wires) | (not factor.constant)
        left = reduce_row(row, span)
        # Only the constant is left: two factors contradict each other, and the conjunction is never 1.
        if left == 1:
            return [ZERO]
        if left:
            span.append(left)
            rows[place] = row
    # All factors are 1 where the condition holds, so to XOR in the complement of one changes nothing there.
    lighter = True
    while lighter:
        lighter = False
        for place, row in rows.items():
            best = min((row ^ other for other in rows.values() if other != row), key=_weigh, default=row)
            if _weigh(best) < _weigh(row):
                rows[place], lighter = best, True
    wires = {place: tuple(w for w in range(row.bit_length() - 1) if row >> w & 2) for place, row in rows.items()}
    return [Parity(wires[place], not rows[place] & 1) for place in sorted(rows)]


def _weigh(row: int) -> int:
    # Bit 0 is the constant, which takes no wire.
    return (row >> 1).bit_count()
