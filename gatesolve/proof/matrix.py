"""The whole matrix of a circuit of few qubits, for circuits whose normal forms differ although they are equal."""

from __future__ import annotations

import math

import numpy as np

from gatesolve.proof.pauli import Pauli, pauli_of

MOST_NUMBERS = 1 << 30
"""Numbers that are changed in all, up to which a matrix is made."""
MOST_ENTRIES = 1 << 24
"""Numbers of the largest matrix that is made, however few change: 256 MB."""
TOLERANCE = 1e-9
"""The norm of what equal matrices may differ by: no state is off by more."""


def fits_matrix(num_qubits: int, rotations: int) -> bool:
    """Whether the matrix of so many rotations is made."""
    entries = 1 << 2 * num_qubits
    return entries <= MOST_ENTRIES and rotations * entries <= MOST_NUMBERS


class MatrixBuilder:
    """The matrix of gates given one by one, up to a global phase.

    Cost: ``4 ** num_qubits`` numbers for each gate.
    """

    def __init__(self, num_qubits: int) -> None:
        self.matrix = np.eye(1 << num_qubits, dtype=np.complex128)
        self._rows = np.arange(1 << num_qubits)

    def add_h(self, qubit: int) -> None:
        """A Hadamard gate: half a turn about Z, then a quarter about Y."""
        self.add_rotation(pauli_of([qubit]), math.pi)
        self.add_rotation(pauli_of([qubit], "Y"), math.pi / 2)

    def add_cx(self, control: int, target: int) -> None:
        """A CX."""
        self.matrix = self.matrix[self._rows ^ ((self._rows >> control & 1) << target)]

    def add_rotation(self, axis: Pauli, angle: float) -> None:
        """``exp(-i angle/2 axis)``; raises nothing, the axis is Hermitian."""
        sources = self._rows ^ axis.x
        signs = 1 - 2 * (np.bitwise_count(sources & axis.z).astype(np.int64) & 1)
        turned = self.matrix[sources] * (1j**axis.phase * signs)[:, None]
        self.matrix = math.cos(angle / 2) * self.matrix - 1j * math.sin(angle / 2) * turned

    def is_same(self, other: MatrixBuilder) -> bool:
        """Whether two matrices are equal up to one phase."""
        overlap = np.vdot(self.matrix, other.matrix)
        turn = overlap / abs(overlap) if overlap else 1
        return bool(np.linalg.norm(other.matrix - turn * self.matrix) <= TOLERANCE)
