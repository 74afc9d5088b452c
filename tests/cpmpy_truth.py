"""One CPMpy expression through our lowering and our compiler, against a truth that is not ours."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Sequence
from functools import reduce
from typing import Any

import cpmpy as cp
import numpy as np
from cpmpy.exceptions import IncompleteFunctionError
from cpmpy.expressions.core import BoolVal, Comparison, Expression, Operator
from cpmpy.expressions.utils import argval
from cpmpy.expressions.variables import NegBoolView, _NumVarImpl
from cpmpy.transformations.get_variables import get_variables
from numpy.typing import NDArray

import gatesolve.formats
from gatesolve.encodings import make_spaces
from gatesolve.errors import InfeasibleError
from gatesolve.oracle import assemble, choose_lowered, literal_conditions
from gatesolve.simulate import PhaseCheck

Rows = NDArray[np.int64]
Column = tuple[NDArray[np.int64], NDArray[np.bool_]]
"""Values, and where they are defined."""
COMPARE = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class Truth:
    """Truths of expressions on all assignments, or on given ones; atoms of one shape are evaluated once.

    Args:
        probes: assignments on which each expression's truth is compared with CPMpy's ``value()`` of the whole.
    """

    def __init__(self, probes: int = 24) -> None:
        self.probes = probes
        self._known: dict[object, Column] = {}

    def table(self, expression: Any) -> tuple[list[Any], Rows, NDArray[np.bool_]]:
        """The variables, every assignment to them (one a row, ascending), and the truth of each.

        Raises:
            AssertionError: CPMpy's ``value()`` differs on a row that was probed.
        """
        variables = list(get_variables(expression))
        rows = list_rows(variables)
        place = {id(v): rows[:, k] for k, v in enumerate(variables)}
        values, defined = self._column(expression, place, len(rows))
        truth = (values != 0) & defined
        draw = np.random.default_rng(len(rows))
        for row in draw.choice(len(rows), min(self.probes, len(rows)), replace=False):
            set_values(variables, rows[row])
            assert bool(argval(expression)) == truth[row], f"value() of {expression} differs at {rows[row]}"
        return variables, rows, truth

    def _column(self, part: Any, place: dict[int, Rows], length: int) -> Column:
        """Values of a part of an expression on all rows; ``place`` has each variable's column."""
        if isinstance(part, NegBoolView):
            return 1 - place[id(part._bv)], np.ones(length, dtype=bool)
        if isinstance(part, _NumVarImpl):
            return place[id(part)], np.ones(length, dtype=bool)
        if isinstance(part, BoolVal) or not isinstance(part, Expression):
            return np.full(length, int(argval(part))), np.ones(length, dtype=bool)
        if isinstance(part, Comparison):
            (left, known), (right, also) = (self._column(side, place, length) for side in part.args)
            return (COMPARE[part.name](left, right) & known & also).astype(np.int64), np.ones(length, dtype=bool)
        if isinstance(part, Operator) and part.is_bool():
            sides = [self._column(side, place, length)[0] != 0 for side in part.args]
            if part.name in ("not", "->"):
                found = ~sides[0] if part.name == "not" else ~sides[0] | sides[1]
            else:
                found = reduce(np.logical_and if part.name == "and" else np.logical_or, sides)
            return found.astype(np.int64), np.ones(length, dtype=bool)
        return self._atom(part, place, length)

    def _atom(self, part: Expression, place: dict[int, Rows], length: int) -> Column:
        own = list(get_variables(part))
        key = shape_of(part, {id(v): k for k, v in enumerate(own)}), tuple((v.lb, v.ub, v.is_bool()) for v in own)
        if key not in self._known:
            self._known[key] = evaluate_rows(part, own)
        values, defined = self._known[key]
        index = np.zeros(length, dtype=np.int64)
        for variable in own:
            index = index * (variable.ub - variable.lb + 1) + place[id(variable)] - variable.lb
        return values[index], defined[index]


def list_rows(variables: Sequence[Any]) -> Rows:
    """All assignments, one a row, the last variable the fastest."""
    sizes = [v.ub - v.lb + 1 for v in variables]
    lows = np.array([v.lb for v in variables], dtype=np.int64)
    return np.indices(sizes).reshape(len(sizes), math.prod(sizes)).T.astype(np.int64) + lows


def set_values(variables: Iterable[Any], values: Iterable[int]) -> None:
    for variable, value in zip(variables, values, strict=True):
        variable._value = bool(value) if variable.is_bool() else int(value)


def evaluate_rows(part: Expression, variables: Sequence[Any]) -> Column:
    """CPMpy's own value on every assignment."""
    rows = list_rows(variables)
    values, defined = np.zeros(len(rows), dtype=np.int64), np.ones(len(rows), dtype=bool)
    for number, row in enumerate(rows.tolist()):
        set_values(variables, row)
        try:
            values[number] = argval(part)
        except IncompleteFunctionError:
            defined[number] = False
    return values, defined


def shape_of(part: Any, place: dict[int, int]) -> object:
    """An expression's structure with its variables numbered: the same for two that differ in names alone."""
    if isinstance(part, NegBoolView):
        return "negated", place[id(part._bv)]
    if isinstance(part, _NumVarImpl):
        return "variable", place[id(part)]
    if isinstance(part, Expression):
        # some constraints keep their data outside of ``args``: the transitions of an MDD
        data = {key: repr(value) for key, value in vars(part).items() if key not in ("_args", "_has_subexpr")}
        return type(part).__name__, part.name, shape_of(part.args, place), tuple(data.items())
    if isinstance(part, (list, tuple, np.ndarray)):
        return tuple(shape_of(one, place) for one in part)
    return repr(part)


def find_difference(expression: Any, truth: Truth) -> str:
    """Say how the lowered model, or the marks of its literal oracle, differ from CPMpy's values; empty if they do not.

    Raises:
        GatesolveError: refused.
    """
    variables, rows, true = truth.table(expression)
    names = [v.name for v in variables]
    try:
        model = gatesolve.formats.from_cpmpy(cp.Model(expression))
    except InfeasibleError:
        return describe_first(names, rows, true, "infeasible, says from_cpmpy")
    if added := set(model.domains) - set(names):
        return f"variables were added: {', '.join(sorted(added))}"
    columns = {name: rows[:, k] for k, name in enumerate(names) if name in model.domains}
    held = np.ones(len(rows), dtype=bool)
    for name, column in columns.items():
        held &= np.isin(column, model.domains[name])
    inside = {name: column[held] for name, column in columns.items()}
    held[held] = model.holds(inside) if columns else model.check({})
    if said := describe_first(names, rows, held != true, "Model.holds differs"):
        return said
    space = make_spaces(model, "binary")[0]
    oracle = choose_lowered(
        assemble(literal_conditions(model, space), space.num_qubits, alone=True, with_alternative=True)
    )
    shape = oracle.ops, oracle.num_data, oracle.num_qubits, space.size, space.bits
    numbers = np.arange(space.size)
    marks = PhaseCheck(*shape, lambda numbers: numbers > -1).marks(numbers)
    values, place = space.values(numbers), np.zeros(space.size, dtype=np.int64)
    for variable in variables:  # one that the model dropped changes nothing, as was just seen: any value stands for all
        digit = values[variable.name] - variable.lb if variable.name in values else 0
        place = place * (variable.ub - variable.lb + 1) + digit
    return describe_first(names, rows[place], marks != true[place], "the oracle's mark differs")


def describe_first(names: list[str], rows: Rows, wrong: NDArray[np.bool_], what: str) -> str:
    """Say where two first differ; empty if they do not."""
    places = np.flatnonzero(wrong)
    if not places.size:
        return ""
    first = ", ".join(f"{name}={value}" for name, value in zip(names, rows[places[0]], strict=True))
    return f"{what} on {places.size} of {len(rows)} assignments, first at {first}"
