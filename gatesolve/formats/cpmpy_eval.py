"""Evaluating CPMpy expressions on many assignments at once, and judging one by the model that the user wrote.

Arithmetic and logic that is defined everywhere is evaluated on whole columns; anything else row by row with CPMpy's own
``value()``, which gives undefined functions (division by zero, an index out of range) CPMpy's relational meaning: the
nearest Boolean expression around them is false.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import reduce
from typing import Any

import cpmpy
import numpy as np
from cpmpy.exceptions import IncompleteFunctionError
from cpmpy.expressions.core import Comparison, Expression, Operator
from cpmpy.expressions.utils import argval, is_int
from cpmpy.expressions.variables import NegBoolView, _NumVarImpl
from cpmpy.transformations.get_variables import get_variables, get_variables_model
from cpmpy.transformations.normalize import toplevel_list
from numpy.typing import NDArray

from gatesolve.errors import UnsupportedError
from gatesolve.model.constraints import combine_rows

#: Magnitude from which whole-column arithmetic could leave 64-bit integers.
_WORD = 2**62

_COMPARE: Mapping[str, Callable[[Any, Any], Any]] = {
    "==": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}


class _RowByRow(Exception):
    """The expression holds something that is not evaluated on whole columns."""


def occurrences(expression: object) -> Iterator[Any]:
    """Every variable object in an expression, or nested lists and arrays of them, in order and with repeats.

    A negated Boolean view gives the variable it views.
    """
    if isinstance(expression, NegBoolView):
        yield expression._bv
    elif isinstance(expression, _NumVarImpl):
        yield expression
    elif isinstance(expression, Expression):
        # the rows of a table hold no variables and can be many
        data = {"wsum": 1, "table": 0, "negative_table": 0, "short_table": 0}.get(expression.name)
        yield from occurrences(expression.args if data is None else expression.args[data])
    elif isinstance(expression, np.ndarray):
        if expression.dtype == object:
            yield from occurrences(list(expression.flat))
    elif isinstance(expression, (list, tuple)):
        for part in expression:
            yield from occurrences(part)


def scope_of(expression: object) -> tuple[str, ...]:
    """Names of the variables in ``expression``, each once, in order of appearance."""
    return tuple(dict.fromkeys(variable.name for variable in occurrences(expression)))


def grid(names: Sequence[str], domains: Mapping[str, Sequence[int]]) -> NDArray[np.int64]:
    """All assignments to ``names``, one a row, in ascending order."""
    columns = combine_rows([((name,), domains[name]) for name in names])
    return np.stack([columns[name] for name in names], axis=1) if names else np.zeros((1, 0), dtype=np.int64)


def evaluate(expression: Any, names: Sequence[str], rows: NDArray[np.int64]) -> list[Any] | None:
    """Value of ``expression`` on each row, whose columns are the variables ``names``; None where it is undefined.

    None altogether for what CPMpy cannot evaluate.
    """
    try:
        columns = {name: rows[:, k] for k, name in enumerate(names)}
        return [value.item() for value in np.broadcast_to(_columns(expression, columns), len(rows))]
    except _RowByRow:
        pass
    try:
        return _row_by_row(expression, names, rows)
    except Exception:  # CPMpy's value() fails in many ways: constants have none, and lists can be of any length
        return None


def _columns(expression: Any, columns: Mapping[str, NDArray[np.int64]]) -> NDArray[Any]:
    """Value of a total expression as one array over all rows."""
    if is_int(expression):
        if abs(int(expression)) >= _WORD:
            raise _RowByRow
        return np.asarray(bool(expression) if isinstance(expression, (bool, np.bool_)) else int(expression))
    if isinstance(expression, NegBoolView):
        return np.asarray(columns[expression._bv.name] == 0)
    if isinstance(expression, _NumVarImpl):
        column = columns[expression.name]
        return column != 0 if expression.is_bool() else column
    if isinstance(expression, Comparison):
        left, right = (_columns(side, columns).astype(np.int64) for side in expression.args)
        return np.asarray(_COMPARE[expression.name](left, right))
    if isinstance(expression, Operator) and expression.is_bool():
        parts = [_columns(part, columns) != 0 for part in expression.args]
        if expression.name in ("not", "->"):
            return np.asarray(~parts[0] if expression.name == "not" else ~parts[0] | parts[1])
        return np.asarray(reduce(np.logical_and if expression.name == "and" else np.logical_or, parts))
    return _arithmetic(expression, columns)


def _arithmetic(expression: Any, columns: Mapping[str, NDArray[np.int64]]) -> NDArray[np.int64]:
    """Sums, products, absolute values, minima and maxima that stay inside 64 bits."""
    name = expression.name if isinstance(expression, Expression) else None
    if name not in ("sum", "wsum", "sub", "-", "mul", "abs", "min", "max"):
        raise _RowByRow
    weights = [1] * len(expression.args)
    terms = expression.args
    if name == "wsum":
        weights, terms = expression.args
        if not all(is_int(weight) for weight in weights):
            raise _RowByRow
    # the parts first: CPMpy gives no bounds for what holds a division by zero
    parts = [int(w) * _columns(term, columns).astype(np.int64) for w, term in zip(weights, terms, strict=True)]
    if max(abs(int(bound)) for bound in expression.get_bounds()) >= _WORD:
        raise _RowByRow
    if name in ("-", "abs"):
        return -parts[0] if name == "-" else np.abs(parts[0])
    fold = {"sub": np.subtract, "mul": np.multiply, "min": np.minimum, "max": np.maximum}.get(name, np.add)
    return np.asarray(reduce(fold, parts))


def _row_by_row(expression: Any, names: Sequence[str], rows: NDArray[np.int64]) -> list[Any]:
    column = {name: k for k, name in enumerate(names)}
    found = {id(variable): variable for variable in occurrences(expression)}.values()
    places = [(variable, column[variable.name], bool if variable.is_bool() else int) for variable in found]
    values = []
    with restored_model([variable for variable, _, _ in places]):
        for row in rows.tolist():
            for variable, k, kind in places:
                variable._value = kind(row[k])
            values.append(value_of(expression))
    return values


def value_of(expression: Any) -> Any:
    """CPMpy's value of an expression at its variables' present values; None where it is undefined."""
    try:
        return argval(expression)
    except IncompleteFunctionError:
        return None


@contextmanager
def restored_model(variables: Sequence[Any]) -> Iterator[None]:
    """Put the variables' values back on the way out: they may hold a user's last solution."""
    before = [variable._value for variable in variables]
    try:
        yield
    finally:
        for variable, value in zip(variables, before, strict=True):
            variable._value = value


def broken_constraints(model: cpmpy.Model, assignment: Mapping[str, int]) -> list[str]:
    """The constraints of ``model`` that ``assignment`` breaks, in CPMpy's words; empty when it is a solution.

    Shares nothing with the lowering of the model, so it would find a fault there. The variables' own values are left as
    they were.
    """
    variables = get_variables_model(model)
    with restored_model(variables):
        for variable in variables:
            variable._value = assignment[variable.name]
        outside = [f"{v.name} = {v._value} is outside its domain" for v in variables if not v.lb <= v._value <= v.ub]
        constraints = toplevel_list(model.constraints, merge_and=False)
        return outside + [str(constraint) for constraint in constraints if not _holds(constraint)]


def _holds(constraint: Any) -> bool:
    """CPMpy's value of a constraint; of a kind of the user's own without one, that of what it decomposes into."""
    try:
        return bool(value_of(constraint))
    except NotImplementedError:
        parts = toplevel_list(constraint.decompose()) if hasattr(constraint, "decompose") else None
        if parts is None or set(get_variables(parts)) - set(get_variables(constraint)):
            said = f"constraint '{constraint}' has a kind without value(), by which answers are judged"
            raise UnsupportedError(f"{said}: define it in its class") from None
        return all(map(_holds, parts))
