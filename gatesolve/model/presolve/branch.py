"""Branching: a model in parts, by the values of one variable or the tuples of one constraint."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter

from gatesolve.errors import InfeasibleError
from gatesolve.model.constraints import Constraint, Domains
from gatesolve.model.merge import tuples_of
from gatesolve.model.model import Model
from gatesolve.model.presolve.filtering import Domain
from gatesolve.model.presolve.probe import join_scopes, narrow_model
from gatesolve.model.presolve.propagate import apply_events, deduce, reach_fixpoint

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


@dataclass(frozen=True)
class Branch:
    """A part: some variables at one value each.

    Attributes:
        values: of the variables.
        given: domains of the part, before anything is deduced from these.
        domains: after propagation; None where that refutes the part.
    """

    values: dict[str, int]
    given: dict[str, Domain]
    domains: dict[str, Domain] | None


@dataclass(frozen=True)
class Backtracking:
    """What plain backtracking takes, which propagates at every node and looks at no circuit.

    Attributes:
        nodes: assignments tried, and the root.
        seconds: measured.
        finished: whether it came to an end within its time.
        found: whether it found a solution.
    """

    nodes: int
    seconds: float
    finished: bool
    found: bool


def settle(model: Model, domains: Domains, changed: Collection[str] | None = None) -> dict[str, Domain] | None:
    """Domains after propagation; None where it refutes them. ``changed`` as for `deduce`."""
    try:
        return apply_events(domains, deduce(narrow_model(model, domains), changed))
    except InfeasibleError:
        return None


def choose_branches(
    model: Model, domains: dict[str, Domain], is_enough: Callable[[Model], bool]
) -> tuple[list[Branch], int]:
    """The choice that leaves least to search in all its parts together, likeliest part first.

    Of the variables with the smallest domains, those in most constraints, `LOOKED_AT` are tried. If the best of them is
    not enough, constraints are tried too, the `BLOCKS_LOOKED_AT` with the fewest tuples: a row or a region is one
    choice then, not one for each of its cells. The more assignments a part has, the likelier it is taken to hold a
    solution.

    Args:
        model: the whole problem's.
        domains: after propagation.
        is_enough: whether a part need not be divided again.

    Returns:
        The parts, and how many values and tuples were tried to choose them.
    """
    # To choose, what follows from a value is deduced from the same joined constraints, not joined again for each.
    constraints = join_scopes(model, domains)

    def look(choice: Choice) -> list[float]:
        return [log_size(_look(constraints, domains, values)) for values in choice]

    choices = _list_variables(model, domains)
    least, best = min(((_log_sum(look(choice)), choice) for choice in choices), key=itemgetter(0))
    parts = [_part(model, domains, values) for values in best]
    if not all(part.domains is None or is_enough(narrow_model(model, part.domains)) for part in parts):
        blocks = _list_blocks(constraints, domains)
        choices += blocks
        # Tuples that each leave one assignment would be the search itself, done by listing.
        looked = [(look(block), block) for block in blocks]
        open_ones = [(_log_sum(logs), block) for logs, block in looked if any(logs)]
        _, best = min([(least, best), *open_ones], key=itemgetter(0))
        parts = [_part(model, domains, values) for values in best]
    return sorted(parts, key=lambda part: -log_size(part.domains)), sum(map(len, choices))


def _list_variables(model: Model, domains: Domains) -> list[Choice]:
    uses = Counter(name for constraint in model.constraints for name in constraint.scope)
    free = [name for name, values in domains.items() if len(values) > 1]
    tried = sorted(free, key=lambda name: (len(domains[name]), -uses[name]))[:LOOKED_AT]
    return [[{name: value} for value in domains[name]] for name in tried]


def _list_blocks(constraints: Sequence[Constraint], domains: Domains) -> list[Choice]:
    """The tuples of the constraints that have fewest."""
    found: list[Choice] = []
    for constraint in constraints:
        names = constraint.scope
        if len(names) < 2:
            continue
        tuples = tuples_of(names, domains, [constraint], MOST_TUPLES, TUPLE_WORK)
        if tuples:
            found.append([dict(zip(names, values, strict=True)) for values in tuples])
    return sorted(found, key=len)[:BLOCKS_LOOKED_AT]


def backtrack(model: Model, most_seconds: float) -> Backtracking:
    """Depth first, smallest domain first, to the first solution, within some time."""
    start, nodes = time.perf_counter(), 0
    for found in _walk(model, dict(model.domains)):
        nodes += 1
        spent = time.perf_counter() - start
        if found or spent > most_seconds:
            return Backtracking(nodes, spent, found, found)
    return Backtracking(nodes, time.perf_counter() - start, True, False)


def _walk(model: Model, given: dict[str, Domain], changed: Collection[str] | None = None) -> Iterator[bool]:
    """At every node, whether it is a solution."""
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


def _look(
    constraints: Sequence[Constraint], domains: dict[str, Domain], values: dict[str, int]
) -> dict[str, Domain] | None:
    try:
        return reach_fixpoint(_fix(domains, values), constraints, values)
    except InfeasibleError:
        return None


def _part(model: Model, domains: dict[str, Domain], values: dict[str, int]) -> Branch:
    given = _fix(domains, values)
    return Branch(values, given, settle(model, given, values))


def _fix(domains: dict[str, Domain], values: dict[str, int]) -> dict[str, Domain]:
    return {**domains, **{name: (value,) for name, value in values.items()}}


def _log_sum(logs: list[float]) -> float:
    most = max(logs)
    return most if most == -math.inf else most + math.log2(sum(2 ** (one - most) for one in logs))
