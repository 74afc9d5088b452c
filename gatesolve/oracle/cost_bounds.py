"""Proven bounds of a cost, by looking at a few variables at a time; polynomial in the number of terms."""

from __future__ import annotations

import math

from gatesolve.encodings.space import Space
from gatesolve.model.constraints import tabulate
from gatesolve.oracle.phase_polynomial import (
    Share,
    Total,
    by_products,
    product_of,
    violation_polynomial,
    wires_of,
)
from gatesolve.oracle.synthesise import synthesise
from gatesolve.qubo.cost import Cost, SoftConstraint
from gatesolve.qubo.digits import group_axes
from gatesolve.qubo.orientation import find_lower_bound

JOINT_ROWS = 1 << 14
"""Most combinations of values over which the bounds of a few terms are looked up together."""
SPREAD = 16
"""Most parities over which a term is spread to be bounded together with others."""


def bound_cost(cost: Cost, space: Space) -> tuple[int, int]:
    """A proven least and largest cost on the codewords of ``space``.

    The tighter of two: terms on the same variables looked at together and the rest added up (`bound_jointly`); and
    the bounds of the cost as a polynomial (`bound_polynomial`). A search that has found the least cost is done.

    Raises:
        DoesNotFitError: a constraint has no circuit (`synthesise`).
    """
    pairs = (bound_jointly(cost, space), bound_polynomial(cost, space))
    return max(low for low, _ in pairs), min(high for _, high in pairs)


def bound_jointly(cost: Cost, space: Space) -> tuple[int, int]:
    """Terms that read the same variables as another term, or fewer, are looked at with it; then all is added up."""
    order = {name: k for k, name in enumerate(space.variables)}
    groups: dict[frozenset[str], list[SoftConstraint]] = {}
    for term in sorted(cost.terms, key=lambda t: -len(set(t.constraint.scope))):
        scope = frozenset(term.constraint.scope)
        home = next((other for other in groups if scope <= other), scope)
        groups.setdefault(home, []).append(term)
    low = high = 0
    for scope, members in groups.items():
        axes = group_axes(sorted(scope, key=order.__getitem__), space)
        if math.prod(len(axis.tuples) for axis in axes) > JOINT_ROWS:
            high += sum(term.weight for term in members)
            continue
        costs = tabulate(Cost(tuple(members)).evaluate, axes)
        low, high = low + int(costs.min()), high + int(costs.max())
    return low, high


def bound_polynomial(cost: Cost, space: Space) -> tuple[int, int]:
    """The cost as signs of parities, as products of bits, and as the best form of each product found.

    Terms that are too wide are added up on their own.
    """
    shares: list[Share] = []
    wide = 0
    for term in cost.terms:
        spread = violation_polynomial(synthesise(term.constraint, space), SPREAD)
        if spread is None:
            wide += term.weight
        else:
            shares.append((term.weight, spread))
    total = Total(tuple(shares))
    found = [total.bounds]
    multiplied = by_products(shares, space.num_qubits)
    if multiplied is not None:
        found += [multiplied.bounds, (_least(multiplied, 1), -_least(multiplied, -1))]
    return max(low for low, _ in found), min(high for _, high in found) + wide


def _least(total: Total, sign: int) -> int:
    """A lower bound of ``sign`` times a total of products."""
    linear: dict[int, int] = {}
    bonds: list[tuple[int, int, int]] = []
    least = sign * total.constant
    for weight, share in ((sign * weight, share) for weight, share in total.shares):
        mask = max(share, default=0)
        wires = wires_of(mask)
        # A product of n wires has 2^n signs: no others are written out.
        known = 0 < len(wires) <= 2 and share == product_of(mask)
        if known and len(wires) == 2:
            bonds.append((wires[0], wires[1], weight))
        elif known:
            linear[wires[0]] = linear.get(wires[0], 0) + weight
        else:
            least += min(weight, 0)
    return least + math.ceil(find_lower_bound(bonds, linear))
