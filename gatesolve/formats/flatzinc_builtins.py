"""The built-in constraints of FlatZinc as CPMpy expressions, by name."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import combinations, pairwise
from typing import Any

import cpmpy as cp
from cpmpy.expressions.core import BoolVal, Expression, Operator
from cpmpy.expressions.globalfunctions import Division, Modulo

from gatesolve.errors import InputError, UnsupportedError

Rule = tuple[str, str, Callable[..., Any]]
"""A name, the kinds of the arguments (a letter each), and the function that makes a Boolean of them.

``x`` is a number, ``b`` a truth value, ``i`` a constant and ``s`` a set of constants; a capital is an array of such."""
RELATIONS: Mapping[str, Callable[[Any, Any], Any]] = {
    name: getattr(operator, name) for name in ("eq", "ne", "le", "lt", "ge", "gt")
}
MOST_EXPONENTS = 64
"""Largest exponent; a power with a variable exponent is listed by exponents."""
Terms = Sequence[Any]


def truth(holds: Any) -> Expression:
    """Return a Boolean of CPMpy's or of Python's as one of CPMpy's."""
    return holds if isinstance(holds, Expression) else BoolVal(bool(holds))


def same(left: Any, right: Any) -> Expression:
    """Return that two truth values are equal; for one and a constant, the one or its negation."""
    for one, other in ((left, right), (right, left)):
        if not isinstance(one, Expression):
            return truth(other) if one else ~truth(other)
    return truth(left == right)


def total(weights: Sequence[int], terms: Sequence[Any]) -> Any:
    """Return a weighted sum, as an expression even if all terms are constant."""
    # cp.sum of constants would be a Python number, which has no bounds and is no objective.
    return Operator("sum", [weight * term for weight, term in zip(weights, terms, strict=True)] or [0])


def linear(relation: Callable[[Any, Any], Any], weights: Sequence[int], terms: Sequence[Any], bound: Any) -> Any:
    """Return a weighted sum compared with a number."""
    return relation(total(weights, terms), bound)


def bounds_of(value: Any) -> tuple[int, int]:
    """Return the least and the greatest possible value of a number."""
    return value.get_bounds() if isinstance(value, Expression) else (value, value)


def element(index: Any, entries: Sequence[Any], value: Any, first: int = 1) -> Any:
    """Return that the entry at an index, counted from ``first``, is a value; False outside of the list."""
    if isinstance(index, Expression) and entries:
        return cp.Element(list(entries), index - first) == value
    inside = not isinstance(index, Expression) and first <= index < first + len(entries)
    return entries[index - first] == value if inside else False


def within(term: Any, values: range | frozenset[int]) -> Any:
    """Return that a number is one of some constants."""
    if not values or not isinstance(term, Expression):
        return term in values
    # A set may have gaps. A range needs only the bounds that the term could exceed.
    if isinstance(values, frozenset):
        return cp.InDomain(term, sorted(values))
    low, high = bounds_of(term)
    least = [term >= values[0]] if low < values[0] else []
    return cp.all([*least, *([term <= values[-1]] if high > values[-1] else [])])


def _power(base: Any, exponent: Any, value: Any) -> Any:
    """Return that ``base ** exponent == value``, by listing the exponents."""
    low, high = bounds_of(exponent)
    if max(abs(low), abs(high)) > MOST_EXPONENTS:
        raise UnsupportedError(f"exponents are read up to {MOST_EXPONENTS}: tighten their bounds")
    # A negative exponent divides 1 by the power; for base 0 that is undefined, hence false.
    powers = ((k, base**k if k >= 0 else Division(1, base**-k)) for k in range(int(low), int(high) + 1))
    return cp.any([truth(exponent == k) & (power == value) for k, power in powers])


def _with_result(holds: Callable[..., Any]) -> Callable[..., Any]:
    """Return a rule whose last argument is the truth value of the others."""
    return lambda *args: same(args[-1], holds(*args[:-1]))


def _logic(name: str, kinds: str, holds: Callable[..., Any]) -> list[Rule]:
    """Return rules without a result (as in ``bool_and_imp``) and with it as a further argument."""
    return [(name, kinds, holds), (name, f"{kinds}b", _with_result(holds))]


def _both(name: str, whole: str, truths: str, holds: Callable[..., Any]) -> list[Rule]:
    """Return the rule for numbers and the one for truth values, with ``int`` and ``bool`` in their names."""
    return [(name.format("int"), whole, holds), (name.format("bool"), truths, holds)]


BUILTINS: Sequence[Rule] = [
    *((f"int_{name}", "xx", relation) for name, relation in RELATIONS.items()),
    *((f"bool_{name}", "bb", relation) for name, relation in RELATIONS.items()),
    *((f"int_lin_{name}", "IXx", partial(linear, relation)) for name, relation in RELATIONS.items()),
    *((f"bool_lin_{name}", "IBx", partial(linear, relation)) for name, relation in RELATIONS.items()),
    ("bool2int", "bx", operator.eq),
    ("bool_not", "bb", lambda a, b: same(b, ~truth(a))),
    ("int_plus", "xxx", lambda a, b, c: a + b == c),
    ("int_minus", "xxx", lambda a, b, c: a - b == c),
    ("int_times", "xxx", lambda a, b, c: a * b == c),
    ("int_div", "xxx", lambda a, b, c: Division(a, b) == c),
    ("int_mod", "xxx", lambda a, b, c: Modulo(a, b) == c),
    ("int_pow", "xxx", _power),
    ("int_pow_fixed", "xix", _power),
    ("int_abs", "xx", lambda a, b: cp.abs(a) == b),
    ("int_negate", "xx", lambda a, b: -a == b),
    ("int_max", "xxx", lambda a, b, c: cp.max([a, b]) == c),
    ("int_min", "xxx", lambda a, b, c: cp.min([a, b]) == c),
    *((name, "xX", lambda m, xs: cp.max(xs) == m if xs else False) for name in ("array_int_maximum", "maximum_int")),
    *((name, "xX", lambda m, xs: cp.min(xs) == m if xs else False) for name in ("array_int_minimum", "minimum_int")),
    *_both("array_{}_element", "xXx", "xBb", element),
    *_both("array_var_{}_element", "xXx", "xBb", element),
    ("set_in", "xs", within),
    *_logic("bool_and", "bb", lambda a, b: truth(a) & b),
    *_logic("bool_or", "bb", lambda a, b: truth(a) | b),
    *_logic("bool_xor", "bb", operator.ne),
    *_logic("array_bool_and", "B", cp.all),
    *_logic("array_bool_or", "B", cp.any),
    ("bool_left_imp", "bbb", _with_result(operator.ge)),
    ("bool_right_imp", "bbb", _with_result(operator.le)),
    ("array_bool_xor", "B", lambda xs: cp.Xor([*map(truth, xs)]) if xs else False),
    ("bool_clause", "BB", lambda xs, ys: cp.any([*map(truth, xs), *(~truth(y) for y in ys)])),
]


def _number_of(terms: Terms, value: Any) -> Any:
    return cp.sum([term == value for term in terms])


def _distinct_except(terms: Terms, values: range | frozenset[int]) -> Any:
    return cp.all([truth(a != b) | within(a, values) for a, b in combinations(terms, 2)])


def _counts(terms: Terms, cover: Sequence[int], counts: Terms, closed: bool) -> Any:
    if len(set(cover)) < len(cover):
        raise InputError("a value is counted twice: remove it once")
    return cp.GlobalCardinalityCount(list(terms), list(cover), list(counts), closed=bool(closed))


def _counts_between(closed: bool, terms: Terms, cover: Sequence[int], least: Terms, most: Terms) -> Any:
    limits = zip(cover, least, most, strict=True)
    bounds = [within(_number_of(terms, value), range(low, high + 1)) for value, low, high in limits]
    return cp.all([*bounds, *(within(term, frozenset(cover)) for term in terms if closed)])


def _in_order(relation: Callable[[Any, Any], Any], terms: Terms) -> Any:
    return cp.all([relation(a, b) for a, b in pairwise(terms)])


def _sorts(terms: Terms, ordered: Terms) -> Any:
    counts = (_number_of(terms, one) == _number_of(ordered, one) for one in ordered)
    return cp.all([_in_order(operator.le, ordered), *counts])


def _lexical(strict: bool, left: Terms, right: Terms) -> Any:
    """Compare two lists in lexical order; where one begins the other, the shorter is less."""
    # If all shared places are equal, the shorter list is less. So a longer left list needs a strict order there.
    strict = strict if len(left) == len(right) else len(left) > len(right)
    shared = min(len(left), len(right))
    order = cp.LexLess if strict else cp.LexLessEq
    return order(list(left[:shared]), list(right[:shared])) if shared else not strict


def _table(terms: Terms, entries: Sequence[int]) -> Any:
    width = len(terms)
    if not width or len(entries) % width:
        raise InputError(f"a table of {len(entries)} entries has no rows of {width}: correct its length")
    # CPMpy's tables have variables only: constant columns select rows here.
    unknown = [k for k, term in enumerate(terms) if isinstance(term, Expression)]
    rows = [entries[k : k + width] for k in range(0, len(entries), width)]
    rows = [row for row in rows if all(k in unknown or terms[k] == row[k] for k in range(width))]
    if not unknown or not rows:
        return bool(rows)
    return cp.Table([terms[k] for k in unknown], [[int(row[k]) for k in unknown] for row in rows])


def _regular(
    terms: Terms, states: int, letters: int, steps: Sequence[int], start: int, accepting: range | frozenset[int]
) -> Any:
    """Return that an automaton accepts the terms; state 0 means failure."""
    if len(steps) != states * letters:
        raise InputError(f"{len(steps)} steps for {states} states and {letters} letters: give one for each pair")
    # The table has a row for each state and a column for each letter, both counted from 1.
    moves = [(k // letters + 1, k % letters + 1, goal) for k, goal in enumerate(steps) if goal]
    if not terms or not moves:
        return not terms and start in accepting
    # cp.Regular accepts expressions only, so constants become sums of one term.
    read = [term if isinstance(term, Expression) else Operator("sum", [term]) for term in terms]
    return cp.Regular(read, moves, start, [k for k in range(1, states + 1) if k in accepting])


def _circuit(successors: Terms, first: int = 1) -> Any:
    return cp.Circuit([one - first for one in successors]) if len(successors) > 1 else not successors


def _subcircuit(successors: Terms, first: int = 1) -> Any:
    """Return that the nodes that are not their own successors form one cycle."""
    places = range(first, first + len(successors))
    if any(one not in places for one in successors if not isinstance(one, Expression)):
        return False
    # A moving node returns to itself only after as many steps as there are moving nodes: shorter cycles are excluded
    # step by step.
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
    """Return that the need never exceeds the limit."""
    tasks = list(zip(starts, lengths, needs, strict=True))
    # The need rises only where a task starts, so checking these moments is enough.
    loads = ([need * (truth(start <= now) & (now < start + length)) for start, length, need in tasks] for now in starts)
    return cp.all([*(cp.sum(load) <= limit for load in loads), *([limit >= 0] if tasks else [])])


def _apart(strict: bool, *axes: tuple[Terms, Terms]) -> Any:
    """Return that boxes, given by starts and lengths on each axis, do not overlap; unless strict, flat ones may."""
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
    """Return that ``place`` is the first position whose entry has the relation (at least, or at most) to all others."""
    found = [
        cp.all([*(~truth(relation(one, best)) for one in terms[:k]), *(relation(best, one) for one in terms[k + 1 :])])
        for k, best in enumerate(terms)
    ]
    return cp.any([truth(place == k) & one for k, one in enumerate(found, start=1)])


def _precedes(earlier: int, later: int, terms: Terms) -> Any:
    before = ([one == earlier for one in terms[:k]] for k in range(len(terms)))
    return cp.all([truth(term != later) | cp.any(some) for term, some in zip(terms, before, strict=True)])


def _if_then_else(conditions: Terms, values: Terms, chosen: Any) -> Any:
    """Return that ``chosen`` is the value of the first condition that holds; any value where none does."""
    pairs = enumerate(zip(conditions, values, strict=True))
    return cp.all([cp.any([*conditions[:k], ~truth(one), chosen == value]) for k, (one, value) in pairs])


def _flow(arcs: Sequence[int], balance: Sequence[int], flow: Terms) -> Any:
    ends = list(zip(arcs[::2], arcs[1::2], flow, strict=True))
    nodes = enumerate(balance, start=1)
    return cp.all([cp.sum([((a == k) - (b == k)) * one for a, b, one in ends]) == rest for k, rest in nodes])


def _flow_cost(arcs: Sequence[int], balance: Sequence[int], prices: Sequence[int], flow: Terms, cost: Any) -> Any:
    return cp.all([_flow(arcs, balance, flow), total(prices, flow) == cost])


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
    *_both("increasing_{}", "X", "B", partial(_in_order, operator.le)),
    *_both("decreasing_{}", "X", "B", partial(_in_order, operator.ge)),
    ("strictly_increasing_int", "X", partial(_in_order, operator.lt)),
    ("strictly_decreasing_int", "X", partial(_in_order, operator.gt)),
    *_both("lex_less_{}", "XX", "BB", partial(_lexical, True)),
    *_both("lex_lesseq_{}", "XX", "BB", partial(_lexical, False)),
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
    *_both("member_{}", "Xx", "Bb", lambda xs, value: cp.any([x == value for x in xs])),
    *_both("maximum_arg_{}", "Xx", "Bx", partial(_extreme_at, operator.ge)),
    *_both("minimum_arg_{}", "Xx", "Bx", partial(_extreme_at, operator.le)),
    *(
        rule
        for name in ("array_var_{}_element_nonshifted", "{}_element")
        for rule in _both(name, "xiXx", "xiBb", lambda index, first, xs, value: element(index, xs, value, first))
    ),
    *_both("if_then_else_{}", "BXx", "BBb", _if_then_else),
    *_both("if_then_else_var_{}", "BXx", "BBb", _if_then_else),
    *_both("table_{}", "XI", "BI", _table),
    ("regular", "XiiIis", _regular),
    ("circuit", "X", _circuit),
    ("circuit", "iX", lambda first, xs: _circuit(xs, first)),
    ("subcircuit", "X", _subcircuit),
    ("subcircuit", "iX", lambda first, xs: _subcircuit(xs, first)),
    ("inverse", "XX", _inverse),
    ("sort", "XX", _sorts),
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
"""Rules of several with the same name are selected by the number and kinds of their arguments."""
