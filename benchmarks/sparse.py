"""Exact simulation of lowered oracles on all codewords at once, keeping only amplitudes that are not zero.

An oracle leaves every codeword where it is, and in between only a few ancillas
are in superposition. So a circuit of CX and one-qubit gates is followed on the
sum of all codewords as a list of basis states (one 64-bit word each) with
amplitudes: no 2^n array, whoever made the circuit.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from qiskit import QuantumCircuit
from qiskit.circuit import CircuitInstruction

Step = tuple[NDArray[np.complex128] | None, tuple[int, ...]]
MOST_STATES = 1 << 22
"""Support from which a simulation is given up (about 100 MB)."""


def marked(circuit: QuantumCircuit, states: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Which basis states a phase oracle turns by -1.

    Args:
        circuit: CX and one-qubit gates on at most 64 qubits.
        states: basis states to try, qubit 0 the least significant bit, ancillas zero.

    Returns:
        One truth value a state. The phase of most states counts as +1: an oracle is right up to a global phase.

    Raises:
        ValueError: the circuit does not bring the states back to themselves with phases +1 and -1, or cannot be
            followed within `MOST_STATES`.
    """
    order = np.argsort(states)
    keys, amplitudes = states[order].copy(), np.ones(len(states), dtype=complex)
    for matrix, qubits in _scheduled(circuit):
        if matrix is None:
            control, target = (np.uint64(q) for q in qubits)
            keys ^= (keys >> control & np.uint64(1)) << target
        else:
            keys, amplitudes = _one_qubit(matrix, np.uint64(qubits[0]), keys, amplitudes)
            if len(keys) > MOST_STATES:
                raise ValueError(f"more than {MOST_STATES} basis states in superposition, too many to check")
    after = np.argsort(keys)
    if not np.array_equal(keys[after], states[order]):
        raise ValueError("ancillas are not clean or codewords move")
    signs = amplitudes[after] / amplitudes[after][0]
    if np.abs(np.abs(signs.real) - 1).max() > 1e-9 or np.abs(signs.imag).max() > 1e-9:
        raise ValueError("phases other than +1 and -1")
    negative = signs.real < 0
    result = np.empty(len(states), dtype=bool)
    result[order] = ~negative if 2 * negative.sum() > len(states) else negative
    return result


def _one_qubit(
    matrix: NDArray[np.complex128], qubit: np.uint64, keys: NDArray[np.uint64], amplitudes: NDArray[np.complex128]
) -> tuple[NDArray[np.uint64], NDArray[np.complex128]]:
    bit = (keys >> qubit & np.uint64(1)).astype(np.intp)
    stay, move = amplitudes * matrix[bit, bit], amplitudes * matrix[1 - bit, bit]
    flipped = keys ^ np.uint64(1 << int(qubit))
    if not np.any(np.abs(matrix[[0, 1], [1, 0]]) > 1e-12):
        return keys, stay
    if not np.any(np.abs(np.diag(matrix)) > 1e-12):
        return flipped, move
    both, place = np.unique(np.concatenate([keys, flipped]), return_inverse=True)
    total = np.zeros(len(both), dtype=complex)
    np.add.at(total, place, np.concatenate([stay, move]))
    kept = np.abs(total) > 1e-10
    return both[kept], total[kept]


def _scheduled(circuit: QuantumCircuit) -> Iterator[Step]:
    """The gates, ordered so that few qubits are in superposition: one that opens another waits for all others."""
    steps = [_step(circuit, instruction) for instruction in circuit.data]
    queues: list[deque[int]] = [deque() for _ in circuit.qubits]
    for number, (_, qubits) in enumerate(steps):
        for qubit in qubits:
            queues[qubit].append(number)
    opened: set[int] = set()
    left = len(steps)
    while left:
        heads = {queue[0] for queue in queues if queue}
        ready = [n for n in heads if all(queues[q][0] == n for q in steps[n][1])]
        number = min(ready, key=lambda n: (_opens(steps[n], opened), n))
        matrix, qubits = steps[number]
        if _branches(matrix):
            opened ^= {qubits[0]}
        for qubit in qubits:
            queues[qubit].popleft()
        left -= 1
        yield matrix, qubits


def _step(circuit: QuantumCircuit, instruction: CircuitInstruction) -> Step:
    name = instruction.operation.name
    qubits = tuple(circuit.find_bit(q).index for q in instruction.qubits)
    if name == "cx":
        return None, qubits
    if len(qubits) != 1:
        raise ValueError(f"{name} is neither CX nor a one-qubit gate")
    return instruction.operation.to_matrix(), qubits


def _branches(matrix: NDArray[np.complex128] | None) -> bool:
    return matrix is not None and bool(np.all(np.abs(matrix) > 1e-12))


def _opens(step: Step, opened: set[int]) -> bool:
    return _branches(step[0]) and step[1][0] not in opened
