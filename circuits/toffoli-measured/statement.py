"""A function of named wires as XORs of products: what a circuit's `compute_in_place` is given."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from qiskit import QuantumCircuit

from gatesolve.circuit import Parity, compute_in_place
from gatesolve.oracle.network import Network

ZERO, ONE = Parity(()), Parity((), True)


@dataclass(frozen=True)
class Function:
    """What `compute_in_place` takes, and the names of its wires."""

    names: tuple[str, ...]
    products: tuple[tuple[Parity, Parity], ...]
    outputs: tuple[Parity, ...]
    zeros: tuple[int, ...] = ()

    def circuit(self) -> QuantumCircuit:
        """The function in place, a Toffoli gate a product."""
        return compute_in_place(len(self.names), self.products, self.outputs, self.zeros)


class Statement:
    """What each wire holds at the end, in the making.

    Args:
        names: of the wires in the benchmark's order.
        zeros: wires at zero at the start; none in the class where any wire may hold anything.
    """

    def __init__(self, names: str, zeros: Iterable[str] = ()) -> None:
        self.names, self.zeros = names.split(), frozenset(zeros)
        self.network = Network()
        self.places = {name: place for place, name in enumerate(self.names)}
        self.final = {name: self[name] for name in self.names}

    def __getitem__(self, name: str) -> Parity:
        """What a wire holds at the start."""
        return ZERO if name in self.zeros else Parity((self.places[name],))

    def xor(self, *names: str) -> Parity:
        """The XOR of some wires at the start."""
        return Parity.xor_all(self[name] for name in names)

    def both(self, left: Parity, right: Parity) -> Parity:
        """The AND of two parities."""
        return self.network.conjoin(left, right)

    def majority(self, a: Parity, b: Parity, c: Parity) -> Parity:
        """1 where two of three are, by one product."""
        return self.network.find_majority(a, b, c)

    def add(self, name: str, *parities: Parity) -> None:
        """XOR parities onto a wire's final value."""
        self.final[name] = Parity.xor_all([self.final[name], *parities])

    def finish(self) -> Function:
        """The function, its products numbered after the wires."""
        width = len(self.names)

        def move(parity: Parity) -> Parity:
            return Parity.of((w if w >= 0 else width - 1 - w for w in parity.wires), parity.constant)

        products = tuple((move(left), move(right)) for flag in self.network.flags for left, right in flag.products)
        outputs = tuple(move(self.final[name]) for name in self.names)
        return Function(tuple(self.names), products, outputs, tuple(sorted(self.places[n] for n in self.zeros)))
