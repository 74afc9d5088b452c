"""The built-in constraints of FlatZinc as CPMpy expressions, by name."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import cpmpy as cp
from cpmpy.expressions.core import BoolVal, Expression, Operator
from cpmpy.expressions.globalfunctions import Division, Modulo

from gatesolve.errors import UnsupportedError

Rule = tuple[str, str, Callable[..., Any]]
"""A name, the kinds of the arguments, a letter each, and what makes a Boolean of them.

``x`` is a number, ``b`` a truth value, ``i`` a constant and ``s`` a set of constants; a capital is an array of such.
"""
RELATIONS: Mapping[str, Callable[[Any, Any], Any]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "le": operator.le,
    "lt": operator.lt,
    "ge": operator.ge,
    "gt": operator.gt,
}
MOST_EXPONENTS = 64
"""Exponents up to which a power is listed by them."""


def truth(holds: Any) -> Expression:
    """A Boolean of CPMpy's or of Python's as one of CPMpy's."""
    return holds if isinstance(holds, Expression) else BoolVal(bool(holds))


def same(left: Any, right: Any) -> Expression:
    """Two truth values are equal; of one and a constant, the one or its negation."""
    for one, other in ((left, right), (right, left)):
        if not isinstance(one, Expression):
            return truth(other) if one else ~truth(other)
    return truth(left == right)


def total(weights: Sequence[int], terms: Sequence[Any]) -> Any:
    """A weighted sum, as an expression of constants too."""
    return Operator("sum", [weight * term for weight, term in zip(weights, terms, strict=True)] or [0])


def linear(relation: Callable[[Any, Any], Any], weights: Sequence[int], terms: Sequence[Any], bound: Any) -> Any:
    """A weighted sum compared with a number."""
    return relation(total(weights, terms), bound)


def bounds_of(value: Any) -> tuple[int, int]:
    """The least and the greatest that a number can be."""
    return value.get_bounds() if isinstance(value, Expression) else (value, value)


def element(index: Any, entries: Sequence[Any], value: Any, first: int = 1) -> Any:
    """The entry at an index, counted from ``first``, is a value; there is none outside."""
    if isinstance(index, Expression) and entries:
        return cp.Element(list(entries), index - first) == value
    inside = not isinstance(index, Expression) and first <= index < first + len(entries)
    return entries[index - first] == value if inside else False


def within(term: Any, values: range | frozenset[int]) -> Any:
    """A number is one of some constants."""
    if not values or not isinstance(term, Expression):
        return term in values
    if isinstance(values, frozenset):
        return cp.InDomain(term, sorted(values))
    low, high = bounds_of(term)
    least = [term >= values[0]] if low < values[0] else []
    return cp.all([*least, *([term <= values[-1]] if high > values[-1] else [])])


def _power(base: Any, exponent: Any, value: Any) -> Any:
    """By a negative exponent 1 is divided by the power, which 0 has none of."""
    low, high = bounds_of(exponent)
    if max(abs(low), abs(high)) > MOST_EXPONENTS:
        raise UnsupportedError(f"exponents are read up to {MOST_EXPONENTS}: tighten their bounds")
    powers = ((k, base**k if k >= 0 else Division(1, base**-k)) for k in range(int(low), int(high) + 1))
    return cp.any([truth(exponent == k) & (power == value) for k, power in powers])


def _parity(parts: Sequence[Any]) -> Any:
    return cp.Xor([truth(part) for part in parts]) if parts else False


def _clause(positive: Sequence[Any], negative: Sequence[Any]) -> Any:
    return cp.any([*map(truth, positive), *(~truth(part) for part in negative)])


def _with_result(holds: Callable[..., Any]) -> Callable[..., Any]:
    """The last argument is the truth value of the others."""
    return lambda *args: same(args[-1], holds(*args[:-1]))


def _logic(name: str, kinds: str, holds: Callable[..., Any]) -> list[Rule]:
    """Alone, as ``bool_and_imp`` has it, and with the result as a further argument."""
    return [(name, kinds, holds), (name, f"{kinds}b", _with_result(holds))]


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
    ("array_int_element", "xXx", element),
    ("array_var_int_element", "xXx", element),
    ("array_bool_element", "xBb", element),
    ("array_var_bool_element", "xBb", element),
    ("set_in", "xs", within),
    *_logic("bool_and", "bb", lambda a, b: truth(a) & b),
    *_logic("bool_or", "bb", lambda a, b: truth(a) | b),
    *_logic("bool_xor", "bb", operator.ne),
    *_logic("array_bool_and", "B", cp.all),
    *_logic("array_bool_or", "B", cp.any),
    ("bool_left_imp", "bbb", _with_result(operator.ge)),
    ("bool_right_imp", "bbb", _with_result(operator.le)),
    ("array_bool_xor", "B", _parity),
    ("bool_clause", "BB", _clause),
]
