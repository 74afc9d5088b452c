"""Which logical ANDs may be erased by measurement, decided from the operations alone.

Nothing is taken on trust: symbolic values say that a target is zero before an AND, or holds exactly that AND after
it, in every term of the state. A value is a XOR of atoms. An atom is what a qubit held at the start, what it holds
after a gate that mixes basis states, or a product of values; equal products are one atom. So two qubits with equal
values hold the same bit in every term of any superposition, whatever the inputs were; unequal values say nothing.

The relative phases of ANDs are dropped only in pairs whose phases are inverse to each
other in every term; a single AND keeps its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from gatesolve.circuit.lowering.measured.mcz import (
    MOST_AT_ROOT,
    Measure,
    Step,
    Steps,
    compute_target,
    erase_target,
    flip_phase,
)
from gatesolve.circuit.ops import Gate, Op, Ops, PhaseFlip, Xor
from gatesolve.circuit.parity import Parity

Value = frozenset[int]
"""Atoms XORed together; atom 0 is the constant 1."""
ZERO: Value = frozenset()
ONE: Value = frozenset({0})
S = TypeVar("S", bound=Op | Measure)


class HeldValues:
    """The value of every qubit (``held``) while operations are applied one by one; ``zeros`` hold zero at the start."""

    def __init__(self, num_qubits: int, zeros: Iterable[int]) -> None:
        clean = set(zeros)
        self._products: dict[frozenset[Value], int] = {}
        self._next = 1
        self.held = [ZERO if q in clean else self._fresh() for q in range(num_qubits)]

    def of(self, parity: Parity) -> Value:
        """The value of a parity of qubits."""
        return parity.value(self.held.__getitem__, ONE)

    def zeros(self) -> list[int]:
        """Qubits that hold zero now."""
        return [qubit for qubit, value in enumerate(self.held) if value == ZERO]

    def product(self, factors: Sequence[Value]) -> Value:
        """The value of an AND."""
        different = {f for f in factors if f != ONE}
        # A value and its complement are never both 1.
        if ZERO in different or any(f ^ ONE in different for f in different):
            return ZERO
        if len(different) <= 1:
            return next(iter(different), ONE)
        # Equal products must be one atom, else equal qubits would seem to hold different bits.
        key = frozenset(different)
        if key not in self._products:
            self._products[key] = next(iter(self._fresh()))
        return frozenset({self._products[key]})

    def apply(self, op: Op) -> None:
        """Follow one operation; one that mixes basis states makes the values of its qubits unknown."""
        if op.is_mixing:
            for qubit in op.changed:
                # Unknown is always safe: unequal values say nothing.
                self.held[qubit] = self._fresh()
        elif not op.is_diagonal:
            change: Value = op.flip(self.of, self.product, ONE)
            self.held[op.changed[0]] ^= change

    def _fresh(self) -> Value:
        self._next += 1
        return frozenset({self._next - 1})


@dataclass(frozen=True)
class KnownState:
    """The values of the target ``before`` and ``after`` one step, and the ``zeros`` before it; see `follow_values`.

    For an AND, ``partner`` is the index of the AND whose phase is the inverse of its own, or -1.
    """

    before: Value = ZERO
    after: Value = ZERO
    partner: int = -1
    zeros: tuple[int, ...] = ()


def plan_erasures(
    ops: Sequence[Op], num_qubits: int, zeros: Iterable[int], root: int = MOST_AT_ROOT, whatever_cx: bool = True
) -> Steps:
    """Return steps with the same effect as ``ops``, ANDs erased by measurement wherever that is correct.

    An AND onto a zeroed target costs 4 T, and one that leaves its target at zero costs none. An AND onto a target in
    any other state, such as a conditionally clean one, stays a gate. Phases and multi-controlled gates become trees of
    ANDs on zeroed qubits, whose last ``root`` factors meet in one gadget (`flip_phase`). ``zeros`` are the qubits at
    zero at the start; no further qubit is used. With ``whatever_cx`` ANDs are also made on another zeroed qubit first.
    """
    seen = follow_values(ops, num_qubits, zeros)
    exact = _exact(ops, seen, whatever_cx)
    steps: list[Step] = []
    index = 0
    while index < len(ops):
        end = run_end(ops, seen, index)
        if end is not None and all(k in exact for k in range(index, end + 1) if ops[k].is_and):
            steps.extend(erase_target(ops[index].changed[0], [op.product for op in ops[index : end + 1]]))
            index = end + 1
            continue
        steps.extend(_single(ops[index], index, seen[index], exact, root))
        index += 1
    return tuple(steps)


def follow_values(ops: Sequence[Step], num_qubits: int, zeros: Iterable[int]) -> list[KnownState]:
    """Return the values around every operation, with ANDs paired by their phases."""
    values = HeldValues(num_qubits, zeros)
    seen: list[KnownState] = []
    partners: dict[int, int] = {}
    open_ands: dict[tuple[Value, ...], list[int]] = {}
    for index, op in enumerate(ops):
        if isinstance(op, Measure):
            values.held[op.qubit] = ZERO
            seen.append(KnownState())
            continue
        target = op.changed[0] if op.product else None
        before = ZERO if target is None else values.held[target]
        # Those lent to it first.
        zeroed = dict.fromkeys((*op.lent, *values.zeros())) if len(op.reads) > 1 else {}
        idle = tuple(q for q in zeroed if q not in op.wires) if zeroed else ()
        if op.is_and:
            controls = tuple(map(values.of, op.product))
            # The phase depends only on the controls and the target. A later AND with equal controls undoes it if its
            # target enters with the value that the first AND left.
            waiting = open_ands.get((*controls, before ^ values.product(controls)), [])
            if waiting:
                first = waiting.pop()
                partners |= {first: index, index: first}
            else:
                open_ands.setdefault((*controls, before), []).append(index)
        values.apply(op)
        seen.append(KnownState(before, ZERO if target is None else values.held[target], zeros=idle))
    return [replace(state, partner=partners.get(k, -1)) for k, state in enumerate(seen)]


def _exact(ops: Sequence[Op], seen: Sequence[KnownState], whatever_cx: bool) -> set[int]:
    """Return the ANDs whose relative phase is dropped together with that of their partner."""
    # If one of a pair finds its target at zero, the other leaves it at zero, and both can be made without a phase.
    # Other pairs need a zeroed qubit for that. They are worth it only in a run of ANDs that is erased as a whole,
    # which saves 4 T.
    exact = {k for k, s in enumerate(seen) if s.partner >= 0 and ZERO in (s.before, s.after)}
    index = 0
    while index < len(ops):
        end = run_end(ops, seen, index)
        if end is None:
            index += 1
            continue
        inner = [k for k in range(index, end + 1) if ops[k].is_and]
        firsts = [seen[k].partner for k in inner]
        if all(0 <= f < index and (seen[f].before == ZERO or (whatever_cx and seen[f].zeros)) for f in firsts):
            exact |= {*inner, *firsts}
        index = end + 1
    return exact


def run_end(ops: Sequence[Op], seen: Sequence[KnownState], start: int) -> int | None:
    """Return the last operation of a run from ``start`` that brings one non-zero target to zero, if an AND is in it."""
    if not ops[start].product or seen[start].before == ZERO:
        return None
    some = False
    for index in range(start, len(ops)):
        # Any other operation in between may read the target before it is zero.
        if not ops[index].product or ops[index].changed != ops[start].changed:
            return None
        some = some or ops[index].is_and
        if seen[index].after == ZERO:
            return index if some else None
    return None


def _single(op: Op, index: int, seen: KnownState, exact: set[int], root: int) -> Steps:
    if not op.is_and:
        found = op.as_flip()
        if found is None:
            return (op,)
        turns, flip = found
        steps = flip_phase(flip.factors, seen.zeros, root)
        # No qubit may be free to be measured.
        return (*turns, *((PhaseFlip(flip.factors),) if steps is None else steps), *turns)
    (left, right), (target,) = op.product, op.changed
    if seen.after == ZERO and seen.before != ZERO:
        # Where the AND leaves zero, its phase is (-i)^(left right). The target holds that product before, so S-dagger
        # on it gives the phase.
        phase = () if index in exact else (Gate("sdg", (target,)),)
        return (*phase, *erase_target(target, [(left, right)]))
    if index not in exact:
        return (op,)
    if seen.before == ZERO:
        return compute_target(left, right, target)
    between = seen.zeros[0]
    return (
        *compute_target(left, right, between),
        Xor(Parity((between,)), target),
        *erase_target(between, [(left, right)]),
    )


def settle_phases(steps: Iterable[S], num_qubits: int, zeros: Iterable[int]) -> tuple[S | Op, ...]:
    """Return the steps with every And as a Toffoli gate without a phase: phases that remain are separate steps.

    Phases of two ANDs that are inverse to each other in every term of the state (`follow_values`) are left out. A
    single And gets an S if its target is zero before or after, else also a phase of three factors.

    Args:
        steps: operations, and measurements where ANDs are erased.
        num_qubits: width of the circuit.
        zeros: qubits at zero at the start.

    Raises:
        DoesNotFitError: an AndNot occurs; oracles compiled for this gate set have none.
    """
    listed, made = tuple(steps), list[S | Op]()
    for step, seen in zip(listed, follow_values(listed, num_qubits, zeros), strict=True):
        if isinstance(step, Measure) or seen.partner >= 0:
            made.append(step)
        else:
            made += step.without_phase(seen.before == ZERO, seen.after == ZERO)
    return tuple(made)


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
