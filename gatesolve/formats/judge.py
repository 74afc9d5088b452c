"""Judging an assignment by the CPMpy model the user wrote, with CPMpy's own evaluation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from gatesolve.errors import UnsupportedError

if TYPE_CHECKING:
    import cpmpy


def broken_constraints(model: cpmpy.Model, assignment: Mapping[str, int]) -> list[str]:
    """The constraints of ``model`` that ``assignment`` breaks, in CPMpy's words; empty when it is a solution.

    Shares nothing with the lowering of the model, so it would find a fault there. The variables' own values are left as
    they were.
    """
    from cpmpy.transformations.get_variables import get_variables_model
    from cpmpy.transformations.normalize import toplevel_list

    from gatesolve.formats.cpmpy_eval import restored_model

    variables = get_variables_model(model)
    with restored_model(variables):
        for variable in variables:
            variable._value = assignment[variable.name]
        outside = [f"{v.name} = {v._value} is outside its domain" for v in variables if not v.lb <= v._value <= v.ub]
        constraints = toplevel_list(model.constraints, merge_and=False)
        return outside + [str(constraint) for constraint in constraints if not _holds(constraint)]


def _holds(constraint: Any) -> bool:
    """CPMpy's value of a constraint; of a kind of the user's own without one, that of what it decomposes into."""
    from cpmpy.transformations.get_variables import get_variables
    from cpmpy.transformations.normalize import toplevel_list

    from gatesolve.formats.cpmpy_eval import value_of

    try:
        return bool(value_of(constraint))
    except NotImplementedError:
        parts = toplevel_list(constraint.decompose()) if hasattr(constraint, "decompose") else None
        if parts is None or set(get_variables(parts)) - set(get_variables(constraint)):
            said = f"constraint '{constraint}' has a kind without value(), by which answers are judged"
            raise UnsupportedError(f"{said}: define it in its class") from None
        return all(map(_holds, parts))
