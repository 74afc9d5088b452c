"""FlatZinc's made-up variables, put in where they are used: each would make the space that is searched larger."""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from graphlib import CycleError, TopologicalSorter
from typing import Any

import cpmpy as cp
from cpmpy.expressions.core import Comparison, Expression
from cpmpy.expressions.variables import _NumVarImpl

from gatesolve.formats.flatzinc_builtins import bounds_of

MOST_DEPTH = 16
"""Definitions in one another, of which the readers of expressions call themselves several times each."""
MOST_REPEATED = 4
"""Variables in a definition that is written more than once."""
_PARTIAL = {"div", "mod", "element"}


@dataclass(frozen=True)
class Posted:
    """A constraint that is not made yet.

    Attributes:
        name: of its kind.
        make: what makes it of its arguments.
        args: numbers, variables, sets, and lists of these.
        defines: the name of the variable that it is said to give a value.
    """

    name: str
    make: Callable[..., Any]
    args: Sequence[Any]
    defines: str | None = None

    def made(self) -> Any:
        """The constraint."""
        return self.make(*self.args)

    def variables(self) -> Iterator[Any]:
        """Its variables, with repeats."""
        for arg in self.args:
            yield from (one for one in (arg if isinstance(arg, list) else [arg]) if isinstance(one, _NumVarImpl))

    def with_put_in(self, found: Mapping[str, Any]) -> Posted:
        """Return the constraint with some variables replaced."""

        def put(arg: Any) -> Any:
            if isinstance(arg, list):
                return [put(one) for one in arg]
            return found.get(arg.name, arg) if isinstance(arg, _NumVarImpl) else arg

        return replace(self, args=[put(arg) for arg in self.args])


def put_in(posted: Sequence[Posted], removable: Mapping[str, Any]) -> tuple[list[Posted], set[str]]:
    """Replace variables by what they are defined as.

    One that is used once is replaced, and one whose definition is short: so the whole grows little.

    Args:
        posted: the constraints.
        removable: the variables that nobody wants to see, by name.

    Returns:
        The constraints that are left, with the bounds of what was put in, and the names that are gone.
    """
    uses = collections.Counter(variable.name for one in posted for variable in one.variables())
    definitions = {one.defines: one for one in posted if one.defines and one.defines in removable}
    found, size, depth, bounds = dict[str, Any](), dict[str, int](), dict[str, int](), list[Posted]()
    for name in _in_order(definitions):
        variable, definition = removable[name], definitions[name]
        others = [other.name for other in definition.variables() if other is not variable]
        total = sum(size.get(other, 1) for other in others)
        level = 1 + max((depth.get(other, 0) for other in others), default=0)
        if level > MOST_DEPTH or (uses[name] > 2 and total > MOST_REPEATED):
            continue
        value = _solved_for(variable, definition.with_put_in(found))
        if value is not None:
            bounds += _bounds(value, variable)
            found[name] = value == 1 if variable.is_bool() and not _is_boolean(value) else value
            size[name], depth[name] = total, level
    gone = {id(definitions[name]) for name in found}
    return [*(one.with_put_in(found) for one in posted if id(one) not in gone), *bounds], set(found)


def _in_order(definitions: Mapping[str, Posted]) -> Iterable[str]:
    """Each after those that it is made of; none if they go round."""
    graph = {
        name: {other.name for other in one.variables() if other.name in definitions} - {name}
        for name, one in definitions.items()
    }
    try:
        return list(TopologicalSorter(graph).static_order())
    except CycleError:
        return ()


def _solved_for(variable: Any, definition: Posted) -> Any:
    """Return the expression that a constraint says a variable is equal to; None if it says no such thing."""
    if sum(one is variable for one in definition.variables()) != 1:
        return None
    holds = definition.made()
    if definition.name in ("int_lin_eq", "bool_lin_eq"):
        weights, terms, bound = definition.args
        own = next((weight for weight, term in zip(weights, terms, strict=True) if term is variable), 0)
        rest = [-own * weight * term for weight, term in zip(weights, terms, strict=True) if term is not variable]
        return cp.sum([*rest, own * bound]) if abs(own) == 1 else None
    sides = holds.args if isinstance(holds, Comparison) and holds.name == "==" else ()
    value = next((side for side, other in zip(sides, reversed(sides), strict=True) if other is variable), None)
    try:
        bounds_of(value)
    except ZeroDivisionError:  # it has no value at all
        return None
    return value


def _bounds(value: Any, variable: Any) -> list[Posted]:
    """That a value is one of the variable's, and, of a function that is not defined everywhere, that there is one."""
    is_partial = getattr(value, "name", None) in _PARTIAL
    low, high = bounds_of(value)
    checks = [value >= variable.lb] if is_partial or low < variable.lb else []
    checks += [value <= variable.ub] if high > variable.ub else []
    return [Posted("", lambda check=check: check, ()) for check in checks]


def _is_boolean(value: Any) -> bool:
    return isinstance(value, bool) or (isinstance(value, Expression) and bool(value.is_bool()))
