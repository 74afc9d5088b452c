"""The normal form of a program's operations, each written as rotations by its definition, not by lowering's gates."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from gatesolve.circuit import And, AndNot, Gate, Mcx, Op, Ops, Parity, PhaseFlip, Xor, independent_parities
from gatesolve.circuit.lowering.rules.mcz import expand_mcz
from gatesolve.circuit.lowering.target import TOFFOLI, LoweringTarget
from gatesolve.circuit.ops import make_in_place
from gatesolve.errors import UnsupportedError
from gatesolve.proof.pauli import Pauli, pauli_of
from gatesolve.proof.rotations import GateSink, add_product
from gatesolve.proof.rules import is_multi_controlled_z
from gatesolve.proof.words import AXES, EIGHTHS, Word, Words


def add_ops(builder: GateSink, ops: Iterable[Op], aim: LoweringTarget, words: Words | None = None) -> None:
    """Give operations to a normal form, rotations that have a word in Clifford+T as that.

    A multi-controlled Z over more than three qubits is taken apart by the rule that lowering chooses for ``aim``, which
    is proved first, each shape once. In `TOFFOLI` ANDs have no relative phases.

    Raises:
        UnsupportedError: such a Z found no qubit to spare, or its rule is not proved.
    """
    for op in ops:
        match op:
            case Xor(source, target):
                for wire in source.wires:
                    builder.add_cx(wire, target)
                if source.constant:
                    builder.add_rotation(pauli_of([target], "X"), math.pi)
            case And(left, right, target) if aim.gates == TOFFOLI:
                builder.add_h(target)
                add_product(builder, [_z(left), _z(right), pauli_of([target])])
                builder.add_h(target)
            case And(left, right, target):
                _add_and(builder, _z(left), _z(right), target)
            case AndNot(head, left, right, target):
                _add_and_not(builder, _z(head), _z(left), _z(right), target)
            case Mcx(target=target, clean=clean):
                builder.add_h(target)
                flip = PhaseFlip((*op.literals, Parity((target,))), clean)
                add_ops(builder, [flip], aim)
                builder.add_h(target)
            case PhaseFlip(factors, clean):
                _add_phase(builder, factors, clean, aim)
            case Gate():
                _add_gate(builder, op, words or {})


def _z(parity: Parity) -> Pauli:
    """The Pauli that is -1 where the parity is 1."""
    return pauli_of(parity.wires, "Z", parity.constant)


def _add_and(builder: GateSink, left: Pauli, right: Pauli, target: int) -> None:
    """Four eighths of a turn about X of the target times what the sides are, then -1 where left and target are 1."""
    x = pauli_of([target], "X")
    for eighths, axis in ((1, x), (-1, x * right), (1, x * right * left), (-1, x * left)):
        builder.add_rotation(axis, eighths * math.pi / 4)
    add_product(builder, [left, pauli_of([target])])


def _add_and_not(builder: GateSink, head: Pauli, left: Pauli, right: Pauli, target: int) -> None:
    """X or -X of the target where the head is 1, between turns that lead to the axis in `AndNot`, and back."""
    x, z = pauli_of([target], "X"), pauli_of([target])
    turns = [(x, 1), (x * right, -1), (z, -1), (z * left, 1)]
    for axis, eighths in turns:
        builder.add_rotation(axis, eighths * math.pi / 4)
    add_product(builder, [head, x * right])
    for axis, eighths in reversed(turns):
        builder.add_rotation(axis, -eighths * math.pi / 4)


def _add_phase(builder: GateSink, factors: tuple[Parity, ...], clean: tuple[int, ...], aim: LoweringTarget) -> None:
    parities = independent_parities(factors)
    if not parities:
        return  # never, or everywhere: a global phase
    if len(parities) <= 3:
        add_product(builder, [_z(parity) for parity in parities])
        return
    add_ops(builder, _apply_rule(parities, clean, aim), aim)


def _apply_rule(parities: Sequence[Parity], clean: tuple[int, ...], aim: LoweringTarget) -> Ops:
    """A Z over more than three parities as smaller operations."""
    make = make_in_place(parities)
    qubits = tuple(parity.wires[0] for parity in parities)
    others = aim.others((*qubits, *clean))
    smaller = expand_mcz(qubits, clean, others, aim)
    if smaller is None:
        raise UnsupportedError(f"a Z over {len(qubits)} qubits without a spare one is not proved")
    if not is_rule_right(len(qubits), len(clean), len(others), replace(aim, num_qubits=0)):
        raise UnsupportedError(f"the rule for a Z over {len(qubits)} qubits is not proved")
    return (*make, *smaller, *make[::-1])


def list_rules(ops: Iterable[Op], aim: LoweringTarget) -> dict[Op, Ops]:
    """Each different multi-controlled operation over more than three qubits, and what it is taken apart to.

    Raises:
        UnsupportedError: one found no qubit to spare, or its rule is not proved.
    """
    wide = (op for op in dict.fromkeys(ops) if isinstance(op, Mcx | PhaseFlip))
    parts = {op: tuple(_take_apart(op, aim)) for op in wide}
    return {op: part for op, part in parts.items() if part != (op,)}


def _take_apart(op: Op, aim: LoweringTarget) -> Iterator[Op]:
    match op:
        case Mcx(target=target, clean=clean):
            hadamard = Gate("h", (target,))
            yield hadamard
            yield from _take_apart(PhaseFlip((*op.literals, Parity((target,))), clean), aim)
            yield hadamard
        case PhaseFlip(factors, clean):
            parities = independent_parities(factors) or ()
            if len(parities) <= 3:
                yield op
                return
            for part in _apply_rule(parities, clean, aim):
                yield from _take_apart(part, aim)
        case _:
            yield op


@lru_cache(maxsize=1024)
def is_rule_right(num_qubits: int, clean: int, others: int, aim: LoweringTarget) -> bool:
    """Whether what lowering takes a multi-controlled Z apart to is such a Z, given so many qubits to spare."""
    wires = range(num_qubits + clean + others)
    zeros = wires[num_qubits : num_qubits + clean]
    ops = expand_mcz(wires[:num_qubits], zeros, wires[num_qubits + clean :], aim)
    if ops is not None and aim.gates == TOFFOLI:
        ops = tuple(map(_without_phase, ops))
    return ops is not None and is_multi_controlled_z(ops, wires[:num_qubits], zeros, len(wires))


def _without_phase(op: Op) -> Op:
    if not isinstance(op, And):
        return op
    (left,), (right,) = op.left.wires, op.right.wires
    return Mcx(((left, not op.left.constant), (right, not op.right.constant)), op.target)


def _add_gate(builder: GateSink, gate: Gate, words: Words) -> None:
    match gate.name:
        case "h":
            builder.add_h(*gate.qubits)
        case "cx":
            builder.add_cx(*gate.qubits)
        case "cz":
            add_product(builder, [pauli_of([qubit]) for qubit in gate.qubits])
        case "x":
            builder.add_rotation(pauli_of(gate.qubits, "X"), math.pi)
        case name if name in EIGHTHS:
            builder.add_rotation(pauli_of(gate.qubits), EIGHTHS[name] * math.pi / 4)
        case name if name in AXES:
            if gate.params[0] in words:
                _add_word(builder, gate.qubits[0], AXES[name], words[gate.params[0]])
            else:
                builder.add_rotation(pauli_of(gate.qubits, AXES[name]), gate.params[0])
        case name:
            raise UnsupportedError(f"gate {name} is not proved")


def _add_word(builder: GateSink, qubit: int, axis: str, word: Word) -> None:
    """A rotation that Clifford+T only approximates: the word that stands for it."""
    before, after = (("sdg", "h"), ("h", "s")) if axis == "Y" else ((), ())
    for name in (*before, *word, *after):
        _add_gate(builder, Gate(name, (qubit,)), {})
