"""A normal form of circuits: rotations about Paulis in layers, then a Clifford circuit.

Each gate that is no Clifford gate is a rotation about a Pauli. Pulled back through the Clifford gates before it, it is
a rotation about another Pauli; what is left of the Clifford gates stands at the end. Rotations that commute may change
places, those about one Pauli are added up, and quarter turns are Clifford gates. So each rotation is put in the first
layer that it can reach, where equal ones meet (the normal form of Cartier and Foata). Two circuits with the same form
are equal up to a global phase, and nothing is assumed of what they act on.

Rotations that do not commute stay as they are, although three of them on one qubit may equal three others. A builder
that gathers multiplies all gates on a qubit between two that join it to others, and writes the product in one way.

Sources: Litinski, arXiv:1808.02892, section 1 (circuits as rotations); Cartier and Foata, Lecture Notes in Mathematics
85 (1969) (layers).
"""

from __future__ import annotations

import cmath
import hashlib
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from gatesolve.circuit.gf2 import list_bits
from gatesolve.proof.pauli import IDENTITY, Frame, Pauli, pauli_of

TOLERANCE = 1e-9
"""Radians by which all angles of two circuits together may differ."""
QUARTER = math.pi / 2
NEAR = 0.05
"""The size of an entry of a matrix up to which it is nearly diagonal, or nearly zero on the diagonal."""
PAULIS = {"X": np.array([[0, 1], [1, 0]]), "Y": np.array([[0, -1j], [1j, 0]]), "Z": np.diag([1, -1])}
HADAMARD = np.array([[1, 1], [1, -1]]) / math.sqrt(2)
Matrix = NDArray[np.complex128]
SCANNED = 32
"""Words of rotations that are looked through at a time."""
Words = NDArray[np.uint64]
Key = tuple[int, int]


@dataclass(frozen=True)
class NormalForm:
    """Rotations in layers, then a Clifford circuit.

    Attributes:
        layers: in order; angles in radians, above 0 and below a quarter turn, by Pauli without its sign.
        x: what the Clifford circuit makes of each X.
        z: what it makes of each Z.
        rounded: radians that were rounded away, in all.
    """

    layers: tuple[dict[Key, float], ...]
    x: tuple[Pauli, ...]
    z: tuple[Pauli, ...]
    rounded: float = 0.0

    @property
    def num_rotations(self) -> int:
        """Rotations in all layers."""
        return sum(map(len, self.layers))

    @property
    def fingerprint(self) -> str:
        """The start of its SHA-256, angles to a millionth: circuits of one normal form have the same."""
        layers = [sorted(f"{x:x} {z:x} {angle:.6f}" for (x, z), angle in layer.items()) for layer in self.layers]
        return hashlib.sha256(repr((layers, self.x, self.z)).encode()).hexdigest()[:16]

    def find_difference(self, other: NormalForm) -> str | None:
        """Where two forms first differ, in words; None if they are the same, within `TOLERANCE` in all."""
        if len(self.x) != len(other.x):
            return f"{len(self.x)} qubits against {len(other.x)}"
        apart = self.rounded + other.rounded
        if apart > TOLERANCE:
            return f"rotations that were rounded away, {apart:.1e} radians in all"
        for number, (mine, theirs) in enumerate(zip(self.layers, other.layers, strict=False), 1):
            for key in mine.keys() | theirs.keys():
                apart += abs(mine.get(key, 9.0) - theirs.get(key, 9.0))
                if not apart <= TOLERANCE:
                    return f"layer {number} of rotations, on qubits {_name_qubits(key[0] | key[1])}"
        if len(self.layers) != len(other.layers):
            return f"{len(self.layers)} layers of rotations against {len(other.layers)}"
        for qubit, rows in enumerate(zip(self.x, other.x, self.z, other.z, strict=True)):
            if rows[0] != rows[1] or rows[2] != rows[3]:
                return f"Clifford gates after the rotations, on qubit {qubit}"
        return None


def _name_qubits(mask: int) -> str:
    places = list_bits(mask)
    return ", ".join(map(str, places[:6])) + (f" and {len(places) - 6} more" if len(places) > 6 else "")


class Builder(Protocol):
    """What gates are given to one by one."""

    def add_h(self, qubit: int) -> None:
        """A Hadamard gate."""

    def add_cx(self, control: int, target: int) -> None:
        """A CX."""

    def add_rotation(self, axis: Pauli, angle: float) -> None:
        """``exp(-i angle/2 axis)``."""


class FormBuilder:
    """The normal form of gates given one by one.

    Args:
        num_qubits: of the circuit.
        gathers: whether gates on one qubit are multiplied.

    Cost: for each rotation, words of 64 rotations times the qubits of its Pauli, back to the last that it does not
    commute with.
    """

    def __init__(self, num_qubits: int, gathers: bool = False) -> None:
        self.frame = Frame(num_qubits)
        self._layers: list[dict[Key, int]] = []
        self._angles: list[float] = []
        self._rounded = 0.0
        self._store = _Columns(num_qubits)
        self._products = {qubit: np.eye(2, dtype=complex) for qubit in range(num_qubits if gathers else 0)}

    def add_h(self, qubit: int) -> None:
        """A Hadamard gate."""
        if qubit in self._products:
            self._products[qubit] = HADAMARD @ self._products[qubit]
        else:
            self.frame.add_h(qubit)

    def add_cx(self, control: int, target: int) -> None:
        """A CX."""
        self._settle((control, target))
        self.frame.add_cx(control, target)

    def add_rotation(self, axis: Pauli, angle: float) -> None:
        """``exp(-i angle/2 axis)``.

        Args:
            axis: Hermitian, so that its sign is 1 or -1.
            angle: in radians.
        """
        qubits = list_bits(axis.x | axis.z) if self._products else ()
        if len(qubits) == 1:
            self._products[qubits[0]] = _turn_matrix(axis, angle) @ self._products[qubits[0]]
        else:
            self._settle(qubits)
            self._turn(axis, angle)

    def _settle(self, qubits: Iterable[int]) -> None:
        """Turn as the products on some qubits do, before these are joined."""
        for qubit in qubits:
            if qubit in self._products:
                for letter, angle in _list_turns(self._products[qubit]):
                    self._turn(pauli_of([qubit], letter), angle)
                self._products[qubit] = np.eye(2, dtype=complex)

    def _turn(self, axis: Pauli, angle: float) -> None:
        quarters, left = self._split(angle)
        if not left:
            self.frame.add_turns(axis, quarters)
            return
        image = self.frame.image(axis)
        sign, key = image.sign, (image.x, image.z)
        # The same rotation about the Pauli without its sign.
        angle *= sign
        layer = self._store.find_layer(image)
        known = self._layers[layer].pop(key, None) if layer < len(self._layers) else None
        if known is not None:
            angle += self._angles[known]
        quarters, left = self._split(angle)
        if left:
            number = self._store.add(image, layer) if known is None else known
            self._put(layer, key, number, left)
        elif known is not None:
            self._store.drop(image, known)
        # It commutes with all that came after what it joined, so its quarter turns may be done now.
        self.frame.add_turns(axis, sign * quarters)

    def _split(self, angle: float) -> tuple[int, float]:
        """Return the same as `split_angle`, and note what is rounded away."""
        angle = reduce_angle(angle)
        quarters, left = split_angle(angle)
        if not left:
            self._rounded += abs(angle - quarters * QUARTER)
        return quarters, left

    def _put(self, layer: int, key: Key, number: int, angle: float) -> None:
        if layer == len(self._layers):
            self._layers.append({})
        if number == len(self._angles):
            self._angles.append(angle)
        self._angles[number] = angle
        self._layers[layer][key] = number

    def finish(self) -> NormalForm:
        """The form of all gates given."""
        self._settle(self._products)
        layers = [{key: self._angles[number] for key, number in layer.items()} for layer in self._layers]
        while layers and not layers[-1]:
            layers.pop()
        return NormalForm(tuple(layers), tuple(self.frame.x), tuple(self.frame.z), self._rounded)


def reduce_angle(angle: float) -> float:
    """Return an angle without whole turns, exact for any number: multiples of a rounded pi are not."""
    return angle if abs(angle) < 8 else math.atan2(math.sin(angle), math.cos(angle))


def _turn_matrix(axis: Pauli, angle: float) -> Matrix:
    letter = "Y" if axis.x and axis.z else "X" if axis.x else "Z"
    return math.cos(angle / 2) * np.eye(2) - 1j * axis.sign * math.sin(angle / 2) * PAULIS[letter]


def _list_turns(matrix: Matrix) -> Iterator[tuple[str, float]]:
    """Yield turns that make a unitary matrix up to a global phase, the same ones for all that are nearly the same.

    They are about Z, Y and Z. Where the one about Y is nearly none, or half a turn, the others are not well known by
    themselves, and turns about Z, Y and X are taken, after one about X if it is half a turn.
    """
    if min(map(abs, matrix[0])) > NEAR:
        (a, b), (c, _) = matrix
        yield from (("Z", cmath.phase(-b / a)), ("Y", 2 * math.atan2(abs(c), abs(a))), ("Z", cmath.phase(c / a)))
        return
    if abs(matrix[0, 0]) <= NEAR:
        yield "X", math.pi
        matrix = matrix @ PAULIS["X"]
    one, x, y, z = (complex(np.trace(pauli @ matrix)) for pauli in (np.eye(2), *PAULIS.values()))
    size = cmath.sqrt(np.linalg.det(matrix)) * 2
    # The matrix is that of the quaternion w - i (x X + y Y + z Z), its sign left open.
    w, x, y, z = (one / size).real, *((1j * part / size).real for part in (x, y, z))
    yield "Z", math.atan2(2 * (w * z - x * y), 1 - 2 * (y * y + z * z))
    yield "Y", math.asin(max(-1.0, min(1.0, 2 * (w * y + x * z))))
    yield "X", math.atan2(2 * (w * x - y * z), 1 - 2 * (x * x + y * y))


def split_angle(angle: float, unit: float = QUARTER) -> tuple[int, float]:
    """Whole quarter turns, or other units, and what is left: 0, or more than `TOLERANCE` and less than a unit."""
    angle = reduce_angle(angle)
    number = round(angle / unit)
    left = angle - number * unit
    if abs(left) <= TOLERANCE:
        return number, 0.0
    return (number, left) if left > 0 else (number - 1, left + unit)


class _Columns:
    """For each qubit the rotations with an X, and those with a Z, there: 64 to a word."""

    def __init__(self, num_qubits: int) -> None:
        self._num_qubits = num_qubits
        self._number = 0
        self._bits: Words = np.zeros((2 * num_qubits, 16), dtype=np.uint64)
        self._layer = np.zeros((16, 64), dtype=np.int32)
        # Of each `SCANNED` words the highest layer in them or before: the scan goes back no further than it has to.
        self._highest = list[int]()

    def find_layer(self, image: Pauli) -> int:
        """The first layer that a rotation can reach: the one after the last with a rotation that does not commute."""
        columns = self._list_rows(image.z, image.x)
        used, best = (self._number + 63) // 64, 0
        for start in range((used - 1) // SCANNED * SCANNED, -1, -SCANNED):
            if self._highest[start // SCANNED] <= best:
                break
            found: Words = np.bitwise_xor.reduce(self._bits[columns, start : min(start + SCANNED, used)], axis=0)
            places = np.flatnonzero(found)
            if len(places):
                bytes_ = found[places].astype("<u8").view(np.uint8).reshape(-1, 8)
                bits = np.unpackbits(bytes_, axis=1, bitorder="little")
                best = max(best, int((self._layer[start + places] * bits).max()))
        return best

    def add(self, image: Pauli, layer: int) -> int:
        """Number a new rotation; layers count from 0."""
        if self._number == self._layer.size:
            self._bits = np.hstack([self._bits, np.zeros_like(self._bits)])
            self._layer = np.vstack([self._layer, np.zeros_like(self._layer)])
        number = self._number
        self._number += 1
        # Kept one higher, so that 0 stands for no layer.
        self._layer[number // 64, number % 64] = layer + 1
        if number % (64 * SCANNED) == 0:
            self._highest.append(self._highest[-1] if self._highest else 0)
        self._highest[-1] = max(self._highest[-1], layer + 1)
        self._flip(image, number)
        return number

    def _list_rows(self, low: int, high: int) -> NDArray[np.intp]:
        """The places of the bits of two masks, one after the other."""
        mask = (low | high << self._num_qubits).to_bytes(self._num_qubits // 4 + 1, "little")
        return np.flatnonzero(np.unpackbits(np.frombuffer(mask, dtype=np.uint8), bitorder="little"))

    def drop(self, image: Pauli, number: int) -> None:
        """Take a rotation out."""
        self._flip(image, number)

    def _flip(self, image: Pauli, number: int) -> None:
        self._bits[self._list_rows(image.x, image.z), number // 64] ^= np.uint64(1 << (number % 64))


def add_general(builder: Builder, qubit: int, angles: Iterable[float]) -> None:
    """Qiskit's ``u(theta, phi, lambda)``: about Z by lambda, about Y by theta, about Z by phi."""
    theta, phi, lam = angles
    bit = 1 << qubit
    builder.add_rotation(Pauli(0, bit), lam)
    builder.add_rotation(Pauli(bit, bit, 1), theta)
    builder.add_rotation(Pauli(0, bit), phi)


def add_product(builder: Builder, factors: Sequence[Pauli]) -> None:
    """Phase -1 where all of two or three commuting Paulis are -1: each product of some of them turned, evenly."""
    number = len(factors)
    for chosen in range(1, 1 << number):
        axis, size = IDENTITY, chosen.bit_count()
        for place, factor in enumerate(factors):
            if chosen >> place & 1:
                axis *= factor
        builder.add_rotation(axis, (-1) ** (size + 1) * math.pi / (1 << (number - 1)))
