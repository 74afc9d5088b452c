"""Parities of wires, and conjunctions of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import xor
from typing import Any, TypeVar

V = TypeVar("V", bound=Any)


@dataclass(frozen=True, slots=True, order=True)
class Parity:
    """XOR of some wires and a constant: ``constant ^ wires[0] ^ wires[1] ^ ...``.

    ``wires`` is sorted and without repeats. An empty ``wires`` is the constant itself.
    """

    wires: tuple[int, ...]
    constant: bool = False

    @staticmethod
    def of(wires: Iterable[int], constant: bool = False) -> Parity:
        """Return the parity of ``wires``; a wire given twice cancels."""
        kept: set[int] = set()
        for wire in wires:
            kept ^= {wire}
        return Parity(tuple(sorted(kept)), bool(constant))

    @staticmethod
    def xor_all(parities: Iterable[Parity]) -> Parity:
        """Return the XOR of all parities."""
        return reduce(xor, parities, Parity(()))

    def __xor__(self, other: Parity) -> Parity:
        return Parity.of((*self.wires, *other.wires), self.constant ^ other.constant)

    def negated(self) -> Parity:
        """Return the complement."""
        return Parity(self.wires, not self.constant)

    def renamed(self, wires: dict[int, int] | Sequence[int]) -> Parity:
        """Return the parity with each wire ``w`` replaced by ``wires[w]``."""
        return Parity.of((wires[w] for w in self.wires), self.constant)

    def value(self, held: Callable[[int], V], one: V) -> V:
        """Return the XOR of the wires' values, and of ``one`` for the constant: bits, words, arrays or parities."""
        total: V = one if self.constant else one ^ one
        for wire in self.wires:
            total = total ^ held(wire)
        return total


def independent_parities(factors: tuple[Parity, ...]) -> list[Parity] | None:
    """Return an equal conjunction in which each parity's first wire is in no other; None if it is never 1.

    Each parity can therefore be made in place on its first wire.
    """
    result: list[Parity] = []
    for factor in factors:
        for kept in result:
            if kept.wires[0] in factor.wires:
                # A conjunction only matters where kept is 1, and there its complement is 0.
                factor = factor ^ kept.negated()
        if not factor.wires:
            if not factor.constant:
                return None
            continue
        for k, kept in enumerate(result):
            if factor.wires[0] in kept.wires:
                # Earlier parities must not contain the new first wire, either.
                first, joined = kept.wires[0], kept ^ factor.negated()
                # Its first wire stays in front, although parities are sorted otherwise.
                result[k] = Parity((first, *(w for w in joined.wires if w != first)), joined.constant)
        result.append(factor)
    return result
