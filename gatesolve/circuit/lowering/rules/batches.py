"""Products of many controls in logarithmic depth without a search: for gates so large that a search takes seconds.

A batch of controls is multiplied by a tree of ANDs on the wires known to be zero. Once its product stands, the other
wires of the batch are known to be 1 wherever that product counts, so the next batch is about twice as large.

Source: Khattar and Gidney, arXiv:2407.17966, section 5.
"""

from __future__ import annotations

from gatesolve.circuit.lowering.rules.clean import Wires, and_tree, around, join_on_controls, make_and
from gatesolve.circuit.ops import Op, Ops, Xor
from gatesolve.circuit.parity import Parity


def batches(qubits: Wires, clean: Wires) -> Ops:
    """Multi-controlled Z: batches on all clean ancillas but one, which joins their products; then a CCZ.

    A single ancilla takes the product of two controls, which then are as good as two clean ones for the others.
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
