"""Oracles that mark the codewords of an energy below a threshold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from gatesolve.encodings import Space
from gatesolve.errors import AncillaBudgetError
from gatesolve.gate_sets import Metric
from gatesolve.model import Level, Model
from gatesolve.oracle import Oracle
from gatesolve.oracle.fourier_oracle import fourier_oracle
from gatesolve.oracle.threshold import counter_oracle
from gatesolve.pipelines.metric import oracle_key
from gatesolve.qubo.cost import Cost


@dataclass(frozen=True)
class ValueChoice:
    """How a value oracle may be made.

    Attributes:
        metric: what oracles are compared by.
        ancillas: the budget; None for as many as help.
        style: ``counter``, ``fourier`` or ``auto``, the cheaper.
        level: how far constraints that must hold are compiled together.
        window: most qubits that minimising looks at together.
    """

    metric: Metric
    ancillas: int | None
    style: Literal["auto", "counter", "fourier"] = "auto"
    level: Level = "merged"
    window: int = 6


def value_oracle(cost: Cost, model: Model, space: Space, threshold: int, choice: ValueChoice) -> Oracle:
    """The oracle of a threshold in the style asked for, or the cheaper one that the ancilla budget allows.

    Raises:
        DoesNotFitError: the ancilla budget is too small, or a constraint too large.
    """
    key = oracle_key(choice.metric)
    found: list[Oracle] = []
    refusal: AncillaBudgetError | None = None
    # Where nothing is left to be added up, phases have nothing to save.
    hard = all(term.weight >= threshold for term in cost.terms)
    if choice.style == "fourier" or (choice.style == "auto" and not hard):
        oracle = fourier_oracle(cost, space, threshold)
        if choice.ancillas is None or oracle.num_ancillas <= choice.ancillas:
            found.append(oracle)
        else:
            used = oracle.num_ancillas
            refusal = AncillaBudgetError(
                f"the oracle needs {used} ancillas, {choice.ancillas} are allowed: use ancillas={used} or more",
                least=used,
            )
    if choice.style != "fourier":
        try:
            terms = [(term.weight, term.constraint) for term in cost.terms]
            limits: dict[str, Any] = {"ancillas": choice.ancillas, "level": choice.level, "window": choice.window}
            found.append(counter_oracle(terms, model, space, threshold, **limits, cost=key))
            if cost.goal is not None:
                goal, number = cost.goal
                found.append(counter_oracle(terms[number:], model, space, threshold, goal=goal, **limits, cost=key))
        except AncillaBudgetError as error:
            refusal = error
    if not found:
        assert refusal is not None
        raise refusal
    return min(found, key=key)
