"""Joint filtering of exactly-one constraints: rows against columns, rows against regions.

Take two families of sums of 0/1 variables that are each to be 1, the sums of a
family sharing no variable. A sum of the first family whose variables all lie in
sums of the second puts its 1 into one of them, and no two may choose the same:
an all-different whose "values" are the second family's sums. Filtering it
exactly finds, for example, k regions that fill k rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import permutations

from gatesolve.errors import InfeasibleError
from gatesolve.model import AllDifferent, Constraint, Linear
from gatesolve.presolve.filtering import Domain, Domains, filter_all_different

Sets = tuple[frozenset[str], ...]


def filter_exactly_one(domains: Domains, constraints: Iterable[Constraint]) -> dict[str, Domain]:
    """Domains without the ones that no matching of sums to sums allows.

    Args:
        domains: of all variables.
        constraints: already restricted to variables with more than one value.

    Raises:
        InfeasibleError: two families cannot be matched.
    """
    current = dict(domains)
    for first, second in permutations(_families(current, constraints), 2):
        for name in _excluded(first, second):
            current[name] = (0,)
    return current


def _families(domains: Domains, constraints: Iterable[Constraint]) -> list[Sets]:
    """The exactly-one sums, each in the first family whose variables it does not share, and in all later such.

    The second half matters where a region has shrunk to a row: one sum then stands for both.
    """
    sums = [frozenset(c.scope) for c in constraints if _is_exactly_one(c, domains)]
    families: list[tuple[list[frozenset[str]], set[str]]] = []
    for scope in sums:
        open_to_it = [family for family in families if not family[1] & scope]
        if open_to_it:
            _add(scope, open_to_it[0])
        else:
            families.append(([scope], set(scope)))
    for scope in sums:
        for family in families:
            if not family[1] & scope:
                _add(scope, family)
    return [tuple(members) for members, _ in families]


def _add(scope: frozenset[str], family: tuple[list[frozenset[str]], set[str]]) -> None:
    family[0].append(scope)
    family[1].update(scope)


def _is_exactly_one(constraint: Constraint, domains: Domains) -> bool:
    return (
        isinstance(constraint, Linear)
        and constraint.relation == "=="
        and constraint.bound == 1
        and all(c == 1 and domains[name] == (0, 1) for c, name in constraint.terms)
    )


def _excluded(first: Sequence[frozenset[str]], second: Sequence[frozenset[str]]) -> list[str]:
    """Variables that are 1 in no matching of the first family's sums to the second's."""
    place = {name: k for k, members in enumerate(second) for name in members}
    inside = [members for members in first if all(name in place for name in members)]
    if len(inside) < 2:
        return []
    choices = {f"sum {k}": tuple(sorted({place[name] for name in members})) for k, members in enumerate(inside)}
    allowed = filter_all_different(AllDifferent(tuple(choices)), choices)
    if not all(allowed.values()):
        raise InfeasibleError(f"no solution: {len(inside)} sums that are to be 1 have too few places for their ones")
    return [
        name
        for k, members in enumerate(inside)
        for name in sorted(members)
        if place[name] not in set(allowed[f"sum {k}"])
    ]
