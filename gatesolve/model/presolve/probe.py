"""Probing: a value that propagation refutes is dropped."""

from __future__ import annotations

from collections.abc import Collection, Generator, Sequence

from gatesolve.errors import InfeasibleError
from gatesolve.model.constraints import Constraint, Domains
from gatesolve.model.merge import merge_constraints
from gatesolve.model.model import Model, Variable
from gatesolve.model.presolve.filtering import Domain
from gatesolve.model.presolve.propagate import JOINT_LIMIT, Event, deduce, reach_fixpoint, restrict_all

MOST_PROBES = 3_000
"""Values tried; each costs a propagation."""


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
            constraints = join_scopes(model, domains)
            free = sorted((name for name, values in domains.items() if len(values) > 1), key=lambda n: len(domains[n]))
            for name, value in [(one, value) for one in free for value in domains[one]]:
                if value not in domains[name] or len(domains[name]) == 1:
                    continue
                if tried == MOST_PROBES:
                    return tried
                tried += 1
                if refutes(constraints, {**domains, name: (value,)}, [name]):
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


def join_scopes(model: Model, domains: Domains) -> Sequence[Constraint]:
    """Return the remaining constraints, those inside another's scope joined with it where their tuples are few."""
    constraints = restrict_all(model.constraints, domains)
    variables = tuple(Variable(name, values) for name, values in domains.items() if len(values) > 1)
    return merge_constraints(Model(variables, tuple(constraints)), JOINT_LIMIT, len(variables)).constraints


def refutes(constraints: Sequence[Constraint], domains: Domains, changed: Collection[str]) -> bool:
    """Whether propagation shows that no solution is in some domains, at their fixpoint but for those changed."""
    try:
        reach_fixpoint(domains, constraints, changed)
    except InfeasibleError:
        return True
    return False
