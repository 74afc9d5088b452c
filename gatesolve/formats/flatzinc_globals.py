"""Global constraints that MiniZinc's library leaves to solvers, as CPMpy expressions, by name.

They mean what the library's own definitions say; those of other solvers that differ are told apart by their arguments.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations, pairwise
from typing import Any

import cpmpy as cp
from cpmpy.expressions.core import Expression, Operator

from gatesolve.errors import InputError
from gatesolve.formats.flatzinc_builtins import (
    RELATIONS,
    Rule,
    bounds_of,
    element,
    linear,
    truth,
    within,
)

Terms = Sequence[Any]


def _number_of(terms: Terms, value: Any) -> Any:
    return cp.sum([term == value for term in terms])


def _distinct_except(terms: Terms, values: range | frozenset[int]) -> Any:
    return cp.all([truth(a != b) | within(a, values) for a, b in combinations(terms, 2)])


def _counts(terms: Terms, cover: Sequence[int], counts: Terms, closed: bool) -> Any:
    if len(set(cover)) < len(cover):
        raise InputError("a value is counted twice: take it out once")
    return cp.GlobalCardinalityCount(list(terms), list(cover), list(counts), closed=bool(closed))


def _counts_between(closed: bool, terms: Terms, cover: Sequence[int], least: Terms, most: Terms) -> Any:
    limits = zip(cover, least, most, strict=True)
    bounds = [within(_number_of(terms, value), range(low, high + 1)) for value, low, high in limits]
    return cp.all([*bounds, *(within(term, frozenset(cover)) for term in terms if closed)])


def _in_order(relation: Callable[[Any, Any], Any], terms: Terms) -> Any:
    return cp.all([relation(a, b) for a, b in pairwise(terms)])


def _lexical(strict: bool, left: Terms, right: Terms) -> Any:
    """Compare two lists in lexical order; where one begins the other, the shorter is less."""
    strict = strict if len(left) == len(right) else len(left) > len(right)
    shared = min(len(left), len(right))
    order = cp.LexLess if strict else cp.LexLessEq
    return order(list(left[:shared]), list(right[:shared])) if shared else not strict


def _table(terms: Terms, entries: Sequence[int]) -> Any:
    width = len(terms)
    if not width or len(entries) % width:
        raise InputError(f"a table of {len(entries)} entries has no rows of {width}: mend its length")
    unknown = [k for k, term in enumerate(terms) if isinstance(term, Expression)]
    rows = [entries[k : k + width] for k in range(0, len(entries), width)]
    rows = [row for row in rows if all(k in unknown or terms[k] == row[k] for k in range(width))]
    if not unknown or not rows:
        return bool(rows)
    return cp.Table([terms[k] for k in unknown], [[int(row[k]) for k in unknown] for row in rows])


def _regular(
    terms: Terms, states: int, letters: int, steps: Sequence[int], start: int, accepting: range | frozenset[int]
) -> Any:
    """State 0 is none."""
    if len(steps) != states * letters:
        raise InputError(f"{len(steps)} steps for {states} states and {letters} letters: give one for each pair")
    moves = [(k // letters + 1, k % letters + 1, goal) for k, goal in enumerate(steps) if goal]
    if not terms or not moves:
        return not terms and start in accepting
    read = [term if isinstance(term, Expression) else Operator("sum", [term]) for term in terms]
    return cp.Regular(read, moves, start, [k for k in range(1, states + 1) if k in accepting])


def _circuit(successors: Terms, first: int = 1) -> Any:
    return cp.Circuit([one - first for one in successors]) if len(successors) > 1 else not successors


def _subcircuit(successors: Terms, first: int = 1) -> Any:
    """One that is not its own successor comes back to itself only after all of its kind."""
    places = range(first, first + len(successors))
    if any(one not in places for one in successors if not isinstance(one, Expression)):
        return False
    moving, late = cp.sum([one != place for one, place in zip(successors, places, strict=True)]), list[Any]()
    for place, step in zip(places, successors, strict=True):
        at = step
        for taken in range(1, len(successors)):
            late.append(truth(step == place) | (moving <= taken) | (at != place))
            at = cp.Element(list(successors), at - first) if isinstance(at, Expression) else successors[at - first]
    return cp.all([cp.AllDifferent(successors), *(within(one, places) for one in successors), *late])


def _inverse(forward: Terms, back: Terms) -> Any:
    if len(forward) != len(back) or not forward:
        return not forward and not back
    return cp.Inverse([one - 1 for one in forward], [one - 1 for one in back])


def _cumulative(starts: Terms, lengths: Terms, needs: Terms, limit: Any) -> Any:
    """Checked where tasks start: the need rises nowhere else."""
    tasks = list(zip(starts, lengths, needs, strict=True))
    used = [
        cp.sum([need * (truth(start <= now) & (now < start + length)) for start, length, need in tasks])
        for now in starts
    ]
    return cp.all([*(one <= limit for one in used), *([limit >= 0] if tasks else [])])


def _apart(strict: bool, *axes: tuple[Terms, Terms]) -> Any:
    """Boxes, by their starts and lengths on each axis, do not overlap; unless strict, flat ones may."""
    sides = [list(zip(starts, lengths, strict=True)) for starts, lengths in axes]

    def gaps(one: tuple[Any, Any], other: tuple[Any, Any]) -> list[Any]:
        flat = [] if strict else [one[1] == 0, other[1] == 0]
        return [one[0] + one[1] <= other[0], other[0] + other[1] <= one[0], *flat]

    pairs = combinations(zip(*sides, strict=True), 2)
    return cp.all([cp.any([gap for sides in zip(*pair, strict=True) for gap in gaps(*sides)]) for pair in pairs])


def _disjunctive(strict: bool, starts: Terms, lengths: Terms) -> Any:
    return cp.all([*(length >= 0 for length in lengths), _apart(strict, (starts, lengths))])


def _bins(relation: Callable[[Any, Any], Any], capacities: Terms, bins: Terms, weights: Sequence[int]) -> Any:
    loads = [linear(relation, weights, [one == k for one in bins], most) for k, most in enumerate(capacities, start=1)]
    return cp.all([*loads, *(within(one, range(1, len(capacities) + 1)) for one in bins)])


def _equal_bins(capacity: int, bins: Terms, weights: Sequence[int]) -> Any:
    numbers = sorted({k for low, high in map(bounds_of, bins) for k in range(low, high + 1)})
    return cp.all([linear(operator.le, weights, [one == k for one in bins], capacity) for k in numbers])


def _extreme_at(relation: Callable[[Any, Any], Any], terms: Terms, place: Any) -> Any:
    """Where the first stands that has the relation to all others: at least as large, or at most."""
    found = [
        cp.all([*(~truth(relation(one, best)) for one in terms[:k]), *(relation(best, one) for one in terms[k + 1 :])])
        for k, best in enumerate(terms)
    ]
    return cp.any([truth(place == k) & one for k, one in enumerate(found, start=1)])


def _precedes(earlier: int, later: int, terms: Terms) -> Any:
    return cp.all(
        [truth(term != later) | cp.any([one == earlier for one in terms[:k]]) for k, term in enumerate(terms)]
    )


def _if_then_else(conditions: Terms, values: Terms, chosen: Any) -> Any:
    """The value of the first condition that holds; where none does, any."""
    pairs = enumerate(zip(conditions, values, strict=True))
    return cp.all([cp.any([*conditions[:k], ~truth(one), chosen == value]) for k, (one, value) in pairs])


def _flow(arcs: Sequence[int], balance: Sequence[int], flow: Terms) -> Any:
    ends = list(zip(arcs[::2], arcs[1::2], flow, strict=True))
    nodes = enumerate(balance, start=1)
    return cp.all([cp.sum([((a == k) - (b == k)) * one for a, b, one in ends]) == rest for k, rest in nodes])


def _flow_cost(arcs: Sequence[int], balance: Sequence[int], prices: Sequence[int], flow: Terms, cost: Any) -> Any:
    return cp.all([_flow(arcs, balance, flow), linear(operator.eq, prices, flow, cost)])


def _knapsack(weights: Sequence[int], profits: Sequence[int], taken: Terms, weight: Any, profit: Any) -> Any:
    sums = (linear(operator.eq, *one) for one in ((weights, taken, weight), (profits, taken, profit)))
    return cp.all([*(one >= 0 for one in (*taken, weight, profit)), *sums])


def _sliding_sum(low: int, high: int, length: int, terms: Terms) -> Any:
    if length < 1:
        raise InputError(f"windows of {length} numbers: give a length from 1 on")
    windows = (terms[k : k + length] for k in range(len(terms) - length + 1))
    return cp.all([within(cp.sum(window), range(low, high + 1)) for window in windows])


GLOBALS: Sequence[Rule] = [
    ("all_different_int", "X", cp.AllDifferent),
    ("alldifferent_except_0", "X", lambda xs: _distinct_except(xs, range(1))),
    ("alldifferent_except", "Xs", _distinct_except),
    ("symmetric_all_different", "X", lambda xs: _inverse(xs, xs)),
    ("all_equal_int", "X", partial(_in_order, operator.eq)),
    ("increasing_int", "X", partial(_in_order, operator.le)),
    ("increasing_bool", "B", partial(_in_order, operator.le)),
    ("decreasing_int", "X", partial(_in_order, operator.ge)),
    ("decreasing_bool", "B", partial(_in_order, operator.ge)),
    ("strictly_increasing_int", "X", partial(_in_order, operator.lt)),
    ("strictly_decreasing_int", "X", partial(_in_order, operator.gt)),
    ("lex_less_int", "XX", partial(_lexical, True)),
    ("lex_less_bool", "BB", partial(_lexical, True)),
    ("lex_lesseq_int", "XX", partial(_lexical, False)),
    ("lex_lesseq_bool", "BB", partial(_lexical, False)),
    ("among", "xXs", lambda n, xs, values: n == cp.sum([within(x, values) for x in xs])),
    ("at_least_int", "iXi", lambda n, xs, value: _number_of(xs, value) >= n),
    ("at_most_int", "iXi", lambda n, xs, value: _number_of(xs, value) <= n),
    ("exactly_int", "iXi", lambda n, xs, value: _number_of(xs, value) == n),
    *(
        (f"count_{name}{known}", "Xxx", lambda xs, value, n, holds=RELATIONS[relation]: holds(n, _number_of(xs, value)))
        for name, relation in {"eq": "eq", "neq": "ne", "geq": "ge", "gt": "gt", "leq": "le", "lt": "lt"}.items()
        for known in ("", "_par")
    ),
    ("count", "Xxx", lambda xs, value, n: n == _number_of(xs, value)),
    ("nvalue", "xX", lambda n, xs: n == (cp.NValue(xs) if xs else 0)),
    ("global_cardinality", "XIX", lambda xs, cover, counts: _counts(xs, cover, counts, False)),
    ("global_cardinality", "XIXi", _counts),
    ("global_cardinality_closed", "XIX", lambda xs, cover, counts: _counts(xs, cover, counts, True)),
    ("global_cardinality_low_up", "XIII", partial(_counts_between, False)),
    ("global_cardinality_low_up_closed", "XIII", partial(_counts_between, True)),
    ("member_int", "Xx", lambda xs, value: cp.any([x == value for x in xs])),
    ("member_bool", "Bb", lambda xs, value: cp.any([x == value for x in xs])),
    ("maximum_arg_int", "Xx", partial(_extreme_at, operator.ge)),
    ("maximum_arg_bool", "Bx", partial(_extreme_at, operator.ge)),
    ("minimum_arg_int", "Xx", partial(_extreme_at, operator.le)),
    ("minimum_arg_bool", "Bx", partial(_extreme_at, operator.le)),
    ("array_var_int_element_nonshifted", "xiXx", lambda index, first, xs, value: element(index, xs, value, first)),
    ("array_var_bool_element_nonshifted", "xiBb", lambda index, first, xs, value: element(index, xs, value, first)),
    ("int_element", "xiXx", lambda index, first, xs, value: element(index, xs, value, first)),
    ("bool_element", "xiBb", lambda index, first, xs, value: element(index, xs, value, first)),
    ("if_then_else_int", "BXx", _if_then_else),
    ("if_then_else_bool", "BBb", _if_then_else),
    ("if_then_else_var_int", "BXx", _if_then_else),
    ("if_then_else_var_bool", "BBb", _if_then_else),
    ("table_int", "XI", _table),
    ("table_bool", "BI", _table),
    ("regular", "XiiIis", _regular),
    ("circuit", "X", _circuit),
    ("circuit", "iX", lambda first, xs: _circuit(xs, first)),
    ("subcircuit", "X", _subcircuit),
    ("subcircuit", "iX", lambda first, xs: _subcircuit(xs, first)),
    ("inverse", "XX", _inverse),
    (
        "sort",
        "XX",
        lambda xs, ys: cp.all([_in_order(operator.le, ys), *(_number_of(xs, y) == _number_of(ys, y) for y in ys)]),
    ),
    ("value_precede_int", "iiX", _precedes),
    ("value_precede_chain_int", "IX", lambda values, xs: cp.all([_precedes(a, b, xs) for a, b in pairwise(values)])),
    ("cumulative", "XXXx", _cumulative),
    ("disjunctive", "XX", partial(_disjunctive, False)),
    ("disjunctive_strict", "XX", partial(_disjunctive, True)),
    ("diffn", "XXXX", lambda x, y, dx, dy: _apart(True, (x, dx), (y, dy))),
    ("diffn_nonstrict", "XXXX", lambda x, y, dx, dy: _apart(False, (x, dx), (y, dy))),
    ("bin_packing", "iXI", _equal_bins),
    ("bin_packing_capa", "IXI", partial(_bins, operator.le)),
    ("bin_packing_load", "XXI", partial(_bins, operator.eq)),
    ("knapsack", "IIXxx", _knapsack),
    ("network_flow", "IIX", _flow),
    ("network_flow_cost", "IIIXx", _flow_cost),
    ("sliding_sum", "iiiX", _sliding_sum),
]
"""One of several with the same name is chosen by the number of its arguments."""
