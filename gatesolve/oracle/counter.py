"""The oracle of a threshold on what broken constraints cost: some must hold, the others are counted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache

from gatesolve.encodings.space import Space
from gatesolve.model import Constraint, Model
from gatesolve.oracle.assemble import Oracle, assemble
from gatesolve.oracle.condition import Condition
from gatesolve.oracle.levels import literal_conditions, minimised_conditions
from gatesolve.oracle.synthesise import synthesise
from gatesolve.oracle.threshold import threshold_condition

Weighted = tuple[int, Constraint]
"""A weight, a whole number of at least 1, that is paid where the constraint is broken."""


def counter_oracle(
    terms: Sequence[Weighted],
    model: Model,
    space: Space,
    threshold: int,
    *,
    ancillas: int | None = None,
    window: int | None = 6,
    cost: Callable[[Oracle], tuple[float, float]] | None = None,
) -> Oracle:
    """Mark the codewords on which less than ``threshold`` is paid, by counting flags of broken constraints.

    A constraint whose weight alone reaches the threshold must hold: it joins the final conjunction as in a plain
    search. The others are computed onto flags, whose weights carry-save adders add up; see
    `gatesolve.oracle.threshold`. Ancillas start and end at zero.

    Args:
        terms: what is paid for what.
        model: its variables are those of the space; its constraints are not looked at.
        space: the search space.
        threshold: what is too much.
        ancillas: most clean ancillas to use; None for as many as help.
        window: qubits that the constraints that must hold are minimised in together; None for each alone.
        cost: what schedules are compared by; CX when None.

    Raises:
        AncillaBudgetError: no schedule stays within ``ancillas``.
        DoesNotFitError: a constraint is too large to compile.
    """
    rules = Model(model.variables, tuple(constraint for weight, constraint in terms if weight >= threshold))
    soft = [(weight, _alone(constraint, space)) for weight, constraint in terms if weight < threshold]
    conditions = [*_add_together(rules, space, window), threshold_condition(soft, threshold)]
    oracle = assemble(conditions, space.num_qubits, ancillas, alone=window is None, cost=cost)
    return replace(oracle, style="counter")


# A search asks for many thresholds over the same constraints, so both are kept.
@lru_cache(maxsize=16)
def _add_together(rules: Model, space: Space, window: int | None) -> list[Condition]:
    """Conditions of the constraints that must hold."""
    return literal_conditions(rules, space) if window is None else minimised_conditions(rules, space, window)


@lru_cache(maxsize=4096)
def _alone(constraint: Constraint, space: Space) -> Condition:
    """The condition of a constraint that is counted."""
    return synthesise(constraint, space)
