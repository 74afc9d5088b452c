"""Two-qubit and T gates of reversible operations, for choosing between plans before lowering."""

from __future__ import annotations

import math
from collections.abc import Iterable

from gatesolve.circuit.ops import And, Gate, Mcx, Op, Parity, PhaseFlip, Xor, independent_parities

ROTATION_T = 100
"""T of a rotation that Clifford+T only approximates: about what Ross-Selinger needs at 1e-10."""
CLIFFORD = frozenset({"h", "x", "z", "s", "sdg", "cx", "cz"})


def count_cx(ops: Iterable[Op]) -> int:
    """CX of ``ops`` when every multi-controlled gate finds a clean ancilla; lowering's passes may need fewer."""
    return sum(_cx_and_t(op)[0] for op in ops)


def count_t(ops: Iterable[Op]) -> int:
    """T of ``ops`` under the same assumption."""
    return sum(_cx_and_t(op)[1] for op in ops)


def _cx_and_t(op: Op) -> tuple[int, int]:
    match op:
        case Xor(source):
            return len(source.wires), 0
        case And(left, right):
            return len(left.wires) + 2 * len(right.wires), 4
        case Mcx(controls):
            return _count_controlled(len(controls) + 1)
        case PhaseFlip(factors):
            return _phase(factors)
        case Gate(name=name, params=params):
            return int(name in {"cx", "cz"}), 0 if name in CLIFFORD else _count_turn(params)


def _count_turn(params: tuple[float, ...]) -> int:
    """T of a turn by an angle; none stands for T itself."""
    eighths = params[0] / (math.pi / 4) if params else 1.0
    return round(eighths) % 2 if abs(eighths - round(eighths)) < 1e-9 else ROTATION_T


def _count_controlled(qubits: int) -> tuple[int, int]:
    """Multi-controlled Z over ``qubits``: CX 6 n - 6 and T 8 n - 9 for n controls."""
    return (int(qubits == 2), 0) if qubits < 3 else (6 * qubits - 12, 8 * qubits - 17)


def _phase(factors: tuple[Parity, ...]) -> tuple[int, int]:
    """Longer parities are made on one of their wires and taken off again; CZ and Z distribute over the longest."""
    lengths = sorted(len(p.wires) for p in independent_parities(factors) or ())
    if len(lengths) <= 1:
        return 0, 0
    if len(lengths) == 2:
        return lengths[1] + 2 * (lengths[0] - 1), 0
    cx, t = _count_controlled(len(lengths))
    return cx + 2 * sum(n - 1 for n in lengths), t
