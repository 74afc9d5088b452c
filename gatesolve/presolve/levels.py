"""The presolve levels: which passes run, and in what order."""

from __future__ import annotations

from typing import Literal, get_args

from gatesolve.errors import InputError
from gatesolve.model import Model
from gatesolve.presolve.determined import determined
from gatesolve.presolve.eliminate import eliminate
from gatesolve.presolve.propagate import propagate
from gatesolve.presolve.recovery import Recovery

Level = Literal["none", "propagate", "affine"]


def presolve(model: Model, level: Level) -> tuple[Model, Recovery]:
    """Make a model smaller without losing or adding a solution.

    Args:
        model: any model.
        level: ``none`` leaves it alone; ``propagate`` filters domains to generalised arc
            consistency and removes fixed variables; ``affine`` also eliminates variables
            that constraints determine.

    Returns:
        The smaller model (with no variables when presolve solves it) and the recovery of
        all original variables. Solutions correspond one to one.

    Raises:
        InfeasibleError: the model was proven to have no solution.
        InputError: an unknown level.
    """
    if level == "none":
        return model, Recovery(tuple(model.domains))
    if level == "propagate":
        return propagate(model)
    if level == "affine":
        return _affine(model)
    raise InputError(f"unknown presolve level '{level}': use one of {', '.join(get_args(Level))}")


def _affine(model: Model) -> tuple[Model, Recovery]:
    """Two-variable relations until none is left, then one wider relation at a time, propagating after each."""
    model, recovery = propagate(model)
    while (found := _eliminated(model, 1) or _eliminated(model, None)) is not None:
        smaller, step = found
        model, fixed = propagate(smaller)
        recovery = recovery.then(step).then(fixed)
    return model, recovery


def _eliminated(model: Model, most_inputs: int | None) -> tuple[Model, Recovery] | None:
    """One variable eliminated, the best that can be."""
    attempts = (eliminate(model, candidate) for candidate in determined(model, most_inputs))
    return next((found for found in attempts if found is not None), None)
