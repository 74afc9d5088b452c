"""Sums of 0/1 variables that are to be one: rows, columns and regions of a board."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeGuard

from gatesolve.model.constraints import Constraint, Linear


def is_sum_to_one(constraint: Constraint) -> TypeGuard[Linear]:
    """Whether the constraint is a plain sum that is to be 1; what values its variables have is not looked at."""
    return (
        isinstance(constraint, Linear)
        and constraint.relation == "=="
        and constraint.bound == 1
        and all(c == 1 for c, _ in constraint.terms)
    )


def disjoint_groups(sums: Sequence[Linear]) -> list[list[Linear]]:
    """Each sum in the first group whose variables it does not share."""
    groups: list[tuple[list[Linear], set[str]]] = []
    for constraint in sums:
        scope = set(constraint.scope)
        for members, used in groups:
            if not used & scope:
                members.append(constraint)
                used |= scope
                break
        else:
            groups.append(([constraint], scope))
    return [members for members, _ in groups]
