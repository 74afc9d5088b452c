"""From a CPMpy model to ours. CPMpy is imported on first use: it takes a while."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from gatesolve.errors import InputError, UnsupportedError
from gatesolve.model.constraints import Constraint
from gatesolve.model.model import Model, Variable, check_value
from gatesolve.model.objective import Objective, make_objective
from gatesolve.model.terms import Sum, is_partial
from gatesolve.model.trees import Compare

if TYPE_CHECKING:
    import cpmpy

#: Most values a domain may have: every one is listed.
DOMAIN_LIMIT = 2**16


def from_cpmpy(model: cpmpy.Model, table_limit: int = 4096, declared: Sequence[Any] = ()) -> Model:
    """Lower a CPMpy model without adding a variable.

    Linear relations, all-different, disequalities, tables and clauses keep their kind; any other constraint whose scope
    has at most ``table_limit`` assignments becomes a table by evaluation, with CPMpy's meaning of undefined functions.

    Args:
        model: constraints over integer and Boolean variables, and an objective if there is one.
        table_limit: most assignments of a scope that is evaluated.
        declared: further CPMpy variables, which nothing need read.

    Returns:
        The model: variables in order of first appearance, Booleans with domain (0, 1).

    Raises:
        UnsupportedError: a constraint or the objective cannot be lowered; the message names it.
        InputError: not a CPMpy model, or not a constraint.
        InfeasibleError: constant false in a model without variables.
    """
    import cpmpy

    from gatesolve.formats.cpmpy_lower import lower

    if not isinstance(model, cpmpy.Model):
        raise InputError(f"expected a cpmpy.Model, got {type(model).__name__}: give cpmpy.Model(...) of it")
    variables = _variables([model.constraints, model.objective_, list(declared)])
    domains = {v.name: v.domain for v in variables}
    constraints = lower(model.constraints, domains, table_limit)
    objective, known = _objective(model, domains)
    return Model(variables, (*constraints, *known), objective)


def _variables(expressions: list[Any]) -> tuple[Variable, ...]:
    from gatesolve.formats.cpmpy_eval import occurrences

    found: dict[str, Any] = {}
    for variable in occurrences(expressions):
        first = found.setdefault(variable.name, variable)
        if first is not variable:
            both = f"{_kind(first)} and {_kind(variable)}"
            raise InputError(f"two variables are named {variable.name}, {both}: give each its own name")
    return tuple(Variable(name, _domain(variable)) for name, variable in found.items())


def _domain(variable: Any) -> tuple[int, ...]:
    low, high = (int(bound) for bound in variable.get_bounds())
    if high - low >= DOMAIN_LIMIT:
        mend = f"tighten its bounds to at most {DOMAIN_LIMIT} values"
        raise UnsupportedError(f"variable {variable.name} has {high - low + 1} values: {mend}")
    check_value(variable.name, max(-low, high))
    return tuple(range(low, high + 1))


def _kind(variable: Any) -> str:
    low, high = variable.get_bounds()
    return "a Boolean" if variable.is_bool() else f"an integer of {low}..{high}"


def _objective(model: cpmpy.Model, domains: dict[str, tuple[int, ...]]) -> tuple[Objective | None, list[Constraint]]:
    """The objective, and constraints that hold where it has a value."""
    from gatesolve.formats.cpmpy_linear import affine
    from gatesolve.formats.cpmpy_terms import Reader

    if model.objective_ is None:
        return None, []
    sense: Literal["min", "max"] = "min" if model.objective_is_min else "max"
    form = affine(model.objective_, domains)
    if form is not None:
        return Objective(tuple((c, name) for c, name in form.terms if c), form.constant, sense), []
    try:
        term = Reader(domains).term(model.objective_)
    except UnsupportedError as error:
        raise UnsupportedError(f"objective '{str(model.objective_)[:200]}': {error}") from error
    known: list[Constraint] = [Compare(Sum(((0, term),)), "==")] if is_partial(term) else []
    return make_objective(term, sense), known
