"""The exact distribution of what a circuit measures at its end, by a plain state vector that follows every branch."""

from __future__ import annotations

import numpy as np
from qiskit import QuantumCircuit
from qiskit.quantum_info import Operator

LEAST = 1e-13


def distribution(circuit: QuantumCircuit, register: str = "measured") -> dict[str, float]:
    """Probabilities of the register's values as bit strings, bit 0 rightmost; idle qubits cost nothing."""
    used = sorted({circuit.find_bit(q).index for i in circuit.data if i.operation.name != "barrier" for q in i.qubits})
    place = {q: k for k, q in enumerate(used)}
    state = np.zeros((2,) * len(used), dtype=complex)
    state[(0,) * len(used)] = 1
    wanted = next(creg for creg in circuit.cregs if creg.name == register)
    bits = [circuit.find_bit(bit).index for bit in wanted]
    before, last = _split(circuit)
    axes = {bit: place[q] for bit, q in last.items()}
    found: dict[str, float] = {}
    for branch, values in _followed(before, [(state, {})], place, list(range(circuit.num_clbits))):
        shares = np.abs(branch) ** 2
        for index in np.argwhere(shares > LEAST):
            read = {**values, **{bit: int(index[axis]) for bit, axis in axes.items()}}
            key = "".join(str(read.get(bit, 0)) for bit in reversed(bits))
            found[key] = found.get(key, 0.0) + float(shares[tuple(index)])
    return found


def _split(circuit):
    """The circuit without the measurements that nothing follows, and those: the qubit behind each bit."""
    before, last, busy = circuit.copy_empty_like(), {}, set()
    kept = []
    for instruction in reversed(circuit.data):
        qubits = {circuit.find_bit(q).index for q in instruction.qubits}
        bits = {("bit", circuit.find_bit(c).index) for c in instruction.clbits}
        if instruction.operation.name == "measure" and not (qubits | bits) & busy:
            last[circuit.find_bit(instruction.clbits[0]).index] = qubits.pop()
        elif instruction.operation.name != "barrier":
            kept.append(instruction)
            busy |= qubits | bits
    for instruction in reversed(kept):
        before.append(instruction)
    return before, last


def _followed(circuit, branches, place, clbits):
    """Every branch after the circuit; ``place`` and ``clbits`` say where its bits are outside."""
    for instruction in circuit.data:
        operation, name = instruction.operation, instruction.operation.name
        qubits = [circuit.find_bit(q).index for q in instruction.qubits]
        bits = [clbits[circuit.find_bit(c).index] for c in instruction.clbits]
        if name == "barrier":
            continue
        if name == "measure":
            branches = [new for old in branches for new in _measured(*old, place[qubits[0]], bits[0])]
        elif name == "if_else":
            branches = [new for old in branches for new in _branched(circuit, instruction, old, place, clbits)]
        else:
            matrix = _matrix(operation)
            branches = [(_applied(matrix, state, [place[q] for q in qubits]), values) for state, values in branches]
    return branches


def _matrix(operation):
    return Operator(operation).data


def _applied(matrix, state, axes):
    """Qiskit's matrices have the first qubit lowest."""
    count = len(axes)
    shaped = np.asarray(matrix).reshape((2,) * (2 * count))
    order = list(reversed(axes))
    return np.moveaxis(np.tensordot(shaped, state, axes=(range(count, 2 * count), order)), range(count), order)


def _measured(state, values, axis, bit):
    for value in (0, 1):
        kept = np.zeros_like(state)
        index = [slice(None)] * state.ndim
        index[axis] = value
        kept[tuple(index)] = state[tuple(index)]
        if np.sum(np.abs(kept) ** 2) > LEAST:
            yield kept, {**values, bit: value}


def _branched(circuit, instruction, old, place, clbits):
    _, values = old
    bit, wanted = instruction.operation.condition
    blocks = instruction.operation.blocks
    chosen = 0 if values.get(clbits[circuit.find_bit(bit).index], 0) == int(wanted) else 1
    if chosen >= len(blocks):
        return [old]
    inner = [circuit.find_bit(q).index for q in instruction.qubits]
    outer = [clbits[circuit.find_bit(c).index] for c in instruction.clbits]
    return _followed(blocks[chosen], [old], {k: place[q] for k, q in enumerate(inner)}, outer)
