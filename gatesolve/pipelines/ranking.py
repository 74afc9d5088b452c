"""A space whose codewords are ranked by an energy: what Grover Adaptive Search and QAOA minimise.

How many codewords have which energy is what the best energy that a device measured is held against.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from functools import partial

import numpy as np
from numpy.typing import NDArray

from gatesolve.encodings import Space, unenforced_constraints
from gatesolve.errors import DoesNotFitError, InputError
from gatesolve.model import Level, Model
from gatesolve.model.content import content_key
from gatesolve.model.terms import add_terms
from gatesolve.oracle import Oracle
from gatesolve.pipelines.clock import Clock
from gatesolve.pipelines.options import SPACE_LIMIT, EnergyOptions, refuse_idle
from gatesolve.pipelines.task import Choose, Encoded, FindLevel, SolutionCount, Task
from gatesolve.pipelines.value_oracle import ValueChoice, value_oracle
from gatesolve.qubo.build import formulate_model
from gatesolve.qubo.cost import Cost, SoftConstraint, check_range, tabulate_costs
from gatesolve.qubo.numerals import as_written
from gatesolve.qubo.scaling import qubo_cost, split_objective

KEPT = 1_000
"""Most different energies kept in a record, the best ones."""


@dataclass(frozen=True)
class RankedSpace:
    """A problem's space with the cost of every codeword.

    Attributes:
        problem: what was handed in.
        found: its presolved model and space.
        cost: what is minimised.
        costs: of every codeword, in codeword order.
        counts_violations: whether the energy is penalties of broken constraints and no Qubo's.
        start: the highest cost of a codeword that breaks no constraint; None where costs do not tell.
        floor: a cost that is proven to be the lowest if there is a codeword of it: that of solutions where penalties
            have one, else 0.
    """

    problem: Task
    found: Encoded
    cost: Cost
    costs: NDArray[np.int64]
    counts_violations: bool
    start: int | None = None
    floor: int = 0

    @property
    def space(self) -> Space:
        """The search space."""
        return self.found.space

    @property
    def lowest(self) -> int:
        """The lowest cost there is; only certificates and exports look at it, never the search."""
        return int(self.costs.min())

    @property
    def counted(self) -> SolutionCount | None:
        """How many solutions there are; None where something is minimised, or costs do not tell solutions apart."""
        if self.start is None:
            return None
        numbers = np.flatnonzero(self.costs <= self.start)
        return self.problem.count_solutions(self.space, numbers, self.found.recovery.recover)

    @property
    def name(self) -> str:
        """The name of the energy."""
        if not self.counts_violations:
            return "energy"
        if self.problem.goal is None:
            return "broken constraints"
        return "energy" if self.problem.qubo is not None and self.start is None else "objective"

    @property
    def margin(self) -> str:
        """By how much energies must differ for costs to tell them apart, to be put after ``better`` or ``lower``."""
        if not self.cost.error:
            return ""
        # A cost is up to the error too high, another one up to it too low.
        above = Context(prec=2, rounding=ROUND_CEILING).divide(*map(Decimal, (2 * self.cost.error).as_integer_ratio()))
        return f" by more than {above.normalize():g}"

    def allowed(self, cost: int | None) -> bool:
        """Whether a codeword of this cost breaks no constraint."""
        return cost is not None and (self.start is None or cost <= self.start)

    def keeps_rules(self) -> NDArray[np.bool_]:
        """For each codeword whether it breaks no constraint, worked out classically."""
        rules = unenforced_constraints(self.found.model, self.space)
        return np.equal(tabulate_costs(Cost(tuple(SoftConstraint(1, rule) for rule in rules)), self.space), 0)

    def stated_energy(self, cost: int | None, energy: Fraction) -> Fraction | None:
        """A codeword's energy as the problem states it: an objective only where no constraint is broken."""
        if self.problem.goal is not None and not self.allowed(cost):
            return None
        return self.problem.restore_energy(energy)

    def energy(self, number: int) -> Fraction:
        """The true energy of a codeword, whatever the rounding of the costs."""
        cost = int(self.costs[number])
        if self.problem.qubo is None or not self.allowed(cost):
            return self.cost.energy(cost)
        values = self.space.assignment(number)
        return self.problem.qubo.exact_energy([values[name] for name in self.problem.qubo.names])


def check_energy(task: Task, options: EnergyOptions) -> None:
    """Refuse what would change no energy; raises as `refuse_idle`."""
    if task.qubo is not None:
        refuse_idle(options, "a Qubo is taken as it is", "energy_from")
    if not task.model.constraints:
        refuse_idle(options, "there is no constraint to weigh", "penalty")
    elif task.goal is None and options.energy_from == "violations":
        refuse_idle(options, "constraints are only counted, unless energy_from='penalties' weighs them", "penalty")


def rank_space(
    task: Task, energy: EnergyOptions, oracle: ValueChoice, level_of: FindLevel, choose: Choose, clock: Clock
) -> RankedSpace:
    """Presolve and encode a problem, and work out the cost of every codeword.

    ``oracle`` says of what kind the oracles are that spaces are compared by, ``level_of`` of what level one is.

    Raises:
        InfeasibleError: presolve proves that there is no solution.
        DoesNotFitError: the space or the oracle is too large; the message says what would fit.
    """
    if task.qubo is not None and not task.model.constraints and task.model.num_assignments > SPACE_LIMIT:
        raise DoesNotFitError(
            f"does not fit: {len(task.model.variables)} variables; the energies of up to 2^24 states are simulated, "
            "those of 24 variables of two values: use pipeline='anneal', or fewer variables"
        )
    found = choose(task.model, lambda model: partial(_make_oracle, task, energy, oracle, model), level_of, True)
    clock.tell(found)
    cost, start, floor = price_problem(task, found.model, found.space, energy, oracle.level)
    with clock.stage("costs") as report:
        costs = tabulate_costs(cost, found.space, report)
    return RankedSpace(task, found, cost, costs, energy.energy_from == "violations", start, floor)


def fingerprint(ranked: RankedSpace, backend: str) -> str:
    """Hash of the cost, the space and the backend: what must be the same for a search to be continued."""
    return content_key(ranked.cost, ranked.space, backend)


def _make_oracle(
    task: Task, energy: EnergyOptions, choice: ValueChoice, model: Model, space: Space, ancillas: int | None
) -> Oracle:
    """Return the oracle by which spaces are compared: the one that just lets no constraint be broken."""
    cost, _, _ = price_problem(task, model, space, energy, choice.level)
    heaviest = max((term.weight for term in cost.terms), default=1)
    return value_oracle(cost, model, space, heaviest, replace(choice, ancillas=ancillas))


def price_problem(
    task: Task, model: Model, space: Space, options: EnergyOptions, level: Level
) -> tuple[Cost, int | None, int]:
    """Price the search's energy: broken constraints, or the objective with a weight for each of them.

    Every constraint that the space does not enforce, merged as the level has it, costs the same: with nothing to be
    made small 1, else one more than the whole range of that, so that no assignment that breaks a constraint is as good
    as one that does not.

    Returns:
        The cost, and ``start`` and ``floor`` of `RankedSpace`.
    """
    if options.energy_from == "penalties" and task.qubo is None:
        return _penalties(task, model, space, options)
    rules = unenforced_constraints(model, space, level)
    goal = _goal(task, model, space)
    if goal is None:
        return Cost(tuple(SoftConstraint(1, rule) for rule in rules)), 0, 0
    weight = goal.most + 1
    if options.penalty is not None:
        weight = max(1, math.ceil(Fraction(str(options.penalty)) * task.scale / goal.unit))
    check_range(goal.most + len(rules) * weight)
    cost = replace(goal, terms=(*goal.terms, *(SoftConstraint(weight, rule) for rule in rules)))
    return cost, goal.most if rules and weight > goal.most else None, 0


def _penalties(task: Task, model: Model, space: Space, options: EnergyOptions) -> tuple[Cost, int | None, int]:
    """The energy of the model's Qubo; without an objective the ground, if there is one, is no state's to undercut."""
    made = formulate_model(model, space, penalties=options.penalty, codewords_only=True)
    cost = qubo_cost(made.qubo, space)
    if task.goal is not None:
        return cost, None, 0
    lowest = math.floor((as_written(made.ground) - cost.base - cost.error) / cost.unit)
    return cost, None, max(0, lowest)


def _goal(task: Task, model: Model, space: Space) -> Cost | None:
    """The Qubo or the objective as a cost; None where there is neither."""
    if task.qubo is not None:
        return qubo_cost(task.qubo, space)
    objective = model.objective
    if objective is None:
        return None
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


@dataclass(frozen=True)
class EnergyRanking:
    """The reference for chance: how many codewords break no constraint, and how many of them have each energy.

    Energies are best first; none where there is nothing to be made small or large, or costs do not tell them exactly.
    """

    solutions: int
    energies: tuple[tuple[Fraction, int], ...]


def rank_energies(ranked: RankedSpace) -> EnergyRanking:
    """Count the solutions and their energies classically, to level_of a device's answers against chance.

    No circuit is made from these numbers, and no loop reads them.
    """
    allowed = np.flatnonzero(ranked.keeps_rules())
    if ranked.problem.goal is None or ranked.cost.error:
        return EnergyRanking(len(allowed), ())
    costs, first, counts = np.unique(ranked.costs[allowed], return_index=True, return_counts=True)
    pairs = [
        (ranked.problem.restore_energy(ranked.energy(int(allowed[place]))), int(count))
        for _, place, count in zip(costs[:KEPT], first[:KEPT], counts[:KEPT], strict=True)
    ]
    return EnergyRanking(len(allowed), tuple(sorted(pairs, reverse=ranked.problem.goal == "max")))


def count_costs(ranked: RankedSpace, states: Mapping[int, int]) -> dict[int, int]:
    """Shots by cost of measured basis states, without those outside the space."""
    found: dict[int, int] = {}
    for state, shots in states.items():
        values = ranked.space.decode(state)
        number = None if values is None else ranked.space.number(values)
        if number is not None:
            cost = int(ranked.costs[number])
            found[cost] = found.get(cost, 0) + shots
    return found


class OtherLayoutError(InputError):
    """A search cannot go on, because its problem is now laid out differently."""


def require_same_space(known: str, recorded: str, search: str) -> None:
    """Refuse to go on with a search if ``known``, its `fingerprint` as made now, is not the ``recorded`` one."""
    if known != recorded:
        raise OtherLayoutError(
            f"job {search} was begun by another version of gatesolve, which lays this problem out differently: "
            "go on with that version, or submit it anew with again=True"
        )
