"""Phases of any angle where a function is true, by rotations alone; the angle may be a parameter left open."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from qiskit import QuantumCircuit
from qiskit.circuit.library import CXGate, UGate

from gatesolve.circuit.gates import LowGate
from gatesolve.circuit.lowering.lower import emit
from gatesolve.circuit.lowering.passes.euler import merge_rotations
from gatesolve.errors import DoesNotFitError
from gatesolve.functions import Function, bits_of
from gatesolve.functions.diagonal import MOST_QUBITS, angles, rotations
from gatesolve.oracle.parity_network import phase_network, turned_network
from gatesolve.simulate.certificate import CertificateError
from gatesolve.simulate.product import product_phases

CHECKED = 1.0, math.sqrt(2)
"""Angles at which a circuit is run: sums of parities that are right at both, up to whole turns, are right at any."""
UNIT = 1 / 16
"""The angle with which gates are merged: so small that no rotation is a whole turn."""
MOST_PARITIES = 64
"""Up to which a network of CX is searched for them, beside Gray-code order."""

Turned = tuple[tuple[int, ...], float | None]
"""A CX on two qubits, or a phase on one as a multiple of the angle."""


def partial_phases(target: Function, angle: Any) -> list[QuantumCircuit]:
    """Circuits with phase ``exp(i angle)`` where the function is true, up to a global phase, each checked.

    Raises:
        DoesNotFitError: more than `MOST_QUBITS` bits.
        CertificateError: a circuit is wrong.

    Cost: at most 2^n - 2 CX and no ancillas.
    """
    if target.num_bits > MOST_QUBITS:
        raise DoesNotFitError(
            f"{target.num_bits} bits are too many for a phase other than pi, which takes up to {MOST_QUBITS}: "
            "compute the function with xor_oracle, put the phase on its target, and take the inverse"
        )
    coefficient = angles(target.table)
    masks = [int(mask) for mask in np.flatnonzero(abs(coefficient) > 1e-12)]
    orders: list[list[LowGate]] = [rotations(target.table)]
    if len(masks) <= MOST_PARITIES:
        turns = {mask: float(coefficient[mask]) / 2 for mask in masks}
        orders.append(list(emit(turned_network(phase_network(masks), turns))))
    found = []
    for gates in orders:
        small = [(name, qubits, turn / math.pi * UNIT) for name, qubits, turn in gates]
        merged: list[Turned] = [  # multiples of 2^-11, so that rounding makes them exact
            (qubits, None if turn is None else round(sum(turn) / UNIT, 11))
            for _, qubits, turn in merge_rotations(small)
        ]
        for value in CHECKED:
            _check(target, _build(merged, target.num_bits, value), value)
        found.append(_build(merged, target.num_bits, angle))
    return found


def _build(gates: Sequence[Turned], num_bits: int, angle: Any) -> QuantumCircuit:
    circuit = QuantumCircuit(num_bits)
    for qubits, multiple in gates:
        circuit.append(CXGate() if multiple is None else UGate(0, 0, multiple * angle), qubits)
    return circuit


def _check(target: Function, circuit: QuantumCircuit, angle: float) -> None:
    phases = product_phases(circuit, bits_of(target.num_bits))
    wanted = np.exp(1j * angle * target.table)
    if phases is None or not np.allclose(phases * np.conj(phases[0] * wanted), np.conj(wanted[0]), rtol=0, atol=1e-8):
        raise CertificateError("the phase differs from the function's: please report this as a bug")
