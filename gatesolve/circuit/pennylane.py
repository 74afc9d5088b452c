"""Programs as quantum functions of PennyLane, in its own operations.

Wire q is qubit q of the program: the space's qubits first, then the ancillas, which start at zero and end at zero. The
state is the program's up to a global phase. PennyLane is imported when a function here is called.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from qiskit import QuantumCircuit

from gatesolve.circuit.lowering.gates import LowGate
from gatesolve.circuit.lowering.lower import emit
from gatesolve.circuit.ops import And, AndNot, Gate, Mcx, Op, Ops, Parity, PhaseFlip, Xor, independent_parities
from gatesolve.circuit.pennylane_gates import apply_gate, require_pennylane

QuantumFunction = Callable[[], None]


def named_function(ops: Ops) -> QuantumFunction:
    """A quantum function of named operations.

    ``LogicalAnd`` for ANDs, with a decomposition of its own; ``MultiControlledX`` with control values and work wires
    for MCX; a controlled ``PauliZ`` for phases; CNOT and one-qubit gates.

    Angles may be PennyLane's trainable tensors.

    Raises:
        MissingExtraError: PennyLane is not installed.
    """
    require_pennylane()
    return lambda: apply_ops(ops)


def lowered_function(low: QuantumCircuit) -> QuantumFunction:
    """A quantum function of a lowered circuit, gate by gate, without its final measurement.

    CX is ``CNOT``, and a general one-qubit gate ``u(theta, phi, lambda)`` is ``Rot(lambda, theta, phi)``, equal up to a
    global phase. A measurement whose outcome is used is ``qml.measure``, and what depends on it ``qml.cond``.

    Raises:
        MissingExtraError: PennyLane is not installed.
    """
    require_pennylane()
    return lambda: _apply_circuit(low, range(low.num_qubits), {})


def apply_ops(ops: Iterable[Op]) -> None:
    """Queue operations."""
    qml = require_pennylane()
    from gatesolve.circuit.pennylane_and import LogicalAnd

    for op in ops:
        match op:
            case And(left, right, target, undo):
                wires = tuple(dict.fromkeys((*left.wires, *right.wires, target)))
                place = {wire: k for k, wire in enumerate(wires)}
                LogicalAnd(wires, And(left.renamed(place), right.renamed(place), place[target], undo))
            case Mcx((), target):
                qml.PauliX(target)
            case Mcx(((control, True),), target):
                qml.CNOT((control, target))
            case Mcx(controls, target, clean):
                qubits, values = [q for q, _ in controls], [value for _, value in controls]
                # Clean qubits are only lent: PennyLane's simulators leave them alone.
                lent: dict[str, Any] = {"work_wires": clean, "work_wire_type": "zeroed"} if clean else {}
                qml.MultiControlledX((*qubits, target), control_values=values, **lent)
            case PhaseFlip(factors, clean):
                _apply_flip(factors, clean)
            case Gate("cz", qubits):
                qml.CZ(qubits)
            case Xor() | AndNot() | Gate():
                _apply_gates(emit([op]))


def _apply_flip(factors: tuple[Parity, ...], clean: tuple[int, ...]) -> None:
    """Phase -1 where all factors are 1: parities made in place, then a controlled Z on their first wires."""
    qml = require_pennylane()
    kept = independent_parities(factors)
    if not kept:
        return
    if len(kept) == 1:
        # A complement is a global phase.
        for wire in kept[0].wires:
            qml.PauliZ(wire)
        return
    # These commute, as no first wire is in another factor: the same once more undoes them.
    make = [Xor(Parity(p.wires[1:]), p.wires[0]) for p in kept]
    # The qubit that Z is on has no control value: its parity is not a complement, or an X makes it none.
    kept.sort(key=lambda p: not p.constant)
    target = kept[-1]
    if target.constant:
        make.append(Xor(Parity((), True), target.wires[0]))
    _apply_gates(emit(make))
    lent: dict[str, Any] = {"work_wires": clean, "work_wire_type": "zeroed"} if clean else {}
    controls = [p.wires[0] for p in kept[:-1]]
    qml.ctrl(qml.PauliZ(target.wires[0]), controls, control_values=[not p.constant for p in kept[:-1]], **lent)
    _apply_gates(emit(make))


def _apply_circuit(circuit: QuantumCircuit, wires: Sequence[int], outcomes: dict[Any, Any]) -> None:
    """Queue a circuit on ``wires``; ``outcomes`` holds what was measured, by classical bit."""
    qml = require_pennylane()
    tested = {i.operation.condition[0] for i in circuit.data if i.operation.name == "if_else"}
    for instruction in circuit.data:
        operation = instruction.operation
        places = [wires[circuit.find_bit(q).index] for q in instruction.qubits]
        if operation.name == "measure":
            if instruction.clbits[0] in tested:
                outcomes[instruction.clbits[0]] = qml.measure(places[0])
        elif operation.name == "if_else":
            outcome = outcomes[operation.condition[0]]
            for value, block in zip((outcome, ~outcome), operation.blocks, strict=False):
                qml.cond(value, _apply_circuit)(block, places, outcomes)
        else:
            apply_gate(operation.name, places, operation.params)


def _apply_gates(gates: Iterable[LowGate]) -> None:
    for name, wires, angle in gates:
        apply_gate(name, wires, (angle,))
