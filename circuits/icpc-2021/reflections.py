"""Problem 3: a phase beta on marked states of three wires, for every beta.

A phase function is a sum of multiples of parities (its Fourier series). A skeleton of CX that ends where it began shows
parities on its wires; where one appears first, its multiple of beta is put on as a Z rotation.
"""

from __future__ import annotations

from collections.abc import Iterable

from qiskit import QuantumCircuit
from qiskit.circuit import Parameter

WIRES = 3
MARKED = ((), (7,), (0, 7), (1, 2, 4), (1, 2, 4, 7))
"""The marked states of each circuit, the first wire's bit the lowest."""
SKELETONS = (
    (),
    ((0, 1), (2, 0), (2, 1), (2, 0), (0, 1), (2, 1)),
    ((0, 1), (0, 2), (1, 2), (0, 1), (1, 2)),
    ((0, 1), (2, 0), (2, 1), (2, 0), (0, 1), (2, 1)),
    ((0, 1), (2, 1), (0, 1), (2, 1)),
)
"""For each circuit the CX of least cost among all; the tests go through them."""


def reflection(index: int) -> QuantumCircuit:
    """The circuit for one set of marked states."""
    beta, circuit = Parameter("beta"), QuantumCircuit(WIRES)
    left = series(MARKED[index])
    held = [1 << wire for wire in range(WIRES)]
    for gate in (None, *SKELETONS[index]):
        if gate is not None:
            circuit.cx(*gate)
            held[gate[1]] ^= held[gate[0]]
        for wire in range(WIRES):
            if held[wire] in left:
                circuit.rz(left.pop(held[wire]) * beta, wire)
    assert not left
    return circuit


def series(marked: Iterable[int]) -> dict[int, float]:
    """The Z rotation by each parity, in multiples of beta, without those that vanish."""
    marked = tuple(marked)
    rotations = {
        mask: -2 * sum(1 - 2 * ((mask & state).bit_count() % 2) for state in marked) / (1 << WIRES)
        for mask in range(1, 1 << WIRES)
    }
    return {mask: angle for mask, angle in rotations.items() if angle}
