"""Value numbering of qubits: XORs of inputs and of ANDs, equal ANDs being one.

A value is a whole number: bit 0 is a constant, bit 1 + a stands for atom a. Atoms are the inputs, then the ANDs in the
order they were met, each of two values. Two values that are the same number are the same function.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from gatesolve.circuit import And, AndNot, Gate, Mcx, Mux, Op, Parity, PhaseFlip, Xor
from gatesolve.circuit.gf2 import list_bits
from gatesolve.errors import UnsupportedError

Value = int
ONE: Value = 1
Factors = tuple[Value, ...]


class Values:
    """The ANDs met so far, by number, with the sides of each; atoms below ``num_inputs`` are no ANDs.

    An AND of an XOR with one of the inputs ``spread``, which stand alone in ANDs, is taken as an XOR of ANDs.
    """

    def __init__(self, num_inputs: int, spread: Value = 0) -> None:
        self.num_inputs = num_inputs
        self.spread = spread
        self.sides: list[tuple[Value, Value]] = []
        self._atoms: dict[tuple[Value, Value], Value] = {}

    def input(self, number: int) -> Value:
        """The value of an input."""
        # Bit 0 is the constant 1, bit k + 1 the atom k: an XOR of values is an XOR of integers.
        return 2 << number

    def conjoin(self, left: Value, right: Value) -> Value:
        """The AND of two values."""
        if (left | right) & self.spread:
            return self._conjoin_spread(left, right)
        return self._conjoin(left, right)

    def _conjoin_spread(self, left: Value, right: Value) -> Value:
        # A borrowed qubit may hold anything, so each product with it has to cancel by itself.
        product = 0
        for first in self._split(left):
            for second in self._split(right):
                product ^= self._conjoin(first, second)
        return product

    def _split(self, value: Value) -> list[Value]:
        return [*(1 << bit for bit in list_bits(value & self.spread)), value & ~self.spread]

    def _conjoin(self, left: Value, right: Value) -> Value:
        if left > right:
            left, right = right, left
        if left <= 1:
            return right if left else 0
        if left == right:
            return left
        # A value and its complement.
        if left ^ right == 1:
            return 0
        if (left, right) not in self._atoms:
            # The same two sides get the same atom again, so equal computations give equal values.
            self._atoms[left, right] = 2 << self.num_inputs + len(self.sides)
            self.sides.append((left, right))
        return self._atoms[left, right]

    def conjoin_all(self, values: Iterable[Value]) -> Value:
        """Return the AND of all of them, in any order."""
        # Sorted, so that the same values make the same atoms.
        product = ONE
        for value in sorted(set(values)):
            product = self.conjoin(product, value)
        return product

    def open(self, value: Value) -> tuple[Value, Value] | None:
        """Return the sides of a value that is one AND; None for any other."""
        number = value.bit_length() - 2 - self.num_inputs
        # Only a value of this single atom, without others and without the constant, is an AND.
        return self.sides[number] if number >= 0 and value == 2 << self.num_inputs + number else None

    def evaluate(self, factors: Iterable[Value], inputs: Iterable[bool]) -> bool:
        """Whether all of some values are 1, given the inputs."""
        bits = ONE | sum(self.input(number) for number, bit in enumerate(inputs) if bit)
        # Sides are earlier atoms, so one pass in order is enough.
        for number, sides in enumerate(self.sides, self.num_inputs):
            # A value is 1 if an odd number of its atoms is.
            bits |= all((bits & side).bit_count() & 1 for side in sides) << number + 1
        return all((bits & value).bit_count() & 1 for value in factors)

    def run(self, ops: Iterable[Op], held: list[Value]) -> list[Factors]:
        """Change what qubits hold by operations.

        Args:
            ops: XORs, ANDs, multi-controlled X, phase flips and X gates.
            held: the value of each qubit, changed in place; relative phases of ANDs are not followed.

        Returns:
            For each phase flip, the values whose AND flips the sign.

        Raises:
            UnsupportedError: another operation.
        """
        flips = []
        for op in ops:
            if any(held[qubit] for qubit in getattr(op, "clean", ())):
                raise UnsupportedError("a qubit is lent as a zero that may be one")
            match op:
                case Xor(source, target):
                    held[target] ^= read_parity(source, held)
                case And(left, right, target):
                    held[target] ^= self.conjoin(read_parity(left, held), read_parity(right, held))
                case AndNot(head, left, right, target):
                    inner = self.conjoin(read_parity(left, held), read_parity(right, held))
                    held[target] ^= self.conjoin(read_parity(head, held), inner ^ ONE)
                case Mux(choice, yes, no, target):
                    other = read_parity(no, held)
                    held[target] ^= other ^ self.conjoin(read_parity(choice, held), read_parity(yes, held) ^ other)
                case Mcx(target=target):
                    held[target] ^= self.conjoin_all(read_parity(one, held) for one in op.literals)
                case PhaseFlip(factors):
                    flips.append(tuple(read_parity(one, held) for one in factors))
                case Gate("x", (target,)):
                    held[target] ^= ONE
                case Gate("cx", (control, target)):
                    held[target] ^= held[control]
                case _:
                    raise UnsupportedError(f"gate {op.name} computes no value")
        return flips


def read_parity(parity: Parity, held: Sequence[Value] | Mapping[int, Value]) -> Value:
    """The value of a parity of qubits."""
    value = int(parity.constant)
    for wire in parity.wires:
        value ^= held[wire]
    return value


class Conjunction:
    """The set of values that are 1 where all of some values are.

    It contains the sides of an AND that has to be 1, and all XORs of its members. It is closed under both, so two
    conjunctions that hold each other's values are the same function. (The converse need not hold.)

    Attributes:
        is_empty: whether the values are never all 1.
    """

    def __init__(self, values: Values, factors: Iterable[Value]) -> None:
        self.is_empty = False
        self._rows: dict[int, Value] = {}
        self._opened = set[Value]()
        todo = list(factors)
        while todo:
            self._add_all(values, todo)
            # Reduced rows may show more ANDs that have to be 1. Their sides follow, until nothing is new.
            todo = [row ^ ONE for row in self._reduce_rows() if values.open(row ^ ONE) and row not in self._opened]

    def holds(self, value: Value) -> bool:
        """Whether a value is 1 where all are."""
        return self.is_empty or not self._reduce(value ^ ONE)

    def implies(self, other: Conjunction, values: Values) -> bool:
        """Return whether all values of another are 1 where all of these are."""
        # An AND of the other holds here if its sides do, even if it is not among these values yet.
        for row in sorted(other._opened):
            if all(map(self.holds, values.open(row ^ ONE) or ())):
                self._add_row(row)
        return self.is_empty or (not other.is_empty and not any(map(self._reduce, other._rows.values())))

    def _add_all(self, values: Values, todo: list[Value]) -> None:
        while todo:
            value = todo.pop()
            if (sides := values.open(value)) is not None:
                if value ^ ONE not in self._opened:
                    self._opened.add(value ^ ONE)
                    todo += sides
                    self._add_row(value ^ ONE)
                continue
            self._add_row(value ^ ONE)

    def _add_row(self, row: Value) -> None:
        # ``row`` is 0 where all values are 1.
        row = self._reduce(row)
        if row == ONE:
            self.is_empty = True
        elif row:
            self._rows[row.bit_length()] = row

    def _reduce(self, row: Value) -> Value:
        """A row without what follows from the others; 0 where all of it does."""
        while (other := self._rows.get(row.bit_length())) is not None:
            row ^= other
        return row

    def _reduce_rows(self) -> list[Value]:
        """The rows, each without the leading atoms of all others."""
        for place in sorted(self._rows):
            row = self._rows[place]
            for bit in list_bits(row)[:-1]:
                row ^= self._rows.get(bit + 1, 0)
            self._rows[place] = row
        return list(self._rows.values())
