"""Dissolving the last ANDs before a phase into it, where measured erasure makes the wider phase cheaper."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gatesolve.circuit.lowering.measured.mcz import MOST_AT_ROOT
from gatesolve.circuit.lowering.measured.plan import ZERO, KnownState, follow_values
from gatesolve.circuit.ops import Op, Ops, PhaseFlip
from gatesolve.circuit.parity import Parity


def widen_roots(ops: Sequence[Op], num_qubits: int, zeros: Iterable[int], whatever_cx: bool = False) -> Ops:
    """Return the operations with phases of two or three factors widened to four, for which there is a gadget of 6 T.

    Joining four factors by ANDs with measured erasure takes 8 T. An AND and its undoing are left out when nothing
    but the phase uses its target in between, and nothing changes its controls. Long parities can make that take more
    CX, and then it is done only with ``whatever_cx``.
    """
    seen = follow_values(ops, num_qubits, zeros)
    new: dict[int, PhaseFlip] = {}
    gone: set[int] = set()
    for index, op in enumerate(ops):
        if not isinstance(op, PhaseFlip) or len(op.factors) >= MOST_AT_ROOT:
            continue
        phase, left_out = _widen_root(ops, seen, index, op)
        # Only exactly four factors fit the gadget, and an AND is left out once.
        if len(phase.factors) != MOST_AT_ROOT or left_out & gone:
            continue
        ands = [ops[k].product for k in left_out if k < index]
        made = sum(_make_cost(len(left.wires), len(right.wires)) for left, right in ands)
        # Each was made as an AND and erased with a CZ.
        before = 2 * made - 2 * len(ands) + _root_cost(op.factors)
        if whatever_cx or _root_cost(phase.factors) <= before:
            new[index] = phase
            gone |= left_out
    return tuple(new.get(k, op) for k, op in enumerate(ops) if k not in gone)


def _make_cost(one: int, other: int) -> int:
    """CX of a logical AND of parities of so many wires; a CZ between them takes two less."""
    return max(one, other) + 2 * min(one, other)


def _root_cost(factors: Sequence[Parity]) -> int:
    """CX of a phase of two to four factors as `flip_phase` builds it."""
    lengths = sorted((len(f.wires) for f in factors), reverse=True)
    if len(lengths) == 4:
        return lengths[0] + 2 * sum(lengths[1:]) + _make_cost(*lengths[:2]) + _make_cost(*lengths[2:]) - 4
    if len(lengths) == 3:
        return lengths[0] + 2 * _make_cost(*lengths[1:]) - 2
    return _make_cost(*lengths) - 2 if len(lengths) == 2 else 0


def _widen_root(
    ops: Sequence[Op], seen: Sequence[KnownState], index: int, phase: PhaseFlip
) -> tuple[PhaseFlip, set[int]]:
    """The phase with ANDs put in for factors until there are four, and the ANDs then left out."""
    left_out: set[int] = set()
    tried: set[Parity] = set()
    while len(phase.factors) < MOST_AT_ROOT:
        factor = min((f for f in phase.factors if f not in tried), key=lambda f: (len(f.wires), f.wires), default=None)
        if factor is None:
            break
        tried.add(factor)
        # An AND's target stands in a phase as a single wire, uncomplemented, and in one factor only.
        if len(factor.wires) != 1 or factor.constant or sum(factor.wires[0] in f.wires for f in phase.factors) > 1:
            continue
        found = _and_around(ops, seen, index, factor.wires[0], left_out)
        if found is not None:
            product, places = found
            others = tuple(f for f in phase.factors if f is not factor)
            phase = PhaseFlip((*others, *product), (*phase.clean, *factor.wires))
            left_out |= places
    return phase, left_out


def _and_around(
    ops: Sequence[Op], seen: Sequence[KnownState], index: int, target: int, left_out: set[int]
) -> tuple[tuple[Parity, ...], set[int]] | None:
    """The factors of the AND that last makes ``target`` before the phase and is undone right after, and its places."""

    def uses(k: int) -> bool:
        return k not in left_out and target in (*ops[k].wires, *ops[k].lent)

    first = next((k for k in range(index - 1, -1, -1) if uses(k)), None)
    last = next((k for k in range(index + 1, len(ops)) if uses(k)), None)
    if first is None or last is None or seen[first].before != ZERO or seen[last].after != ZERO:
        return None
    made, erased = ops[first], ops[last]
    if not made.is_and or made.changed != (target,) or erased.on_bits() != made.on_bits():
        return None
    controls = {wire for side in made.product for wire in side.wires}
    # If a control changed in between, the phase would see another product.
    changed = any(not controls.isdisjoint(op.changed) for op in ops[first:last])
    return None if changed else (made.product, {first, last})
