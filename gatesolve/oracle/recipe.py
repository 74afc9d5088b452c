"""Recipes: values that name what a pipeline needs built on a space. `gatesolve.planning` builds and prices them."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar, Literal, Self

from gatesolve.encodings import Space
from gatesolve.errors import AncillaBudgetError, DoesNotFitError, InfeasibleError
from gatesolve.gate_sets import GATE_SETS, GateSet, Metric
from gatesolve.model import Level, Model
from gatesolve.oracle.assemble import Oracle, OraclePrice, assemble, choose_lowered
from gatesolve.oracle.classical import classical_oracle
from gatesolve.oracle.fourier_oracle import fourier_oracle
from gatesolve.oracle.levels import conditions_at, find_level
from gatesolve.oracle.threshold import ValueChoice, counter_oracle
from gatesolve.qubo.cost import Cost
from gatesolve.qubo.cost_rule import CostRule

ENUMERATION_LIMIT = 4096
"""Most solutions the classical oracle marks."""
LOWER_BOUND = " (a lower bound)"
"""Follows a limit that another threshold, or a circuit of QAOA, may exceed."""
HOPELESS = 1.25
"""Multiple of the counter's CX above which no changes of basis are searched for: they saved at most 14 % of 198
oracles."""
FoundLevel = tuple[Level, tuple[str, ...]]
"""A level, with notes on what takes it beyond the one asked for."""


def value_oracle(cost: Cost, model: Model, space: Space, threshold: int, choice: ValueChoice) -> Oracle:
    """Return the oracle of a threshold in the style asked for, or the cheaper one that the ancilla budget allows.

    Raises:
        DoesNotFitError: the ancilla budget is too small, or a constraint too large.
    """
    key, space = OraclePrice(choice.metric), space.apart
    found: list[Oracle] = []
    refusals: list[AncillaBudgetError] = []
    if choice.style != "fourier":
        paid = tuple((one.weight, one.constraint) for one in cost.terms)
        try:
            found.append(counter_oracle(paid, model, space, threshold, choice, cost.goal))
        except AncillaBudgetError as error:
            refusals.append(error)
    # If no sum has to be compared, phases save nothing.
    hard = all(term.weight >= threshold for term in cost.terms)
    if choice.style == "fourier" or (choice.style == "auto" and not hard):
        most = HOPELESS * found[0].cx if found and choice.metric == "cx" else math.inf
        oracle = fourier_oracle(cost, space, threshold, most)
        if choice.ancillas is None or oracle.num_ancillas <= choice.ancillas:
            found.insert(0, oracle)
        else:
            used = oracle.num_ancillas
            said = f"the oracle needs {used} ancillas, {choice.ancillas} are allowed: use ancillas={used} or more"
            refusals.append(AncillaBudgetError(said, least=used))
    if not found:
        easiest = min(refusals, key=lambda error: error.least)
        raise AncillaBudgetError(f"{easiest}{LOWER_BOUND}", least=easiest.least)
    return min(found, key=key)


class Recipe(ABC):
    """The oracle that a pipeline needs, whatever the space; all of it is data.

    ``takes_permutations`` says whether ``auto`` may choose permutation blocks. ``bound`` follows a limit in messages,
    where circuits other than the one built may exceed it.
    """

    takes_permutations: ClassVar[bool] = True
    bound: ClassVar[str] = ""

    def settle(self, model: Model) -> Self:
        """Return the recipe for a presolved model, with everything worked out that is the same on all its spaces.

        Raises:
            DoesNotFitError: the model is too large for such an oracle.
            InfeasibleError: it has no solution.
        """
        return self

    @abstractmethod
    def build(self, model: Model, space: Space, ancillas: int | None) -> Oracle:
        """Build the oracle on a space within a budget of ancillas; None for as many as help.

        Raises:
            AncillaBudgetError: the budget is too small.
            DoesNotFitError: a constraint is too large to compile.
        """

    @abstractmethod
    def find_level(self, model: Model, space: Space, oracle: Oracle) -> FoundLevel:
        """Return the level of an oracle that `build` made, with notes on what takes it beyond the one asked for."""

    def choose_form(self, oracle: Oracle) -> Oracle:
        """Return the form of the oracle that was chosen which is cheapest once lowered."""
        return oracle


@dataclass(frozen=True, kw_only=True)
class PhaseRecipe(Recipe):
    """A phase on every solution: what plain Grover search asks for.

    Attributes:
        style: ``constraints`` computes every constraint, ``classical`` marks the solutions found by the solver.
        level: how far constraints are compiled together.
        window: most qubits that minimising looks at together.
        measured: whether ANDs are erased by measurement.
        solutions: of the model, for the style ``classical``.
    """

    style: Literal["constraints", "classical"] = "constraints"
    level: Level = "merged"
    window: int = 6
    metric: Metric = "cx"
    gates: GateSet = "cx+u"
    measured: bool = False
    solutions: tuple[dict[str, int], ...] = ()

    def settle(self, model: Model) -> Self:
        """Return the recipe with the model's solutions, where they are marked one by one."""
        if self.style != "classical":
            return self
        from gatesolve.model.reference import find_solutions

        found = find_solutions(model, limit=ENUMERATION_LIMIT + 1)
        if not found:
            raise InfeasibleError("the reference solver proved that there is no solution")
        if len(found) > ENUMERATION_LIMIT:
            mend = "use oracle='constraints'"
            raise DoesNotFitError(f"more than {ENUMERATION_LIMIT} solutions to mark one by one: {mend}")
        return replace(self, solutions=tuple(found))

    def build(self, model: Model, space: Space, ancillas: int | None) -> Oracle:
        """Build the oracle in the style asked for."""
        if self.style == "classical":
            if space.apart is not space:
                raise DoesNotFitError("encoding 'permutation' has no classical oracle: use oracle='constraints'")
            numbers = [space.number(solution) for solution in self.solutions]
            return classical_oracle([n for n in numbers if n is not None], space, ancillas)
        conditions, alone = conditions_at(self.level, model, space, self.window), self.level == "literal"
        make = partial(
            assemble,
            conditions,
            space.num_qubits,
            alone=alone,
            price=OraclePrice(self.metric, self.gates),
            with_alternative=self.measured or self.metric in {"cx", "t"},
            # ANDs that are measured away or written as one Toffoli gate stay apart.
            absorbing=not (self.measured or GATE_SETS[self.gates].has_toffoli),
        )
        if self.metric != "qubits" or ancillas is not None:
            return make(ancillas)
        try:
            # Without a spare qubit a multi-controlled gate has no exact Clifford+T or Toffoli circuit.
            return make(0 if GATE_SETS[self.gates].has_rotations else 1)
        except AncillaBudgetError as error:
            return make(error.least)

    def find_level(self, model: Model, space: Space, oracle: Oracle) -> FoundLevel:
        """Return the level of the oracle's conditions and of the space's blocks."""
        asked = "classical" if self.style == "classical" else self.level
        return find_level(asked, model, space, oracle.conditions, self.window)

    def choose_form(self, oracle: Oracle) -> Oracle:
        """Return the form that is cheapest by the metric, with measurement if that is allowed."""
        return choose_lowered(oracle, OraclePrice(self.metric, self.gates, self.measured))


@dataclass(frozen=True, kw_only=True)
class ValueRecipe(Recipe):
    """A phase on every codeword of an energy below a threshold: what Grover Adaptive Search asks for.

    The rule prices assignments. Spaces are compared by the oracle whose threshold just lets no constraint be broken.
    """

    bound: ClassVar[str] = LOWER_BOUND
    rule: CostRule
    choice: ValueChoice

    def build(self, model: Model, space: Space, ancillas: int | None) -> Oracle:
        """Build the oracle at the weight of the heaviest term."""
        cost = self.rule.price(model, space, self.choice.level).cost
        heaviest = max((term.weight for term in cost.terms), default=1)
        return value_oracle(cost, model, space, heaviest, replace(self.choice, ancillas=ancillas))

    def find_level(self, model: Model, space: Space, oracle: Oracle) -> FoundLevel:
        """Return the level of an oracle, whatever its threshold."""
        return find_level(self.choice.level, model, space, oracle.conditions, self.choice.window)


@dataclass(frozen=True, kw_only=True)
class CostRecipe(ValueRecipe):
    """A phase in proportion to the cost: what QAOA asks for; spaces are compared as for a `ValueRecipe`.

    A layer has no iterations that fewer codewords save, and the mixer of a permutation block is dear.
    """

    takes_permutations: ClassVar[bool] = False

    def find_level(self, model: Model, space: Space, oracle: Oracle) -> FoundLevel:
        """Return the level of the blocks and of the constraints that are weighed."""
        return find_level("merged", model, space)
