"""Multi-controlled Z with borrowed qubits: in any state before, in the same state after.

All rules here are one construction. Split the n qubits into a group A, a group B and one qubit t, and borrow a qubit d.
With D(d, r, t) = (-1)^(d r t) (-i)^(r t) and r the product of B, the circuit is

    D(d, r, t)   d ^= A   D(d, r, t)^-1   d ^= A

The two D see d and d ^ A, so (-1)^(A r t) is left. D costs 4 CX and 4 T where a CCZ costs 6 and 7.

The qubits of A are conditionally clean targets for the product of B. Where A is 1, they are known. Where A is 0, the
two D cancel for any r. They hold garbage while r stands, so r is made and unmade around each D. Toggling d by A may
borrow.

Source: Barenco et al., quant-ph/9503016, lemma 7.3; relative phases after Maslov, arXiv:1508.03273, section V;
conditionally clean targets after Khattar and Gidney, arXiv:2407.17966, section 5.4.
"""

from __future__ import annotations

from dataclasses import replace

from gatesolve.circuit.lowering.rules.clean import Wires, and_of_three, make_and, multiply, plan_steps
from gatesolve.circuit.lowering.rules.mcx_schedule import LAYERS, T_LAYERS, WIDTH, Timing, plan_schedule
from gatesolve.circuit.ops import Gate, Op, Ops, PhaseFlip, Xor, inverse
from gatesolve.circuit.parity import Parity

MANY, NARROW = 30, 8
"""Above so many qubits the search keeps so few schedules: a quarter of the time, and at most a few layers more."""


def toggle_product(qubits: Wires, borrowed: Wires, group: int, spread: bool) -> Ops | None:
    """Return the construction with A the first ``group`` qubits and t the last; None if B has no schedule.

    A has 2 to n - 2 qubits, and at least half as many are borrowed; with more the toggle uses simpler gates. With
    ``spread`` D has two layers of T instead of four, and two CX more.

    Cost, with b = n - 1 - group qubits in B: 2 a + 8 + 12 (b - 1) CX and 2 a' + 8 + 16 (b - 1) T. For groups of 2, 3,
    4, ... qubits a is 3, 6, 10, ... and a' is 4, 8, 12, ...
    """
    parts = toggle_parts(qubits, borrowed, group, spread)
    return None if parts is None else compose_parts(*parts)


def compose_parts(compute: Ops, mark: Ops, toggle: Ops) -> Ops:
    """The construction from what makes r, D and the toggle."""
    # The product r is unmade between the two D, because its targets are the controls of the toggle.
    undo = inverse(compute)
    return (*compute, *mark, *undo, *toggle, *compute, *inverse(mark), *undo, *inverse(toggle))


def toggle_parts(
    qubits: Wires, borrowed: Wires, group: int, spread: bool = False, is_searched: bool = True
) -> tuple[Ops, Ops, Ops] | None:
    """Return r, D and the toggle of `toggle_product`; where it is not searched, r is made deeper but at once."""
    known, rest, last = qubits[:group], qubits[group:-1], qubits[-1]
    made = _product(rest, known, T_LAYERS if spread else LAYERS, is_searched)
    if made is None:
        return None
    compute, factor = made
    # D of the module's docstring, on the borrowed qubit: 4 CX, 4 T.
    target, mark = borrowed[0], list[Op]()
    for control, phase in ((factor, "t"), (last, "tdg"), (factor, "t"), (last, "tdg")):
        mark += [Gate(phase, (target,)), Gate("cx", (control, target))]
    if spread:
        # Its first three T gates on three wires at once: 6 CX, 4 T.
        mark = [Gate("cx", (target, factor)), Gate("cx", (target, last)), Gate("t", (target,))]
        mark += [Gate("tdg", (factor,)), Gate("tdg", (last,)), Gate("cx", (target, factor)), Gate("cx", (factor, last))]
        mark += [Gate("t", (last,)), Gate("cx", (factor, last)), Gate("cx", (target, last))]
    # The wire of r is free first and needed last, so it is used around the others; but between them where it is alone.
    toggle = _toggle(known[::-1] if len(rest) > 3 else known, borrowed[0], borrowed[1:])
    return tuple(compute), tuple(mark), tuple(toggle)


def toggle_exactly(qubits: Wires, borrowed: Wires) -> Ops:
    """The construction in ANDs and phases that need no relative phase: A has two qubits, one is borrowed.

    Cost: 4 (n - 3) Toffoli gates where an AND is one. Source: Khattar and Gidney, arXiv:2407.17966, section 5.4.
    """
    first, second, *rest, last = qubits
    flips: list[Op] = [Xor(Parity((), True), wire) for wire in (first, second)]
    compute, factor = tuple[Op, ...](), rest[0]
    if len(rest) == 2:
        compute, factor = (flips[0], make_and(rest[0], rest[1], first)), first
    elif len(rest) > 2:
        made, (one, other) = multiply(rest, (second,), 2)
        compute, factor = (*flips, *made, make_and(one, other, first)), first
    mark = PhaseFlip((Parity((borrowed[0],)), Parity((factor,)), Parity((last,))))
    return compose_parts(compute, (mark,), (make_and(first, second, borrowed[0]),))


def most_in_group(num_qubits: int, num_borrowed: int) -> int:
    """The largest A that ``num_borrowed`` qubits can toggle: each qubit moved from B to A saves 4 CX and 8 T."""
    return max(2, min(num_qubits - 2, 2 * num_borrowed + 1))


def _product(rest: Wires, known: Wires, timing: Timing, is_searched: bool) -> tuple[Ops, int] | None:
    """ANDs that make the product of ``rest`` with ``known`` as conditionally clean targets, and the wire it is on."""
    if len(rest) == 1:
        return (), rest[0]
    flips: list[Op] = [Xor(Parity((), True), wire) for wire in known]
    if len(rest) == 2:
        return (flips[0], make_and(rest[1], rest[0], known[0])), known[0]
    if len(rest) == 3:
        return (flips[0], *and_of_three(rest[0], rest[1], rest[2], known[0])), known[0]
    # At once: batches on the conditionally clean wires, one of which takes the last AND.
    if not is_searched and len(known) > 2:
        few = known[: len(rest)]
        made, (first, second) = multiply(rest, few[1:], 2)
        return (*flips[: len(few)], *made, make_and(first, second, few[0])), few[0]
    # One more AND takes the place of the CCZ: its outer control is the first root, its middle one the second.
    most, least = timing.result, timing.result - timing.mid
    ending = replace(timing, root=((2 * most, most + least), (most + least, 2 * least)))
    # The time of the search grows with the cube of the number of factors.
    width = NARROW if len(rest) > MANY else WIDTH
    plans = [plan_schedule(len(rest), len(known) - 1, ending, width, triple) for triple in (False, True)]
    found = min((p for p in plans if p), key=lambda p: p.depth, default=None)
    if found is None:
        return None
    wires = (*rest, *known[1:])
    fresh = {len(rest) + k for k in range(len(known) - 1)}
    used = {step.target for step in found.steps if not step.flipped} & fresh
    starts = [flip for k, flip in enumerate(flips[1:]) if len(rest) + k in used]
    outer, middle = (wires[root] for root in found.roots)
    return (*starts, *plan_steps(found.steps, wires), flips[0], make_and(middle, outer, known[0])), known[0]


def _toggle(group: Wires, target: int, borrowed: Wires) -> Ops:
    """Return ``target ^= product of group`` up to a relative phase, by a V of ANDs on the borrowed qubits.

    An arm of the V takes a qubit of the group, or two if few can be borrowed. Lowering leaves 4 CX and 4 T a qubit of
    it.
    """
    if len(group) == 2:
        return (make_and(group[0], group[1], target),)
    if len(group) == 3:
        return tuple(and_of_three(group[0], group[1], group[2], target))
    arm: list[Op]
    if len(group) - 3 <= len(borrowed):
        # The arm uses the wire that changes in between last, so that lowering cancels the rest of the two arms.
        kept, arm = group[:-1], [make_and(borrowed[0], group[-1], target)]
    else:
        kept, arm = group[:-2], and_of_three(borrowed[0], group[-2], group[-1], target)
    return (*arm, *_toggle(kept, borrowed[0], borrowed[1:]), *inverse(arm))
