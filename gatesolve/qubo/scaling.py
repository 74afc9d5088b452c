"""A Qubo's energy as a whole-number cost: scaled exactly where it fits, else rounded with a stated error."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gatesolve.encodings.block import Block, make_binary
from gatesolve.encodings.space import Space
from gatesolve.errors import DoesNotFitError, InputError
from gatesolve.model import Variable
from gatesolve.qubo.cost import Cost, SoftConstraint
from gatesolve.qubo.digits import Axis, Broken, Values, estimate_cx, group_axes, make_broken, split_by_weight
from gatesolve.qubo.numerals import as_written
from gatesolve.qubo.orientation import orient_products
from gatesolve.qubo.polynomial import Monomial
from gatesolve.qubo.qubo import Qubo

EXACT_BITS = 48
"""Costs of so many bits are worth more than the error of fewer."""
NOISE_BITS = 44
"""Differences below the largest value divided by 2 to this power are taken for noise of floating point."""
LOCAL_ROWS = 1 << 14
"""Most combinations of values of the variables that one term of a Qubo reads."""
Exact = NDArray[Any]
"""An array of Python's own integers."""


@dataclass(frozen=True)
class _Local:
    """A function of a few variables, its least value taken off."""

    axes: tuple[Axis, ...]
    values: Exact

    @property
    def table(self) -> dict[tuple[int, ...], int]:
        """The values by those of the variables."""
        rows = (tuple(chain(*row)) for row in product(*(axis.tuples for axis in self.axes)))
        return dict(zip(rows, self.values.reshape(-1).tolist(), strict=True))


Locals = dict[tuple[str, ...], _Local]
_Bit = tuple[Block, int]
"""A Qubo variable: the block it is a qubit of, and which."""


def qubo_cost(qubo: Qubo, space: Space | None = None, bits: int = 24, exact_bits: int = EXACT_BITS) -> Cost:
    """A Qubo as weighted soft constraints over the variables of a space.

    Coefficients count as the decimals they are written as (0.1 is one tenth). Where the energies' spread in units of
    their greatest common divisor is below ``2**exact_bits``, the cost is exact: ``energy(cost)`` is the energy. Else
    coefficients are rounded to the unit for which the spread just fits in ``bits``, and ``error`` bounds the difference
    exactly, rounding by rounding. The spread is summed over the groups of terms that read the same variables.

    A value register of ``cost.most.bit_length()`` bits holds every cost: a cost is a sum of weights of different
    terms, and ``most`` is the sum of all of them.

    Args:
        qubo: of any degree. Without a space of its own its variables are those of ``space``, of values 0 and 1;
            with one, its bits are read as functions of the model's variables, so ``space`` may encode them otherwise.
        space: gives the tuples of values there are; the Qubo's own where None, and one binary qubit a variable where
            it has none.
        bits: of a spread that is rounded, more than the groups have.
        exact_bits: of one that is not.

    Raises:
        DoesNotFitError: a term reads variables of more than 2^14 combinations of values.
    """
    own = qubo.space or binary_space(qubo.names)
    bits_of = [(block, place) for block in own.blocks for place in range(block.num_qubits)]
    space = space or own
    groups = _group_terms(qubo, bits_of, space)
    base = as_written(qubo.offset)
    denominator = math.lcm(1, *(c.denominator for group in groups.values() for c in group.values()))
    locals_: Locals = {}
    for names, group in groups.items():
        axes = group_axes(names, space)
        table = _tabulate(group, axes, bits_of, denominator)
        least = table.min()
        base += Fraction(int(least), denominator)
        if table.max() > least:
            locals_[names] = _Local(axes, table - least)
    unit, rounded, shift, error = _in_units(locals_, denominator, bits, exact_bits)
    return _cheapest(rounded, base + shift, unit, error)


def binary_space(names: Sequence[str]) -> Space:
    """One qubit a name, of values 0 and 1."""
    return Space(tuple(make_binary(Variable(name, (0, 1))) for name in names))


def _group_terms(qubo: Qubo, bits: Sequence[_Bit], space: Space) -> dict[tuple[str, ...], dict[Monomial, Fraction]]:
    """Coefficients by the variables that their monomials read."""
    order = {name: k for k, name in enumerate(space.variables)}
    groups: dict[tuple[str, ...], dict[Monomial, Fraction]] = {}
    for monomial, coefficient in qubo.terms.items():
        names = {name for number in monomial for name in bits[number][0].variables}
        missing = names - set(order)
        if missing:
            raise InputError(f"the Qubo reads {min(missing)}, which the space does not hold: give it a block")
        group = groups.setdefault(tuple(sorted(names, key=order.__getitem__)), {})
        group[monomial] = group.get(monomial, Fraction(0)) + as_written(coefficient)
    return groups


def _tabulate(group: dict[Monomial, Fraction], axes: tuple[Axis, ...], bits: Sequence[_Bit], denominator: int) -> Exact:
    """The sum of a group's terms, times ``denominator``, for all tuples of its axes."""
    shape = tuple(len(axis.tuples) for axis in axes)
    if math.prod(shape) > LOCAL_ROWS:
        names = ", ".join(name for axis in axes for name in axis.names)
        raise DoesNotFitError(
            f"terms over {names} have {math.prod(shape)} combinations of values, more than {LOCAL_ROWS}: "
            "use encoding='one-hot' or 'binary', whose blocks hold one variable each"
        )
    values = {}
    for number in {number for monomial in group for number in monomial}:
        block, place = bits[number]
        ones = [word >> place & 1 for word in block.codewords]
        values[number] = _broadcast_table(block.variables, dict(zip(block.tuples, ones, strict=True)), axes)
    total = np.zeros(shape, dtype=object)
    for monomial, coefficient in group.items():
        total += math.prod(values[n] for n in monomial) * int(coefficient * denominator)
    return total


def _in_units(
    locals_: Locals, denominator: int, bits: int, exact_bits: int
) -> tuple[Fraction, Locals, Fraction, Fraction]:
    """Unit, tables in units, what to add to the base, and the error left: exact where the spread fits."""
    if not locals_:
        return Fraction(1), {}, Fraction(0), Fraction(0)
    divisor = math.gcd(*(int(v) for local in locals_.values() for v in local.values.flat))
    spread = sum(int(local.values.max()) for local in locals_.values())
    if spread // divisor < 1 << exact_bits:
        exact = {names: _Local(local.axes, local.values // divisor) for names, local in locals_.items()}
        return Fraction(divisor, denominator), exact, Fraction(0), Fraction(0)
    # Each group's largest value may be rounded up by half a unit, so half a unit a group is kept free.
    room = (1 << bits) - 1 - (len(locals_) + 1) // 2
    step = _common_step(locals_, spread, room) or Fraction(spread, room)
    low = high = Fraction(0)
    rounded: Locals = {}
    for names, local in locals_.items():
        whole = np.array([round(int(v) / step) for v in local.values.flat], dtype=object)
        missing = [int(v) - w * step for v, w in zip(local.values.flat, whole, strict=True)]
        low, high = low + min(missing), high + max(missing)
        if whole.any():
            rounded[names] = _Local(local.axes, whole.reshape(local.values.shape))
    return step / denominator, rounded, (low + high) / 2 / denominator, (high - low) / 2 / denominator


def _common_step(locals_: Locals, spread: int, room: int) -> Fraction | None:
    """A number of which all values are multiples but for the noise of floating point, if the spread fits in it.

    Products such as 3 * 1e-9 are not the decimals they stand for; rounded to this step the error is the noise alone.
    Euclid's algorithm, with remainders within the noise taken for zero.
    """
    values = sorted({int(v) for local in locals_.values() for v in local.values.flat} - {0}, reverse=True)
    noise = values[0] >> NOISE_BITS
    step = values[0]
    for value in values[1:]:
        rest = value
        while rest > noise:
            step, rest = rest, step % rest
            rest = min(rest, step - rest)
        if step * room < spread:
            return None
    # The largest value has the least noise for its size.
    return Fraction(values[0], round(values[0] / step))


def _cheapest(locals_: Locals, base: Fraction, unit: Fraction, error: Fraction) -> Cost:
    """The cheapest of the ways to share the sum out over groups."""
    whole = {names: _Local(local.axes, local.values.astype(np.int64)) for names, local in locals_.items()}
    plain = _ScalingPlan(whole, 0, 1)
    turned = _orient_pairs(plain)
    plans = [plain, _absorb_groups(plain), turned, _absorb_groups(turned)]
    best = min(plans, key=lambda plan: plan.price)
    unit /= best.scale
    terms = [
        SoftConstraint(weight // best.divisor, make_broken(best.locals[names].axes, broken))
        for names, parts in best.weighted_parts.items()
        for weight, broken in parts
    ]
    return Cost(tuple(terms), base + unit * best.shift, unit * best.divisor, error)


@dataclass(frozen=True)
class _ScalingPlan:
    """A way to share the sum out: ``scale`` times it is ``shift`` plus the sum of all local functions."""

    locals: Locals
    shift: int
    scale: int

    @cached_property
    def weighted_parts(self) -> dict[tuple[str, ...], list[tuple[int, Broken]]]:
        """Weights and where they are paid, group by group."""
        return {names: split_by_weight(local.values) for names, local in self.locals.items()}

    @cached_property
    def divisor(self) -> int:
        """The common divisor of all weights."""
        return math.gcd(*(weight for parts in self.weighted_parts.values() for weight, _ in parts)) or 1

    @cached_property
    def price(self) -> int:
        """CX, roughly."""
        return estimate_cx(
            [(w // self.divisor, broken) for parts in self.weighted_parts.values() for w, broken in parts]
        )


def _absorb_groups(plan: _ScalingPlan) -> _ScalingPlan:
    """Functions of fewer variables added to one of more variables, where the sum is the simpler one."""
    kept, shift = dict(plan.locals), plan.shift
    prices = {names: estimate_cx(split_by_weight(local.values)) for names, local in kept.items()}
    for names in sorted(plan.locals, key=len):
        homes = [other for other in kept if len(other) > len(names) and set(names) <= set(other)]
        best: tuple[int, tuple[str, ...], Values] | None = None
        for home in homes:
            both = kept[home].values + _broadcast_table(names, kept[names].table, kept[home].axes).astype(np.int64)
            gain = prices[names] + prices[home] - estimate_cx(split_by_weight(both - both.min()))
            if gain > 0 and (best is None or gain > best[0]):
                best = gain, home, both
        if best is not None:
            _, home, both = best
            shift += int(both.min())
            kept[home] = _Local(kept[home].axes, both - both.min())
            prices[home] = estimate_cx(split_by_weight(kept[home].values))
            del kept[names]
    return _ScalingPlan({names: local for names, local in kept.items() if local.values.any()}, shift, plan.scale)


def _broadcast_table(names: Sequence[str], table: Mapping[tuple[int, ...], int], axes: tuple[Axis, ...]) -> Exact:
    """A function of some variables, in a shape that broadcasts to that of the axes, which hold them."""
    used = [set(axis.names) & set(names) for axis in axes]
    shape = [len(axis.tuples) if read else 1 for axis, read in zip(axes, used, strict=True)]
    found = np.zeros(shape, dtype=object)
    for place in np.ndindex(*shape):
        values = {
            n: v for axis, p in zip(axes, place, strict=True) for n, v in zip(axis.names, axis.tuples[p], strict=True)
        }
        row = tuple(values[name] for name in names)
        if row not in table:
            raise InputError(f"the Qubo has no state for {', '.join(names)} = {', '.join(map(str, row))}")
        found[place] = table[row]
    return found


def _orient_pairs(plan: _ScalingPlan) -> _ScalingPlan:
    """Products of two-valued groups in the forms that leave least to the groups alone (`orientation`)."""
    pairs = {names: local for names, local in plan.locals.items() if local.values.shape == (2, 2)}
    axes = {axis.names: axis for local in pairs.values() for axis in local.axes}
    kept = {n: _Local(one.axes, 2 * one.values) for n, one in plan.locals.items() if n not in pairs and n not in axes}
    linear, shift = dict.fromkeys(axes, 0), 2 * plan.shift
    bonds = []
    for names, axis in axes.items():
        if names in plan.locals:
            zero, one = map(int, plan.locals[names].values)
            linear[axis.names] += one - zero
            shift += 2 * zero
    for local in pairs.values():
        (zero, second), (first, both) = local.values.tolist()
        a, b = (axis.names for axis in local.axes)
        shift += 2 * zero
        linear[a] += first - zero
        linear[b] += second - zero
        bonds.append((a, b, both - first - second + zero))
    forms, left = orient_products([bond for bond in bonds if bond[2]], linear)
    for (a, b, _), form in zip((bond for bond in bonds if bond[2]), forms, strict=True):
        kept[*a, *b] = _Local((axes[a], axes[b]), np.array(form.paid, dtype=np.int64))
        shift += form.base
    for names, axis in axes.items():
        shift += min(left[names], 0)
        kept[names] = _Local((axis,), np.array([max(-left[names], 0), max(left[names], 0)], dtype=np.int64))
    return _ScalingPlan({names: local for names, local in kept.items() if local.values.any()}, shift, 2 * plan.scale)
