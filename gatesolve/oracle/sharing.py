"""Constraints compiled again from parts that several of them can have in common: dearer alone, cheaper together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gatesolve.encodings.space import Space
from gatesolve.errors import DoesNotFitError
from gatesolve.model import AllDifferent, Clause, Constraint, Linear, NotEqual, Table
from gatesolve.model.trees import Distinct, Tree
from gatesolve.oracle.by_values import compile_by_values
from gatesolve.oracle.condition import Condition
from gatesolve.oracle.sums import compile_sum, compile_unequal
from gatesolve.oracle.synthesise import LEAF_ROWS, synthesise
from gatesolve.oracle.tree import compile_tree
from gatesolve.oracle.window import choose_projections


def add_shared(conditions: Sequence[Condition], constraints: Sequence[Constraint], space: Space) -> list[Condition]:
    """The conditions of constraints, each with what it may be instead where others have the same parts.

    A comparison of two variables, and terms that are all different, read digits that are each on a wire of their own;
    clauses, trees and all-different variables beside them read values that are each on a parity.
    """
    rules = [c.rule if isinstance(c, Table) and c.rule is not None else c for c in constraints]
    by_value = any(isinstance(rule, Clause | Tree) and not isinstance(rule, Distinct) for rule in rules)
    found: list[Condition] = []
    for condition, rule in zip(conditions, rules, strict=True):
        shared = _share(rule, space, by_value)
        found.append(replace(condition, shared=shared and replace(shared, label=condition.label)))
    return found


def _share(constraint: Constraint, space: Space, by_value: bool) -> Condition | None:
    views = choose_projections(constraint, space)
    homes = {name: view for view in views for name in view.names}
    match constraint:
        case NotEqual():
            return compile_unequal(constraint, homes, keeps=True)
        case Linear() if len(constraint.terms) <= 2:
            return compile_sum(constraint, homes, keeps=True)
        case Distinct():

            def leaf(part: Constraint) -> Condition:
                return _share(part, space, False) or synthesise(part, space, LEAF_ROWS)

            try:
                return compile_tree(constraint, homes, leaf, shared=True)
            except DoesNotFitError:
                return None  # by itself it was made from its tuples
        case Tree() | Clause():
            return compile_by_values(constraint, views, synthesise)
        case AllDifferent() if by_value:
            return compile_by_values(constraint, views, synthesise)
    return None
