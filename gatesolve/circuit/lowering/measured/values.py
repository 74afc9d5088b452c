"""Symbolic values of reversible operations: each qubit as a function of what the qubits held before.

A value is a XOR of atoms. An atom is what a qubit held at the start, what it holds after a gate that mixes basis
states, or a product of values; equal products are one atom. So two qubits with equal values hold the same bit in every
term of any superposition, whatever the inputs were; unequal values say nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gatesolve.circuit.ops import And, AndNot, Gate, Mcx, Op, Parity, Xor

Value = frozenset[int]
"""Atoms XORed together; atom 0 is the constant 1."""
ZERO: Value = frozenset()
ONE: Value = frozenset({0})

_DIAGONAL = frozenset({"z", "s", "sdg", "t", "tdg", "p", "rz", "cz"})


class HeldValues:
    """The value of every qubit (``held``) while operations are applied one by one; ``zeros`` hold zero at the start."""

    def __init__(self, num_qubits: int, zeros: Iterable[int]) -> None:
        clean = set(zeros)
        self._products: dict[frozenset[Value], int] = {}
        self._next = 1
        self.held = [ZERO if q in clean else self._fresh() for q in range(num_qubits)]

    def of(self, parity: Parity) -> Value:
        """The value of a parity of qubits."""
        return parity.value(self.held.__getitem__, ONE)

    def zeros(self) -> list[int]:
        """Qubits that hold zero now."""
        return [qubit for qubit, value in enumerate(self.held) if value == ZERO]

    def product(self, factors: Sequence[Value]) -> Value:
        """The value of an AND."""
        different = {f for f in factors if f != ONE}
        if ZERO in different or any(f ^ ONE in different for f in different):
            return ZERO
        if len(different) <= 1:
            return next(iter(different), ONE)
        key = frozenset(different)
        if key not in self._products:
            self._products[key] = next(iter(self._fresh()))
        return frozenset({self._products[key]})

    def apply(self, op: Op) -> None:
        """Follow one operation; an unknown gate makes the values of its qubits unknown."""
        match op:
            case Xor(source, target):
                self.held[target] ^= self.of(source)
            case And(left, right, target):
                self.held[target] ^= self.product([self.of(left), self.of(right)])
            case AndNot(head, left, right, target):
                inner = self.product([self.of(left), self.of(right)])
                self.held[target] ^= self.product([self.of(head), inner ^ ONE])
            case Mcx(target=target):
                self.held[target] ^= self.product(list(map(self.of, op.literals)))
            case Gate(name="x", qubits=(qubit,)):
                self.held[qubit] ^= ONE
            case Gate(name="cx", qubits=(control, target)):
                self.held[target] ^= self.held[control]
            case Gate(name, qubits) if name not in _DIAGONAL:
                for qubit in qubits:
                    self.held[qubit] = self._fresh()

    def _fresh(self) -> Value:
        self._next += 1
        return frozenset({self._next - 1})
