"""Phases of any angle where a function is true, by rotations alone; the angle may be a parameter left open."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from qiskit import QuantumCircuit

from gatesolve.circuit.gates import LowGate
from gatesolve.circuit.lowering.lower import build_merged, emit, merge_general
from gatesolve.errors import DoesNotFitError
from gatesolve.functions import Function, bits_of
from gatesolve.functions.diagonal import MOST_QUBITS, angles, rotations
from gatesolve.gate_sets import GateSet
from gatesolve.oracle.parity_network import phase_network, turned_network
from gatesolve.simulate.certificate import CertificateError
from gatesolve.simulate.product import product_phases

CHECKED = 1.0, math.sqrt(2)
"""Angles at which a circuit is run: sums of parities that are right at both, up to whole turns, are right at any."""
UNIT = 1 / 16
"""The angle with which gates are merged: so small that no rotation is a whole turn."""
MOST_PARITIES = 64
"""Up to which a network of CX is searched for them, beside Gray-code order."""

Turned = tuple[str, tuple[int, ...], tuple[tuple[float, float], ...] | None]
"""A gate on two qubits, or a ``u`` whose angles are each a constant and a multiple of the angle."""


def partial_phases(target: Function, angle: Any, gates: GateSet) -> list[QuantumCircuit]:
    """Circuits with phase ``exp(i angle)`` where the function is true, up to a global phase, each checked.

    ``gates`` is a gate set with rotations.

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
    for order in orders:
        merged = _merge_turns(order, gates)
        for value in CHECKED:
            _check(target, _build(merged, target.num_bits, value), value)
        found.append(_build(merged, target.num_bits, angle))
    return found


def _merge_turns(order: Sequence[LowGate], gates: GateSet) -> list[Turned]:
    """Merge gates whose turns are multiples of the angle, by merging them for two small angles."""
    once, twice = (
        merge_general([(name, qubits, turn / math.pi * small) for name, qubits, turn in order], gates)
        for small in (UNIT, 2 * UNIT)
    )
    return [
        (name, qubits, None if one is None or two is None else tuple(map(_find_line, one, two)))
        for (name, qubits, one), (_, _, two) in zip(once, twice, strict=True)
    ]


def _find_line(one: float, two: float) -> tuple[float, float]:
    """Return a constant, a multiple of pi/2, and the factor of the angle, one of 2^-11: rounding makes both exact."""
    multiple = round(math.remainder(two - one, 2 * math.pi) / UNIT, 11)
    return round((one - multiple * UNIT) / (math.pi / 2)) * math.pi / 2, multiple


def _build(merged: Sequence[Turned], num_bits: int, angle: Any) -> QuantumCircuit:
    return build_merged(
        (
            (name, qubits, None if lines is None else [c + m * angle if m else c for c, m in lines])
            for name, qubits, lines in merged
        ),
        num_bits,
    )


def _check(target: Function, circuit: QuantumCircuit, angle: float) -> None:
    phases = product_phases(circuit, bits_of(target.num_bits))
    wanted = np.exp(1j * angle * target.table)
    if phases is None or not np.allclose(phases * np.conj(phases[0] * wanted), np.conj(wanted[0]), rtol=0, atol=1e-8):
        raise CertificateError("the phase differs from the function's: please report this as a bug")
