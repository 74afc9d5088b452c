"""Multi-controlled Z with zeroed ancillas: ANDs down to a CCZ, and the ANDs undone.

Each function takes the qubits and the zeroed ancillas that it may use. It returns operations with no phase larger than
a CCZ: 6 n - 12 CX and 8 n - 17 T over n qubits, for any arrangement of the ANDs.
"""

from __future__ import annotations

from collections.abc import Sequence

from gatesolve.circuit.lowering.rules.mcx_schedule import LAYERS, WIDTH, McxSchedule, McxStep, Timing, plan_schedule
from gatesolve.circuit.ops import And, Gate, Op, Ops, PhaseFlip, Xor, inverse
from gatesolve.circuit.parity import Parity

Wires = Sequence[int]
SEARCHED = 21
"""Qubits up to which a schedule is searched at full width."""


def and_tree(qubits: Wires, clean: Wires) -> Ops:
    """A balanced tree of logical ANDs on n - 3 clean ancillas, then a CCZ; logarithmic depth."""
    free = list(clean)
    compute: list[Op] = []
    layer = list(qubits)
    while len(layer) > 3:
        # Pair only as many as are needed to end with three.
        pairs = min(len(layer) // 2, len(layer) - 3)
        made = []
        for k in range(pairs):
            goal = free.pop(0)
            compute.append(make_and(layer[2 * k], layer[2 * k + 1], goal))
            made.append(goal)
        layer = layer[2 * pairs :] + made
    return around(compute, layer)


def v_chain(qubits: Wires, clean: Wires) -> Ops:
    """Each AND takes one more qubit, on n - 3 clean ancillas, then a CCZ; linear depth.

    On ancillas in any state it is what the chain of exact Toffolis is, Toffoli by Toffoli.
    """
    compute, product = [], qubits[0]
    for qubit, goal in zip(qubits[1:], clean[: len(qubits) - 3], strict=False):
        compute.append(make_and(product, qubit, goal))
        product = goal
    return around(compute, (*qubits[-2:], product))


def one_clean(qubits: Wires, clean: Wires) -> Ops:
    """One clean ancilla and conditionally clean controls; linear depth."""
    onto, factors = join_on_controls(qubits, clean[0], 3)
    return around([make_and(qubits[0], qubits[1], clean[0]), *onto], factors)


def join_on_controls(qubits: Wires, ancilla: int, most: int) -> tuple[Ops, list[int]]:
    """Return ANDs onto the controls, and the at most ``most`` wires left, whose product is that of all ``qubits``.

    ``ancilla`` holds the product of the first two qubits.
    """
    # With ancilla a = q0 q1, both q0 and q1 are 1 whenever a is 1, so after an X they serve as zeroed targets.
    # r1 = q2 q3 goes on q1, and r2 = q4 q5 on q3, which is right whenever r1 is 1, and so on.
    compute: list[Op] = []
    # Results so far, each with the qubit that is conditionally clean while it stays a factor.
    results = [(ancilla, qubits[0], qubits[1])]
    rest = list(qubits[2:])
    while len(rest) > 1 and len(results) + len(rest) > most:
        first, second = rest.pop(0), rest.pop(0)
        compute += _onto(first, second, results[-1][2])
        results.append((results[-1][2], first, second))
    factors = [r[0] for r in results] + rest
    spare = [r[1] for r in results]
    while len(factors) > most:
        # The product is a r1 r2 ...; from the far end, r_k r_(k-1) goes on an input of r_(k-2), for the same reason.
        last, before = factors.pop(), factors.pop()
        goal = spare[len(factors) - 1]
        compute += _onto(last, before, goal)
        factors.append(goal)
    return tuple(compute), factors


def some_clean(qubits: Wires, clean: Wires) -> Ops:
    """Plain ANDs on all ancillas but one, `one_clean` on what is left: shallower the more there are."""
    layer, compute = list(qubits), []
    for goal in clean[:-1]:
        first, second = layer.pop(0), layer.pop(0)
        compute.append(make_and(first, second, goal))
        layer.append(goal)
    return (*compute, *one_clean(layer, clean[-1:]), *inverse(compute))


def scheduled_tree(qubits: Wires, clean: Wires, timing: Timing = LAYERS, width: int = WIDTH) -> Ops | None:
    """ANDs and conditionally clean targets as `plan_schedule` lays them, then a CCZ; None if no schedule was found."""
    found = best_plan(len(qubits), len(clean), timing, width)
    if found is None:
        return None
    wires = (*qubits, *clean)
    first, second, third = (wires[root] for root in found.roots)
    return around(plan_steps(found.steps, wires), (second, first, third))


def best_plan(qubits: int, clean: int, timing: Timing = LAYERS, width: int = WIDTH) -> McxSchedule | None:
    """The shallower of the schedules with and without an AND of three first, and with an ancilla fewer."""
    found: list[McxSchedule] = []
    # The search takes time as the cube of the width: wide gates are searched less, unless that leads nowhere.
    narrow = min(width, max(4, width * SEARCHED**3 // qubits**3))
    for tried in (narrow, 2 * narrow):
        for number in range(max(1, clean - 1), clean + 1) if not found else ():
            for triple in (False, True):
                if not triple or qubits > 5:
                    made = plan_schedule(qubits, number, timing, tried, triple)
                    found += [made] if made else []
    return min(found, key=lambda p: p.depth, default=None)


def plan_steps(planned: Sequence[McxStep], wires: Wires) -> list[Op]:
    """The ANDs of a plan on actual wires."""
    compute: list[Op] = []
    for step in planned:
        target = wires[step.target]
        if step.flipped:
            compute.append(Xor(Parity((), True), target))
        if step.third is None:
            compute.append(make_and(wires[step.middle], wires[step.outer], target))
        else:
            compute += and_of_three(wires[step.middle], wires[step.outer], wires[step.third], target)
    return compute


def and_of_three(first: int, second: int, third: int, target: int) -> list[Op]:
    """``target ^= first second third`` up to a relative phase: 6 CX and 8 T.

    Source: Maslov, arXiv:1508.03273, figure 4.
    """
    half: list[Op] = [Gate("h", (target,)), Gate("t", (target,)), Gate("cx", (third, target))]
    half += [Gate("tdg", (target,)), Gate("h", (target,))]
    inner: list[Op] = []
    for control, phase in ((first, "t"), (second, "tdg"), (first, "t"), (second, "tdg")):
        inner += [Gate("cx", (control, target)), Gate(phase, (target,))]
    return [*half, *inner, *half]


def make_and(first: int, second: int, target: int) -> And:
    """The AND of two wires onto a third."""
    return And(Parity((first,)), Parity((second,)), target)


def _onto(first: int, second: int, target: int) -> list[Op]:
    return [Xor(Parity((), True), target), make_and(first, second, target)]


def around(compute: Sequence[Op], factors: Wires) -> Ops:
    """The phase of a product of wires between what makes them and its undoing."""
    return (*compute, PhaseFlip(tuple(Parity((q,)) for q in factors)), *inverse(compute))


def batches(qubits: Wires, clean: Wires) -> Ops:
    """Multi-controlled Z: batches on all clean ancillas but one, which joins their products; then a CCZ.

    In logarithmic depth without a search, for gates so large that a search takes seconds. A batch of controls is
    multiplied by a tree of ANDs on the wires known to be zero. Once its product stands, the other wires of the batch
    are known to be 1 wherever that product counts, so the next batch is about twice as large. A single ancilla takes
    the product of two controls, which then are as good as two clean ones for the others.

    Source: Khattar and Gidney, arXiv:2407.17966, section 5.
    """
    if len(clean) >= len(qubits) - 3:
        return and_tree(qubits, clean)
    if len(clean) > 1:
        return around(*multiply(qubits, clean, 3))
    # Once their product is on the ancilla, both are known to be 1 where it counts, so an X makes them zeroed targets.
    first, second, *rest = qubits
    flips = [Xor(Parity((), True), wire) for wire in (first, second)]
    made, factors = multiply(rest, (first, second), 2)
    return around((make_and(first, second, clean[0]), *flips, *made), (clean[0], *factors))


def multiply(qubits: Wires, zeroed: Wires, most: int) -> tuple[Ops, list[int]]:
    """ANDs on two or more zeroed wires and on the qubits, and ``most`` wires with the product of all qubits."""
    *targets, last = zeroed
    made, products = _batch_products(qubits, targets, most)
    if len(products) <= most:
        return made, products
    first = make_and(products[0], products[1], last)
    onto, factors = join_on_controls(products, last, most)
    return (*made, first, *onto), factors


def _batch_products(qubits: Wires, zeroed: Wires, least: int) -> tuple[Ops, list[int]]:
    """ANDs, and about log2 of n wires, ``least`` or more, whose product is that of all ``qubits``."""
    ops: list[Op] = []
    products: list[int] = []
    rest, known, fresh = list(qubits), list(zeroed), set(zeroed)
    while len(rest) > 1 and len(products) + len(rest) > least:
        # A batch of k + 1 factors takes k targets, and ``least`` products must be left.
        size = min(len(known) + 1, len(products) + 1 + len(rest) - least)
        batch, rest = rest[:size], rest[size:]
        freed: list[int] = []
        while len(batch) > 1:
            pairs = len(batch) // 2
            # The wires known longest are free first.
            targets, known = known[:pairs], known[pairs:]
            for first, second, target in zip(batch[: 2 * pairs : 2], batch[1 : 2 * pairs : 2], targets, strict=True):
                # A conditionally clean wire is 1 where it counts; X makes it 0.
                if target not in fresh:
                    ops.append(Xor(Parity((), True), target))
                fresh.discard(target)
                ops.append(make_and(first, second, target))
            freed += batch[: 2 * pairs]
            batch = [*batch[2 * pairs :], *targets]
        # The batch's inputs are 1 wherever its product is, so they serve as targets of later batches.
        known += freed
        products += batch
    return tuple(ops), [*products, *rest]
