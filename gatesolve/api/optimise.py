"""Optimising by thresholds: ask for something better until it is proven that nothing is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from gatesolve.api.problem import Problem
from gatesolve.api.result import Result, number
from gatesolve.errors import DoesNotFitError
from gatesolve.model import Linear, Model, Objective
from gatesolve.qubo.cost import check_range

UNBEATABLE = "no assignment has a better one"


def best(problem: Problem, solve: Callable[[Problem], Result]) -> Result:
    """The best solution, with what is known of there being no better one in its message.

    The threshold search of Durr and Hoyer (quant-ph/9607014), each threshold a constraint of the oracle.
    A threshold whose space does not fit is passed over for higher ones: they leave presolve more to do.

    Args:
        problem: a problem with an objective.
        solve: solves a problem as one of feasibility.

    Raises:
        DoesNotFitError: no threshold at all fits, or the objective is beyond machine words.
    """
    objective = problem.model.objective
    assert objective is not None
    domains = problem.model.domains
    check_range(sum(abs(c) * max(map(abs, domains[name])) for c, name in objective.terms))
    low, high = _worst(problem.model, objective) - 1, _ceiling(problem.model, objective)
    found: Result | None = None
    refused: int | None = None
    refusal: DoesNotFitError | None = None
    end: Result | None = None
    while (ask := _next(low, high, refused)) is not None:
        try:
            result = solve(_at_least(problem, objective, ask))
        except DoesNotFitError as error:
            refusal, refused = error, ask
            continue
        if result.status == "solved":
            assert result.solution is not None
            found = replace(result, problem=problem, energy=problem.energy(result.solution))
            low, refused = _worth(objective, objective.value(result.solution)), None
        else:
            high, end = ask - 1, result
    if found is None:
        if refusal is not None:
            raise refusal
        assert end is not None
        return replace(end, problem=problem)
    return replace(found, message=_message(found, end, refusal if refused is not None else None))


def unbeatable(problem: Problem, solution: Mapping[str, int]) -> bool:
    """Whether the domains alone allow no better objective than a solution's."""
    objective = problem.model.objective
    return objective is not None and _worth(objective, objective.value(solution)) >= _ceiling(problem.model, objective)


def _next(low: int, high: int, refused: int | None) -> int | None:
    """The threshold to try: the next one up, or halfway to the ceiling above one that did not fit."""
    start = low if refused is None else refused
    if start >= high:
        return None
    return low + 1 if refused is None else start + (high - start + 1) // 2


def _message(found: Result, end: Result | None, refusal: DoesNotFitError | None) -> str:
    assert found.energy is not None
    text = f"{found.problem.aim} {number(found.energy)}"
    if refusal is not None:
        return f"{text}: whether there is a better one is not known ({refusal})"
    if end is None:
        return f"{text}: nothing better exists ({UNBEATABLE})"
    if end.status == "infeasible":
        return f"{text}: nothing better exists ({end.message})"
    return f"{text}: nothing better was found ({end.message})"


def _worth(objective: Objective, value: int) -> int:
    """The objective as something to make large."""
    return value if objective.sense == "max" else -value


def _at_least(problem: Problem, objective: Objective, worth: int) -> Problem:
    """The problem of finding a solution worth at least ``worth``."""
    if worth <= _worst(problem.model, objective):
        return problem
    sign = -1 if objective.sense == "max" else 1
    terms = tuple((sign * c, name) for c, name in objective.terms)
    bound = Linear(terms, "<=", -worth - sign * objective.constant)
    model = Model(problem.model.variables, (*problem.model.constraints, bound), objective)
    return replace(problem, model=model)


def _worst(model: Model, objective: Objective) -> int:
    return -_extreme(model, objective, -1)


def _ceiling(model: Model, objective: Objective) -> int:
    return _extreme(model, objective, 1)


def _extreme(model: Model, objective: Objective, direction: int) -> int:
    """The largest worth times ``direction`` that the domains alone allow."""
    sign = direction if objective.sense == "max" else -direction
    ends = (max(sign * c * v for v in model.domains[name]) for c, name in objective.terms)
    return sum(ends) + sign * objective.constant
