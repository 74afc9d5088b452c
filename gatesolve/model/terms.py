"""Terms: whole numbers that are computed from variables, and where they are defined.

A quotient by zero and an element outside its array have no value. As in CPMpy, the nearest constraint around such a
term is then broken.
"""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from typing import Any, ClassVar, Literal, cast

import numpy as np
from numpy.typing import NDArray

from gatesolve.errors import InputError
from gatesolve.extensions import cpmpy as cp
from gatesolve.model.constraints import WORD, Columns, Constraint, Domains, find_places, sort_values

Whole = NDArray[np.int64]
Truths = NDArray[np.bool_]
Range = tuple[int, int]
MOST_STEPS = 1 << 12
"""Numbers between the ends of an axis of a lookup up to which CPMpy is given one entry for each."""
Function = Literal["mul", "max", "abs", "div", "mod", "element"]
"""``div`` rounds towards zero and ``mod`` is what it leaves; ``element`` counts from 0, its index is the first part."""


class Composed:
    """A term or a constraint that is made of others, which one field of it holds, alone or in a tuple."""

    part_field: ClassVar[str]

    @property
    def parts(self) -> tuple[Term | Constraint, ...]:
        """Return the terms and constraints that it is made of."""
        held = getattr(self, self.part_field)
        return held if isinstance(held, tuple) else (held,)

    def rebuild(self, parts: Sequence[Any]) -> Any:
        """Return the same of other parts."""
        held: Any = tuple(parts) if isinstance(getattr(self, self.part_field), tuple) else parts[0]
        return replace(cast(Any, self), **{self.part_field: held})

    @cached_property
    def scope(self) -> tuple[str, ...]:  # presolve asks each constraint often
        """Names of the variables it reads, each once."""
        return tuple(dict.fromkeys(name for part in self.parts for name in part.scope))


class Term(Composed, ABC):
    """A whole number that depends on variables."""

    @abstractmethod
    def values(self, columns: Columns) -> tuple[Whole, Truths]:
        """Its value on each row of ``columns``, and where it has one."""

    @abstractmethod
    def bounds(self, domains: Domains) -> Range:
        """Numbers that no value is below or above."""

    @abstractmethod
    def to_cpmpy(self, variables: Mapping[str, Any]) -> Any:
        """Return the term as a CPMpy expression."""

    def reach(self, most: Mapping[str, int]) -> int:
        """The largest number, by magnitude, that it is computed with, given the largest of each variable."""
        own = max(map(abs, self.bounds({name: (-size, size) for name, size in most.items()})))
        # Parts may be larger than the result, as in a remainder or a difference.
        return max([own, *(part.reach(most) for part in self.parts)])


@dataclass(frozen=True)
class Value(Term):
    """A variable's value."""

    name: str

    @property
    def parts(self) -> tuple[Term | Constraint, ...]:
        return ()

    @cached_property
    def scope(self) -> tuple[str, ...]:
        return (self.name,)

    def values(self, columns: Columns) -> tuple[Whole, Truths]:
        return columns[self.name], np.asarray(True)

    def bounds(self, domains: Domains) -> Range:
        return domains[self.name][0], domains[self.name][-1]

    def to_cpmpy(self, variables: Mapping[str, Any]) -> Any:
        return variables[self.name]

    def rebuild(self, parts: Sequence[Any]) -> Term:
        return self

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Truth(Term):
    """1 where a constraint holds, else 0."""

    part_field = "constraint"
    constraint: Constraint

    def values(self, columns: Columns) -> tuple[Whole, Truths]:
        return self.constraint.holds(columns).astype(np.int64), np.asarray(True)

    def bounds(self, domains: Domains) -> Range:
        return 0, 1

    def to_cpmpy(self, variables: Mapping[str, Any]) -> Any:
        # CPMpy hands a truth value that is fixed to OR-Tools, which takes numbers only
        if not self.scope:
            return int(self.constraint.holds({}))
        found, utils = self.constraint.to_cpmpy(variables), cp.expressions.utils
        return int(utils.is_true_cst(found)) if utils.is_true_cst(found) or utils.is_false_cst(found) else found

    def __str__(self) -> str:
        return f"({self.constraint})"


@dataclass(frozen=True)
class Sum(Term):
    """``sum(weight * term) + constant``; without terms the constant. Made by `add_terms`."""

    terms: tuple[tuple[int, Term], ...]
    constant: int = 0

    @property
    def parts(self) -> tuple[Term | Constraint, ...]:
        return tuple(term for _, term in self.terms)

    def values(self, columns: Columns) -> tuple[Whole, Truths]:
        total, defined = np.asarray(self.constant, dtype=np.int64), np.asarray(True)
        for weight, term in self.terms:
            value, known = term.values(columns)
            total, defined = total + weight * value, defined & known
        return total, defined

    def bounds(self, domains: Domains) -> Range:
        ends = [sorted(weight * end for end in term.bounds(domains)) for weight, term in self.terms]
        return self.constant + sum(low for low, _ in ends), self.constant + sum(high for _, high in ends)

    def reach(self, most: Mapping[str, int]) -> int:
        return sum((abs(weight) * max(term.reach(most), 1) for weight, term in self.terms), start=abs(self.constant))

    def to_cpmpy(self, variables: Mapping[str, Any]) -> Any:
        return cp.sum([*(weight * term.to_cpmpy(variables) for weight, term in self.terms), self.constant])

    def rebuild(self, parts: Sequence[Any]) -> Term:
        return add_terms([(weight, part) for (weight, _), part in zip(self.terms, parts, strict=True)], self.constant)

    def __str__(self) -> str:
        texts = [str(term) if weight == 1 else f"{weight}*{term}" for weight, term in self.terms]
        return " + ".join([*texts, *([str(self.constant)] if self.constant or not texts else [])])


@dataclass(frozen=True)
class Apply(Term):
    """A function of other terms."""

    part_field = "arguments"
    function: Function
    arguments: tuple[Term, ...]

    def values(self, columns: Columns) -> tuple[Whole, Truths]:
        found = [term.values(columns) for term in self.arguments]
        if self.function == "element":
            # an entry that is not looked at may be undefined, as CPMpy evaluates it: all must be defined
            index, known = found[0]
            inside = (index >= 0) & (index < len(found) - 1)
            shape = np.broadcast_shapes(*(np.shape(value) for value, _ in found))
            entries = np.stack([np.broadcast_to(value, shape) for value, _ in found[1:]])
            place = np.broadcast_to(np.where(inside, index, 0), shape)
            value = np.take_along_axis(entries, place[None], axis=0)[0]
            return value, reduce(np.logical_and, (known for _, known in found[1:]), inside & known)
        value, possible = _COMPUTE[self.function](*(value for value, _ in found))
        return value, reduce(np.logical_and, (known for _, known in found), possible)

    def bounds(self, domains: Domains) -> Range:
        return _BOUND[self.function](*(term.bounds(domains) for term in self.arguments))

    def to_cpmpy(self, variables: Mapping[str, Any]) -> Any:
        parts = [to_number(term.to_cpmpy(variables)) for term in self.arguments]
        if isinstance(parts[0], int):  # CPMpy asks for an expression
            parts[0] = make_fixed(parts[0])
        match self.function:
            case "element":
                return cp.Element(parts[1:], parts[0])
            case "max":
                return cp.Maximum(parts)
            case "abs":
                return cp.Abs(parts[0])
            case function:
                return {"mul": operator.mul, "div": operator.floordiv, "mod": operator.mod}[function](*parts)

    def rebuild(self, parts: Sequence[Any]) -> Term:
        return apply_function(self.function, parts)

    def __str__(self) -> str:
        sign = {"mul": " * ", "div": " div ", "mod": " mod "}.get(self.function)
        texts = [str(term) for term in self.arguments]
        return f"{self.function}({', '.join(texts)})" if sign is None else f"({texts[0]}){sign}({texts[1]})"


@dataclass(frozen=True)
class Lookup(Term):
    """A function of terms by its table: ``rows`` pairs their values with its own; elsewhere it has none."""

    part_field = "arguments"
    arguments: tuple[Term, ...]
    rows: tuple[tuple[tuple[int, ...], int], ...]

    def __post_init__(self) -> None:
        if any(len(key) != len(self.arguments) for key, _ in self.rows):
            raise InputError(f"a row of '{self}' has too many values or too few: give one for each of its arguments")

    @cached_property
    def _axes(self) -> list[Whole]:
        return [sort_values(key[k] for key, _ in self.rows) for k in range(len(self.arguments))]

    @cached_property
    def _table(self) -> tuple[Whole, Truths]:
        shape = tuple(len(axis) for axis in self._axes)
        value, known = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=bool)
        for key, result in self.rows:
            # No column holds a key beyond 64 bits, so its row is never read.
            if all(-WORD <= v < WORD for v in key):
                place = tuple(int(np.searchsorted(axis, v)) for axis, v in zip(self._axes, key, strict=True))
                value[place], known[place] = result, True
        return value, known

    def values(self, columns: Columns) -> tuple[Whole, Truths]:
        found = [term.values(columns) for term in self.arguments]
        if not self._table[0].size:
            return np.asarray(0), np.asarray(False)
        defined, places = np.asarray(True), []
        for axis, (value, known) in zip(self._axes, found, strict=True):
            place, there = find_places(axis, value)
            defined = defined & known & there
            places.append(place)
        value, known = self._table
        return value[tuple(places)], defined & known[tuple(places)]

    def bounds(self, domains: Domains) -> Range:
        results = [result for _, result in self.rows] or [0]
        return min(results), max(results)

    def to_cpmpy(self, variables: Mapping[str, Any]) -> Any:
        # each key is a place in the table; one without a row leads beyond an end, where an element has no value
        value, known = (array.reshape(-1).tolist() for array in self._table)
        size, stride, places = len(value), len(value), list[Any]()
        for term, axis in zip(self.arguments, self._axes, strict=True):
            stride //= max(len(axis), 1)
            step = {int(v): stride * k for k, v in enumerate(axis)}
            fixed = constant_of(term)
            if fixed is not None or not size:
                places.append(step.get(fixed or 0, -size - 1))
                continue
            value_of = to_number(term.to_cpmpy(variables))
            if isinstance(value_of, int):  # CPMpy asks for an expression
                value_of = make_fixed(value_of)
            if axis[-1] - axis[0] < MOST_STEPS:
                steps = [step.get(v, -size) for v in range(int(axis[0]), int(axis[-1]) + 1)]
                places.append(cp.Element(steps, value_of - int(axis[0])))
            else:
                places += [-size, *((size + k) * (value_of == v) for v, k in step.items())]
        inside = [k if row else -1 for k, row in enumerate(known)] or [-1]
        # an index must be an expression
        return cp.Element(value or [0], cp.Element(inside, cp.sum([*places, make_fixed(0)])))

    def __str__(self) -> str:
        return f"lookup({', '.join(map(str, self.arguments))}; {len(self.rows)} rows)"


def to_number(expression: Any) -> Any:
    """Return a truth value of CPMpy's as a sum, which its functions of numbers take; numbers as they are."""
    return cp.sum([expression, 0]) if cp.expressions.utils.is_boolexpr(expression) else expression


def make_fixed(value: int) -> Any:
    """A variable of CPMpy's of one value."""
    fixed = cp.intvar(value, value)
    fixed._value = value
    return fixed


def add_terms(terms: Sequence[tuple[int, Term]], constant: int = 0) -> Term:
    """The sum of weighted terms: sums within it are opened and equal terms are put together."""
    weights: dict[Term, int] = {}
    for weight, term in _open(terms, 1):
        if isinstance(term, Sum):
            constant += weight * term.constant
        else:
            weights[term] = weights.get(term, 0) + weight
    kept = tuple((weight, term) for term, weight in weights.items() if weight or is_partial(term))
    # a term without weight stays where it may be undefined
    return kept[0][1] if len(kept) == 1 and kept[0][0] == 1 and not constant else Sum(kept, constant)


def _open(terms: Sequence[tuple[int, Term]], factor: int) -> Iterator[tuple[int, Term]]:
    for weight, term in terms:
        if isinstance(term, Sum):
            yield from _open(term.terms, factor * weight)
            yield factor * weight, Sum((), term.constant)
        else:
            yield factor * weight, term


def constant_of(term: Term) -> int | None:
    """The value of a term that is a constant."""
    return term.constant if isinstance(term, Sum) and not term.terms else None


def apply_function(function: Function, arguments: Sequence[Term]) -> Term:
    """A function of terms, worked out as far as they are constants."""
    values = [constant_of(term) for term in arguments]
    if function == "mul":
        for value, other in zip(values, reversed(arguments), strict=True):
            if value is not None:
                return add_terms([(value, other)])
        # A constant factor moves out of the product, so that equal products are equal terms.
        for place, term in enumerate(arguments):
            if isinstance(term, Sum) and len(term.terms) == 1 and not term.constant:
                weight, inner = term.terms[0]
                return add_terms([(weight, apply_function("mul", [inner, arguments[1 - place]]))])
    if all(value is not None for value in values):
        found, known = Apply(function, tuple(arguments)).values({})
        if bool(known):
            return Sum((), int(found))
    index = values[0]
    if function == "element" and index is not None and 0 <= index < len(arguments) - 1:
        chosen = arguments[1 + index]
        # With weight 0 the other entries only keep their conditions: all must be defined.
        return add_terms([(1, chosen), *((0, other) for other in arguments[1:] if is_partial(other))])
    return Apply(function, tuple(arguments))


def is_partial(term: Term) -> bool:
    """Return whether a term may have no value, as far as its form shows."""
    if isinstance(term, Apply) and term.function == "element":
        index, *entries = term.arguments
        if len(entries) < 2 or not isinstance(index, Truth):  # which is 0 or 1
            return True
    elif isinstance(term, Lookup) or (isinstance(term, Apply) and term.function in ("div", "mod")):
        return True
    return any(isinstance(part, Term) and is_partial(part) for part in term.parts)


def _divide(left: Whole, right: Whole) -> tuple[Whole, Truths]:
    # The division by 1 in place of 0 only avoids a warning; such rows are undefined anyway.
    size = np.abs(left) // np.maximum(np.abs(right), 1)
    return np.where((left < 0) != (right < 0), -size, size), right != 0


def _total(function: Callable[..., Any]) -> Callable[..., tuple[Whole, Truths]]:
    return lambda *values: (np.asarray(reduce(function, values) if len(values) > 1 else values[0]), np.asarray(True))


_COMPUTE: Mapping[str, Callable[..., tuple[Whole, Truths]]] = {
    "mul": _total(np.multiply),
    "max": _total(np.maximum),
    "abs": lambda value: (np.abs(value), np.asarray(True)),
    "div": _divide,
    "mod": lambda left, right: (left - right * _divide(left, right)[0], right != 0),
}


def _bound_quotient(left: Range, right: Range) -> Range:
    # Whole numbers other than 0 have size 1 or more, so 1 is the least divisor if the range contains 0.
    least = 1 if right[0] <= 0 <= right[1] else min(map(abs, right))
    size = max(map(abs, left)) // least
    falls = left[0] < 0 < left[1] or right[0] < 0 < right[1] or (left[0] < 0) != (right[0] < 0)
    rises = left[0] < 0 < left[1] or right[0] < 0 < right[1] or (left[0] < 0) == (right[0] < 0)
    return (-size if falls else 0), (size if rises else 0)


def _bound_remainder(left: Range, right: Range) -> Range:
    # A remainder has the sign of the dividend, and is smaller than the divisor.
    most = max(max(map(abs, right)) - 1, 0)
    # It is also no larger than the dividend.
    return max(min(left[0], 0), -most), min(max(left[1], 0), most)


_BOUND: Mapping[str, Callable[..., Range]] = {
    "mul": lambda left, right: (min(a * b for a in left for b in right), max(a * b for a in left for b in right)),
    "max": lambda *ends: (max(low for low, _ in ends), max(high for _, high in ends)),
    "abs": lambda ends: (0 if ends[0] <= 0 <= ends[1] else min(map(abs, ends)), max(map(abs, ends))),
    "div": _bound_quotient,
    "mod": _bound_remainder,
    "element": lambda index, *ends: (min(low for low, _ in ends), max(high for _, high in ends)),
}
