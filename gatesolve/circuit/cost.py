"""Two-qubit and T gates of reversible operations, for choosing between plans before lowering."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable

from gatesolve.circuit.ops import And, AndNot, Gate, Mcx, Op, Parity, PhaseFlip, Xor, independent_parities

ROTATION_T = 100
"""T of a rotation that Clifford+T only approximates: about what Ross-Selinger needs at 1e-10."""
CLIFFORD = frozenset({"h", "x", "z", "s", "sdg", "cx", "cz"})


def count_cx(ops: Iterable[Op]) -> int:
    """CX of ``ops`` when every multi-controlled gate finds a clean ancilla; lowering's passes may need fewer."""
    total, runs = 0, _Runs()
    for op in ops:
        total += _cx_and_t(op)[0] - 2 * runs.count_shared(op)
    return total


def count_t(ops: Iterable[Op]) -> int:
    """T of ``ops`` under the same assumption."""
    return sum(_cx_and_t(op)[1] for op in ops)


def count_toffoli(ops: Iterable[Op]) -> int:
    """Toffoli gates of ``ops`` under the same assumption, where none is written out; a turn counts as for T."""
    return sum(_toffoli(op) for op in ops)


def _toffoli(op: Op) -> int:
    match op:
        case And():
            return 1
        case Mcx(controls):
            return max(2 * len(controls) - 3, 0)
        case PhaseFlip(factors):
            return max(2 * len(independent_parities(factors) or ()) - 5, 0)
        case _:
            return _cx_and_t(op)[1]


def _cx_and_t(op: Op) -> tuple[int, int]:
    match op:
        case Xor(source):
            return len(source.wires), 0
        case And(left, right):
            return len(left.wires) + 2 * len(right.wires), 4
        case AndNot(head, left, right):
            return len(head.wires) + 2 * len(left.wires) + 2 * len(right.wires), 8
        case Mcx(controls):
            return _count_controlled(len(controls) + 1)
        case PhaseFlip(factors):
            return _phase(factors)
        case Gate(name=name, params=params):
            return int(name in {"cx", "cz"}), 0 if name in CLIFFORD else _count_turn(params)


class _Runs:
    """The outer sides of ANDs, by target, as long as neither the target nor what they read is touched."""

    def __init__(self) -> None:
        self._outer: dict[int, frozenset[int]] = {}
        self._targets: defaultdict[int, set[int]] = defaultdict(set)

    def count_shared(self, op: Op) -> int:
        """Wires that one AND XORs out of its target last and the next one, ``op``, XORs in first: neither is needed."""
        match op:
            case And(left, right, target):
                outer = frozenset(right.wires)
                shared = len(outer & self._outer.get(target, frozenset()))
                self._forget((*left.wires, *right.wires), target)
                self._outer[target] = outer
                for wire in outer:
                    self._targets[wire].add(target)
                return shared
            case Xor(source, target):
                self._forget(source.wires, target)
            case AndNot(head, left, right, target):
                self._forget((*head.wires, *left.wires, *right.wires), target)
            case _:
                self._outer, self._targets = {}, defaultdict(set)
        return 0

    def _forget(self, read: Iterable[int], written: int) -> None:
        for wire in (*read, written):
            self._outer.pop(wire, None)
        for target in self._targets.pop(written, ()):
            self._outer.pop(target, None)


def _count_turn(params: tuple[float, ...]) -> int:
    """T of a turn by an angle; none stands for T itself."""
    eighths = params[0] / (math.pi / 4) if params else 1.0
    return round(eighths) % 2 if abs(eighths - round(eighths)) < 1e-9 else ROTATION_T


def _count_controlled(qubits: int) -> tuple[int, int]:
    """Multi-controlled Z over ``qubits``: CX 6 n - 6 and T 8 n - 9 for n controls."""
    return (int(qubits == 2), 0) if qubits < 3 else (6 * qubits - 12, 8 * qubits - 17)


def _phase(factors: tuple[Parity, ...]) -> tuple[int, int]:
    """Longer parities are made on one of their wires and taken off again; CZ and Z distribute over the longest."""
    lengths = [len(p.wires) for p in independent_parities(factors) or ()]
    return price_phase(lengths), _count_controlled(len(lengths))[1] if len(lengths) > 2 else 0


def price_phase(lengths: Iterable[int]) -> int:
    """CX of a multi-controlled Z over independent parities of so many wires each."""
    least, *others = sorted(lengths) or [0]
    if not others:
        return 0
    if len(others) == 1:
        return others[0] + 2 * (least - 1)
    return _count_controlled(1 + len(others))[0] + 2 * sum(n - 1 for n in (least, *others))
