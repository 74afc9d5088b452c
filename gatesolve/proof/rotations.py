"""A normal form of circuits: rotations about Paulis in layers, then a Clifford circuit.

Each gate that is no Clifford gate is a rotation about a Pauli. Pulled back through the Clifford gates before it, it is
a rotation about another Pauli; what is left of the Clifford gates stands at the end. Rotations that commute may change
places, those about one Pauli are added up, and quarter turns are Clifford gates.

So each rotation is put in the first layer that it can reach, where equal ones meet (the normal form of Cartier and
Foata). Two circuits with the same form are equal up to a global phase, and nothing is assumed of what they act on.

Rotations that do not commute stay as they are, although three of them about two Paulis and their product may equal
three others. Then one form is undone, the other done, and what cancels is taken out.

Sources: Litinski, arXiv:1808.02892, section 1 (circuits as rotations); Cartier and Foata, Lecture Notes in Mathematics
85 (1969) (layers).
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from gatesolve.circuit.gf2 import list_bits
from gatesolve.proof.pauli import IDENTITY, Frame, Pauli, list_qubits

TOLERANCE = 1e-9
"""Radians by which all angles of two circuits together may differ."""
QUARTER = math.pi / 2
SAME = 1e-12
"""Radians by which an angle may differ where layers are taken for equal, and what it differs by is counted."""
ROUNDING = 2.0**-52
"""Radians that may be rounded away where a rotation is multiplied to others."""
LOOKS = 4096
"""Rotations that are passed to find some that one more cancels with, beside an equal one."""
MOST_LOOKS = 20_000_000
"""Comparisons in all: a few seconds."""
PRODUCT_LOOKS = 100
"""Comparisons that take as long as one product of rotations."""
SPAN = 32
"""Layers of rotations that are looked through at a time."""
WIDTH = 8
"""Rotations for which each layer has room at first."""
Key = tuple[int, int]
Turn = tuple[Pauli, float]


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
        rows = [f"{row.x:x} {row.z:x} {row.phase}" for row in (*self.x, *self.z)]
        return hashlib.sha256(repr((layers, rows)).encode()).hexdigest()[:16]

    def find_difference(self, other: NormalForm) -> str | None:
        """Describe where two forms first differ; None if they are the same, within `TOLERANCE` in all."""
        if len(self.x) != len(other.x):
            return f"{len(self.x)} qubits against {len(other.x)}"
        apart = self.rounded + other.rounded
        if apart > TOLERANCE:
            return f"rotations that were rounded away, {apart:.1e} radians in all"
        for number, (mine, theirs) in enumerate(zip(self.layers, other.layers, strict=False), 1):
            for key in mine.keys() | theirs.keys():
                # No angle of a layer is near 9, so a rotation that is missing always shows.
                apart += abs(mine.get(key, 9.0) - theirs.get(key, 9.0))
                if not apart <= TOLERANCE:
                    return f"layer {number} of rotations, on qubits {_name_qubits(key[0] | key[1])}"
        if len(self.layers) != len(other.layers):
            return f"{len(self.layers)} layers of rotations against {len(other.layers)}"
        for qubit, rows in enumerate(zip(self.x, other.x, self.z, other.z, strict=True)):
            if rows[0] != rows[1] or rows[2] != rows[3]:
                return f"Clifford gates after the rotations, on qubit {qubit}"
        return None

    def cancels(self, other: NormalForm) -> bool | None:
        """Whether two forms of different rotations are found to be equal: a proof if so; None if it takes too long."""
        mine, theirs, rounded = list(self.layers), list(other.layers), self.rounded + other.rounded
        while mine and theirs and mine[0].keys() == theirs[0].keys():
            apart = [abs(angle - theirs[0][key]) for key, angle in mine[0].items()]
            if max(apart, default=0) > SAME:
                break
            rounded += sum(apart)
            del mine[0], theirs[0]
        undone = [(_unsigned(key), -angle) for layer in theirs[::-1] for key, angle in layer.items()]
        word = ReducedWord(len(self.x), undone, rounded)
        turns = [(_unsigned(key), angle) for layer in mine for key, angle in layer.items()]
        images, left = [*self.x, *self.z], len(word.turns) + 1
        while word.add_all(turns):
            if word.turns and len(word.turns) >= left:
                return None if word.is_cut else False
            images = [word.frame.image(row) for row in images]
            # What is left of the rotations has to be the Clifford circuit that leads from one form's to the other's.
            if not word.turns:
                return word.rounded <= TOLERANCE and images == [*other.x, *other.z]
            # Rotations that came to stand side by side may cancel too.
            turns, left = word.turns, len(word.turns)
            word = ReducedWord(len(self.x), (), word.rounded, word.looks)
        return None


def _unsigned(key: Key) -> Pauli:
    x, z = key
    return Pauli(x, z, (x & z).bit_count() & 3)


def _name_qubits(mask: int) -> str:
    places = list_bits(mask)
    return ", ".join(map(str, places[:6])) + (f" and {len(places) - 6} more" if len(places) > 6 else "")


class GateSink(Protocol):
    """An object that takes gates one by one."""

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

    Cost: a rotation looks through the layers back to the last one that it does not commute with. A look at one of the
    last few layers takes as many steps as the rotation has qubits; at an earlier one, as its Pauli before all gates.
    """

    def __init__(self, num_qubits: int) -> None:
        self.frame = Frame(num_qubits)
        self._layers: list[dict[Key, tuple[int, float]]] = []
        self._rounded = 0.0
        self._store = _Columns(self.frame)

    def add_h(self, qubit: int) -> None:
        """A Hadamard gate."""
        self.frame.add_h(qubit)
        self._store.add_h(qubit)

    def add_cx(self, control: int, target: int) -> None:
        """A CX."""
        self.frame.add_cx(control, target)
        self._store.add_cx(control, target)

    def add_rotation(self, axis: Pauli, angle: float) -> None:
        """``exp(-i angle/2 axis)``.

        Args:
            axis: Hermitian, so that its sign is 1 or -1.
            angle: in radians.
        """
        if not axis.x | axis.z:
            # A global phase.
            return
        quarters, left = self._split(angle)
        if not left:
            self._turn_frame(axis, quarters)
            return
        image = self.frame.image(axis)
        sign, key = image.sign, (image.x, image.z)
        # The same rotation about the Pauli without its sign.
        angle *= sign
        layer = self._store.find_layer(axis, image)
        if layer == len(self._layers):
            self._layers.append({})
        place, known = self._layers[layer].pop(key, (-1, 0.0))
        quarters, left = self._split(angle + known)
        if left:
            self._layers[layer][key] = self._store.add(axis, image, layer) if place < 0 else place, left
        # The two add up to whole quarter turns, so the layer loses its rotation.
        elif place >= 0:
            self._store.flip(axis, image, layer, place)
        # It commutes with all that came after what it joined, so its quarter turns may be done now.
        self._turn_frame(axis, sign * quarters)

    def _turn_frame(self, axis: Pauli, quarters: int) -> None:
        if quarters & 3:
            self.frame.add_turns(axis, quarters)
            if quarters & 1:
                self._store.add_turn(axis)

    def _split(self, angle: float) -> tuple[int, float]:
        """Split an angle as `split_angle`, and note what is rounded away."""
        quarters, left, rounded = _split_quarters(angle)
        self._rounded += rounded
        return quarters, left

    def finish(self) -> NormalForm:
        """The form of all gates given."""
        layers = [{key: angle for key, (_, angle) in layer.items()} for layer in self._layers]
        # Rotations that met their inverses may leave empty layers at the end.
        while layers and not layers[-1]:
            layers.pop()
        return NormalForm(tuple(layers), tuple(self.frame.x), tuple(self.frame.z), self._rounded)


def reduce_angle(angle: float) -> float:
    """Return an angle without whole turns, exact for any number."""
    # The library's sine and cosine reduce by pi itself; multiples of a rounded pi would lose digits.
    return angle if abs(angle) < 8 else math.atan2(math.sin(angle), math.cos(angle))


@lru_cache(maxsize=4096)
def _split_quarters(angle: float) -> tuple[int, float, float]:
    """Return the same as `split_angle`, and what is rounded away."""
    angle = reduce_angle(angle)
    quarters, left = split_angle(angle)
    return quarters, left, 0.0 if left else abs(angle - quarters * QUARTER)


def split_angle(angle: float) -> tuple[int, float]:
    """Return whole quarter turns and the rest: 0, or more than `TOLERANCE` and less than a quarter turn."""
    angle = reduce_angle(angle)
    number = round(angle / QUARTER)
    left = angle - number * QUARTER
    if abs(left) <= TOLERANCE:
        return number, 0.0
    return (number, left) if left > 0 else (number - 1, left + QUARTER)


class ReducedWord:
    """Rotations about Paulis one after the other, then a Clifford circuit; what cancels is taken out as they are added.

    Args:
        num_qubits: of the Paulis.
        turns: rotations to begin with, about Paulis whose sign is 1.
        rounded: radians that were rounded away before.
        looks: comparisons that were made before.

    Attributes:
        frame: the Clifford circuit.
        turns: the rotations, in order.
        rounded: radians that were rounded away, in all.
        looks: comparisons that were made, in all.
        is_cut: whether rotations further from the end were left out of a look.
    """

    def __init__(self, num_qubits: int, turns: Iterable[Turn] = (), rounded: float = 0.0, looks: int = 0) -> None:
        self.frame = Frame(num_qubits)
        self.turns = list(turns)
        self.rounded = rounded
        self.looks = looks
        self.is_cut = False

    def add_all(self, turns: Iterable[Turn]) -> bool:
        """Add rotations one by one; returns whether `MOST_LOOKS` was enough."""
        for axis, angle in turns:
            self.add(axis, angle)
            if self.looks > MOST_LOOKS:
                return False
        return True

    def add(self, axis: Pauli, angle: float) -> None:
        """Add ``exp(-i angle/2 axis)``, after the Clifford circuit; the axis is not the identity."""
        self.looks += (axis.x | axis.z).bit_count()
        image = self.frame.image(axis)
        axis, angle = image.times_i(1 - image.sign), angle * image.sign
        if (same := next(self._list_free((axis,)), None)) is not None:
            other, known = self.turns[same]
            total = angle + known * other.sign
            number, rest = split_angle(total)
            self._replace([same], [(axis, rest)] if rest else [], [(axis, number)])
            self.rounded += 2 * ROUNDING + (0.0 if rest else abs(reduce_angle(total - number * QUARTER)))
            return
        for partner in self._list_partners(axis):
            # `add_all` stops then.
            if self.looks > MOST_LOOKS:
                break
            axes = (axis, partner, (axis * partner).times_i(3))
            run = list(self._list_free(axes))
            self.looks += PRODUCT_LOOKS
            turns = [*(self.turns[place] for place in reversed(run)), (axis, angle)]
            left, quarters = _split_product(axes, turns)
            kept = [turn for turn in left if abs(turn[1]) > TOLERANCE]
            if len(kept) < len(turns):
                self.rounded += sum(abs(turn) for _, turn in left if abs(turn) <= TOLERANCE) + len(turns) * ROUNDING
                self._replace(run, kept, quarters)
                return
        self.turns.append((axis, angle))

    def _replace(self, places: Iterable[int], turns: Iterable[Turn], quarters: Sequence[tuple[Pauli, int]]) -> None:
        """Take rotations out, the last one first, and put others and then quarter turns at the end."""
        for place in places:
            del self.turns[place]
        self.turns += turns
        for axis, number in reversed(quarters):
            if number & 3:
                self._add_quarters(axis, number)

    def _list_free(self, axes: Iterable[Pauli]) -> Iterator[int]:
        """Yield the places of rotations about some Paulis that can be brought to the end, the last one first."""
        free = {(axis.x, axis.z): axis for axis in axes}
        for place in range(len(self.turns) - 1, -1, -1):
            other = self.turns[place][0]
            self.looks += len(free)
            if (other.x, other.z) in free:
                yield place
                continue
            # What does not commute with this one cannot be brought past it.
            free = {key: axis for key, axis in free.items() if axis.commutes(other)}
            if not free:
                return

    def _list_partners(self, axis: Pauli) -> Iterator[Pauli]:
        """Yield Paulis of rotations at the end that do not commute with one about an axis."""
        passed = list[Pauli]()
        for other, _ in self.turns[: -LOOKS - 1 : -1]:
            self.looks += 1
            if not other.commutes(axis):
                stop = next((number for number, one in enumerate(passed, 1) if not other.commutes(one)), None)
                self.looks += stop or len(passed)
                if stop is None:
                    yield other
            passed.append(other)
        self.is_cut |= len(self.turns) > LOOKS

    def _add_quarters(self, axis: Pauli, quarters: int) -> None:
        """Add quarter turns before the Clifford circuit."""
        # Wide Paulis take longer to compare.
        self.looks += 2 * self.frame.num_qubits * (1 + self.frame.num_qubits // 1000)
        for rows in (self.frame.x, self.frame.z):
            for qubit, row in enumerate(rows):
                if not row.commutes(axis):
                    rows[qubit] = (row * axis if quarters & 1 else row).times_i(-quarters)


def _split_product(
    axes: tuple[Pauli, Pauli, Pauli], turns: Iterable[Turn]
) -> tuple[list[Turn], list[tuple[Pauli, int]]]:
    """Multiply rotations about three axes, right-handed, and split the product.

    Returns:
        Up to three rotations by less than a quarter turn, then quarter turns.
    """
    product = np.array([1.0, 0.0, 0.0, 0.0])
    for axis, angle in turns:
        place = next(place for place, one in enumerate(axes) if (one.x, one.z) == (axis.x, axis.z))
        product = _make_turn(place, angle * axis.sign * axes[place].sign) @ product
    inverses, quarters = _list_cliffords()
    # What is left when each Clifford gate is taken off the end: the least turn counts, so that no angle is near a pole.
    left = inverses @ product
    best = int(np.argmax(left[:, 0]))
    w, x, y, z = left[best].tolist()
    angles = (
        (2, math.atan2(2 * (w * z - x * y), 1 - 2 * (y * y + z * z))),
        (1, math.asin(2 * (w * y + x * z))),
        (0, math.atan2(2 * (w * x - y * z), 1 - 2 * (x * x + y * y))),
    )
    return [(axes[place], angle) for place, angle in angles], [
        (axes[place], number) for place, number in quarters[best]
    ]


@lru_cache(maxsize=1)
def _list_cliffords() -> tuple[NDArray[np.float64], list[tuple[tuple[int, int], tuple[int, int]]]]:
    """Return what multiplies by the inverse of each Clifford gate on one qubit, and their quarter turns."""
    # Those that keep the last axis, then one that brings it to each of its six places; four quarters change a sign.
    lasts = ((0, 0), (0, 1), (0, 2), (0, 3), (1, 1), (1, 3))
    turns = [((2, first), last) for first in range(8) for last in lasts]
    return np.array(
        [_make_turn(2, -a * QUARTER) @ _make_turn(axis, -b * QUARTER) for (_, a), (axis, b) in turns]
    ), turns


def _make_turn(place: int, angle: float) -> NDArray[np.float64]:
    """Return the matrix that multiplies a unit quaternion by a turn about an axis, from the left."""
    a, (b, c, d) = math.cos(angle / 2), (math.sin(angle / 2) * (place == one) for one in range(3))
    return np.array([[a, -b, -c, -d], [b, a, -d, c], [c, d, a, -b], [d, -c, b, a]])


@dataclass
class _Chunk:
    """Layers of rotations, a bit for each rotation, with as many bits for each layer.

    Attributes:
        rows: for X on each qubit, then for Z on each, the rotations that do not commute with it.
        width: bits for each layer.
    """

    rows: list[int]
    width: int

    def find_last(self, rows: Iterable[int]) -> int:
        """Return the number of layers up to the last with a rotation in the sum of rows."""
        found = 0
        for row in rows:
            found ^= self.rows[row]
        return -(-found.bit_length() // self.width)

    def flip(self, rows: Iterable[int], layer: int, place: int) -> None:
        """Put in a rotation that does not commute with the X and Z of some rows, or take it out."""
        # Widths double, so that all bits are moved only a few times.
        while place >= self.width:
            self.resize(2 * self.width)
        bit = 1 << layer * self.width + place
        for row in rows:
            self.rows[row] ^= bit

    def resize(self, width: int) -> None:
        """Change the number of bits for each layer."""
        old, self.width = self.width, width
        low = (1 << min(old, width)) - 1
        for row, bits in enumerate(self.rows):
            layers = range(-(-bits.bit_length() // old))
            self.rows[row] = sum((bits >> k * old & low) << k * width for k in layers)


class _Columns:
    """Layers of rotations, for the last one that does not commute with another.

    The last layers are stored by X and Z after all Clifford gates so far, where a rotation has few factors. Earlier
    ones are stored by X and Z before all gates, as no gate changes these any more.
    """

    def __init__(self, frame: Frame) -> None:
        self._frame = frame
        self._last = _Chunk([0] * (2 * frame.num_qubits), WIDTH)
        self._early: list[_Chunk] = []
        self._taken: list[int] = []  # of each layer a mask of places

    def find_layer(self, axis: Pauli, image: Pauli) -> int:
        """Return the first layer that a rotation reaches: the one after the last that it does not commute with."""
        found = self._last.find_last(self._list_rows(axis.x, axis.z))
        start, rows = len(self._early) * SPAN, tuple[int, ...]()
        # If none of the last layers stops the rotation, earlier ones are searched, backwards.
        while not found and start:
            start -= SPAN
            found = self._early[start // SPAN].find_last(rows := rows or self._list_rows(image.x, image.z))
        return start + found

    def add(self, axis: Pauli, image: Pauli, layer: int) -> int:
        """Put a rotation in a layer there is, or the next one, and return its place in that layer."""
        if layer == len(self._taken):
            self._taken.append(0)
            if layer == (len(self._early) + 2) * SPAN:
                self._store_early()
        free = ~self._taken[layer]
        place = (free & -free).bit_length() - 1
        self.flip(axis, image, layer, place)
        return place

    def flip(self, axis: Pauli, image: Pauli, layer: int, place: int) -> None:
        """Put in a rotation, or take it out."""
        self._taken[layer] ^= 1 << place
        number, start = layer // SPAN, len(self._early) * SPAN
        if layer >= start:
            self._last.flip(self._list_rows(axis.z, axis.x), layer - start, place)
        else:
            self._early[number].flip(self._list_rows(image.z, image.x), layer % SPAN, place)

    def _store_early(self) -> None:
        """Move the first `SPAN` of the last layers to the early ones."""
        last, early = self._last, _Chunk([0] * len(self._last.rows), self._last.width)
        size = SPAN * last.width
        for row, image in enumerate((*self._frame.z, *self._frame.x)):
            if bits := last.rows[row] & (1 << size) - 1:
                for other in self._list_rows(image.z, image.x):
                    early.rows[other] ^= bits
            last.rows[row] >>= size
        self._early.append(early)
        # Layers that lost most of their rotations are packed more tightly.
        most = max(taken.bit_length() for taken in self._taken[len(self._early) * SPAN :])
        if last.width > max(WIDTH, 4 * most):
            last.resize(max(WIDTH, 2 * most))

    def add_h(self, qubit: int) -> None:
        """A Hadamard gate."""
        rows, other = self._last.rows, qubit + self._frame.num_qubits
        rows[qubit], rows[other] = rows[other], rows[qubit]

    def add_cx(self, control: int, target: int) -> None:
        """A CX."""
        rows, number = self._last.rows, self._frame.num_qubits
        rows[control] ^= rows[target]
        rows[number + target] ^= rows[number + control]

    def add_turn(self, axis: Pauli) -> None:
        """A quarter turn about a Pauli, either way."""
        rows, bits = self._last.rows, 0
        for row in self._list_rows(axis.x, axis.z):
            bits ^= rows[row]
        for row in self._list_rows(axis.z, axis.x):
            rows[row] ^= bits

    def _list_rows(self, x: int, z: int) -> tuple[int, ...]:
        return list_qubits(x | z << self._frame.num_qubits)


def add_general(builder: GateSink, qubit: int, angles: Iterable[float]) -> None:
    """Add Qiskit's ``u(theta, phi, lambda)``: about Z by lambda, about Y by theta, about Z by phi."""
    theta, phi, lam = angles
    bit = 1 << qubit
    builder.add_rotation(Pauli(0, bit), lam)
    builder.add_rotation(Pauli(bit, bit, 1), theta)
    builder.add_rotation(Pauli(0, bit), phi)


def add_product(builder: GateSink, factors: Iterable[Pauli]) -> None:
    """Add phase -1 where all of two or three commuting Paulis are -1: a turn about each product of some of them."""
    for axis, angle in _list_products(tuple(factors)):
        builder.add_rotation(axis, angle)


@lru_cache(maxsize=4096)
def _list_products(factors: tuple[Pauli, ...]) -> tuple[tuple[Pauli, float], ...]:
    """Return the products of some Paulis, each with the angle of its turn."""
    number, turns = len(factors), list[tuple[Pauli, float]]()
    for chosen in range(1, 1 << number):
        axis, size = IDENTITY, chosen.bit_count()
        for place, factor in enumerate(factors):
            if chosen >> place & 1:
                axis *= factor
        # As for a Z over three qubits: T on products of an odd number of factors, T-dagger on the others.
        turns.append((axis, (-1) ** (size + 1) * math.pi / (1 << (number - 1))))
    return tuple(turns)
