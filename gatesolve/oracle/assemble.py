"""Conditions to an oracle: compute, one phase, uncompute, within an ancilla budget.

Four schedules: every flag keeps its own ancilla and all factors meet in one
AND tree; the tree stops early, or never starts, and a multi-controlled Z joins
the rest, its parities reduced against each other; some conditions, or some
factors of each, are reduced to a single flag, and what nobody reads any more is
uncomputed at once; conditions are joined group by group.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import TypeAlias

from qiskit import QuantumCircuit

from gatesolve.circuit import AndNot, Ops, PhaseFlip, Write, inverse
from gatesolve.circuit.cost import count_cx
from gatesolve.circuit.lowering import estimate_cx, lower
from gatesolve.errors import AncillaBudgetError
from gatesolve.oracle.complements import absorb_complements
from gatesolve.oracle.condition import Condition
from gatesolve.oracle.in_place import MOST_ORDERS, is_shuffled, place_parities
from gatesolve.oracle.parts import gather_parts
from gatesolve.oracle.schedules import Built, find_width, keep_flags, list_schedules

LEAST_GAIN = 0.96
"""Parities made in place are looked at only if at most this share of the CX is left."""
PLACED = 3
"""Schedules within a budget, the cheapest ones, in which parities are made in place."""
NEAR = 1.05
"""Cost, of the least, up to which other orders are tried: they gained up to 4.4 % in 60 oracles of drawn boards."""
LOWERED = 300
"""Most operations of oracles that are lowered to be compared."""
CLOSE = 1.015
"""CX by the short passes, of the least, up to which all passes decide: in 39 pairs they changed the ratio by 1.2 %."""


@dataclass(frozen=True)
class Oracle:
    """A phase oracle on the space's qubits.

    Attributes:
        ops: phase -1 on exactly the codewords where every condition holds; ancillas zero before and after.
        num_data: qubits of the space; ancillas follow.
        num_ancillas: ancillas used.
        conditions: what was joined, for reports.
        style: ``constraints``, ``classical``, or for a threshold ``counter`` or ``fourier``.
        alternative: other operations of the same oracle, which may take fewer gates once lowered.
        lowered: what `lower` makes of ``ops`` for few CX, where it was made to choose.
    """

    ops: Ops
    num_data: int
    num_ancillas: int
    conditions: tuple[Condition, ...] = ()
    style: str = "constraints"
    alternative: Ops | None = field(default=None, compare=False, repr=False)
    lowered: QuantumCircuit | None = field(default=None, compare=False, repr=False)

    @property
    def num_qubits(self) -> int:
        """Data and ancilla qubits."""
        return self.num_data + self.num_ancillas


Price: TypeAlias = Callable[[Oracle], tuple[float, float]]


def assemble(
    conditions: Sequence[Condition],
    num_data: int,
    ancillas: int | None = None,
    *,
    alone: bool = False,
    cost: Price | None = None,
    with_alternative: bool = False,
    absorbing: bool = False,
) -> Oracle:
    """Join ``conditions`` into a phase oracle.

    Args:
        conditions: what must hold, over data qubits 0 ... num_data-1.
        num_data: qubits of the space.
        ancillas: most clean ancillas to use; None for as many as it likes.
        alone: whether conditions meet in a tree of ANDs alone: no linear reduction of parities across them, and no
            multi-controlled Z over many of them.
        cost: what to choose by; CX when None. Parities made in place must save CX all the same.
        with_alternative: whether an oracle of few operations comes with its other form, without parities made in place
            or with them, for `choose_lowered`.
        absorbing: whether an AND of which only the complement is read is made in the operation that reads it: fewer CX
            and ancillas, as many T; it cannot be erased by measurement.

    Raises:
        AncillaBudgetError: no schedule stays within the budget; the message gives the least that would do.
    """
    price = cost or (lambda oracle: (count_cx(oracle.ops), oracle.num_ancillas))
    kept = [c for c in conditions if c.flags or c.factors]
    variants = [[replace(c, shared=None) for c in kept]]
    if any(c.shared for c in kept):
        variants.append([c.shared or c for c in kept])
    ways = list(product(variants, (False, True) if absorbing else (False,)))
    if ancillas is None:
        found = [oracle for variant, way in ways for oracle in _list_wide(variant, num_data, alone, way)]
        return _choose(_place_all(found, price), price, with_alternative)
    fitting, least = list[Oracle](), math.inf
    for variant, way in ways:
        for built in list_schedules(gather_parts(variant, num_data, way), alone):
            if way:
                built = absorb_complements(built)
            width = find_width(built)
            least = min(least, width)
            if width <= ancillas:
                fitting.append(_finish(built, variant, ancillas))
    if not fitting:
        number = f"{least} ancilla{'' if least == 1 else 's'}"
        raise AncillaBudgetError(
            f"the oracle needs at least {number}, {ancillas} are allowed: use ancillas={least} or more",
            least=int(least),
        )
    cheapest = heapq.nsmallest(PLACED, fitting, key=price)
    return _choose(_place_all(cheapest, price), price, with_alternative)


def _list_wide(kept: Sequence[Condition], num_data: int, alone: bool, absorbing: bool) -> list[Oracle]:
    """Every flag on its own ancilla, and all factors in one tree, reduced or not, or in one phase."""
    parts = gather_parts(kept, num_data, absorbing)
    most = sum(map(len, parts.factors))
    # To XOR parities of different conditions with each other can take more CX than it saves.
    built = [keep_flags(parts, most, alone=True), *([] if alone else [keep_flags(parts, most, alone)])]
    if absorbing:
        built = [absorb_complements(one) for one in built]
    found = [_finish(one, kept) for one in built]
    if alone:
        return found
    plenty = sum(len(c.flags) for c in kept) + most
    return found if absorbing else [*found, _finish(keep_flags(parts, 0, alone), kept, plenty)]


def _place_all(found: Sequence[Oracle], price: Price) -> list[tuple[Oracle, Oracle]]:
    """Each oracle that may become the cheapest, and the same with parities made in place."""
    pairs = [(one, _place(one, 0)) for one in found]
    keys = [min(map(price, pair)) for pair in pairs]
    near = [pair for pair, key in zip(pairs, keys, strict=True) if key[0] <= NEAR * min(keys)[0]]
    return [(one, _place(one, MOST_ORDERS) if is_shuffled(_num_computed(one) + 1) else placed) for one, placed in near]


def _num_computed(oracle: Oracle) -> int:
    """Operations before the phase: as many are undone after it, and perhaps after its sign."""
    return (len(oracle.ops) - 1) // 2


def _place(oracle: Oracle, most_orders: int) -> Oracle:
    """The oracle with parities made in place, unless that hardly saves a CX: lowering finds a few of them as well."""
    number = _num_computed(oracle)
    compute, after = oracle.ops[: number + 1], oracle.ops[number + 1 : len(oracle.ops) - number]
    placed = place_parities([op for op in compute if isinstance(op, Write | PhaseFlip)], most_orders=most_orders)
    found = replace(oracle, ops=(*placed, *after, *inverse(placed[:-1])))
    # Of those of an `AndNot`, which reads two of its sides twice, lowering finds fewer.
    share = 1 if any(isinstance(op, AndNot) for op in compute) else LEAST_GAIN
    return found if count_cx(found.ops) <= share * count_cx(oracle.ops) else oracle


def _choose(pairs: Sequence[tuple[Oracle, Oracle]], price: Price, with_alternative: bool) -> Oracle:
    """The cheapest oracle, without or with parities made in place."""
    best, other = sorted(min(pairs, key=lambda pair: min(map(price, pair))), key=price)
    if with_alternative and best.ops != other.ops and max(len(best.ops), len(other.ops)) <= LOWERED:
        return replace(best, alternative=other.ops)
    return best


def choose_lowered(oracle: Oracle) -> Oracle:
    """The oracle, or its alternative where that takes fewer CX once lowered: estimates leave out what passes find."""
    if oracle.alternative is None:
        return oracle
    forms = (oracle.ops, oracle.alternative)
    estimates = [estimate_cx(ops, oracle.num_qubits) for ops in forms]
    close = [ops for ops, cx in zip(forms, estimates, strict=True) if cx <= CLOSE * min(estimates)]
    made = [(ops, lower(ops, oracle.num_qubits)) for ops in close]
    ops, lowered = min(made, key=lambda pair: (pair[1].count_ops().get("cx", 0), pair[1].depth()))
    return replace(oracle, ops=ops, alternative=None, lowered=lowered)


def _finish(built: Built, conditions: Sequence[Condition], ancillas: int | None = None) -> Oracle:
    """The phase on what is left, then everything undone. Ancillas never used serve the phase as clean ones."""
    builder, factors = built
    compute = tuple(builder.ops)
    wanted = max(len(factors) - 3, 0)
    while len(builder.free) < wanted and (builder.used < (ancillas or 0) or not builder.free):
        builder.free.append(builder.num_data + builder.used)
        builder.used += 1
    clean = tuple(sorted(builder.free))
    sign = (PhaseFlip(()),) if builder.turned else ()
    ops = (*compute, PhaseFlip(tuple(factors), clean), *sign, *inverse(compute))
    return Oracle(ops, builder.num_data, builder.used, tuple(conditions))
