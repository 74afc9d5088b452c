"""Trees over smaller domains: what has one value is worked out, and what is always or never true leaves."""

from __future__ import annotations

from collections.abc import Callable

from gatesolve.errors import InfeasibleError
from gatesolve.model.constraints import Constraint, Domains
from gatesolve.model.terms import Sum, Term, Truth, Value
from gatesolve.model.trees import FALSE, TRUE, Compare, Tree, compare

Restrict = Callable[[Constraint, Domains], Constraint | None]
"""A constraint over the variables that still have a choice, None where it always holds; raises where it never does."""


def fold(constraint: Constraint, domains: Domains, restrict: Restrict) -> Constraint:
    """Fold a constraint within the domains; `TRUE` or `FALSE` where nothing is left to decide."""
    if isinstance(constraint, Compare):
        return _decide(compare(fold_term(constraint.term, domains, restrict), constraint.relation, domains))
    if isinstance(constraint, Tree):
        parts = [
            fold_term(part, domains, restrict) if isinstance(part, Term) else fold(part, domains, restrict)
            for part in constraint.parts
        ]
        return _decide(constraint.rebuild(parts))
    try:
        return restrict(constraint, domains) or TRUE
    except InfeasibleError:
        return FALSE


def _decide(constraint: Constraint) -> Constraint:
    if constraint.scope:
        return constraint
    return TRUE if bool(constraint.holds({})) else FALSE


def fold_term(term: Term, domains: Domains, restrict: Restrict) -> Term:
    """A term within the domains."""
    if isinstance(term, Value):
        domain = domains[term.name]
        return Sum((), domain[0]) if len(domain) == 1 else term
    if isinstance(term, Truth):
        truth = fold(term.constraint, domains, restrict)
        return Sum((), int(truth == TRUE)) if truth in (TRUE, FALSE) else Truth(truth)
    return term.rebuild([fold_term(part, domains, restrict) for part in term.parts if isinstance(part, Term)])
