"""Reversible operations as a Qiskit circuit of named operations (logical AND, MCX)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from qiskit import QuantumCircuit
from qiskit.circuit import Gate as QiskitGate
from qiskit.circuit.library import MCXGate

from gatesolve.circuit.lowering.lower import build, emit
from gatesolve.circuit.ops import (
    And,
    AndNot,
    Mcx,
    Op,
    Parity,
    PhaseFlip,
    independent_parities,
    make_in_place,
    read_parities,
    rename_wires,
)


def named_circuit(ops: Iterable[Op], circuit: QuantumCircuit) -> QuantumCircuit:
    """Append ``ops`` to ``circuit``, multi-controlled gates kept whole, logical ANDs as gates named ``and``.

    Simulators take ``mcx`` natively, so this is the circuit to simulate; the lowered one is the one to count.
    """
    for op in ops:
        match op:
            case And() | AndNot():
                read = (wire for parity in read_parities(op) for wire in parity.wires)
                wires = tuple(dict.fromkeys((*read, op.target)))
                name = "and_not" if isinstance(op, AndNot) else "and_dg" if op.undo else "and"
                circuit.append(_named_gate(name, op, wires), wires)
            case Mcx((), target):
                circuit.x(target)
            case Mcx(controls, target):
                qubits = [q for q, _ in controls]
                state = "".join("1" if value else "0" for _, value in reversed(controls))
                circuit.append(MCXGate(len(qubits), ctrl_state=state), [*qubits, target])
            case PhaseFlip(factors) if len(kept := independent_parities(factors) or ()) > 2:
                _phase_flip(kept, circuit)
            case _:
                circuit.compose(build(emit([op]), circuit.num_qubits), inplace=True)
    return circuit


def _named_gate(name: str, op: Op, wires: tuple[int, ...]) -> QiskitGate:
    gate = QiskitGate(name, len(wires), [])
    local = rename_wires([op], {wire: k for k, wire in enumerate(wires)})
    gate.definition = build(emit(local), len(wires))
    return gate


def _phase_flip(kept: Sequence[Parity], circuit: QuantumCircuit) -> None:
    """A multi-controlled Z with its independent parities made in place."""
    qubits = [p.wires[0] for p in kept]
    inner = build(emit(make_in_place(kept)), circuit.num_qubits)
    circuit.compose(inner, inplace=True)
    circuit.h(qubits[-1])
    circuit.append(MCXGate(len(qubits) - 1), qubits)
    circuit.h(qubits[-1])
    circuit.compose(inner.inverse(), inplace=True)
