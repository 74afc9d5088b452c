"""Exact simulation, on many basis states at once, of lowered circuits that never entangle qubits.

Oracles of logical ANDs and of Fourier phases start from a basis state. Each CX has a control that is 0 or 1, or a
target in an eigenstate of X. So qubits never become entangled, and two amplitudes describe each of them. A sparse state
would need 2^k terms for k qubits in superposition.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from qiskit import QuantumCircuit

from gatesolve.circuit.gates import CONTROLLED
from gatesolve.errors import DoesNotFitError
from gatesolve.simulate.sparse import Matrices, basis_terms, compare_phases, matrix_of, run_sparse

NEAR = 1e-6
"""Amplitudes this near to zero count as zero; gates are exact to 1e-15, approximated rotations to 1e-10."""
States = NDArray[np.complex128]
HADAMARD: States = np.array([[1, 1], [1, -1]]) / np.sqrt(2) + 0j


def product_phases(
    circuit: QuantumCircuit, bits: NDArray[np.bool_], after: NDArray[np.bool_] | None = None
) -> NDArray[np.complex128] | None:
    """The phase each basis state gains, or None if some state does not come back to itself, or become ``after``.

    The circuit has gates of `CONTROLLED` and one-qubit gates; ``bits`` and ``after`` have shape (qubits, inputs).

    Raises:
        DoesNotFitError: a CX entangles its qubits, so that a state is no product any more.
        ValueError: another gate occurs.

    Cost: a few operations on the inputs' amplitudes a gate, however many qubits are in superposition.
    """
    states = np.stack([~bits, bits], axis=1).astype(np.complex128)
    place = {qubit: index for index, qubit in enumerate(circuit.qubits)}
    matrices: Matrices = {}
    for instruction in circuit.data:
        name, qubits = instruction.operation.name, [place[q] for q in instruction.qubits]
        if name in CONTROLLED:
            is_phase = CONTROLLED[name] == "z"  # a flip of the last qubit between two H
            if is_phase:
                states[qubits[-1]] = HADAMARD @ states[qubits[-1]]
            # A CZ is a CX between two H on its target.
            _flip(states, *qubits)
            if is_phase:
                states[qubits[-1]] = HADAMARD @ states[qubits[-1]]
        elif name not in {"measure", "barrier"}:
            if len(qubits) > 1:
                raise ValueError(f"gate {name} is not lowered")
            states[qubits[0]] = matrix_of(instruction.operation, matrices) @ states[qubits[0]]
    # The product of these amplitudes is the phase; if each has size 1, all other amplitudes are 0.
    here = np.where(bits if after is None else after, states[:, 1], states[:, 0])
    phases: States = np.prod(here, axis=0)
    return phases if bool(np.allclose(np.abs(here), 1, rtol=0, atol=NEAR)) else None


def follow_states(
    circuit: QuantumCircuit, bits: NDArray[np.bool_], after: NDArray[np.bool_], error: float
) -> NDArray[np.complex128] | None:
    """Return the phase each basis state gains; None if one does not become ``after``, amplitudes within ``error``.

    Qubits are followed one by one, and where the circuit entangles them, as sparse states.

    Raises:
        DoesNotFitError: they are entangled, and the sparse states have too many terms.
        ValueError: a gate other than those of `CONTROLLED` and one-qubit gates occurs.
    """
    try:
        return product_phases(circuit, bits, after)
    except DoesNotFitError:
        return compare_phases(basis_terms(after), run_sparse(circuit, basis_terms(bits)), error)


def _flip(states: States, control: int, *others: int) -> None:
    """One CX: a flip where the control is 1, a sign on the control where the target is an eigenstate of X.

    A CCX is one where its first control, which must not be in superposition, is 1.
    """
    *more, target = others
    off, on = (np.abs(states[control, value]) < NEAR for value in (1, 0))
    if more:
        if not (off | on).all():
            raise DoesNotFitError("a Toffoli gate has a control in superposition: it cannot be followed qubit by qubit")
        chosen = states[:, :, on]
        _flip(chosen, *others)
        states[:, :, on] = chosen
        return
    zero, one = states[target]
    if not (off | on).all():
        mixed = ~(off | on)
        # On an eigenstate of X a flip is only a sign, +1 or -1, which goes to the control's 1.
        even, odd = np.abs(zero - one) < NEAR, np.abs(zero + one) < NEAR
        if not (even | odd)[mixed].all():
            raise DoesNotFitError("the circuit entangles its qubits: it cannot be followed qubit by qubit")
        states[control, 1] = np.where(mixed & odd, -states[control, 1], states[control, 1])
    states[target] = np.where(on, states[target][::-1], states[target])
