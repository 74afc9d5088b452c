"""A device's target without what does not work, and how good its gates are as a rule."""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from qiskit.transpiler import Target

BROKEN = 0.5
"""Error from which a two-qubit gate is of no use; devices report 1 for pairs that were not calibrated."""

TIMING = ("dt", "granularity", "min_length", "pulse_alignment", "acquire_alignment")
KEPT = ("num_qubits", *TIMING, "qubit_properties", "concurrent_measurements")
"""What of a target does not depend on its gates."""


def drop_broken_pairs(target: Target) -> Target:
    """The target without pairs of qubits whose gates are broken; itself where none is.

    A router counts gates and does not look at errors, so it would lead a circuit over a broken pair.
    """
    from qiskit.transpiler import Target as NewTarget

    if not any(error >= BROKEN for error in _errors(target)):
        return target
    kept = NewTarget(**{name: getattr(target, name) for name in KEPT})
    for name in target.operation_names:
        held = target[name]
        operation = target.operation_from_name(name)
        if isinstance(operation, type) or None in held:
            kept.add_instruction(operation, name=name)
            continue
        fit = {
            qubits: properties
            for qubits, properties in held.items()
            if len(qubits) < 2 or properties is None or (properties.error or 0.0) < BROKEN
        }
        kept.add_instruction(operation, fit, name=name)
    return kept


def median_error(target: Target) -> float:
    """The median error of a two-qubit gate; 0 where none is reported."""
    return float(statistics.median(_errors(target) or [0.0]))


def _errors(target: Target) -> list[float]:
    return [
        properties.error
        for name in target.operation_names
        for qubits, properties in target[name].items()
        if qubits is not None and len(qubits) == 2 and properties is not None and properties.error is not None
    ]
