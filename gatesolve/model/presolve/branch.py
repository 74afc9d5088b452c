"""Branching: a model in parts, by the values of one variable."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gatesolve.errors import InfeasibleError
from gatesolve.model.constraints import Constraint, Domains
from gatesolve.model.model import Model
from gatesolve.model.presolve.filtering import Domain
from gatesolve.model.presolve.probe import join_scopes, narrow_model
from gatesolve.model.presolve.propagate import apply_events, deduce, reach_fixpoint

LOOKED_AT = 10
"""Variables whose values are tried before one is branched on."""


@dataclass(frozen=True)
class Branch:
    """A part: one variable at one value.

    Attributes:
        name: the variable.
        value: its value.
        given: domains of the part, before anything is deduced from the value.
        domains: after propagation; None where that refutes the part.
    """

    name: str
    value: int
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


def settle(model: Model, domains: Domains, changed: str | None = None) -> dict[str, Domain] | None:
    """Domains after propagation; None where it refutes them. ``changed`` as for `deduce`."""
    try:
        return apply_events(domains, deduce(narrow_model(model, domains), changed))
    except InfeasibleError:
        return None


def choose_branches(model: Model, domains: dict[str, Domain]) -> tuple[list[Branch], int]:
    """The values of the variable that leaves least to search in all its parts together, likeliest part first.

    Of the variables with the smallest domains, those in most constraints, `LOOKED_AT` are tried. The more assignments
    a part has, the likelier it is taken to hold a solution.

    Returns:
        The parts, and how many values were tried to choose them.
    """
    uses = Counter(name for constraint in model.constraints for name in constraint.scope)
    free = [name for name, values in domains.items() if len(values) > 1]
    tried = sorted(free, key=lambda name: (len(domains[name]), -uses[name]))[:LOOKED_AT]
    # To choose, what follows from a value is deduced from the same joined constraints, not joined again for each.
    constraints = join_scopes(model, domains)
    sizes = {name: [log_size(_look(constraints, domains, name, value)) for value in domains[name]] for name in tried}
    best = min(tried, key=lambda name: _log_sum(sizes[name]))
    parts = [_part(model, domains, best, value) for value in domains[best]]
    return sorted(parts, key=lambda part: -log_size(part.domains)), sum(map(len, sizes.values()))


def backtrack(model: Model, most_seconds: float) -> Backtracking:
    """Depth first, smallest domain first, to the first solution, within some time."""
    start, nodes = time.perf_counter(), 0
    for found in _walk(model, dict(model.domains)):
        nodes += 1
        spent = time.perf_counter() - start
        if found or spent > most_seconds:
            return Backtracking(nodes, spent, found, found)
    return Backtracking(nodes, time.perf_counter() - start, True, False)


def _walk(model: Model, given: dict[str, Domain], changed: str | None = None) -> Iterator[bool]:
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
            yield from _walk(model, {**domains, name: (value,)}, name)


def log_size(domains: Domains | None) -> float:
    """Assignments, as a power of two; minus infinity for a refuted part."""
    return -math.inf if domains is None else sum(math.log2(len(values)) for values in domains.values())


def _look(
    constraints: Sequence[Constraint], domains: dict[str, Domain], name: str, value: int
) -> dict[str, Domain] | None:
    try:
        return reach_fixpoint({**domains, name: (value,)}, constraints, name)
    except InfeasibleError:
        return None


def _part(model: Model, domains: dict[str, Domain], name: str, value: int) -> Branch:
    given = {**domains, name: (value,)}
    return Branch(name, value, given, settle(model, given, name))


def _log_sum(logs: list[float]) -> float:
    most = max(logs)
    return most if most == -math.inf else most + math.log2(sum(2 ** (one - most) for one in logs))
