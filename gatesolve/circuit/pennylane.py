"""Programs as quantum functions of PennyLane, in its own operations.

Wire q is qubit q of the program: the space's qubits first, then the ancillas, which start at zero and end at zero. The
state is the program's up to a global phase. PennyLane is imported when a function here is called.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from qiskit import QuantumCircuit

from gatesolve.circuit.gates import LowGate
from gatesolve.circuit.lowering.lower import emit
from gatesolve.circuit.ops import And, Mcx, Op, Ops, PhaseFlip, Write, Xor
from gatesolve.circuit.parity import Parity, independent_parities
from gatesolve.circuit.pennylane_gates import apply_gate, require_pennylane

QuantumFunction = Callable[[], None]


def named_function(ops: Ops) -> QuantumFunction:
    """Return a quantum function of named operations, whose angles may be PennyLane's trainable tensors.

    ANDs are ``LogicalAnd``, which has its own decomposition. MCX are ``MultiControlledX`` with control values and work
    wires. Phases are controlled ``PauliZ``. The rest is CNOT and one-qubit gates.

    Raises:
        MissingExtraError: PennyLane is not installed.
    """
    require_pennylane()
    return lambda: apply_ops(ops)


def lowered_function(low: QuantumCircuit) -> QuantumFunction:
    """Return a quantum function of a lowered circuit, gate by gate, without its final measurement.

    CX is ``CNOT``. A general one-qubit gate ``u(theta, phi, lambda)`` is ``Rot(lambda, theta, phi)``, equal up to a
    global phase. A measurement whose outcome is used is ``qml.measure``, and gates that depend on it are ``qml.cond``.

    Raises:
        MissingExtraError: PennyLane is not installed.
    """
    require_pennylane()
    return lambda: _apply_circuit(low, range(low.num_qubits), {})


def apply_ops(ops: Iterable[Op]) -> None:
    """Queue operations."""
    writer = _OpQueue()
    for op in ops:
        op.export(writer)


class _OpQueue:
    def __init__(self) -> None:
        self._qml = require_pennylane()

    def write_gates(self, op: Op) -> None:
        _apply_gates(emit([op]))

    def write_whole(self, op: Write) -> None:
        """Queue a ``LogicalAnd``, and gates for what is no single AND."""
        from gatesolve.circuit.pennylane_and import LogicalAnd

        if isinstance(op, And):
            LogicalAnd(op.wires, op.renamed({wire: k for k, wire in enumerate(op.wires)}))
        else:
            self.write_gates(op)

    def write_mcx(self, op: Mcx) -> None:
        values = [value for _, value in op.controls]
        wires = (*(qubit for qubit, _ in op.controls), op.target)
        if not values:
            self._qml.PauliX(op.target)
        elif values == [True]:
            self._qml.CNOT(wires)
        else:
            self._qml.MultiControlledX(wires, control_values=values, **_lend(op))

    def write_flip(self, op: PhaseFlip) -> None:
        """Queue parities made in place, then a controlled Z on their first wires."""
        qml = self._qml
        kept = independent_parities(op.factors)
        if not kept:
            return
        if len(kept) == 1:
            # A complement is a global phase.
            for wire in kept[0].wires:
                qml.PauliZ(wire)
            return
        # These commute, because no first wire is in another factor, so applying them again undoes them.
        make = [Xor(Parity(p.wires[1:]), p.wires[0]) for p in kept]
        # The target of Z has no control value, so its parity must not be a complement: an X removes it if needed.
        kept.sort(key=lambda p: not p.constant)
        target = kept[-1]
        if target.constant:
            make.append(Xor(Parity((), True), target.wires[0]))
        _apply_gates(emit(make))
        controls = [p.wires[0] for p in kept[:-1]]
        qml.ctrl(qml.PauliZ(target.wires[0]), controls, control_values=[not p.constant for p in kept[:-1]], **_lend(op))
        _apply_gates(emit(make))


def _lend(op: Op) -> dict[str, Any]:
    """Return the options for lent qubits, which PennyLane's simulators leave alone."""
    return {"work_wires": op.lent, "work_wire_type": "zeroed"} if op.lent else {}


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
            # The second block is the else branch, if there is one.
            for value, block in zip((outcome, ~outcome), operation.blocks, strict=False):
                qml.cond(value, _apply_circuit)(block, places, outcomes)
        else:
            apply_gate(operation.name, places, operation.params)


def _apply_gates(gates: Iterable[LowGate]) -> None:
    for name, wires, angle in gates:
        apply_gate(name, wires, (angle,))
