"""Logical ANDs without relative phases, for gate sets that have the Toffoli gate."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from gatesolve.circuit.lowering.measured.mcz import Measure
from gatesolve.circuit.lowering.measured.plan import ZERO, follow_values
from gatesolve.circuit.ops import Op

S = TypeVar("S", bound=Op | Measure)


def settle_phases(steps: Iterable[S], num_qubits: int, zeros: Iterable[int]) -> tuple[S | Op, ...]:
    """Return the steps with every And as a Toffoli gate without a phase: phases that remain are separate steps.

    Phases of two ANDs that are inverse to each other in every term of the state (`follow_values`) are left out. What a
    single And has besides is S where its target is zero before or after; elsewhere one more phase of three factors.

    Args:
        steps: operations, and measurements where ANDs are erased.
        num_qubits: width of the circuit.
        zeros: qubits at zero at the start.

    Raises:
        DoesNotFitError: an AndNot, which oracles for this gate set do without.
    """
    listed, made = tuple(steps), list[S | Op]()
    for step, seen in zip(listed, follow_values(listed, num_qubits, zeros), strict=True):
        if isinstance(step, Measure) or seen.partner >= 0:
            made.append(step)
        else:
            made += step.without_phase(seen.before == ZERO, seen.after == ZERO)
    return tuple(made)
