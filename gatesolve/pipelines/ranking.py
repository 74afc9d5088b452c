"""A space whose codewords are ranked by an energy: what Grover Adaptive Search and QAOA minimise.

The number of codewords of each energy is the reference for the best energy that a device measured.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from gatesolve.encodings import Space, unenforced_constraints
from gatesolve.errors import DoesNotFitError, InputError
from gatesolve.formats.problem import Problem, SolutionCount
from gatesolve.model import Model, Objective
from gatesolve.model.content import content_key
from gatesolve.model.reference import find_within
from gatesolve.oracle.recipe import ValueRecipe
from gatesolve.pipelines.options import EnergyOptions, refuse_idle
from gatesolve.planning import Clock, Layout
from gatesolve.qubo.cost import Cost, SoftConstraint, tabulate_costs
from gatesolve.qubo.cost_rule import CostRule

KEPT = 1_000
"""Most different energies kept in a record, the best ones."""
BOUND_WORK = 4.0
"""How long an assignment of low cost is looked for: OR-Tools' deterministic time, a few seconds."""


@dataclass(frozen=True)
class PricedSpace:
    """A problem's space with what is minimised there.

    Attributes:
        layout: its presolved model and space.
        counts_violations: whether the energy is penalties of broken constraints and no Qubo's.
        start: the highest cost of a codeword that breaks no constraint; None where costs do not show that.
        floor: a cost that is proven to be the lowest if there is a codeword of it: that of solutions where penalties
            have one, else 0.
    """

    problem: Problem
    layout: Layout
    cost: Cost
    counts_violations: bool
    start: int | None = None
    floor: int = 0

    @property
    def space(self) -> Space:
        """The search space."""
        return self.layout.space

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
        """The least difference of energies that costs can show, to be put after ``better`` or ``lower``."""
        if not self.cost.error:
            return ""
        # A cost is up to the error too high, another one up to it too low.
        above = Context(prec=2, rounding=ROUND_CEILING).divide(*map(Decimal, (2 * self.cost.error).as_integer_ratio()))
        return f" by more than {above.normalize():g}"

    def allowed(self, cost: int | None) -> bool:
        """Whether a codeword of this cost breaks no constraint."""
        return cost is not None and (self.start is None or cost <= self.start)

    def stated_energy(self, cost: int | None, energy: Fraction) -> Fraction | None:
        """Return a codeword's energy as the problem states it: an objective only where no constraint is broken."""
        if self.problem.goal is not None and not self.allowed(cost):
            return None
        return self.problem.restore_energy(energy)


@dataclass(frozen=True, kw_only=True)
class RankedSpace(PricedSpace):
    """A space whose codewords are all priced, in codeword order."""

    costs: NDArray[np.int64]

    @property
    def lowest(self) -> int:
        """The lowest cost there is; only certificates and exports look at it, never the search."""
        return int(self.costs.min())

    @property
    def counted(self) -> SolutionCount | None:
        """Number of solutions; None where something is minimised, or costs do not show which are solutions."""
        if self.start is None:
            return None
        numbers = np.flatnonzero(self.costs <= self.start)
        return self.problem.count_solutions(self.space, numbers, self.layout.recovery.recover)

    def keeps_rules(self) -> NDArray[np.bool_]:
        """Return for each codeword whether it breaks no constraint, worked out classically."""
        rules = unenforced_constraints(self.layout.model, self.space)
        return np.equal(tabulate_costs(Cost(tuple(SoftConstraint(1, rule) for rule in rules)), self.space), 0)

    def energy(self, number: int) -> Fraction:
        """Return the true energy of a codeword, without the rounding of the costs."""
        cost = int(self.costs[number])
        if self.problem.qubo is None or not self.allowed(cost):
            return self.cost.energy(cost)
        # A Qubo's costs may be rounded; its own coefficients are exact.
        values = self.space.assignment(number)
        return self.problem.qubo.exact_energy([values[name] for name in self.problem.qubo.names])


def check_energy(problem: Problem, options: EnergyOptions) -> None:
    """Refuse what would change no energy; raises as `refuse_idle`."""
    if problem.qubo is not None:
        refuse_idle(options, "a Qubo is taken as it is", "energy_from")
    if not problem.model.constraints:
        refuse_idle(options, "there is no constraint to weigh", "penalty")
    elif problem.goal is None and options.energy_from == "violations":
        refuse_idle(options, "constraints are only counted, unless energy_from='penalties' weighs them", "penalty")


def cost_rule(problem: Problem, options: EnergyOptions) -> CostRule:
    """Return the rule by which a problem's assignments are priced."""
    return CostRule(problem.qubo, problem.scale, options.energy_from, options.penalty)


def price_space(problem: Problem, layout: Layout, recipe: ValueRecipe) -> PricedSpace:
    """Price the codewords of a layout, however many there are."""
    priced = recipe.rule.price(layout.model, layout.space, recipe.choice.level)
    counts = recipe.rule.energy_from == "violations"
    return PricedSpace(problem, layout, priced.cost, counts, priced.start, priced.floor)


def rank_space(problem: Problem, layout: Layout, recipe: ValueRecipe, clock: Clock) -> RankedSpace:
    """Work out the cost of every codeword of a layout."""
    priced = price_space(problem, layout, recipe)
    with clock.stage("costs") as report:
        costs = tabulate_costs(priced.cost, layout.space, report)
    return RankedSpace(**vars(priced), costs=costs)


def find_threshold(priced: PricedSpace, wanted: float) -> int:
    """Return the cost below which the energy is below the one wanted, in the user's units."""
    # By its text: the float 0.1 is not a tenth, but the user means one.
    energy = Fraction(str(wanted)) * priced.problem.scale
    # Costs are minimised, so an objective that is maximised is negated.
    energy = -energy if priced.problem.goal == "max" else energy
    # No codeword of a lower energy is left out.
    cost = math.ceil((energy - priced.cost.base + priced.cost.error) / priced.cost.unit)
    # Beyond these ends an oracle marks nothing or everything.
    return min(max(cost, 0), priced.cost.most + 1)


def find_cheap(priced: PricedSpace) -> dict[str, int] | None:
    """Return an assignment of low cost in the space, the best that OR-Tools finds in time; None if it finds none."""
    model, cost = priced.layout.model, priced.cost
    left = unenforced_constraints(model, priced.space)
    term, number = cost.goal or (None, 0)
    objective = None if term is None else Objective((), 0, "min", ((1, term),))
    inside = Model(model.variables, tuple(one for one in model.constraints if one not in left), objective)
    try:
        found = find_within(inside, BOUND_WORK, [(one.weight, one.constraint) for one in cost.terms[number:]])
    except DoesNotFitError:
        return None
    held = found is not None and all(tuple(found[v] for v in b.variables) in b.tuples for b in priced.space.blocks)
    return found if held else None


def fingerprint(ranked: RankedSpace, backend: str) -> str:
    """Hash of the cost, the space and the backend: what must be the same for a search to be continued."""
    return content_key(ranked.cost, ranked.space, backend)


def rank_energies(ranked: RankedSpace) -> tuple[int, tuple[tuple[Fraction, int], ...]]:
    """Count classically the codewords that break no constraint, and those of each energy, the best energy first.

    A device's answers are judged against chance by them; no circuit is made from these numbers, and no loop reads them.
    There are no energies where nothing is optimised, or where costs are not exact.
    """
    allowed = np.flatnonzero(ranked.keeps_rules())
    if ranked.problem.goal is None or ranked.cost.error:
        return len(allowed), ()
    # Codewords of equal cost have equal energies, as costs are exact here, so one of each stands for all.
    costs, first, counts = np.unique(ranked.costs[allowed], return_index=True, return_counts=True)
    pairs = [
        (ranked.problem.restore_energy(ranked.energy(int(allowed[place]))), int(count))
        for _, place, count in zip(costs[:KEPT], first[:KEPT], counts[:KEPT], strict=True)
    ]
    return len(allowed), tuple(sorted(pairs, reverse=ranked.problem.goal == "max"))


def count_costs(ranked: RankedSpace, states: Mapping[int, int]) -> dict[int, int]:
    """Return shots by cost of measured basis states, without those outside the space."""
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
