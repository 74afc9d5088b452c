"""Reversible operations as a Qiskit circuit of named operations (logical AND, MCX)."""

from __future__ import annotations

from collections.abc import Iterable

from qiskit import QuantumCircuit
from qiskit.circuit import Gate as QiskitGate
from qiskit.circuit.library import MCXGate

from gatesolve.circuit.lowering.lower import build, emit
from gatesolve.circuit.ops import Mcx, Op, PhaseFlip, Write, make_in_place
from gatesolve.circuit.parity import independent_parities


def named_circuit(ops: Iterable[Op], circuit: QuantumCircuit) -> QuantumCircuit:
    """Append ``ops`` to ``circuit`` as named gates: ``mcx`` for MCX, ``and`` for logical ANDs.

    Simulators support ``mcx`` directly, so simulate this circuit, and count the lowered one.
    """
    writer = _NamedWriter(circuit)
    for op in ops:
        op.export(writer)
    return circuit


class _NamedWriter:
    def __init__(self, circuit: QuantumCircuit) -> None:
        self._circuit = circuit

    def write_gates(self, op: Op) -> None:
        self._circuit.compose(build(emit([op]), self._circuit.num_qubits), inplace=True)

    def write_whole(self, op: Write) -> None:
        """Append one gate that is named and has a definition."""
        wires = op.wires
        gate = QiskitGate(op.title, len(wires), [])
        gate.definition = build(emit([op.renamed({wire: k for k, wire in enumerate(wires)})]), len(wires))
        self._circuit.append(gate, wires)

    def write_mcx(self, op: Mcx) -> None:
        if not op.controls:
            self._circuit.x(op.target)
            return
        # Qiskit reads the control state with the last control first.
        state = "".join("1" if value else "0" for _, value in reversed(op.controls))
        self._circuit.append(MCXGate(len(op.controls), ctrl_state=state), [*(q for q, _ in op.controls), op.target])

    def write_flip(self, op: PhaseFlip) -> None:
        """Append a multi-controlled Z with its independent parities made in place; a small one as gates."""
        kept = independent_parities(op.factors) or ()
        if len(kept) < 3:
            self.write_gates(op)
            return
        circuit, qubits = self._circuit, [p.wires[0] for p in kept]
        inner = build(emit(make_in_place(kept)), circuit.num_qubits)
        circuit.compose(inner, inplace=True)
        # Z is X between two H, and Qiskit's simulators apply ``mcx`` directly.
        circuit.h(qubits[-1])
        circuit.append(MCXGate(len(qubits) - 1), qubits)
        circuit.h(qubits[-1])
        circuit.compose(inner.inverse(), inplace=True)
