"""Reversible operations to gates of one and two qubits.

Gates are written as ``(name, qubits, angle)`` with Qiskit's names; the angle is 0 where there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from gatesolve.circuit.lowering.target import LoweringTarget
from gatesolve.circuit.ops import (
    INVERSE_NAMES,
    And,
    AndNot,
    Gate,
    Mcx,
    Op,
    Ops,
    Parity,
    PhaseFlip,
    Xor,
    independent_parities,
    make_in_place,
)

LowGate = tuple[str, tuple[int, ...], float]
Expand = Callable[[Sequence[int], Sequence[int], Sequence[int], LoweringTarget], Ops | None]
"""Writes a multi-controlled Z over qubits, with clean and borrowed ones, as smaller operations; None if it cannot."""


def emit_gates(ops: Iterable[Op], aim: LoweringTarget, expand: Expand | None) -> Iterator[LowGate]:
    """Gates for ``ops`` over h, x, z, s, sdg, t, tdg, ry, cx, and ``mcz_noaux`` where no qubit was spare.

    With Toffoli gates an And is a ``ccx`` without a phase, as `settle_phases` has it, as is a phase of three factors.

    ``expand`` writes multi-controlled Z over four qubits or more.

    Cost: And 3 CX and 4 T, AndNot 5 CX and 8 T (more for further wires of a parity), CCZ 6 CX and 7 T, multi-controlled
    Z over n qubits 6 n - 12 CX and 8 n - 17 T with at least one clean ancilla; see
    `gatesolve.circuit.lowering.rules.mcz` without one.
    """
    for op in ops:
        match op:
            case Xor(source, target):
                yield from (("cx", (wire, target), 0.0) for wire in source.wires)
                if source.constant:
                    yield "x", (target,), 0.0
            case And(left, right, target) if aim.facts.has_toffoli:
                yield from _toffoli(left, right, target, aim)
            case And(Parity((first,), False), Parity((second,), False), target, undo) if (
                aim.metric == "t_depth" and first != second
            ):
                yield from _two_t_layers(first, second, target, undo)
            case And(left, right, target, undo):
                yield from _relative_toffoli(left, right, target, undo)
            case AndNot():
                yield from _and_not(op)
            case Mcx(target=target, clean=clean):
                yield "h", (target,), 0.0
                yield from _phase((*op.literals, Parity((target,))), clean, aim, expand)
                yield "h", (target,), 0.0
            case PhaseFlip(factors, clean):
                yield from _phase(factors, clean, aim, expand)
            case Gate(name="cz", qubits=(first, second)):
                yield from _cz(first, second)
            case Gate(name, qubits, params):
                yield name, qubits, params[0] if params else 0.0


def _toffoli(left: Parity, right: Parity, target: int, aim: LoweringTarget) -> Iterator[LowGate]:
    """One CCX, its controls made in place and taken off again."""
    sides = independent_parities((left, right))
    if sides is None:
        return
    if len(sides) < 2:
        yield from emit_gates([Xor(sides[0] if sides else Parity((), True), target)], aim, None)
        return
    make = list(emit_gates(make_in_place(sides), aim, None))
    yield from (*make, ("ccx", (sides[0].wires[0], sides[1].wires[0], target), 0.0), *reversed(make))


def _relative_toffoli(left: Parity, right: Parity, target: int, undo: bool) -> Iterator[LowGate]:
    """Margolus' gate with parities as controls; complements become signs of the T gates.

    Without complements: H T C(right) T' C(left) T C(right) T' H. A complement of ``right``
    flips the two middle signs; one of ``left`` flips the last two and leaves a Z.
    """
    signs = [1, -1, 1, -1]
    if right.constant:
        signs[1], signs[2] = -signs[1], -signs[2]
    if left.constant:
        signs[2], signs[3] = -signs[2], -signs[3]
    gates: list[LowGate] = [("h", (target,), 0.0)]
    for sign, controls in zip(signs, (right, left, right, None), strict=True):
        gates.append(("t" if sign > 0 else "tdg", (target,), 0.0))
        if controls is not None:
            gates.extend(("cx", (wire, target), 0.0) for wire in controls.wires)
    gates.append(("h", (target,), 0.0))
    if left.constant:
        gates.append(("z", (target,), 0.0))
    yield from reverse_gates(gates) if undo else gates


def _and_not(op: AndNot) -> Iterator[LowGate]:
    """Turns that lead to the axis of `AndNot`, CX from the head, and the turns undone."""
    wire = (op.target,)

    def cx(parity: Parity) -> list[LowGate]:
        return [*(("cx", (w, op.target), 0.0) for w in parity.wires), *([("x", wire, 0.0)] if parity.constant else [])]

    def turn(*names: str) -> list[LowGate]:
        return [(name, wire, 0.0) for name in names]

    turns = [*turn("h", "t"), *cx(op.right), *turn("tdg", "h", "tdg"), *cx(op.left), *turn("t")]
    yield from (*turns, *cx(op.head), *reverse_gates(turns))


def _two_t_layers(first: int, second: int, target: int, undo: bool) -> Iterator[LowGate]:
    """Yield the gates of an AND in two layers of T, with 7 CX: the phase polynomial of a product with three T at once.

    The CX before it makes the phases those of Margolus' gate. Source: Selinger, arXiv:1210.0974, section III.
    """
    gates: list[LowGate] = [
        (name, qubits, 0.0)
        for name, qubits in (
            ("h", (target,)), ("cx", (first, target)), ("cx", (target, first)), ("cx", (target, second)),
            ("tdg", (target,)), ("t", (first,)), ("t", (second,)), ("cx", (target, first)), ("cx", (first, second)),
            ("tdg", (second,)), ("cx", (first, second)), ("cx", (target, second)), ("h", (target,)),
        )
    ]  # fmt: skip
    yield from reverse_gates(gates) if undo else gates


def reverse_gates(gates: Sequence[LowGate]) -> list[LowGate]:
    """The inverse of gates without angles."""
    return [(INVERSE_NAMES.get(name, name), qubits, angle) for name, qubits, angle in reversed(gates)]


def _phase(
    factors: tuple[Parity, ...], clean: tuple[int, ...], aim: LoweringTarget, expand: Expand | None
) -> Iterator[LowGate]:
    """Phase -1 where all factors are 1."""
    parities = independent_parities(factors)
    if parities is None:
        return
    if len(parities) == 1:
        # Z of a parity is Z on each of its wires; a complement is a global phase.
        yield from (("z", (wire,), 0.0) for wire in parities[0].wires)
        return
    if len(parities) == 2:
        yield from _phase_of_two(aim, *parities)
        return
    make = list(emit_gates(make_in_place(parities), aim, expand))
    qubits = tuple(parity.wires[0] for parity in parities)
    yield from make
    if len(qubits) == 3:
        turn = ("h", qubits[-1:], 0.0)
        yield from (turn, ("ccx", qubits, 0.0), turn) if aim.facts.has_toffoli else _ccz(*qubits)
    elif qubits:
        ops = None if expand is None else expand(qubits, clean, aim.others((*qubits, *clean)), aim)
        yield from [("mcz_noaux", qubits, 0.0)] if ops is None else emit_gates(ops, aim, expand)
    yield from reversed(make)


def _phase_of_two(aim: LoweringTarget, first: Parity, second: Parity) -> Iterator[LowGate]:
    """CZ over two parities: bilinear, one of them made in place at most."""
    short, long = sorted((first, second), key=lambda p: len(p.wires))
    pivot = short.wires[0]
    make = list(emit_gates(make_in_place([short]), aim, None))
    yield from make
    for wire in long.wires:
        yield from _cz(pivot, wire)
    if long.constant:
        yield "z", (pivot,), 0.0
    yield from reversed(make)


def _cz(first: int, second: int) -> Iterator[LowGate]:
    yield "h", (second,), 0.0
    yield "cx", (first, second), 0.0
    yield "h", (second,), 0.0


def _ccz(a: int, b: int, c: int) -> Iterator[LowGate]:
    """Six CX, seven T: the phase polynomial of a b c. Source: Nielsen and Chuang, figure 4.9.

    The phase of a ^ b is added between the uses of c, and T gates alone come first, where they merge with what
    made a, b and c: so b is held for five layers and a, which may come one later, for six.
    """
    for name, qubits in (
        ("t", (a,)), ("t", (b,)), ("t", (c,)), ("cx", (b, c)), ("cx", (a, b)), ("tdg", (c,)), ("tdg", (b,)),
        ("cx", (a, c)), ("cx", (a, b)), ("t", (c,)), ("cx", (b, c)), ("tdg", (c,)), ("cx", (a, c)),
    ):  # fmt: skip
        yield name, qubits, 0.0
