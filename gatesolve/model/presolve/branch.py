"""Branching: a model in parts, by the values of one variable or the tuples of one constraint."""

from __future__ import annotations

import math
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter

from gatesolve.errors import InfeasibleError
from gatesolve.model.constraints import Constraint, Domains
from gatesolve.model.merge import tuples_of
from gatesolve.model.model import Model, Variable
from gatesolve.model.presolve.propagate import (
    Domain,
    Event,
    apply_events,
    deduce,
    join_constraints,
    reach_fixpoint,
    restrict_all,
)

MOST_PROBES = 3_000
"""Values tried; each costs a propagation."""
LOOKED_AT = 10
"""Variables whose values are tried before one choice is branched on."""
BLOCKS_LOOKED_AT = 4
"""Constraints whose tuples are tried."""
MOST_TUPLES = 40
"""Of such a constraint."""
TUPLE_WORK = 2_000
"""Partial tuples tried to list them."""
Choice = Sequence[dict[str, int]]
"""What to branch on: values of some variables, one of which every solution has."""


def probe(model: Model) -> Generator[Event, None, int]:
    """The deductions of propagation, then those of probing: a value is tried, and dropped if propagation refutes it.

    Smallest domains first; what follows from a drop is deduced before the next value is tried. Goes round until a
    round drops nothing, or `MOST_PROBES` values were tried.

    Returns:
        How many values were tried.

    Raises:
        InfeasibleError: a domain lost its last value; its ``probes`` are the values tried until then.
    """
    domains: dict[str, Domain] = dict(model.domains)
    tried = 0
    try:
        while True:
            for event in deduce(narrow_model(model, domains)):
                domains[event.name] = event.values
                yield event
            before = dict(domains)
            constraints = join_constraints(restrict_all(model.constraints, domains), domains)
            free = sorted((name for name, values in domains.items() if len(values) > 1), key=lambda n: len(domains[n]))
            for name, value in [(one, value) for one in free for value in domains[one]]:
                # Earlier deductions of this round may have settled the variable.
                if value not in domains[name] or len(domains[name]) == 1:
                    continue
                if tried == MOST_PROBES:
                    return tried
                tried += 1
                if narrow(constraints, {**domains, name: (value,)}, [name]) is None:
                    left = {**domains, name: tuple(v for v in domains[name] if v != value)}
                    for changed, values in reach_fixpoint(left, constraints, [name]).items():
                        if values != domains[changed]:
                            domains[changed] = values
                            yield Event(changed, values)
            if domains == before:
                return tried
    except InfeasibleError as error:
        error.probes = tried
        raise


def try_to_refute(model: Model) -> tuple[bool, int]:
    """Return whether probing proves that a model has no solution, and how many values were tried."""
    walk = probe(model)
    while True:
        try:
            next(walk)
        except StopIteration as end:
            return False, end.value
        except InfeasibleError as error:
            return True, error.probes


def narrow_model(model: Model, domains: Domains) -> Model:
    """Return the model on narrower domains."""
    return Model(tuple(Variable(v.name, domains[v.name]) for v in model.variables), model.constraints, model.objective)


def narrow(constraints: Sequence[Constraint], domains: Domains, changed: Collection[str]) -> dict[str, Domain] | None:
    """Return the domains after propagation from those changed; None if it finds no solution."""
    try:
        return reach_fixpoint(domains, constraints, changed)
    except InfeasibleError:
        return None


@dataclass(frozen=True)
class Branch:
    """A part: some variables at one value each.

    ``given`` are its domains before anything is deduced from them, ``domains`` those after propagation, None where that
    refutes the part.
    """

    values: dict[str, int]
    given: dict[str, Domain]
    domains: dict[str, Domain] | None


@dataclass(frozen=True)
class Branching:
    """A choice of parts, likeliest first; a single one where dropped values leave nothing to choose.

    ``looks`` counts the values and tuples tried to make it, ``dropped`` are values that a try refuted, and no part has.
    """

    branches: list[Branch]
    looks: int
    dropped: int


@dataclass(frozen=True)
class Backtracking:
    """The effort of classical backtracking that propagates at every node.

    Attributes:
        nodes: assignments tried, and the root; more would be needed where it did not finish.
        finished: whether it came to an end within its limits.
        found: whether there is a solution; None where it did not finish.
    """

    nodes: int
    seconds: float
    finished: bool
    found: bool | None


def settle(model: Model, domains: Domains, changed: Collection[str] | None = None) -> dict[str, Domain] | None:
    """Return the domains after propagation, or None if it refutes them; ``changed`` as for `deduce`."""
    try:
        return apply_events(domains, deduce(narrow_model(model, domains), changed))
    except InfeasibleError:
        return None


def choose_branches(
    model: Model, domains: dict[str, Domain], is_enough: Callable[[Model], bool], drops: bool = True
) -> Branching:
    """Choose the branches that leave the least to search in all parts together.

    The variables with the smallest domains come first, ties broken by the number of their constraints, and `LOOKED_AT`
    are tried. Values that a try refutes are dropped, and the choice is repeated on the rest, unless that is one part
    that is enough. If the best variable is not enough, the `BLOCKS_LOOKED_AT` constraints with the fewest tuples are
    tried too: a row or a region is then one choice. Larger parts are assumed likelier to hold a solution.

    Args:
        model: the whole problem's.
        domains: after propagation.
        is_enough: whether a part need not be divided again.
        drops: whether refuted values are dropped, only as many as needed for the rest to be enough. Otherwise they stay
            parts, if their variable is chosen.
    """
    looks = dropped = 0
    while True:
        # All tries share the same joined constraints: joining them again for each value would cost too much.
        constraints = join_constraints(restrict_all(model.constraints, domains), domains)
        looked = [(_look_at(constraints, domains, choice), choice) for choice in _list_variables(model, domains)]
        looks += sum(len(choice) for _, choice in looked)
        # Values that tries refuted; none if all values of one variable are, because it is then the choice.
        tried = [(log, values) for logs, choice in looked for log, values in zip(logs, choice, strict=True)]
        refuted = [item for log, values in tried if log == -math.inf for item in values.items()]
        if not drops or not refuted or any(max(logs) == -math.inf for logs, _ in looked):
            parts, more = _choose_parts(model, domains, is_enough, constraints, looked)
            return Branching(sorted(parts, key=lambda part: -log_size(part.domains)), looks + more, dropped)
        left = _drop(model, domains, refuted)
        if _is_settled(model, left, is_enough):
            # Drop no more than needed: the quantum search is for the rest, and dropping more never unsettles it.
            fewer = range(1, len(refuted))
            first = bisect_left(
                fewer, True, key=lambda n: _is_settled(model, _drop(model, domains, refuted[:n]), is_enough)
            )
            return Branching([_drop(model, domains, refuted[: first + 1])], looks, dropped + first + 1)
        assert left.domains is not None
        domains, dropped = left.domains, dropped + len(refuted)


def _choose_parts(
    model: Model,
    domains: dict[str, Domain],
    is_enough: Callable[[Model], bool],
    constraints: Sequence[Constraint],
    looked: list[tuple[list[float], Choice]],
) -> tuple[list[Branch], int]:
    """Return the parts by the best variable or constraint, and the number of tuples of constraints tried."""
    least, best = min(((_log_sum(logs), choice) for logs, choice in looked), key=itemgetter(0))
    parts = [_part(model, domains, values) for values in best]
    if all(part.domains is None or is_enough(narrow_model(model, part.domains)) for part in parts):
        return parts, 0
    blocks: list[Choice] = []
    for names, constraint in ((one.scope, one) for one in constraints if len(one.scope) > 1):
        tuples = tuples_of(names, domains, [constraint], MOST_TUPLES, TUPLE_WORK)
        if tuples:
            blocks.append([dict(zip(names, values, strict=True)) for values in tuples])
    blocks = sorted(blocks, key=len)[:BLOCKS_LOOKED_AT]
    # A constraint whose tuples each leave one assignment is excluded: listing them would be the search itself.
    tried = [(_look_at(constraints, domains, block), block) for block in blocks]
    open_ones = [(_log_sum(logs), block) for logs, block in tried if any(logs)]
    _, best = min([(least, best), *open_ones], key=itemgetter(0))
    return [_part(model, domains, values) for values in best], sum(map(len, blocks))


def _drop(model: Model, domains: dict[str, Domain], refuted: Sequence[tuple[str, int]]) -> Branch:
    changed = {name for name, _ in refuted}
    given = domains | {name: tuple(v for v in domains[name] if (name, v) not in refuted) for name in changed}
    return Branch({}, given, settle(model, given, changed))


def _is_settled(model: Model, part: Branch, is_enough: Callable[[Model], bool]) -> bool:
    """Return whether the part needs no further division: it is refuted, has one assignment, or is enough."""
    found = part.domains
    return found is None or log_size(found) == 0 or is_enough(narrow_model(model, found))


def _list_variables(model: Model, domains: Domains) -> list[Choice]:
    uses = Counter(name for constraint in model.constraints for name in constraint.scope)
    free = [name for name, values in domains.items() if len(values) > 1]
    tried = sorted(free, key=lambda name: (len(domains[name]), -uses[name]))[:LOOKED_AT]
    return [[{name: value} for value in domains[name]] for name in tried]


def backtrack(model: Model, most_seconds: float = math.inf, most_nodes: float = math.inf) -> Backtracking:
    """Search depth first, smallest domain first, for the first solution, within limits of time and nodes."""
    start, nodes = time.perf_counter(), 0
    for found in _walk(model, dict(model.domains)):
        spent = time.perf_counter() - start
        # Checked before counting: a search that needs exactly the limit has finished.
        if nodes == most_nodes:
            return Backtracking(nodes, spent, False, None)
        nodes += 1
        if found or spent > most_seconds:
            return Backtracking(nodes, spent, found, found or None)
    return Backtracking(nodes, time.perf_counter() - start, True, False)


def _walk(model: Model, given: dict[str, Domain], changed: Collection[str] | None = None) -> Iterator[bool]:
    """Yield for every node whether it is a solution."""
    domains = settle(model, given, changed)
    if domains is None:
        yield False
        return
    free = [name for name, values in domains.items() if len(values) > 1]
    yield not free and model.check({name: values[0] for name, values in domains.items()})
    if free:
        name = min(free, key=lambda one: len(domains[one]))
        for value in domains[name]:
            yield from _walk(model, {**domains, name: (value,)}, [name])


def log_size(domains: Domains | None) -> float:
    """Assignments, as a power of two; minus infinity for a refuted part."""
    return -math.inf if domains is None else sum(math.log2(len(values)) for values in domains.values())


def _look_at(constraints: Sequence[Constraint], domains: dict[str, Domain], choice: Choice) -> list[float]:
    """How much is left, as a power of two, of the part of each value of a choice."""
    parts = [(domains | {name: (value,) for name, value in values.items()}, values) for values in choice]
    return [log_size(narrow(constraints, part, values)) for part, values in parts]


def _part(model: Model, domains: dict[str, Domain], values: dict[str, int]) -> Branch:
    given = domains | {name: (value,) for name, value in values.items()}
    return Branch(values, given, settle(model, given, values))


def _log_sum(logs: list[float]) -> float:
    most = max(logs)
    # Measured from the largest exponent, so that no power overflows.
    return most if most == -math.inf else most + math.log2(sum(2 ** (one - most) for one in logs))
