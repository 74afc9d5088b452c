"""The presolve settings: which passes run, and in what order."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, get_args

from gatesolve.errors import InfeasibleError, InputError
from gatesolve.model.model import Model
from gatesolve.model.presolve.eliminate import eliminate, find_determined, refresh
from gatesolve.model.presolve.propagate import propagate
from gatesolve.model.presolve.recovery import Fixed, Recovery

PresolveSetting = Literal["none", "propagate", "affine"]


def presolve(model: Model, setting: PresolveSetting) -> tuple[Model, Recovery]:
    """Make a model smaller without losing or adding a solution.

    Args:
        model: any model.
        setting: ``none`` leaves it alone; ``propagate`` filters domains to generalised arc consistency, matches
            exactly-one sums with each other, and removes fixed variables; ``affine`` also eliminates variables that
            constraints determine.

    Returns:
        The smaller model, without variables when presolve solves it, and the way back. Solutions correspond one to one.

    Raises:
        InfeasibleError: the model was proven to have no solution, with the setting that did.
        InputError: an unknown setting.
    """
    if setting not in get_args(PresolveSetting):
        raise InputError(f"unknown presolve setting '{setting}': use one of {', '.join(get_args(PresolveSetting))}")
    if setting == "none":
        return model, Recovery(tuple(model.domains))
    try:
        return propagate(model) if setting == "propagate" else _eliminate_all(model)
    except InfeasibleError as error:
        error.presolve = setting
        raise


def drop_unread(model: Model) -> tuple[Model, Recovery]:
    """The model without variables that nothing reads, each of which gets its lowest value."""
    dropped = {variable.name: Fixed(variable.name, variable.domain[0]) for variable in model.unread}
    kept = tuple(variable for variable in model.variables if variable.name not in dropped)
    return replace(model, variables=kept), Recovery(tuple(model.domains), tuple(dropped.values()))


def _eliminate_all(model: Model) -> tuple[Model, Recovery]:
    """Rounds of elimination and propagation; wider relations only in rounds without a two-variable one."""
    model, recovery = propagate(model)
    while (found := _round(model, 1) or _round(model, None)) is not None:
        smaller, steps = found
        model, fixed = propagate(smaller)
        recovery = recovery.then(steps).then(fixed)
    return model, recovery


def _round(model: Model, most_inputs: int | None) -> tuple[Model, Recovery] | None:
    """Each variable that can be eliminated, in turn, best first; None when there is none."""
    recovery = Recovery(tuple(model.domains))
    for candidate in find_determined(model, most_inputs):
        # an elimination before this one may have taken a variable or added constraints to the scope
        current = refresh(candidate, model) if recovery.steps else candidate
        found = None if current is None else eliminate(model, current)
        if found is not None:
            model, step = found
            recovery = recovery.then(step)
    return (model, recovery) if recovery.steps else None
