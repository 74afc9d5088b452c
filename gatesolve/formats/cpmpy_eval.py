"""Evaluation of CPMpy expressions on many assignments, and the judging of one by the model that the user wrote.

CPMpy's own ``value()`` gives undefined functions (division by zero, an index out of range) a relational meaning: the
nearest Boolean expression around them is false.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import cpmpy
import numpy as np
from cpmpy.exceptions import IncompleteFunctionError
from cpmpy.expressions.core import Expression
from cpmpy.expressions.utils import argval
from cpmpy.expressions.variables import NegBoolView, _NumVarImpl
from cpmpy.transformations.get_variables import get_variables, get_variables_model
from cpmpy.transformations.normalize import toplevel_list
from numpy.typing import NDArray

from gatesolve.errors import UnsupportedError
from gatesolve.model.constraints import combine_rows


def occurrences(expression: object) -> Iterator[Any]:
    """Yield every variable object in an expression, or nested lists and arrays of them, in order and with repeats.

    A negated Boolean view yields the variable that it negates.
    """
    if isinstance(expression, NegBoolView):
        yield expression._bv
    elif isinstance(expression, _NumVarImpl):
        yield expression
    elif isinstance(expression, Expression):
        # Weights and the rows of a table contain no variables, and can be many.
        data = {"wsum": 1, "table": 0, "negative_table": 0, "short_table": 0}.get(expression.name)
        yield from occurrences(expression.args if data is None else expression.args[data])
    # Arrays of plain numbers contain no variables and are passed over as a whole.
    elif isinstance(expression, np.ndarray):
        if expression.dtype == object:
            yield from occurrences(list(expression.flat))
    elif isinstance(expression, (list, tuple)):
        for part in expression:
            yield from occurrences(part)


def scope_of(expression: object) -> tuple[str, ...]:
    """Return names of the variables in ``expression``, each once, in order of appearance."""
    return tuple(dict.fromkeys(variable.name for variable in occurrences(expression)))


def grid(names: Sequence[str], domains: Mapping[str, Sequence[int]]) -> NDArray[np.int64]:
    """Return all assignments to ``names``, one a row, in ascending order."""
    columns = combine_rows([((name,), domains[name]) for name in names])
    return np.stack([columns[name] for name in names], axis=1) if names else np.zeros((1, 0), dtype=np.int64)


def evaluate(expression: Any, names: Sequence[str], rows: NDArray[np.int64]) -> list[Any] | None:
    """Return the value of ``expression`` on each row, None where it is undefined; columns are the variables ``names``.

    None altogether if CPMpy cannot evaluate the expression.
    """
    column = {name: k for k, name in enumerate(names)}
    # Variables with equal names may be different objects, and each holds its own value.
    found = {id(variable): variable for variable in occurrences(expression)}.values()
    places = [(variable, column[variable.name], bool if variable.is_bool() else int) for variable in found]
    values = []
    with restored_model([variable for variable, _, _ in places]):
        for row in rows.tolist():
            for variable, k, kind in places:
                variable._value = kind(row[k])
            try:
                value = value_of(expression)
            # CPMpy's value() fails in many ways: constants have none, and lists may differ in length.
            except Exception:
                return None
            values.append(value.item() if isinstance(value, np.generic) else value)
    return values


def value_of(expression: Any) -> Any:
    """Return CPMpy's value of an expression at its variables' present values; None where it is undefined."""
    try:
        return argval(expression)
    except IncompleteFunctionError:
        return None


@contextmanager
def restored_model(variables: Sequence[Any]) -> Iterator[None]:
    """Restore the variables' values on exit: they may be a user's last solution."""
    before = [variable._value for variable in variables]
    try:
        yield
    finally:
        for variable, value in zip(variables, before, strict=True):
            variable._value = value


def broken_constraints(model: cpmpy.Model, assignment: Mapping[str, int]) -> list[str]:
    """Return the constraints of ``model`` that ``assignment`` breaks, as CPMpy prints them; empty for a solution.

    It shares nothing with the lowering of the model, so it finds faults there. The variables' own values are restored.

    Raises:
        UnsupportedError: a constraint of the user's own kind has no value.
    """
    variables = get_variables_model(model)
    with restored_model(variables):
        for variable in variables:
            variable._value = assignment[variable.name]
        outside = [f"{v.name} = {v._value} is outside its domain" for v in variables if not v.lb <= v._value <= v.ub]
        # Conjunctions stay whole, so that a broken one is printed as the user wrote it.
        constraints = toplevel_list(model.constraints, merge_and=False)
        return outside + [str(constraint) for constraint in constraints if not _holds(constraint)]


def _holds(constraint: Any) -> bool:
    """Return CPMpy's value of a constraint; without one, that of its decomposition."""
    try:
        return bool(value_of(constraint))
    except NotImplementedError:
        parts = toplevel_list(constraint.decompose()) if hasattr(constraint, "decompose") else None
        # New variables in the parts have no values in the assignment, so such a decomposition cannot be evaluated.
        if parts is None or set(get_variables(parts)) - set(get_variables(constraint)):
            said = f"constraint '{constraint}' has no value(), which is needed to judge answers"
            raise UnsupportedError(f"{said}: define it in its class") from None
        return all(map(_holds, parts))
