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
from typing import TypeAlias

from qiskit import QuantumCircuit

from gatesolve.circuit import Ops, PhaseFlip, Write, inverse
from gatesolve.circuit.cost import count_cx
from gatesolve.circuit.lowering import estimate_cx, lower
from gatesolve.circuit.lowering.price import price_ops
from gatesolve.errors import AncillaBudgetError
from gatesolve.gate_sets import GateSet
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
        alternatives: other forms of the same oracle, which may take fewer gates once lowered.
        lowered: what `lower` makes of ``ops`` for few CX, where it was made to choose.
    """

    ops: Ops
    num_data: int
    num_ancillas: int
    conditions: tuple[Condition, ...] = ()
    style: str = "constraints"
    alternatives: tuple[Oracle, ...] = field(default=(), compare=False, repr=False)
    lowered: QuantumCircuit | None = field(default=None, compare=False, repr=False)

    @property
    def num_qubits(self) -> int:
        """Data and ancilla qubits."""
        return self.num_data + self.num_ancillas


Price: TypeAlias = Callable[[Oracle], tuple[float, float]]
"""A measure by which oracles are compared: what comes first, and what breaks ties."""


def oracle_key(metric: str, gates: GateSet = "cx+u") -> Price:
    """Return the key of one oracle call for a metric and a gate set: its price, and the CX to break ties."""
    if metric == "qubits":
        return lambda oracle: (oracle.num_qubits, count_cx(oracle.ops))
    return lambda oracle: (price_ops(oracle.ops, oracle.num_qubits, metric, gates), count_cx(oracle.ops))


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
        with_alternative: whether an oracle of few operations comes with its other forms, without parities made in place
            or with them, and without complements absorbed or with them, for `choose_lowered`.
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
    ways = (False, True) if absorbing else (False,)
    if ancillas is None:
        wide = [[oracle for one in variants for oracle in _list_wide(one, num_data, alone, way)] for way in ways]
        return _choose([_place_all(found, price) for found in wide], price, with_alternative)
    fitting, least = list[list[Oracle]](), math.inf
    for way in ways:
        found = list[Oracle]()
        for variant in variants:
            for built in list_schedules(gather_parts(variant, num_data, way), alone):
                if way:
                    built = absorb_complements(built)
                width = find_width(built)
                least = min(least, width)
                if width <= ancillas:
                    found.append(_finish(built, variant, ancillas))
        if found:
            fitting.append(heapq.nsmallest(PLACED, found, key=price))
    if not fitting:
        number = f"{least} ancilla{'' if least == 1 else 's'}"
        raise AncillaBudgetError(
            f"the oracle needs at least {number}, {ancillas} are allowed: use ancillas={least} or more",
            least=int(least),
        )
    return _choose([_place_all(found, price) for found in fitting], price, with_alternative)


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
    # Of those that read two of their sides twice lowering finds fewer.
    share = 1 if any(op.uses.count(2) > 1 for op in compute) else LEAST_GAIN
    return found if count_cx(found.ops) <= share * count_cx(oracle.ops) else oracle


def _choose(ways: Sequence[Sequence[tuple[Oracle, Oracle]]], price: Price, with_alternative: bool) -> Oracle:
    """The cheapest oracle, of those without and with complements absorbed, each without or with parities in place."""
    pairs = [min(pairs, key=lambda pair: min(map(price, pair))) for pairs in ways]
    best, *others = sorted((form for pair in pairs for form in pair), key=price)
    if not with_alternative or len(best.ops) > LOWERED:
        return best
    different = {form.ops: form for form in others if form.ops != best.ops and len(form.ops) <= LOWERED}
    return replace(best, alternatives=tuple(different.values()))


def choose_lowered(oracle: Oracle) -> Oracle:
    """The form of an oracle that takes the fewest CX once lowered: estimates leave out what passes find."""
    if not oracle.alternatives:
        return oracle
    forms = (oracle, *oracle.alternatives)
    estimates = [estimate_cx(form.ops, form.num_qubits) for form in forms]
    close = [form for form, cx in zip(forms, estimates, strict=True) if cx <= CLOSE * min(estimates)]
    made = [replace(form, alternatives=(), lowered=lower(form.ops, form.num_qubits)) for form in close]
    return min(made, key=_count_lowered)


def _count_lowered(oracle: Oracle) -> tuple[int, int, int]:
    """CX, ancillas and depth of a lowered oracle."""
    assert oracle.lowered is not None
    return oracle.lowered.count_ops().get("cx", 0), oracle.num_ancillas, oracle.lowered.depth()


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
