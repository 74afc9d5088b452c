"""Whole-number costs as weighted soft constraints: of an objective, of a Qubo, of a function of a few variables.

A function with few values or simple binary digits needs few constraints: digit j is broken where the digit is 1 and
pays 2^j. Digits broken in the same places are merged into one constraint of the summed weight. So a multiple of a
single product is one constraint. A Qubo's energy is scaled exactly where it fits, else rounded with a stated error.

A product ``a b`` of two bits may be paid in several ways, which `list_forms` lists. Their linear rests add up over all
products of a bit, so the choices are not independent.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain, product
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from gatesolve.circuit.gf2 import rank
from gatesolve.encodings.block import Block, make_binary
from gatesolve.encodings.space import Space
from gatesolve.errors import DoesNotFitError, InputError
from gatesolve.model import Clause, Constraint, Model, Table, Variable
from gatesolve.model.constraints import Domains, tabulate
from gatesolve.model.terms import Term, Value, add_terms
from gatesolve.model.trees import NoDigit
from gatesolve.qubo.cost import Cost, SoftConstraint
from gatesolve.qubo.numerals import as_written
from gatesolve.qubo.polynomial import Monomial
from gatesolve.qubo.qubo import Qubo

Values = NDArray[np.int64]
Broken = NDArray[np.bool_]
MOST_ROWS = 1 << 12
"""Most assignments of the variables of a part of an objective for which its values are listed."""
FEW_VALUES = 16
"""Most different values of a function for which one constraint a value is tried."""
AND_CX, DIGIT_CX = 6, 14
"""Approximate CX of one AND computed and uncomputed, and of adding one flag to a sum and subtracting it again."""
Square: TypeAlias = tuple[tuple[int, int], tuple[int, int]]
Bit = TypeVar("Bit")
Bond: TypeAlias = tuple[Bit, Bit, int]
"""Two bits and the coefficient of their product."""
SWEEPS = 20
EXACT_BITS = 48
"""Costs of up to this many bits are kept exact rather than rounded to fewer."""
NOISE_BITS = 44
"""Differences below the largest value divided by 2 to this power count as floating-point noise."""
LOCAL_ROWS = 1 << 14
"""Most combinations of values of the variables that one term of a Qubo reads."""
Exact = NDArray[Any]
"""An array of Python's own integers."""
_Bit = tuple[Block, int]
"""A Qubo variable: its block, and the number of its qubit there."""


class Axis(NamedTuple):
    """Variables of one block that are read together, and the tuples of values that the block has for them."""

    names: tuple[str, ...]
    tuples: tuple[tuple[int, ...], ...]


def group_axes(names: Sequence[str], space: Space) -> tuple[Axis, ...]:
    """Return the variables ``names`` grouped by the blocks of ``space``, in the order of blocks."""
    result = []
    for number in sorted({space.home[name][0] for name in names}):
        block = space.blocks[number]
        kept = tuple(name for name in block.variables if name in names)
        places = [block.variables.index(name) for name in kept]
        result.append(Axis(kept, tuple(dict.fromkeys(tuple(row[p] for p in places) for row in block.tuples))))
    return tuple(result)


def make_soft_terms(axes: Sequence[Axis], values: Values) -> tuple[SoftConstraint, ...]:
    """Return soft constraints such that the weights of the broken ones sum to ``values``."""
    return tuple(SoftConstraint(weight, make_broken(axes, broken)) for weight, broken in split_by_weight(values))


def split_by_weight(values: Values) -> list[tuple[int, Broken]]:
    """Return weights and the places where each is paid, which sum to ``values`` (at least 0)."""
    if not values.any():
        return []
    # Three plans: one place a binary digit (the weights sum to less than twice the largest value), one place a step
    # between values (they sum to the largest value), one place a value. The first or the cheapest by CX is taken.
    plans = [[(1 << j, (values >> j & 1).astype(bool)) for j in range(int(values.max()).bit_length())]]
    different = [int(v) for v in np.unique(values) if v]
    if len(different) <= FEW_VALUES:
        plans.append([(v - u, values >= v) for u, v in zip([0, *different[:-1]], different, strict=True)])
        plans.append([(v, values == v) for v in different])
    merged: list[dict[bytes, tuple[int, Broken]]] = [{} for _ in plans]
    for found, plan in zip(merged, plans, strict=True):
        for weight, broken in plan:
            if broken.any():
                before, _ = found.get(broken.tobytes(), (0, broken))
                found[broken.tobytes()] = (before + weight, broken)
    return min((list(found.values()) for found in merged), key=estimate_cx)


def estimate_cx(plan: Sequence[tuple[int, Broken]]) -> int:
    """Return approximate CX to compute the flags, add them to a sum, and undo both; only for comparing plans."""
    return sum(AND_CX * num_products(broken) + DIGIT_CX * weight.bit_count() for weight, broken in plan)


def num_products(broken: Broken) -> int:
    """Return the ANDs of a flag when every function of one axis is free, as in one-hot.

    Exact for two axes, an estimate for more.
    """
    if broken.ndim < 2:
        return 0
    ranks = []
    for k in range(broken.ndim):
        matrix = np.moveaxis(broken, k, 0).reshape(broken.shape[k], -1)
        # Subtracting the first row and column removes all functions of one axis; the rank over GF(2) of the rest counts
        # the ANDs.
        matrix = matrix ^ matrix[:1] ^ matrix[:, :1] ^ matrix[0, 0]
        ranks.append(rank([int("".join("1" if b else "0" for b in row), 2) for row in matrix]))
    return max(min(ranks), 1 if max(ranks) else 0) * (broken.ndim - 1)


def make_broken(axes: Sequence[Axis], broken: Broken) -> Constraint:
    """Return the constraint that exactly the tuples marked in ``broken`` break: a clause for a box, else a table.

    Axes that make no difference are not in its scope.
    """
    for k in reversed(range(broken.ndim)):
        along = np.moveaxis(broken, k, 0)
        if broken.ndim > 1 and (along == along[:1]).all():
            broken, axes = along[0], [*axes[:k], *axes[k + 1 :]]
    single = all(len(axis.names) == 1 for axis in axes)
    # The places of each axis that are broken anywhere: their product has as many places as the box.
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
    """Return a model's objective as soft constraints, one variable or nonlinear term at a time, and the base.

    The base plus the weights of the broken terms is the objective's value, negated where it is maximised. A model
    without objective has no terms and base 0.
    """
    objective = model.objective
    if objective is None:
        return (), 0
    sign = 1 if objective.sense == "min" else -1
    base = sign * objective.constant
    terms: list[SoftConstraint] = []
    shares: dict[Term, int] = {}
    for weight, part in [*((c, Value(name)) for c, name in objective.terms), *objective.parts]:
        shares[part] = shares.get(part, 0) + sign * weight
    for part, weight in shares.items():
        found, least = _split_part(weight, part, model.domains)
        base += least
        terms.extend(found)
    return tuple(terms), base


def _split_part(weight: int, part: Term, domains: Domains) -> tuple[tuple[SoftConstraint, ...], int]:
    """Return a weighted term as soft constraints, and its minimum: by its values where few, else by its digits."""
    names = part.scope
    if not names:
        return (), weight * int(part.values({})[0])
    if isinstance(part, Value) or math.prod(len(domains[name]) for name in names) <= MOST_ROWS:
        axes = tuple(Axis((name,), tuple((v,) for v in domains[name])) for name in names)
        values = weight * tabulate(lambda columns: part.values(columns)[0], axes)
        least = int(values.min())
        return make_soft_terms(axes, values - least), least
    scaled = add_terms([(weight // abs(weight), part)])
    low, high = scaled.bounds(domains)
    digits = range((high - low).bit_length())
    return tuple(SoftConstraint(abs(weight) << k, NoDigit(scaled, low, k)) for k in digits), abs(weight) * low


@dataclass(frozen=True)
class Form:
    """``2 q a b = paid[a][b] + first * a + second * b + base``, with a payment of at least 0.

    The payment is twice the share of the product, and the flag takes ``ands`` logical ANDs.
    """

    paid: Square
    first: int
    second: int
    base: int
    ands: int


def list_forms(q: int) -> tuple[Form, Form, Form]:
    """Return the ways to pay a product: two with an AND, the third with a sum modulo two."""
    # A positive product is paid where both bits are 1, where both are 0, or half as much where they are equal. A
    # negative one is paid where a chosen one of them is 1 and the other 0, or half as much where they differ.
    if q > 0:
        return (
            Form(((0, 0), (0, 2 * q)), 0, 0, 0, 1),
            Form(((2 * q, 0), (0, 0)), 2 * q, 2 * q, -2 * q, 1),
            Form(((q, 0), (0, q)), q, q, -q, 0),
        )
    return (
        Form(((0, 0), (-2 * q, 0)), 2 * q, 0, 0, 1),
        Form(((0, -2 * q), (0, 0)), 0, 2 * q, 0, 1),
        Form(((0, -q), (-q, 0)), q, q, 0, 0),
    )


def orient_products(bonds: Sequence[Bond[Bit]], linear: Mapping[Bit, int]) -> tuple[list[Form], dict[Bit, int]]:
    """Return a form for each product, and twice the linear coefficients with the rests of the forms.

    Cost: at most `SWEEPS` sweeps over the products from each of three starts; the result is a local optimum.
    """

    def price(form: Form, first: int, second: int) -> int:
        return AND_CX * form.ands + DIGIT_CX * (abs(first).bit_count() + abs(second).bit_count())

    def whole(chosen: Sequence[Form], left: Mapping[Bit, int]) -> int:
        return sum(AND_CX * form.ands for form in chosen) + sum(DIGIT_CX * abs(v).bit_count() for v in left.values())

    return min((_choose_forms(bonds, linear, start, price) for start in range(3)), key=lambda found: whole(*found))


def find_lower_bound(bonds: Sequence[Bond[Bit]], linear: Mapping[Bit, int]) -> Fraction:
    """Return a proven lower bound of a sum of products and single bits: the best of three local searches over forms.

    Source: posiforms and their bound, Boros and Hammer, Discrete Applied Mathematics 123 (2002), section 5. Forms are
    chosen one by one here, so the bound may be below that of the best posiform.
    """

    def lost(form: Form, first: int, second: int) -> int:
        return -form.base - min(first, 0) - min(second, 0)

    def bound(chosen: Sequence[Form], left: Mapping[Bit, int]) -> int:
        # In any form products pay at least 0, and a single bit's rest is at least the lesser of 0 and itself.
        return sum(form.base for form in chosen) + sum(min(value, 0) for value in left.values())

    found = [_choose_forms(bonds, linear, start, lost) for start in range(3)]
    return Fraction(max(bound(*one) for one in found), 2)


def _choose_forms(
    bonds: Sequence[Bond[Bit]], linear: Mapping[Bit, int], start: int, price: Callable[[Form, int, int], int]
) -> tuple[list[Form], dict[Bit, int]]:
    """Change forms one by one, while that lowers the price of a form and the rests of its two bits."""
    chosen = [list_forms(q)[start] for *_, q in bonds]
    left: dict[Bit, int] = {bit: 2 * value for bit, value in linear.items()}
    for (a, b, _), form in zip(bonds, chosen, strict=True):
        left[a] = left.get(a, 0) + form.first
        left[b] = left.get(b, 0) + form.second
    for _ in range(SWEEPS):
        changed = False
        for k, (a, b, q) in enumerate(bonds):
            rest_a, rest_b = left[a] - chosen[k].first, left[b] - chosen[k].second
            prices = {
                form: price(form, rest_a + form.first, rest_b + form.second) for form in (chosen[k], *list_forms(q))
            }
            best = min(prices, key=prices.__getitem__)
            if best != chosen[k]:
                chosen[k], changed = best, True
                left[a], left[b] = rest_a + best.first, rest_b + best.second
        if not changed:
            break
    return chosen, left


@dataclass(frozen=True)
class _Local:
    """A function of a few variables, with its minimum subtracted."""

    axes: tuple[Axis, ...]
    values: Exact

    @property
    def table(self) -> dict[tuple[int, ...], int]:
        rows = (tuple(chain(*row)) for row in product(*(axis.tuples for axis in self.axes)))
        return dict(zip(rows, self.values.reshape(-1).tolist(), strict=True))


Locals = dict[tuple[str, ...], _Local]


def qubo_cost(qubo: Qubo, space: Space | None = None, bits: int = 24, exact_bits: int = EXACT_BITS) -> Cost:
    """Return a Qubo as weighted soft constraints over the variables of a space.

    Coefficients count as the decimals they are written as (0.1 is one tenth). If the spread of the energies, in units
    of their greatest common divisor, is below ``2**exact_bits``, the cost is exact. Otherwise coefficients are rounded
    to the unit for which the spread just fits in ``bits``, and ``error`` bounds the difference. The spread is summed
    over the groups of terms that read the same variables. A register of ``cost.most.bit_length()`` bits holds every
    cost.

    Args:
        qubo: of any degree. Without a space of its own its variables are those of ``space``, of values 0 and 1; with
            one, its bits are read as functions of the model's variables, so ``space`` may encode them otherwise.
        space: the space whose tuples of values count; None for the Qubo's own, or one binary qubit a variable.
        bits: bits of a rounded spread; must exceed the bits of the number of groups.
        exact_bits: most bits of a spread that is kept exact.

    Raises:
        DoesNotFitError: a term reads variables of more than 2^14 combinations of values.
        InputError: the Qubo reads a variable that the space lacks.
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
    """Return a space of one qubit a name, of values 0 and 1."""
    return Space(tuple(make_binary(Variable(name, (0, 1))) for name in names))


def _group_terms(qubo: Qubo, bits: Sequence[_Bit], space: Space) -> dict[tuple[str, ...], dict[Monomial, Fraction]]:
    order = {name: k for k, name in enumerate(space.variables)}
    groups: dict[tuple[str, ...], dict[Monomial, Fraction]] = {}
    for monomial, coefficient in qubo.terms.items():
        names = {name for number in monomial for name in bits[number][0].variables}
        missing = names - set(order)
        if missing:
            raise InputError(f"the Qubo reads {min(missing)}, which the space lacks: give it a block")
        group = groups.setdefault(tuple(sorted(names, key=order.__getitem__)), {})
        group[monomial] = group.get(monomial, Fraction(0)) + as_written(coefficient)
    return groups


def _tabulate(group: dict[Monomial, Fraction], axes: tuple[Axis, ...], bits: Sequence[_Bit], denominator: int) -> Exact:
    """Return the sum of a group's terms, times ``denominator``, for all tuples of its axes."""
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
    """Return the unit, tables in units, the shift of the base, and the remaining error; exact where the spread fits."""
    if not locals_:
        return Fraction(1), {}, Fraction(0), Fraction(0)
    divisor = math.gcd(*(int(v) for local in locals_.values() for v in local.values.flat))
    spread = sum(int(local.values.max()) for local in locals_.values())
    if spread // divisor < 1 << exact_bits:
        exact = {names: _Local(local.axes, local.values // divisor) for names, local in locals_.items()}
        return Fraction(divisor, denominator), exact, Fraction(0), Fraction(0)
    # Rounding may raise each group's largest value by half a unit, so half a unit a group is kept free.
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
    # The errors of all groups add up to an interval; its middle moves into the base, half its width remains.
    return step / denominator, rounded, (low + high) / 2 / denominator, (high - low) / 2 / denominator


def _common_step(locals_: Locals, spread: int, room: int) -> Fraction | None:
    """Return a step that divides all values up to floating-point noise, if the spread fits in ``room`` steps."""
    values = sorted({int(v) for local in locals_.values() for v in local.values.flat} - {0}, reverse=True)
    noise = values[0] >> NOISE_BITS
    # Products such as 3 * 1e-9 differ slightly from their decimals; rounded to this step the error is that noise alone.
    # Euclid's algorithm, where a remainder within the noise counts as zero.
    step = values[0]
    for value in values[1:]:
        rest = value
        while rest > noise:
            step, rest = rest, step % rest
            rest = min(rest, step - rest)
        if step * room < spread:
            return None
    # The largest value has the smallest relative noise.
    return Fraction(values[0], round(values[0] / step))


def _cheapest(locals_: Locals, base: Fraction, unit: Fraction, error: Fraction) -> Cost:
    """Return the cheapest of four ways to distribute the sum over groups."""
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
    """A way to distribute the sum: ``scale`` times it is ``shift`` plus the sum of all local functions."""

    locals: Locals
    shift: int
    scale: int

    @cached_property
    def weighted_parts(self) -> dict[tuple[str, ...], list[tuple[int, Broken]]]:
        return {names: split_by_weight(local.values) for names, local in self.locals.items()}

    @cached_property
    def divisor(self) -> int:
        return math.gcd(*(weight for parts in self.weighted_parts.values() for weight, _ in parts)) or 1

    @cached_property
    def price(self) -> int:
        paid = chain.from_iterable(self.weighted_parts.values())
        return estimate_cx([(weight // self.divisor, broken) for weight, broken in paid])


def _absorb_groups(plan: _ScalingPlan) -> _ScalingPlan:
    """Add functions of fewer variables to one of more variables, where the sum is simpler."""
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
    """Return a function of some variables as an array that broadcasts to the shape of the axes that contain them."""
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
    """Write products of two-valued groups in the forms that leave least to single bits (`orient_products`)."""
    # Forms may pay half a product, so everything is doubled here and the plan's scale with it.
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
