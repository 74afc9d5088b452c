"""What leaving out a gate does to one outcome of a whole search, for all of its gates in one walk.

With the gates before a place as A and those after it as B, the amplitude of a basis state without the gate there is
<state| B A |0>. Walking from the end to the start, B backwards on the state and A on zeros are each one gate away from
those of the place before. An outcome is as many basis states as the wires that are not measured have values.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray
from qiskit import QuantumCircuit
from qiskit.quantum_info import Statevector

AT_ONCE = 16
"""Basis states walked back side by side, a vector of all amplitudes each."""
Array = NDArray[np.complex128]


def shift_of_likeliest(circuit: QuantumCircuit, read: Collection[int]) -> tuple[float, list[float]]:
    """The probability of the likeliest outcome of some wires, then without each gate what becomes of it."""
    state = int((np.abs(Statevector(circuit).data) ** 2).argmax())
    outcome = {wire: state >> wire & 1 for wire in read}
    nothing = circuit.copy()
    nothing.id(0)
    *changed, usual = probabilities_without(nothing, outcome)
    return usual, changed


def probabilities_without(circuit: QuantumCircuit, outcome: Mapping[int, int]) -> list[float]:
    """For each gate the exact probability of an outcome where that gate alone is left out.

    Args:
        circuit: CX and one-qubit gates.
        outcome: of each measured wire its value.
    """
    width = circuit.num_qubits
    free = [wire for wire in range(width) if wire not in outcome]
    base = sum(value << wire for wire, value in outcome.items())
    states = [
        base + sum(1 << wire for k, wire in enumerate(free) if number >> k & 1) for number in range(1 << len(free))
    ]
    gates = list(_read(circuit))
    found = np.zeros(len(gates))
    for first in range(0, len(states), AT_ONCE):
        found += _walk(gates, width, states[first : first + AT_ONCE])
    return found.tolist()


def _read(circuit: QuantumCircuit) -> Iterator[tuple[list[int], Array | None]]:
    """The wires of each gate, and its matrix where it is no CX."""
    for step in circuit.data:
        wires = [circuit.find_bit(qubit).index for qubit in step.qubits]
        yield wires, None if step.operation.name == "cx" else step.operation.to_matrix()


def _walk(gates: list[tuple[list[int], Array | None]], width: int, states: list[int]) -> NDArray[np.float64]:
    """The part that these states have in the probability, for each gate."""
    run = np.zeros((*[2] * width, 1), dtype=np.complex128)  # the last axis but one is wire 0
    run[(0,) * (width + 1)] = 1
    for wires, matrix in gates:
        apply(run, wires, matrix)
    back = np.zeros((1 << width, len(states)), dtype=np.complex128)
    back[states, range(len(states))] = 1
    backs = back.reshape(*[2] * width, len(states))
    found = np.zeros(len(gates))
    for place in reversed(range(len(gates))):
        wires, matrix = gates[place]
        inverse = None if matrix is None else matrix.conj().T
        apply(run, wires, inverse)
        amplitudes = run.reshape(-1)
        held = np.flatnonzero(np.abs(amplitudes) > 1e-14)
        found[place] = (np.abs(amplitudes[held].conj() @ back[held]) ** 2).sum()
        apply(backs, wires, inverse)
    return found


def apply(states: Array, wires: list[int], matrix: Array | None) -> None:
    """Apply CX, or the matrix of a one-qubit gate, in place; the axes before the last are the wires, the last first."""
    axes = [states.ndim - 2 - wire for wire in wires]
    if matrix is None:
        target = np.moveaxis(states, axes, (0, 1))[1]
        kept = target[0].copy()
        target[0], target[1] = target[1], kept
        return
    low, high = np.moveaxis(states, axes[0], 0)
    if abs(matrix[0, 1]) + abs(matrix[1, 0]) < 1e-12:
        if matrix[0, 0] != 1:
            low *= matrix[0, 0]
        high *= matrix[1, 1]
        return
    kept = matrix[0, 0] * low + matrix[0, 1] * high
    high *= matrix[1, 1]
    high += matrix[1, 0] * low
    low[...] = kept
