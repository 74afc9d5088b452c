"""Bounds of an objective that follow from the domains alone."""

from __future__ import annotations

from gatesolve.model import Model, Objective
from gatesolve.pipelines.task import Task, Values

UNBEATABLE = "no assignment has a better one"


def is_unbeatable(task: Task, solution: Values) -> bool:
    """Whether the domains alone allow no better objective than a solution's."""
    objective = task.model.objective
    if objective is None:
        return False
    return worth(objective, objective.value(solution)) >= worth_range(task.model, objective)[1]


def worth(objective: Objective, value: int) -> int:
    """The objective as something to make large."""
    return value if objective.sense == "max" else -value


def worth_range(model: Model, objective: Objective) -> tuple[int, int]:
    """The smallest and the largest worth that the domains alone allow."""
    low, high = sorted(worth(objective, end) for end in objective.bounds(model.domains))
    return low, high
