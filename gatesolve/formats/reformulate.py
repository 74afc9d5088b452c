"""LP statements beyond linear constraints, written exactly over bounded integers without a further variable."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations

from gatesolve.errors import InfeasibleError
from gatesolve.formats.integer_program import LinearRow, multiply_variables, round_row
from gatesolve.model import Clause, Constraint
from gatesolve.model.terms import Term, add_terms
from gatesolve.model.trees import FALSE, TRUE, compare

Ranges = Mapping[str, tuple[int, int]]
MOST_MEMBERS = 1000
"""Most members of one special ordered set: pairs of them are listed."""


def when_rows(row: LinearRow, name: str, value: int, ranges: Ranges) -> list[LinearRow]:
    """A row that must hold where a 0/1 variable has a value.

    Elsewhere it is loosened by as much as its left side can go beyond, which the ranges tell.
    """
    if row.relation == "==":
        sides = [LinearRow(row.label, row.terms, relation, row.bound) for relation in ("<=", ">=")]
        return [found for side in sides for found in when_rows(side, name, value, ranges)]
    sign = 1 if row.relation == "<=" else -1
    ends = {n: [sign * c * end for end in ranges[n]] for n, c in row.terms.items()}
    beyond = sum(map(max, ends.values()), Fraction(0)) - sign * row.bound
    if beyond <= 0:
        return []
    terms = {n: sign * c for n, c in row.terms.items()}
    terms[name] = terms.get(name, Fraction(0)) + (beyond if value else -beyond)
    return [LinearRow(row.label, terms, "<=", sign * row.bound + (beyond if value else 0))]


def special_ordered_set(label: str, adjacent: int, names: Sequence[str], ranges: Ranges) -> list[Constraint]:
    """At most so many variables, 1 or 2, are not 0, and those stand side by side: of every other pair one is 0."""
    found = []
    for (i, left), (j, right) in combinations(enumerate(names), 2):
        if j - i >= adjacent:
            can_be_0 = [name for name in (left, right) if ranges[name][0] <= 0 <= ranges[name][1]]
            if not can_be_0:
                raise InfeasibleError(f"set {label} never holds: neither {left} nor {right} can be 0")
            found.append(Clause(tuple((name, frozenset({0})) for name in can_be_0)))
    return list(found)


def polynomial_row(
    label: str, terms: Mapping[tuple[str, ...], Fraction], relation: str, bound: Fraction, ranges: Ranges
) -> list[Constraint]:
    """``sum(coefficient * product of variables) relation bound``; nothing where it always holds."""
    found = list[Constraint]()
    for weights, way, end in round_row(terms, relation, bound):
        scale = math.lcm(*(c.denominator for c in weights.values()), end.denominator)
        products = [(int(c * scale), _product(names, ranges)) for names, c in weights.items() if c]
        made = compare(add_terms(products, -int(end * scale)), way, ranges)  # it reads the ends of domains alone
        if made == FALSE:
            raise InfeasibleError(f"constraint {label} never holds")
        if made != TRUE:
            found.append(made)
    return found


def _product(names: Sequence[str], ranges: Ranges) -> Term:
    """A 0/1 variable once, as its powers are itself."""
    bits = {name for name in names if ranges[name] == (0, 1)}
    return multiply_variables(sorted([*bits, *(name for name in names if name not in bits)]))
