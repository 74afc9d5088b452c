"""Optimising by thresholds: ask for something better until it is proven that nothing is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gatesolve.errors import DoesNotFitError
from gatesolve.formats.problem import Problem, Values
from gatesolve.model import Constraint, Linear, Model, Objective
from gatesolve.model.terms import add_terms
from gatesolve.model.trees import compare
from gatesolve.pipelines.answer import Answer, as_number
from gatesolve.planning import TooLarge
from gatesolve.qubo.cost import check_range

UNBEATABLE = "no assignment has a better one"


def find_best(problem: Problem, solve: Callable[[Problem], Answer | TooLarge]) -> Answer | TooLarge:
    """Find the best solution, or return the last refusal; its message states what is known of a better one.

    The threshold search of Durr and Hoyer (quant-ph/9607014), each threshold a constraint of the oracle. A threshold
    whose space or circuit does not fit is passed over for higher ones: they leave presolve more to do.

    Raises:
        DoesNotFitError: the objective is beyond machine words.
    """
    model, objective = problem.model, problem.model.objective
    assert objective is not None
    least, high = worth_range(model, objective)
    check_range(max(abs(least), abs(high)))
    low = least - 1
    found: Answer | None = None
    refused: int | None = None
    refusal: TooLarge | None = None
    end: Answer | None = None
    while (ask := _next_threshold(low, high, refused)) is not None:
        task = problem if ask == least else problem.narrow(at_least(model, objective, ask), "bounded")
        try:
            answer = solve(task)
        except DoesNotFitError as error:
            answer = TooLarge.of(error)
        if isinstance(answer, TooLarge):
            refusal, refused = answer, ask
            continue
        if answer.status == "solved":
            assert answer.solution is not None
            found = replace(answer, exact_energy=problem.energy(answer.solution))
            low, refused = worth(objective, objective.value(answer.solution)), None
        else:
            high, end = ask - 1, answer
    if found is None:
        outcome = refusal or end
        assert outcome is not None
        return outcome
    left = refusal if refused is not None else None
    proven = left is None and (end is None or end.status == "infeasible")
    return replace(found, message=_message(problem, found, end, left), optimal=proven)


def _next_threshold(low: int, high: int, refused: int | None) -> int | None:
    # The next one up, or halfway to the ceiling above one that did not fit.
    start = low if refused is None else refused
    if start >= high:
        return None
    return low + 1 if refused is None else start + (high - start + 1) // 2


def _message(problem: Problem, found: Answer, end: Answer | None, refusal: TooLarge | None) -> str:
    assert found.exact_energy is not None
    text = f"{problem.goal_name} {as_number(found.exact_energy)}"
    if refusal is not None:
        return f"{text}: whether there is a better one is not known ({refusal.message})"
    if end is None:
        return f"{text}: nothing better exists ({UNBEATABLE})"
    if end.status == "infeasible":
        return f"{text}: nothing better exists; for a better {problem.goal_name}: {end.message}"
    return f"{text}: nothing better was found ({end.message})"


def at_least(model: Model, objective: Objective, wanted: int) -> Model:
    """Return the model with the constraint that its objective is worth at least ``wanted``."""
    # Written as a sum with an upper bound.
    terms = tuple((-worth(objective, c), name) for c, name in objective.terms)
    bound: Constraint = Linear(terms, "<=", worth(objective, objective.constant) - wanted)
    if objective.parts:
        bound = compare(add_terms([(-worth(objective, 1), objective.term)], wanted), "<=", model.domains)
    return Model(model.variables, (*model.constraints, bound), objective)


def is_unbeatable(problem: Problem, solution: Values) -> bool:
    """Whether the domains alone allow no better objective than a solution's."""
    objective = problem.model.objective
    if objective is None:
        return False
    return worth(objective, objective.value(solution)) >= worth_range(problem.model, objective)[1]


def worth(objective: Objective, value: int) -> int:
    """Return an objective's value with the sign by which more is better."""
    return value if objective.sense == "max" else -value


def worth_range(model: Model, objective: Objective) -> tuple[int, int]:
    """Return the smallest and the largest worth that the domains alone allow."""
    low, high = sorted(worth(objective, end) for end in objective.bounds(model.domains))
    return low, high
