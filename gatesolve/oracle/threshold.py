"""Weights of broken conditions below a threshold, as one condition: counting flags by carry-save adders.

What a block alone decides is written as few weighted bits. The weights' digits are columns of flags. A column is
shortened by full adders, one AND each: the sum of three flags is a parity and needs no gate of its own, the carry is a
majority. For a threshold of one nothing is added at all, and the condition is the conjunction that a plain search uses.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import product
from operator import attrgetter
from typing import Literal

import numpy as np

from gatesolve.circuit import Parity
from gatesolve.encodings.space import Space
from gatesolve.gate_sets import Metric
from gatesolve.model import Constraint, Level, Model
from gatesolve.model.terms import Term, Truth, add_terms
from gatesolve.model.trees import compare, negate
from gatesolve.oracle.assemble import Oracle, OraclePrice, assemble_cheapest
from gatesolve.oracle.condition import ONE, ZERO, Condition
from gatesolve.oracle.levels import conditions_at
from gatesolve.oracle.network import Network, add_threes, compare_total, signed_digits, weigh_bits
from gatesolve.oracle.radix import MOST_TOTALS
from gatesolve.oracle.synthesise import compile_once, synthesise
from gatesolve.oracle.view import project_all

ADDER_CX = 4
"""CX of adding a bit, roughly."""
Weighted = tuple[int, Constraint]
"""A weight, a whole number of at least 1, that is paid where the constraint is broken."""


@dataclass(frozen=True)
class ValueChoice:
    """How a value oracle may be made.

    Attributes:
        ancillas: the budget; None for as many as help.
        style: ``counter``, ``fourier`` or ``auto``, the cheaper.
        level: how far constraints that must hold are compiled together.
        window: most qubits that minimising looks at together.
    """

    metric: Metric = "cx"
    ancillas: int | None = None
    style: Literal["auto", "counter", "fourier"] = "auto"
    level: Level = "merged"
    window: int = 6


def counter_oracle(
    terms: Sequence[Weighted],
    model: Model,
    space: Space,
    threshold: int,
    choice: ValueChoice,
    goal: tuple[Term, int] | None = None,
) -> Oracle:
    """Mark the codewords on which less than ``threshold`` is paid, by counting flags of broken constraints.

    A constraint whose weight alone reaches the threshold must hold: it joins the final conjunction as in a plain
    search. The others are computed onto flags, whose weights carry-save adders add up. Ancillas start and end at zero.

    With a ``goal``, the cheaper of two oracles is made. In the other one a single comparison decides whether goal and
    payments are below the threshold; their digits are not computed. A greatest value is below a bound where all values
    are, so a makespan is compared task by task.

    Args:
        terms: what is paid for what.
        model: its variables are those of the space; its constraints are not looked at.
        space: the search space.
        threshold: the least sum that is too much.
        choice: the metric, the ancillas, and the level at which the constraints that must hold are compiled.
        goal: a term of 0 or more, and the number of leading ``terms`` that add up to it.

    Raises:
        AncillaBudgetError: no schedule stays within the ancillas.
        DoesNotFitError: a constraint is too large to compile.
    """
    ways = [_list_conditions(terms, None, model, space, threshold, choice)]
    if goal is not None:
        ways.append(_list_conditions(terms[goal[1] :], goal[0], model, space, threshold, choice))
    alone = choice.level == "literal"
    # Without what always holds, a goal often has the conditions that its weighted parts have.
    kept = ([one for one in way if one.flags or one.factors] for way in ways)
    different = tuple(dict.fromkeys((tuple(way), tuple(one.shared for one in way)) for way in kept))
    oracle = _assemble_once(different, space.num_qubits, choice.ancillas, alone, OraclePrice(choice.metric))
    return replace(oracle, style="counter")


def _list_conditions(
    terms: Sequence[Weighted], goal: Term | None, model: Model, space: Space, threshold: int, choice: ValueChoice
) -> list[Condition]:
    """Return what must hold, and that goal and payments are below the threshold."""
    rules = Model(model.variables, tuple(constraint for weight, constraint in terms if weight >= threshold))
    paid = tuple(term for term in terms if term[0] < threshold)
    if goal is None:
        soft, always = _gather_terms(paid, space)
        below = threshold_condition(soft, threshold - always)
    else:
        total = add_terms([(1, goal), *((weight, Truth(negate(one))) for weight, one in paid)], -threshold)
        below = synthesise(compare(total, "<", model.domains), space)
    return [*_compile_rules(choice.level, rules, space, choice.window), below]


@lru_cache(maxsize=32)
def _assemble_once(
    ways: tuple[tuple[tuple[Condition, ...], tuple[Condition | None, ...]], ...],
    num_data: int,
    ancillas: int | None,
    alone: bool,
    price: OraclePrice,
) -> Oracle:
    """Join conditions, whose ``shared`` forms are not compared elsewhere; the plan and a search ask for the same."""
    return assemble_cheapest([conditions for conditions, _ in ways], num_data, ancillas, alone, price)


# A search asks for many thresholds over the same constraints.
_compile_rules = lru_cache(maxsize=16)(conditions_at)
"""Conditions of the constraints that must hold."""


@lru_cache(maxsize=16)
def _gather_terms(terms: tuple[Weighted, ...], space: Space) -> tuple[list[tuple[int, Condition]], int]:
    """Return weights with the conditions that avoid them, and what is always paid; a block's payments as few bits."""
    alone: dict[int, list[Weighted]] = {}
    found, always = list[tuple[int, Condition]](), 0
    for weight, constraint in terms:
        homes = {space.home[name][0] for name in constraint.scope}
        if len(homes) == 1:
            alone.setdefault(homes.pop(), []).append((weight, constraint))
        else:
            found.append((weight, compile_once(constraint, space)))
    for number, own in alone.items():
        plain = [(weight, compile_once(constraint, space)) for weight, constraint in own]
        gathered, least = min(_list_bits(space, number, own), default=(plain, 0), key=lambda way: _estimate(way[0]))
        if _estimate(gathered) < _estimate(plain):
            found, always = found + gathered, always + least
        else:
            found += plain
    return found, always


def _estimate(terms: Sequence[tuple[int, Condition]]) -> int:
    """CX to compute the flags and to add each signed digit of their weights, roughly."""
    return sum(condition.cost + ADDER_CX * len(list(signed_digits(weight))) for weight, condition in terms)


def _list_bits(
    space: Space, number: int, terms: Sequence[Weighted]
) -> Iterator[tuple[list[tuple[int, Condition]], int]]:
    """Yield a block's costs as weighted bits, each a parity: its binary digits, in units too, and its own qubits."""
    block = space.blocks[number]
    columns = {name: block.values[:, j] for j, name in enumerate(block.variables)}
    paid = np.zeros(block.size, dtype=np.int64)
    for weight, constraint in terms:
        paid += np.where(constraint.holds(columns), 0, weight)
    view = project_all(space, number)
    least = int(paid.min())
    unit = int(np.gcd.reduce(paid - least)) or 1
    # In units of their common divisor, payments have fewer digits.
    for step in {1, unit}:
        digits = (paid - least) // step
        places = range(int(digits.max()).bit_length())
        bits = [view.indicator(np.flatnonzero(digits >> place & 1).tolist()) for place in places]
        kept = [(step << k, Condition((), (bit.negated(),))) for k, bit in enumerate(bits) if bit is not None]
        if len(kept) == len(bits):
            yield kept, least
    # As a linear function of the qubits, payments need no AND, as on a one-hot block.
    table = np.column_stack([np.ones(block.size), block.bits])
    base, *shares = np.rint(np.linalg.lstsq(table, paid.astype(float), rcond=None)[0]).astype(int).tolist()
    if (table.astype(int) @ np.array([base, *shares]) == paid).all():
        # A negative share is paid where the qubit is 0, and its opposite always.
        pairs = [(c, wire) for c, wire in zip(shares, view.wires, strict=True) if c]
        own = [(abs(c), Condition((), (wire.negated() if c > 0 else wire,))) for c, wire in pairs]
        yield own, base + sum(min(c, 0) for c in shares)


def threshold_condition(terms: Sequence[tuple[int, Condition]], threshold: int) -> Condition:
    """Return the condition that the weights of the broken ones among ``terms`` add up to less than ``threshold``.

    It is right on the codewords on which every term is, and never true for a threshold of 0 or less. The cheapest of
    several networks is taken. One adds columns below the threshold's bit length, from which nothing may be carried out.
    The others add signed digits, and look at one bit of the whole sum.

    Cost: beside the terms' own flags at most one AND for each digit of each weight, and of the constant added.
    Source: carry-save addition of flags is classical. Adding a constant, so that the comparison is a look at the bits
    from one on, follows Gidney, arXiv:1709.06648, section 4 (one AND a carry).
    """
    if threshold <= 0:
        return Condition((), (ZERO,), method="counter")
    if sum(weight for weight, _ in terms) < threshold:
        return Condition((), (), method="counter")
    base, must, paid = Network(), list[Parity](), list[tuple[int, Parity]]()
    for weight, condition in terms:
        moved = condition.shifted(len(base.flags))
        base.flags.extend(moved.flags)
        if weight >= threshold:
            must.extend(moved.factors)
        else:
            paid.append((weight, base.conjoin_all(moved.factors).negated()))
    found = []
    unit = math.gcd(*(weight for weight, _ in paid)) or 1
    weighted = [(weight // unit, broken) for weight, broken in paid]
    bound = _roundest_bound([weight for weight, _ in weighted], -(-threshold // unit))
    adders: list[Callable[[Network, Sequence[tuple[int, Parity]], int], list[Parity]]]
    adders = [_stay_below, partial(_compare_signed, sign=1), partial(_compare_signed, sign=-1)]
    for add, latest in product(adders, (False, True)):
        network = Network(copies=True, latest=latest)
        network.flags.extend(base.flags)
        factors = (*must, *add(network, weighted, bound))
        found.append(Condition(tuple(network.flags), factors, method="counter"))
    return min(found, key=attrgetter("price"))


def _roundest_bound(weights: Sequence[int], threshold: int) -> int:
    """Return the threshold with the most zeros at its end of those that let in the same sums of the weights."""
    if sum(weights) > MOST_TOTALS:
        return threshold
    reached = 1
    for weight in weights:
        reached |= reached << weight
    # One more than the greatest sum that is let in.
    low = (reached & ((1 << threshold) - 1)).bit_length()
    above = reached >> threshold
    high = threshold + (above & -above).bit_length() - 1 if above else sum(weights) + 1
    # A number and its negative share the lowest bit that is 1.
    return max(range(low, high + 1), key=lambda number: number & -number)


def _stay_below(network: Network, weighted: Sequence[tuple[int, Parity]], threshold: int) -> list[Parity]:
    """Let nothing be carried out of the columns below the threshold's bit length, to which a constant is added."""
    width = (threshold - 1).bit_length()
    constant, carried, factors = (1 << width) - threshold, list[Parity](), list[Parity]()
    for place in range(width):
        column = [broken for weight, broken in weighted if weight >> place & 1]
        bits, carried = add_threes(network, [*column, *carried, *[ONE] * (constant >> place & 1)], False)
        if len(bits) == 2:
            carried.append(network.conjoin(*bits))
    factors += [one.negated() for one in carried if one != ZERO]
    return [*factors, *(broken.negated() for weight, broken in weighted if weight >> width)]


def _compare_signed(
    network: Network, weighted: Sequence[tuple[int, Parity]], threshold: int, sign: int
) -> list[Parity]:
    """Compare the sum with the threshold, or both negated, by one bit of the sum of signed digits."""
    columns, offset = weigh_bits((sign * weight, 0, broken) for weight, broken in weighted)
    total = sum(weight for weight, _ in weighted)
    low, high = (0, total) if sign > 0 else (-total, 0)
    bound = threshold - 1 if sign > 0 else -threshold
    bit = compare_total(network, columns, bound + offset, low + offset, high + offset)
    factor = bit if sign > 0 else bit.negated()
    return [] if factor == ONE else [factor]
