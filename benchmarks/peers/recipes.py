"""What a skilled user of a gate library writes for a constraint: reversible arithmetic with ancillas for the asking.

A recipe is a list of steps that the scripts steps_*.py play with their own library: X, CX, and the AND of two wires
onto a clean ancilla. All of them are undone after the phase, so an AND may turn phases on the way (Margolus' gate,
Gidney's temporary AND: 3 CX and 4 T). Sums are columns of full adders (Vedral, Barenco and Ekert, quant-ph/9511018,
with the majority as one AND), comparisons a carry chain; variables that differ are XORed in place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

Step = tuple[str, tuple[int, ...]]
Bit = int | bool
"""A wire, or a constant."""
Register = list[Bit]
"""Bits of a number, the lowest first."""


@dataclass
class Recipe:
    """Steps that compute flags; the phase is turned where all flags are 1, and the steps are undone.

    Attributes:
        data: qubits of the space, in front; ancillas follow.
        width: all qubits used so far.
        steps: ``x``, ``cx`` and ``and`` with their wires, the target last.
        flags: wires that must all be 1.
    """

    data: int
    width: int = 0
    steps: list[Step] = field(default_factory=list)
    flags: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        """No ancilla yet."""
        self.width = self.data

    def fresh(self) -> int:
        """A clean ancilla."""
        self.width += 1
        return self.width - 1

    def flip(self, wires: Iterable[int]) -> None:
        """X on each."""
        self.steps += [("x", (wire,)) for wire in wires]

    def xor(self, source: int, target: int) -> None:
        """CX."""
        self.steps.append(("cx", (source, target)))

    def both(self, first: int, second: int) -> int:
        """AND of two wires."""
        self.steps.append(("and", (first, second, target := self.fresh())))
        return target

    def either(self, first: int, second: int) -> int:
        """OR of two wires."""
        self.flip((first, second))
        found = self.both(first, second)
        self.flip((first, second, found))
        return found

    def all_of(self, wires: Sequence[int]) -> int:
        """AND of wires, in a tree."""
        left = list(wires)
        while len(left) > 1:
            left = [*left[2:], self.both(left[0], left[1])]
        return left[0]

    def is_constant(self, register: Sequence[int], number: int) -> int:
        """Whether a register holds a number."""
        zeros = [wire for k, wire in enumerate(register) if not number >> k & 1]
        self.flip(zeros)
        found = self.all_of(register) if len(register) > 1 else self._copy(register[0])
        self.flip(zeros)
        return found

    def _copy(self, wire: int) -> int:
        self.xor(wire, target := self.fresh())
        return target

    def require(self, *flags: int) -> None:
        """Each must be 1."""
        self.flags += flags

    def refuse(self, flag: int) -> None:
        """It must be 0: an ancilla that nothing else reads."""
        self.flip((flag,))
        self.flags.append(flag)

    def differ(self, first: Sequence[int], second: Sequence[int]) -> None:
        """Two registers must hold different numbers: one XORed onto the other in place."""
        short, long = sorted((first, second), key=len)
        for source, target in zip(short, long, strict=False):
            self.xor(source, target)
        self.refuse(self.is_constant(long, 0))
        for source, target in zip(short, long, strict=False):
            self.xor(source, target)

    def all_differ(self, registers: Sequence[Sequence[int]]) -> None:
        """Every pair."""
        for first, second in combinations(registers, 2):
            self.differ(first, second)

    def decode(self, register: Sequence[int], number: int) -> list[int]:
        """A flag for each of the values 0 to ``number`` - 1, four or more; the register's wires become some of them."""
        low, high, *others = register
        both, none = self.both(low, high), self.fresh()
        self.xor(both, low)
        self.xor(both, high)
        for wire in (both, low, high):
            self.xor(wire, none)
        self.flip((none,))
        flags = [none, low, high, both]
        for bit in others:
            above = min(len(flags), number - len(flags))
            if above == 1:  # the bit is only set in the last value
                self.xor(bit, flags[0])
                flags.append(bit)
                continue
            for value in range(above):
                flags.append(self.both(flags[value], bit))
                self.xor(flags[-1], flags[value])
        return flags

    def permute(self, cells: Sequence[Sequence[int]], values: Iterable[int]) -> None:
        """Each of these values in an odd number of cells: once each, where there are as many cells as values.

        Where no cell may hold any other value, one value less will do.
        """
        for value in values:
            odd = self.fresh()
            for flags in cells:
                self.xor(flags[value], odd)
            self.require(odd)

    def at_most_one(self, flags: Sequence[int]) -> None:
        """No two: each one and the OR of those before it."""
        before, is_own = flags[0], False
        for flag in flags[1:]:
            clash = self.both(before, flag)
            if flag != flags[-1]:
                joined = before if is_own else self._copy(before)
                self.xor(flag, joined)
                self.xor(clash, joined)
                before, is_own = joined, True
            self.refuse(clash)

    def add(self, *numbers: Sequence[Bit], size: int, spare: Iterable[Bit] = ()) -> Register:
        """A new register with the sum modulo 2^size; columns of full adders.

        Numbers stay as they are, but for wires in ``spare``, which nothing reads later.
        """
        own = {bit for bit in spare if not isinstance(bit, bool)}
        columns: list[Register] = [[n[k] for n in numbers if k < len(n)] for k in range(size)]
        total: Register = []
        for k, column in enumerate(columns):
            while sum(bit is not False for bit in column) > 1:
                left = sorted((bit for bit in column if bit is not False), key=lambda bit: bit is True)
                bits, rest = (left[-3:], left[:-3]) if left[-1] is True else (left[:3], left[3:])
                one, carry = self._full_adder(bits, k + 1 < size, own)
                column = [*rest, one]
                own |= {bit for bit in (one, carry) if not isinstance(bit, bool) and bit not in bits}
                if k + 1 < size:
                    columns[k + 1].append(carry)
            total += [bit for bit in column if bit is not False] or [False]
        return total

    def _full_adder(self, bits: Register, carries: bool, own: set[int]) -> tuple[Bit, Bit]:
        """Sum and carry of two or three bits."""
        ones = sum(bit is True for bit in bits)
        wires = [bit for bit in bits if bit is not True]
        if len(wires) == 3:
            return self._three(wires, carries, own)
        if len(wires) < 2:
            found = [*wires, *[False] * (1 - len(wires))][0]
            return (found, True) if ones == 2 else (self._inverted(found), found)
        carry: Bit = False
        if carries:
            carry = self.either(*wires) if ones else self.both(*wires)
        one = self._copy(wires[0])
        self.xor(wires[1], one)
        if ones:
            self.flip((one,))
        return one, carry

    def _inverted(self, wire: int) -> int:
        found = self._copy(wire)
        self.flip((found,))
        return found

    def _three(self, wires: Sequence[int], carries: bool, own: set[int]) -> tuple[int, Bit]:
        """The sum replaces one of the three, if that is a carry or partial sum."""
        first, pivot, last = sorted(wires, key=lambda wire: wire in own)
        carry: Bit = False
        if carries:
            carry = self.majority(first, last, pivot, restore=last not in own)
        if last not in own:
            one = self._copy(first)
            self.xor(pivot, one)
            self.xor(last, one)
            return one, carry
        if not carries:
            self.xor(pivot, last)
        self.xor(first, last)
        return last, carry

    def majority(self, first: int, last: int, pivot: int, *, restore: bool = True) -> int:
        """The majority of three; without ``restore``, the last one keeps its XOR with the pivot."""
        self.xor(pivot, first)
        self.xor(pivot, last)
        found = self.both(first, last)
        self.xor(pivot, found)
        self.xor(pivot, first)
        if restore:
            self.xor(pivot, last)
        return found

    def carry(self, first: Sequence[Bit], second: Sequence[Bit]) -> Bit:
        """The carry out of a sum of two numbers of one size; the registers stay as they are."""
        found: Bit = False
        for bits in zip(first, second, strict=True):
            column = [bit for bit in (*bits, found) if bit is not False]
            ones = sum(bit is True for bit in column)
            wires = [bit for bit in column if bit is not True]
            if len(wires) == 3:
                found = self.majority(wires[0], wires[1], wires[2])
            elif len(wires) == 2:
                found = self.either(*wires) if ones else self.both(*wires)
            else:
                found = ones == 2 or (ones == 1 and bool(wires) and wires[0])
        return found

    def above(self, first: Sequence[int], second: Sequence[int]) -> int:
        """Whether the first number is greater: the carry of it and the other's complement."""
        size = max(len(first), len(second))
        self.flip(second)
        padded = [*second, *[True] * (size - len(second))]
        found = self.carry([*first, *[False] * (size - len(first))], padded)
        self.flip(second)
        return self._flag(found)

    def above_constant(self, register: Sequence[Bit], bound: int) -> int:
        """Whether a number is greater than ``bound``, which is less than the register can hold."""
        return self._flag(self.carry(register, bits_of((1 << len(register)) - 1 - bound, len(register))))

    def _flag(self, bit: Bit) -> int:
        """A wire that may be flipped: a copy, if it is one of the data."""
        if isinstance(bit, bool):
            raise ValueError("a comparison that always ends the same way is no constraint")
        return self._copy(bit) if bit < self.data else bit

    def conjoined(self) -> list[int]:
        """ANDs the flags until two are left (or one), the wires of the phase."""
        left = self.flags
        while len(left) > 2:
            left = [*left[2:], self.both(left[0], left[1])]
        return left

    def run(self, bits: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Which basis states of the data, one a column, have all flags set."""
        wires = np.zeros((self.width, bits.shape[1]), dtype=bool)
        wires[: len(bits)] = bits
        for _, (*sources, target) in self.steps:
            wires[target] ^= np.logical_and.reduce(wires[sources], axis=0) if sources else True
        return np.asarray(wires[self.flags].all(axis=0))


def bits_of(number: int, size: int) -> Register:
    """A constant as a register."""
    return [bool(number >> k & 1) for k in range(size)]
