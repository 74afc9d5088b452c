"""Two-qubit gates of reversible operations, for choosing between plans before lowering."""

from __future__ import annotations

from collections.abc import Iterable

from gatesolve.reversible.ops import And, Gate, Mcx, Op, Parity, PhaseFlip, Xor


def cx_cost(ops: Iterable[Op]) -> int:
    """CX of ``ops`` when every multi-controlled gate finds a clean ancilla; lowering's passes may need fewer."""
    return sum(_cost(op) for op in ops)


def _cost(op: Op) -> int:
    match op:
        case Xor(source, _):
            return len(source.wires)
        case And(left, right, _):
            short, long = sorted((len(left.wires), len(right.wires)))
            return 3 + max(long - 1, 0) + 2 * max(short - 1, 0)
        case Mcx(controls, _):
            return _controlled(len(controls) + 1)
        case PhaseFlip(factors):
            return _controlled(len(factors)) + _in_place(factors)
        case Gate(name=name):
            return int(name in {"cx", "cz"})


def _controlled(qubits: int) -> int:
    """Multi-controlled Z over ``qubits``: CX 6 n - 6 for n controls."""
    return {0: 0, 1: 0, 2: 1}.get(qubits, 6 * (qubits - 2))


def _in_place(factors: tuple[Parity, ...]) -> int:
    """Longer parities are made on one of their wires and taken off again; in a CZ they distribute."""
    further = sum(max(len(f.wires) - 1, 0) for f in factors)
    return further if len(factors) <= 2 else 2 * further
