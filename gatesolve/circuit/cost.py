"""Two-qubit and T gates of reversible operations, for choosing between plans before lowering."""

from __future__ import annotations

from collections.abc import Iterable

from gatesolve.circuit.ops import And, Gate, Mcx, Op, Parity, PhaseFlip, Xor, independent_parities


def count_cx(ops: Iterable[Op]) -> int:
    """CX of ``ops`` when every multi-controlled gate finds a clean ancilla; lowering's passes may need fewer."""
    return sum(_cost(op) for op in ops)


def _cost(op: Op) -> int:
    match op:
        case Xor(source, _):
            return len(source.wires)
        case And(left, right, _):
            return len(left.wires) + 2 * len(right.wires)
        case Mcx(controls, _):
            return _controlled(len(controls) + 1)
        case PhaseFlip(factors):
            return _phase(factors)
        case Gate(name=name):
            return int(name in {"cx", "cz"})


def _controlled(qubits: int) -> int:
    """Multi-controlled Z over ``qubits``: CX 6 n - 6 for n controls."""
    return {0: 0, 1: 0, 2: 1}.get(qubits, 6 * (qubits - 2))


def _phase(factors: tuple[Parity, ...]) -> int:
    """Longer parities are made on one of their wires and taken off again; CZ and Z distribute over the longest."""
    parities = independent_parities(factors)
    if parities is None:
        return 0
    lengths = sorted(len(p.wires) for p in parities)
    if len(lengths) <= 1:
        return 0
    if len(lengths) == 2:
        return lengths[1] + 2 * (lengths[0] - 1)
    return _controlled(len(lengths)) + 2 * sum(n - 1 for n in lengths)


ROTATION_T = 100
"""T of a rotation that Clifford+T only approximates: about what Ross-Selinger needs at 1e-10."""
CLIFFORD = frozenset({"h", "x", "z", "s", "sdg", "cx", "cz"})


def count_t(ops: Iterable[Op]) -> int:
    """T of ``ops`` under the same assumption."""
    return sum(_t(op) for op in ops)


def _t(op: Op) -> int:
    match op:
        case And():
            return 4
        case Mcx(controls, _):
            return _controlled_t(len(controls) + 1)
        case PhaseFlip(factors):
            return _controlled_t(len(independent_parities(factors) or ()))
        case Gate(name=name):
            return 0 if name in CLIFFORD else 1 if name in {"t", "tdg"} else ROTATION_T
    return 0


def _controlled_t(qubits: int) -> int:
    """Multi-controlled Z over ``qubits``: 8 n - 9 for n controls."""
    return 0 if qubits < 3 else 8 * qubits - 17
