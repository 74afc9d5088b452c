"""Which logical ANDs may be erased by measurement, decided from the operations alone.

Nothing is taken on trust: symbolic values say that a target is zero before an AND, or holds exactly that AND after
it, in every term of the state. The relative phases of ANDs are dropped only in pairs whose phases are inverse to each
other in every term; a single AND keeps its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from gatesolve.circuit.lowering.measured.mcz import (
    MOST_AT_ROOT,
    Measure,
    Step,
    Steps,
    compute_target,
    erase_target,
    flip_phase,
)
from gatesolve.circuit.lowering.measured.values import ZERO, HeldValues, Value
from gatesolve.circuit.ops import And, AndNot, Gate, Mcx, Op, Parity, PhaseFlip, Xor


@dataclass(frozen=True)
class KnownState:
    """The values and zeros found before one step; see `follow_values`.

    Attributes:
        before: value of the target before it, for an AND or XOR.
        after: the same after it.
        partner: for an AND, the index of the AND whose phase is the inverse of its own; -1 if there is none.
        zeros: qubits at zero before it, where that matters.
    """

    before: Value = ZERO
    after: Value = ZERO
    partner: int = -1
    zeros: tuple[int, ...] = ()


def plan_erasures(ops: Sequence[Op], num_qubits: int, zeros: Iterable[int], root: int = MOST_AT_ROOT) -> Steps:
    """Steps with the same effect as ``ops``, ANDs erased by measurement wherever that is right.

    An AND onto a target at zero costs 4 T, one that leaves its target at zero none; an AND onto a target that
    holds something else (conditionally clean, say) stays a gate. Phases and multi-controlled gates become trees of
    ANDs on qubits at zero, ``root`` of which meet at last (`flip_phase`). ``zeros`` are the qubits at zero at the
    start; no further qubit is used.
    """
    seen = follow_values(ops, num_qubits, zeros)
    exact = _exact(ops, seen)
    steps: list[Step] = []
    index = 0
    while index < len(ops):
        end = run_end(ops, seen, index)
        if end is not None and all(k in exact for k in range(index, end + 1) if isinstance(ops[k], And)):
            steps.extend(erase_target(_target(ops[index]), [product_of(op) for op in ops[index : end + 1]]))
            index = end + 1
            continue
        steps.extend(_single(ops[index], index, seen[index], exact, root))
        index += 1
    return tuple(steps)


def follow_values(ops: Sequence[Step], num_qubits: int, zeros: Iterable[int]) -> list[KnownState]:
    """Values around every operation, and ANDs paired by their phases."""
    values = HeldValues(num_qubits, zeros)
    seen: list[KnownState] = []
    partners: dict[int, int] = {}
    open_ands: dict[tuple[Value, Value, Value], list[int]] = {}
    for index, op in enumerate(ops):
        before = values.held[op.target] if isinstance(op, And | Xor) else ZERO
        idle = () if isinstance(op, Xor | Gate | Measure) else _idle(op, values)
        if isinstance(op, And):
            controls = values.of(op.left), values.of(op.right)
            # The phase depends on the controls and the target alone, and swaps its two values where the AND is 1.
            waiting = open_ands.get((*controls, before ^ values.product(controls)), [])
            if waiting:
                first = waiting.pop()
                partners |= {first: index, index: first}
            else:
                open_ands.setdefault((*controls, before), []).append(index)
        if isinstance(op, Measure):
            values.held[op.qubit] = ZERO
        else:
            values.apply(op)
        after = values.held[op.target] if isinstance(op, And | Xor) else ZERO
        seen.append(KnownState(before, after, zeros=idle))
    return [replace(state, partner=partners.get(k, -1)) for k, state in enumerate(seen)]


def _idle(op: Op, values: HeldValues) -> tuple[int, ...]:
    """Qubits at zero that the operation does not name, those lent to it first."""
    lent = op.clean if isinstance(op, PhaseFlip | Mcx) else ()
    busy = wires(op)
    return tuple(q for q in dict.fromkeys((*lent, *values.zeros())) if q not in busy)


def wires(op: Op) -> set[int]:
    """Qubits the operation acts on; ancillas lent to it are not among them."""
    match op:
        case Xor(source, target):
            return {*source.wires, target}
        case And(left, right, target):
            return {*left.wires, *right.wires, target}
        case AndNot(head, left, right, target):
            return {*head.wires, *left.wires, *right.wires, target}
        case PhaseFlip(factors):
            return {w for f in factors for w in f.wires}
        case Mcx(controls, target):
            return {*(q for q, _ in controls), target}
        case Gate(qubits=qubits):
            return set(qubits)


def _exact(ops: Sequence[Op], seen: Sequence[KnownState]) -> set[int]:
    """ANDs whose relative phase is dropped together with their partner's.

    Where one of a pair finds its target at zero the other leaves it at zero, and both can be made without phase.
    Of the others only those are worth it that are erased together with more of what their target holds, which
    saves 4 T; made without phase, such an AND goes through a qubit at zero.
    """
    exact = {k for k, s in enumerate(seen) if s.partner >= 0 and ZERO in (s.before, s.after)}
    index = 0
    while index < len(ops):
        end = run_end(ops, seen, index)
        if end is None:
            index += 1
            continue
        inner = [k for k in range(index, end + 1) if isinstance(ops[k], And)]
        firsts = [seen[k].partner for k in inner]
        if all(0 <= f < index and (seen[f].before == ZERO or seen[f].zeros) for f in firsts):
            exact |= {*inner, *firsts}
        index = end + 1
    return exact


def run_end(ops: Sequence[Op], seen: Sequence[KnownState], start: int) -> int | None:
    """Last of the operations from ``start`` on that bring one target, not zero, to zero, with an AND among them."""
    if not isinstance(ops[start], And | Xor) or seen[start].before == ZERO:
        return None
    some = False
    for index in range(start, len(ops)):
        if not isinstance(ops[index], And | Xor) or _target(ops[index]) != _target(ops[start]):
            return None
        some = some or isinstance(ops[index], And)
        if seen[index].after == ZERO:
            return index if some else None
    return None


def _target(op: Op) -> int:
    assert isinstance(op, And | Xor)
    return op.target


def product_of(op: Op) -> tuple[Parity, ...]:
    """Return the factors whose product an AND or a XOR adds to its target."""
    return (op.left, op.right) if isinstance(op, And) else (op.source,) if isinstance(op, Xor) else ()


def _single(op: Op, index: int, seen: KnownState, exact: set[int], root: int) -> Steps:
    match op:
        case And():
            return _single_and(op, seen, index in exact)
        case PhaseFlip(factors):
            return _flip(factors, seen.zeros, root)
        case Mcx(controls, target) if len(controls) > 1:
            turn = Gate("h", (target,))
            return (turn, *_flip((*op.literals, Parity((target,))), seen.zeros, root), turn)
        case _:
            return (op,)


def _single_and(op: And, seen: KnownState, exact: bool) -> Steps:
    left, right, target = op.left, op.right, op.target
    if seen.after == ZERO and seen.before != ZERO:
        # The AND's own phase where it leaves zero is (-i)^(left right), which S-dagger on the target gives first.
        phase = () if exact else (Gate("sdg", (target,)),)
        return (*phase, *erase_target(target, [(left, right)]))
    if not exact:
        return (op,)
    if seen.before == ZERO:
        return compute_target(left, right, target)
    between = seen.zeros[0]
    return (
        *compute_target(left, right, between),
        Xor(Parity((between,)), target),
        *erase_target(between, [(left, right)]),
    )


def _flip(factors: tuple[Parity, ...], free: Sequence[int], root: int) -> Steps:
    """The phase by measured ANDs; with nothing free, as lowering does it without measurement."""
    steps = flip_phase(factors, free, root)
    return (PhaseFlip(factors),) if steps is None else steps
