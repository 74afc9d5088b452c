"""Circuits as files: QPY, and OpenQASM 2 restricted to the gates that ``qelib1.inc`` defines."""

from __future__ import annotations

import io

from qiskit import QuantumCircuit, qasm2, qpy
from qiskit.circuit.library import U3Gate


def strict_qasm2(circuit: QuantumCircuit) -> str:
    """Return OpenQASM 2 text, with ``u3`` for general one-qubit gates; gate order and measurements are kept."""
    # Qiskit writes ``u``, which it cannot read back. The order is kept because exact sparse simulators track few terms
    # in it.
    strict = circuit
    if "u" in circuit.count_ops():
        strict = circuit.copy_empty_like()
        for instruction in circuit.data:
            operation = instruction.operation
            gate = U3Gate(*operation.params) if operation.name == "u" else operation
            strict.append(gate, instruction.qubits, instruction.clbits, copy=False)
    text: str = qasm2.dumps(strict)
    return text.rstrip("\n") + "\n"


def encode_qpy(*circuits: QuantumCircuit) -> bytes:
    """Return the circuits in Qiskit's own file format."""
    written = io.BytesIO()
    qpy.dump(list(circuits), written)
    return written.getvalue()
