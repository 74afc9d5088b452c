"""Logical ANDs without relative phases, for gate sets that have the Toffoli gate."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from gatesolve.circuit.lowering.measured.mcz import Measure
from gatesolve.circuit.lowering.measured.plan import follow_values
from gatesolve.circuit.lowering.measured.values import ZERO, Value
from gatesolve.circuit.ops import And, AndNot, Gate, Op, Parity, PhaseFlip
from gatesolve.errors import DoesNotFitError

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
    if any(isinstance(step, AndNot) for step in listed):
        raise DoesNotFitError(
            "an oracle made for few CX has gates that are no Toffoli gates: compile it with gates='clifford+toffoli'"
        )
    for step, seen in zip(listed, follow_values(listed, num_qubits, zeros), strict=True):
        if isinstance(step, And) and seen.partner < 0:
            made += _with_phase(step, seen.before, seen.after)
        else:
            made.append(step)
    return tuple(made)


def _with_phase(op: And, before: Value, after: Value) -> tuple[Op, ...]:
    """A Toffoli gate and the phase of `And`: i where both sides are 1, and -1 where the left and the target are."""
    turn, turn_back = Gate("s", (op.target,)), Gate("sdg", (op.target,))
    if before == ZERO:
        return op, turn
    if after == ZERO:
        return turn_back, op
    return PhaseFlip((op.left, op.right.negated(), Parity((op.target,)))), turn_back, op, turn
