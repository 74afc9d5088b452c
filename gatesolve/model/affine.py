"""Affine forms of variables, affine relations as normalised constraints, and sums that are to be one."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeGuard

from gatesolve.model.constraints import Constraint, Domains, Linear, NotEqual, shift_all_different


@dataclass(frozen=True)
class Affine:
    """``sum(coefficient * variable) + constant``; ``terms`` may hold a zero coefficient."""

    terms: tuple[tuple[int, str], ...]
    constant: int

    def scaled(self, factor: int) -> Affine:
        """The form times an integer."""
        return Affine(tuple((factor * c, name) for c, name in self.terms), factor * self.constant)


def sum_affine(forms: Iterable[Affine]) -> Affine:
    """Sum of affine forms, each variable once, in order of first appearance."""
    coefficients: dict[str, int] = {}
    constant = 0
    for form in forms:
        constant += form.constant
        for c, name in form.terms:
            coefficients[name] = coefficients.get(name, 0) + c
    return Affine(tuple((c, name) for name, c in coefficients.items()), constant)


def make_relation(form: Affine, comparison: str, domains: Domains) -> Constraint | bool:
    """The Linear or NotEqual ``form comparison 0``, normalised; a truth value when nothing is left to decide."""
    if comparison in (">", ">="):
        return make_relation(form.scaled(-1), "<" if comparison == ">" else "<=", domains)
    terms = [(c, name) for c, name in form.terms if c]
    # Over integers, ``< b`` is ``<= b - 1``.
    bound = -form.constant - (comparison == "<")
    comparison = "<=" if comparison == "<" else comparison
    if not terms:
        return {"==": bound == 0, "!=": bound != 0, "<=": bound >= 0}[comparison]
    step = math.gcd(*(c for c, _ in terms))
    # A multiple of the step never equals the bound.
    if comparison != "<=" and bound % step:
        return comparison == "!="
    if comparison != "<=" and terms[0][0] < 0:
        # A normal form: the first coefficient is positive, so that equal relations are equal constraints.
        step = -step
    # For "<=", floor division keeps all integer solutions, since the sum is a multiple of the step.
    terms, bound = [(c // step, name) for c, name in terms], bound // step
    low = sum(min(c * domains[n][0], c * domains[n][-1]) for c, n in terms)
    high = sum(max(c * domains[n][0], c * domains[n][-1]) for c, n in terms)
    if {"<=": high <= bound, "==": low == high == bound, "!=": not low <= bound <= high}[comparison]:
        return True
    if comparison == "!=" and [c for c, _ in terms] == [1, -1]:
        return NotEqual(terms[0][1], terms[1][1], bound)
    return Linear(tuple(terms), "==" if comparison == "==" else "!=" if comparison == "!=" else "<=", bound)


def make_all_different(forms: Sequence[Affine]) -> list[Constraint] | None:
    """All different of forms of one variable each, all added or all subtracted; None where they are not."""
    terms = [[(c, name) for c, name in form.terms if c] for form in forms]
    signs = {tuple(c for c, _ in one) for one in terms}
    if signs not in (set(), {(1,)}, {(-1,)}):
        return None
    # what is subtracted is turned round: differences stay differences
    shifts = {one[0][1]: one[0][0] * form.constant for one, form in zip(terms, forms, strict=True)}
    # A variable occurs twice, which an `AllDifferent` over names cannot hold.
    if len(shifts) < len(forms):
        return None
    found = shift_all_different(shifts)
    return [] if found is None else [found]


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
