"""Sparse exact simulation of lowered circuits on basis states.

Inside an oracle only the target of a logical AND is ever in superposition, so
a basis state stays a few terms wide whatever the number of qubits. Many inputs
run side by side: a term is (input, bits, amplitude).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from qiskit import QuantumCircuit
from qiskit.circuit import CircuitInstruction, Instruction

from gatesolve.circuit.gates import CONTROLLED
from gatesolve.errors import DoesNotFitError
from gatesolve.simulate.order import narrow_order

Bits = NDArray[np.uint64]
Matrices = dict[tuple[object, ...], NDArray[np.complex128]]
Waiting = dict[int, NDArray[np.complex128]]
"""For some qubits the matrix of gates that were not yet applied to the terms."""
MOST_TERMS = 1 << 20
"""Terms above which a simulation is given up."""
SMALL = 1e-13
"""Amplitudes below this are dropped, and what is dropped is added up in `Terms.lost`."""


@dataclass(frozen=True)
class Terms:
    """A sparse state for each input.

    Attributes:
        keys: shape (terms, words + 1); column 0 is the input's number, then 64 qubits a word, qubit 0 lowest.
        amplitudes: one complex number a term.
        lost: bound on the distance between each input's state and the one it has without dropped terms.
    """

    keys: Bits
    amplitudes: NDArray[np.complex128]
    lost: float = 0.0


def basis_terms(bits: NDArray[np.bool_]) -> Terms:
    """One term an input: ``bits`` has shape (qubits, inputs)."""
    qubits, inputs = bits.shape
    words = (qubits + 63) // 64
    keys = np.zeros((inputs, words + 1), dtype=np.uint64)
    keys[:, 0] = np.arange(inputs, dtype=np.uint64)
    for qubit in range(qubits):
        keys[:, 1 + qubit // 64] |= bits[qubit].astype(np.uint64) << np.uint64(qubit % 64)
    return Terms(keys, np.ones(inputs, dtype=np.complex128))


def run_sparse(circuit: QuantumCircuit, terms: Terms) -> Terms:
    """Apply one-qubit gates and those of `CONTROLLED`; measurements and barriers are passed over.

    They are applied in `narrow_order`, and where that grows too wide, in the circuit's own order.

    Raises:
        ValueError: another gate occurs.
        DoesNotFitError: the state has more than `MOST_TERMS` terms in both orders.

    Cost: a sort of the terms a gate that is neither diagonal nor a flip.
    """
    instructions = list(circuit.data)
    try:
        return _run_in_order(circuit, map(instructions.__getitem__, narrow_order(circuit)), terms)
    except DoesNotFitError:
        return _run_in_order(circuit, instructions, terms)


def _run_in_order(circuit: QuantumCircuit, instructions: Iterable[CircuitInstruction], terms: Terms) -> Terms:
    matrices: Matrices = {}
    place = {qubit: index for index, qubit in enumerate(circuit.qubits)}
    waiting: Waiting = {}
    for instruction in instructions:
        if instruction.operation.name not in {"measure", "barrier"}:
            qubits = [place[qubit] for qubit in instruction.qubits]
            terms, waiting = apply_late(terms, waiting, instruction.operation, qubits, matrices)
    return apply_waiting(terms, waiting)


def apply_late(
    terms: Terms, waiting: Waiting, operation: Instruction, qubits: list[int], matrices: Matrices
) -> tuple[Terms, Waiting]:
    """Apply one gate; one of a single qubit that adds terms waits until another qubit meets that one.

    ``matrices`` keeps matrices already asked for. Returns terms and what waits after the gate.

    Raises:
        ValueError: neither one of `CONTROLLED` nor a one-qubit gate.
        DoesNotFitError: the state has more than `MOST_TERMS` terms.
    """
    if len(qubits) == 1:
        (qubit,) = qubits
        matrix = matrix_of(operation, matrices)
        matrix = matrix @ waiting[qubit] if qubit in waiting else matrix
        others = {key: value for key, value in waiting.items() if key != qubit}
        # If the gates that wait cancel, as two H do, the product adds no terms and is applied at once.
        after = _apply_matrix(terms, matrix, qubit)
        return (terms, others | {qubit: matrix}) if len(after.amplitudes) > len(terms.amplitudes) else (after, others)
    met = {qubit: waiting[qubit] for qubit in qubits if qubit in waiting}
    terms, left = apply_waiting(terms, met), {key: value for key, value in waiting.items() if key not in met}
    keys, name = terms.keys, operation.name
    if name not in CONTROLLED:
        raise ValueError(f"gate {name} is not lowered")
    *controls, target = qubits
    # With one control, the first and the last control are the same qubit.
    both = bit(keys, controls[0]) & bit(keys, controls[-1])
    if CONTROLLED[name] == "z":
        return replace(terms, amplitudes=terms.amplitudes * (1.0 - 2.0 * (both & bit(keys, target)))), left
    flipped = keys.copy()
    flipped[:, 1 + target // 64] ^= both << np.uint64(target % 64)
    return replace(terms, keys=flipped), left


def apply_waiting(terms: Terms, waiting: Waiting) -> Terms:
    """Return the terms after all waiting gates; raises as `apply_late`."""
    for qubit, matrix in waiting.items():
        terms = _apply_matrix(terms, matrix, qubit)
        if len(terms.amplitudes) > MOST_TERMS:
            raise DoesNotFitError(f"the circuit's superposition has over {MOST_TERMS} terms, too many to follow")
    return terms


def _apply_matrix(terms: Terms, matrix: NDArray[np.complex128], qubit: int) -> Terms:
    keys, amplitudes, lost = _one_qubit(terms.keys, terms.amplitudes, qubit, matrix)
    # Gates preserve distances, so the norms lost in all steps add up at most.
    return Terms(keys, amplitudes, terms.lost + lost)


def matrix_of(operation: Instruction, matrices: Matrices) -> NDArray[np.complex128]:
    """Return the gate's matrix, and keep it in ``matrices``."""
    label = (operation.name, *operation.params)
    if label not in matrices:
        matrices[label] = np.asarray(operation.to_matrix(), dtype=np.complex128)
    return matrices[label]


def bit(keys: Bits, qubit: int) -> Bits:
    """Return the bit of one qubit in every term."""
    return keys[:, 1 + qubit // 64] >> np.uint64(qubit % 64) & np.uint64(1)


def _one_qubit(
    keys: Bits, amplitudes: NDArray[np.complex128], qubit: int, matrix: NDArray[np.complex128]
) -> tuple[Bits, NDArray[np.complex128], float]:
    """Return the keys and amplitudes after a gate, and the largest norm that any input lost."""
    value = bit(keys, qubit).astype(np.int64)
    across, along = np.abs(matrix[[0, 1], [1, 0]]).max(), np.abs(matrix.diagonal()).max()
    # Diagonal gates and flips keep the number of terms, so no sort is needed. The entries taken as zero count as lost.
    if across < SMALL:
        lost = across and across * _largest_norm(keys, amplitudes)
        return keys, amplitudes * matrix.diagonal()[value], lost
    word, mask = 1 + qubit // 64, np.uint64(1) << np.uint64(qubit % 64)
    if along < SMALL:
        flipped = keys.copy()
        flipped[:, word] ^= mask
        lost = along and along * _largest_norm(keys, amplitudes)
        return flipped, amplitudes * matrix[[1, 0], [0, 1]][value], lost
    cleared = keys.copy()
    cleared[:, word] &= ~mask
    rows, group = _unique_rows(cleared)
    halves = np.zeros((2, len(rows)), dtype=np.complex128)
    halves[value, group] = amplitudes  # the terms are distinct, so no entry is written twice
    mixed = matrix @ halves
    kept = mixed.real**2 + mixed.imag**2 > SMALL**2
    zeros, ones = (cleared[rows[one]] for one in kept)
    ones[:, word] |= mask
    dropped = _largest_norm(np.concatenate([cleared[rows[~one]] for one in kept]), mixed[~kept])
    return np.concatenate([zeros, ones]), mixed[kept], dropped


def _largest_norm(keys: Bits, amplitudes: NDArray[np.complex128]) -> float:
    return float(np.sqrt(np.bincount(keys[:, 0].astype(np.int64), np.abs(amplitudes) ** 2, 1).max()))


def _unique_rows(rows: Bits) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the place of one row of each value, and for each row the number of its value."""
    # Most columns are constant: sorting by the others alone is much faster than `numpy.unique` over rows.
    varying = [column for column in rows.T if (column != column[:1]).any()] or [rows[:, 0]]
    order = np.argsort(varying[0]) if len(varying) == 1 else np.lexsort(varying[::-1])
    first = np.zeros(len(rows), dtype=bool)
    first[:1] = True
    for column in varying:
        ordered = column[order]
        first[1:] |= ordered[1:] != ordered[:-1]
    group = np.empty(len(rows), dtype=np.int64)
    group[order] = np.cumsum(first) - 1
    return order[first], group


def diagonal_phases(circuit: QuantumCircuit, bits: NDArray[np.bool_]) -> NDArray[np.complex128] | None:
    """The phase each basis state gains, or None if some state does not come back to itself.

    ``bits`` has shape (qubits, inputs), all inputs different.
    """
    before = basis_terms(bits)
    return compare_phases(before, run_sparse(circuit, before), 1e-9)


def compare_phases(before: Terms, after: Terms, error: float) -> NDArray[np.complex128] | None:
    """Return the phase of each basis state ``before``, or None if a state is not restored up to ``error``.

    The distance between each final state and the basis state with some phase must be at most ``error``. Every foreign
    term counts, and so does everything that was dropped during the simulation.

    Raises:
        DoesNotFitError: too much was dropped to distinguish a correct circuit from a wrong one.
    """
    phases, others = overlaps(before, after)
    distance = float(np.hypot(others, np.abs(phases) - 1).max(initial=0))
    if distance + after.lost <= error:
        return phases
    # The true distance is within ``lost`` of the measured one, so in between nothing is decided.
    if distance - after.lost <= error:
        raise DoesNotFitError(f"terms of up to {after.lost:.1g} were dropped: more than the tolerance {error:g} allows")
    return None


def overlaps(before: Terms, after: Terms) -> tuple[NDArray[np.complex128], NDArray[np.float64]]:
    """Return each final state's amplitude on its basis state ``before``, and the norm of all its other terms."""
    inputs = len(before.amplitudes)
    owner = after.keys[:, 0].astype(np.int64)
    back = (after.keys == before.keys[owner]).all(axis=1)
    amplitudes = np.zeros(inputs, dtype=np.complex128)
    amplitudes[owner[back]] = after.amplitudes[back]
    return amplitudes, np.sqrt(np.bincount(owner[~back], np.abs(after.amplitudes[~back]) ** 2, inputs))


def probabilities(circuit: QuantumCircuit) -> dict[int, float]:
    """Return the probabilities above 1e-18 of basis states of all qubits after ``circuit`` on zeros."""
    # Amplitudes below `SMALL` are dropped, hence no probability below its square is listed.
    after = run_sparse(circuit, basis_terms(np.zeros((circuit.num_qubits, 1), dtype=bool)))
    result: dict[int, float] = {}
    for row, amplitude in zip(after.keys[:, 1:], after.amplitudes, strict=True):
        state = sum(int(word) << (64 * k) for k, word in enumerate(row))
        result[state] = float(abs(amplitude) ** 2)
    return result
