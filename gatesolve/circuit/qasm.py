"""Circuits as files: QPY, and OpenQASM 2 that every reader takes, of gates that ``qelib1.inc`` defines."""

from __future__ import annotations

import io

from qiskit import QuantumCircuit, qasm2, qpy
from qiskit.circuit.library import U3Gate


def strict_qasm2(circuit: QuantumCircuit) -> str:
    """The circuit as OpenQASM 2 text, each general one-qubit gate as a ``u3``, every gate where it stood.

    Qiskit writes ``u`` and then cannot read it back. The order is kept because exact sparse simulators, other
    people's too, follow few terms in it. Measurements stay.
    """
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
    """Circuits in Qiskit's own file format."""
    written = io.BytesIO()
    qpy.dump(list(circuits), written)
    return written.getvalue()
