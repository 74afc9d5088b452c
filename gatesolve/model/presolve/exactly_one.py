"""Joint filtering of exactly-one constraints: rows against columns, rows against regions.

Take two families of sums of 0/1 variables that are each to be 1, the sums of a family sharing no variable. A sum of the
first family whose variables all lie in sums of the second puts its 1 into one of them, and no two may choose the same:
an all-different whose "values" are the second family's sums. So k regions are found, for example, that fill k rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import permutations

from gatesolve.errors import InfeasibleError
from gatesolve.model.constraints import AllDifferent, Constraint, Domains
from gatesolve.model.presolve.filtering import Domain, filter_all_different
from gatesolve.model.sums import disjoint_groups, is_sum_to_one

Sets = tuple[frozenset[str], ...]


def filter_exactly_one(domains: Domains, constraints: Iterable[Constraint]) -> dict[str, Domain]:
    """Domains without the ones that no matching of sums to sums allows, the constraints restricted to them before.

    Raises:
        InfeasibleError: two families cannot be matched.
    """
    current = dict(domains)
    for first, second in permutations(_families(current, constraints), 2):
        for name in _excluded(first, second):
            current[name] = (0,)
    return current


def _families(domains: Domains, constraints: Iterable[Constraint]) -> list[Sets]:
    """The exactly-one sums in groups that share no variable, each group then filled up from all others.

    Filling up matters where a region has shrunk to a row: one sum then stands for both.
    """
    sums = [c for c in constraints if is_sum_to_one(c) and all(domains[name] == (0, 1) for name in c.scope)]
    families = []
    for group in disjoint_groups(sums):
        members = [frozenset(c.scope) for c in group]
        used = set().union(*members)
        for scope in (frozenset(c.scope) for c in sums):
            if not used & scope:
                members.append(scope)
                used |= scope
        families.append(tuple(members))
    return families


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
    pairs = [(k, name) for k, members in enumerate(inside) for name in sorted(members)]
    return [name for k, name in pairs if place[name] not in allowed[f"sum {k}"]]
