"""Whole-number functions of a few variables as weighted soft constraints.

A function that takes few values, or whose binary digits are simple, needs few constraints: digit j is broken where
the digit is 1 and pays 2^j. Digits that are broken in the same places are one constraint of the summed weight, so a
multiple of a single product is one constraint.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatesolve.circuit.gf2 import rank
from gatesolve.encodings.space import Space
from gatesolve.model import Clause, Constraint, Model, Table
from gatesolve.model.constraints import Domains, tabulate
from gatesolve.model.terms import Term, add_terms
from gatesolve.model.trees import NoDigit
from gatesolve.qubo.cost import SoftConstraint

Values = NDArray[np.int64]
Broken = NDArray[np.bool_]
MOST_ROWS = 1 << 12
"""Assignments of the variables of a part of an objective up to which its values are listed."""
FEW_VALUES = 16
"""Most different values of a function for which a constraint a value is tried."""
AND_CX, DIGIT_CX = 6, 14
"""CX of one logical AND made and undone, and of adding one flag to a sum and taking it off again, roughly."""


class Axis(NamedTuple):
    """Variables of one block that are looked at together, and the tuples of values that the block gives them."""

    names: tuple[str, ...]
    tuples: tuple[tuple[int, ...], ...]


def group_axes(names: Sequence[str], space: Space) -> tuple[Axis, ...]:
    """The variables ``names`` grouped by the blocks of ``space``, in the order of blocks."""
    result = []
    for number in sorted({space.home[name][0] for name in names}):
        block = space.blocks[number]
        kept = tuple(name for name in block.variables if name in names)
        places = [block.variables.index(name) for name in kept]
        result.append(Axis(kept, tuple(dict.fromkeys(tuple(row[p] for p in places) for row in block.tuples))))
    return tuple(result)


def make_soft_terms(axes: Sequence[Axis], values: Values) -> tuple[SoftConstraint, ...]:
    """Soft constraints whose weights sum to ``values`` wherever they are broken."""
    return tuple(SoftConstraint(weight, make_broken(axes, broken)) for weight, broken in split_by_weight(values))


def split_by_weight(values: Values) -> list[tuple[int, Broken]]:
    """Weights and where they are paid, so that they sum to ``values``, which are at least 0.

    The cheapest by `estimate_cx` of: one place a binary digit, whose weights sum to less than twice the largest value;
    one place a step from one value to the next, whose weights sum to the largest value; one place a value.
    """
    if not values.any():
        return []
    plans = [[(1 << j, (values >> j & 1).astype(bool)) for j in range(int(values.max()).bit_length())]]
    different = [int(v) for v in np.unique(values) if v]
    if len(different) <= FEW_VALUES:
        plans.append([(v - u, values >= v) for u, v in zip([0, *different[:-1]], different, strict=True)])
        plans.append([(v, values == v) for v in different])
    return min((_merge_equal(plan) for plan in plans), key=estimate_cx)


def _merge_equal(plan: Sequence[tuple[int, Broken]]) -> list[tuple[int, Broken]]:
    """One constraint for all that are broken in the same places; none for those broken nowhere."""
    merged: dict[bytes, tuple[int, Broken]] = {}
    for weight, broken in plan:
        if broken.any():
            before, _ = merged.get(broken.tobytes(), (0, broken))
            merged[broken.tobytes()] = (before + weight, broken)
    return list(merged.values())


def estimate_cx(plan: Sequence[tuple[int, Broken]]) -> int:
    """CX to compute the flags and add them to a sum, and to undo both; for comparing plans only."""
    return sum(AND_CX * num_products(broken) + DIGIT_CX * weight.bit_count() for weight, broken in plan)


def num_products(broken: Broken) -> int:
    """ANDs of a flag when every function of one axis is free, as it is in one-hot.

    For two axes the rank over GF(2) of what is left of the function beside the functions of one axis; for more an
    estimate.
    """
    if broken.ndim < 2:
        return 0
    ranks = []
    for k in range(broken.ndim):
        matrix = np.moveaxis(broken, k, 0).reshape(broken.shape[k], -1)
        matrix = matrix ^ matrix[:1] ^ matrix[:, :1] ^ matrix[0, 0]
        ranks.append(rank([int("".join("1" if b else "0" for b in row), 2) for row in matrix]))
    return max(min(ranks), 1 if max(ranks) else 0) * (broken.ndim - 1)


def make_broken(axes: Sequence[Axis], broken: Broken) -> Constraint:
    """The constraint that exactly the tuples marked in ``broken`` break: a clause where they are a box, else a table.

    Axes that make no difference are not in its scope.
    """
    for k in reversed(range(broken.ndim)):
        along = np.moveaxis(broken, k, 0)
        if broken.ndim > 1 and (along == along[:1]).all():
            broken, axes = along[0], [*axes[:k], *axes[k + 1 :]]
    single = all(len(axis.names) == 1 for axis in axes)
    # which places of each axis are broken anywhere
    sides = [broken.swapaxes(0, k).reshape(broken.shape[k], -1).max(axis=1) for k in range(broken.ndim)]
    if single and math.prod(int(side.sum()) for side in sides) == broken.sum():
        literals = (
            (axis.names[0], frozenset(row[0] for row, inside in zip(axis.tuples, side, strict=True) if not inside))
            for axis, side in zip(axes, sides, strict=True)
        )
        return Clause(tuple(literals))
    names = tuple(name for axis in axes for name in axis.names)
    places = (place for place in np.ndindex(*broken.shape) if not broken[place])
    kept = (tuple(v for axis, p in zip(axes, place, strict=True) for v in axis.tuples[p]) for place in places)
    return Table(names, tuple(sorted(kept)))


def split_objective(model: Model) -> tuple[tuple[SoftConstraint, ...], int]:
    """A model's objective as soft constraints, one variable or nonlinear term at a time, and the base.

    The base plus the weights of the broken terms is the objective's value where it is minimised, and minus its value
    where it is maximised. No objective: no terms, 0.
    """
    objective = model.objective
    if objective is None:
        return (), 0
    sign = 1 if objective.sense == "min" else -1
    base = sign * objective.constant
    terms: list[SoftConstraint] = []
    shares: dict[str, int] = {}
    for coefficient, name in objective.terms:
        shares[name] = shares.get(name, 0) + sign * coefficient
    for name, coefficient in shares.items():
        domain = model.domains[name]
        least = min(coefficient * value for value in domain)
        base += least
        values = np.array([coefficient * value - least for value in domain], dtype=np.int64)
        terms.extend(make_soft_terms((Axis((name,), tuple((v,) for v in domain)),), values))
    for weight, part in objective.parts:
        found, least = _split_part(sign * weight, part, model.domains)
        base += least
        terms.extend(found)
    return tuple(terms), base


def _split_part(weight: int, part: Term, domains: Domains) -> tuple[tuple[SoftConstraint, ...], int]:
    """A weighted term as soft constraints, and its least value: by its values where few, else by its digits."""
    names = part.scope
    if not names:
        return (), weight * int(part.values({})[0])
    if math.prod(len(domains[name]) for name in names) <= MOST_ROWS:
        axes = tuple(Axis((name,), tuple((v,) for v in domains[name])) for name in names)
        values = weight * tabulate(lambda columns: part.values(columns)[0], axes)
        least = int(values.min())
        return make_soft_terms(axes, values - least), least
    scaled = add_terms([(weight // abs(weight), part)])
    low, high = scaled.bounds(domains)
    digits = range((high - low).bit_length())
    return tuple(SoftConstraint(abs(weight) << k, NoDigit(scaled, low, k)) for k in digits), abs(weight) * low
