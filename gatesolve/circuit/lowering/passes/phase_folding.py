"""Phase folding: rotations about the same Pauli product become one, wherever they stand.

Each rotation of a circuit of CX, H, X, S, Z and rotations turns about a Pauli product of the circuit's inputs. That
product is its own axis, carried back through the Clifford gates before it. Two rotations about the same product, or its
negative, are added if every rotation between them commutes with it. Only angles change: all CX stay, and no gate is
added.

Source: Zhang and Chen, arXiv:1903.12456 (the merging rule). The parities of Amy, Maslov and Mosca, arXiv:1303.2042, and
of Nam et al., arXiv:1710.07345, section 4, are the case of products of Z alone. Vandaele, arXiv:2407.08695, section 3,
has the same result with a faster test than comparing all rotations between.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from gatesolve.circuit.gates import EIGHTHS, SHAPES, TURNS, LowGate, count_eighths
from gatesolve.circuit.gf2 import list_bits

EXPANDED: tuple[tuple[str, ...], ...] = ((), ("t",), ("s",), ("s", "t"), ("z",), ("z", "t"), ("sdg",), ("tdg",))
"""The gates for each multiple."""
KNOWN = frozenset(SHAPES)
"""Gates that the passes see through."""
_EXACT = 1e-12

Pauli = tuple[int, int, int]
"""``i**k X**x Z**z`` as (x, z, k), one bit a qubit."""


def fold_phases(gates: Iterable[LowGate]) -> list[LowGate]:
    """Merge rotations about equal axes; the circuit stays equal up to a global phase.

    The order stays, there are never more T, phases or gates than before, and gates that are not `KNOWN` are left alone
    and not folded across.

    Cost: a few integer operations a gate, and for each rotation whose axis occurred before one vectorised
    comparison with the rotations since.
    """
    current = list(gates)
    while True:
        # First S and Z count as Clifford gates, so that only finer angles merge; then S also merges with S and T.
        after = _each_stretch(current, whole=False)
        if after != current or any(gate[0] in {"s", "sdg"} for gate in after):
            after = _each_stretch(after, whole=True)
        if len(after) == len(current):
            return after
        current = after


def _each_stretch(gates: list[LowGate], whole: bool) -> list[LowGate]:
    """Fold each stretch between gates that are not known."""
    result: list[LowGate] = []
    start = 0
    for stop in (*(k for k, gate in enumerate(gates) if gate[0] not in KNOWN), len(gates)):
        result += _fold(gates[start:stop], whole)
        result += gates[stop : stop + 1]
        start = stop + 1
    return result


@dataclass
class _Frame:
    """The Pauli products of the inputs that X and Z of each qubit equal after the Clifford gates so far."""

    x: dict[int, Pauli]
    z: dict[int, Pauli]

    def apply(self, name: str, qubits: tuple[int, ...]) -> None:
        first = qubits[0]
        if name == "cx":
            self.z[qubits[1]] = _times(self.z[first], self.z[qubits[1]])
            self.x[first] = _times(self.x[first], self.x[qubits[1]])
        elif name == "cz":
            second = qubits[1]
            self.x[first], self.x[second] = _times(self.x[first], self.z[second]), _times(self.x[second], self.z[first])
        elif name == "h":
            self.x[first], self.z[first] = self.z[first], self.x[first]
        elif name == "x":
            self.z[first] = _negate(self.z[first])
        elif name == "z":
            self.x[first] = _negate(self.x[first])
        else:
            # S takes X back to -Y, its inverse to Y = i X Z.
            x, z, k = _times(self.x[first], self.z[first])
            self.x[first] = (x, z, (k + (1 if name == "sdg" else 3)) % 4)

    def axis(self, name: str, qubit: int) -> Pauli:
        if name != "ry":
            return self.z[qubit]
        x, z, k = _times(self.x[qubit], self.z[qubit])
        return x, z, (k + 1) % 4


def _times(first: Pauli, second: Pauli) -> Pauli:
    # Products are written X before Z; moving the first's Z past the second's X gives -1 for each common qubit.
    swapped = (first[1] & second[0]).bit_count()
    return first[0] ^ second[0], first[1] ^ second[1], (first[2] + second[2] + 2 * swapped) % 4


def _negate(pauli: Pauli) -> Pauli:
    return pauli[0], pauli[1], (pauli[2] + 2) % 4


@dataclass
class _EqualAxes:
    """Rotations that can all stand at any of their places: indices, and whether each turns against the first.

    ``last`` is the number of the latest. ``angle`` is their sum about the first one's axis, in multiples of pi/4.
    ``sign`` is the sign of that axis.
    """

    places: list[tuple[int, bool]]
    last: int
    angle: float
    sign: int


class _Rotations:
    """Axes in circuit order, and for each bit the numbers of those with X and with Z there.

    The axis of a rotation that moved to a later place or vanished is empty.
    """

    def __init__(self) -> None:
        # The places of the ones of a number, cached because axes recur.
        self.bits = cache(list_bits)
        self.axes: list[Pauli] = []
        self.with_x: defaultdict[int, list[int]] = defaultdict(list)
        self.with_z: defaultdict[int, list[int]] = defaultdict(list)

    def append(self, axis: Pauli) -> int:
        number = len(self.axes)
        for bit in self.bits(axis[0]):
            self.with_x[bit].append(number)
        for bit in self.bits(axis[1]):
            self.with_z[bit].append(number)
        self.axes.append(axis)
        return number

    def clear(self, number: int) -> None:
        self.axes[number] = (0, 0, 0)

    def all_commute(self, axis: Pauli, after: int) -> bool:
        """Whether every rotation past number ``after`` commutes with ``axis``; those that share no bit do."""
        x, z, _ = axis
        for meeting, ones in ((self.with_x, z), (self.with_z, x)):
            for bit in self.bits(ones):
                for number in reversed(meeting[bit]):
                    if number <= after:
                        break
                    other = self.axes[number]
                    if ((other[0] & z).bit_count() + (other[1] & x).bit_count()) & 1:
                        return False
        return True


def _fold(gates: list[LowGate], whole: bool) -> list[LowGate]:
    qubits = sorted({q for gate in gates for q in gate[1]})
    bit = {q: 1 << k for k, q in enumerate(qubits)}
    frame = _Frame({q: (b, 0, 0) for q, b in bit.items()}, {q: (0, b, 0) for q, b in bit.items()})
    turning = {*TURNS, *((name for name in EIGHTHS if name != "z") if whole else ("t", "tdg"))}
    rotations = _Rotations()
    open_: dict[tuple[int, int], _EqualAxes] = {}
    changed: dict[int, LowGate | None] = {}
    for index, (name, places, angle) in enumerate(gates):
        if name not in turning:
            frame.apply(name, places)
            continue
        axis = frame.axis(name, places[0])
        size = EIGHTHS[name] if name in EIGHTHS else count_eighths(angle)
        # Equal axes up to sign share a key; a different sign only reverses the angle.
        group = open_.get(axis[:2])
        if group is None or not rotations.all_commute(axis, group.last):
            if group is not None:
                changed.update(_settle(group, gates))
            open_[axis[:2]] = _EqualAxes([(index, False)], rotations.append(axis), size, axis[2])
            continue
        other = group.sign != axis[2]
        group.places.append((index, other))
        group.angle += -size if other else size
        # The merged rotation can stand at its latest place, so its earlier place blocks nothing.
        rotations.clear(group.last)
        group.last = rotations.append(axis)
        if _is_identity(group.angle):
            rotations.clear(group.last)
            changed.update(_settle(group, gates))
            del open_[axis[:2]]
    for group in open_.values():
        changed.update(_settle(group, gates))
    new = [changed.get(index, gate) for index, gate in enumerate(gates)]
    return [part for gate in new if gate is not None for part in _exact(gate)]


def _settle(group: _EqualAxes, gates: list[LowGate]) -> Iterator[tuple[int, LowGate | None]]:
    """One place keeps the sum, the others nothing; a rotation on its own stays as it is."""
    if len(group.places) == 1:
        return
    # Beside another gate on the same qubit alone, the sum costs nothing where these are merged anyway.
    around = {index: [*gates[max(index - 1, 0) : index], *gates[index + 1 : index + 2]] for index, _ in group.places}
    beside = {index for index, near in around.items() if gates[index][1] in [gate[1] for gate in near]}
    (chosen, other), *_ = sorted(group.places, key=lambda place: place[0] not in beside)
    for index, _ in group.places:
        yield index, None
    if not _is_identity(group.angle):
        name, qubits, _ = gates[chosen]
        yield chosen, ("ry" if name == "ry" else "p", qubits, (-group.angle if other else group.angle) * math.pi / 4)


def _is_identity(eighths: float) -> bool:
    return abs(eighths - 8 * round(eighths / 8)) < _EXACT


def _exact(gate: LowGate) -> Iterable[LowGate]:
    return phase_gates(gate[1], count_eighths(gate[2])) if gate[0] in {"p", "rz"} else (gate,)


def phase_gates(qubits: tuple[int, ...], eighths: float) -> Iterator[LowGate]:
    """A phase of ``eighths`` times pi/4 on the one qubit: exact gates where there are, else ``p``."""
    whole = round(eighths)
    if abs(eighths - whole) < _EXACT:
        yield from ((name, qubits, 0.0) for name in EXPANDED[whole % 8])
    else:
        yield "p", qubits, eighths * math.pi / 4
