"""What the domains alone say of an objective."""

from __future__ import annotations

from gatesolve.model import Model, Objective
from gatesolve.pipelines.task import Task, Values

UNBEATABLE = "no assignment has a better one"


def is_unbeatable(task: Task, solution: Values) -> bool:
    """Whether the domains alone allow no better objective than a solution's."""
    objective = task.model.objective
    if objective is None:
        return False
    return worth(objective, objective.value(solution)) >= most_worth(task.model, objective)


def worth(objective: Objective, value: int) -> int:
    """The objective as something to make large."""
    return value if objective.sense == "max" else -value


def least_worth(model: Model, objective: Objective) -> int:
    """The smallest worth that the domains alone allow."""
    return -_extreme(model, objective, -1)


def most_worth(model: Model, objective: Objective) -> int:
    """The largest worth that the domains alone allow."""
    return _extreme(model, objective, 1)


def _extreme(model: Model, objective: Objective, direction: int) -> int:
    """The largest worth times ``direction`` that the domains alone allow."""
    sign = direction if objective.sense == "max" else -direction
    ends = (max(sign * c * v for v in model.domains[name]) for c, name in objective.terms)
    return sum(ends) + sign * objective.constant
