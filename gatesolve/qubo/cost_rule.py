"""The rule that prices the assignments of a problem: broken constraints, an objective, penalties or a Qubo."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from gatesolve.encodings import Space, unenforced_constraints
from gatesolve.model import Level, Model
from gatesolve.model.terms import add_terms
from gatesolve.qubo.build import formulate_model
from gatesolve.qubo.cost import Cost, SoftConstraint, check_range
from gatesolve.qubo.numerals import as_written
from gatesolve.qubo.qubo import Qubo
from gatesolve.qubo.scaling import qubo_cost, split_objective


@dataclass(frozen=True)
class Pricing:
    """The cost of a space's codewords.

    Attributes:
        cost: the cost to minimise.
        start: the highest cost of a codeword that breaks no constraint; None where costs do not separate these.
        floor: a proven lower bound of all costs: the cost of solutions where penalties have one, else 0.
    """

    cost: Cost
    start: int | None
    floor: int


@dataclass(frozen=True)
class CostRule:
    """The rule of one problem, for any of its spaces.

    Attributes:
        qubo: the user's own energy, which replaces an objective.
        scale: the model's objective is this many times the user's.
        energy_from: broken constraints are counted, or enter as the penalties of the model's Qubo.
        penalty: weight of a broken constraint in the user's units; None for one that is proven to suffice.
    """

    qubo: Qubo | None = None
    scale: int = 1
    energy_from: Literal["violations", "penalties"] = "violations"
    penalty: float | None = None

    def price(self, model: Model, space: Space, level: Level) -> Pricing:
        """Price broken constraints, or the objective with the same weight for each broken constraint.

        Only constraints that the space does not enforce count, merged as the level prescribes.

        Raises:
            DoesNotFitError: the costs span 2^62 or more.
        """
        if self.energy_from == "penalties" and self.qubo is None:
            made = formulate_model(model, space, penalties=self.penalty, codewords_only=True)
            cost = qubo_cost(made.qubo, space)
            if model.objective is not None:
                return Pricing(cost, None, 0)
            # Without an objective no state can be below the Qubo's ground.
            lowest = math.floor((as_written(made.ground) - cost.base - cost.error) / cost.unit)
            return Pricing(cost, None, max(0, lowest))
        rules = unenforced_constraints(model, space, level)
        goal = self._price_goal(model, space)
        if goal is None:
            return Pricing(Cost(tuple(SoftConstraint(1, rule) for rule in rules)), 0, 0)
        # One more than the whole range of the objective: no assignment that breaks a constraint is as good as one
        # that breaks none. A weight of the user's may be smaller, and then no start is known.
        weight = goal.most + 1
        if self.penalty is not None:
            weight = max(1, math.ceil(Fraction(str(self.penalty)) * self.scale / goal.unit))
        check_range(goal.most + len(rules) * weight)
        cost = replace(goal, terms=(*goal.terms, *(SoftConstraint(weight, rule) for rule in rules)))
        return Pricing(cost, goal.most if rules and weight > goal.most else None, 0)

    def _price_goal(self, model: Model, space: Space) -> Cost | None:
        """Return the Qubo or the objective as a cost; None where there is neither."""
        if self.qubo is not None:
            return qubo_cost(self.qubo, space)
        objective = model.objective
        if objective is None:
            return None
        # Costs count in units of the common divisor, which keeps the value register short.
        unit = math.gcd(*(c for c, _ in (*objective.terms, *objective.parts))) or 1
        low, high = objective.bounds(model.domains)
        check_range((high - low) // unit)
        terms = tuple((c // unit, name) for c, name in objective.terms)
        parts = tuple((c // unit, part) for c, part in objective.parts)
        whole = replace(objective, terms=terms, constant=0, parts=parts)
        found, base = split_objective(replace(model, objective=whole))
        sign = 1 if objective.sense == "min" else -1
        term = add_terms([(sign, whole.term)], -base)
        return Cost(found, Fraction(base * unit + sign * objective.constant), Fraction(unit), goal=(term, len(found)))
