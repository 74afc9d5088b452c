"""Fewer CX for the same conjunction: what is ANDed is left as it is, only the wires on which it is held change.

* A product that is only ever read XORed with one qubit is ANDed onto that qubit, after all that reads the qubit alone:
  ``x2 + x4 + x3 == 3`` asks for the high bit of x3 XOR a carry, and the carry goes onto the high bit.
* Of the last AND and the CZ that reads it, one phase of three factors is made.
* Parities are made in place where that saves CX (`gatesolve.oracle.assemble`).

All of it is undone after the phase.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gatesolve.circuit import And, AndNot, Parity, PhaseFlip, inverse
from gatesolve.circuit.ops import read_parities, rename_wires
from gatesolve.oracle import Oracle
from gatesolve.oracle.assemble import place_parities

Step = And | AndNot | PhaseFlip
COMPUTED = And | AndNot


def rewrite(oracle: Oracle) -> Oracle:
    """The oracle with what it computes held in place; unchanged unless it is ANDs, a phase, the ANDs undone."""
    number = (len(oracle.ops) - 1) // 2
    steps = [op for op in oracle.ops[: number + 1] if isinstance(op, Step)]
    if len(steps) != number + 1 or oracle.ops[number + 1 :] != inverse(steps[:-1]):
        return oracle
    for step in steps[:-1]:
        steps = hold_on_data(steps, step, oracle.num_data)
    steps = join_last(steps, oracle.num_data)
    placed = place_parities(steps)
    (phase,) = (place for place, op in enumerate(placed) if isinstance(op, PhaseFlip))
    held = sorted({step.target for step in steps if isinstance(step, COMPUTED) and step.target >= oracle.num_data})
    wires = [*range(oracle.num_data), *held]
    ops = rename_wires((*placed, *inverse(placed[:phase])), {wire: place for place, wire in enumerate(wires)})
    return replace(oracle, ops=ops, num_ancillas=len(held))


def hold_on_data(steps: list[Step], step: Step, num_data: int) -> list[Step]:
    """The steps with one AND onto a data qubit, if all that reads the AND reads it with that qubit.

    All that needs nothing of it comes before it; nothing after it may read the qubit alone.
    """
    if not isinstance(step, And) or step not in steps:
        return steps
    before, after = split(steps, step)
    readers = [parity for later in after for parity in read_parities(later) if step.target in parity.wires]
    shared = set.intersection(*(set(parity.wires) for parity in readers))
    alone = {
        wire for later in after for parity in read_parities(later) if parity not in readers for wire in parity.wires
    }
    written = {one.target for one in steps if isinstance(one, COMPUTED)}
    own = {wire for parity in read_parities(step) for wire in parity.wires}
    for wire in sorted(shared - alone - own - written):
        if wire < num_data:
            return [*before, replace(step, target=wire), *(without(later, step.target) for later in after)]
    return steps


def split(steps: Sequence[Step], step: And) -> tuple[list[Step], list[Step]]:
    """The other steps: those that need nothing of this one, and those that do, the phase last."""
    before, after, needed = list[Step](), list[Step](), {step.target}
    for other in steps:
        if other == step:
            continue
        if isinstance(other, COMPUTED) and not any(needed & set(parity.wires) for parity in read_parities(other)):
            before.append(other)
            continue
        after.append(other)
        needed |= {other.target} if isinstance(other, COMPUTED) else set()
    return before, after


def without(step: Step, wire: int) -> And | PhaseFlip:
    """The step with one wire taken out of all its parities."""
    left = [Parity(tuple(w for w in parity.wires if w != wire), parity.constant) for parity in read_parities(step)]
    match step:
        case And():
            return replace(step, left=left[0], right=left[1])
        case AndNot():
            return replace(step, head=left[0], left=left[1], right=left[2])
        case PhaseFlip():
            return replace(step, factors=tuple(left))


def join_last(steps: list[Step], num_data: int) -> list[Step]:
    """The last AND, where it is one of two factors of the phase, as part of that phase."""
    last, phase = [None, *steps][-2:]
    if not (isinstance(last, And) and isinstance(phase, PhaseFlip) and last.target >= num_data):
        return steps
    kept = [factor for factor in phase.factors if factor != Parity((last.target,))]
    if len(phase.factors) != 2 or len(kept) != 1 or last.target in kept[0].wires:
        return steps
    return [*steps[:-2], replace(phase, factors=(kept[0], last.left, last.right))]
