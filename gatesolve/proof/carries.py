"""Whether a condition on a sum of many bits is right, from the sums and carries of its own adders.

Three bits x, y and z are as many as their XOR and twice their majority ``(x ^ z)(y ^ z) ^ z``. So wherever a flag is
the majority of three bits of a column, or the AND of two, they are replaced by their XOR and by the flag, one column
on: the total stays, and few bits are left. Over these the condition is compared with the sum, all combinations
listed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gatesolve.encodings import Block, Space
from gatesolve.model import Linear
from gatesolve.oracle.condition import Condition
from gatesolve.proof.values import ONE, Value, read_parity

MOST_BITS = 16
"""Bits left over, up to which their combinations are listed."""
Bits = NDArray[np.bool_]


def check_carries(condition: Condition, constraint: Linear, space: Space, blocks: list[int]) -> bool:
    """Whether a condition is a sum's; False also where it is made otherwise, or over values that are no bits."""
    total = _read_total(condition, constraint, space, blocks)
    if total is None:
        return False
    least, most = total.bounds
    held = _add_up(condition, total, space.num_qubits)
    entries = total.list_entries()
    if len(entries) > MOST_BITS:
        return False
    combinations = np.arange(1 << len(entries))
    bits = [(combinations >> k & 1).astype(bool) for k in range(len(entries))]
    known = {value: bit for (value, _), bit in zip(entries, bits, strict=True)}
    found = _evaluate(condition, held, known, np.ones(len(combinations), dtype=bool))
    number = sum((bit * weight for bit, (_, weight) in zip(bits, entries, strict=True)), total.base + 0 * combinations)
    inside = (least <= number) & (number <= most)
    return found is not None and bool((found == constraint.compare(number))[inside].all())


@dataclass
class _Total:
    """``base`` and the sum of all ``columns[c][value] * 2 ** c`` where the value, one without a constant, is 1."""

    base: int
    columns: dict[int, dict[Value, int]]

    @property
    def bounds(self) -> tuple[int, int]:
        """Between what the number is, whatever the values."""
        weights = [weight for _, weight in self.list_entries()]
        return self.base + sum(w for w in weights if w < 0), self.base + sum(w for w in weights if w > 0)

    def list_entries(self) -> list[tuple[Value, int]]:
        """The values and their weights."""
        found = dict[Value, int]()
        for column, entries in self.columns.items():
            for value, number in entries.items():
                found[value] = found.get(value, 0) + (number << column)
        return [(value, weight) for value, weight in found.items() if weight]

    def add(self, column: int, literal: Value, sign: int) -> None:
        """Add a value, which may have a constant, to a column, or take it off."""
        entries = self.columns.setdefault(column, {})
        if literal & ONE:
            self.base += sign << column
            sign = -sign
        if literal > ONE:
            entries[literal & ~ONE] = entries.get(literal & ~ONE, 0) + sign

    def find(self, literals: list[Value]) -> tuple[int, int] | None:
        """A column that has all of some values with one sign, and that sign."""
        for column, entries in self.columns.items():
            signs = [entries.get(one & ~ONE, 0) * (-1 if one & ONE else 1) for one in literals if one > ONE]
            if min(signs) > 0 or max(signs) < 0:
                return column, 1 if min(signs) > 0 else -1
        return None


def _read_total(condition: Condition, constraint: Linear, space: Space, blocks: list[int]) -> _Total | None:
    weights = {name: weight for weight, name in constraint.terms}
    total = _Total(0, {})
    for number in blocks:
        block = space.blocks[number]
        qubits = [qubit for qubit in space.block_qubits(number) if qubit in condition.qubits]
        if block.size != 2 or len(block.variables) != 1 or not qubits:
            return None
        values = _list_by_bit(block, qubits[0] - space.offsets[number])
        if len(values) < 2:
            return None
        zero, one = values[0], values[1]
        weight = weights.get(block.variables[0], 0)
        total.base += weight * zero
        step = weight * (one - zero)
        for column in range(abs(step).bit_length()):
            if abs(step) >> column & 1:
                total.add(column, 2 << qubits[0], 1 if step > 0 else -1)
    return total


def _list_by_bit(block: Block, place: int) -> dict[int, int]:
    """Return the value where a qubit is 0, and where it is 1, of a block of two values; one where it never changes."""
    return {word >> place & 1: row[0] for word, row in zip(block.codewords, block.tuples, strict=True)}


def _add_up(condition: Condition, total: _Total, num_qubits: int) -> dict[int, Value]:
    """Use all adders on a total; what each wire holds, flag j as atom ``num_qubits + j``."""
    held: dict[int, Value] = {qubit: 2 << qubit for qubit in condition.qubits}
    for number, flag in enumerate(condition.flags):
        held[-1 - number] = atom = 2 << num_qubits + number
        if len(flag.products) != 1:
            continue
        first, second = (read_parity(side, held) for side in flag.products[0])
        third = read_parity(flag.parity, held)
        literals = [first ^ third, second ^ third, third]
        found = total.find(literals) if max(literals) > ONE else None
        if found is not None:
            column, sign = found
            for literal in literals:
                total.add(column, literal, -sign)
            total.add(column, first ^ second ^ third, sign)
            total.add(column + 1, atom, sign)
    return held


def _evaluate(condition: Condition, held: Mapping[int, Value], basis: Mapping[Value, Bits], one: Bits) -> Bits | None:
    """The condition where the bits that are left have their values; None if it reads more than these."""
    rows = _Echelon(basis)
    product = one
    for number, flag in enumerate(condition.flags):
        atom = held[-1 - number]
        sides = [rows.read(read_parity(side, held), one) for pair in flag.products for side in pair]
        parity = rows.read(read_parity(flag.parity, held), one)
        if rows.read(atom, one) is None and parity is not None and not any(side is None for side in sides):
            known = [side for side in sides if side is not None]
            for left, right in zip(known[::2], known[1::2], strict=True):
                parity = parity ^ (left & right)
            rows.add(atom, parity)
    for factor in condition.factors:
        value = rows.read(read_parity(factor, held), one)
        if value is None:
            return None
        product = product & value
    return product


class _Echelon:
    """Values whose bits are known, and XORs of them."""

    def __init__(self, known: Mapping[Value, Bits]) -> None:
        self._rows: dict[int, tuple[Value, Bits]] = {}
        for value, bits in known.items():
            self.add(value, bits)

    def add(self, value: Value, bits: Bits) -> None:
        while (row := self._rows.get(value.bit_length())) is not None and value > ONE:
            value, bits = value ^ row[0], bits ^ row[1]
        if value > ONE:
            self._rows[value.bit_length()] = value, bits ^ bool(value & ONE)

    def read(self, value: Value, one: Bits) -> Bits | None:
        bits = one if value & ONE else ~one
        value &= ~ONE
        while value:
            row = self._rows.get(value.bit_length())
            if row is None:
                return None
            value, bits = value ^ (row[0] & ~ONE), bits ^ row[1]
        return bits
