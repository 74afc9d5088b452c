"""Problem 1 by hand: the digits of the popcount of four bits."""

from __future__ import annotations

from math import pi

from qiskit import QuantumCircuit

INPUTS, TARGET = 4, 4


def lowest() -> QuantumCircuit:
    """The parity."""
    circuit = QuantumCircuit(INPUTS + 1)
    for wire in range(INPUTS):
        circuit.cx(wire, TARGET)
    return circuit


def middle() -> QuantumCircuit:
    """The digit of the twos, a sum of two products: turns by four parities of three inputs or all.

    The third wire holds its XOR with the second meanwhile. Skeleton and turns were found by search; each turn of
    an eighth follows its CX.
    """
    circuit = QuantumCircuit(INPUTS + 1)
    circuit.ry(-3 * pi / 4, TARGET)
    circuit.cx(0, TARGET)
    circuit.cx(1, 2)
    for wire, turn in ((2, 1), (3, 1), (1, 1), (2, 1), (0, 0)):
        circuit.cx(wire, TARGET)
        if turn:
            circuit.ry(turn * pi / 4, TARGET)
    circuit.cx(1, 2)
    circuit.cx(2, TARGET)
    circuit.ry(-pi / 4, TARGET)
    return circuit


def conjunction() -> QuantumCircuit:
    """All four: a flip where a turn of x3 x4 by a quarter lets a sign of x1 x2 flip the target.

    Without that turn, the sign does nothing; but the sign comes with a flip by x1, which the last CX takes back.
    """
    circuit = QuantumCircuit(INPUTS + 1)
    quarter = _product("ry", 2, 3, pi / 2, (1, -1, 1, -1))
    circuit.compose(quarter, inplace=True)
    circuit.compose(_product("rz", 0, 1, pi, (1, 1, -1, -1)), inplace=True)
    circuit.compose(quarter.inverse(), inplace=True)
    circuit.cx(0, TARGET)
    return circuit


def _product(gate: str, left: int, right: int, angle: float, signs: tuple[int, ...]) -> QuantumCircuit:
    """Turn the target where a product of two inputs is one, then flip it by the left one.

    Args:
        gate: the turn.
        left: the one that also flips.
        right: the other one.
        angle: of the turn.
        signs: for the parities zero, right, right + left, left.
    """
    circuit = QuantumCircuit(INPUTS + 1)
    for wire, sign in zip((None, right, left, right), signs, strict=True):
        if wire is not None:
            circuit.cx(wire, TARGET)
        getattr(circuit, gate)(sign * angle / 4, TARGET)
    return circuit
