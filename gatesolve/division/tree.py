"""The tree of parts of a divided problem, walked depth first: its leaves are the parts that fit.

With an objective, OR-Tools seeks something better than the best found in each part. A part that it refutes is cut. What
it finds only orders the parts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from gatesolve.model import Model
from gatesolve.model.presolve.branch import choose_branches, narrow_model, settle, try_to_refute
from gatesolve.model.presolve.propagate import Domain
from gatesolve.model.reference import SolverOutcome
from gatesolve.pipelines.thresholds import at_least, worth

Path = tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Part:
    """A part of the problem.

    Attributes:
        path: the variables branched on, each with its value.
        number: at each branch which of the parts it is, the likeliest 0.
        given: domains, before anything is deduced from the last value.
        domains: after propagation; None where that refutes the part.
        share: of the whole tree, where every part counts like its siblings.
        best: what a solution must be worth more than to count; None for anything.
        hint: the best solution that OR-Tools found in it.
        bound: what no solution in it is worth more than, as OR-Tools proved; None where it proved nothing.
    """

    path: Path
    number: tuple[int, ...]
    given: dict[str, Domain]
    domains: dict[str, Domain] | None
    share: Fraction
    best: int | None = None
    hint: dict[str, int] | None = None
    bound: int | None = None


@dataclass(frozen=True)
class Growth:
    """The effort up to a point in the tree.

    Attributes:
        nodes: parts come to, the whole problem too.
        leaves: parts come to that fit.
        cut: parts that were refuted classically.
        bounded: of these, by OR-Tools, which proved that they have nothing better than the best found.
        branches: of OR-Tools in all parts.
        looks: values tried to choose what to branch on.
        dropped: values that this refuted.
        probes: values tried to refute parts that fit.
        depth: the most branches one upon another.
        is_cut_short: whether a part was left because there were too many.
    """

    nodes: int = 0
    leaves: int = 0
    cut: int = 0
    bounded: int = 0
    branches: int = 0
    looks: int = 0
    dropped: int = 0
    probes: int = 0
    depth: int = 0
    is_cut_short: bool = False


@dataclass(frozen=True)
class Frontier:
    """Where a walk is: the parts still to come, the next one last, and the worth of the best solution so far."""

    waiting: tuple[Part, ...]
    growth: Growth = Growth()
    best: int | None = None

    @property
    def share(self) -> Fraction:
        """The share of the tree that is still to come."""
        return sum((part.share for part in self.waiting), Fraction())


@dataclass(frozen=True)
class PartTree:
    """How a problem is divided; what a walk does depends on nothing else.

    Attributes:
        model: the whole problem's.
        fits: whether a part is small enough once propagation has come to its end.
        most: parts after which nothing is divided any more.
        searches_refuted: whether parts that propagation refutes are leaves too; nothing is dropped or probed then.
        drops: whether values that are refuted while parts are chosen are dropped until a part fits.
        seek: seeks the best solution of a part classically, within a limit; None without an objective.
        best: what the first solution must be worth more than.
    """

    model: Model
    fits: Callable[[Model], bool]
    most: int
    searches_refuted: bool = False
    drops: bool = True
    seek: Callable[[Model], SolverOutcome] | None = None
    best: int | None = None

    def start(self) -> Frontier:
        """Return the walk before the first leaf."""
        domains = settle(self.model, self.model.domains)
        return Frontier((Part((), (), dict(self.model.domains), domains, Fraction(1)),), best=self.best)

    def advance(self, frontier: Frontier) -> tuple[Part | None, Frontier]:
        """Return the next leaf, the likeliest of several parts, and the walk after it; None after the last.

        The first part that fits is a leaf. If more are needed, its search found nothing. So every later part that fits
        is probed, and is a leaf only if probing does not refute it.
        """
        while frontier.waiting:
            *left, part = frontier.waiting
            grown = replace(frontier.growth, nodes=frontier.growth.nodes + 1)
            frontier = replace(frontier, waiting=tuple(left), growth=grown)
            if self.seek is not None and part.domains is not None:
                part, frontier = self._bound(part, part.domains, frontier, self.seek)
                grown = frontier.growth
            if part.domains is None:
                if self.searches_refuted:
                    return part, frontier
                frontier = _cut(frontier)
            elif self.fits(fitting := narrow_model(self.model, part.domains)):
                is_refuted, probes = False, 0
                # Probing takes hundredths of a second, a search takes seconds.
                if grown.leaves and self.seek is None and not self.searches_refuted:
                    is_refuted, probes = try_to_refute(fitting)
                grown = replace(grown, leaves=grown.leaves + 1, probes=grown.probes + probes)
                frontier = replace(frontier, growth=grown)
                if not is_refuted:
                    return part, frontier
                frontier = _cut(frontier)
            else:
                frontier = self.divide(part, frontier, drops=self.drops and not self.searches_refuted)
        return None, frontier

    def divide(self, part: Part, frontier: Frontier, drops: bool = False) -> Frontier:
        """Return the walk with the parts of ``part``, which is too large, before all others.

        ``drops`` decides whether refuted values are dropped first, which may leave one part that fits.
        """
        if part.domains is None:
            return _cut(frontier)
        growth = frontier.growth
        # The part is left out, and the growth records that the search is incomplete.
        if growth.nodes >= self.most:
            return replace(frontier, growth=replace(growth, is_cut_short=True))
        branching, hint = choose_branches(self.model, part.domains, self.fits, drops), part.hint
        # The part with the hint comes first, so that its first leaf is good.
        hinted = [
            hint if hint and all(hint[name] in values for name, values in one.given.items()) else None
            for one in branching.branches
        ]
        ordered = sorted(zip(branching.branches, hinted, strict=True), key=lambda pair: pair[1] is None)
        parts = [
            Part(
                (*part.path, *branch.values.items()),
                (*part.number, k),
                branch.given,
                branch.domains,
                part.share / len(branching.branches),
                hint=kept,
                bound=part.bound,
            )
            for k, (branch, kept) in enumerate(ordered)
        ]
        grown = replace(
            growth,
            looks=growth.looks + branching.looks,
            dropped=growth.dropped + branching.dropped,
            depth=max(growth.depth, len(part.number) + 1),
        )
        # A walk takes its next part from the end, so the likeliest goes last.
        return replace(frontier, waiting=(*frontier.waiting, *reversed(parts)), growth=grown)

    def learn(self, frontier: Frontier, solution: dict[str, int] | None) -> Frontier:
        """Return the walk after a leaf in which something better than the best was found, or nothing."""
        return frontier if solution is None or self.seek is None else replace(frontier, best=self._worth(solution))

    def _worth(self, solution: dict[str, int]) -> int:
        assert self.model.objective is not None
        return worth(self.model.objective, self.model.objective.value(solution))

    def _bound(
        self, part: Part, given: dict[str, Domain], frontier: Frontier, seek: Callable[[Model], SolverOutcome]
    ) -> tuple[Part, Frontier]:
        """Return a part with what a better solution leaves of its ``given`` domains, None for nothing, and a hint."""
        growth, best, model = frontier.growth, frontier.best, self.model
        if best is not None and part.bound is not None and best >= part.bound:
            return replace(part, domains=None), replace(frontier, growth=replace(growth, bounded=growth.bounded + 1))
        if best is not None:
            assert model.objective is not None
            model = at_least(model, model.objective, best + 1)
            domains = settle(model, given)
            part = replace(part, best=best, given=domains or part.given, domains=domains)
        # The hint of the part that was divided may show that this one has something better.
        if part.domains is None or (part.hint and (best is None or self._worth(part.hint) > best)):
            return part, frontier
        sought = seek(narrow_model(model, part.domains))
        bound = self._worth(sought.solution) if sought.solution and sought.is_best else part.bound
        part = replace(part, hint=sought.solution, bound=bound, domains=None if sought.is_refuted else part.domains)
        bounded, branches = growth.bounded + sought.is_refuted, growth.branches + sought.branches
        return part, replace(frontier, growth=replace(growth, bounded=bounded, branches=branches))


def _cut(frontier: Frontier) -> Frontier:
    return replace(frontier, growth=replace(frontier.growth, cut=frontier.growth.cut + 1))
